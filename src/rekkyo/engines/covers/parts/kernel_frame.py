"""The arrays of the plan and of the cursor of a search over parts, and arc consistency.

A *part* is a primary item with its options; every option belongs to one part. Options are renumbered part by
part, and each part begins with a new word. The new number is called a *slot*. A state is the bit vector of
the live slots, which can still be chosen. Row s of the matrix has the slots that agree with slot s:

    part        0                1        2
    word        0       1        2        3       4
    live        11011…  11000…   01110…   11111…  10000…
    row of s    00000…  00000…   01010…   11011…  10000…     slot s is in part 0: no other of part 0 agrees

A search runs in *frames*. Frame 0 is the whole model. If the live slots of a child need at most half of the
words, it gets a new frame, in which they are renumbered without gaps, again part by part:

    word        0        1        2                    frame 1: 3 words in place of 5
    part        0        1        2

`settle` counts the live slots of every open part, and removes those that some other part rules out.
Algorithm: arc consistency (A. K. Mackworth, "Consistency in networks of relations", 1977) on the graph of
parts: a slot that agrees with no live slot of another open part is removed, and this is repeated for a few
rounds. A child takes some hundred times as long as without, and the ten digits by half blocks take a fiftieth
of the nodes. This saves time while many slots are live, so the slots of small states are only counted.

A row of the matrix is packed word by word. The bits of one word under a mask are packed by the parallel
suffix method of H. S. Warren, "Hacker's Delight" (2nd edition, 7-4, "compress"). It takes six steps, whose
masks depend only on the live word and are made once for all rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, WORD_BITS, WORD_SHIFT, ZERO, Word, Words, lowest_index, popcount
from rekkyo.jit import inner_kernel, kernel

MAX_PARTS = 64

(STATE_LEVEL, STATE_FRAME, STATE_HEIGHT, STATE_IMAGE) = (np.uint64(number) for number in range(4))


class Tables(NamedTuple):
    """The data of a model that the kernels read.

    matrix  : uint64[n_slots * words].  Row s at s * words.
    firsts  : uint64[n_parts + 1].  The words of part p are firsts[p] ... firsts[p + 1] - 1.
    options : uint64[n_slots].  The option of a slot; n_options for an empty slot.
    owners  : uint64[words].  The part of a word.
    same    : uint64[n_slots].  same[s] == s: the origins of the slots of frame 0.
    images  : uint64[n_images * n_parts].  All ways to exchange interchangeable parts: in image g, the choice
              of part p becomes that of part images[g * n_parts + p], at the same place. Image 0 is the
              identity.
    shape   : uint64[5].  n_parts, words, most words of a later frame, n_options, n_images.
    """

    matrix: Words
    firsts: Words
    options: Words
    owners: Words
    same: Words
    images: Words
    shape: Words


class Frame(NamedTuple):
    """A frame. Several frames share the arrays; the numbers are the places where its data begin.

    matrix  : uint64[...].  Row s at matrix_at + s * words.
    firsts  : uint64[...].  The words of part p are firsts[firsts_at + p] ... firsts[firsts_at + p + 1] - 1.
    origins : uint64[...].  The slot of frame 0 that slot s was, at origins_at + s.
    words   : number of words of a row.
    """

    matrix: Words
    firsts: Words
    origins: Words
    matrix_at: Word
    firsts_at: Word
    origins_at: Word
    words: Word


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    A level is one decision: a part and the slots still to be tried for it.

    state   : uint64[4].  Current level, current frame, number of slots in the shard's prefix, and the next
              image of the current solution to be written plus 1, or 0 if there is none.
    chosen  : uint64[n_parts + 1].  The slots of frame 0 chosen so far.
    opens   : uint64[levels].  Bit p: part p is still open below the level.
    parts   : uint64[levels].  The part that the level tries.
    frames  : uint64[levels].  The frame of the level.
    live, choices : uint64[levels * words].  Live slots; slots still to be tried; in the level's frame.

    The next three arrays have these lengths for each frame but 0; `narrow` is the most words of such a frame.

    matrices: uint64[64 * narrow * narrow].  Row s at s * (words of the frame).
    firsts  : uint64[n_parts + 1].     origins : uint64[64 * narrow].  The slot of frame 0 of a slot.
    kept, masks : uint64[3 * words], uint64[6 * words].  Scratch of a move into a new frame.
    """

    state: Words
    chosen: Words
    opens: Words
    parts: Words
    frames: Words
    live: Words
    choices: Words
    matrices: Words
    firsts: Words
    origins: Words
    kept: Words
    masks: Words


DEAD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
COUNT_SHIFT = np.uint64(32)
PART_MASK = np.uint64(0xFFFF_FFFF)

MANY = np.uint64(32)
N_ROUNDS = 2


