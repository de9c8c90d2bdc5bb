"""Variables of CPMpy with too many values: narrowed by sums that always hold, or replaced by sums.

CPMpy makes a hidden variable for one side of a comparison of two sums, and people declare a cost as a number
up to a million. Constraints are in CPMpy's flat normal form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rekkyo.export.flatzinc.domains import Domain, Unknown, Value
from rekkyo.export.flatzinc.narrowing import narrow
from rekkyo.export.xcsp3 import operators
from rekkyo.model.csp.constraints import EQUAL, NOT_EQUAL

RELATIONS = dict(zip(("==", "!=", "<=", "<", ">=", ">"), operators.RELATIONS.values(), strict=True))
"""As in XCSP3."""

SUMS = frozenset({"sum", "wsum", "sub", "-"})


def parts_of_sum(expression: Any) -> tuple[list[Any], list[Any]] | None:
    """The coefficients and the atoms of a sum or an atom; None of another expression."""
    if is_atom(expression):
        return [1], [expression]
    if expression.name not in SUMS:
        return None
    if expression.name == "wsum":
        return list(expression.args[0]), list(expression.args[1])
    atoms = list(expression.args)
    signs = {"sum": [1] * len(atoms), "-": [-1], "sub": [1, -1]}
    return signs[expression.name], atoms


def is_atom(expression: Any) -> bool:
    """Whether it is a number, a variable or its opposite."""
    name = getattr(expression, "name", None)
    return name is None or name == "boolval" or hasattr(expression, "_bv") or hasattr(expression, "lb")


def domains_of(variables: Iterable[Any], constraints: Sequence[Any]) -> dict[str, Domain]:
    """The values of variables, by name. What is too wide is narrowed by sums that always hold."""
    domains = {str(v.name): Domain(int(v.lb), int(v.ub)) for v in variables}
    number = {name: Unknown(at) for at, name in enumerate(domains)}
    posted = [found for c in constraints if (found := _posted(c, number)) is not None]
    narrow(list(domains.values()), posted)
    return domains


def _posted(constraint: Any, number: dict[str, Unknown]) -> tuple[str, tuple[Value, ...]] | None:
    """A comparison of sums as a predicate of FlatZinc."""
    name = getattr(constraint, "name", None)
    if name not in RELATIONS or RELATIONS[name][1] == NOT_EQUAL:
        return None
    sign, relation, less_by = RELATIONS[name]
    left, right = map(parts_of_sum, constraint.args)
    if left is None or right is None:
        return None
    weights, unknowns, constant = [], [], -less_by
    scales = [sign] * len(left[0]) + [-sign] * len(right[0])
    for scale, coefficient, atom in zip(scales, left[0] + right[0], left[1] + right[1], strict=True):
        if not hasattr(coefficient, "__index__"):
            return None  # it is refused later
        weight = scale * int(coefficient)
        if hasattr(atom, "_bv"):
            constant -= weight
            weights.append(-weight)
            unknowns.append(number[str(atom._bv.name)])
        elif hasattr(atom, "lb"):
            weights.append(weight)
            unknowns.append(number[str(atom.name)])
        elif hasattr(atom, "__index__"):
            constant -= weight * int(atom)
        else:
            return None
    return "int_lin_eq" if relation == EQUAL else "int_lin_le", (tuple(weights), tuple(unknowns), constant)


def sums_of(domains: dict[str, Domain], shown: Iterable[str], constraints: Iterable[Any]) -> dict[str, Any]:
    """For hidden variables that are too wide, the constraint `sum == variable`, if there is one.

    The sums name other such variables only if their own constraint comes before.
    """
    wide = {name for name, domain in domains.items() if domain.is_wide()}.difference(shown)
    found: dict[str, Any] = {}
    for constraint in constraints if wide else ():
        if getattr(constraint, "name", None) != "==":
            continue
        parts, name = parts_of_sum(constraint.args[0]), getattr(constraint.args[1], "name", None)
        if parts is not None and name in wide:
            inner = {str(getattr(atom, "name", "")) for atom in parts[1]}
            if wide.isdisjoint(inner.difference(found)):
                found.setdefault(str(name), constraint)
    return found
