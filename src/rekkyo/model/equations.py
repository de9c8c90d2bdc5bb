"""Linear equations with whole coefficients, solved for one unknown after the other without fractions.

An equation is a list of whole numbers: one coefficient for each unknown, then the right side. The system is
kept reduced: every equation has one unknown, its pivot, that no other equation contains. Unknowns may become
*known*, and are then not chosen as pivots; an equation whose only unknown is its pivot determines the pivot.
Algorithm: Gauss and Jordan, rows divided by their greatest common divisor. Left out on purpose: large sparse
systems; a figure has at most 128 cells, and 1024 lines take two seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import TypeAlias

Equation: TypeAlias = list[int]
"""Coefficients of the unknowns, then the right side."""


class Equations:
    """A reduced system; equations are added and unknowns become known one at a time.

    contradiction: whether the equations imply 0 = a number that is not 0.
    """

    __slots__ = ("contradiction", "known", "n_unknowns", "pivots", "rows")

    def __init__(self, n_unknowns: int) -> None:
        self.n_unknowns = n_unknowns
        self.rows: list[Equation] = []
        self.pivots: list[int] = []
        self.known: set[int] = set()
        self.contradiction = False

    def copy(self) -> Equations:
        """An independent copy. Rows are replaced, never changed, so they can be shared."""
        other = Equations(self.n_unknowns)
        other.rows, other.pivots = list(self.rows), list(self.pivots)
        other.known, other.contradiction = set(self.known), self.contradiction
        return other

    def add(self, coefficients: Sequence[int], right: int, first: Iterable[int]) -> None:
        """Add an equation. first: unknowns in the order in which they may become pivots."""
        row = [*coefficients, right]
        for pivot, other in zip(self.pivots, self.rows, strict=True):
            row = _without(row, other, pivot)
        pivot = next((unknown for unknown in first if row[unknown]), -1)
        if pivot < 0:
            self.contradiction |= row[-1] != 0 and not any(row[:-1])
            return
        self._clear(pivot, row, at=-1)
        self.rows.append(_primitive(row, pivot))
        self.pivots.append(pivot)

    def make_known(self, unknown: int) -> None:
        """Mark the unknown as known; its equation, if it has one, gets another pivot."""
        self.known.add(unknown)
        if unknown not in self.pivots:
            return
        at = self.pivots.index(unknown)
        row = self.rows[at]
        pivot = next((u for u in range(self.n_unknowns) if row[u] and u not in self.known), -1)
        if pivot < 0:  # it was the only unknown left there
            del self.rows[at], self.pivots[at]
            return
        self._clear(pivot, row, at)
        self.rows[at], self.pivots[at] = _primitive(row, pivot), pivot

    def determined(self) -> list[tuple[int, Equation]]:
        """The unknowns that follow from the known ones, each with the equation that determines it."""
        return [
            (pivot, row)
            for pivot, row in zip(self.pivots, self.rows, strict=True)
            if all(u == pivot or not row[u] or u in self.known for u in range(self.n_unknowns))
        ]

    def _clear(self, pivot: int, row: Equation, at: int) -> None:
        """Eliminate the pivot from all equations except the one at `at`."""
        for number, other in enumerate(self.rows):
            if number != at and other[pivot]:
                self.rows[number] = _primitive(_without(other, row, pivot), self.pivots[number])


def _without(row: Equation, other: Equation, unknown: int) -> Equation:
    """The row minus the multiple of the other row that eliminates the unknown."""
    if not row[unknown]:
        return row
    a, b = other[unknown], row[unknown]
    return [a * x - b * y for x, y in zip(row, other, strict=True)]


def _primitive(row: Equation, pivot: int) -> Equation:
    """The row divided by its greatest common divisor, with a positive coefficient at the pivot."""
    divisor = gcd(*row)
    if row[pivot] < 0:
        divisor = -divisor
    return row if divisor == 1 else [x // divisor for x in row]
