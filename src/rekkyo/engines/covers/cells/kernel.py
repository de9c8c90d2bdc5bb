"""Compiled search for exact covers with dancing cells.

Algorithm: for each item, the options that may still be chosen are a sparse set. An option is removed from its
sets by swapping it behind their ends. Take the item with the fewest ways to cover it (the lowest one among
equals) and its option with the lowest number. First choose that option and search below; then reject it and
pick an item again. Both branches only remove options, so backtracking restores the sizes of the sets, and
swaps are not undone. Source: Knuth's program SSXCC (2020-23) and The Art of Computer Programming 4B, 7.2.2.1
and 7.2.2.3. Bounds are as in Algorithm M there: a rejected option stays out, so no set of options is found
twice.

A decision depends only on sizes, item numbers and lowest options, which follow from the decisions before it
and not from the order inside a sparse set. So nodes and the order of rows do not depend on pauses and shards.

Left out on purpose: weights, stronger propagation, and counting without rows.

A *use* is one item in one option. Uses are numbered option by option; `cells` has their numbers item by item,
and those of one item are one sparse set:

    uses    | option 0 | option 1    | option 2 | …         bounded by option_start
    cells   | item 0              | item 1   | item 2 | …   bounded by items[:, START]
                └ size ┘└ gone ┘

An item is closed if it must not be covered again, or not in another colour: a primary item that is covered as
often as it may be, or a secondary item that is used. Its other options are removed when it is closed, and its
set is not changed while it is closed.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.out import Out, n_rows_of
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

OPEN = -1

# Columns of Cover.uses.
ITEM, COLOR, OPTION = 0, 1, 2
# Columns of Cursor.items.
START, SIZE, NEED, ROOM, CLOSED_AT = 0, 1, 2, 3, 4
# Columns of Cursor.levels.
CHOSEN, MARK = 0, 1
# Places in Cursor.state.
DEPTH, FIRST_DEPTH, TRAIL_TOP, IS_DONE = 0, 1, 2, 3

Ints: TypeAlias = NDArray[np.int32]


class Cover(NamedTuple):
    """The model as arrays. A search does not change them.

    uses         : int32[n_uses, 3]. The item of a use, its colour (0 for none) and its option.
    option_start : int32[n_options + 1]. The uses of option o are option_start[o] … option_start[o + 1] - 1.
    optional     : int32[k]. The primary items with low < high, in increasing order.
    """

    uses: Ints
    option_start: Ints
    optional: Ints


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    cells  : int32[n_uses]. The sparse sets of the items, see the drawing above.
    place  : int32[n_uses]. The cell of a use: cells[place[use]] == use.
    items  : int32[n_items, 5]. For each item
             START      the first of its cells; never changed,
             SIZE       the number of its options that may still be chosen,
             NEED       how many more times it must be covered; 0 or less if it need not be,
             ROOM       how many more times it may be covered; 1 for a secondary item that is not used,
             CLOSED_AT  the depth at which it was closed; OPEN if it is not closed.
    needy  : uint64[ceil(n_primary / 64)]. Bit i % 64 of word i // 64: item i has NEED > 0.
    trail  : int32[n_uses]. The items whose SIZE was lowered by one, in that order.
    levels : int32[length + 1, 2]. The option chosen at a depth, and the beginning of its part of the trail.
    state  : int64[4]. The depth, the first depth that this shard decides, the end of the trail, whether done.
    """

    cells: Ints
    place: Ints
    items: Ints
    needy: Words
    trail: Ints
    levels: Ints
    state: NDArray[np.int64]


NO_ITEM = -1
NO_WAYS = 1 << 40

NO_COLOR: Any = np.int32(0)
"""Of the type of all colours, so that functions are compiled once."""

MANY = 1 << 12


