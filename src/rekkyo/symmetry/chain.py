"""Chains of stabilizers of a permutation group: its order, and its elements, without listing them.

Algorithm: random elements are sifted through a chain of stabilizers (Schreier and Sims). Each level holds a
point and permutations that fix the points of the levels before it. The product of the sizes of the points'
orbits is at most the order of the group, and equal to it if the chain is complete, as it is nearly always.
`complete_chain` proves that: by Schreier's lemma, all products that generate the stabilizer of a point must
sift through the levels below. Of a group whose order is known, a chain with other points is complete as soon
as it has that order (`chain_from`).
Source: Seress, Permutation Group Algorithms (2003), sections 4.2 and 4.3.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import inf, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Element: TypeAlias = NDArray[np.uint32]
"""uint32[n_points]: the image of each point."""

Chain: TypeAlias = "list[Level]"

N_SIFTED_THROUGH = 20
"""The last random elements, which all sift through. Through an incomplete chain at most half of all elements
of the group do. 60 in total gave a quarter of the order for the regular tournaments of seven players, and too
little for most groups of all exchanges of rows, columns and symbols of Latin squares of order 6 or more.
"""

MOST_RESIDUES = 192
"""The most random elements that do not sift through. For all exchanges of 45 things, which are 2^186, 71 do
not. All 200! exchanges of 200 things, whose classes no search could use, take 0.35 s of CPU time, and would
take 0.66 without this limit.
"""

N_MIXED, N_ROUNDS = 10, 5
"""The least number of elements that are multiplied with each other at random, and how often each before they
are random enough to end."""

MOST_PRODUCTS = 1 << 20
"""Points of the products that are sifted at a time: 4 MB."""


class Level:
    """A point, permutations that keep the points of earlier levels, and one for each point of its orbit.

    to_point: takes each point of the orbit back to the level's own.
    """

    def __init__(self, point: int, n_points: int) -> None:
        self.point = point
        self.generators: list[Element] = []
        self.to_point: dict[int, Element] = {point: np.arange(n_points, dtype=np.uint32)}

    @property
    def n_points(self) -> int:
        """The number of points that the group permutes."""
        return len(self.to_point[self.point])

    def add(self, generator: Element, images: Sequence[int]) -> None:
        """Add a permutation, and the points that it adds to the orbit. images: the same as plain integers.

        Most permutations add none, and most orbits are short, so that NumPy takes longer: two thirds of the
        time for exchanges of ten values of ten variables.
        """
        self.generators.append(generator)
        orbit = self.to_point
        todo = [(here, generator) for here in sorted(here for here in orbit if images[here] not in orbit)]
        while todo:
            here, one = todo.pop()
            there = int(one[here])
            if there not in self.to_point:
                self.to_point[there] = self.to_point[here][_inverse(one)]
                todo += [(there, other) for other in self.generators]

    @property
    def table(self) -> NDArray[np.uint32]:
        """uint32[n_orbit, n_points]. The permutations of `to_point`, in the order of that dictionary."""
        return np.array(list(self.to_point.values()))

    def renamed(self, points: NDArray[np.int64]) -> Level:
        """The same level after point points[k] gets the name k, for every k."""
        names = np.argsort(points).astype(np.uint32)
        made = Level(int(names[self.point]), len(points))
        made.generators = [names[one[points]] for one in self.generators]
        made.to_point = {int(names[here]): names[one[points]] for here, one in self.to_point.items()}
        return made

    def products(self) -> Iterator[NDArray[np.uint32]]:
        """uint32[n, n_points], many elements at a time, which generate the stabilizer of the point."""
        back = self.table
        to = np.argsort(back, axis=1)
        row_of = np.zeros(self.n_points, dtype=np.int64)
        row_of[list(self.to_point)] = np.arange(len(back))
        generators = np.array(self.generators)
        n_at_once, n_products = max(1, MOST_PRODUCTS // back.shape[1]), len(generators) * len(to)
        for first in range(0, n_products, n_at_once):
            which, row = np.divmod(np.arange(first, min(n_products, first + n_at_once)), len(to))
            moved = np.take_along_axis(generators[which], to[row], axis=1).astype(np.int64)
            yield np.take_along_axis(back[row_of[moved[:, self.point]]], moved, axis=1)


def order_of(chain: Chain) -> int:
    """The number of elements that sift through."""
    return prod(len(level.to_point) for level in chain)


def chain_of(generators: Sequence[Element], enough: float = inf) -> Chain:
    """A chain that is complete nearly always, or has more elements than enough. generators: one or more."""
    draw = random.Random(0)
    chain: Chain = []
    for generator in generators:
        if not _sift(chain, generator) and order_of(chain) > enough:
            return chain
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
        if not is_through and order_of(chain) > enough:
            break
    return chain


def complete_chain(
    generators: Sequence[Element], most_products: int, most_elements: int | None = None
) -> Chain | None:
    """A chain with all elements of the group; None if that takes more products of points to prove.

    most_elements: a number that the order of the group cannot exceed. If the chain has as many elements,
    nothing is left to prove.
    """
    chain = chain_of(generators)
    if order_of(chain) == most_elements:
        return chain
    n_points = len(generators[0])
    place = len(chain) - 1
    while place >= 0:
        level = chain[place]
        n_levels = len(chain) - place
        most_products -= len(level.to_point) * len(level.generators) * n_points * n_levels
        if most_products < 0:
            return None
        residue = next(
            (left for some in level.products() if (left := _residue(chain, place, some)) is not None), None
        )
        if residue is None:
            place -= 1
        else:
            _sift(chain, residue)
            place = len(chain) - 1
    return chain


def _residue(chain: Chain, place: int, some: NDArray[np.uint32]) -> Element | None:
    """One of some elements that does not sift through the levels behind a place; None if all do."""
    elements = some
    for level in chain[place + 1 :]:
        back, row_of = level.table, np.full(elements.shape[1], -1)
        row_of[list(level.to_point)] = np.arange(len(back))
        rows = row_of[elements[:, level.point]]
        if (lost := np.flatnonzero(rows < 0)).size:
            return np.array(some[lost[0]])
        elements = np.take_along_axis(back[rows], elements.astype(np.int64), axis=1)
    lost = np.flatnonzero((elements != np.arange(elements.shape[1])).any(axis=1))
    return np.array(some[lost[0]]) if lost.size else None


def chain_from(chain: Chain, point: int) -> Chain:
    """A complete chain of the same group whose first level has a given point. chain: complete, not empty."""
    if chain[0].point == point:
        return chain
    draw = random.Random(point)
    order = order_of(chain)
    made: Chain = [Level(point, chain[0].n_points)]
    for generator in chain[0].generators:  # with random elements alone, orbits share half as many elements
        _sift(made, generator)
    while order_of(made) < order:
        _sift(made, _random_element(chain, draw))
    return made


def keeping(chain: Chain, point: int) -> Chain:
    """A complete chain of the elements that keep a point. chain: complete."""
    moves = any(int(generator[point]) != point for generator in generators_of(chain))
    return chain_from(chain, point)[1:] if moves else chain


def generators_of(chain: Chain) -> Sequence[Element]:
    """Generators of the group; none of the trivial one."""
    return chain[0].generators if chain else ()


def least_of_orbits(generators: Sequence[Element], n_points: int) -> NDArray[np.uint32]:
    """uint32[n_points]. The least point of the orbit of each."""
    least, is_settled = np.arange(n_points, dtype=np.uint32), False
    while not is_settled:
        before = least.copy()
        for generator in generators:
            image = np.minimum(least, least[generator])
            least[generator] = np.minimum(least[generator], image)
            least = np.minimum(least, image)
        least = least[least]
        is_settled = np.array_equal(least, before)
    return least


def least_of_cycles(permutation: NDArray[np.integer[Any]]) -> NDArray[np.uint32]:
    """uint32[n_points]. The least point of the cycle of each point, by looking twice as far in each round."""
    least, jump = np.arange(len(permutation), dtype=np.uint32), permutation
    while not np.array_equal(further := np.minimum(least, least[jump]), least):
        least, jump = further, jump[jump]
    return least


def _random_element(chain: Chain, draw: random.Random) -> Element:
    """Any element of the group, each with the same probability."""
    element = np.arange(chain[0].n_points, dtype=np.uint32)
    for level in chain:
        element = draw.choice(list(level.to_point.values()))[element]
    return element


def _sift(chain: Chain, element: Element) -> bool:
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
        chain.append(Level(int(moved[0]), len(element)))
        reached.append(chain[-1])
    images = element.tolist()
    for level in reached:
        level.add(element, images)
    return False


def _inverse(element: Element) -> Element:
    back = np.empty_like(element)
    back[element] = np.arange(len(element), dtype=np.uint32)
    return back
