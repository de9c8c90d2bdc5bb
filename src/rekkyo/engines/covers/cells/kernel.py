"""Compiled search for exact covers with dancing cells.

Algorithm: each item keeps the options that may still be chosen in a sparse set, and an option leaves all its
sets by being swapped behind their ends. Take the item that leaves the fewest ways (the lowest item among
equals) and in it the option with the lowest number. First choose that option and search on, then reject it
and pick an item anew. Both branches only take options away, so going back means putting sizes back; the
swaps stay. Source: Knuth's program SSXCC (2020-23) and The Art of Computer Programming 4B, 7.2.2.1 and
7.2.2.3; bounds as in Algorithm M there: a rejected option stays out, so no set of options is found twice.

Everything that a decision depends on (sizes, item numbers, lowest option) is a function of the decisions
before it and not of the order inside a sparse set. So nodes and the order of rows depend neither on where a
search is paused nor on how it is cut into shards.

Left out on purpose: weights, stronger propagation, and counting without rows.

Numba counts a reference for each array of a tuple whenever a kernel is handed the tuple. So only the three
kernels that Python calls take tuples, and the helpers take the arrays that they need: with tuples and one
helper per swap, pentominoes on 8x8 without the centre took 20.4 s instead of 0.73 s, and dominoes on 6x8
1.52 s instead of 0.14 s.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.contract import Status
from rekkyo.engines.covers.cells.state import (
    CHOSEN,
    CLOSED_AT,
    COLOR,
    DEPTH,
    FIRST_DEPTH,
    IS_DONE,
    ITEM,
    MARK,
    NEED,
    OPEN,
    OPTION,
    ROOM,
    SIZE,
    START,
    TRAIL_TOP,
    Cover,
    Cursor,
    Ints,
    Words,
)
from rekkyo.jit import kernel

DONE = int(Status.DONE)
OUT_OF_BUDGET = int(Status.OUT_OF_BUDGET)
BUFFER_FULL = int(Status.BUFFER_FULL)

NO_ITEM = -1
NO_OPTION = -1
NO_WAYS = 1 << 40


@kernel
def list_solutions(cover: Cover, cursor: Cursor, out: NDArray[np.uint8], budget: int) -> Any:
    """Search on from the cursor; returns (status, found, nodes). A node is an option chosen.

    out : uint8 | uint16 | uint32 [n_rows, length], out. Options in increasing order, then the filler.
    """
    uses, option_start, optional = cover
    cells, place, items, needy, trail, levels, state = cursor
    depth, top = state[DEPTH], state[TRAIL_TOP]
    is_alive = state[IS_DONE] == 0
    found = nodes = 0
    while is_alive and found < out.shape[0] and nodes < budget:
        item = pick_item(optional, items, needy)
        if item == NO_ITEM:
            write_row(levels, depth, max(1, option_start.shape[0] - 1), out, found)
            found += 1
            is_alive = False
        else:
            option = lowest_option(uses, cells, items, item)
            is_alive, top = choose(
                uses, option_start, cells, place, items, needy, trail, top, levels, depth, option
            )
            depth += 1
            nodes += 1
        # Back to the nearest level where something is left after rejecting the option chosen there.
        while not is_alive and depth > state[FIRST_DEPTH]:
            depth -= 1
            top = undo(uses, option_start, items, needy, trail, top, levels, depth)
            is_alive, top = reject(uses, option_start, cells, place, items, trail, top, levels[depth, CHOSEN])
    state[DEPTH], state[TRAIL_TOP] = depth, top
    if not is_alive:
        state[IS_DONE] = 1
        return DONE, found, nodes
    return BUFFER_FULL if found == out.shape[0] else OUT_OF_BUDGET, found, nodes


@kernel
def replay(cover: Cover, cursor: Cursor, prefix: Ints) -> Any:
    """Take the decisions of a shard's prefix again, see `plan.split`; False when the search has none such.

    prefix : int32[n], in. Options to choose; the number of options: reject all that are left.
    The cursor is new.
    """
    uses, option_start, optional = cover
    cells, place, items, needy, trail, levels, state = cursor
    n_options = option_start.shape[0] - 1
    depth = top = 0
    for wanted in prefix:
        option = NO_OPTION
        while option != wanted:
            item = pick_item(optional, items, needy)
            if item == NO_ITEM:
                option = n_options
                break
            option = lowest_option(uses, cells, items, item)
            if option != wanted:
                is_alive, top = reject(uses, option_start, cells, place, items, trail, top, option)
            else:
                is_alive, top = choose(
                    uses, option_start, cells, place, items, needy, trail, top, levels, depth, option
                )
                depth += 1
            if not is_alive:
                return False
        if option != wanted:
            return False
    state[DEPTH], state[FIRST_DEPTH], state[TRAIL_TOP] = depth, depth, top
    return True


@kernel
def list_decisions(cover: Cover, cursor: Cursor, out: Ints) -> Any:
    """The decisions below the cursor that do not fail at once; returns (how many, nodes).

    out : int32[n_options + 1], out. The options to choose, in the order of the search, and n_options last
          when rejecting all of them leaves a solution. None and no nodes: the cursor is at a solution.
    The cursor is used up.
    """
    uses, option_start, optional = cover
    cells, place, items, needy, trail, levels, state = cursor
    depth, top = state[DEPTH], state[TRAIL_TOP]
    found = nodes = 0
    item = pick_item(optional, items, needy)
    while item != NO_ITEM:
        option = lowest_option(uses, cells, items, item)
        nodes += 1
        is_alive, top = choose(
            uses, option_start, cells, place, items, needy, trail, top, levels, depth, option
        )
        if is_alive:
            out[found] = option
            found += 1
        top = undo(uses, option_start, items, needy, trail, top, levels, depth)
        is_alive, top = reject(uses, option_start, cells, place, items, trail, top, option)
        if not is_alive:
            return found, nodes
        item = pick_item(optional, items, needy)
    if nodes > 0:
        out[found] = option_start.shape[0] - 1
        found += 1
    return found, nodes


# The helpers take arrays of `Cover` and `Cursor` by their names there; top is the end of the trail.


@kernel
def pick_item(optional: Ints, items: Ints, needy: Words) -> Any:
    """The item with the fewest ways to cover it once more, NO_ITEM at a solution.

    When no item has to be covered any more, an item that may be: rejecting all its options is one way.
    """
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
        for item in optional:
            if items[item, CLOSED_AT] == OPEN and items[item, SIZE] > 0:
                return np.int64(item)
    return best


@kernel
def lowest_option(uses: Ints, cells: Ints, items: Ints, item: int) -> Any:
    """The lowest option that can still be chosen for the item; there is one."""
    start = items[item, START]
    use = cells[start]
    for cell in range(start + 1, start + items[item, SIZE]):
        use = min(use, cells[cell])
    return uses[use, OPTION]


@kernel
def choose(
    uses: Ints,
    option_start: Ints,
    cells: Ints,
    place: Ints,
    items: Ints,
    needy: Words,
    trail: Ints,
    top: int,
    levels: Ints,
    depth: int,
    option: int,
) -> Any:
    """Choose an option at a depth; returns (is_alive, top).

    Not alive: an item can no longer be covered often enough. Part of the work is done, ready for undo.
    """
    levels[depth, CHOSEN] = option
    levels[depth, MARK] = top
    first, end = option_start[option], option_start[option + 1]
    for use in range(first, end):
        item = uses[use, ITEM]
        items[item, ROOM] -= 1
        items[item, NEED] -= 1
        if items[item, NEED] == 0:
            needy[item >> 6] &= ~(ONE << np.uint64(item & 63))
    is_alive, top = reject(uses, option_start, cells, place, items, trail, top, option)
    for use in range(first, end):
        item, color = uses[use, ITEM], uses[use, COLOR]
        if items[item, ROOM] <= 0 and items[item, CLOSED_AT] == OPEN:
            items[item, CLOSED_AT] = depth
            start, behind = items[item, START], items[item, START] + items[item, SIZE]
            is_alive, top = drop(uses, option_start, cells, place, items, trail, top, start, behind, color)
            if not is_alive:
                break
    return is_alive, top


@kernel
def reject(
    uses: Ints, option_start: Ints, cells: Ints, place: Ints, items: Ints, trail: Ints, top: int, option: int
) -> Any:
    """Rule an option out from the present level on; returns (is_alive, top)."""
    cell = place[option_start[option]]
    return drop(uses, option_start, cells, place, items, trail, top, cell, cell + 1, 0)


@kernel
def drop(
    uses: Ints,
    option_start: Ints,
    cells: Ints,
    place: Ints,
    items: Ints,
    trail: Ints,
    top: int,
    first: int,
    behind: int,
    color: int,
) -> Any:
    """Take options out of the sets of their open items: those of some cells, all but the ones of a colour.

    first … behind - 1: the cells, all of one closed item, or a single one. color: 0 spares no option.
    Returns (is_alive, top); not alive: an item can no longer be covered often enough, work is half done.
    """
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
                return False, top
    return True, top


@kernel
def undo(
    uses: Ints,
    option_start: Ints,
    items: Ints,
    needy: Words,
    trail: Ints,
    top: int,
    levels: Ints,
    depth: int,
) -> Any:
    """Everything as it was before the option at a depth was chosen, but for swaps; returns top."""
    option, mark = levels[depth, CHOSEN], levels[depth, MARK]
    for entry in range(mark, top):
        items[trail[entry], SIZE] += 1
    for use in range(option_start[option], option_start[option + 1]):
        item = uses[use, ITEM]
        if items[item, CLOSED_AT] == depth:
            items[item, CLOSED_AT] = OPEN
        if items[item, NEED] == 0:
            needy[item >> 6] |= ONE << np.uint64(item & 63)
        items[item, NEED] += 1
        items[item, ROOM] += 1
    return np.int64(mark)


@kernel
def write_row(levels: Ints, depth: int, filler: int, out: NDArray[np.uint8], found: int) -> None:
    """Write the chosen options into out[found] in increasing order (Shell's sort), and the filler."""
    for column in range(out.shape[1]):
        out[found, column] = levels[column, CHOSEN] if column < depth else filler
    gap = 1
    while gap < depth // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for column in range(gap, depth):
            option = out[found, column]
            hole = column
            while hole >= gap and out[found, hole - gap] > option:
                out[found, hole] = out[found, hole - gap]
                hole -= gap
            out[found, hole] = option
        gap //= 3
