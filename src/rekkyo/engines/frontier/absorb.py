"""Compiled second half of a step: equal results are merged, and their counts added.

Equal states meet in a table with open addressing. A table with a place for each word of up to 22 bits, where
nothing is compared, took as long or longer, because it does not fit the cache. Counts have as many limbs as
the greatest needs; one more is added when a sum overflows. The place that a result takes up in `made` holds
afterwards the number of its state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ONE, ZERO, Word, Words
from rekkyo.engines.frontier.emit import hashed, hashed_wide
from rekkyo.engines.limbs import Limbs
from rekkyo.engines.longer import longer
from rekkyo.jit import allocating_kernel, inlined_inner_kernel, inner_kernel

FREE = np.uint32(0xFFFFFFFF)
"""No state, in tables and among successors."""


@allocating_kernel
def absorb_narrow(
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
    """Merge the results from `first` to `stop`, states of one word; returns (places, found, sums, n_found).

    made    : uint64[n], in/out. origins : uint64[n], see `emit`. counts : uint64[n_states, n_limbs] of these.
    places  : uint32[2^bits]. From the hash of a state on, its number in `found`, or FREE.
    found   : uint64[room], the first n_found are states. sums : uint64[room, n_limbs].
    most    : so many states are let in; n_found is more when there are too many, and nothing is of use then.
    """
    for entry in range(first, stop):
        state = made[entry]
        place = _place_of(places, found, state)
        target = places[place]
        if target == FREE:
            if n_found == found.shape[0]:
                if n_found >= most:
                    return places, found, sums, most + 1
                found, sums = longer(found, min(2 * n_found, most)), longer(sums, min(2 * n_found, most))
                places = free_places(found.shape[0])
                for other in range(n_found):
                    places[_place_of(places, found, found[other])] = np.uint32(other)
                place = _place_of(places, found, state)
            target = np.uint32(n_found)
            places[place] = target
            found[n_found] = state
            n_found += 1
            _set(sums, target, counts, origins[entry] >> HALF)
        elif _add(sums, target, counts, origins[entry] >> HALF):
            sums = _wider(sums)
            sums[target, sums.shape[1] - 1] = ONE
        made[entry] = np.uint64(target)
    return places, found, sums, n_found


@allocating_kernel
def absorb_wide(
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
    """As `absorb_narrow`, for states of several words. made : uint64[n, n_words], word 0 in/out."""
    for entry in range(first, stop):
        state = made[entry]
        place = _wide_place_of(places, found, state)
        target = places[place]
        if target == FREE:
            if n_found == found.shape[0]:
                if n_found >= most:
                    return places, found, sums, most + 1
                found, sums = longer(found, min(2 * n_found, most)), longer(sums, min(2 * n_found, most))
                places = free_places(found.shape[0])
                for other in range(n_found):
                    places[_wide_place_of(places, found, found[other])] = np.uint32(other)
                place = _wide_place_of(places, found, state)
            target = np.uint32(n_found)
            places[place] = target
            for word in range(state.shape[0]):
                found[n_found, word] = state[word]
            n_found += 1
            _set(sums, target, counts, origins[entry] >> HALF)
        elif _add(sums, target, counts, origins[entry] >> HALF):
            sums = _wider(sums)
            sums[target, sums.shape[1] - 1] = ONE
        made[entry, 0] = np.uint64(target)
    return places, found, sums, n_found


@inlined_inner_kernel
def _set(sums: Limbs, target: Any, counts: Limbs, origin: Any) -> None:
    """The first count of a state. Sums may have more limbs than counts."""
    for limb in range(counts.shape[1]):
        sums[target, limb] = counts[origin, limb]
    for limb in range(counts.shape[1], sums.shape[1]):
        sums[target, limb] = ZERO


@inlined_inner_kernel
def _add(sums: Limbs, target: Any, counts: Limbs, origin: Any) -> bool:
    """Add a count; whether there is a carry out of the highest limb."""
    carry = ZERO
    for limb in range(counts.shape[1]):
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


@allocating_kernel
def _wider(sums: Limbs) -> Limbs:
    """The same numbers with one limb more."""
    wider = np.zeros((sums.shape[0], sums.shape[1] + 1), dtype=np.uint64)
    for index in range(sums.shape[0]):
        for limb in range(sums.shape[1]):
            wider[index, limb] = sums[index, limb]
    return wider


@allocating_kernel
def free_places(room: int) -> NDArray[np.uint32]:
    """A table for so many states: a power of two, at most half full."""
    size = 1
    while size < 2 * room:
        size *= 2
    return np.full(size, FREE, dtype=np.uint32)


@inner_kernel
def _place_of(places: NDArray[np.uint32], found: Words, state: Word) -> Word:
    """Where a state is in the table, or where it belongs."""
    last = np.uint64(places.shape[0] - 1)
    place = hashed(state) & last
    while places[place] != FREE and found[places[place]] != state:
        place = (place + ONE) & last
    return place


@inner_kernel
def _wide_place_of(places: NDArray[np.uint32], found: Words, state: Words) -> Word:
    """As `_place_of`, for several words."""
    last = np.uint64(places.shape[0] - 1)
    place = hashed_wide(state) & last
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
