"""Compiled first half of a step: it applies all choices of a level to all states, and writes the results.

    choices[0] clash  | choices[1] take | choices[2] plus                            (see `levels.Choice`)
    marks[0] opening  | marks[1] covered | marks[2] required | marks[3] keep         (see `levels.Level`)
    limits[c] = word, shift, mask, least, most      (word >> shift & mask) must be `least` to `most`

Results are written one after the other, each with its origin. Several *owners* may merge them. The hash of a
result determines its owner. Every owner has a range of the same length for its results.

    made      result of owner 0 | ... | room       result of owner 1 | ...
    origins   number of the state << 32 | choice, counted from 1; 0 if the state is left unchanged
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ZERO, Word, Words
from rekkyo.engines.frontier.arrange import arrange_blocks, arrange_by_rules, room_to_arrange
from rekkyo.engines.frontier.label_kernel import N_LABELS
from rekkyo.engines.frontier.rule_kernel import RuleArrays, follow
from rekkyo.engines.hashing import hashed, hashed_wide, share_by
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

Ends: TypeAlias = NDArray[np.int64]
"""Part of `ends`: for each owner the end of its results."""


@kernel
def emit_narrow(  # noqa: PLR0912 - one loop, because calls with arrays cost
    states: Words,
    first: int,
    stop: int,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    made: Words,
    origins: Words,
    ends: Ends,
    scratch: Words,
) -> int:
    """Write the results for the states from `first` to `stop`, of one word each; returns the nodes.

    A node is a choice that does not clash with a state; rules, marks or limits may still reject its result.

    states  : uint64[n], all different.
    choices : uint64[3, n_choices]. marks : uint64[4, 1]. limits : uint64[n_limits, 5].
    rules   : None, or those of a level at which a variable gets a value; then no state is left unchanged.
    blocks  : uint64[n_blocks, n], see `arrange.py`.
    made    : uint64[n_owners * room], out. origins : uint64[n_owners * room], out.
    ends    : int64[n_owners], out. scratch : uint64[n], see `scratch_room`.
    """
    n_choices, n_owners = choices.shape[1], ends.shape[0]
    room = made.shape[0] // n_owners
    clash, take, plus = choices[0], choices[1], choices[2]
    opening, covered, required, keep = marks[0, 0], marks[1, 0], marks[2, 0], marks[3, 0]
    word, before, labels, parts = (
        scratch[:1],
        scratch[1:2],
        scratch[2 : 2 + N_LABELS],
        scratch[2 + N_LABELS :],
    )
    for owner in range(n_owners):
        ends[owner] = owner * room
    end = 0
    nodes = 0
    for index in range(first, stop):
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
            if after & required != required or not _is_within(after, limits):
                continue
            after &= keep
            if blocks.shape[0] > 0:
                word[0] = after
                if rules is None:
                    arrange_blocks(word, blocks, parts)
                else:
                    arrange_by_rules(word, blocks, parts)
                after = word[0]
            if n_owners > 1:
                owner = share_by(hashed(after), n_owners)
                end = ends[owner]
                ends[owner] += 1
            made[end] = after
            origins[end] = np.uint64(index) << HALF | np.uint64(choice)
            end += 1
    if n_owners == 1:
        ends[0] = end
    return nodes


@kernel
def emit_wide(  # noqa: PLR0912
    states: Words,
    first: int,
    stop: int,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    made: Words,
    origins: Words,
    ends: Ends,
    scratch: Words,
) -> int:
    """As `emit_narrow`, for states of several words.

    states : uint64[n, n_words]. choices : uint64[3, n_choices, n_words]. marks : uint64[4, n_words].
    made   : uint64[n_owners * room, n_words].
    """
    n_words, n_choices, n_owners = states.shape[1], choices.shape[1], ends.shape[0]
    room = made.shape[0] // n_owners
    state, after = scratch[:n_words], scratch[n_words : 2 * n_words]
    labels, parts = scratch[2 * n_words : 2 * n_words + N_LABELS], scratch[2 * n_words + N_LABELS :]
    may_be_skipped = True
    for word in range(n_words):
        if marks[1, word] != ZERO:
            may_be_skipped = False
    for owner in range(n_owners):
        ends[owner] = owner * room
    nodes = 0
    for index in range(first, stop):
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
                if rules is None:
                    arrange_blocks(after, blocks, parts)
                else:
                    arrange_by_rules(after, blocks, parts)
            owner = 0
            if n_owners > 1:
                for word in range(n_words):
                    made[ends[0], word] = after[word]
                owner = share_by(hashed_wide(made, ends[0]), n_owners)
            end = ends[owner]
            ends[owner] += 1
            for word in range(n_words):
                made[end, word] = after[word]
            origins[end] = np.uint64(index) << HALF | np.uint64(choice)
    return nodes


@kernel
def scratch_room(blocks: Words, n_words: int) -> int:
    """The number of scratch words, for two states, labels, and the words that `arrange.py` needs."""
    return 2 * n_words + N_LABELS + room_to_arrange(blocks, n_words)


@inner_kernel
def _chosen(state: Words, choices: Words, choice: int, after: Words) -> bool:
    """Write the result of a choice for a state; False if the choice is rejected."""
    for word in range(state.shape[0]):
        if state[word] & choices[0, choice, word] != ZERO:
            return False
    for word in range(state.shape[0]):
        after[word] = (state[word] | choices[1, choice, word]) + choices[2, choice, word]
    return True


@inlined_inner_kernel
def _is_within(after: Word, limits: Words) -> bool:
    """Whether all counters of a state of one word are within their limits."""
    is_within = True
    for limit in range(limits.shape[0]):
        times = (after >> limits[limit, 1]) & limits[limit, 2]
        if times < limits[limit, 3] or times > limits[limit, 4]:
            is_within = False
    return is_within


@inner_kernel
def _ends_well(after: Words, marks: Words, limits: Words) -> bool:
    """Whether all items that end at this level are covered within their bounds."""
    for word in range(after.shape[0]):
        if after[word] & marks[2, word] != marks[2, word]:
            return False
    for limit in range(limits.shape[0]):
        times = (after[limits[limit, 0]] >> limits[limit, 1]) & limits[limit, 2]
        if times < limits[limit, 3] or times > limits[limit, 4]:
            return False
    return True
