"""Move a level into a new frame: its live slots renumbered without gaps, part after part.

A row of the matrix is packed word by word. Packing the bits of one word that a mask names is the parallel
suffix method of H. S. Warren, "Hacker's Delight" (2nd edition, 7-4, "compress"): six steps, whose masks
depend on the live word alone and are made once for all rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, WORD_BITS, WORD_SHIFT, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.covers.parts.kernel_settle import Frame
from rekkyo.jit import kernel


@kernel
def pack(old: Frame, new: Frame, n_parts: Word, live: Words, at: Word, kept: Words, masks: Words) -> None:
    """Fill in the new frame, whose `words` nobody looks at, and rewrite the live words from `at` on for it.

    kept : uint64[3 * words of the old frame], masks : uint64[6 * words of the old frame], scratch:

        kept     0 ... words-1           words ... 2*words-1          2*words ... 3*words-1
                 old word, live ones     new slot of its lowest bit   its live bits
    """
    words, firsts, firsts_at = old.words, old.firsts, old.firsts_at
    new_firsts, new_firsts_at = new.firsts, new.firsts_at
    n_kept, new_words = _survey(old, new, n_parts, live, at, kept, masks)
    for index in range(n_kept):
        word, slot, bits = kept[index], kept[words + np.uint64(index)], kept[words + words + np.uint64(index)]
        while bits != ZERO:
            origin = (word << WORD_SHIFT) + lowest_index(bits)
            bits &= bits - ONE
            new.origins[new.origins_at + slot] = old.origins[old.origins_at + origin]
            _pack_row(old, origin, new, slot, new_words, kept, masks, n_kept)
            slot += ONE
    for part in range(n_parts):
        count = ZERO
        for index in range(firsts[firsts_at + np.uint64(part)], firsts[firsts_at + np.uint64(part) + ONE]):
            count += popcount(live[at + np.uint64(index)])
        # The new words lie before the old ones that are still to be counted.
        for index in range(
            new_firsts[new_firsts_at + np.uint64(part)], new_firsts[new_firsts_at + np.uint64(part) + ONE]
        ):
            live[at + np.uint64(index)] = ~ZERO if count >= WORD_BITS else (ONE << count) - ONE
            count -= min(count, WORD_BITS)


@kernel
def _survey(old: Frame, new: Frame, n_parts: Word, live: Words, at: Word, kept: Words, masks: Words) -> Any:
    """Where every live word goes, and the masks that pack it; returns (how many there are, new words)."""
    words, firsts, firsts_at = old.words, old.firsts, old.firsts_at
    new_firsts, new_firsts_at = new.firsts, new.firsts_at
    n_kept, first = ZERO, ZERO
    for index in range(n_parts):
        part = np.uint64(index)
        new_firsts[new_firsts_at + part] = first
        slot = first << WORD_SHIFT
        for number in range(firsts[firsts_at + part], firsts[firsts_at + part + ONE]):
            word = np.uint64(number)
            bits = live[at + word]
            if bits != ZERO:
                kept[n_kept] = word
                kept[words + n_kept] = slot
                kept[words + words + n_kept] = bits
                _make_masks(bits, masks, n_kept * np.uint64(6))
                n_kept += ONE
                slot += popcount(bits)
        first = (slot + BIT_MASK) >> WORD_SHIFT
    new_firsts[new_firsts_at + n_parts] = first
    return n_kept, first


@kernel
def _make_masks(bits: Word, masks: Words, at: Word) -> None:
    """masks[at + i]: the bits that move down by 2 ** i in step i, when `bits` are packed."""
    gaps = ~bits << ONE
    for step in range(6):
        parity = gaps
        for shift in range(6):
            parity ^= parity << (ONE << np.uint64(shift))
        moved = parity & bits
        masks[at + np.uint64(step)] = moved
        bits = (bits ^ moved) | (moved >> (ONE << np.uint64(step)))
        gaps &= ~parity


@kernel
def _pack_row(
    old: Frame, origin: Word, new: Frame, slot: Word, new_words: Word, kept: Words, masks: Words, n_kept: Word
) -> None:
    """The row of a slot in the new matrix out of that of its origin in the old one."""
    matrix, words, new_matrix = old.matrix, old.words, new.matrix
    row = old.matrix_at + origin * words
    target = new.matrix_at + slot * new_words
    for index in range(new_words):
        new_matrix[target + np.uint64(index)] = ZERO
    for index in range(n_kept):
        place = np.uint64(index)
        bits = matrix[row + kept[place]] & kept[words + words + place]
        if bits == ZERO:
            continue
        mask_at = place * np.uint64(6)
        for step in range(6):
            moved = bits & masks[mask_at + np.uint64(step)]
            bits = (bits ^ moved) | (moved >> (ONE << np.uint64(step)))
        column = kept[words + place]
        word, shift = target + (column >> WORD_SHIFT), column & BIT_MASK
        new_matrix[word] |= bits << shift
        high = (bits >> ONE) >> (BIT_MASK - shift)
        if high != ZERO:
            new_matrix[word + ONE] |= high
