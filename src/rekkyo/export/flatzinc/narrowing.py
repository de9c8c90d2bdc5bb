"""Bounds for variables that have none, from constraints that always hold.

Algorithm: bounds propagation in rounds, only for variables that are too wide to be searched, because engines
propagate themselves. Excluded values are in no solution. Left out on purpose: consequences of reified
constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from types import UnionType

from rekkyo.export.flatzinc.domains import Atom, Domain, Unknown, Value, span
from rekkyo.export.flatzinc.lexer import MAX_DIGITS

MAX_ROUNDS = 64

FARTHEST = 10 ** (2 * MAX_DIGITS)
"""Bounds that are farther from 0 are not used: a chain of squares would double their digits at each step."""

SHORT: dict[str, tuple[tuple[int, ...], int, str]] = {
    "bool2int": ((1, -1), 0, "eq"),
    "int_eq": ((1, -1), 0, "eq"),
    "int_ne": ((1, -1), 0, "ne"),
    "int_le": ((1, -1), 0, "le"),
    "int_lt": ((1, -1), -1, "le"),
    "int_plus": ((1, 1, -1), 0, "eq"),
}
"""Sums of their arguments: the coefficients, the number that the sum is compared with, and how."""

Bound = int | None


def narrow(domains: Sequence[Domain], posted: Sequence[tuple[str, Sequence[Value]]]) -> None:
    """Narrow the domains that are too wide, by the posted predicates."""
    wide = {number for number, domain in enumerate(domains) if domain.is_wide()}
    if not wide:
        return
    rules = [
        (RULES[name][1], values)
        for name, values in posted
        if name in RULES and _fit(values, RULES[name][0]) and not wide.isdisjoint(numbers_of(values))
    ]
    narrowing = _Narrowing(domains)
    for _ in range(MAX_ROUNDS):
        narrowing.changed = False
        for rule, values in rules:
            rule(narrowing, values)
        if not narrowing.changed:
            return


def _fit(values: Sequence[Value], types: Sequence[type | UnionType]) -> bool:
    """Whether a rule can take these arguments; others are refused where the predicate is read."""
    return len(values) == len(types) and all(map(isinstance, values, types))


def numbers_of(values: Sequence[Value]) -> list[int]:
    """The variables in the arguments of a predicate, and in arrays among them."""
    inner = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return [part.number for part in inner if isinstance(part, Unknown)]


class _Narrowing:
    """Bounds of atoms. changed: whether any bound became tighter."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self._domains = domains
        self.changed = False

    def low(self, atom: Atom) -> Bound:
        return atom if isinstance(atom, int) else self._domains[atom.number].low

    def high(self, atom: Atom) -> Bound:
        return atom if isinstance(atom, int) else self._domains[atom.number].high

    def ends(self, *atoms: Atom) -> list[tuple[int, int]] | None:
        """Both bounds of each; None if one has none."""
        found = []
        for atom in atoms:
            low, high = self.low(atom), self.high(atom)
            if low is None or high is None:
                return None
            found.append((low, high))
        return found

    def limit(self, atom: Atom, low: Bound, high: Bound) -> None:
        if isinstance(atom, Unknown) and self._domains[atom.number].is_wide():
            low, high = (None if bound is None or abs(bound) > FARTHEST else bound for bound in (low, high))
            self.changed |= self._domains[atom.number].narrow(low, high)

    def at_most(self, coefficients: Sequence[int], atoms: Sequence[Atom], constant: int) -> None:
        """Tighten the bound of each atom, if the weighted sum is at most a constant."""
        terms = [(c, atom) for c, atom in zip(coefficients, atoms, strict=True) if c]
        least = [self._least(c, atom) for c, atom in terms]
        n_open = least.count(None)
        total = sum(term for term in least if term is not None)
        for (c, atom), term in zip(terms, least, strict=True):
            if n_open == (term is None):
                most = constant - (total - (term or 0))
                self.limit(atom, *((None, most // c) if c > 0 else (-(most // -c), None)))

    def _least(self, coefficient: int, atom: Atom) -> Bound:
        bound = self.low(atom) if coefficient > 0 else self.high(atom)
        return None if bound is None else coefficient * bound


Rule = Callable[[_Narrowing, Sequence[Value]], None]


def _atoms(value: Value) -> tuple[Atom, ...]:
    """The numbers and variables of an array, or a single one."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(part for part in parts if isinstance(part, int | Unknown))


def _all_atoms(values: Sequence[Value]) -> list[Atom]:
    return [atom for value in values for atom in _atoms(value)]


def _linear(bounds: _Narrowing, values: Sequence[Value], *, is_equal: bool) -> None:
    weights = tuple(c for c in _atoms(values[0]) if isinstance(c, int))
    _fixed_terms((*weights, -1), 0, bounds, values[1:], is_equal=is_equal)


def _fixed_terms(
    coefficients: tuple[int, ...],
    constant: int,
    bounds: _Narrowing,
    values: Sequence[Value],
    *,
    is_equal: bool,
) -> None:
    atoms = _all_atoms(values)
    if len(atoms) == len(coefficients):
        bounds.at_most(coefficients, atoms, constant)
        if is_equal:
            bounds.at_most([-c for c in coefficients], atoms, -constant)


def _of_ends(bound: Callable[..., list[int]], bounds: _Narrowing, values: Sequence[Value]) -> None:
    """The last argument is a function of the others. bound: numbers that bound it, for the ends of these."""
    *arguments, result = _all_atoms(values)
    ends = bounds.ends(*arguments)
    if ends is not None:
        bounds.limit(result, *span(number for corner in product(*ends) for number in bound(*corner)))


def _extreme(result_at: int, bounds: _Narrowing, values: Sequence[Value], *, greatest: bool) -> None:
    atoms = _all_atoms(values)
    result = atoms.pop(result_at)
    ends = bounds.ends(*atoms)
    if ends:
        choose = max if greatest else min
        bounds.limit(result, choose(low for low, _ in ends), choose(high for _, high in ends))
    for atom in atoms:
        bounds.limit(atom, *((None, bounds.high(result)) if greatest else (bounds.low(result), None)))


def _element(bounds: _Narrowing, values: Sequence[Value]) -> None:
    index, array, result = (_atoms(value) for value in values)
    bounds.limit(index[0], 1, len(array))
    ends = bounds.ends(*array)
    if ends:
        bounds.limit(result[0], min(low for low, _ in ends), max(high for _, high in ends))


def _set_in(bounds: _Narrowing, values: Sequence[Value]) -> None:
    assert isinstance(values[1], range | frozenset)
    allowed = Domain.of(values[1])
    for atom in _atoms(values[0]):
        bounds.limit(atom, allowed.low, allowed.high)


def _counted(bounds: _Narrowing, values: Sequence[Value]) -> None:
    for atom in _atoms(values[2]):
        bounds.limit(atom, 0, len(_atoms(values[0])))


TWO, THREE = (Atom,) * 2, (Atom,) * 3
TERMS, GREATEST, ENTRY = (tuple, tuple, Atom), (Atom, tuple), (Atom, tuple, Atom)

RULES: dict[str, tuple[tuple[type | UnionType, ...], Rule]] = {
    **{
        name: ((Atom,) * len(terms), partial(_fixed_terms, terms, constant, is_equal=relation == "eq"))
        for name, (terms, constant, relation) in SHORT.items()
        if relation != "ne"
    },
    "int_lin_eq": (TERMS, partial(_linear, is_equal=True)),
    "int_lin_le": (TERMS, partial(_linear, is_equal=False)),
    "bool_lin_eq": (TERMS, partial(_linear, is_equal=True)),
    "int_times": (THREE, partial(_of_ends, lambda one, other: [one * other])),
    "int_abs": (TWO, partial(_of_ends, lambda number: [0, abs(number)])),
    "int_div": (THREE, partial(_of_ends, lambda dividend, _divisor: [-abs(dividend), abs(dividend)])),
    "int_mod": (THREE, partial(_of_ends, lambda _dividend, divisor: [-abs(divisor), abs(divisor)])),
    "int_max": (THREE, partial(_extreme, 2, greatest=True)),
    "int_min": (THREE, partial(_extreme, 2, greatest=False)),
    "array_int_maximum": (GREATEST, partial(_extreme, 0, greatest=True)),
    "array_int_minimum": (GREATEST, partial(_extreme, 0, greatest=False)),
    "array_int_element": (ENTRY, _element),
    "array_var_int_element": (ENTRY, _element),
    "set_in": ((Atom, range | frozenset), _set_in),
    "fzn_count_eq": ((tuple, Atom, Atom), _counted),
}
"""For each predicate the types of its arguments, and the rule."""
