"""Compiled search for an element of a large group that takes a set of options to a lesser one.

An element that keeps the first i options of a set may take another one to an option before number i of the
set: then the set is not least. If it takes one to number i itself, the next option decides. The images of all
options of the set are kept for each depth.

    tables : uint64[]. See `set_tables`.
    ints   : int64[], scratch from `at` on, for sets of up to n of n_options options:
             set     | n          in, increasing
             path    | n + 1      the node before each option, and after all
             tried   | n + 1      for each depth the number of the option that is tried next
             sizes   | n          of the orbits of the options under the set's stabilizer
             joined  | n          options that are in one orbit under the set's stabilizer
             is_used | n          1 for an option that was taken to another one of the set
             number  | n_options  for an option of the set its number and 1; zeros before and after a call
             images  | n + 1 times n   at each depth of each option

As in `least_kernel`, elements that keep a long beginning come first, and elements that take the set to itself
join its options to orbits. A set may be the known part of a larger one: all its options are known up to the
last one given, and an element that takes the part to a lesser one takes the whole to a lesser one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel
from rekkyo.symmetry.least_kernel import (
    BEATEN,
    FAILED,
    FOUND,
    GIVEN_UP,
    LARGE,
    NOT_LEAST,
    NOTHING,
    Int,
    join,
    n_joined_with,
    root_of,
)
from rekkyo.symmetry.least_tables import MOST_ORDER
from rekkyo.symmetry.set_tables import LEAST, ORDER, TRIVIAL

OPEN = 4
"""The end of a search for an element is not known yet."""


class Scratch(NamedTuple):
    """The set, its tables and the places of the parts of `ints`; see above. known: options of the set."""

    tables: Words
    ints: NDArray[np.int64]
    n_options: Int
    known: Int
    row: Int
    path: Int
    tried: Int
    sizes: Int
    joined: Int
    is_used: Int
    number: Int
    images: Int


def n_numbers(n: int, n_options: int) -> int:
    """The numbers of scratch space for sets."""
    return 6 * n + 2 + n_options + (n + 1) * n


@inner_kernel
def order_if_least_set(
    tables: Words, root: Int, ints: NDArray[np.int64], at: Int, n: Int, n_options: Int, known: Int, most: Int
) -> Int:
    """The order of the stabilizer of a set of `known` options; NOT_LEAST if an image is less.

    most: the nodes of the search; after them the result is FAILED, and the set may be least.
    """
    s = Scratch(
        tables,
        ints,
        n_options,
        known,
        row=at,
        path=at + n,
        tried=at + 2 * n + 1,
        sizes=at + 3 * n + 2,
        joined=at + 4 * n + 2,
        is_used=at + 5 * n + 2,
        number=at + 6 * n + 2,
        images=at + 6 * n + 2 + n_options,
    )
    node: Int = root
    p: Int = np.int64(0)
    while p < known:
        option = ints[s.row + p]
        ints[s.path + p], ints[s.joined + p] = node, p
        ints[s.number + option] = p + 1
        if node != TRIVIAL:
            node = np.int64(tables[node + LEAST + 2 * n_options + option])
        p += 1
        if node == 0:
            break
    ints[s.path + p] = node
    ints[s.path + n] = node  # where `last_node_and_sizes` looks
    for number in range(n):
        ints[s.sizes + number] = 1
    order: Int = np.int64(NOT_LEAST)
    if node != 0:
        order = order_along(s, np.int64(1) if node == TRIVIAL else np.int64(tables[node + ORDER]), most)
    while p > 0:
        p -= 1
        ints[s.number + ints[s.row + p]] = 0
    return order


@inner_kernel
def order_along(s: Scratch, order: Int, left: Int) -> Int:
    """`order_if_least_set` of a set whose path is known. order: of the group that keeps all its options."""
    tables, ints = s.tables, s.ints
    p = s.known
    while p > 0:
        p -= 1
        node = ints[s.path + p]
        if node == TRIVIAL:
            continue
        own = ints[s.row + p]
        for one in range(p + 1, s.known):
            if np.int64(tables[node + LEAST + ints[s.row + one]]) < own:
                return np.int64(NOT_LEAST)
        for one in range(p + 1, s.known):
            least = np.int64(tables[node + LEAST + ints[s.row + one]])
            if least != own or root_of(ints, s.joined, one) != one:
                continue
            end, left = element_from(s, p, one, left)
            if end == BEATEN:
                return np.int64(NOT_LEAST)
            if end == GIVEN_UP:
                return np.int64(FAILED)
            if end == FOUND:
                for other in range(p, s.known):
                    image = ints[s.images + s.known * s.known + other]
                    join(ints, s.joined, other, ints[s.number + image] - 1)
        n_joined = n_joined_with(ints, s.joined, p, s.known)
        ints[s.sizes + p] = n_joined
        order = order * n_joined if order < MOST_ORDER // n_joined else np.int64(MOST_ORDER)
    return order if order < MOST_ORDER else np.int64(LARGE)


@inner_kernel
def element_from(s: Scratch, top: Int, one: Int, left: Int) -> Any:
    """Look for an element that keeps the options before number `top`, and takes number `one` to it.

    Returns how it ended, and how many nodes are left. If FOUND, the images are at the depth of all options.
    """
    ints = s.ints
    for number in range(s.known):
        ints[s.images + top * s.known + number] = ints[s.row + number]
        ints[s.is_used + number] = number < top
    depth = top
    ints[s.tried + depth] = one
    while True:
        number = ints[s.tried + depth]
        if number < s.known:  # take it to the option of this depth
            take(s, depth, number)
            ints[s.is_used + number] = 1
            depth += 1
            left -= 1
            end = looked_at(s, depth)
            if left < 0:
                return np.int64(GIVEN_UP), left
            if end == OPEN:
                ints[s.tried + depth] = next_to_try(s, depth, np.int64(0))
            elif end == NOTHING:
                ints[s.tried + depth] = s.known
            else:
                return end, left
        else:
            depth -= 1
            if depth < top:
                return np.int64(NOTHING), left
            number = ints[s.tried + depth]
            ints[s.is_used + number] = 0
            ints[s.tried + depth] = s.known if depth == top else next_to_try(s, depth, number + 1)


@inner_kernel
def looked_at(s: Scratch, depth: Int) -> Int:
    """What the images at a depth tell: FOUND, BEATEN, NOTHING, or OPEN."""
    tables, ints = s.tables, s.ints
    images = s.images + depth * s.known
    if depth < s.known and ints[s.path + depth] != TRIVIAL:
        node, own = ints[s.path + depth], ints[s.row + depth]
        for number in range(s.known):
            if ints[s.is_used + number] == 0 and np.int64(tables[node + LEAST + ints[images + number]]) < own:
                return np.int64(BEATEN)
        return np.int64(OPEN)
    # No other element is left, or no option: the images decide.
    first_other: Int = s.n_options
    for number in range(s.known):
        if ints[s.number + ints[images + number]] == 0:
            first_other = min(first_other, ints[images + number])
    if first_other == s.n_options:
        for number in range(s.known):
            ints[s.images + s.known * s.known + number] = ints[images + number]
        return np.int64(FOUND)
    n_before: Int = np.int64(0)
    for number in range(s.known):
        n_before += ints[images + number] < first_other
    n_own: Int = np.int64(0)
    while n_own < s.known and ints[s.row + n_own] < first_other:
        n_own += 1
    return np.int64(BEATEN) if n_before == n_own else np.int64(NOTHING)


@inlined_inner_kernel
def next_to_try(s: Scratch, depth: Int, number: Int) -> Int:
    """The first option from a number on that some element takes to the set's option of a depth."""
    node, own = s.ints[s.path + depth], s.ints[s.row + depth]
    images = s.images + depth * s.known
    while number < s.known and (
        s.ints[s.is_used + number] != 0 or np.int64(s.tables[node + LEAST + s.ints[images + number]]) != own
    ):
        number += 1
    return number


