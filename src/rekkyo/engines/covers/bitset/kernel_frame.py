"""Enter a narrower frame: renumber the live options without gaps and keep the open items only.

Options and rows keep their order, so that the search makes the same decisions in every frame.
A secondary item that fewer than two live options use rules nothing out: it shares the zero row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, TWO, WORD_SHIFT, ZERO, Words, lowest_index, popcount
from rekkyo.engines.covers.bitset.kernel_state import (
    HEAD_BASE,
    HEAD_LENGTH,
    HEAD_SCAN,
    HEAD_STRIDE,
    HEAD_WIDTH,
    LANE,
    NARROW,
    STATE_FRAME,
    WIDTH,
    Cursor,
    Tables,
)
from rekkyo.jit import kernel

PAD = np.uint64(LANE - 1)


@kernel
def width_for(n_options: np.uint64) -> Any:
    """1, 2, 4 or 8: the words of the narrowest kernel for so many options, at most MAX_NARROW."""
    width = ONE
    while width << WORD_SHIFT < n_options:
        width <<= ONE
    return width


@kernel
def padded(n_rows: np.uint64) -> Any:
    """The number of rows rounded up to a multiple of LANE."""
    return (n_rows + PAD) & ~PAD


@kernel
def enter_frame(
    alike: Words | None, tables: Tables, cursor: Cursor, level: np.uint64, branch: np.uint64
) -> None:
    """Make the next frame out of the live options of a level of the current one, and move the level into it.

    branch : the row of the current frame that the level branches on; all its live options are to be tried.
    """
    parent = cursor.state[STATE_FRAME]
    frame = parent + ONE
    row_capacity = tables.shape[2]
    options_at, rows_at, table_at = frame * NARROW, frame * row_capacity, frame * row_capacity * WIDTH
    if parent == ZERO:
        words, parent_scan, parent_stride = tables.shape[0], tables.shape[1], tables.shape[2]
        live, at = cursor.wide_live, level * words
        rows, first, row_step, word_step = tables.rows, ZERO, words, ONE
        origins, origins_at = tables.same, ZERO
        sources, sources_at = tables.same, ZERO
    else:
        head = parent * HEAD_LENGTH
        words, parent_scan = cursor.heads[head + HEAD_WIDTH], cursor.heads[head + HEAD_SCAN]
        parent_stride = cursor.heads[head + HEAD_STRIDE]
        live, at = cursor.live, level * WIDTH
        rows, first, row_step, word_step = cursor.tables, table_at - row_capacity * WIDTH, ONE, parent_stride
        origins, origins_at = cursor.origins, options_at - NARROW
        sources, sources_at = cursor.sources, rows_at - row_capacity

    n_options = _keep_options(live, at, words, origins, origins_at, cursor.origins, options_at)
    n_primary, n_all = ZERO, ZERO
    for local in range(parent_scan):
        if _count(rows, first + np.uint64(local) * row_step, word_step, live, at, words, ONE) != ZERO:
            cursor.sources[rows_at + n_primary] = sources[sources_at + np.uint64(local)]
            n_primary += ONE
    n_scan = padded(n_primary)
    n_all = n_scan
    for local in range(parent_scan, parent_stride - ONE):
        if _count(rows, first + np.uint64(local) * row_step, word_step, live, at, words, TWO) >= TWO:
            cursor.sources[rows_at + n_all] = sources[sources_at + np.uint64(local)]
            n_all += ONE
    cursor.sources[rows_at + n_all] = row_capacity - ONE
    _place_rows(tables, cursor, frame, n_primary, n_scan, n_all)

    width, stride = width_for(n_options), n_all + ONE
    _fill_table(alike, tables, cursor, frame, n_options, width, stride)
    place = cursor.places[rows_at + sources[sources_at + branch]]
    _move_level(cursor, frame, level, n_options, width, table_at + place, stride)
    head = frame * HEAD_LENGTH
    cursor.heads[head + HEAD_WIDTH] = width
    cursor.heads[head + HEAD_SCAN] = n_scan
    cursor.heads[head + HEAD_STRIDE] = stride
    cursor.heads[head + HEAD_BASE] = level
    cursor.state[STATE_FRAME] = frame


@kernel
def _keep_options(
    live: Words,
    at: np.uint64,
    words: np.uint64,
    before: Words,
    before_at: np.uint64,
    origins: Words,
    origins_at: np.uint64,
) -> Any:
    """Number the live options; returns how many there are."""
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


@kernel
def _place_rows(
    tables: Tables,
    cursor: Cursor,
    frame: np.uint64,
    n_primary: np.uint64,
    n_scan: np.uint64,
    zero_row: np.uint64,
) -> None:
    """Turn sources around; rows beyond the primary ones that were not kept share the zero row."""
    sources, places, at = cursor.sources, cursor.places, frame * tables.shape[2]
    for row in range(tables.shape[1], tables.shape[2]):
        places[at + np.uint64(row)] = zero_row
    for local in range(n_primary):
        places[at + sources[at + np.uint64(local)]] = local
    for local in range(n_primary, n_scan):
        sources[at + np.uint64(local)] = ZERO
    for local in range(n_scan, zero_row):
        places[at + sources[at + np.uint64(local)]] = local


@kernel
def _move_level(
    cursor: Cursor,
    frame: np.uint64,
    level: np.uint64,
    n_options: np.uint64,
    width: np.uint64,
    branch_at: np.uint64,
    stride: np.uint64,
) -> None:
    """In the new frame all options are live, and those of the branch row are to be tried."""
    at = level * WIDTH
    for index in range(width):
        word = np.uint64(index)
        first = word << WORD_SHIFT
        left = n_options - first if n_options > first else ZERO
        cursor.known[frame * WIDTH + word] = ZERO
        cursor.live[at + word] = ~ZERO if left > BIT_MASK else (ONE << left) - ONE
        cursor.choices[at + word] = cursor.tables[branch_at + word * stride]


@kernel
def _count(
    rows: Words,
    first: np.uint64,
    step: np.uint64,
    live: Words,
    at: np.uint64,
    n_words: np.uint64,
    enough: np.uint64,
) -> Any:
    """How many live options a row has; counting stops at `enough`."""
    count = ZERO
    for word in range(n_words):
        index = np.uint64(word)
        count += popcount(rows[first + index * step] & live[at + index])
        if count >= enough:
            break
    return count


@kernel
def _fill_table(
    alike: Words | None,
    tables: Tables,
    cursor: Cursor,
    frame: np.uint64,
    n_options: np.uint64,
    width: np.uint64,
    stride: np.uint64,
) -> None:
    """Set the bit of every option in the rows of its items and colours, and clear the zero row."""
    table, places = cursor.tables, cursor.places
    rows_at = frame * tables.shape[2]
    table_at = rows_at * WIDTH
    for index in range(table_at, table_at + width * stride):
        table[index] = ZERO
    for local in range(n_options):
        number = np.uint64(local)
        bit = ONE << (number & BIT_MASK)
        first = table_at + (number >> WORD_SHIFT) * stride
        option = cursor.origins[frame * NARROW + number]
        for use in range(tables.starts[option], tables.starts[option + ONE]):
            table[first + places[rows_at + tables.uses[use]]] |= bit
            if alike is not None:
                table[first + places[rows_at + alike[use]]] |= bit
    for word in range(width):
        table[table_at + np.uint64(word) * stride + stride - ONE] = ZERO
