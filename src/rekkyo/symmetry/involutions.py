"""Elements of order two of a permutation group: those among powers of generators, and their conjugates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice
from typing import TypeAlias

Permutation: TypeAlias = tuple[int, ...]

MOST_POWERS = 64
"""Generators of a greater order are left out."""


def involutions(generators: Sequence[Permutation], most: int) -> Iterator[Permutation]:
    """At most so many elements of order two, those that move the fewest things first."""
    todo: list[tuple[int, Permutation]] = []
    seen: set[Permutation] = set()

    def add(involution: Permutation) -> None:
        if involution not in seen:
            seen.add(involution)
            heappush(todo, (sum(at != image for at, image in enumerate(involution)), involution))

    for generator in generators:
        powers = list(islice(_powers(generator), MOST_POWERS))
        if len(powers) % 2 == 0 and is_identity(powers[-1]):
            add(powers[len(powers) // 2 - 1])
    n_found = 0
    while todo and n_found < most:
        _, involution = heappop(todo)
        n_found += 1
        yield involution
        for generator in generators:
            add(conjugate(involution, generator))


def after(second: Permutation, first: Permutation) -> Permutation:
    """One permutation after another."""
    return tuple(second[image] for image in first)


def conjugate(permutation: Permutation, other: Permutation) -> Permutation:
    """What the permutation becomes when `other` renames all things."""
    renamed = [0] * len(permutation)
    for at, image in enumerate(permutation):
        renamed[other[at]] = other[image]
    return tuple(renamed)


def is_identity(permutation: Permutation) -> bool:
    """Whether it leaves everything where it is."""
    return all(at == image for at, image in enumerate(permutation))


def _powers(permutation: Permutation) -> Iterator[Permutation]:
    """The permutation, its square, and so on; the identity comes last."""
    power = permutation
    yield power
    while not is_identity(power):
        power = after(permutation, power)
        yield power
