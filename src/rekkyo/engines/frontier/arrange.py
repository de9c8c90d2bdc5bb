"""Compiled: replaces a state by a canonical one among those that exchanges map to it.

All of these have the same completions, so they are merged.
Levels of exact covers exchange blocks of bits, levels with rules also colours or some bits. The kernel of the
first compiles only its own kind.
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, WORD_SHIFT, ZERO, Word, Words, popcount
from rekkyo.jit import inlined_inner_kernel, inner_kernel

AT_SHIFT, LAST_PLACE = np.uint64(32), np.uint64(0xFFFFFFFF)
COLORS, EXCHANGES, NAMES = np.uint64(0xFFFFFFFE), np.uint64(0xFFFFFFFD), np.uint64(0xFFFFFFFC)
"""They stand in place of a class. The row describes interchangeable colours, see `_arrange_colors`; or the
number of exchanges, whose bits the rows below describe, see `_arrange_by_exchanges`; or such that also rename
joints, see `_arrange_names`."""

MASK = 5
"""The column of a swap's mask, which is 0 in other rows of an exchange."""

KIND_SHIFT = np.uint64(8)


@inner_kernel
def room_to_arrange(blocks: Words, n_words: int) -> int:
    """The number of scratch words that arranging takes."""
    if blocks.shape[0] > 0 and blocks[0, 0] == COLORS:
        return int(blocks[0, 1]) * n_words
    if blocks.shape[0] > 0 and blocks[0, 0] == EXCHANGES:
        return 0
    if blocks.shape[0] > 0 and blocks[0, 0] == NAMES:
        return 2 * n_words + int(blocks[0, 3])
    return 2 * int(blocks.shape[0])


@inner_kernel
def arrange_blocks(state: Words, blocks: Words, scratch: Words) -> None:
    """Replace a state by a canonical one of those that exchanges of blocks map to each other.

    state   : uint64[n_words], in and out.
    blocks  : uint64[n_blocks, 1 + 2 * n_pieces]. The number of a block's class, then two words for each of
              its pieces, 0 if there are fewer; the blocks of a class are neighbours, have pieces for the same
              things, and any two can be exchanged.
    scratch : uint64[2 * n_blocks].

        piece    at << AT_SHIFT | place, mask      bits of one word, where the mask is shifted to the place
        part     the bits of all pieces of a block, each piece shifted to `at`

    The classes are sorted one after the other. Some equal states may stay separate: sorted again where a
    class has changed another one, Latin squares of order 8 take 114,000 nodes instead of 156,000, in the same
    time, and Steiner triple systems of 13 points as many in 1.5 times the time. With a piece for each bit, a
    result took 930 instead of 290 ns for Latin squares of order 8 (when blocks were sorted twice).
    """
    n_blocks = blocks.shape[0]
    parts, kinds = scratch[:n_blocks], scratch[n_blocks:]
    first = 0
    while first < n_blocks:
        end = first + 1
        while end < n_blocks and blocks[end, 0] == blocks[first, 0]:
            end += 1
        if end == first + 2:
            _arrange_two(state, blocks[first], blocks[first + 1])
        else:
            _take_parts(state, blocks[first:end], parts)
            _find_kinds(parts, kinds[first:end])
            if _sort(parts, kinds[first:end]):
                _put_parts(state, blocks[first:end], parts)
        first = end


@inner_kernel
def _arrange_two(state: Words, one: Words, other: Words) -> None:
    """Swap two blocks if the first piece that differs is greater in the first one.

    A piece or two decide in most states. Sorted by their parts, as larger classes are, a result took 78 ns
    instead of 58 for dominoes of 22x22, whose blocks have 10 pieces.
    """
    is_decided = False
    for piece in range(1, one.shape[0], 2):
        word, shift, _ = _place(one[piece])
        other_word, other_shift, _ = _place(other[piece])
        mask = one[piece + 1]
        bits, other_bits = state[word] >> shift & mask, state[other_word] >> other_shift & mask
        changed = bits ^ other_bits
        if changed != ZERO:
            if not is_decided and bits < other_bits:
                return
            is_decided = True
            state[word] ^= changed << shift
            state[other_word] ^= changed << other_shift


