"""A symmetry group of any size, without a list of its elements.

The row that represents an orbit is the least one if positions are compared in an order that suits the group:
the elements that keep all earlier positions take the next one to as few others as possible. So pairs of
points are compared point by point, and matrices along their shorter side. In the order of the row, balanced
designs of 7 points in 14 blocks took 46 s instead of 0.7.
Sets of options of a cover are compared in an order of the options, see `set_tables`.
`Group` lists all elements, which is faster for small groups. Left out on purpose: groups whose tables are too
large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.row import AtomPermutation, Position, RowShape
from rekkyo.symmetry.chain import (
    Chain,
    Element,
    complete_chain,
    generators_of,
    keeping,
    least_of_orbits,
    order_of,
)
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.least_tables import MOST_WORDS, LeastTables, TablesTooLarge, least_tables
from rekkyo.symmetry.order import order_at_least
from rekkyo.symmetry.set_tables import are_too_many, compared_options, set_tables

MOST_PRODUCTS = 1 << 29
"""Products of points that prove the order of the group; so many take some 3 s."""


@dataclass(frozen=True, slots=True, eq=False)
class LargeGroup:
    """The group of some generators.

    order: the number of its elements. compared: the positions, or the options, in the order of comparison.
    tables: of the group whose atoms are numbered in that order.
    """

    shape: RowShape
    generators: tuple[AtomPermutation, ...]
    order: int
    compared: tuple[int, ...]
    tables: LeastTables


@lru_cache(maxsize=2)
def large_group(
    shape: RowShape, generators: tuple[AtomPermutation, ...], possible: tuple[tuple[int, ...], ...]
) -> LargeGroup | None:
    """The group of rows by position; None if it has one element only, or if proof or tables become too large.

    possible: for each position the values that it can have; the group keeps what is possible. Cached.
    """
    elements = [np.array(one, dtype=np.uint32) for one in generators]
    if _moves_positions_too_much(elements, shape, possible):
        return None
    chain = complete_chain(elements, MOST_PRODUCTS, _most_elements(elements, shape))
    if not chain:
        return None
    positions = _comparing_order(chain, shape.n_values, possible)
    atoms = (np.array(positions)[:, None] * shape.n_values + np.arange(shape.n_values)).reshape(-1)
    is_possible = np.zeros(shape.n_atoms, dtype=np.bool_)
    for place, position in enumerate(positions):
        is_possible[[place * shape.n_values + value for value in possible[position]]] = True
    try:
        tables = least_tables([level.renamed(atoms) for level in chain], shape.n_values, is_possible)
    except TablesTooLarge:
        return None
    return LargeGroup(shape, generators, order_of(chain), positions, tables)


@lru_cache(maxsize=2)
def large_group_of_cover(cover: ExactCover, generators: tuple[AtomPermutation, ...]) -> LargeGroup | None:
    """The group of the options of a cover, or None as by `large_group`. Cached."""
    order = compared_options(cover)
    if are_too_many(cover, order):
        return None
    elements = [np.array(one, dtype=np.uint32) for one in generators]
    chain = complete_chain(elements, MOST_PRODUCTS, _most_moving_items(elements, cover))
    if not chain:
        return None
    try:
        tables = set_tables([level.renamed(np.array(order)) for level in chain], cover, order)
    except TablesTooLarge:
        return None
    return LargeGroup(cover.row_shape, generators, order_of(chain), order, tables)


def _most_moving_items(generators: Sequence[Element], cover: ExactCover) -> int | None:
    """The order of the group of the items, if no two options have the same items; None if it is not known.

    There are fewer items than options, so it is proved sooner: 0.3 s instead of 8 for all 16! renamings of
    the 1,820 sets of 4 of 16 points, by their 120 pairs.
    """
    users = np.zeros((len(cover.primary) + len(cover.secondary), len(cover.options)), dtype=np.bool_)
    for number, option in enumerate(cover.options):
        users[[item for item, _ in option], number] = True
    if len(users) >= len(cover.options) or len(np.unique(users, axis=1).T) < len(cover.options):
        return None
    users = np.unique(users, axis=0)
    numbers = {users_of.tobytes(): item for item, users_of in enumerate(users)}
    moved = []
    for generator in generators:
        images = [numbers.get(users_of.tobytes()) for users_of in users[:, generator]]
        if None in images:
            return None
        moved.append(np.array(images, dtype=np.uint32))
    chain = complete_chain(moved, MOST_PRODUCTS)
    return order_of(chain) if chain else None


def _most_elements(generators: Sequence[Element], shape: RowShape) -> int | None:
    """The number of permutations of positions, and of the values of each, within the orbits of positions and
    atoms; None if the atoms of a position do not stay together. Exchanges of free variables reach it.
    """
    moved = _moved_positions(generators, shape)
    if moved is None:
        return None
    of_positions = np.bincount(least_of_orbits([*moved], shape.length))
    orbits = least_of_orbits(generators, shape.n_atoms).reshape(shape.length, -1)
    of_values = [size for orbits_here in orbits for size in np.unique(orbits_here, return_counts=True)[1]]
    return prod(map(factorial, (*of_positions.tolist(), *map(int, of_values))))


def _moved_positions(generators: Sequence[Element], shape: RowShape) -> NDArray[np.uint32] | None:
    """uint32[n_generators, length]: where they take positions; None if they take one apart."""
    moved = np.array(generators).reshape(-1, shape.length, shape.n_values) // shape.n_values
    return None if (moved != moved[:, :, :1]).any() else moved[:, :, 0]


def _moves_positions_too_much(
    generators: Sequence[Element], shape: RowShape, possible: Sequence[Sequence[int]]
) -> bool:
    """Whether tables would be too large, by the order of the group that permutes the positions.

    For a row that is the least of its images the tables have all atoms to which each position can be taken
    while the earlier ones stay. The product of the numbers of these atoms is a multiple of that order, and
    each atom but the first has an element with a word for every atom. So the chain of 1,000 leaves of a star
    in four colours, which took two minutes and 4.5 GB, is not made.
    """
    most_elements = MOST_WORDS // shape.n_atoms
    if shape.length * shape.length.bit_length() <= most_elements or not all(possible):
        return False
    moved = _moved_positions(generators, shape)
    return moved is not None and order_at_least([*moved], 1 << most_elements) > 1 << most_elements


def _comparing_order(chain: Chain, n_values: int, possible: Sequence[Sequence[int]]) -> tuple[Position, ...]:
    """All positions; elements that keep the earlier ones take the next one to as few others as possible."""
    left, order = list(range(len(possible))), []
    while left:
        least = least_of_orbits(generators_of(chain), len(possible) * n_values) // n_values
        sizes = np.bincount(least, minlength=len(possible))
        firsts = [position * n_values + min(possible[position], default=0) for position in left]
        at = min(range(len(left)), key=lambda place: sizes[least[firsts[place]]])
        order.append(left.pop(at))
        chain = keeping(chain, firsts[at])
    return tuple(order)


AnyGroup: TypeAlias = Group | LargeGroup
