"""A lower bound of the order of a permutation group, which is nearly always the order.

It is the order of a chain of stabilizers, after two steps that make the group act on fewer points. An orbit
is left out if the group acts on it as on another one: exchanges of variables move all their values alike.
Points any two of which the group can exchange alone are taken together: the group has all permutations of
such a set, so its order is their number times that of its action on the sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, inf, prod

import numpy as np
from numpy.typing import NDArray

from rekkyo.symmetry.chain import Element, chain_of, least_of_orbits, order_of


def order_at_least(generators: Sequence[Element], enough: float = inf) -> int:
    """A lower bound of the order of the group, deterministic. generators: one or more.

    enough: a bound that exceeds this number need not be better.
    """
    table = _without_copies(np.array(generators))
    points, firsts, sets, sizes = np.unique(
        _exchangeable(table), return_index=True, return_inverse=True, return_counts=True
    )
    n_inside = prod(map(factorial, sizes.tolist()))
    if len(points) < table.shape[1]:
        table = np.unique(sets[table[:, firsts]].astype(np.uint32), axis=0)
    return n_inside if n_inside > enough else n_inside * order_of(chain_of([*table], enough))


def _without_copies(table: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The generators as they act on the points of all orbits that are not copies of others."""
    points = np.arange(table.shape[1], dtype=np.uint32)
    least_of = least_of_orbits([*table], len(points))
    others: dict[tuple[int, bytes], list[int]] = {}
    is_copy = np.zeros(len(points), dtype=np.bool_)
    for least, size in zip(*np.unique(least_of, return_counts=True), strict=True):
        if size > 1:
            orbit = np.flatnonzero(least_of == least)
            movers = (table[:, orbit] != points[orbit]).any(axis=1)
            like = others.setdefault((int(size), movers.tobytes()), [])
            is_copy[orbit] = any(_acts_alike(table, other, int(least)) for other in like)
            if not is_copy[least]:
                like.append(int(least))
    if not is_copy.any():
        return table
    kept = np.flatnonzero(~is_copy)
    points[kept] = np.arange(len(kept))
    return points[table[:, kept]]


def _acts_alike(table: NDArray[np.uint32], one: int, other: int) -> bool:
    """Whether each point of the first orbit has an image in the other one that moves as it does.

    one, other: the first such point, and its image. Other images of the first point are not tried.
    """
    image = np.full(table.shape[1], table.shape[1], dtype=np.uint32)
    image[one] = other
    todo = [one]
    for point in todo:  # grows while it is walked
        nexts, images = table[:, point], table[:, image[point]]
        is_new = image[nexts] == len(image)
        image[nexts[is_new]] = images[is_new]
        todo += np.unique(nexts[is_new]).tolist()
        if not np.array_equal(image[nexts], images):
            return False
    return True


def _exchangeable(table: NDArray[np.uint32]) -> NDArray[np.int64]:
    """int64[n_points]. A name for each point, equal for points that the group can exchange and move no other.

    table: the generators. They take two such points to two such points.
    """
    names = np.arange(table.shape[1])
    moves = table != names
    todo = [np.flatnonzero(moved).tolist() for moved in moves[moves.sum(axis=1) == 2]]
    while todo:
        one, other = todo.pop()
        if names[one] != names[other]:
            names[names == names[other]] = names[one]
            images = table[:, [one, other]]
            todo += np.unique(images[names[images[:, 0]] != names[images[:, 1]]], axis=0).tolist()
    return names
