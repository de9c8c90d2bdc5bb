"""Compiled: states sorted by what some levels leave as it is, so that each run of them is a part.

    states   d a c b c a d a      numbers of parts   1 0 1 0 1 0 1 0
    sorted   a b a a|d c c d      ends               4 8

The number of a part is the hash of the facts that `stays.py` describes: some bits, the sorts of some numbers,
and colours up to a permutation, for which the hashes of all colours are added. Sorting by NumPy took three
times as long, and workers waited for each other's calls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ONE, SCATTER, TWO, ZERO, Word, Words
from rekkyo.engines.hashing import share_by
from rekkyo.engines.limbs import Limbs
from rekkyo.jit import inner_kernel, kernel


class Facts(NamedTuple):
    """What parts states, as arrays.

    bits    : uint64[n_words].
    colors  : uint64[n_words]. The bits of the first of `n_colors` colours; the others follow each.
    numbers : uint64[n, 4]. Word, shift and mask of a number, and a value that is a sort of its own.
    """

    bits: Words
    colors: Words
    n_colors: int
    numbers: Words


@kernel
def split(
    states: Words,
    counts: Limbs,
    facts: Facts,
    ends: NDArray[np.int64],
    numbers: NDArray[np.uint8],
    sorted_states: Words,
    sorted_counts: Limbs,
) -> None:
    """Sort states and their counts by the number of their part.

    states  : uint64[n, n_words]. counts : uint64[n, n_limbs].
    ends    : int64[n_parts], out. The end of each part among the sorted states.
    numbers : uint8[n], scratch. sorted_states, sorted_counts : as states and counts, out.
    """
    n_parts = ends.shape[0]
    for part in range(n_parts):
        ends[part] = 0
    for index in range(states.shape[0]):
        numbers[index] = share_by(_hash_of(states, index, facts), n_parts)
        ends[numbers[index]] += 1
    first = 0
    for part in range(n_parts):
        first, ends[part] = first + ends[part], first
    for index in range(states.shape[0]):
        place = ends[numbers[index]]
        ends[numbers[index]] += 1
        for word in range(states.shape[1]):
            sorted_states[place, word] = states[index, word]
        for limb in range(counts.shape[1]):
            sorted_counts[place, limb] = counts[index, limb]


@inner_kernel
def _hash_of(states: Words, index: int, facts: Facts) -> Word:
    """The hash of the facts about a state."""
    bits, colors, n_colors, numbers = facts
    mixed = ZERO
    for word in range(states.shape[1]):
        mixed = _mixed(mixed, states[index, word] & bits[word])
    kinds = ZERO
    for number in range(numbers.shape[0]):
        value = states[index, numbers[number, 0]] >> numbers[number, 1] & numbers[number, 2]
        sort = ZERO if value == ZERO else TWO if value == numbers[number, 3] else ONE
        kinds = kinds << TWO | sort
    mixed = _mixed(mixed, kinds)
    for color in range(n_colors):
        of_color = ZERO
        for word in range(states.shape[1]):
            of_color = _mixed(of_color, states[index, word] >> np.uint64(color) & colors[word])
        mixed += of_color ^ of_color >> HALF
    return mixed


@inner_kernel
def _mixed(mixed: Word, word: Word) -> Word:
    return (mixed ^ mixed >> HALF ^ word) * SCATTER