@kernel
def list_solutions(cover: Cover, cursor: Cursor, out: Out, budget: int) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is an option chosen.

    out : rows of any type, out. Options in increasing order, then the filler.
    """
    state = cursor.state
    is_alive = state[IS_DONE] == 0
    found = nodes = 0
    n_rows = n_rows_of(out)
    while is_alive and found < n_rows and nodes < budget:
        item = pick_item(cover, cursor)
        if item == NO_ITEM:
            write_row(cover, cursor, out, found)
            found += 1
            is_alive = False
        else:
            is_alive = choose(cover, cursor, lowest_option(cover, cursor, item))
            nodes += 1
        # Backtrack to the deepest level that may have a solution after its chosen option is rejected.
        while not is_alive and state[DEPTH] > state[FIRST_DEPTH]:
            undo(cover, cursor)
            is_alive = reject(cover, cursor, cursor.levels[state[DEPTH], CHOSEN])
    if not is_alive:
        state[IS_DONE] = 1
        return DONE, found, nodes
    return BUFFER_FULL if found == n_rows else OUT_OF_BUDGET, found, nodes


@kernel
def replay(cover: Cover, cursor: Cursor, prefix: Ints) -> Any:
    """Make the decisions of a shard's prefix, see `CoverCells.split`; False if the plan has no such shard.

    prefix : int32[n], in. Options to choose; the number of options means that all that are left are rejected.
    The cursor must be new. It is done afterwards if the last choice leaves an item without enough options.
    """
    items, state = cursor.items, cursor.state
    n_options = cover.option_start.shape[0] - 1
    for index in range(prefix.shape[0]):
        wanted, is_there = prefix[index], False
        if state[IS_DONE] != 0 or wanted < 0 or wanted > n_options:
            return False
        while not is_there:
            item = pick_item(cover, cursor)
            if item == NO_ITEM:
                break
            # An item is picked again until it has no option left, so the order of rejecting does not matter.
            start = items[item, START]
            for cell in range(start, start + items[item, SIZE]):
                is_there |= cover.uses[cursor.cells[cell], OPTION] == wanted
            cell = start
            while cell < start + items[item, SIZE]:
                option = cover.uses[cursor.cells[cell], OPTION]
                if is_there and option >= wanted:
                    cell += 1
                elif not reject(cover, cursor, option):
                    return False
        if is_there:
            state[IS_DONE] = not choose(cover, cursor, wanted)
        elif wanted != n_options:
            return False
    state[FIRST_DEPTH] = state[DEPTH]
    return True


@kernel
def list_decisions(cover: Cover, cursor: Cursor, out: Ints) -> Any:
    """List the decisions below the cursor that do not fail at once; returns (their number, nodes).

    out : int32[n_options + 1], out. The options to choose, in the order of the search, and n_options last
          if rejecting all of them leaves a solution. There are no nodes if the cursor is at a solution.
    Options of an item with more than MANY of them are not tried, because the time grows with the square of
    their number. The cursor cannot be used afterwards.
    """
    found = nodes = 0
    item = pick_item(cover, cursor)
    while item != NO_ITEM:
        first, size = found, cursor.items[item, SIZE]
        for index in range(size):
            out[first + index] = cover.uses[cursor.cells[cursor.items[item, START] + index], OPTION]
        sort(out, first, first + size)
        for index in range(first, first + size):
            option = out[index]
            nodes += 1
            is_alive = True
            if size <= MANY:
                is_alive = choose(cover, cursor, option)
                undo(cover, cursor)
            if is_alive:
                out[found] = option
                found += 1
            if not reject(cover, cursor, option):
                return found, nodes
        item = pick_item(cover, cursor)
    if nodes > 0:
        out[found] = cover.option_start.shape[0] - 1
        found += 1
    return found, nodes


@inlined_inner_kernel
def pick_item(cover: Cover, cursor: Cursor) -> Any:
    """The item with the fewest ways to cover it once more; NO_ITEM at a solution.

    If no item must be covered again, the first item that may be: rejecting all its options is then one way.
    """
    items, needy = cursor.items, cursor.needy
    best, fewest = np.int64(NO_ITEM), np.int64(NO_WAYS)
    for index in range(needy.shape[0]):
        word = needy[index]
        while word != ZERO:
            item = index * 64 + np.int64(lowest_index(word))
            ways = np.int64(items[item, SIZE]) - items[item, NEED] + 1
            if ways < fewest:
                best, fewest = item, ways
                if ways <= 1:
                    return best
            word &= word - ONE
    if best == NO_ITEM:
        for item in cover.optional:
            if items[item, CLOSED_AT] == OPEN and items[item, SIZE] > 0:
                return np.int64(item)
    return best


@inlined_inner_kernel
def lowest_option(cover: Cover, cursor: Cursor, item: int) -> Any:
    """The lowest option that may still be chosen for an item, which must have one."""
    start = cursor.items[item, START]
    use = cursor.cells[start]
    for cell in range(start + 1, start + cursor.items[item, SIZE]):
        use = min(use, cursor.cells[cell])
    return cover.uses[use, OPTION]


@inlined_inner_kernel
def choose(cover: Cover, cursor: Cursor, option: int) -> Any:
    """Choose an option and go one level down; False if an item can no longer be covered often enough.

    In that case the work is incomplete, but `undo` can undo it.
    """
    uses, items = cover.uses, cursor.items
    depth = cursor.state[DEPTH]
    cursor.levels[depth, CHOSEN] = option
    cursor.levels[depth, MARK] = cursor.state[TRAIL_TOP]
    cursor.state[DEPTH] = depth + 1
    first, end = cover.option_start[option], cover.option_start[option + 1]
    for use in range(first, end):
        item = uses[use, ITEM]
        items[item, ROOM] -= 1
        items[item, NEED] -= 1
        if items[item, NEED] == 0:
            cursor.needy[item >> 6] &= ~(ONE << np.uint64(item & 63))
    is_alive = reject(cover, cursor, option)
    for use in range(first, end):
        item = uses[use, ITEM]
        if items[item, ROOM] <= 0 and items[item, CLOSED_AT] == OPEN:
            items[item, CLOSED_AT] = depth
            start = items[item, START]
            is_alive = drop(cover, cursor, start, start + items[item, SIZE], uses[use, COLOR])
            if not is_alive:
                break
    return is_alive


@inlined_inner_kernel
def reject(cover: Cover, cursor: Cursor, option: int) -> Any:
    """Remove an option at the current level; returns the same as `drop`."""
    cell = cursor.place[cover.option_start[option]]
    return drop(cover, cursor, cell, cell + 1, NO_COLOR)


@inner_kernel
def drop(cover: Cover, cursor: Cursor, first: int, behind: int, color: int) -> Any:
    """Remove the options of some cells from the sets of their open items, except those of a colour.

    first … behind - 1: the cells, all of one closed item, or a single one. color: 0 for no exception.
    Returns False if an item can no longer be covered often enough. In that case the work is incomplete.
    """
    uses, option_start = cover.uses, cover.option_start
    cells, place, items, trail = cursor.cells, cursor.place, cursor.items, cursor.trail
    top = cursor.state[TRAIL_TOP]
    for cell in range(first, behind):
        rival = cells[cell]
        if color != 0 and uses[rival, COLOR] == color:
            continue
        option = uses[rival, OPTION]
        for use in range(option_start[option], option_start[option + 1]):
            item = uses[use, ITEM]
            if items[item, CLOSED_AT] != OPEN:
                continue
            size = items[item, SIZE] - 1
            last = items[item, START] + size
            hole, other = place[use], cells[last]
            cells[hole], place[other] = other, hole
            cells[last], place[use] = use, last
            items[item, SIZE] = size
            trail[top] = item
            top += 1
            if size < items[item, NEED]:
                cursor.state[TRAIL_TOP] = top
                return False
    cursor.state[TRAIL_TOP] = top
    return True


@inlined_inner_kernel
def undo(cover: Cover, cursor: Cursor) -> None:
    """Restore the state before the last option was chosen, except for the order in sparse sets."""
    items, state = cursor.items, cursor.state
    state[DEPTH] -= 1
    depth = state[DEPTH]
    option, mark = cursor.levels[depth, CHOSEN], cursor.levels[depth, MARK]
    for entry in range(mark, state[TRAIL_TOP]):
        items[cursor.trail[entry], SIZE] += 1
    for use in range(cover.option_start[option], cover.option_start[option + 1]):
        item = cover.uses[use, ITEM]
        if items[item, CLOSED_AT] == depth:
            items[item, CLOSED_AT] = OPEN
        if items[item, NEED] == 0:
            cursor.needy[item >> 6] |= ONE << np.uint64(item & 63)
        items[item, NEED] += 1
        items[item, ROOM] += 1
    state[TRAIL_TOP] = mark


@inner_kernel
def write_row(cover: Cover, cursor: Cursor, out: Out, found: int) -> None:
    """Write the chosen options into a row in increasing order, and then the filler."""
    if out.rows8.shape[0] > 0:
        _write_into(cover, cursor, out.rows8[found])
    elif out.rows16.shape[0] > 0:
        _write_into(cover, cursor, out.rows16[found])
    else:
        _write_into(cover, cursor, out.rows32[found])


@inner_kernel
def _write_into(cover: Cover, cursor: Cursor, row: NDArray[Any]) -> None:
    depth = cursor.state[DEPTH]
    filler = max(1, cover.option_start.shape[0] - 1)
    for column in range(row.shape[0]):
        row[column] = cursor.levels[column, CHOSEN] if column < depth else filler
    sort(row, 0, depth)


@inner_kernel
def sort(options: NDArray[Any], first: int, end: int) -> None:
    """Sort options[first] … options[end - 1] in increasing order (Shell's sort)."""
    gap = 1
    while gap < (end - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(first + gap, end):
            option = options[at]
            hole = at
            while hole >= first + gap and options[hole - gap] > option:
                options[hole] = options[hole - gap]
                hole -= gap
            options[hole] = option
        gap //= 3
