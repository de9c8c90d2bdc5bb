"""A sparse matrix of whole numbers, with rows and columns ordered so that these are near the diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.bandwidth import cuthill_mckee

Entry: TypeAlias = tuple[int, int, int]
"""Row, column and value."""

Numbers: TypeAlias = NDArray[np.int64]


class Matrix(NamedTuple):
    """A square matrix.

    n: its rows. rows, columns, values : int64[n_entries], of the entries that are not 0. below, above: how
    far these are from the diagonal. bound: the absolute value of the determinant is at most that: Hadamard's.
    """

    n: int
    rows: Numbers
    columns: Numbers
    values: Numbers
    below: int
    above: int
    bound: int

    @classmethod
    def of(cls, rows: Sequence[int], columns: Sequence[int], entries: Sequence[Entry]) -> Matrix:
        """A matrix with named rows and as many named columns, each in the same order of the names.

        entries: no two at one place. Of two orders the one in which elimination takes fewer steps is chosen.
        """
        squares = dict.fromkeys(rows, 0)
        beside: list[set[int]] = [set() for _ in range(max([*rows, *columns], default=-1) + 1)]
        for row, column, value in entries:
            squares[row] += value**2
            beside[row].add(column)
            beside[column].add(row)
        named = np.array(entries, dtype=np.int64).reshape(-1, 3).T
        bound = isqrt(prod(squares.values()))
        names = range(len(beside))
        orders = (names, cuthill_mckee(beside, names))
        ordered = (cls._ordered(rows, columns, named, bound, order) for order in orders)
        return min(ordered, key=lambda matrix: (matrix.below + 1) * (matrix.below + matrix.above + 1))

    @classmethod
    def _ordered(
        cls, rows: Sequence[int], columns: Sequence[int], named: Numbers, bound: int, order: Sequence[int]
    ) -> Matrix:
        places = []
        for names in (rows, columns):
            kept, place = set(names), np.zeros(len(order), dtype=np.int64)
            place[[name for name in order if name in kept]] = np.arange(len(names))
            places.append(place)
        row, column = places[0][named[0]], places[1][named[1]]
        below, above = (row - column).max(initial=0), (column - row).max(initial=0)
        return cls(len(rows), row, column, named[2], int(below), int(above), bound)

    @classmethod
    def zero(cls) -> Matrix:
        """A matrix with the determinant 0."""
        return cls.of([0], [0], [])