@inner_kernel
def take(s: Scratch, depth: Int, number: Int) -> None:
    """Write the images of the next depth, where an option of the set is taken to number `depth`."""
    tables, ints = s.tables, s.ints
    node = ints[s.path + depth]
    here, there = s.images + depth * s.known, s.images + (depth + 1) * s.known
    for other in range(s.known):
        ints[there + other] = ints[here + other]
    while True:
        move = np.int64(tables[node + LEAST + s.n_options + ints[there + number]])
        if move == 0:
            return
        for other in range(s.known):
            ints[there + other] = np.int64(tables[move + ints[there + other]])


@kernel
def fill_stabilizer_orders(
    rows: NDArray[Any],
    tables: Words,
    root: int,
    n_options: int,
    ints: NDArray[np.int64],
    most: int,
    orders: NDArray[np.int64],
    first: int,
) -> Any:
    """For each set from `first` on the result of `order_if_least_set`, up to one that is not an order.

    Returns the number of that set, or of all. rows: options in comparison order, increasing, n_options as
    filler. ints: zeros, of `n_numbers`.
    """
    n_rows, n = rows.shape
    for index in range(first, n_rows):
        known = np.int64(0)
        while known < n and np.int64(rows[index, known]) < n_options:
            ints[known] = np.int64(rows[index, known])
            known += 1
        orders[index] = order_if_least_set(tables, root, ints, 0, n, n_options, known, most)
        if orders[index] < 0:
            return index
    return n_rows
