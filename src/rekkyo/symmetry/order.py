"""A lower bound of the order of a permutation group, in milliseconds, without listing its elements.

Algorithm: random elements are sifted through a chain of stabilizers (Schreier and Sims). Each level holds a
point and permutations that fix the points of the levels before it. The product of the sizes of the points'
orbits is at most the order of the group, and mostly equal to it.
Source: Seress, Permutation Group Algorithms (2003), section 4.3. Left out on purpose: the proof that the
chain is complete, because a lower bound is enough to refuse a group that is too large to list.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Element: TypeAlias = NDArray[np.uint32]
"""uint32[n_points]: the image of each point."""

N_SIFTED_THROUGH = 20
"""The last random elements, which all sift through. Each one that does not at least doubles the bound. 60 in
total gave a quarter of the order for the regular tournaments of seven players, and too little for most groups
of all exchanges of rows, columns and symbols of Latin squares of order 6 or more.
"""

MOST_RESIDUES = 192
"""The most random elements that do not sift through, enough for an order of 2^192. All 200! exchanges of 200
things, whose classes no search could use, take 0.35 s of CPU time, and would take 0.66 without this limit.
"""

N_MIXED, N_ROUNDS = 10, 5
"""The least number of elements that are multiplied with each other at random, and how often each before they
are random enough to end."""


def order_at_least(generators: Sequence[Element]) -> int:
    """A lower bound of the order of the group, deterministic. generators: one or more."""
    draw = random.Random(0)
    chain: list[_Level] = []
    for generator in generators:
        _sift(chain, generator)
    mixed = [generators[k % len(generators)] for k in range(max(N_MIXED, len(generators)))]
    product = mixed[0]
    n_left, n_residues = N_ROUNDS * len(mixed) + N_SIFTED_THROUGH, 0
    while n_left and n_residues < MOST_RESIDUES:
        one, other = draw.sample(range(len(mixed)), 2)
        mixed[one] = mixed[other][mixed[one]]
        product = mixed[one][product]
        is_through = _sift(chain, product)
        n_residues += not is_through
        n_left = n_left - 1 if is_through else max(n_left - 1, N_SIFTED_THROUGH)
    bound = 1
    for level in chain:
        bound *= len(level.to_point)
    return bound


class _Level:
    """A point, permutations that keep the points of earlier levels, and one for each point of its orbit.

    to_point: takes each point of the orbit back to the level's own. in_orbit: bool[n_points].
    """

    def __init__(self, point: int, n_points: int) -> None:
        self.point = point
        self.generators: list[Element] = []
        self.to_point: dict[int, Element] = {point: np.arange(n_points, dtype=np.uint32)}
        self.in_orbit = np.zeros(n_points, dtype=np.bool_)
        self.in_orbit[point] = True

    def add(self, generator: Element) -> None:
        """Add a permutation, and the points that it adds to the orbit."""
        self.generators.append(generator)
        orbit = np.flatnonzero(self.in_orbit)
        todo = [(here, generator) for here in orbit[~self.in_orbit[generator[orbit]]].tolist()]
        while todo:
            here, one = todo.pop()
            there = int(one[here])
            if there not in self.to_point:
                self.to_point[there] = self.to_point[here][np.argsort(one)]
                self.in_orbit[there] = True
                todo += [(there, other) for other in self.generators]


def _sift(chain: list[_Level], element: Element) -> bool:
    """Sift an element through the levels; its residue is added to all levels that it reached.

    Returns whether it sifts through: the levels generate it already.
    """
    reached = []
    for level in chain:
        reached.append(level)
        back = level.to_point.get(int(element[level.point]))
        if back is None:
            break
        element = back[element]
    else:
        moved = np.flatnonzero(element != np.arange(len(element)))
        if not len(moved):
            return True
        chain.append(_Level(int(moved[0]), len(element)))
        reached.append(chain[-1])
    for level in reached:
        level.add(element)
    return False
