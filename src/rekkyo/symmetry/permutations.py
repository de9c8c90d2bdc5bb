"""Permutations as tuples of images: one after another, renamed, and their cycles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from operator import eq

from rekkyo.symmetry.automorphisms import Permutation


def after(last: Permutation, first: Permutation) -> Permutation:
    """One permutation after another."""
    return tuple([last[image] for image in first])


def conjugate(permutation: Permutation, other: Permutation) -> Permutation:
    """The permutation after `other` renames all things."""
    renamed = [0] * len(permutation)
    for at, image in enumerate(permutation):
        renamed[other[at]] = other[image]
    return tuple(renamed)


def inverse(permutation: Permutation) -> Permutation:
    """The permutation that takes everything back."""
    back = [0] * len(permutation)
    for at, image in enumerate(permutation):
        back[image] = at
    return tuple(back)


def is_identity(permutation: Permutation) -> bool:
    """Whether it leaves everything where it is."""
    return all(map(eq, permutation, count()))


def cycles_of(permutation: Sequence[int]) -> list[list[int]]:
    """The cycles, each from its least thing on, in the order of these."""
    seen = [False] * len(permutation)
    found = []
    for first in range(len(permutation)):
        cycle = []
        at = first
        while not seen[at]:
            seen[at] = True
            cycle.append(at)
            at = permutation[at]
        if cycle:
            found.append(cycle)
    return found
