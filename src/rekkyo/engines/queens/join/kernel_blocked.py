"""Boards with blocked squares and given queens: the upper half of the rows joined with the lower one.

Algorithm: place queens in the upper rows in every way, and sort what that gives by the columns taken; the
same with the lower rows. An upper and a lower half make a solution when their columns are complements and no
diagonal that both halves share is used twice: `and` of two keys, counted by `count_disjoint`. That is meeting
in the middle (E. Horowitz and S. Sahni, "Computing partitions with applications to the knapsack problem",
1974).

The quadrants of the plain board are not used: without its symmetry each needs a table of its own, and halves
are found in a fraction of the time that joining them takes. For n = 14 there are 0.8 million halves above and
below, for n = 16 15 million.

A key has the n - 1 diagonals of each direction that both halves share:

    bit   2n-3 ...... n-1 | n-2 ......... 0
          row - column    | row + column
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, TWO, ZERO, Word, Words, popcount
from rekkyo.engines.queens.join.kernel_join import JoinScratch, count_disjoint
from rekkyo.jit import inner_kernel, kernel

THREE = np.uint64(3)
COLUMNS_SHIFT = np.uint64(32)
"""Where the columns of a half stand beside its key, which has 30 bits at most."""


@kernel
def find_halves(  # noqa: PLR0915 - one loop, for speed
    allowed: Words, where: Words, stack: Words, halves: Words
) -> Any:
    """Place queens in some rows in every way, until all are found or there is no more room.

    Returns (halves found, nodes above the last row, whether there may be more).
    allowed : uint64[n], in. Bit c of word r: a queen may stand in column c of row r.
    where   : uint64[5], in. The first row and the one behind the last, the first row of the lower half, some
              columns, and those of them that are taken.
    stack   : uint64[4 * (n + 1)].  Where the search goes on: zeros at first.
    halves  : uint64[...], out.  The columns of each half, and its key; room for n of them or more.
    """
    first, stop, middle, among, needed = where[0], where[1], where[2], where[3], where[4]
    n = np.uint64(allowed.shape[0])
    last, room = n - ONE, np.uint64(halves.shape[0])
    shared = (ONE << last) - ONE
    usable = ~(among & ~needed)
    nodes, n_found = ZERO, ZERO
    at = n << TWO  # the last entry: what is being done, and its row one higher than it is
    row = stack[at]
    choices, taken, sums, differences = ZERO, ZERO, ZERO, ZERO
    if row == ZERO:
        row, choices = first, _that_still_fit(allowed[first] & usable, needed, stop - first)
    else:
        row -= ONE
        at = row << TWO
        choices, taken = stack[at], stack[at + ONE]
        sums, differences = stack[at + TWO], stack[at + THREE]
    while True:
        if row + ONE == stop:
            if n_found + n > room:
                at = row << TWO
                stack[at], stack[at + ONE] = choices, taken
                stack[at + TWO], stack[at + THREE] = sums, differences
                stack[n << TWO] = row + ONE
                return n_found, nodes, True
            while choices != ZERO:
                queen = choices & ~(choices - ONE)
                choices ^= queen
                all_differences = differences | queen << (last - row)
                key = (((sums | queen << row) >> middle) & shared) | (
                    (all_differences >> (last + ONE - middle)) & shared
                ) << last
                halves[n_found] = key | (taken | queen) << COLUMNS_SHIFT
                n_found += ONE
        if choices == ZERO:
            if row == first:
                return n_found, nodes, False
            row -= ONE
            at = row << TWO
            choices, taken = stack[at], stack[at + ONE]
            sums, differences = stack[at + TWO], stack[at + THREE]
            continue
        queen = choices & ~(choices - ONE)
        choices ^= queen
        nodes += ONE
        all_taken, all_sums = taken | queen, sums | queen << row
        all_differences = differences | queen << (last - row)
        below = row + ONE
        attacked = all_taken | all_sums >> below | all_differences >> (last - below)
        free = _that_still_fit(allowed[below] & usable & ~attacked, needed & ~all_taken, stop - below)
        if free != ZERO:
            at = row << TWO
            stack[at], stack[at + ONE] = choices, taken
            stack[at + TWO], stack[at + THREE] = sums, differences
            row, choices, taken, sums, differences = below, free, all_taken, all_sums, all_differences


@inner_kernel
def _that_still_fit(free: Word, missing: Word, n_rows: Word) -> Any:
    """The free columns of a row; only missing ones where each of the rows left has to take one of them."""
    n_missing = popcount(missing)
    if n_missing < n_rows:
        return free
    return free & missing if n_missing == n_rows else ZERO


@kernel
def count_columns(halves: Words, counts: Words) -> None:
    """Count halves by their columns. counts : uint64[2 ** n]."""
    for half in halves:
        counts[half >> COLUMNS_SHIFT] += ONE


@kernel
def sort_halves(halves: Words, ends: Words, keys: Words) -> None:
    """Put keys where those of their columns belong.

    ends : uint64[2 ** n].  For each set of columns: where its next key goes.
    keys : uint64[...], out.
    """
    mask = (ONE << COLUMNS_SHIFT) - ONE
    for half in halves:
        columns = half >> COLUMNS_SHIFT
        keys[ends[columns]] = half & mask
        ends[columns] += ONE


@kernel
def join_halves(
    upper: Words,
    upper_ends: Words,
    lower: Words,
    lower_ends: Words,
    left: Words,
    right: Words,
    n_bits: Word,
    scratch: JoinScratch,
) -> tuple[Word, Word]:
    """Count the pairs of an upper and a lower half that fit; returns (pairs, pairs compared).

    upper, lower : keys by set of columns. left, right : room for those of one set, see `count_disjoint`.
    """
    found, compared = ZERO, ZERO
    n_sets = np.uint64(len(upper_ends))
    for index in range(n_sets):
        columns = np.uint64(index)
        n_left = _copy(upper, upper_ends, columns, left)
        n_right = _copy(lower, lower_ends, n_sets - ONE - columns, right) if n_left != ZERO else ZERO
        if n_right != ZERO:
            more, pairs = count_disjoint(left, n_left, right, n_right, n_bits, scratch)
            found += more
            compared += pairs
    return found, compared


@inner_kernel
def _copy(keys: Words, ends: Words, columns: Word, out: Words) -> Any:
    """Copy the keys of a set of columns to the beginning of `out`; returns how many there are."""
    start = ends[columns - ONE] if columns != ZERO else ZERO
    n_keys = ends[columns] - start
    for index in range(n_keys):
        place = np.uint64(index)
        out[place] = keys[start + place]
    return n_keys
