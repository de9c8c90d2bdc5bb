"""Compiled search for an element of a large group that takes a row to a lesser one.

The first positions of a row are known. If an element that keeps the atoms of the first i positions takes some
atom of the row to an atom at position i that is less than the row's own, the row is not least. If it takes an
atom of the row to the row's own, the next position decides. Elements are composed one position at a time, and
applied backwards: `back` finds the atom whose image an atom is.

    tables : uint64[]. See `least_tables`.
    ints   : int64[], scratch from `at` on, for n positions and n_values numbers of values:
             row     | n          the atoms of the row, in. Position p and number v have the atom
                                  p * n_values + v.
             path    | n + 1      the node before each position along the row itself
             tried   | n + 1      for each depth the place in the orbit that is tried next
             sizes   | n          of the orbits of the row's atoms under its stabilizer
             joined  | n          positions whose atoms are in one orbit under the row's stabilizer
             elements| n + 1      the elements that are composed
             until   | n + 1      for each depth, how many of them
             is_of   | n * n_values   1 for each atom of the row; zeros before and after a call

Elements that keep the longest beginning of the row are tried first. An element that takes the row to itself
joins atoms to orbits, of which only one atom is tried; the sizes of these orbits give the order of the
stabilizer.
Source: S. Linton, Finding the smallest image of a set (ISSAC 2004); J. Leon, Permutation group algorithms
based on partitions (1991). With the images of all atoms of the row at each depth, a graph with 10 vertices
took 128 us instead of 21.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel
from rekkyo.symmetry.least_tables import EDGE, EDGES, MOST_ORDER, NEXT, ORBIT, ORDER, SIZE

Int: TypeAlias = int | np.int64

NOT_LEAST, FAILED, LARGE = 0, -1, -2
"""Results instead of an order. FAILED: it took too many nodes. LARGE: the order is MOST_ORDER or more, the
product of the numbers in `sizes` and of the order of the last node, which is behind the path."""

NOTHING, FOUND, BEATEN, GIVEN_UP = 0, 1, 2, 3
"""What a search for an element ends with: none, one that keeps the row, one that makes it less, too many."""


class Scratch(NamedTuple):
    """The row, its tables and the places of the parts of `ints`; see above. known: positions."""

    tables: Words
    ints: NDArray[np.int64]
    n_values: Int
    known: Int
    row: Int
    path: Int
    tried: Int
    sizes: Int
    joined: Int
    elements: Int
    until: Int
    is_of: Int


def n_numbers(n: int, n_values: int) -> int:
    """The numbers of scratch space for rows."""
    return 7 * n + 4 + n * n_values


def last_node_and_sizes(ints: NDArray[np.int64], n: int) -> tuple[int, list[int]]:
    """The last node and the sizes of orbits, which a row of `LARGE` order leaves in the scratch space.

    The places are also those of `set_kernel`.
    """
    return int(ints[2 * n]), ints[3 * n + 2 : 4 * n + 2].tolist()


@inner_kernel
def order_if_least(
    tables: Words, root: Int, ints: NDArray[np.int64], at: Int, n: Int, n_values: Int, known: Int, most: Int
) -> Int:
    """The order of the stabilizer of a row whose first positions are known; NOT_LEAST if an image is less.

    Of a row that is not known as a whole, the result is only whether an image is less in any case.
    most: the nodes of the search; after them the result is FAILED, and the row may be least.
    """
    s = Scratch(
        tables,
        ints,
        n_values,
        known,
        row=at,
        path=at + n,
        tried=at + 2 * n + 1,
        sizes=at + 3 * n + 2,
        joined=at + 4 * n + 2,
        elements=at + 5 * n + 2,
        until=at + 6 * n + 3,
        is_of=at + 7 * n + 4,
    )
    node: Int = root
    p: Int = np.int64(0)
    while p < known:
        ints[s.path + p], ints[s.joined + p], ints[s.is_of + ints[s.row + p]] = node, p, 1
        node = np.int64(tables[node + EDGES + EDGE * (ints[s.row + p] % n_values) + NEXT])
        p += 1
        if node == 0:
            break
    ints[s.path + p] = node
    order: Int = np.int64(NOT_LEAST)
    if node != 0:
        order = order_along(s, np.int64(tables[node + ORDER]), most)
    while p > 0:
        p -= 1
        ints[s.is_of + ints[s.row + p]] = 0
    return order


@inner_kernel
def order_along(s: Scratch, order: Int, left: Int) -> Int:
    """`order_if_least` of a row whose path is known. order: of the group that keeps all its atoms."""
    tables, ints = s.tables, s.ints
    p = s.known
    while p > 0:
        p -= 1
        own = ints[s.row + p] - p * s.n_values
        ints[s.until + p] = 0
        if is_beaten(s, p, own):
            return np.int64(NOT_LEAST)
        edge = ints[s.path + p] + EDGES + EDGE * own
        orbit = np.int64(tables[edge + ORBIT])
        size = np.int64(tables[edge + SIZE])
        for place in range(1, size):
            atom = np.int64(tables[orbit + 2 * place])
            if ints[s.is_of + atom] == 0 or root_of(ints, s.joined, atom // s.n_values) != atom // s.n_values:
                continue
            end, left = element_from(s, p, np.int64(tables[orbit + 2 * place + 1]), left)
            if end == BEATEN:
                return np.int64(NOT_LEAST)
            if end == GIVEN_UP:
                return np.int64(FAILED)
            if end == FOUND:
                for one in range(p, s.known):
                    join(ints, s.joined, one, back(s, s.known, ints[s.row + one]) // s.n_values)
        n_joined = n_joined_with(ints, s.joined, p, s.known)
        ints[s.sizes + p] = n_joined
        order = order * n_joined if order < MOST_ORDER // n_joined else np.int64(MOST_ORDER)
    return order if order < MOST_ORDER else np.int64(LARGE)


@inner_kernel
def element_from(s: Scratch, top: Int, first: Int, left: Int) -> Any:
    """Look for an element that keeps the atoms before position `top` and whose inverse begins with `first`.

    Returns how it ended, and how many nodes are left. If FOUND, it is composed at the depth of all positions.
    """
    tables, ints = s.tables, s.ints
    ints[s.elements], ints[s.until + top + 1] = first, 1
    depth = top + 1
    is_new = True
    while depth > top:
        if depth == s.known:
            return FOUND, left
        own = ints[s.row + depth] - depth * s.n_values
        if is_new:
            left -= 1
            if left < 0:
                return GIVEN_UP, left
            if is_beaten(s, depth, own):
                return BEATEN, left
            ints[s.tried + depth] = 0
        edge = ints[s.path + depth] + EDGES + EDGE * own
        orbit, size = np.int64(tables[edge + ORBIT]), np.int64(tables[edge + SIZE])
        place = ints[s.tried + depth]
        while place < size and ints[s.is_of + back(s, depth, np.int64(tables[orbit + 2 * place]))] == 0:
            place += 1
        ints[s.tried + depth] = place + 1
        is_new = place < size
        if not is_new:
            depth -= 1
            continue
        until = ints[s.until + depth]
        element = np.int64(tables[orbit + 2 * place + 1])
        if element != 0:
            ints[s.elements + until] = element
            until += 1
        depth += 1
        ints[s.until + depth] = until
    return NOTHING, left


@inlined_inner_kernel
def is_beaten(s: Scratch, depth: Int, own: Int) -> bool:
    """Whether an element that begins as the composed one takes some atom of the row to one below its own."""
    for value in range(own):
        edge = s.ints[s.path + depth] + EDGES + EDGE * value
        orbit, size = np.int64(s.tables[edge + ORBIT]), np.int64(s.tables[edge + SIZE])
        for place in range(size):
            if s.ints[s.is_of + back(s, depth, np.int64(s.tables[orbit + 2 * place]))] != 0:
                return True
    return False


@inlined_inner_kernel
def back(s: Scratch, depth: Int, atom: Int) -> Int:
    """The atom that the composed element of a depth takes to the given one."""
    k = s.ints[s.until + depth]
    while k > 0:
        k -= 1
        atom = np.int64(s.tables[s.ints[s.elements + k] + atom])
    return atom


@inlined_inner_kernel
def root_of(ints: NDArray[np.int64], joined: Int, number: Int) -> Int:
    """The least number that a number is joined with, from the place `joined` on."""
    while ints[joined + number] != number:
        number = ints[joined + number]
    return number


@inlined_inner_kernel
def n_joined_with(ints: NDArray[np.int64], joined: Int, first: Int, stop: Int) -> Int:
    """How many of the numbers before `stop` are joined with the least one, `first`, itself among them."""
    n_joined: Int = np.int64(1)
    for number in range(first + 1, stop):
        n_joined += root_of(ints, joined, number) == first
    return n_joined


@inlined_inner_kernel
def join(ints: NDArray[np.int64], joined: Int, one: Int, other: Int) -> None:
    """Join two numbers, and all that they are joined with."""
    one, other = root_of(ints, joined, one), root_of(ints, joined, other)
    if one < other:
        ints[joined + other] = one
    else:
        ints[joined + one] = other


@kernel
def fill_stabilizer_orders(
    rows: NDArray[Any],
    tables: Words,
    root: int,
    n_values: int,
    ints: NDArray[np.int64],
    most: int,
    orders: NDArray[np.int64],
    first: int,
) -> Any:
    """For each row from `first` on the result of `order_if_least`, up to one that is not an order.

    Returns the number of that row, or of all. rows: in comparison order. ints: zeros, of `n_numbers`.
    """
    n_rows, n = rows.shape
    for index in range(first, n_rows):
        for p in range(n):
            ints[p] = p * n_values + np.int64(rows[index, p])
        orders[index] = order_if_least(tables, root, ints, 0, n, n_values, n, most)
        if orders[index] < 0:
            return index
    return n_rows
