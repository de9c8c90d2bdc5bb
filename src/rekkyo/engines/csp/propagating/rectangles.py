"""Rectangles that keep apart, found again in what a model says of each two of them.

MiniZinc writes down for two rectangles that one is left of the other, or the other way round, or above, or
below. Together they say more: what lies on one column is at most as high as all that they can span.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from rekkyo.engines.csp.propagating.parts import Stacked
from rekkyo.model.csp.constraints import AT_MOST, Clause, Constraint, Linear, Reified, Variable

MOST_PLACES = 1 << 10
"""Places on which rectangles lie side by side."""

IS_TRUE = ((1, True), (0, False))
"""Values and signs of literals that say that a truth value is true."""

Pair: TypeAlias = frozenset[Variable]


class Rectangles:
    """Which variables are the sides of which rectangles.

    lengths: for a variable how far its rectangle reaches from its value on. pairs: two variables, and the two
    of the other direction, of rectangles that keep apart.
    """

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        self.lengths: dict[Variable, int] = {}
        self.pairs: dict[Pair, Pair] = {}
        gaps = dict(_gaps(constraints))
        for constraint in constraints if gaps else ():
            if isinstance(constraint, Clause) and len(constraint.literals) == 4:
                truths = [v for v, value, sign in constraint.literals if (value, sign) in IS_TRUE]
                self._read([gaps[v] for v in truths if v in gaps])

    def _read(self, gaps: Sequence[tuple[Variable, Variable, int]]) -> None:
        """Four gaps of which there is one, if they are those of two rectangles."""
        ways = {(before, after): length for before, after, length in gaps}
        directions = {frozenset(way) for way in ways}
        if (
            len(ways) != 4
            or len(directions) != 2
            or any((after, before) not in ways for before, after in ways)
        ):
            return
        if any(self.lengths.setdefault(before, length) != length for (before, _), length in ways.items()):
            return
        one, other = directions
        self.pairs[one], self.pairs[other] = other, one

    def partners(self) -> dict[Variable, Variable]:
        """For a variable the one of the other direction, where no other one will do."""
        found: dict[Variable, set[Variable]] = {}
        for pair, other in self.pairs.items():
            for v in pair:
                found[v] = found.get(v, set(other)) & other
        return {v: next(iter(ways)) for v, ways in found.items() if len(ways) == 1 and v not in ways}


def stacks_of(domains: Sequence[set[int]], constraints: Sequence[Constraint]) -> Iterator[Stacked]:
    """For rectangles of which each two keep apart what may lie on a column, and on a row."""
    rectangles = Rectangles(constraints)
    partners, lengths = rectangles.partners(), rectangles.lengths

    def keep_apart(one: Variable, other: Variable) -> bool:
        beside = frozenset((partners[one], partners[other]))
        return rectangles.pairs.get(frozenset((one, other))) == beside

    left = [v for v, other in partners.items() if partners.get(other) == v and domains[v] and domains[other]]
    while left:
        side: list[Variable] = []
        for v in left:
            if all(keep_apart(v, other) for other in side):
                side.append(v)
        beside = [partners[v] for v in side]
        left = [v for v in left if v not in side and v not in beside]
        for ones, others in ((side, beside), (beside, side)):
            first, stop = _reach(domains, lengths, ones)
            low, high = _reach(domains, lengths, others)
            area = sum(lengths[v] * lengths[partners[v]] for v in ones)
            if len(ones) > 2 and stop - first <= MOST_PLACES:
                is_full = area == (stop - first) * (high - low)
                widths, heights = (tuple(lengths[v] for v in those) for those in (ones, others))
                yield Stacked(tuple(ones), widths, heights, high - low, first, stop, is_full)


def _reach(
    domains: Sequence[set[int]], lengths: Mapping[Variable, int], variables: Sequence[Variable]
) -> tuple[int, int]:
    """The first place on which one of the variables may lie, and that behind the last."""
    return min(min(domains[v]) for v in variables), max(max(domains[v]) + lengths[v] for v in variables)


def _gaps(constraints: Sequence[Constraint]) -> Iterator[tuple[Variable, tuple[Variable, Variable, int]]]:
    """Truth values that say that one variable plus a length is not greater than another one."""
    for constraint in constraints:
        if not isinstance(constraint, Reified) or not isinstance(constraint.constraint, Linear):
            continue
        inner = constraint.constraint
        if inner.relation == AT_MOST and sorted(inner.coefficients) == [-1, 1] and inner.constant < 0:
            before, after = inner.variables[:: inner.coefficients[0]]
            yield constraint.truth, (before, after, -inner.constant)
