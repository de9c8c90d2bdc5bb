"""Write a solution: the chosen options in increasing order, then the filler."""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Words, lowest_index
from rekkyo.jit import kernel

WORD_SHIFT = np.uint64(6)
BIT_MASK = np.uint64(63)


@kernel
def write_row(
    chosen: Words, n_chosen: np.uint64, marks: Words, filler: np.uint64, out: Any, at: np.uint64
) -> None:
    """Sort the first n_chosen of `chosen` into a row of the block; what is left of it is filler.

    marks : uint64[words], all zero before and after. out : uint8, uint16 or uint32[n_rows, length], row `at`.

    A long solution is sorted by setting a bit for each option and reading the bits off again (sudoku, 81 of
    314 options: 65 ns; by insertion 840 ns); a short one out of many options by insertion (Bedlam cube, 13 of
    3820: 31 ns; by bits 57 ns).
    """
    n_words = np.uint64(marks.shape[0])
    if n_chosen * n_chosen > (n_words + n_chosen + n_chosen) << np.uint64(2):
        _by_marks(chosen, n_chosen, marks, out, at)
    else:
        _by_insertion(chosen, n_chosen, out, at)
    for place in range(n_chosen, np.uint64(out.shape[1])):
        out[at, place] = filler


@kernel
def _by_marks(chosen: Words, n_chosen: np.uint64, marks: Words, out: Any, at: np.uint64) -> None:
    for index in range(n_chosen):
        option = chosen[index]
        marks[option >> WORD_SHIFT] |= ONE << (option & BIT_MASK)
    place = ZERO
    for word in range(np.uint64(marks.shape[0])):
        bits = marks[word]
        marks[word] = ZERO
        first = np.uint64(word) << WORD_SHIFT
        while bits != ZERO:
            out[at, place] = first + lowest_index(bits)
            place += ONE
            bits &= bits - ONE


@kernel
def _by_insertion(chosen: Words, n_chosen: np.uint64, out: Any, at: np.uint64) -> None:
    for index in range(n_chosen):
        option = chosen[index]
        place = np.uint64(index)
        while place > ZERO and out[at, place - ONE] > option:
            out[at, place] = out[at, place - ONE]
            place -= ONE
        out[at, place] = option
