"""Sets of rectangles that do not overlap, recognized in the constraints for each two of them.

MiniZinc states for two rectangles that one of them is left of, right of, above or below the other. For a set
of rectangles more follows: the sum of the heights on one column is at most the height of the region that they
can cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from rekkyo.engines.csp.propagating.parts import Stacked
from rekkyo.model.csp.constraints import AT_MOST, Clause, Constraint, Linear, Reified, Variable

MOST_PLACES = 1 << 10
"""Columns of a region, or rows, at most."""

IS_TRUE = ((1, True), (0, False))
"""Values and signs of literals that hold if a truth value is 1."""

Pair: TypeAlias = frozenset[Variable]


class Rectangles:
    """The variables that are the coordinates of rectangles.

    lengths: for a variable the length of its rectangle in that direction. pairs: for the variables of two
    rectangles that do not overlap, in one direction, those of the other direction.
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
        """Note two rectangles, if the gaps are their four gaps. At least one of the gaps holds."""
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
        """For each variable the one of the other direction, if only one is consistent with all pairs."""
        found: dict[Variable, set[Variable]] = {}
        for pair, other in self.pairs.items():
            for v in pair:
                found[v] = found.get(v, set(other)) & other
        return {v: next(iter(ways)) for v, ways in found.items() if len(ways) == 1 and v not in ways}


def stacks_of(domains: Sequence[set[int]], constraints: Sequence[Constraint]) -> Iterator[Stacked]:
    """For each set of rectangles of which no two overlap, the constraints of its columns and of its rows."""
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
    """The first place that one of the rectangles can cover, and the place after the last one."""
    return min(min(domains[v]) for v in variables), max(max(domains[v]) + lengths[v] for v in variables)


def _gaps(constraints: Sequence[Constraint]) -> Iterator[tuple[Variable, tuple[Variable, Variable, int]]]:
    """Variables that are 1 if and only if one variable plus a length is at most another one."""
    for constraint in constraints:
        if not isinstance(constraint, Reified) or not isinstance(constraint.constraint, Linear):
            continue
        inner = constraint.constraint
        if inner.relation == AT_MOST and sorted(inner.coefficients) == [-1, 1] and inner.constant < 0:
            before, after = inner.variables[:: inner.coefficients[0]]
            yield constraint.truth, (before, after, -inner.constant)
