"""Boards with blocked squares and given queens: the upper half of the rows is joined with the lower half.

Algorithm: find all placements of queens in the upper rows and sort them by the columns taken; do the same
with the lower rows. An upper and a lower half make a solution if their columns are complements and no
diagonal that both halves share is used twice, that is, if the `and` of their keys is 0 (`count_disjoint`).
This is meeting in the middle (E. Horowitz and S. Sahni, "Computing partitions with applications to the
knapsack problem", 1974).

Quadrants, as on the plain board, are not used: without symmetry each quadrant would need its own table, and
finding the halves takes only a fraction of the time of joining them. For n = 14 there are 0.8 million upper
and lower halves, for n = 16 there are 15 million.

A key has the n - 1 diagonals of each direction that both halves share:

    bit   2n-3 ...... n-1 | n-2 ......... 0
          row - column    | row + column
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, TWO, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.queens.join.kernel_join import JoinScratch, count_disjoint
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

THREE = np.uint64(3)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LANES = np.uint64(4)
N_TABLE = np.uint64(32)
COLUMN_MASK = N_TABLE - ONE
COLUMNS_SHIFT = np.uint64(32)
"""The columns of a half begin at this bit, above its key, which has at most 30 bits."""


@kernel
def find_halves(allowed: Words, where: Words, stack: Words, halves: Words) -> Any:
    """Find all placements of queens in some rows, until `halves` is full.

    Returns (halves found, nodes above the last row, whether there may be more).
    allowed : uint64[n], in. Bit c of word r: a queen may stand in column c of row r.
    where   : uint64[5], in. The first row, the row after the last, the first row of the lower half, some
              columns, and those of them that the half has to take; it must not take the others of them.
    stack   : uint64[4 * (n + 1)], in and out. The state of the search; zeros at first.
    halves  : uint64[n_halves], out. The columns of each half, and its key. n_halves >= n + LANES + N_TABLE.
              The last N_TABLE words are scratch: what a queen in the last row adds to a half, by its column.
    """
    first, stop, middle, among, needed = where[0], where[1], where[2], where[3], where[4]
    n = np.uint64(allowed.shape[0])
    last, table = n - ONE, np.uint64(halves.shape[0]) - N_TABLE
    usable = ~(among & ~needed)
    _fill_table(halves, table, n, middle, stop - ONE)
    nodes, n_found = ZERO, ZERO
    at = n << TWO  # the last entry: the current row plus 1, or 0 at the beginning
    row = stack[at]
    choices, taken, sums, differences = ZERO, ZERO, ZERO, ZERO
    if row == ZERO:
        row, choices = first, _that_still_fit(allowed[first] & usable, needed, stop - first)
        if row + ONE == stop:
            return _write_halves(halves, table, n_found, ZERO, choices), nodes, False
    else:
        row -= ONE
        at = row << TWO
        choices, taken = stack[at], stack[at + ONE]
        sums, differences = stack[at + TWO], stack[at + THREE]
    while True:
        if choices == ZERO:
            if row == first:
                return n_found, nodes, False
            row -= ONE
            at = row << TWO
            choices, taken = stack[at], stack[at + ONE]
            sums, differences = stack[at + TWO], stack[at + THREE]
            continue
        below = row + ONE
        if below + ONE == stop and n_found + n + LANES > table:
            at = row << TWO
            stack[at], stack[at + ONE] = choices, taken
            stack[at + TWO], stack[at + THREE] = sums, differences
            stack[n << TWO] = below
            return n_found, nodes, True
        queen = choices & ~(choices - ONE)
        choices ^= queen
        nodes += ONE
        all_taken, all_sums = taken | queen, sums | queen << row
        all_differences = differences | queen << (last - row)
        attacked = all_taken | all_sums >> below | all_differences >> (last - below)
        free = _that_still_fit(allowed[below] & usable & ~attacked, needed & ~all_taken, stop - below)
        if below + ONE == stop:
            half = _half(all_taken, all_sums, all_differences, n, middle)
            n_found = _write_halves(halves, table, n_found, half, free)
        elif free != ZERO:
            at = row << TWO
            stack[at], stack[at + ONE] = choices, taken
            stack[at + TWO], stack[at + THREE] = sums, differences
            row, choices, taken, sums, differences = below, free, all_taken, all_sums, all_differences


@inner_kernel
def _half(taken: Word, sums: Word, differences: Word, n: Word, middle: Word) -> Any:
    """The columns of some queens, and their key."""
    last = n - ONE
    shared = (ONE << last) - ONE
    key = ((sums >> middle) & shared) | ((differences >> (n - middle)) & shared) << last
    return key | taken << COLUMNS_SHIFT


@inner_kernel
def _fill_table(halves: Words, table: Word, n: Word, middle: Word, row: Word) -> None:
    """Write what a queen of a row adds to a half, for each column."""
    for index in range(n):
        column = np.uint64(index)
        queen = ONE << column
        halves[table + column] = _half(queen, queen << row, queen << (n - ONE - row), n, middle)


@inlined_inner_kernel
def _write_halves(halves: Words, table: Word, n_found: Word, half: Word, choices: Word) -> Any:
    """Write a half for each choice in the last row; returns the number of halves.

    LANES words are written at a time. The last ones may be noise, which the next halves overwrite. Most rows
    have no more choices, so the processor foresees the end of the loop; two at a time took a tenth longer.
    """
    end = n_found + popcount(choices)
    while True:
        for _ in range(LANES):
            column = lowest_index(choices) & COLUMN_MASK
            halves[n_found] = half | halves[table + column]
            choices &= ~(ONE << column)
            n_found += ONE
        if choices == ZERO:
            return end


@inner_kernel
def _that_still_fit(free: Word, missing: Word, n_rows: Word) -> Any:
    """The free columns of a row; only missing ones if each of the n_rows rows left has to take one."""
    n_missing = popcount(missing)
    any_may = ALL * np.uint64(n_missing < n_rows)
    some_may = ALL * np.uint64(n_missing <= n_rows)
    return free & (missing | any_may) & some_may


@kernel
def count_columns(halves: Words, n_known: Word, counts: Words) -> None:
    """Count halves by their columns.

    n_known : all halves of a shard take the same of the first n_known columns, which number no set.
    counts  : uint64[2 ** (n - n_known)], in and out.
    """
    shift = COLUMNS_SHIFT + n_known
    for half in halves:
        counts[half >> shift] += ONE


@kernel
def sort_halves(halves: Words, n_known: Word, ends: Words, keys: NDArray[np.uint32]) -> None:
    """Write the keys of halves, sorted by columns.

    n_known : see `count_columns`.
    ends    : uint64[2 ** (n - n_known)], in and out. For each set of columns the place of its next key.
    keys    : uint32[n_halves], out.
    """
    mask, shift = (ONE << COLUMNS_SHIFT) - ONE, COLUMNS_SHIFT + n_known
    for half in halves:
        columns = half >> shift
        keys[ends[columns]] = np.uint32(half & mask)
        ends[columns] += ONE


@kernel
def join_halves(
    upper: NDArray[np.uint32],
    upper_ends: Words,
    lower: NDArray[np.uint32],
    lower_ends: Words,
    left: Words,
    right: Words,
    n_bits: Word,
    scratch: JoinScratch,
) -> tuple[Word, Word]:
    """Count the pairs of an upper and a lower half that make a solution; returns (pairs, pairs compared).

    upper, lower : keys by set of columns. upper_ends, lower_ends : for each set the end of its keys.
    left, right  : scratch for the keys of one set, see `count_disjoint`.
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
def _copy(keys: NDArray[np.uint32], ends: Words, columns: Word, out: Words) -> Any:
    """Copy the keys of a set of columns to the beginning of `out`; returns their number."""
    start = ends[columns - ONE] if columns != ZERO else ZERO
    n_keys = ends[columns] - start
    for index in range(n_keys):
        place = np.uint64(index)
        out[place] = np.uint64(keys[start + place])
    return n_keys
