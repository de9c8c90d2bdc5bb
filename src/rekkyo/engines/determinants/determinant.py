"""The determinant of a matrix of whole numbers by several workers, and the elimination that it takes.

The determinant is computed modulo primes whose product is greater than Hadamard's bound by 31 bits or more:
if a remainder were wrong, the number that they make together would most likely be above the bound. Source: J.
Hadamard, "Résolution d'une question relative aux déterminants" (1893).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import Protocol

from rekkyo.engines.contract import Pause
from rekkyo.engines.crew import Crew
from rekkyo.engines.determinants.banded import Banded
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.determinants.sparse import recorded
from rekkyo.engines.remainders import PRIME_BITS, greatest_primes, number_with
from rekkyo.errors import CountsDisagree

LIKELY_TARGETS = 10
"""A sparse elimination has about n^1.5 times as many targets for boards and triangulations, and far fewer for
graphs that are nearly trees."""

MOST_TARGETS = 1 << 25
"""The recorded numbers of the targets take 128 MB then."""

NS_OF_BAND, NS_OF_RECORDING, NS_OF_REPEATING = 0.45, 500, 1
"""Nanoseconds for a number of the band and a prime, for recording a target, and for a target and a prime."""


class Elimination(Protocol):
    """A way to find a determinant modulo primes."""

    @property
    def n_bytes(self) -> int:
        """The memory of one worker."""

    @property
    def primes_at_once(self) -> int:
        """The most primes of one call."""

    def remainders(self, primes: Sequence[int]) -> list[int] | None:
        """The determinant modulo each prime, with the same sign for all primes; None if it is not found."""


def eliminations(matrix: Matrix, pause: Pause) -> Iterator[Elimination]:
    """The sparse elimination, if it is expected to take half of the time or less, and then that of a band."""
    n_primes = len(_primes_for(matrix))
    of_band = NS_OF_BAND * n_primes * matrix.n * (matrix.below + 1) * (matrix.below + matrix.above + 1)
    most_targets = of_band / 2 / (NS_OF_RECORDING + n_primes * NS_OF_REPEATING)
    if LIKELY_TARGETS * matrix.n**1.5 <= most_targets:
        sparse = recorded(matrix, min(most_targets, MOST_TARGETS), pause)
        if sparse is not None:
            yield sparse
    yield Banded(matrix)


def determinant_by(
    elimination: Elimination, matrix: Matrix, pause: Pause, crew: Crew
) -> tuple[int, int] | None:
    """The absolute value of the determinant, and the number of eliminated rows; None if it is not found.

    Raises CountsDisagree.
    """
    primes = _primes_for(matrix)
    of_worker, remainders = elimination.primes_at_once, list[int]()
    while len(remainders) < len(primes):
        pause()
        stop = min(len(remainders) + crew.n_workers * of_worker, len(primes))
        firsts = range(len(remainders), stop, of_worker)
        found = crew([partial(elimination.remainders, primes[i : i + of_worker]) for i in firsts])
        for some in found:
            if some is None:
                return None
            remainders += some
    number = number_with(remainders, primes)
    size = min(number, prod(primes) - number)
    if size > matrix.bound:
        raise CountsDisagree(f"a determinant is found to be {size}, but is at most {matrix.bound}")
    return size, matrix.n * len(primes)


def _primes_for(matrix: Matrix) -> tuple[int, ...]:
    return greatest_primes(matrix.bound.bit_length() + 1 + PRIME_BITS)