@inner_kernel
def _find_kinds(parts: Words, kinds: Words) -> None:
    """The kind of each block: a number that depends on how many bits its part has, and on how many of them
    each other part of its class has.

    Exchanges of other classes mostly permute the bits of all parts of a class alike: that changes no kind. So
    most states that exchanges map to each other are sorted alike. Sorted twice by their parts alone, Latin
    squares of order 8 took 1,704,000 nodes, and 111,000 by kinds. Kinds that depend on those of the other
    blocks, too, or on blocks of other classes, leave 104,000 or as many.
    """
    n_blocks = kinds.shape[0]
    for block in range(n_blocks):
        kinds[block] = popcount(parts[block])
        for other in range(block):
            common = popcount(parts[block] & parts[other])
            weight = common * common * common << KIND_SHIFT
            kinds[block] += weight
            kinds[other] += weight


@inner_kernel
def _sort(parts: Words, kinds: Words) -> bool:
    """Sort the blocks of a class by kind and part; returns whether they were not in order."""
    has_changed = False
    for block in range(1, kinds.shape[0]):
        part, kind, place = parts[block], kinds[block], block
        while place > 0 and (
            kinds[place - 1] > kind or (kinds[place - 1] == kind and parts[place - 1] > part)
        ):
            parts[place], kinds[place] = parts[place - 1], kinds[place - 1]
            place -= 1
            has_changed = True
        parts[place], kinds[place] = part, kind
    return has_changed


@inner_kernel
def _take_parts(state: Words, blocks: Words, parts: Words) -> None:
    """The part of each block of a class."""
    for block in range(blocks.shape[0]):
        part = ZERO
        for piece in range(1, blocks.shape[1], 2):
            word, shift, at = _place(blocks[block, piece])
            part |= (state[word] >> shift & blocks[block, piece + 1]) << at
        parts[block] = part


@inner_kernel
def _put_parts(state: Words, blocks: Words, parts: Words) -> None:
    """Write the part of each block of a class."""
    for block in range(blocks.shape[0]):
        for piece in range(1, blocks.shape[1], 2):
            word, shift, at = _place(blocks[block, piece])
            mask = blocks[block, piece + 1]
            state[word] = state[word] & ~(mask << shift) | (parts[block] >> at & mask) << shift


@inlined_inner_kernel
def _place(piece: Word) -> tuple[Word, Word, Word]:
    """The word and shift of a piece, and its shift in the part of a block."""
    place = piece & LAST_PLACE
    return place >> WORD_SHIFT, place & BIT_MASK, piece >> AT_SHIFT


@inner_kernel
def arrange_by_rules(state: Words, blocks: Words, parts: Words) -> None:
    """As `arrange_blocks`, or for colours or exchanges of bits.

    blocks, parts : see `_arrange_colors` and `_arrange_by_exchanges`, whose rows follow the first one.
    """
    if blocks[0, 0] == COLORS and state.shape[0] == 1:
        state[0] = _with_sorted_colors(state[0], blocks[0, 2], blocks[0, 1])
    elif blocks[0, 0] == COLORS:
        _arrange_colors(state, blocks[0], parts)
    elif blocks[0, 0] == EXCHANGES:
        _arrange_by_exchanges(state, int(np.int64(blocks[0, 1])), blocks[1:])
    elif blocks[0, 0] == NAMES:
        _arrange_names(state, blocks, parts)
    else:
        arrange_blocks(state, blocks, parts)


@inner_kernel
def _arrange_colors(state: Words, row: Words, parts: Words) -> None:
    """As `arrange_by_rules`, for colours of which any two can be exchanged; their bits are adjacent.

    row   : uint64[2 + n_words]. COLORS, the number of colours, and in each word the bits of the first colour;
            those of colour c are c places higher.
    parts : uint64[n_colors * n_words], scratch.

        masks  ..1..1.....1      two colours, with three bits each
        state  .ba.ba....ba
    """
    n_words = state.shape[0]
    n_colors = np.int64(row[1])
    for color in range(n_colors):
        for word in range(n_words):
            parts[color * n_words + word] = state[word] >> np.uint64(color) & row[2 + word]
    for color in range(1, n_colors):  # insertion
        at = color
        while at > 0 and _is_less(parts, at, at - 1, n_words):
            for word in range(n_words):
                one, other = at * n_words + word, (at - 1) * n_words + word
                parts[one], parts[other] = parts[other], parts[one]
            at -= 1
    for word in range(n_words):
        everything, sorted_bits = ZERO, ZERO
        for color in range(n_colors):
            everything |= row[2 + word] << np.uint64(color)
            sorted_bits |= parts[color * n_words + word] << np.uint64(color)
        state[word] = (state[word] & ~everything) | sorted_bits


