"""The compiled search: a function for each width of frame, and a loop that enters and leaves frames.

Read `kernel_frame.py` first, which defines frames, rows and counted items, then `kernel_step.py` (scans).

    frame 0 (any width) --ENTER--> frame 1 (8 words, say) --ENTER--> frame 2 (2 words) ...
            <--LEAVE--                              <--LEAVE--

Algorithm in one frame: D. E. Knuth's Algorithm X with options as bits ("Dancing Links", 2000; The Art of
Computer Programming 4B, 7.2.2.1). The live options of a child are `live & ~conflicts[option]`. Then the live
options of the rows of open items are counted:

    a row without live options    the child is dead
    every row with exactly one    in frame 0, FINISH: all live options are chosen, without counting again
    a row with exactly one        FORCE: its option is chosen without a decision, a node or a level
    otherwise                     a new level: the options of the first row with the fewest are to be tried

Before a new level, options with dead colours may be ruled out, see `kernel_support.py`. Then the rows are
counted again.

Counted items (those not covered exactly once) are covered as in Algorithm M there: the options of an item are
tried in increasing order, and an option that was tried is no longer live when the next one is tried, so no
set of options is found twice. If no item must be covered again, a solution is written, and then any live
option is tried in the same way.

Left out on purpose: symmetry; and entering a further narrow frame whenever that halves the words of a scan.
Most such frames are left after a few nodes. So the search enters one only if it would have saved time at the
earlier levels with as many open items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, WORD_SHIFT, ZERO, Word, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.covers.bitset.kernel_enter import enter_frame
from rekkyo.engines.covers.bitset.kernel_frame import (
    HEAD_BASE,
    HEAD_LENGTH,
    HEAD_WIDTH,
    N_FRAMES,
    NARROW,
    STATE_CHOSEN,
    STATE_FRAME,
    STATE_FRESH,
    STATE_LEVEL,
    STATE_NODES,
    Cursor,
    Tables,
    has_counts,
    width_for,
)
from rekkyo.engines.covers.bitset.kernel_step import (
    COUNT_SHIFT,
    ROW_MASK,
    Frame,
    choose_narrow,
    choose_wide,
    current_frame,
    fill_choices,
    first_of_row,
    first_word,
    give_back,
    scan_narrow,
    scan_wide,
    take_choice,
    use_up,
    write_row,
)
from rekkyo.engines.covers.bitset.kernel_support import drop_unsupported, is_worth_looking
from rekkyo.engines.out import Out, n_rows_of
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

LEAVE, ENTER = 8, 9
TRY, COUNT, FORCE, FINISH, BRANCH = range(5)
"""Steps: choose the next option to be tried at the level; only count the live options (at the beginning of a
shard, or after some were ruled out); choose the only option of a row; choose all live options, one after the
other; make a new level."""

LAST_FRAME = np.uint64(N_FRAMES - 1)

FEW_VISITS = np.uint64(8)
"""After fewer finished levels with as many open items, no further narrow frame is entered."""
ENTRY_OPTIONS = np.uint64(20)
ENTRY_WORDS = np.uint64(128)
"""Entering a frame is assumed to cost as much as scanning 128 words for each live option and for 20 more.

