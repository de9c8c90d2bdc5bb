"""Compiled second half of a step: equal results are merged, and their counts added.

Equal states are found by a hash table with open addressing. A direct table with a place for each word of up
to 22 bits took as long or longer, because it does not fit the cache. Prefetching the places of a stretch of
results, and then their states, took 1.2 of the time for dominoes of 20x20 and 1.0 for Hamiltonian cycles of
16x16, whose fronts have about a million states. Counts have as many limbs as the
greatest needs; a further limb is added when a sum overflows. Each result in `made` is replaced by the number
of its state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ONE, ZERO, Word, Words
from rekkyo.engines.hashing import hashed, hashed_wide, place_by
from rekkyo.engines.limbs import Limbs
from rekkyo.engines.longer import longer
from rekkyo.jit import allocating_inner_kernel, allocating_kernel, inlined_inner_kernel, inner_kernel

FREE = np.uint32(0xFFFFFFFF)
"""No state, in tables and among successors."""

DONE, NO_ROOM, CARRY = 0, 1, 2


@allocating_kernel
def absorb(
    made: Words,
    origins: Words,
    first: int,
    stop: int,
    counts: Limbs,
    places: NDArray[np.uint32],
    found: Words,
    sums: Limbs,
    n_found: int,
    most: int,
) -> Any:
    """Merge the results from `first` to `stop`; returns (places, found, sums, n_found).

    Branches on the dimensions of an argument are decided when the function is compiled.

    made    : uint64[n] or uint64[n, n_words], (word 0) in/out. origins : uint64[n], see `emit`.
    counts  : uint64[n_states, n_limbs] of these.
    places  : uint32[2^bits]. The number in `found` of a state, from its hash on, or FREE.
    found   : uint64[room] or uint64[room, n_words], the first n_found are states.
    sums    : uint64[room, n_limbs].
    most    : the most states; n_found is greater if there are too many, and the other results are then
        invalid.
    """
    entry = first
    while entry < stop:
        if made.ndim == 1:
            outcome, entry, n_found = _merge_narrow(
                made, origins, entry, stop, counts, places, found, sums, n_found
            )
        else:
            outcome, entry, n_found = _merge_wide(
                made, origins, entry, stop, counts, places, found, sums, n_found
            )
        if outcome == NO_ROOM:
            if n_found >= most:
                return places, found, sums, most + 1
            found, sums = longer(found, min(2 * n_found, most)), longer(sums, min(2 * n_found, most))
            places = free_places(found.shape[0])
            for other in range(n_found):
                if made.ndim == 1:
                    place = _place_of(places, found, found[other])
                else:
                    place = _wide_place_of(places, found, found, other)
                places[place] = np.uint32(other)
        elif outcome == CARRY:
            sums = wider(sums)
            number = made[entry - 1] if made.ndim == 1 else made[entry - 1, 0]
            sums[number, sums.shape[1] - 1] = ONE
    return places, found, sums, n_found


@inner_kernel
def _merge_narrow(
    made: Words,
    origins: Words,
    first: int,
    stop: int,
    counts: Limbs,
    places: NDArray[np.uint32],
    found: Words,
    sums: Limbs,
    n_found: int,
) -> tuple[int, int, int]:
    """Merge as long as there is space; returns (outcome, next entry, n_found).

    A separate function because it makes no arrays: reference counting of growing arrays took half of the
    time.
    """
    for entry in range(first, stop):
        state = made[entry]
        place = _place_of(places, found, state)
        target = places[place]
        made[entry] = np.uint64(target)
        if target == FREE:
            if n_found == found.shape[0]:
                made[entry] = state
                return NO_ROOM, entry, n_found
            places[place] = np.uint32(n_found)
            found[n_found] = state
            _set(sums, n_found, counts, origins[entry] >> HALF)
            made[entry] = np.uint64(n_found)
            n_found += 1
        elif _add(sums, target, counts, origins[entry] >> HALF):
            return CARRY, entry + 1, n_found
    return DONE, stop, n_found


@inner_kernel
def _merge_wide(
    made: Words,
    origins: Words,
    first: int,
    stop: int,
    counts: Limbs,
    places: NDArray[np.uint32],
    found: Words,
    sums: Limbs,
    n_found: int,
) -> tuple[int, int, int]:
    """As `_merge_narrow`, for states of several words."""
    for entry in range(first, stop):
        place = _wide_place_of(places, found, made, entry)
        target = places[place]
        if target == FREE:
            if n_found == found.shape[0]:
                return NO_ROOM, entry, n_found
            target = np.uint32(n_found)
            places[place] = target
            for word in range(found.shape[1]):
                found[n_found, word] = made[entry, word]
            _set(sums, n_found, counts, origins[entry] >> HALF)
            n_found += 1
        elif _add(sums, target, counts, origins[entry] >> HALF):
            made[entry, 0] = np.uint64(target)
            return CARRY, entry + 1, n_found
        made[entry, 0] = np.uint64(target)
    return DONE, stop, n_found


@inlined_inner_kernel
def _set(sums: Limbs, target: Any, counts: Limbs, origin: Any) -> None:
    """Set the first count of a state. Sums may have more limbs than counts."""
    for limb in range(counts.shape[1]):
        sums[target, limb] = counts[origin, limb]
    for limb in range(counts.shape[1], sums.shape[1]):
        sums[target, limb] = ZERO


@inlined_inner_kernel
def _add(sums: Limbs, target: Any, counts: Limbs, origin: Any) -> bool:
    """Add a count; returns whether the highest limb overflows."""
    carry = ZERO
    for limb in range(counts.shape[1]):  # `limbs.add_to` takes 1.3 % more instructions for dominoes
        addend = counts[origin, limb]
        partial = sums[target, limb] + addend
        total = partial + carry
        sums[target, limb] = total
        carry = ONE if partial < addend or total < partial else ZERO
    limb = counts.shape[1]
    while carry != ZERO and limb < sums.shape[1]:
        sums[target, limb] += ONE
        carry = ONE if sums[target, limb] == ZERO else ZERO
        limb += 1
    return bool(carry != ZERO)


@allocating_inner_kernel
def wider(sums: Limbs) -> Limbs:
    """The same numbers with a further limb."""
    wider = np.zeros((sums.shape[0], sums.shape[1] + 1), dtype=np.uint64)
    for index in range(sums.shape[0]):
        for limb in range(sums.shape[1]):
            wider[index, limb] = sums[index, limb]
    return wider


@allocating_kernel
def free_places(room: int) -> NDArray[np.uint32]:
    """A table for `room` states: a power of two, at most half full."""
    size = 2
    while size < 2 * room:
        size *= 2
    return np.full(size, FREE, dtype=np.uint32)


@inlined_inner_kernel
def _place_of(places: NDArray[np.uint32], found: Words, state: Word) -> Word:
    """The place of a state in the table, or the free place for it."""
    last = np.uint64(places.shape[0] - 1)
    place = place_by(hashed(state), places.shape[0])
    while places[place] != FREE and found[places[place]] != state:
        place = (place + ONE) & last
    return place


@inlined_inner_kernel
def _wide_place_of(places: NDArray[np.uint32], found: Words, states: Words, index: int) -> Word:
    """As `_place_of`, for several words: state number `index` of some."""
    last = np.uint64(places.shape[0] - 1)
    place = place_by(hashed_wide(states, index), places.shape[0])
    while places[place] != FREE:
        other = places[place]
        same = True
        for word in range(states.shape[1]):
            if found[other, word] != states[index, word]:
                same = False
        if same:
            break
        place = (place + ONE) & last
    return place