@inlined_inner_kernel
def _with_sorted_colors(word: Word, mask: Word, n_colors: Word) -> Word:
    """`_arrange_colors` for a state of one word: neighbouring colours are swapped without a branch.

    With that function, grids without a one-coloured 2x2 block took 45 instead of 31 ns for a node, and
    3-colourings of grids 67 instead of 53.
    """
    last = n_colors - ONE
    while last > ZERO:
        color, swapped = ZERO, ZERO
        while color < last:
            one, other = word >> color & mask, word >> color + ONE & mask
            changed = (one ^ other) * np.uint64(other < one)
            word ^= (changed | changed << ONE) << color
            swapped |= changed
            color += ONE
        last = last - ONE if swapped != ZERO else ZERO
    return word


@inner_kernel
def _arrange_by_exchanges(state: Words, n_exchanges: int, swaps: Words) -> None:
    """As `arrange_by_rules`, for exchanges, tried one by one until none of them improves the state.

    swaps : uint64[n_rows, 6]. Column 0 is the end (exclusive) of the rows of this exchange, which are
            neighbours. First come the bits of its two sides in each word, then the bits that it swaps: those
            that are as far from each other, the highest ones first.

        end, word, bits of one side, bits of the other side, 0, 0
        end, word, shift, word of the higher bits, their shift, mask before it is shifted

    An exchange improves a state that has more bits of the one side than of the other; or as many, if the
    image is less. Sides are the bits of two columns, for example: other exchanges do not change how many a
    column has, so most states that exchanges map to each other become the same. Where only the image counted,
    grids of 5x5 in three colours without a rectangle of one colour took 548,000 nodes instead of 230,000.
    No other exchange may change the number of bits of a side, except one that takes the whole side to that of
    another exchange (`csp/frontier/families.py`); else one brings out of order what another one sorts.
    """
    n_rows = swaps.shape[0]
    n_failed, first = 0, 0
    while n_failed < n_exchanges:
        at, end, n_one, n_other = first, int(np.int64(swaps[first, 0])), ZERO, ZERO
        while swaps[at, MASK] == ZERO:
            n_one += popcount(state[swaps[at, 1]] & swaps[at, 2])
            n_other += popcount(state[swaps[at, 1]] & swaps[at, 3])
            at += 1
        n_failed += 1
        if n_one > n_other or (n_one == n_other and _is_image_less(state, swaps[at:end])):
            n_failed = 0
            for row in range(at, end):
                changed = _changed(state, swaps[row])
                state[swaps[row, 1]] ^= changed << swaps[row, 2]
                state[swaps[row, 3]] ^= changed << swaps[row, 4]
        first = end if end < n_rows else 0