With 32 to 256 words, eleven covers took within 5 % of the same time.
"""


@inner_kernel
def search_frame(  # noqa: PLR0912, PLR0915 - one loop, for speed
    lanes: Any,
    tables: Tables,
    cursor: Cursor,
    out: Out,
    last_frame: Word,
    budget: Word,
    found: Word,
    nodes: Word,
) -> Any:
    """Continue the search in the current frame; returns (event, found, nodes, branch).

    lanes : a tuple with the numbers of the frame's words; None for frame 0. The compiler knows its length, so
            it unrolls every loop over words.
    cursor : in and out. out: see `list_solutions`. budget: the most nodes.
    last_frame : the frame from which no narrower one is entered.
    found, nodes : the numbers so far in this call; the numbers returned include them.
    event : a status; or LEAVE after the last node of the frame; or ENTER if the level just made should move
            into a narrower frame. Then `branch` is the row of this frame that the level branches on.
    """
    state, heights, opens, counted = cursor.state, cursor.heights, cursor.opens, cursor.counted
    frame = current_frame(lanes, tables, cursor)
    level, earlier = state[STATE_LEVEL], state[STATE_NODES]
    event, branch, n_rows = LEAVE, ZERO, np.uint64(n_rows_of(out))
    n_open, n_chosen = opens[level], state[STATE_CHOSEN]
    at = child = level * frame.pitch + frame.pitch
    number, step = ZERO, COUNT if state[STATE_FRESH] != ZERO else TRY
    state[STATE_FRESH] = ZERO
    while True:
        if step == TRY:
            level, word = _level_with_choice(tables, cursor, frame, level, n_chosen, earlier + nodes)
            n_chosen, n_open = heights[level], opens[level]
            if word == frame.words or nodes >= budget:
                event = LEAVE if word == frame.words else OUT_OF_BUDGET
                break
            nodes += ONE
            at = level * frame.pitch
            child = at + frame.pitch
            number = take_choice(frame, counted, at, word)

        if step != COUNT:
            n_open -= _choose(lanes, tables, cursor, frame, at, child, number, n_chosen)
            n_chosen += ONE

        if n_open == ZERO:
            level = _write(tables, cursor, frame, out, found, child, level, n_chosen, earlier + nodes)
            step, found = TRY, found + ONE
            if found < n_rows:
                continue
            event = BUFFER_FULL
            break

        if step != FINISH:
            step, row = _next_step(lanes, tables, cursor, frame, child, n_open)
            if step == BRANCH:
                n_live = fill_choices(tables, counted, frame, child, row)
                step = COUNT
                if not _has_dropped(tables, cursor, frame, child, n_open):
                    step, level = TRY, level + ONE
                    _begin_level(cursor, level, n_chosen, n_open, earlier + nodes)
                    if frame.number < last_frame and _enters(cursor, frame, n_live, n_open):
                        event, branch = ENTER, row
                        break
            if step <= COUNT:
                continue
            if step == FORCE:
                number = first_of_row(frame, child, row)

        at = child
        if step == FINISH:
            word = first_word(frame.live, child, frame.words)
            if word == frame.words:
                step = TRY
                continue
            number = (word << WORD_SHIFT) + lowest_index(frame.live[child + word])

    state[STATE_LEVEL], state[STATE_CHOSEN] = level, n_chosen
    return event, found, nodes, branch


@inlined_inner_kernel
def _level_with_choice(
    tables: Tables, cursor: Cursor, frame: Frame, level: Word, n_chosen: Word, nodes: Word
) -> Any:
    """Leave finished levels of the frame; returns the level and its first word with a choice.

    That is `frame.words` if all levels of the frame are finished.
    """
    base = cursor.heads[frame.number * HEAD_LENGTH + HEAD_BASE]
    while True:
        if has_counts(cursor.counted):
            give_back(tables, cursor, cursor.heights[level], n_chosen)
        word = first_word(frame.choices, level * frame.pitch, frame.words)
        if word != frame.words:
            return level, word
        n_chosen, n_open = cursor.heights[level], cursor.opens[level]
        cursor.weights[n_open] += nodes - cursor.began[level]
        cursor.visits[n_open] += ONE
        if level == base:
            return level, word
        level -= ONE


@inlined_inner_kernel
def _choose(
    lanes: Any,
    tables: Tables,
    cursor: Cursor,
    frame: Frame,
    at: Word,
    child: Word,
    number: Word,
    n_chosen: Word,
) -> Any:
    """Choose an option of the frame after n_chosen others; returns how many open items it covers."""
    option = frame.origins[frame.origins_at + number]
    if lanes is None:
        choose_wide(tables, frame.live, at, child, option, cursor.counted.firsts[option])
    else:
        choose_narrow(tables, cursor, frame, at, child, number, option)
    cursor.chosen[n_chosen] = option
    n_covered = tables.sizes[option]
    if has_counts(cursor.counted):
        n_covered += use_up(tables, cursor, frame, child, number, option)
    return n_covered


@inlined_inner_kernel
def _next_step(
    lanes: Any, tables: Tables, cursor: Cursor, frame: Frame, at: Word, n_open: Word
) -> tuple[int, Word]:
    """The step that follows from a scan of the live options from `at` on, and the row that it is about.

    FINISH: every open item has one live option, but two of these may conflict on a secondary item.
    """
    if lanes is None:
        counted = cursor.counted
        best, n_alive, n_left = scan_wide(tables, frame.live, at, cursor.counts, counted.later)
        if n_alive < n_open:
            return TRY, ZERO
        if n_left == n_open and counted.optional.shape[0] == 0:
            return FINISH, ZERO
    else:
        best = scan_narrow(lanes, tables, cursor, frame, at)
    count, row = best >> COUNT_SHIFT, best & ROW_MASK
    if count == ZERO:
        return TRY, row
    return FORCE if count == ONE else BRANCH, row


@inlined_inner_kernel
def _begin_level(cursor: Cursor, level: Word, n_chosen: Word, n_open: Word, nodes: Word) -> None:
    """Store the state at which a level begins."""
    cursor.heights[level], cursor.opens[level], cursor.began[level] = n_chosen, n_open, nodes


@inlined_inner_kernel
def _has_dropped(tables: Tables, cursor: Cursor, frame: Frame, at: Word, n_open: Word) -> bool:
    """Rule out live options with dead colours where that is worth looking for; whether there were any."""
    asks = tables.asks
    return is_worth_looking(asks, n_open) and drop_unsupported(
        asks, frame.live, at, frame.words, frame.origins, frame.origins_at, cursor.supported
    )


@inlined_inner_kernel
def _write(
    tables: Tables,
    cursor: Cursor,
    frame: Frame,
    out: Out,
    row: Word,
    at: Word,
    level: Word,
    n_chosen: Word,
    nodes: Word,
) -> Word:
    """Write a solution to a row of `out`.

    If live options are left, which optional items allow, make a level that tries them. Returns the level.
    """
    if cursor.counted.optional.shape[0] != 0:
        level = _may_choose_more(cursor, frame, at, level, n_chosen, nodes)
    write_row(cursor, n_chosen, max(ONE, np.uint64(tables.sizes.shape[0])), out, row)
    return level


@inner_kernel
def _may_choose_more(
    cursor: Cursor, frame: Frame, at: Word, level: Word, n_chosen: Word, nodes: Word
) -> Word:
    """At a solution: make a level at which all live options are to be tried, if any; returns the level."""
    if first_word(frame.live, at, frame.words) == frame.words:
        return level
    for index in range(frame.words):
        word = np.uint64(index)
        frame.choices[at + word] = frame.live[at + word]
    level += ONE
    _begin_level(cursor, level, n_chosen, ZERO, nodes)
    return level


@inner_kernel
def _enters(cursor: Cursor, frame: Frame, n_live: Word, n_open: Word) -> bool:
    """Whether a narrower frame saves more than it costs, by the earlier levels with as many open items.

    The first narrow frame always does.
    """
    if n_live > NARROW:
        return False
    if frame.number == ZERO:
        return True
    weight, n_visits = cursor.weights[n_open], cursor.visits[n_open]
    width = width_for(n_live)
    if width == frame.words or n_visits < FEW_VISITS:
        return False
    return bool((frame.words - width) * n_open * weight >= (n_live + ENTRY_OPTIONS) * ENTRY_WORDS * n_visits)


LANES_1, LANES_2 = (ZERO,), (ZERO, ONE)
LANES_4 = (ZERO, ONE, np.uint64(2), np.uint64(3))
LANES_8 = (*LANES_4, np.uint64(4), np.uint64(5), np.uint64(6), np.uint64(7))
TWO, FOUR = np.uint64(2), np.uint64(4)


@kernel
def list_in_frame_0(tables: Tables, cursor: Cursor, out: Out, budget: int) -> Any:
    """As `list_solutions`, without narrow frames: half as fast, but compiled in a third of the time."""
    found, nodes, most = ZERO, ZERO, np.uint64(budget)
    event, found, nodes, _ = search_frame(None, tables, cursor, out, ZERO, most, found, nodes)
    cursor.state[STATE_NODES] += nodes
    return (DONE if event == LEAVE else event), found, nodes


@kernel
def list_solutions(tables: Tables, cursor: Cursor, out: Out, budget: int) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes).

    A node is an option tried for an item that had two or more left.
    out : out. Chosen options in increasing order, then the filler.
    """
    state = cursor.state
    found, nodes, most = ZERO, ZERO, np.uint64(budget)
    while True:
        frame = state[STATE_FRAME]
        width = cursor.heads[frame * HEAD_LENGTH + HEAD_WIDTH]
        common = (tables, cursor, out, LAST_FRAME, most, found, nodes)
        if frame == ZERO:
            event, found, nodes, branch = search_frame(None, *common)
        elif width == ONE:
            event, found, nodes, branch = search_frame(LANES_1, *common)
        elif width == TWO:
            event, found, nodes, branch = search_frame(LANES_2, *common)
        elif width == FOUR:
            event, found, nodes, branch = search_frame(LANES_4, *common)
        else:
            event, found, nodes, branch = search_frame(LANES_8, *common)
        if event == ENTER:
            enter_frame(tables, cursor, state[STATE_LEVEL], branch)
        elif event == LEAVE and frame != ZERO:
            state[STATE_FRAME] -= ONE
            state[STATE_LEVEL] -= ONE
        else:
            state[STATE_NODES] += nodes
            return DONE if event == LEAVE else event, found, nodes
