"""Compiled walk over the partitions of 1 … 25 into five rows of equal sum, and the transversals of each.

Numbers are counted from 0 here, so that they run from 0 to 24 and five-sets sum to 60. A five-set is one word
with a bit for each of its numbers. A *pair* is two disjoint five-sets; the plan lists those that canonical
partitions begin with, and the walk adds the third row (which holds a number that the plan names), the fourth
(which holds the least number left) and the fifth (what is left).

The transversals of a partition are the sets with one number of each row that sum to 60. All partitions that
share three rows share their 125 sums, sorted by value once; each of the 25 pairs of numbers from the fourth
and fifth row then finds its partners at one place. (Trying all 625 choices of four took twice as long for
the whole count of order 5.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rekkyo.bits import ONE, TWO, ZERO, Word, Words, lowest_index
from rekkyo.engines.sums.magic5.quad import N_WORDS, both, either, load, opposite, store, unlike
from rekkyo.jit import inner_kernel

N = 5
N_NUMBERS = 25
LINE_SUM = 60
MAX_TRANSVERSALS = 64 * N_WORDS
N_TRIPLES = N**3
MAX_TRIPLE_SUM = 24 + 23 + 22

# Places in `state`.
PAIR, END, N_SUBSETS, NEXT_THIRD, NEXT_FOURTH, WEIGHT, TRIPLES_READY = range(7)
STATE_SIZE = 7

# Columns of `pairs`.
FIRST, SECOND, HOLDS, KIND = range(4)

# What `pairs` say of a partition and its complement: both are met (or they are the same) / only this one is
# met / that depends on how the third row's complement compares with the second row.
ALONE, STANDS_FOR_BOTH, COMPARE = range(3)

EIGHT = np.uint64(8)
BYTE = np.uint64(255)
ALL_NUMBERS = np.uint64((1 << N_NUMBERS) - 1)
LAST_NUMBER = np.uint64(N_NUMBERS - 1)


class Rows(NamedTuple):
    """Where the walk is, and what it made of the partition there; every array is changed in place.

    state   : uint64[STATE_SIZE]. See the names of its places.
    subsets : uint64[n_five_sets]. Five-sets that are disjoint from the two rows of the pair.
    rows    : uint64[5]. The partition.
    triples : uint64[125]. Choices from the first three rows in the order of their sums, a byte per number.
    starts  : uint64[MAX_TRIPLE_SUM + 2]. Where the choices of each sum start.
    numbers : uint64[256]. The numbers of each transversal: byte k is the one from row k.
    holding : uint64[25 * 4]. For each number the quad of the transversals that hold it.
    once    : uint64[256 * 4]. For each transversal the quad of those that meet it exactly once.
    apart   : uint64[256 * 4]. For each transversal the quad of those disjoint from it.
    """

    state: Words
    subsets: Words
    rows: Words
    triples: Words
    starts: Words
    numbers: Words
    holding: Words
    once: Words
    apart: Words


def make_rows(pairs: tuple[int, ...], n_five_sets: int) -> Rows:
    """A walk before the first partition of some pairs: (the first, the one after the last)."""
    state = np.zeros(STATE_SIZE, dtype=np.uint64)
    state[PAIR], state[END] = pairs
    sizes = (
        n_five_sets,
        N,
        N_TRIPLES,
        MAX_TRIPLE_SUM + 2,
        MAX_TRANSVERSALS,
        N_NUMBERS * N_WORDS,
        MAX_TRANSVERSALS * N_WORDS,
        MAX_TRANSVERSALS * N_WORDS,
    )
    return Rows(state, *(np.zeros(size, dtype=np.uint64) for size in sizes))


@inner_kernel
def next_partition(pairs: Words, five_sets: Words, walk: Rows) -> bool:
    """Go to the next partition and make its transversals; False when there is none.

    pairs     : uint64[n_pairs, 4], in. Two rows, the number that the third row holds, and the kind.
    five_sets : uint64[n_five_sets], in. All five-sets that sum to 60.
    state[PAIR] is one more than the number of the pair that the walk is in, 0 subsets before the first.
    """
    state, subsets, rows = walk.state, walk.subsets, walk.rows
    while True:
        left = ALL_NUMBERS & ~(rows[0] | rows[1] | rows[2])
        while state[NEXT_FOURTH] < state[N_SUBSETS]:
            fourth = subsets[state[NEXT_FOURTH]]
            state[NEXT_FOURTH] += ONE
            if fourth & ~left == ZERO and fourth & left & (~left + ONE):
                rows[3] = fourth
                rows[4] = left & ~fourth
                if not state[TRIPLES_READY]:
                    _sort_triples(walk)
                    state[TRIPLES_READY] = ONE
                return True
        if not _next_third(pairs, walk):
            if state[PAIR] == state[END]:
                state[N_SUBSETS] = ZERO
                state[NEXT_THIRD] = ZERO
                state[NEXT_FOURTH] = ZERO
                return False
            _next_pair(pairs, five_sets, walk)


@inner_kernel
def _next_pair(pairs: Words, five_sets: Words, walk: Rows) -> None:
    state, subsets, rows = walk.state, walk.subsets, walk.rows
    pair = state[PAIR]
    state[PAIR] += ONE
    rows[0], rows[1] = pairs[pair, FIRST], pairs[pair, SECOND]
    taken = rows[0] | rows[1]
    n_subsets = 0
    for index in range(five_sets.shape[0]):
        if five_sets[index] & taken == ZERO:
            subsets[n_subsets] = five_sets[index]
            n_subsets += 1
    state[N_SUBSETS] = n_subsets
    state[NEXT_THIRD] = ZERO
    state[NEXT_FOURTH] = n_subsets


@inner_kernel
def _next_third(pairs: Words, walk: Rows) -> bool:
    """Put the next third row into the partition; False when the pair has no more."""
    state, subsets, rows = walk.state, walk.subsets, walk.rows
    while state[NEXT_THIRD] < state[N_SUBSETS]:
        pair = state[PAIR] - ONE
        third = subsets[state[NEXT_THIRD]]
        state[NEXT_THIRD] += ONE
        if not third >> pairs[pair, HOLDS] & ONE:
            continue
        weight = pairs[pair, KIND]
        if weight == np.uint64(COMPARE):
            mirrored = complement(third)
            if mirrored < rows[1]:
                continue
            weight = np.uint64(STANDS_FOR_BOTH) if mirrored > rows[1] else np.uint64(ALONE)
        state[WEIGHT] = weight
        state[NEXT_FOURTH] = ZERO
        state[TRIPLES_READY] = ZERO
        rows[2] = third
        return True
    return False


@inner_kernel
def complement(five_set: Word) -> Word:
    """The five-set with x -> 24 - x."""
    mirrored = ZERO
    while five_set:
        mirrored |= ONE << (LAST_NUMBER - lowest_index(five_set))
        five_set &= five_set - ONE
    return mirrored


@inner_kernel
def _sort_triples(walk: Rows) -> None:
    """Sort the 125 choices from three rows by their sums: count, add up, put in place."""
    rows, triples, starts = walk.rows, walk.triples, walk.starts
    starts[:] = ZERO
    for fill in range(2):
        first = rows[0]
        while first:
            a = lowest_index(first)
            first &= first - ONE
            second = rows[1]
            while second:
                b = lowest_index(second)
                second &= second - ONE
                third = rows[2]
                while third:
                    c = lowest_index(third)
                    third &= third - ONE
                    if fill:
                        # Counting down leaves each start where it belongs.
                        starts[a + b + c] -= ONE
                        triples[starts[a + b + c]] = a | b << EIGHT | c << (EIGHT + EIGHT)
                    else:
                        starts[a + b + c] += ONE
        if not fill:
            for total in range(1, starts.shape[0]):
                starts[total] += starts[total - 1]


@inner_kernel
def make_transversals(walk: Rows) -> Word:
    """Make the transversals of the partition, ordered by the number from the fourth row; how many there are.

    0 when some number of the fourth row is in none: then no transversals are columns together.
    Fills numbers and holding.
    """
    rows, triples, starts, numbers, holding = walk.rows, walk.triples, walk.starts, walk.numbers, walk.holding
    holding[:] = ZERO
    n_found = ZERO
    fourth = rows[3]
    while fourth:
        d = lowest_index(fourth)
        fourth &= fourth - ONE
        before = n_found
        fifth = rows[4]
        while fifth:
            e = lowest_index(fifth)
            fifth &= fifth - ONE
            rest = np.uint64(LINE_SUM) - d - e
            for index in range(starts[rest], starts[rest + ONE]):
                triple = triples[index]
                word, bit = n_found >> np.uint64(6), ONE << (n_found & np.uint64(63))
                numbers[n_found] = triple | d << np.uint64(24) | e << np.uint64(32)
                holding[(triple & BYTE) << TWO | word] |= bit
                holding[(triple >> EIGHT & BYTE) << TWO | word] |= bit
                holding[triple >> np.uint64(16) << TWO | word] |= bit
                holding[d << TWO | word] |= bit
                holding[e << TWO | word] |= bit
                n_found += ONE
        if n_found == before:
            return ZERO
    return n_found


@inner_kernel
def compare_transversals(walk: Rows, n_transversals: Word) -> None:
    """For each transversal: which others meet it exactly once, and which not at all.

    Two counters for all others at a time: met at least once, met at least twice. Fills once and apart.
    """
    numbers, holding, once, apart = walk.numbers, walk.holding, walk.once, walk.apart
    for index in range(n_transversals):
        those = numbers[index]
        met = load(holding, (those & BYTE) << TWO)
        holders = load(holding, (those >> EIGHT & BYTE) << TWO)
        twice = both(met, holders)
        met = either(met, holders)
        for row in range(2, N):
            holders = load(holding, (those >> np.uint64(8 * row) & BYTE) << TWO)
            twice = either(twice, both(met, holders))
            met = either(met, holders)
        store(once, index * np.uint64(N_WORDS), unlike(met, twice))
        store(apart, index * np.uint64(N_WORDS), opposite(met))
