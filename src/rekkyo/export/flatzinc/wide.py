"""Variables with too many values for a search that are sums and products of others: they are multiplied out.

The product of two numbers of three digits has more values than a variable may have. But it is hidden, and is
only compared with sums, so that it need not be a variable: (10 a + b)(10 c + d) is 100 ac + 10 ad + 10 bc +
bd, and each of these products has few values.

    wide variable     hidden, with one constraint that makes it a sum or product of others, its *definition*;
                      every other constraint on it is a comparison of sums, or a product
    product           of narrow variables. If it has too many values, or its factors have too many pairs of
                      values for a table, factors that are sums of lesser variables are replaced by these sums

If a wide variable is left, nothing is changed, and the reader refuses it by its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import product
from math import prod
from typing import Any, NamedTuple

from rekkyo.export.flatzinc.aliases import Placed
from rekkyo.export.flatzinc.domains import Atom, Domain, Unknown, Value
from rekkyo.export.flatzinc.lexer import Place
from rekkyo.export.flatzinc.narrowing import SHORT, numbers_of
from rekkyo.export.polynomial import Monomial, Polynomial, is_too_long, product_of
from rekkyo.model.csp.csp import MAX_SPAN

SUMS = {"int_lin_eq": "eq", "int_lin_le": "le", "int_lin_ne": "ne"}
PRODUCT = "int_times"

SUFFIXES = ("_reif", "_imp")

MAX_PAIRS = 1 << 16
"""The most combinations of values of the factors of a product."""


class _Wide(Exception):
    """Raised where a variable with too many values remains."""


class _Sum(NamedTuple):
    """A polynomial that is compared with 0. suffix, rest: of a comparison whose truth is a variable."""

    relation: str
    polynomial: Polynomial
    suffix: str = ""
    rest: tuple[Value, ...] = ()

    @property
    def is_equation(self) -> bool:
        """Whether it must be 0."""
        return self.relation == "eq" and not self.suffix


def without_wide(domains: list[Domain], kept: Set[int], posted: Sequence[Placed]) -> list[Placed]:
    """The constraints without variables that have too many values. kept: variables that cannot be replaced.

    Variables for products are appended to the domains; those that are replaced have the value 0 from now on.
    """
    wide = {v for v, domain in enumerate(domains) if domain.is_wide()}
    is_left = wide & kept or any(domains[v].members is not None for v in wide)
    if is_left or not (wide or any(_is_heavy(domains, one) for one in posted)):
        return list(posted)
    n_before = len(domains)
    try:
        found = list(_MultipliedOut(domains, wide, posted).posted())
    except _Wide:
        del domains[n_before:]
        return list(posted)
    for v in wide:
        domains[v] = Domain(0, 0)
    return found


class _MultipliedOut:
    """The constraints in terms of narrow variables. Raises _Wide where that is not possible."""

    def __init__(self, domains: list[Domain], wide: Set[int], posted: Sequence[Placed]) -> None:
        self._domains, self._wide, self._posted = domains, wide, posted
        self._sums = {number: found for number, one in enumerate(posted) if (found := _sum_of(one))}
        self._products: dict[Monomial, int] = {}
        self._defined: dict[int, Polynomial] = {}
        self._defining: dict[int, int] = {}
        self._define_wide()
        self._narrow_sums = dict(self._sums_of_lesser())

    def _define_wide(self) -> None:
        """Find a definition of each wide variable by others that are defined before it."""
        equations = {
            number: found.polynomial
            for number, found in self._sums.items()
            if found.is_equation and any(v in self._wide for cells in found.polynomial for v in cells)
        }
        while self._wide - self._defined.keys():
            n_defined = len(self._defined)
            for number, polynomial in equations.items():
                if number not in self._defining:
                    self._define(number, polynomial)
            if len(self._defined) == n_defined:
                raise _Wide

    def _define(self, number: int, polynomial: Polynomial) -> None:
        new = {v for cells in polynomial for v in cells} & (self._wide - self._defined.keys())
        if len(new) != 1:
            return
        v = new.pop()
        sign = polynomial[v,]
        if abs(sign) == 1 and not any(v in cells for cells in polynomial if cells != (v,)):
            rest = Counter({cells: -sign * factor for cells, factor in polynomial.items() if cells != (v,)})
            self._defined[v] = self._replaced(rest, self._defined)
            self._defining[number] = v

    def _sums_of_lesser(self) -> Iterator[tuple[int, Polynomial]]:
        """Variables that are sums of variables with fewer values."""
        for found in self._sums.values():
            if found.is_equation and all(len(cells) <= 1 for cells in found.polynomial):
                variables = [v for cells in found.polynomial for v in cells]
                if self._wide.isdisjoint(variables) and len(variables) > 1:
                    *lesser, v = sorted(variables, key=self._size)
                    sign = found.polynomial[v,]
                    if abs(sign) == 1 and self._size(lesser[-1]) < self._size(v):
                        rest = {c: -sign * times for c, times in found.polynomial.items() if c != (v,)}
                        yield v, Counter(rest)

    def _size(self, v: int) -> int:
        low, high = _ends(self._domains[v])
        return high - low

    def posted(self) -> Iterator[Placed]:
        """All constraints; for a definition, the bounds of what it defines."""
        for number, one in enumerate(self._posted):
            at, _, values = one
            if number in self._defining:
                yield from self._bounded(at, self._defining[number])
            elif not self._wide.isdisjoint(numbers_of(values)):
                if number not in self._sums:
                    raise _Wide
                yield from self._written(at, self._sums[number])
            elif _is_heavy(self._domains, one):
                try:
                    yield from self._written(at, self._sums[number])
                except _Wide:
                    yield one
            else:
                yield one

    def _bounded(self, at: Place, v: int) -> Iterator[Placed]:
        for sign, bound in ((1, self._domains[v].high), (-1, self._domains[v].low)):
            if bound is not None:
                polynomial = Counter({cells: sign * n for cells, n in self._defined[v].items()})
                polynomial[()] -= sign * bound
                yield from self._written(at, _Sum("le", polynomial))

    def _written(self, at: Place, found: _Sum) -> Iterator[Placed]:
        """A comparison of a sum of narrow variables, after the products in it."""
        narrow = self._narrowed(self._replaced(found.polynomial, self._defined))
        if found.relation == "le" and not found.suffix and self._greatest(narrow) <= 0:
            return
        constant = -narrow.pop((), 0)
        terms = {cells: factor for cells, factor in narrow.items() if factor}
        atoms: list[Value] = []
        for cells in terms:
            yield from self._multiplied(at, cells)
            atoms.append(Unknown(self._variable(cells)))
        values = (tuple(terms.values()), tuple(atoms), constant, *found.rest)
        yield at, f"int_lin_{found.relation}{found.suffix}", values

    def _replaced(self, polynomial: Polynomial, by: dict[int, Polynomial]) -> Polynomial:
        """The polynomial with others in the place of variables."""
        found: Polynomial = Counter()
        for cells, factor in polynomial.items():
            term: Polynomial = Counter({tuple(v for v in cells if v not in by): factor})
            for v in cells:
                if v in by:
                    if is_too_long(term, by[v]):
                        raise _Wide
                    term = product_of(term, by[v])
            found.update(term)
        return found

    def _narrowed(self, polynomial: Polynomial) -> Polynomial:
        """The same, in which no product has too many values."""
        while any(wide := [cells for cells, n in polynomial.items() if n and self._is_wide(cells)]):
            sums = self._narrow_sums.keys() & {v for cells in wide for v in cells}
            if not sums:
                raise _Wide
            polynomial = self._replaced(polynomial, {v: self._narrow_sums[v] for v in sums})
        return polynomial

    def _is_wide(self, cells: Monomial) -> bool:
        low, high = self._span(cells)
        return high - low >= MAX_SPAN or _n_rows(self._domains, cells) > MAX_PAIRS

    def _span(self, cells: Monomial) -> tuple[int, int]:
        if len(cells) > MAX_SPAN.bit_length():
            raise _Wide
        corners = [prod(corner) for corner in product(*(_ends(self._domains[v]) for v in cells))]
        return min(corners), max(corners)

    def _greatest(self, polynomial: Polynomial) -> int:
        return sum(max(factor * end for end in self._span(cells)) for cells, factor in polynomial.items())

    def _variable(self, cells: Monomial) -> int:
        return cells[0] if len(cells) == 1 else self._products[cells]

    def _multiplied(self, at: Place, cells: Monomial) -> Iterator[Placed]:
        """Constraints for a product that is needed for the first time."""
        if len(cells) > 1 and cells not in self._products:
            yield from self._multiplied(at, cells[:-1])
            self._domains.append(Domain(*self._span(cells)))
            self._products[cells] = len(self._domains) - 1
            factors = Unknown(self._variable(cells[:-1])), Unknown(cells[-1])
            yield at, PRODUCT, (*factors, Unknown(self._products[cells]))


def _is_heavy(domains: Sequence[Domain], one: Placed) -> bool:
    """Whether a constraint is a product of narrow variables with too many pairs of values."""
    _, predicate, values = one
    if predicate != PRODUCT or len(values) != 3 or not _are_atoms(values):
        return False
    factors = [value.number for value in values[:2] if isinstance(value, Unknown)]
    are_narrow = len(factors) == 2 and not any(domains[v].is_wide() for v in factors)
    return are_narrow and _n_rows(domains, factors) > MAX_PAIRS


def _n_rows(domains: Sequence[Domain], factors: Iterable[int]) -> int:
    """The number of combinations of values between the bounds of narrow variables."""
    return prod(high - low + 1 for low, high in (_ends(domains[v]) for v in set(factors)))


def _ends(domain: Domain) -> tuple[int, int]:
    """The bounds of a narrow domain."""
    assert domain.low is not None
    assert domain.high is not None
    return domain.low, domain.high


def _sum_of(one: Placed) -> _Sum | None:
    """A constraint as a comparison of a sum with 0; None if it is another one."""
    _, predicate, values = one
    if predicate == PRODUCT and len(values) == 3 and _are_atoms(values):
        factors, result = values[:2], values[2]
        polynomial = product_of(*map(_term, factors))
        polynomial.subtract(_term(result))
        return _Sum("eq", polynomial)
    suffix = next((suffix for suffix in SUFFIXES if predicate.endswith(suffix)), "")
    base = predicate.removesuffix(suffix)
    given: Sequence[Any] = values
    if base in SHORT:
        coefficients, less, relation = SHORT[base]
        given = coefficients, values[: len(coefficients)], less, *values[len(coefficients) :]
    elif base in SUMS:
        relation = SUMS[base]
    else:
        return None
    if len(given) != 3 + bool(suffix) or not _is_sum(given):
        return None
    polynomial = Counter({(): -given[2]})
    for number, atom in zip(given[0], given[1], strict=True):
        polynomial.update({cells: number * factor for cells, factor in _term(atom).items()})
    return _Sum(relation, polynomial, suffix, tuple(given[3:]))


def _is_sum(values: Sequence[Value]) -> bool:
    """Whether these are as many coefficients as atoms, and a number."""
    coefficients, atoms, constant = values[:3]
    if not (isinstance(coefficients, tuple) and isinstance(atoms, tuple) and isinstance(constant, int)):
        return False
    are_numbers = all(isinstance(number, int) for number in coefficients)
    return are_numbers and _are_atoms(atoms) and len(coefficients) == len(atoms)


def _term(atom: Any) -> Polynomial:
    """A number or a variable."""
    return Counter({(): atom} if isinstance(atom, int) else {(atom.number,): 1})


def _are_atoms(values: Sequence[Value]) -> bool:
    return all(isinstance(value, Atom) for value in values)
