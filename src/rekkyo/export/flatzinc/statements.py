"""Predicates of FlatZinc that can be reified, each with its statement.

All of them also exist as NAME_reif, whose last argument is the truth value, and NAME_imp, where the predicate
needs to hold only if the last argument is true. Source of names and meanings: MiniZinc Handbook, "FlatZinc
builtins".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import Building, Statement
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, AllDifferent, Table
from rekkyo.wording import several

MakeStatement = Callable[[Building, Arguments], Statement]


def _compared(
    relation: str, building: Building, given: Arguments, *, less_by: int = 0, of_truths: bool = False
) -> Statement:
    """Two arguments, of which the first plus `less_by` is in relation to the second."""
    get = given.truth if of_truths else given.atom
    return building.linear((1, -1), (get(0), get(1)), relation, -less_by)


def _weighted(relation: str, building: Building, given: Arguments, *, of_truths: bool = False) -> Statement:
    """Coefficients, variables, and the right side of the relation."""
    coefficients = given.numbers(0)
    atoms = given.truths(1) if of_truths else given.atoms(1)
    if len(coefficients) != len(atoms):
        sizes = f"{several(len(coefficients), 'coefficient')} for {several(len(atoms), 'variable')}"
        building.refuse(f"{given.predicate} has {sizes}; give one for each")
    return building.linear((*coefficients, -1), (*atoms, given.atom(2)), relation, 0)


def _set_in(building: Building, given: Arguments) -> Statement:
    x, allowed = given.atom(0), given.set(1)
    return building.table((x,), [(value,) for value in building.values(x) if value in allowed])


def _all_different(building: Building, given: Arguments) -> Statement:
    atoms = given.atoms(0)
    return AllDifferent(building.variables(atoms)) if len(atoms) > 1 else True


def _table(building: Building, given: Arguments) -> Statement:
    atoms, numbers = given.atoms(0), given.numbers(1)
    width = len(atoms)
    if width == 0 or len(numbers) % width:
        problem = f"rows of {width} cannot be made of {several(len(numbers), 'number')}"
        building.refuse(f"{given.predicate}: {problem}")
    return building.table_of_numbers(atoms, numbers)


def _not_table(building: Building, given: Arguments) -> Statement:
    table = _table(building, given)
    return replace(table, allowed=False) if isinstance(table, Table) else not table


STATEMENTS: dict[str, MakeStatement] = {
    "int_eq": partial(_compared, EQUAL),
    "int_ne": partial(_compared, NOT_EQUAL),
    "int_le": partial(_compared, AT_MOST),
    "int_lt": partial(_compared, AT_MOST, less_by=1),
    "bool_eq": partial(_compared, EQUAL, of_truths=True),
    "bool_ne": partial(_compared, NOT_EQUAL, of_truths=True),
    "bool_not": partial(_compared, NOT_EQUAL, of_truths=True),
    "bool_le": partial(_compared, AT_MOST, of_truths=True),
    "bool_lt": partial(_compared, AT_MOST, less_by=1, of_truths=True),
    "bool2int": partial(_compared, EQUAL),
    "int_lin_eq": partial(_weighted, EQUAL),
    "int_lin_ne": partial(_weighted, NOT_EQUAL),
    "int_lin_le": partial(_weighted, AT_MOST),
    "bool_lin_eq": partial(_weighted, EQUAL, of_truths=True),
    "bool_lin_ne": partial(_weighted, NOT_EQUAL, of_truths=True),
    "bool_lin_le": partial(_weighted, AT_MOST, of_truths=True),
    "set_in": _set_in,
    "bool_clause": lambda building, given: building.clause(given.truths(0), given.truths(1)),
    "fzn_all_different_int": _all_different,
    "fzn_table_int": _table,
    "fzn_table_bool": _table,
    "rekkyo_not_table_int": _not_table,
}


def _made(make: MakeStatement, building: Building, given: Arguments) -> Statement:
    statement = make(building, given)
    given.check_used()
    return statement


def _plain(make: MakeStatement, building: Building, given: Arguments) -> None:
    building.state(_made(make, building, given))


def _with_truth(make: MakeStatement, building: Building, given: Arguments) -> None:
    inner, truth = given.without_last()
    building.reify(_made(make, building, inner), truth)


def _with_condition(make: MakeStatement, building: Building, given: Arguments) -> None:
    inner, condition = given.without_last()
    building.imply(condition, _made(make, building, inner))


def statement_writers() -> dict[str, Callable[[Building, Arguments], None]]:
    """The writer for each predicate, and for its two forms with a truth value."""
    forms = {"": _plain, "_reif": _with_truth, "_imp": _with_condition}
    return {
        f"{name}{ending}": partial(post, make)
        for name, make in STATEMENTS.items()
        for ending, post in forms.items()
    }
