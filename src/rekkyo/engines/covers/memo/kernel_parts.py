"""Compiled parts of memoised branching: which item comes next, and what a choice leaves open.

A header in the arena is four numbers: where the options of a component are and how many, where its items are
and how many; behind the items stand their sizes, in how many open options each is.
"""

from __future__ import annotations

from typing import Any

from rekkyo.engines.covers.memo.plan import ANY_NUMBER, Cover, Ints, Longs, Marks, Parts
from rekkyo.jit import kernel

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
def list_choices(cover: Cover, arena: Ints, header: int, chosen: int, free: int) -> int:
    """Write the options of a component that cover an item to where the arena is free; returns how many."""
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


@kernel
def mark(cover: Cover, marks: Marks, arena: Ints, branch: Longs, depth: int, stamp: int) -> None:
    """Shut the items of a choice that are covered now, and the options that it passes over."""
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


@kernel
def keep_open(
    cover: Cover, marks: Marks, sizes: Ints, arena: Ints, branch: Longs, depth: int, stamp: int, open_at: int
) -> int:
    """Write the options that a choice leaves open; returns how many.

    -1 when an item is left that cannot be covered often enough.
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


@kernel
def part(
    cover: Cover, parts: Parts, arena: Ints, branch: Longs, depth: int, top: int, open_at: int, n_open: int
) -> Any:
    """Put open options into components, headers at `top`; returns how many, and where the arena is free.

    Items are joined until all are one, which is seen after few options.
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
    # Labels, in the order of the first items of components.
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


@kernel
def _list_items(
    parts: Parts, arena: Ints, items_at: int, n_items: int, top: int, n_labels: int, free: int
) -> int:
    """Write the items of components, and their sizes behind them; returns where the arena is free then."""
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


@kernel
def _root(roots: Ints, item: int) -> int:
    while roots[item] != item:
        roots[item] = roots[roots[item]]
        item = roots[item]
    return item
