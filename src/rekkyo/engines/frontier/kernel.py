"""Compiled step of the frontier search: from all states before a level to all states after it.

Algorithm: every state is tried with every choice of the level; equal results are merged, and their counts
added. What a state is, `levels.py` says. Source: the frontier (broken profile) method.
Equal states meet in a table: one place for each word where a state has few bits (no comparing, no probing),
else open addressing. Left out on purpose: jumping over the levels that a state passes unchanged.

    choices[0] clash  | choices[1] take | choices[2] plus                            (see `levels.Choice`)
    marks[0] opening  | marks[1] covered | marks[2] required | marks[3] keep         (see `levels.Level`)
    limits[c] = word, shift, mask, least, most      a counter's bits, moved down, must be `least` to `most`
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import BIT_MASK, HALF, ONE, SCATTER, WORD_SHIFT, ZERO, Word, Words
from rekkyo.engines.frontier.rule_kernel import N_LABELS, RuleArrays, follow
from rekkyo.engines.limbs import Limbs, add_to
from rekkyo.engines.longer import longer
from rekkyo.jit import allocating_kernel, inner_kernel

FINISHED = 0
COUNT_TOO_LONG = 1
TOO_MANY_STATES = 2

FREE = np.uint32(0xFFFFFFFF)
"""No state, in tables and among successors."""


NO_BIT = np.uint64(0xFFFFFFFF)
COLORS = np.uint64(0xFFFFFFFE)
"""In place of a class: the row says which colours can be exchanged, see `_arrange_colors`."""

LEAST_ROOM = 256


@allocating_kernel
def step_narrow(  # noqa: PLR0912, PLR0915 - one loop, because calls with arrays cost
    states: Words,
    counts: Limbs,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    table: NDArray[np.uint32],
    blocks: Words,
    most: int,
    successors: NDArray[np.uint32] | None,
) -> Any:
    """One level, states of one word; returns (outcome, states, counts, nodes).

    states : uint64[n], all different. counts : uint64[n, n_limbs], in how many ways each is reached.
    choices : uint64[3, n_choices]. marks : uint64[4, 1]. limits : uint64[n_limits, 5].
    rules  : None, or those of a level at which a variable gets a value; then no state is left as it is.
    table  : uint32[2^bits] with every place FREE, and so it is left; or of no places, to be hashed here.
    blocks : uint64[n_blocks, 1 + n_bits], see `_arrange`.
    most   : so many states are let in. nodes: choices that were tried and not shut out.
    successors : None, or uint32[n, 1 + n_choices], out: the number of the state that leaving it as it is, and
        each choice, lead to.
    """
    n_states, n_choices, n_limbs = states.shape[0], choices.shape[1], counts.shape[1]
    clash, take, plus = choices[0], choices[1], choices[2]
    opening, covered, required, keep = marks[0, 0], marks[1, 0], marks[2, 0], marks[3, 0]
    is_direct = table.shape[0] > 0
    room = min(max(LEAST_ROOM, n_states), most)
    found = np.empty(room, dtype=np.uint64)
    sums = np.empty((room, n_limbs), dtype=np.uint64)
    places = table
    if not is_direct:
        places = _free_places(room)
    parts, word = np.empty(_room_to_arrange(blocks, 1), dtype=np.uint64), np.empty(1, dtype=np.uint64)
    if rules is not None:
        labels, before = np.empty(N_LABELS, dtype=np.uint64), np.empty(1, dtype=np.uint64)
    n_found = 0
    nodes = 0
    outcome = FINISHED
    for index in range(n_states):
        state = states[index] | opening
        is_covered = (state & covered) != ZERO
        for choice in range(n_choices + 1):
            after = state
            if choice == 0:
                if rules is not None or (covered != ZERO and not is_covered):
                    continue
            else:
                if is_covered:
                    break
                if state & clash[choice - 1] != ZERO:
                    continue
                after = (state | take[choice - 1]) + plus[choice - 1]
                nodes += 1
                if rules is not None:
                    before[0], word[0] = state, after
                    if not follow(rules, choice - 1, before, word, labels):
                        continue
                    after = word[0]
            if after & required != required:
                continue
            reached = True
            for limit in range(limits.shape[0]):
                times = (after >> limits[limit, 1]) & limits[limit, 2]
                if times < limits[limit, 3] or times > limits[limit, 4]:
                    reached = False
            if not reached:
                continue
            after &= keep
            if blocks.shape[0] > 0:
                word[0] = after
                _arrange(word, blocks, parts)
                after = word[0]
            place = after
            if not is_direct:
                place = _place_of(places, found, after)
            target = places[place]
            if target == FREE:
                if n_found == room:
                    if room == most:
                        outcome = TOO_MANY_STATES
                        break
                    room = min(2 * room, most)
                    found, sums = longer(found, room), longer(sums, room)
                    if not is_direct:
                        places = _free_places(room)
                        for other in range(n_found):
                            places[_place_of(places, found, found[other])] = np.uint32(other)
                        place = _place_of(places, found, after)
                target = np.uint32(n_found)
                places[place] = target
                found[n_found] = after
                for limb in range(n_limbs):
                    sums[n_found, limb] = counts[index, limb]
                n_found += 1
            elif add_to(sums, target, counts, index) != ZERO:
                outcome = COUNT_TOO_LONG
                break
            if successors is not None:
                successors[index, choice] = target
        if outcome != FINISHED:
            break
    if is_direct:
        for index in range(n_found):
            table[found[index]] = FREE
    return outcome, found[:n_found], sums[:n_found], nodes


@allocating_kernel
def step_wide(  # noqa: PLR0912, PLR0915
    states: Words,
    counts: Limbs,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    most: int,
    successors: NDArray[np.uint32] | None,
) -> Any:
    """As `step_narrow`, for states of several words.

    states : uint64[n, n_words]. choices : uint64[3, n_choices, n_words]. marks : uint64[4, n_words].
    """
    n_states, n_words = states.shape
    n_choices, n_limbs = choices.shape[1], counts.shape[1]
    room = min(max(LEAST_ROOM, n_states), most)
    found = np.empty((room, n_words), dtype=np.uint64)
    sums = np.empty((room, n_limbs), dtype=np.uint64)
    places = _free_places(room)
    state = np.empty(n_words, dtype=np.uint64)
    after = np.empty(n_words, dtype=np.uint64)
    parts = np.empty(_room_to_arrange(blocks, n_words), dtype=np.uint64)
    if rules is not None:
        labels = np.empty(N_LABELS, dtype=np.uint64)
    may_be_skipped = True
    for word in range(n_words):
        if marks[1, word] != ZERO:
            may_be_skipped = False
    n_found = 0
    nodes = 0
    outcome = FINISHED
    for index in range(n_states):
        is_covered = False
        for word in range(n_words):
            state[word] = states[index, word] | marks[0, word]
            if state[word] & marks[1, word] != ZERO:
                is_covered = True
        for choice in range(n_choices + 1):
            if choice == 0:
                if rules is not None or not (may_be_skipped or is_covered):
                    continue
                for word in range(n_words):
                    after[word] = state[word]
            else:
                if is_covered:
                    break
                if not _chosen(state, choices, choice - 1, after):
                    continue
                nodes += 1
                if rules is not None and not follow(rules, choice - 1, state, after, labels):
                    continue
            if not _ends_well(after, marks, limits):
                continue
            for word in range(n_words):
                after[word] &= marks[3, word]
            if blocks.shape[0] > 0:
                _arrange(after, blocks, parts)
            place = _wide_place_of(places, found, after)
            target = places[place]
            if target == FREE:
                if n_found == room:
                    if room == most:
                        outcome = TOO_MANY_STATES
                        break
                    room = min(2 * room, most)
                    found, sums = longer(found, room), longer(sums, room)
                    places = _free_places(room)
                    for other in range(n_found):
                        places[_wide_place_of(places, found, found[other])] = np.uint32(other)
                    place = _wide_place_of(places, found, after)
                target = np.uint32(n_found)
                places[place] = target
                for word in range(n_words):
                    found[n_found, word] = after[word]
                for limb in range(n_limbs):
                    sums[n_found, limb] = counts[index, limb]
                n_found += 1
            elif add_to(sums, target, counts, index) != ZERO:
                outcome = COUNT_TOO_LONG
                break
            if successors is not None:
                successors[index, choice] = target
        if outcome != FINISHED:
            break
    return outcome, found[:n_found], sums[:n_found], nodes


@inner_kernel
def _room_to_arrange(blocks: Words, n_words: int) -> int:
    """Words that `_arrange` works in."""
    if blocks.shape[0] > 0 and blocks[0, 0] == COLORS:
        return int(blocks[0, 1]) * n_words
    return int(blocks.shape[0])


@inner_kernel
def _arrange(state: Words, blocks: Words, parts: Words) -> None:
    """Put a state in place of all that exchanges of blocks make of it: they have the same future.

    state  : uint64[n_words], in and out.
    blocks : uint64[n_blocks, 1 + n_bits]. The number of a block's class, then the places of its bits, 64 at
             most, NO_BIT for none; the blocks of a class are neighbours, have bits for the same things, and
             any two can be exchanged.
    parts  : uint64[n_blocks], to work in.
    Each class is sorted, one after the other. Where that disturbs another one, some equal states stay apart.
    """
    if blocks[0, 0] == COLORS:
        _arrange_colors(state, blocks[0], parts)
        return
    first = 0
    while first < blocks.shape[0]:
        end = first
        while end < blocks.shape[0] and blocks[end, 0] == blocks[first, 0]:
            part = ZERO
            for bit in range(1, blocks.shape[1]):
                place = blocks[end, bit]
                if place != NO_BIT:
                    word, shift = place >> WORD_SHIFT, place & BIT_MASK
                    part = part << ONE | (state[word] >> shift & ONE)
                    state[word] &= ~(ONE << shift)
            at = end
            while at > first and parts[at - 1] > part:
                parts[at] = parts[at - 1]
                at -= 1
            parts[at] = part
            end += 1
        for block in range(first, end):
            part = parts[block]
            for bit in range(blocks.shape[1] - 1, 0, -1):
                place = blocks[block, bit]
                if place != NO_BIT:
                    state[place >> WORD_SHIFT] |= (part & ONE) << (place & BIT_MASK)
                    part >>= ONE
        first = end


@inner_kernel
def _arrange_colors(state: Words, row: Words, parts: Words) -> None:
    """The same for colours any two of which can be exchanged: their bits stand side by side.

    row   : uint64[2 + n_words]. COLORS, the number of colours, and in each word the bits of the first colour;
            those of colour c are c places further up.
    parts : uint64[n_colors * n_words], to work in.

        masks  ..1..1.....1      two colours, three things remembered of each
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


