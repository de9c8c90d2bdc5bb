"""The search over parts: choose the part with the fewest live slots, settle every child, pack small ones.

A solution is a set of slots, one from each part, that agree pairwise.
Source: "fewest options first", S. W. Golomb and L. D. Baumert, "Backtrack programming" (1965).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, WORD_BITS, WORD_SHIFT, ZERO, Word, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.covers.parts.kernel_frame import (
    DEAD,
    PART_MASK,
    STATE_FRAME,
    STATE_HEIGHT,
    STATE_IMAGE,
    STATE_LEVEL,
    Cursor,
    Frame,
    Tables,
    pack,
    settle,
)
from rekkyo.engines.out import Out, get, length_of, n_rows_of, put
from rekkyo.jit import inner_kernel, kernel


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop over the levels
    tables: Tables, cursor: Cursor, out: Out, budget: int
) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes).

    A node is a slot tried.
    out : rows of any type, out. Chosen options in increasing order.
    """
    state, chosen, opens = cursor.state, cursor.chosen, cursor.opens
    parts, frames, live, choices = cursor.parts, cursor.frames, cursor.live, cursor.choices
    n_parts, words = tables.shape[0], tables.shape[1]
    n_images = tables.shape[4]
    height = state[STATE_HEIGHT]
    level, frame = state[STATE_LEVEL], state[STATE_FRAME]
    found, nodes, most = ZERO, ZERO, np.uint64(budget)
    n_rows = np.uint64(n_rows_of(out))
    status = DONE
    while True:
        while state[STATE_IMAGE] != ZERO:
            _write_image(tables, chosen, state[STATE_IMAGE] - ONE, out, found)
            found += ONE
            state[STATE_IMAGE] = ZERO if state[STATE_IMAGE] == n_images else state[STATE_IMAGE] + ONE
            if found == n_rows:
                break
        if found == n_rows:
            status = BUFFER_FULL
            break

        at = level * words
        part = parts[level]
        here = frame_at(tables, cursor, frame)
        word, stop = here.firsts[here.firsts_at + part], here.firsts[here.firsts_at + part + ONE]
        while word < stop and choices[at + word] == ZERO:
            word += ONE
        if word == stop:
            if level == ZERO:
                break
            level -= ONE
            frame = frames[level]
            continue
        if nodes >= most:
            status = OUT_OF_BUDGET
            break
        nodes += ONE
        bits = choices[at + word]
        choices[at + word] = bits & (bits - ONE)
        slot = (word << WORD_SHIFT) + lowest_index(bits)
        chosen[height + level] = here.origins[here.origins_at + slot]
        open_parts = opens[level] & ~(ONE << part)
        if open_parts == ZERO:
            state[STATE_IMAGE] = ONE
            continue

        child = at + words
        row = here.matrix_at + slot * here.words
        for index in range(here.words):
            live[child + np.uint64(index)] = live[at + np.uint64(index)] & here.matrix[row + np.uint64(index)]
        best, _, n_words = settle(here, live, child, open_parts)
        if best == DEAD:
            continue
        level += ONE
        if n_words + n_words <= here.words and open_parts & (open_parts - ONE) != ZERO:
            frame += ONE
            new = narrow_frame(tables, cursor, frame)
            pack(here, new, n_parts, live, child, cursor.kept, cursor.masks)
            here = frame_at(tables, cursor, frame)
        opens[level], frames[level] = open_parts, frame
        parts[level] = best & PART_MASK
        first = here.firsts_at + parts[level]
        for index in range(here.firsts[first], here.firsts[first + ONE]):
            choices[child + np.uint64(index)] = live[child + np.uint64(index)]
    state[STATE_LEVEL], state[STATE_FRAME] = level, frame
    return status, found, nodes


@inner_kernel
def frame_at(tables: Tables, cursor: Cursor, frame: Word) -> Frame:
    """A frame that is read."""
    matrix, firsts, origins = tables.matrix, tables.firsts, tables.same
    matrix_at = firsts_at = origins_at = ZERO
    if frame != ZERO:
        later = narrow_frame(tables, cursor, frame)
        matrix, firsts, origins = later.matrix, later.firsts, later.origins
        matrix_at, firsts_at, origins_at = later.matrix_at, later.firsts_at, later.origins_at
    words = firsts[firsts_at + tables.shape[0]]
    return Frame(matrix, firsts, origins, matrix_at, firsts_at, origins_at, words)


@inner_kernel
def narrow_frame(tables: Tables, cursor: Cursor, frame: Word) -> Frame:
    """A frame other than 0 before it is filled in; see `Cursor`."""
    before, n_parts, narrow = frame - ONE, tables.shape[0], tables.shape[2]
    origins_at = before * WORD_BITS * narrow
    return Frame(
        cursor.matrices,
        cursor.firsts,
        cursor.origins,
        origins_at * narrow,
        before * (n_parts + ONE),
        origins_at,
        ZERO,
    )


@inner_kernel
def _write_image(tables: Tables, chosen: Words, image: Word, out: Out, at: Word) -> None:
    """Exchange interchangeable parts and write the options of the chosen slots in increasing order."""
    n_parts, n_options = tables.shape[0], tables.shape[3]
    for index in range(n_parts):
        slot = chosen[index]
        part = tables.owners[slot >> WORD_SHIFT]
        target = tables.images[image * n_parts + part]
        moved = slot - (tables.firsts[part] << WORD_SHIFT) + (tables.firsts[target] << WORD_SHIFT)
        option = tables.options[moved]
        place = np.uint64(index)
        while place > ZERO and get(out, at, place - ONE) > option:
            put(out, at, place, get(out, at, place - ONE))
            place -= ONE
        put(out, at, place, option)
    for index in range(n_parts, np.uint64(length_of(out))):
        put(out, at, index, n_options)
