"""A sparse matrix of whole numbers, and its determinant by several workers.

The determinant is computed modulo primes whose product is greater than Hadamard's bound by 31 bits or more:
if a remainder were wrong, the number that they make together would most likely be above the bound. Source: J.
Hadamard, "Résolution d'une question relative aux déterminants" (1893).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.bandwidth import cuthill_mckee
from rekkyo.engines.contract import Pause
from rekkyo.engines.crew import Crew
from rekkyo.engines.determinants.kernel import determinant
from rekkyo.engines.remainders import PRIME_BITS, greatest_primes, number_with
from rekkyo.errors import CountsDisagree

Entry: TypeAlias = tuple[int, int, int]
"""Row, column and value."""

Numbers: TypeAlias = NDArray[np.int64]


class Matrix(NamedTuple):
    """A square matrix.

    n: its rows. rows, columns, values : int64[n_entries], of the entries that are not 0. below, above: how
    far these are from the diagonal. bound: the absolute value of the determinant is at most that.
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

    @property
    def width(self) -> int:
        """The numbers in a row, with room for exchanges."""
        return 2 * self.below + self.above + 1

    @property
    def n_bytes(self) -> int:
        """The memory of one worker."""
        return 4 * self.n * self.width

    def determinant(self, pause: Pause, crew: Crew) -> tuple[int, int]:
        """The absolute value of the determinant, and the number of eliminated rows. Raises CountsDisagree."""
        primes = greatest_primes(self.bound.bit_length() + 1 + PRIME_BITS)
        remainders: list[int] = []
        while len(remainders) < len(primes):
            pause()
            some = primes[len(remainders) : len(remainders) + crew.n_workers]
            remainders += crew([partial(self._remainder, prime) for prime in some])
        found = number_with(remainders, primes)
        size = min(found, prod(primes) - found)
        if size > self.bound:
            raise CountsDisagree(f"a determinant is found to be {size}, but is at most {self.bound}")
        return size, self.n * len(primes)

    def _remainder(self, prime: int) -> int:
        band = np.zeros((self.n, self.width), dtype=np.uint32)
        band[self.rows, self.columns - self.rows + self.below] = (self.values % prime << 32) % prime
        constants = ((1 << 32) % prime, prime, -pow(prime, -1, 1 << 32) % (1 << 32))
        return int(determinant(band, self.below, *map(np.uint64, constants)))
