"""Predicates of FlatZinc for the value of a function: sums, entries of arrays, truth values.

Division rounds towards zero, and the remainder has the sign of the dividend, as in MiniZinc. An undefined
value, such as a division by zero, makes the predicate false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import FALSE, TRUE, Building
from rekkyo.export.flatzinc.domains import Atom
from rekkyo.model.csp.constraints import EQUAL, LARGEST, Product

Write = Callable[[Building, Arguments], None]


def quotient(dividend: int, divisor: int) -> int | None:
    """The quotient, rounded towards zero."""
    if divisor == 0:
        return None
    size = abs(dividend) // abs(divisor)
    return size if (dividend < 0) == (divisor < 0) else -size


def remainder(dividend: int, divisor: int) -> int | None:
    """The remainder, with the sign of the dividend."""
    whole = quotient(dividend, divisor)
    return None if whole is None else dividend - divisor * whole


def power(base: int, exponent: int) -> int | None:
    """The power. A negative exponent divides 1, and a result beyond all domains is undefined."""
    if exponent < 0:
        to = power(base, -exponent)
        return 0 if to is None else quotient(1, to)
    if abs(base) > 1 and exponent > LARGEST.bit_length():
        return None
    return int(base**exponent)


def _function(
    value: Callable[..., int | None], n_arguments: int, building: Building, given: Arguments
) -> None:
    atoms = [given.atom(at) for at in range(n_arguments)]
    building.state(building.relation(atoms, given.atom(n_arguments), value))


def _int_plus(building: Building, given: Arguments) -> None:
    building.state(building.linear((1, 1, -1), [given.atom(at) for at in range(3)], EQUAL, 0))


def _int_times(building: Building, given: Arguments) -> None:
    factors, result = (given.atom(0), given.atom(1)), given.atom(2)
    for one, other in (factors, factors[::-1]):
        value = building.fixed(one)
        if value is not None:
            building.state(building.linear((value, -1), (other, result), EQUAL, 0))
            return
    building.check_rows(prod(len(building.values(factor)) for factor in set(factors)))
    building.add(Product(building.variables(factors), building.variable(result)))


def _greatest(building: Building, result: Atom, atoms: Sequence[Atom], sign: int) -> None:
    """The result is the greatest of the atoms; with sign -1 the least."""
    if not atoms:
        building.state(False)
        return
    for atom in atoms:
        building.state(building.at_most(*((atom, result) if sign > 0 else (result, atom))))
    if len(atoms) == 1:
        building.state(building.equal(atoms[0], result))
        return
    building.state(building.clause([building.truth(building.equal(atom, result)) for atom in atoms]))


def _extreme_of_two(sign: int, building: Building, given: Arguments) -> None:
    _greatest(building, given.atom(2), (given.atom(0), given.atom(1)), sign)


def _extreme_of_array(sign: int, building: Building, given: Arguments) -> None:
    _greatest(building, given.atom(0), given.atoms(1), sign)


def _element(building: Building, given: Arguments) -> None:
    """array[index] = result, counted from 1."""
    building.element(given.atom(0), given.atoms(1), given.atom(2), first=1)


def _element_from(building: Building, given: Arguments) -> None:
    """The index of the first entry, and then the arguments of `_element`."""
    building.element(given.atom(1), given.atoms(2), given.atom(3), first=given.number(0))


def _all_true(building: Building, atoms: Sequence[Atom], truth: Atom) -> None:
    """The truth value is 1 if and only if all atoms are."""
    for atom in atoms:
        building.state(building.clause((atom,), (truth,)))
    building.state(building.clause((truth,), atoms))


def _any_true(building: Building, atoms: Sequence[Atom], truth: Atom) -> None:
    """The truth value is 1 if and only if some atom is."""
    for atom in atoms:
        building.state(building.clause((truth,), (atom,)))
    building.state(building.clause(atoms, (truth,)))


def _if_all_true(building: Building, atoms: Sequence[Atom], condition: Atom) -> None:
    """If the condition is 1, all atoms are."""
    for atom in atoms:
        building.state(building.clause((atom,), (condition,)))


def _if_any_true(building: Building, atoms: Sequence[Atom], condition: Atom) -> None:
    """If the condition is 1, some atom is."""
    building.state(building.clause(atoms, (condition,)))


Connect = Callable[[Building, Sequence[Atom], Atom], None]


def _of_two(connect: Connect, building: Building, given: Arguments) -> None:
    connect(building, (given.truth(0), given.truth(1)), given.truth(2))


def _of_array(connect: Connect, building: Building, given: Arguments) -> None:
    connect(building, given.truths(0), given.truth(1))


def _differ(building: Building, atoms: Sequence[Atom], truth: Atom) -> None:
    """The truth value is 1 if and only if two atoms differ."""
    rows = [(a, b, a ^ b) for a in (FALSE, TRUE) for b in (FALSE, TRUE)]
    building.state(building.table((*atoms, truth), rows))


def _bool_xor(building: Building, given: Arguments) -> None:
    """As `_differ`; without a truth value the atoms differ."""
    truth = given.truth(2) if len(given) > 2 else TRUE
    _differ(building, (given.truth(0), given.truth(1)), truth)


def _bool_xor_imp(building: Building, given: Arguments) -> None:
    building.imply(given.truth(2), building.linear((1, 1), (given.truth(0), given.truth(1)), EQUAL, 1))


def _array_bool_xor(building: Building, given: Arguments) -> None:
    """An odd number of the atoms are 1: all but one of them are in pairs."""
    atoms = given.truths(0)
    pairs = building.hidden(range(len(atoms) // 2 + 1))
    building.state(building.linear((*(1 for _ in atoms), -2), (*atoms, pairs), EQUAL, 1))


FUNCTIONS: dict[str, Write] = {
    "int_plus": _int_plus,
    "int_times": _int_times,
    "int_div": partial(_function, quotient, 2),
    "int_mod": partial(_function, remainder, 2),
    "int_pow": partial(_function, power, 2),
    "int_abs": partial(_function, abs, 1),
    "int_max": partial(_extreme_of_two, 1),
    "int_min": partial(_extreme_of_two, -1),
    "array_int_maximum": partial(_extreme_of_array, 1),
    "array_int_minimum": partial(_extreme_of_array, -1),
    "array_int_element": _element,
    "array_bool_element": _element,
    "array_var_int_element": _element,
    "array_var_bool_element": _element,
    "rekkyo_element": _element_from,
    "bool_and": partial(_of_two, _all_true),
    "bool_and_reif": partial(_of_two, _all_true),
    "bool_and_imp": partial(_of_two, _if_all_true),
    "bool_or": partial(_of_two, _any_true),
    "bool_or_reif": partial(_of_two, _any_true),
    "bool_or_imp": partial(_of_two, _if_any_true),
    "bool_xor": _bool_xor,
    "bool_xor_reif": partial(_of_two, _differ),
    "bool_xor_imp": _bool_xor_imp,
    "array_bool_and": partial(_of_array, _all_true),
    "array_bool_and_imp": partial(_of_array, _if_all_true),
    "array_bool_or": partial(_of_array, _any_true),
    "array_bool_or_imp": partial(_of_array, _if_any_true),
    "array_bool_xor": _array_bool_xor,
}