@kernel
def settle(frame: Frame, live: Words, at: Word, open_parts: Word) -> Any:
    """Returns (best, n_live, n_words). Removes slots from the live words from `at` on.

    best    : count << 32 | part of the first open part with the fewest live slots, or DEAD.
    n_words : words that the live slots need if every part begins with a new word.
    """
    best, n_live, n_words = count_parts(frame, live, at, open_parts)
    if best == DEAD or n_live < MANY or (open_parts & (open_parts - ONE)) == ZERO:
        return best, n_live, n_words
    for _ in range(N_ROUNDS):
        n_before = n_live
        if not _drop(frame, live, at, open_parts):
            return DEAD, n_live, n_words
        best, n_live, n_words = count_parts(frame, live, at, open_parts)
        if n_live == n_before or n_live < MANY:
            break
    return best, n_live, n_words


@inner_kernel
def count_parts(frame: Frame, live: Words, at: Word, open_parts: Word) -> Any:
    """The same as `settle`, but no slot is removed."""
    firsts, firsts_at = frame.firsts, frame.firsts_at
    best, n_live, n_words = DEAD, ZERO, ZERO
    left = open_parts
    while left != ZERO:
        part = lowest_index(left)
        left &= left - ONE
        count = ZERO
        for word in range(firsts[firsts_at + part], firsts[firsts_at + part + ONE]):
            count += popcount(live[at + np.uint64(word)])
        if count == ZERO:
            return DEAD, n_live, n_words
        n_live += count
        n_words += (count + np.uint64(63)) >> WORD_SHIFT
        best = min(best, (count << COUNT_SHIFT) | part)
    return best, n_live, n_words


@inner_kernel
def _drop(frame: Frame, live: Words, at: Word, open_parts: Word) -> bool:
    """One round of arc consistency over all live slots; False if a part has none left."""
    firsts, firsts_at = frame.firsts, frame.firsts_at
    left = open_parts
    while left != ZERO:
        part = lowest_index(left)
        left &= left - ONE
        others = open_parts & ~(ONE << part)
        some = ZERO
        for index in range(firsts[firsts_at + part], firsts[firsts_at + part + ONE]):
            word = np.uint64(index)
            bits = live[at + word]
            kept = bits
            while bits != ZERO:
                slot = (word << WORD_SHIFT) + lowest_index(bits)
                bit = bits & (~bits + ONE)
                bits ^= bit
                if not _agrees(frame, slot, live, at, others):
                    kept ^= bit
            live[at + word] = kept
            some |= kept
        if some == ZERO:
            return False
    return True


@inner_kernel
def _agrees(frame: Frame, slot: Word, live: Words, at: Word, others: Word) -> bool:
    """Whether a slot agrees with some live slot of each of the other parts."""
    matrix, firsts, firsts_at = frame.matrix, frame.firsts, frame.firsts_at
    row = frame.matrix_at + slot * frame.words
    while others != ZERO:
        part = lowest_index(others)
        others &= others - ONE
        word, stop = firsts[firsts_at + part], firsts[firsts_at + part + ONE]
        while word < stop and matrix[row + word] & live[at + word] == ZERO:
            word += ONE
        if word == stop:
            return False
    return True


@inner_kernel
def pack(old: Frame, new: Frame, n_parts: Word, live: Words, at: Word, kept: Words, masks: Words) -> None:
    """Fill in the new frame and renumber the live words from `at` on for it. `new.words` is not read.

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
        # The new words are before the old ones that are still to be counted.
        for index in range(
            new_firsts[new_firsts_at + np.uint64(part)], new_firsts[new_firsts_at + np.uint64(part) + ONE]
        ):
            live[at + np.uint64(index)] = ~ZERO if count >= WORD_BITS else (ONE << count) - ONE
            count -= min(count, WORD_BITS)


@inner_kernel
def _survey(old: Frame, new: Frame, n_parts: Word, live: Words, at: Word, kept: Words, masks: Words) -> Any:
    """Find the new place of every live word, and its masks; returns (number of live words, new words)."""
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


@inner_kernel
def _make_masks(bits: Word, masks: Words, at: Word) -> None:
    """masks[at + i]: the bits that move down by 2 ** i in step i, if `bits` are packed."""
    gaps = ~bits << ONE
    for step in range(6):
        parity = gaps
        for shift in range(6):
            parity ^= parity << (ONE << np.uint64(shift))
        moved = parity & bits
        masks[at + np.uint64(step)] = moved
        bits = (bits ^ moved) | (moved >> (ONE << np.uint64(step)))
        gaps &= ~parity


@inner_kernel
def _pack_row(
    old: Frame, origin: Word, new: Frame, slot: Word, new_words: Word, kept: Words, masks: Words, n_kept: Word
) -> None:
    """Pack the row of `origin` in the old matrix into the row of `slot` in the new one."""
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
