"""Compiled search for the columns and diagonals that go with a partition into rows.

Columns are five disjoint transversals: four are chosen, the fifth is what they leave. A diagonal is a
transversal that meets every column exactly once; with columns numbered it is a permutation, row -> column.

Two diagonals make magic squares exactly when p^-1 q, for their permutations p and q, is an involution with
one fixed point: then the rows that it exchanges are put opposite each other, and so are the columns. One
fixed point means that the diagonals meet in one number. A permutation of five with one fixed point is two
exchanges, which is even and an involution, or a cycle of four, which is odd and is not one. So the search
pairs diagonals of the same parity that meet exactly once.

The parity of all diagonals is kept in one quad while columns are chosen. Give every diagonal its row in each
column, in the order in which the columns are chosen: the parity is that of the inversions of this sequence.
A column adds, for a diagonal that meets it in row k, the number of earlier columns met in a row below k:

    below[k]  the quad of the diagonals for which that number is odd, k = 0 … 3 (for k = 4 it is 0)

In the fifth column a diagonal has the row that is left, so its share is the parity of the sum of the rows in
the other four. `below` starts at (0, all, 0, all), which adds this share. Left out on purpose: comparing the
permutations themselves, for every pair of diagonals (a plain C program that does this takes twice as long).

    choice   | column : 8 | column : 8 | column : 8 | column : 8 | diagonal : 8 | diagonal : 8 | worth : 2 |
             lowest byte first; numbers of transversals; worth: bit 0 itself, bit 1 its complement
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, TWO, WORD_SHIFT, ZERO, Word, Words, lowest_index
from rekkyo.engines.sums.magic5.kernel_rows import (
    BYTE,
    LAST_NUMBER,
    STANDS_FOR_BOTH,
    WEIGHT,
    N,
    Rows,
    complement,
)
from rekkyo.engines.sums.magic5.quad import N_WORDS, both, either, is_empty, load, opposite, store, unlike
from rekkyo.jit import inner_kernel

MAX_CHOICES = 1 << 16
"""More than any partition has: of all 1,626,754 partitions, one has the most choices, 35,890."""

ITSELF, ITS_COMPLEMENT, BOTH = (np.uint64(worth << 48) for worth in (1, 2, 3))
MIDDLE = np.uint64(12)
QUAD = np.uint64(N_WORDS)


@inner_kernel
def find_choices(walk: Rows, n_transversals: Word, allowed: Words, found: Words, choices: Words) -> Word:
    """Find all choices of columns and two diagonals for one partition; returns their number.

    allowed : uint64[4], in. The transversals that may be diagonals.
    found   : uint64[2 * 4], scratch. The diagonals of the current columns, and which are odd.
    choices : uint64[MAX_CHOICES], out.

    Transposing a square exchanges rows and columns. Of a square and its transpose, the one is found in which
    the row that holds 13 is not less than the column that holds 13. In this comparison a set stands for the
    lesser of itself and its complement. If both are equal, the column is the complement of the row. Then the
    transpose of the square's complement is found too, so the choice does not stand for the complement.
    """
    rows, numbers, holding, once, apart = walk.rows, walk.numbers, walk.holding, walk.once, walk.apart
    n_words = (n_transversals + np.uint64(63)) >> WORD_SHIFT
    none = unlike(load(allowed, ZERO), load(allowed, ZERO))
    every = opposite(none)
    n_choices = ZERO
    for w0 in range(n_words):
        firsts = holding[MIDDLE << TWO | w0]
        while firsts:
            c0 = w0 << WORD_SHIFT | lowest_index(firsts)
            firsts &= firsts - ONE
            worth = _worth(numbers[c0], rows[0], walk.state[WEIGHT])
            if worth == ZERO:
                continue
            odd0 = _share(holding, numbers[c0], (none, every, none, every))
            below0 = _passed(holding, numbers[c0], (none, every, none, every))
            once0 = both(load(allowed, ZERO), load(once, c0 * QUAD))
            # Each further column holds the least number of the fourth row that is left.
            left = rows[3] & ~(ONE << (numbers[c0] >> np.uint64(24) & BYTE))
            number1 = lowest_index(left)
            left &= left - ONE
            number2 = lowest_index(left)
            number3 = lowest_index(left & (left - ONE))
            for w1 in range(n_words):
                seconds = holding[number1 << TWO | w1] & apart[c0 << TWO | w1]
                while seconds:
                    c1 = w1 << WORD_SHIFT | lowest_index(seconds)
                    seconds &= seconds - ONE
                    odd1 = unlike(odd0, _share(holding, numbers[c1], below0))
                    below1 = _passed(holding, numbers[c1], below0)
                    once1 = both(once0, load(once, c1 * QUAD))
                    for w2 in range(n_words):
                        thirds = holding[number2 << TWO | w2] & apart[c0 << TWO | w2] & apart[c1 << TWO | w2]
                        while thirds:
                            c2 = w2 << WORD_SHIFT | lowest_index(thirds)
                            thirds &= thirds - ONE
                            for w3 in range(n_words):
                                fourths = holding[number3 << TWO | w3] & apart[c0 << TWO | w3]
                                fourths &= apart[c1 << TWO | w3] & apart[c2 << TWO | w3]
                                if fourths == ZERO:
                                    continue
                                odd2 = unlike(odd1, _share(holding, numbers[c2], below1))
                                below2 = _passed(holding, numbers[c2], below1)
                                once2 = both(once1, load(once, c2 * QUAD))
                                three = worth | c0 | c1 << np.uint64(8) | c2 << np.uint64(16)
                                while fourths:
                                    c3 = w3 << WORD_SHIFT | lowest_index(fourths)
                                    fourths &= fourths - ONE
                                    diagonals = both(once2, load(once, c3 * QUAD))
                                    if is_empty(diagonals):
                                        continue
                                    store(found, ZERO, diagonals)
                                    store(found, QUAD, unlike(odd2, _share(holding, numbers[c3], below2)))
                                    columns = three | c3 << np.uint64(24)
                                    n_choices = _pair_diagonals(
                                        found, once, n_words, columns, choices, n_choices
                                    )
    return n_choices


@inner_kernel
def _worth(numbers: Word, row: Word, weight: Word) -> Word:
    """The worth of the choices with this column through 13; 0 if their transposes are found instead.

    row: the row through 13, at most its complement. weight: see `kernel_rows`.
    """
    column = _members(numbers)
    key = min(column, complement(column))
    if key > row:
        return ZERO
    return BOTH if weight == np.uint64(STANDS_FOR_BOTH) and key < row else ITSELF


@inner_kernel
def _share(holding: Words, numbers: Word, below: Any) -> Any:
    """The diagonals whose parity a column changes, given `below` from the columns before it."""
    e0 = load(holding, (numbers & BYTE) << TWO)
    e1 = load(holding, (numbers >> np.uint64(8) & BYTE) << TWO)
    e2 = load(holding, (numbers >> np.uint64(16) & BYTE) << TWO)
    e3 = load(holding, (numbers >> np.uint64(24) & BYTE) << TWO)
    return unlike(
        unlike(both(e0, below[0]), both(e1, below[1])), unlike(both(e2, below[2]), both(e3, below[3]))
    )


@inner_kernel
def _passed(holding: Words, numbers: Word, below: Any) -> Any:
    """`below` with a column added."""
    met = load(holding, (numbers >> np.uint64(32)) << TWO)
    below3 = unlike(below[3], met)
    met = either(met, load(holding, (numbers >> np.uint64(24) & BYTE) << TWO))
    below2 = unlike(below[2], met)
    met = either(met, load(holding, (numbers >> np.uint64(16) & BYTE) << TWO))
    below1 = unlike(below[1], met)
    met = either(met, load(holding, (numbers >> np.uint64(8) & BYTE) << TWO))
    return unlike(below[0], met), below1, below2, below3


@inner_kernel
def _pair_diagonals(
    found: Words, once: Words, n_words: Word, columns: Word, choices: Words, n_choices: Word
) -> Any:
    """Write a choice for every two diagonals of the same parity that meet exactly once.

    Collecting the diagonals of all columns first and pairing them in one loop without branches that are hard
    to foresee took just as long: 1.00 to 1.08 times the whole count.
    """
    for word in range(n_words):
        diagonals = found[word]
        while diagonals:
            bit = lowest_index(diagonals)
            first = word << WORD_SHIFT | bit
            diagonals &= diagonals - ONE
            unlike_first = ZERO if found[QUAD | word] >> bit & ONE else ~ZERO
            partners = diagonals & once[first << TWO | word] & (found[QUAD | word] ^ unlike_first)
            other = np.uint64(word)
            while True:
                while partners:
                    second = other << WORD_SHIFT | lowest_index(partners)
                    partners &= partners - ONE
                    choices[n_choices] = columns | first << np.uint64(32) | second << np.uint64(40)
                    n_choices += ONE
                other += ONE
                if other == n_words:
                    break
                partners = found[other] & once[first << TWO | other] & (found[QUAD | other] ^ unlike_first)
    return n_choices


@inner_kernel
def keep_centre(numbers: Words, choices: Words, n_choices: Word, centre: Word) -> Word:
    """Keep the choices whose squares, or their complements, have this number at the centre; returns how many.

    The centre is where the diagonals meet.
    """
    n_kept = ZERO
    for index in range(n_choices):
        choice = choices[index]
        differences = numbers[choice >> np.uint64(32) & BYTE] ^ numbers[choice >> np.uint64(40) & BYTE]
        row = ZERO
        while differences >> (row << np.uint64(3)) & BYTE:
            row += ONE
        number = numbers[choice >> np.uint64(32) & BYTE] >> (row << np.uint64(3)) & BYTE
        worth = ZERO
        if number == centre:
            worth |= ITSELF
        if number + centre == LAST_NUMBER:
            worth |= ITS_COMPLEMENT
        worth &= choice
        if worth:
            choices[n_kept] = choice & ~BOTH | worth
            n_kept += ONE
    return n_kept


@inner_kernel
def _members(numbers: Word) -> Word:
    """The five numbers of a transversal as a set."""
    those = ZERO
    for row in range(N):
        those |= ONE << (numbers >> np.uint64(8 * row) & BYTE)
    return those