@inner_kernel
def _arrange_names(state: Words, blocks: Words, parts: Words) -> None:
    """As `arrange_by_rules`, for exchanges of joints, whose mates and labels are renamed; tried one by one.

    blocks : uint64[n_rows, n]. First NAMES, the numbers of exchanges and of groups of names, and how many
             names of a group there may be. A group begins with its number of names, their width, and 1 for
             mates or 0 for labels; then it has a row for each name. At last come the swaps of one exchange
             after the other, as in `_arrange_by_exchanges`: first, names are swapped as they are.
    parts  : uint64[2 * n_words + most names], scratch: the state, its image, and new numbers of labels.

        name    word, shift, 1 if it lives, its image by each exchange (of mates)
        swap    end, word, shift, word of the higher bits, their shift, mask before it is shifted
    """
    n_exchanges, n_words, n_failed, exchange = int(np.int64(blocks[0, 1])), state.shape[0], 0, 0
    begin = 1
    for _ in range(np.int64(blocks[0, 2])):
        begin += 1 + int(np.int64(blocks[begin, 0]))
    swaps, first = blocks[begin:], 0
    image, numbers = parts[n_words : 2 * n_words], parts[2 * n_words :]
    while n_failed < n_exchanges:
        end = int(np.int64(swaps[first, 0]))
        for word in range(n_words):
            parts[word] = image[word] = state[word]
        for row in range(first, end):
            changed = _changed(image, swaps[row])
            image[swaps[row, 1]] ^= changed << swaps[row, 2]
            image[swaps[row, 3]] ^= changed << swaps[row, 4]
        begin = 1
        for _ in range(np.int64(blocks[0, 2])):
            end_of_group = begin + 1 + int(np.int64(blocks[begin, 0]))
            names, full = blocks[begin + 1 : end_of_group], (ONE << blocks[begin, 1]) - ONE
            if blocks[begin, 2] != ZERO:
                _rename_mates(image, names, 3 + exchange, full)
            else:
                _number_labels(image, names, full, numbers)
            begin = end_of_group
        n_failed += 1
        if _is_less(parts, 1, 0, n_words):
            n_failed = 0
            for word in range(n_words):
                state[word] = image[word]
        first = end if end < swaps.shape[0] else 0
        exchange = exchange + 1 if exchange + 1 < n_exchanges else 0


@inner_kernel
def _rename_mates(state: Words, mates: Words, column: int, full: Word) -> None:
    """Replace each mate, which another joint has left to a joint, by its image. See `loop_kernel`."""
    for joint in range(mates.shape[0]):
        if mates[joint, 2] != ZERO:
            word, shift = mates[joint, 0], mates[joint, 1]
            stored = state[word] >> shift & full
            mate = stored ^ mates[joint, column]
            if mate != full:
                mate = mates[mate, column]
            state[word] ^= (stored ^ mate ^ np.uint64(joint)) << shift


@inner_kernel
def _number_labels(state: Words, labels: Words, full: Word, numbers: Words) -> None:
    """Number the labels 1, 2, ... in order of appearance, as `label_kernel` does."""
    n_labels = ZERO
    for label in range(np.int64(full) + 1):
        numbers[label] = ZERO
    for at in range(labels.shape[0]):
        word, shift = labels[at, 0], labels[at, 1]
        label = state[word] >> shift & full
        if labels[at, 2] != ZERO and label != ZERO:
            if numbers[label] == ZERO:
                n_labels += ONE
                numbers[label] = n_labels
            state[word] ^= (label ^ numbers[label]) << shift


@inner_kernel
def _is_image_less(state: Words, swaps: Words) -> bool:
    """Whether an exchange gives a lesser state. No bit is in two of its swaps.

    So the highest bit that it changes is the higher one of a swap, and the image is less if the state has
    this bit. Most exchanges are rejected after a row or two: to make whole images and compare them took 3 to
    6 times as long for Ramsey colourings. No row after one that differs is looked at unless it has higher
    bits.
    """
    word, changed, at = swaps[0, 3], ZERO, 0
    while at < swaps.shape[0] and (
        changed == ZERO or (swaps[at, 3] == word and changed < swaps[at, MASK] << swaps[at, 4])
    ):
        word = swaps[at, 3]
        changed |= _changed(state, swaps[at]) << swaps[at, 4]
        at += 1
    return bool(state[word] & _highest_bit(changed) != ZERO)


@inlined_inner_kernel
def _changed(state: Words, swap: Words) -> np.uint64:
    """The bits that differ from those with which they are swapped, as in the mask."""
    changed: np.uint64 = (state[swap[1]] >> swap[2] ^ state[swap[3]] >> swap[4]) & swap[MASK]
    return changed


@inlined_inner_kernel
def _highest_bit(word: np.uint64) -> np.uint64:
    """The highest bit of a word that is set; 0 of 0."""
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(shift)
    return word ^ word >> ONE


@inner_kernel
def _is_less(parts: Words, one: int, other: int, n_words: int) -> bool:
    """Whether one part comes before another, in lexicographic order of words."""
    for word in range(n_words):
        a, b = parts[one * n_words + word], parts[other * n_words + word]
        if a != b:
            return bool(a < b)
    return False
