"""Predicates of FlatZinc that can be reified, each with its statement.

All of them also exist as NAME_reif, whose last argument is the truth value, and NAME_imp, where the predicate
needs to hold only if the last argument is true. Source of names and meanings: MiniZinc Handbook, "FlatZinc
builtins".
"""

from __future__ import annotations

from collections.abc import Callable

from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import Building, Statement
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, AllDifferent

MakeStatement = Callable[[Building, Arguments], Statement]


def _compared(relation: str, less_by: int = 0, *, of_truths: bool = False) -> MakeStatement:
    """Two arguments, of which the first plus `less_by` is in relation to the second."""

    def make(building: Building, given: Arguments) -> Statement:
        get = given.truth if of_truths else given.atom
        return building.linear((1, -1), (get(0), get(1)), relation, -less_by)

    return make


def _weighted(relation: str, *, of_truths: bool = False) -> MakeStatement:
    """Coefficients, variables, and the right side of the relation."""

    def make(building: Building, given: Arguments) -> Statement:
        coefficients = given.numbers(0)
        atoms = given.truths(1) if of_truths else given.atoms(1)
        if len(coefficients) != len(atoms):
            sizes = f"{len(coefficients)} coefficients for {len(atoms)} variables"
            building.refuse(f"{given.predicate} has {sizes}; give one for each")
        return building.linear((*coefficients, -1), (*atoms, given.atom(2)), relation, 0)

    return make


def _set_in(building: Building, given: Arguments) -> Statement:
    x, allowed = given.atom(0), given.set(1)
    return building.table((x,), [(value,) for value in building.values(x) if value in allowed])


def _bool_clause(building: Building, given: Arguments) -> Statement:
    return building.clause(given.truths(0), given.truths(1))


def _all_different(building: Building, given: Arguments) -> Statement:
    atoms = given.atoms(0)
    return AllDifferent(building.variables(atoms)) if len(atoms) > 1 else True


def _table(building: Building, given: Arguments) -> Statement:
    atoms, numbers = given.atoms(0), given.numbers(1)
    width = len(atoms)
    if width == 0 or len(numbers) % width:
        building.refuse(f"{given.predicate}: {len(numbers)} numbers make no rows of {width}")
    return building.table(atoms, [numbers[at : at + width] for at in range(0, len(numbers), width)])


STATEMENTS: dict[str, MakeStatement] = {
    "int_eq": _compared(EQUAL),
    "int_ne": _compared(NOT_EQUAL),
    "int_le": _compared(AT_MOST),
    "int_lt": _compared(AT_MOST, 1),
    "bool_eq": _compared(EQUAL, of_truths=True),
    "bool_ne": _compared(NOT_EQUAL, of_truths=True),
    "bool_not": _compared(NOT_EQUAL, of_truths=True),
    "bool_le": _compared(AT_MOST, of_truths=True),
    "bool_lt": _compared(AT_MOST, 1, of_truths=True),
    "bool2int": _compared(EQUAL),
    "int_lin_eq": _weighted(EQUAL),
    "int_lin_ne": _weighted(NOT_EQUAL),
    "int_lin_le": _weighted(AT_MOST),
    "bool_lin_eq": _weighted(EQUAL, of_truths=True),
    "bool_lin_ne": _weighted(NOT_EQUAL, of_truths=True),
    "bool_lin_le": _weighted(AT_MOST, of_truths=True),
    "set_in": _set_in,
    "bool_clause": _bool_clause,
    "fzn_all_different_int": _all_different,
    "fzn_table_int": _table,
    "fzn_table_bool": _table,
}


def _made(make: MakeStatement, building: Building, given: Arguments) -> Statement:
    statement = make(building, given)
    given.check_used()
    return statement


def _with_truth(make: MakeStatement) -> Callable[[Building, Arguments], None]:
    def post(building: Building, given: Arguments) -> None:
        inner, truth = given.without_last()
        building.reify(_made(make, building, inner), truth)

    return post


def _with_condition(make: MakeStatement) -> Callable[[Building, Arguments], None]:
    def post(building: Building, given: Arguments) -> None:
        inner, condition = given.without_last()
        building.imply(condition, _made(make, building, inner))

    return post


def _plain(make: MakeStatement) -> Callable[[Building, Arguments], None]:
    def post(building: Building, given: Arguments) -> None:
        building.state(_made(make, building, given))

    return post


def statement_writers() -> dict[str, Callable[[Building, Arguments], None]]:
    """The writer for each predicate, and for its two forms with a truth value."""
    writers = {}
    for name, make in STATEMENTS.items():
        writers[name] = _plain(make)
        writers[f"{name}_reif"] = _with_truth(make)
        writers[f"{name}_imp"] = _with_condition(make)
    return writers