@inner_kernel
def _is_less(parts: Words, one: int, other: int, n_words: int) -> bool:
    """Whether one part comes before another, their first words compared first."""
    for word in range(n_words):
        a, b = parts[one * n_words + word], parts[other * n_words + word]
        if a != b:
            return bool(a < b)
    return False


@inner_kernel
def _chosen(state: Words, choices: Words, choice: int, after: Words) -> bool:
    """Write what a choice makes of a state; False when the choice is shut out."""
    for word in range(state.shape[0]):
        if state[word] & choices[0, choice, word] != ZERO:
            return False
    for word in range(state.shape[0]):
        after[word] = (state[word] | choices[1, choice, word]) + choices[2, choice, word]
    return True


@inner_kernel
def _ends_well(after: Words, marks: Words, limits: Words) -> bool:
    """Whether all that ends at this level is covered as often as it must be."""
    for word in range(after.shape[0]):
        if after[word] & marks[2, word] != marks[2, word]:
            return False
    for limit in range(limits.shape[0]):
        times = (after[limits[limit, 0]] >> limits[limit, 1]) & limits[limit, 2]
        if times < limits[limit, 3] or times > limits[limit, 4]:
            return False
    return True


@allocating_kernel
def _free_places(room: int) -> NDArray[np.uint32]:
    """A table for so many states: a power of two, at most half full."""
    size = 1
    while size < 2 * room:
        size *= 2
    return np.full(size, FREE, dtype=np.uint32)


@inner_kernel
def _place_of(places: NDArray[np.uint32], found: Words, state: Word) -> Word:
    """Where a state is in the table, or where it belongs."""
    last = np.uint64(places.shape[0] - 1)
    place = (state * SCATTER) >> HALF & last
    while places[place] != FREE and found[places[place]] != state:
        place = (place + ONE) & last
    return place


@inner_kernel
def _wide_place_of(places: NDArray[np.uint32], found: Words, state: Words) -> Word:
    """As `_place_of`, for several words."""
    last = np.uint64(places.shape[0] - 1)
    mixed = ZERO
    for word in range(state.shape[0]):
        mixed = (mixed ^ state[word]) * SCATTER
        mixed ^= mixed >> HALF
    place = mixed & last
    while places[place] != FREE:
        other = places[place]
        same = True
        for word in range(state.shape[0]):
            if found[other, word] != state[word]:
                same = False
        if same:
            break
        place = (place + ONE) & last
    return place
