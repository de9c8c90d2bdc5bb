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

from rekkyo.bits import ONE, TWO, ZERO, Word, Words
from rekkyo.engines.queens.join.kernel_join import JoinScratch, count_disjoint
from rekkyo.jit import inner_kernel, kernel

THREE = np.uint64(3)


@kernel
def find_halves(allowed: Words, where: Words, stack: Words, ends: Words, keys: Words) -> Any:
    """Place queens in some rows in every way; returns nodes.

    allowed : uint64[n], in. Bit c of word r: a queen may stand in column c of row r.
    where   : uint64[5], in. The first row and the one behind the last, the first row of the lower half, some
              columns, and those of them that are taken.
    stack   : uint64[4 * n], scratch.
    ends    : uint64[2 ** n].  For each set of columns: where the next key goes, or how many there were.
    keys    : uint64[...], out.  Empty for counting alone.
    """
    first, stop, middle, among, needed = where[0], where[1], where[2], where[3], where[4]
    last = np.uint64(allowed.shape[0] - 1)
    shared = (ONE << last) - ONE
    usable = ~(among & ~needed)
    row, nodes = first, ZERO
    taken, sums, differences = ZERO, ZERO, ZERO
    choices = allowed[first] & usable
    while True:
        if choices == ZERO:
            if row == first:
                return nodes
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
        if below != stop:
            attacked = all_taken | all_sums >> below | all_differences >> (last - below)
            free = allowed[below] & usable & ~attacked
            if free != ZERO:
                at = row << TWO
                stack[at], stack[at + ONE] = choices, taken
                stack[at + TWO], stack[at + THREE] = sums, differences
                row, choices, taken, sums, differences = below, free, all_taken, all_sums, all_differences
        elif all_taken & among == needed:
            if keys.shape[0] != 0:
                difference = (all_differences >> (last + ONE - middle)) & shared
                keys[ends[all_taken]] = ((all_sums >> middle) & shared) | difference << last
            ends[all_taken] += ONE


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
