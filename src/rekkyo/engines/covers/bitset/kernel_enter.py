"""Makes a narrow frame from the live options of a level. `kernel_frame` defines frames and all arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, TWO, WORD_SHIFT, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.covers.bitset.kernel_frame import (
    HEAD_BASE,
    HEAD_LENGTH,
    HEAD_PRIMARY,
    HEAD_STRIDE,
    HEAD_WIDTH,
    NARROW,
    STATE_FRAME,
    STATE_ROWS,
    WIDTH,
    Cursor,
    Tables,
    drop_highest,
    has_counts,
    is_idle,
    open_words,
    width_for,
)
from rekkyo.jit import inner_kernel


@inner_kernel
def enter_frame(tables: Tables, cursor: Cursor, level: Word, branch: Word) -> None:
    """Make the next frame from the live options of a level of the current frame, and move the level into it.

    branch : the row of the current frame that the level branches on. All its live options are still to be
             tried, except the last `later` of a counted item.
    """
    parent = cursor.state[STATE_FRAME]
    frame = parent + ONE
    row_capacity = tables.shape[2]
    options_at, rows_at, table_at = frame * NARROW, frame * row_capacity, frame * row_capacity * WIDTH
    if parent == ZERO:
        words, live, at = tables.shape[0], cursor.wide_live, level * tables.shape[0]
        origins, origins_at = tables.same, ZERO
        sources, sources_at = tables.same, ZERO
    else:
        words, live, at = cursor.heads[parent * HEAD_LENGTH + HEAD_WIDTH], cursor.live, level * WIDTH
        origins, origins_at = cursor.origins, options_at - NARROW
        sources, sources_at = cursor.sources, rows_at - row_capacity

    n_options = _keep_options(live, at, words, origins, origins_at, cursor.origins, options_at)
    if parent == ZERO:
        n_primary, n_all = _keep_rows_of_all(tables, cursor, n_options)
    else:
        n_primary, n_all = _keep_rows(tables, cursor, parent, at)
    cursor.sources[rows_at + n_all] = row_capacity - ONE
    _place_rows(tables, cursor, frame, n_all)

    width, stride = width_for(n_options), n_all + ONE
    _fill_table(tables, cursor, frame, n_options, width, stride)
    place = cursor.places[rows_at + sources[sources_at + branch]]
    _move_level(cursor, frame, level, n_options, width, table_at + place * width)
    if has_counts(cursor.counted):
        _carry_counts(tables, cursor, frame, n_primary)
        later = cursor.counted.later[frame * tables.shape[1] + place]
        drop_highest(cursor.choices, level * WIDTH, width, later)
    _open_rows(tables, cursor, frame, level, n_primary)
    head = frame * HEAD_LENGTH
    cursor.heads[head + HEAD_WIDTH] = width
    cursor.heads[head + HEAD_PRIMARY] = n_primary
    cursor.heads[head + HEAD_STRIDE] = stride
    cursor.heads[head + HEAD_BASE] = level
    cursor.state[STATE_FRAME] = frame


@inner_kernel
def _open_rows(tables: Tables, cursor: Cursor, frame: Word, level: Word, n_primary: Word) -> None:
    """Fill `opened` of the level that a new frame begins with: all rows that must still be covered."""
    n_words = open_words(tables)
    at = level * n_words
    for index in range(n_words):
        word = np.uint64(index)
        first = word << WORD_SHIFT
        left = n_primary - first if n_primary > first else ZERO
        cursor.opened[at + word] = ~ZERO if left > BIT_MASK else (ONE << left) - ONE
    if has_counts(cursor.counted):
        later_at = frame * tables.shape[1]
        for index in range(n_primary):
            row = np.uint64(index)
            if is_idle(cursor.counted.later[later_at + row]):
                cursor.opened[at + (row >> WORD_SHIFT)] &= ~(ONE << (row & BIT_MASK))


@inner_kernel
def _keep_options(
    live: Words, at: Word, words: Word, before: Words, before_at: Word, origins: Words, origins_at: Word
) -> Any:
    """Fill `origins` with the numbers of the live options in the model; returns how many there are."""
    n_options = ZERO
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        first = before_at + (word << WORD_SHIFT)
        while bits != ZERO:
            origins[origins_at + n_options] = before[first + lowest_index(bits)]
            n_options += ONE
            bits &= bits - ONE
    return n_options


@inner_kernel
def _keep_rows_of_all(tables: Tables, cursor: Cursor, n_options: Word) -> Any:
    """Fill `sources` of frame 1 from the last scan of frame 0; returns the ends of the two kinds of rows.

    The options of secondary rows and colours are counted by the uses of live options, in `places`, because
    most of these rows have none. Row by row, Costas arrays of order 9 took an eighth longer.
    """
    sources, places, rows_at = cursor.sources, cursor.places, tables.shape[2]
    n_scan, end = tables.shape[1], cursor.state[STATE_ROWS]
    n_primary = ZERO
    for row in range(n_scan):
        if cursor.counts[row] != ZERO:
            sources[rows_at + n_primary] = row
            n_primary += ONE
    n_all = n_primary
    if n_scan == end:
        return n_primary, n_all
    has_colors, uncolored = tables.alike.shape[0] > 0, tables.shape[2] - ONE
    for row in range(tables.shape[2]):
        places[rows_at + np.uint64(row)] = ZERO
    for local in range(n_options):
        option = cursor.origins[NARROW + np.uint64(local)]
        for use in range(tables.starts[option], tables.starts[option + ONE]):
            places[rows_at + tables.uses[use]] += ONE
            if has_colors and tables.alike[use] != uncolored:
                places[rows_at + tables.alike[use]] += ONE
    for row in range(n_scan, end):
        if places[rows_at + np.uint64(row)] >= TWO:
            sources[rows_at + n_all] = row
            n_all += ONE
    return n_primary, n_all


@inner_kernel
def _keep_rows(tables: Tables, cursor: Cursor, parent: Word, at: Word) -> Any:
    """As `_keep_rows_of_all`, for the frame after a narrow one, by its live options from cursor.live[at]."""
    head, before_at = parent * HEAD_LENGTH, parent * tables.shape[2]
    rows_at, table_at = before_at + tables.shape[2], before_at * WIDTH
    words, stride = cursor.heads[head + HEAD_WIDTH], cursor.heads[head + HEAD_STRIDE]
    primary_stop = cursor.heads[head + HEAD_PRIMARY]
    n_primary = n_all = ZERO
    for local in range(stride - ONE):
        row = np.uint64(local)
        enough = ONE if row < primary_stop else TWO
        if _count(cursor.tables, table_at + row * words, cursor.live, at, words, enough) >= enough:
            cursor.sources[rows_at + n_all] = cursor.sources[before_at + row]
            n_all += ONE
            if row < primary_stop:
                n_primary = n_all
    return n_primary, n_all


@inner_kernel
def _place_rows(tables: Tables, cursor: Cursor, frame: Word, zero_row: Word) -> None:
    """Fill `places`, the inverse of `sources`. Secondary rows and colours not kept get the zero row."""
    sources, places, at = cursor.sources, cursor.places, frame * tables.shape[2]
    for row in range(tables.shape[1], tables.shape[2]):
        places[at + np.uint64(row)] = zero_row
    for local in range(zero_row):
        places[at + sources[at + np.uint64(local)]] = local


@inner_kernel
def _carry_counts(tables: Tables, cursor: Cursor, frame: Word, n_primary: Word) -> None:
    """Fill `later` of a new frame from that of its parent."""
    later, rows_at, counts_at = cursor.counted.later, frame * tables.shape[2], frame * tables.shape[1]
    for index in range(n_primary):
        local = np.uint64(index)
        before = cursor.sources[rows_at + local]
        if frame != ONE:
            before = cursor.places[rows_at - tables.shape[2] + before]
        later[counts_at + local] = later[counts_at - tables.shape[1] + before]


@inner_kernel
def _move_level(
    cursor: Cursor, frame: Word, level: Word, n_options: Word, width: Word, branch_at: Word
) -> None:
    """Make all options of the new frame live, and those of the branch row options to be tried."""
    at = level * WIDTH
    for index in range(width):
        word = np.uint64(index)
        first = word << WORD_SHIFT
        left = n_options - first if n_options > first else ZERO
        cursor.known[frame * WIDTH + word] = ZERO
        cursor.live[at + word] = ~ZERO if left > BIT_MASK else (ONE << left) - ONE
        cursor.choices[at + word] = cursor.tables[branch_at + word]


@inner_kernel
def _count(rows: Words, first: Word, live: Words, at: Word, n_words: Word, enough: Word) -> Any:
    """The number of live options of a row; counting stops when it is at least `enough`."""
    count = ZERO
    for word in range(n_words):
        index = np.uint64(word)
        count += popcount(rows[first + index] & live[at + index])
        if count >= enough:
            break
    return count


@inner_kernel
def _fill_table(
    tables: Tables, cursor: Cursor, frame: Word, n_options: Word, width: Word, stride: Word
) -> None:
    """Set the bit of every option in the rows of its items and colours, and clear the zero row."""
    table, places = cursor.tables, cursor.places
    has_colors, uncolored = tables.alike.shape[0] > 0, tables.shape[2] - ONE
    rows_at = frame * tables.shape[2]
    table_at = rows_at * WIDTH
    for index in range(table_at, table_at + width * stride):
        table[index] = ZERO
    for local in range(n_options):
        number = np.uint64(local)
        bit = ONE << (number & BIT_MASK)
        first = table_at + (number >> WORD_SHIFT)
        option = cursor.origins[frame * NARROW + number]
        for use in range(tables.starts[option], tables.starts[option + ONE]):
            table[first + places[rows_at + tables.uses[use]] * width] |= bit
            if has_colors and tables.alike[use] != uncolored:
                table[first + places[rows_at + tables.alike[use]] * width] |= bit
    for word in range(width):
        table[table_at + (stride - ONE) * width + np.uint64(word)] = ZERO
