"""Compiled parts of memoised branching: the choice of the next item, and the components after a choice.

A header in the arena is four numbers: the place and number of the options of a component, and the place and
number of its items. After the items come their sizes, which are the numbers of open options with the item.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.engines.limbs import Limbs
from rekkyo.jit import inlined_inner_kernel, inner_kernel

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

ANY_NUMBER = np.int32(0x7FFFFFFF)
"""The upper bound of an item with colours, which can be covered any number of times in one colour."""


class Cover(NamedTuple):
    """A model as the kernels read it.

    use_at : int32[n_options + 1]. The uses of option o are those from use_at[o] to use_at[o + 1] - 1.
    items, colors : int32[n_uses]. Colours of an item that has colours count from 1; colour 0 closes the item.
    low, high : int32[n_items]. How often an item must and may be covered.
    field_at : int32[n_items]. The first key bit of an item whose covers are counted; -1 for others.
    by_items : whether keys are sets of items. field_width: bits of one number in a key.
    """

    use_at: Ints
    items: Ints
    colors: Ints
    low: Ints
    high: Ints
    field_at: Ints
    by_items: bool
    field_width: int


class Marks(NamedTuple):
    """Effects of the choices on the path.

    times : int32[n_items], how often the options on the path cover the item.
    items, colors : int64, int32[n_items], the stamp of a choice that closes the item, and the colour that is
        still allowed; 0 for none.
    options : int64[n_options], the stamp of a choice that passes an option over.
    """

    times: Ints
    items: Longs
    colors: Ints
    options: Longs


class Parts(NamedTuple):
    """Scratch, int32[n_items] each: number of open options of an item, union-find parents, and labels."""

    sizes: Ints
    roots: Ints
    labels: Ints


class Work(NamedTuple):
    """The state of a search; every array is changed in place.

    Kernels that get all of it are inlined, because a call copies the descriptor of each array.

    arena, product, branch : see `kernel`; int32[n], int64[n_depths, 3], int64[n_depths, 11].
    products, sums : uint64[n_depths, n_limbs]. path : uint64[n_depths, n_key_words], keys of the branches.
    places : uint32[2^k], a hash table of numbers of entries. keys, values : uint64, a row for each entry.
    spare : uint64[1, n_limbs]. head : int64[5], see `kernel`.
    """

    marks: Marks
    parts: Parts
    arena: Ints
    product: Longs
    branch: Longs
    products: Limbs
    sums: Limbs
    path: Words
    places: NDArray[np.uint32]
    keys: Words
    values: Limbs
    spare: Limbs
    head: Longs


OPTIONS, N_OPTIONS, ITEMS, N_ITEMS, CHOICES, N_CHOICES, NEXT, LAST, CHOSEN, TOP, IS_REMEMBERED = range(11)

NO_OPTION = -1


@inner_kernel
def fewest(low: Ints, times: Ints, arena: Ints, header: int) -> Any:
    """The item of a component to cover next, its number of choices, and whether it must be covered.

    Items that must be covered are preferred to others, then those with the fewest choices, then the lowest.
    """
    items_at, n_items = arena[header + 2], arena[header + 3]
    chosen, fewest, is_required = -1, 0, False
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        need = low[item] - times[item]
        n_choices = arena[place + n_items] + 1 - max(0, need)
        is_better = chosen < 0 or n_choices < fewest or (n_choices == fewest and item < chosen)
        if (need > 0) != is_required:
            is_better = need > 0
        if is_better:
            chosen, fewest, is_required = item, n_choices, need > 0
    return chosen, fewest, is_required


@inner_kernel
def list_choices(cover: Cover, arena: Ints, header: int, chosen: int, free: int) -> int:
    """Write the options of a component that cover an item to arena[free:]; returns their number."""
    use_at, items = cover.use_at, cover.items
    n_found = 0
    for place in range(arena[header], arena[header] + arena[header + 1]):
        option = arena[place]
        for use in range(use_at[option], use_at[option + 1]):
            if items[use] == chosen:
                arena[free + n_found] = option
                n_found += 1
                break
    return n_found


@inner_kernel
def mark(cover: Cover, marks: Marks, arena: Ints, branch: Longs, depth: int, stamp: int) -> None:
    """Close the items that a choice covers as often as they may be, and the options that it passes over."""
    use_at, times = cover.use_at, marks.times
    chosen = branch[depth, CHOSEN]
    first = branch[depth, CHOICES]
    n_passed = branch[depth, N_CHOICES]
    if chosen != NO_OPTION:
        n_passed = branch[depth, NEXT]
        for use in range(use_at[chosen], use_at[chosen + 1]):
            item = cover.items[use]
            times[item] += 1
            if times[item] >= cover.high[item] or cover.high[item] == ANY_NUMBER:
                marks.items[item] = stamp
                marks.colors[item] = cover.colors[use]
    for place in range(first, first + n_passed):
        marks.options[arena[place]] = stamp


@inner_kernel
def keep_open(
    cover: Cover, marks: Marks, sizes: Ints, arena: Ints, branch: Longs, depth: int, stamp: int, open_at: int
) -> int:
    """Write the options that a choice leaves open to arena[open_at:]; returns their number.

    Returns -1 if an item can no longer be covered often enough.
    """
    use_at, items, colors = cover.use_at, cover.items, cover.colors
    options_at, n_options = branch[depth, OPTIONS], branch[depth, N_OPTIONS]
    items_at, n_items = branch[depth, ITEMS], branch[depth, N_ITEMS]
    for place in range(items_at, items_at + n_items):
        sizes[arena[place]] = 0
    n_open = 0
    for place in range(options_at, options_at + n_options):
        option = arena[place]
        is_open = marks.options[option] != stamp
        if is_open:
            for use in range(use_at[option], use_at[option + 1]):
                item = items[use]
                if marks.items[item] == stamp and (
                    marks.colors[item] == 0 or marks.colors[item] != colors[use]
                ):
                    is_open = False
                    break
        if is_open:
            arena[open_at + n_open] = option
            n_open += 1
            for use in range(use_at[option], use_at[option + 1]):
                sizes[items[use]] += 1
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        if sizes[item] < cover.low[item] - marks.times[item]:
            return -1
    return n_open


@inner_kernel
def part(
    cover: Cover, parts: Parts, arena: Ints, branch: Longs, depth: int, top: int, open_at: int, n_open: int
) -> Any:
    """Divide open options into components, with headers at `top`; returns their number, and the free place.

    The loop that joins items stops when all are in one component, which is often after few options.
    """
    use_at, items = cover.use_at, cover.items
    sizes, roots, labels = parts
    items_at, n_items = branch[depth, ITEMS], branch[depth, N_ITEMS]
    n_apart = 0
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        roots[item] = item
        labels[item] = -1
        if sizes[item] > 0:
            n_apart += 1
    for place in range(open_at, open_at + n_open):
        if n_apart == 1:
            break
        option = arena[place]
        first = _root(roots, items[use_at[option]])
        for use in range(use_at[option] + 1, use_at[option + 1]):
            other = _root(roots, items[use])
            if other != first:
                roots[other] = first
                n_apart -= 1
    free = open_at + n_open
    if n_apart == 1:
        arena[top], arena[top + 1] = open_at, n_open
        return 1, _list_items(parts, arena, items_at, n_items, top, 1, free)
    # Labels number the components in the order of their first items.
    n_labels = 0
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        root = _root(roots, item)
        if sizes[item] > 0 and labels[root] < 0:
            labels[root] = n_labels
            arena[top + 4 * n_labels + 1] = 0
            n_labels += 1
    for place in range(open_at, open_at + n_open):
        label = labels[_root(roots, items[use_at[arena[place]]])]
        arena[top + 4 * label + 1] += 1
    for header in range(top, top + 4 * n_labels, 4):
        arena[header] = free
        free += arena[header + 1]
        arena[header + 1] = 0
    for place in range(open_at, open_at + n_open):
        header = top + 4 * labels[_root(roots, items[use_at[arena[place]]])]
        arena[arena[header] + arena[header + 1]] = arena[place]
        arena[header + 1] += 1
    return n_labels, _list_items(parts, arena, items_at, n_items, top, n_labels, free)


@inlined_inner_kernel
def _list_items(
    parts: Parts, arena: Ints, items_at: int, n_items: int, top: int, n_labels: int, free: int
) -> int:
    """Write the items of components, each list followed by the sizes; returns the next free place."""
    sizes, roots, labels = parts
    for header in range(top, top + 4 * n_labels, 4):
        arena[header + 3] = 0
    if n_labels > 1:
        for place in range(items_at, items_at + n_items):
            item = arena[place]
            if sizes[item] > 0:
                arena[top + 4 * labels[_root(roots, item)] + 3] += 1
        for header in range(top, top + 4 * n_labels, 4):
            arena[header + 2] = free
            free += 2 * arena[header + 3]
            arena[header + 3] = 0
    else:
        arena[top + 2] = free
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        if sizes[item] > 0:
            header = top
            if n_labels > 1:
                header = top + 4 * labels[_root(roots, item)]
            arena[arena[header + 2] + arena[header + 3]] = item
            arena[header + 3] += 1
    if n_labels == 1:
        free += 2 * arena[top + 3]
    for header in range(top, top + 4 * n_labels, 4):
        first, n_here = arena[header + 2], arena[header + 3]
        for place in range(first, first + n_here):
            arena[place + n_here] = sizes[arena[place]]
    return free


@inner_kernel
def _root(roots: Ints, item: int) -> int:
    while roots[item] != item:
        roots[item] = roots[roots[item]]
        item = roots[item]
    return item
