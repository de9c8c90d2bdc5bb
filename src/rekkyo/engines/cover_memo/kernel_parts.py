"""Compiled parts of memoised branching: which item comes next, and what a choice leaves open.

A header in the arena is four numbers: where the options of a component are and how many, where its items are
and how many; behind the items stand their sizes, in how many open options each is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.cover_memo.plan import ANY_NUMBER, Ints
from rekkyo.jit import kernel

Longs = NDArray[np.int64]

OPTIONS, N_OPTIONS, ITEMS, N_ITEMS, CHOICES, N_CHOICES, NEXT, LAST, CHOSEN, TOP, IS_REMEMBERED = range(11)

NO_OPTION = -1


@kernel
def fewest(low: Ints, times: Ints, arena: Ints, header: int) -> Any:
    """The item of a component to cover next, its number of choices, and whether it must be covered.

    The item with the fewest choices that must be covered, the lowest of them; else any with the fewest.
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


@kernel
def list_choices(use_at: Ints, items: Ints, arena: Ints, header: int, chosen: int, free: int) -> int:
    """Write the options of a component that cover an item to where the arena is free; returns how many."""
    n_found = 0
    for place in range(arena[header], arena[header] + arena[header + 1]):
        option = arena[place]
        for use in range(use_at[option], use_at[option + 1]):
            if items[use] == chosen:
                arena[free + n_found] = option
                n_found += 1
                break
    return n_found


@kernel
def mark(
    use_at: Ints,
    items: Ints,
    colors: Ints,
    high: Ints,
    times: Ints,
    marks: Longs,
    shut: Longs,
    arena: Ints,
    branch: Longs,
    depth: int,
    stamp: int,
) -> None:
    """Shut the items of a choice that are covered now, and the options that it passes over."""
    chosen = branch[depth, CHOSEN]
    first = branch[depth, CHOICES]
    n_passed = branch[depth, N_CHOICES]
    if chosen != NO_OPTION:
        n_passed = branch[depth, NEXT]
        for use in range(use_at[chosen], use_at[chosen + 1]):
            item = items[use]
            times[item] += 1
            if times[item] >= high[item] or high[item] == ANY_NUMBER:
                marks[item, 0] = stamp
                marks[item, 1] = colors[use]
    for place in range(first, first + n_passed):
        shut[arena[place]] = stamp


@kernel
def narrow(  # noqa: PLR0912, PLR0915
    use_at: Ints,
    items: Ints,
    colors: Ints,
    low: Ints,
    times: Ints,
    marks: Longs,
    shut: Longs,
    work: Ints,
    arena: Ints,
    branch: Longs,
    depth: int,
    stamp: int,
    top: int,
) -> Any:
    """What a choice leaves open, in components; returns how many, and where the arena is free then.

    -1 when an item is left that cannot be covered often enough.
    """
    options_at, n_options = branch[depth, OPTIONS], branch[depth, N_OPTIONS]
    items_at, n_items = branch[depth, ITEMS], branch[depth, N_ITEMS]
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        work[0, item] = 0
        work[1, item] = item
        work[2, item] = -1
    # The options go above the largest set of headers.
    room_for_headers = 4 * n_items
    open_at = top + room_for_headers
    n_open = 0
    for place in range(options_at, options_at + n_options):
        option = arena[place]
        is_open = shut[option] != stamp
        if is_open:
            for use in range(use_at[option], use_at[option + 1]):
                item = items[use]
                if marks[item, 0] == stamp and (marks[item, 1] == 0 or marks[item, 1] != colors[use]):
                    is_open = False
                    break
        if is_open:
            arena[open_at + n_open] = option
            n_open += 1
            first = _root(work, items[use_at[option]])
            for use in range(use_at[option], use_at[option + 1]):
                item = items[use]
                work[0, item] += 1
                other = _root(work, item)
                if other != first:
                    work[1, other] = first
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        if work[0, item] < low[item] - times[item]:
            return -1, top
    if n_open == 0:
        return 0, top
    # Labels of components, in the order of their first items.
    n_components = 0
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        if work[0, item] > 0:
            root = _root(work, item)
            if work[2, root] < 0:
                work[2, root] = n_components
                header = top + 4 * n_components
                arena[header + 1] = 0
                arena[header + 3] = 0
                n_components += 1
            arena[top + 4 * work[2, root] + 3] += 1
    free = open_at + n_open
    if n_components == 1:
        arena[top] = open_at
        arena[top + 1] = n_open
    else:
        for place in range(open_at, open_at + n_open):
            label = work[2, _root(work, items[use_at[arena[place]]])]
            arena[top + 4 * label + 1] += 1
        for label in range(n_components):
            header = top + 4 * label
            arena[header] = free
            free += arena[header + 1]
            arena[header + 1] = 0
        for place in range(open_at, open_at + n_open):
            header = top + 4 * work[2, _root(work, items[use_at[arena[place]]])]
            arena[arena[header] + arena[header + 1]] = arena[place]
            arena[header + 1] += 1
    for label in range(n_components):
        header = top + 4 * label
        arena[header + 2] = free
        free += 2 * arena[header + 3]
        arena[header + 3] = 0
    for place in range(items_at, items_at + n_items):
        item = arena[place]
        if work[0, item] > 0:
            header = top + 4 * work[2, _root(work, item)]
            arena[arena[header + 2] + arena[header + 3]] = item
            arena[header + 3] += 1
    for label in range(n_components):
        header = top + 4 * label
        first, n_here = arena[header + 2], arena[header + 3]
        for place in range(first, first + n_here):
            arena[place + n_here] = work[0, arena[place]]
    return n_components, free


@kernel
def _root(work: Ints, item: int) -> int:
    while work[1, item] != item:
        work[1, item] = work[1, work[1, item]]
        item = work[1, item]
    return item
