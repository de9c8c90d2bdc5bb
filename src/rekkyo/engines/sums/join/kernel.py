"""Compiled search for the ways to fill one half of a sum figure.

Algorithm: backtracking over the levels of the half (`order.py`). A number is stored as its *distance* from
the least number of the figure, and the choices of a cell are bits of one word. A line with only one more open
cell restricts the choices to numbers whose partner is free: a set of numbers, mirrored and shifted, is the
set of needed partners. The cells that lines force are filled immediately. The result is a key, the sum of a
contribution of each cell (`plan.py`), which is updated with each cell.

    free       bit k: distance k is a number and in no cell yet
    mirrored   bit 63 - k of it is bit k of `free`

If the last level only has pairs (`n_pairs_at_end`), every choice is a filling, and its key is computed
without filling the cells.
Left out on purpose: combinations of lines, which force cells earlier in squares than single lines do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index, reversed_bits
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_inner_kernel, kernel

Numbers = NDArray[np.int64]

MOST_OF_A_LEVEL = 64
"""The most keys from a last level."""

TOP = np.int64(63)


class Program(NamedTuple):
    """The levels of a half as arrays for the kernel; cells and lines are numbered as in the figure.

    cells   : int64[n_levels]. The cell that is chosen.
    starts  : int64[n_levels + 1, 4]. For each level the first rows of the next four arrays.
    narrows : int64[n, 4]. A line, the cell that it leaves open beside the chosen one, first and end of terms.
    forced  : int64[n, 4]. A line, the cell that it forces, first and end of terms.
    checks  : int64[n, 3]. A line, first and end of terms.
    orders  : int64[n, 2]. Cells of which the first must hold less than the second.
    terms   : int64[n]. Cells that are filled.
    factors : uint64[n_cells, 2]. The contribution of a cell to the key: a factor for the bit of its distance,
              and one for its distance.
    n_pairs_at_end : 1 or 2 if the last level forces so many cells, all of them partners in its `narrows`, and
              has no checks and no orders; else 0.
    """

    cells: Numbers
    starts: Numbers
    narrows: Numbers
    forced: Numbers
    checks: Numbers
    orders: Numbers
    terms: Numbers
    factors: Words
    n_pairs_at_end: int


class Cursor(NamedTuple):
    """The state of a search, changed in place.

    totals  : int64[n_lines]. The sums of the lines, in distances.
    domains : uint64[n_cells]. The distances that a cell may hold.
    values  : int64[n_cells]. The distances in filled cells.
    choices : uint64[n_levels]. Untried distances.
    free    : uint64[n_levels]. Free numbers before the level.
    keys    : uint64[n_levels]. The key before the level.
    level   : int64[1]. -1 when the search is over.
    """

    totals: Numbers
    domains: Words
    values: Numbers
    choices: Words
    free: Words
    keys: Words
    level: Numbers


@inlined_inner_kernel
def rest_of(program: Program, cursor: Cursor, line: int, first: int, end: int) -> Any:
    """The sum that a line lacks besides the terms from `first` to before `end`."""
    rest = cursor.totals[line]
    for at in range(first, end):
        rest -= cursor.values[program.terms[at]]
    return rest


@inlined_inner_kernel
def rest_of_pair(program: Program, cursor: Cursor, at: int) -> Any:
    """The sum of the two open cells of a narrowing line."""
    narrows = program.narrows[at]
    return rest_of(program, cursor, narrows[0], narrows[2], narrows[3])


@inlined_inner_kernel
def partners(free: Word, rest: int) -> Word:
    """The distances x such that rest - x is another free one."""
    if rest < 0 or rest > 2 * TOP:
        return ZERO
    mirrored = reversed_bits(free)
    found = mirrored >> np.uint64(TOP - rest) if rest <= TOP else mirrored << np.uint64(rest - TOP)
    if rest & 1 == 0:
        found &= ~(ONE << np.uint64(rest >> 1))
    return found


@inlined_inner_kernel
def choices_at(program: Program, cursor: Cursor, level: int, free: Word) -> Any:
    """The distances that the cell of a level may hold."""
    choices = free & cursor.domains[program.cells[level]]
    for at in range(program.starts[level, 0], program.starts[level + 1, 0]):
        partner = program.narrows[at, 1]
        choices &= partners(free & cursor.domains[partner], rest_of_pair(program, cursor, at))
    return choices


@kernel
def begin(program: Program, cursor: Cursor, free: Word, key: Word) -> None:
    """Put the cursor before the first level."""
    cursor.level[0] = 0
    cursor.free[0] = free
    cursor.keys[0] = key
    cursor.choices[0] = choices_at(program, cursor, 0, free)


@kernel
def fill(program: Program, cursor: Cursor, out: Words, budget: int) -> tuple[int, int, int]:
    """Continue the search for keys of a half; returns (status, keys found, numbers tried).

    out: uint64[n >= MOST_OF_A_LEVEL].
    """
    last, room = len(program.cells) - 1, len(out) - MOST_OF_A_LEVEL
    level = cursor.level[0]
    found = nodes = 0
    status = OUT_OF_BUDGET
    while nodes < budget:
        if level < 0 or found > room:
            status = DONE if level < 0 else BUFFER_FULL
            break
        if cursor.choices[level] == ZERO:
            level -= 1
            continue
        if level == last and program.n_pairs_at_end > 0:
            found, tried = _end(program, cursor, out, found)
            nodes += tried
            level -= 1
            continue
        nodes += 1
        fits, free, key = _put(program, cursor, level)
        if fits and level == last:
            out[found] = key
            found += 1
        elif fits:
            level += 1
            cursor.free[level] = free
            cursor.keys[level] = key
            cursor.choices[level] = choices_at(program, cursor, level, free)
    cursor.level[0] = level
    return status, found, nodes


@inlined_inner_kernel
def _put(program: Program, cursor: Cursor, level: int) -> tuple[bool, Word, Word]:
    """Fill the cell of a level with the next number, and forced cells; returns (fits, free, key)."""
    starts, factors, values = program.starts, program.factors, cursor.values
    cell, left = program.cells[level], cursor.choices[level]
    bit = left & (~left + ONE)
    cursor.choices[level] = left ^ bit
    x = lowest_index(bit)
    values[cell] = np.int64(x)
    free = cursor.free[level] ^ bit
    key = cursor.keys[level] + bit * factors[cell, 0] + x * factors[cell, 1]
    for at in range(starts[level, 1], starts[level + 1, 1]):
        forced = program.forced[at]
        other = forced[1]
        rest = rest_of(program, cursor, forced[0], forced[2], forced[3])
        if rest < 0 or rest > TOP:
            return False, free, key
        y = np.uint64(rest)
        bit = ONE << y
        if free & cursor.domains[other] & bit == ZERO:
            return False, free, key
        values[other] = rest
        free ^= bit
        key += bit * factors[other, 0] + y * factors[other, 1]
    for at in range(starts[level, 2], starts[level + 1, 2]):
        check = program.checks[at]
        if rest_of(program, cursor, check[0], check[1], check[2]) != 0:
            return False, free, key
    for at in range(starts[level, 3], starts[level + 1, 3]):
        if values[program.orders[at, 0]] > values[program.orders[at, 1]]:
            return False, free, key
    return True, free, key


@inlined_inner_kernel
def _end(program: Program, cursor: Cursor, out: Words, found: int) -> tuple[int, int]:
    """Write the keys of a last level of pairs; returns (keys in `out`, 1 + keys written)."""
    level = len(program.cells) - 1
    at = program.starts[level, 0]
    cell, left = program.cells[level], cursor.choices[level]
    bit_factor, factor = program.factors[cell, 0], program.factors[cell, 1]
    partner, rest = program.narrows[at, 1], rest_of_pair(program, cursor, at)
    bit_factor_2, factor_2 = program.factors[partner, 0], program.factors[partner, 1]
    is_double = program.n_pairs_at_end == 2
    bit_factor_3, factor_3, rest_3 = ZERO, ZERO, rest
    if is_double:
        partner = program.narrows[at + 1, 1]
        bit_factor_3, factor_3 = program.factors[partner, 0], program.factors[partner, 1]
        rest_3 = rest_of_pair(program, cursor, at + 1)
        if rest_3 == rest:  # both partners would have the same number
            return found, 1
    key = cursor.keys[level] + np.uint64(rest) * factor_2
    key += np.uint64(rest_3) * factor_3
    factor -= factor_2 + factor_3
    before = found
    while left != ZERO:
        bit = left & (~left + ONE)
        left ^= bit
        x = lowest_index(bit)
        one = key + bit * bit_factor + x * factor + (ONE << (np.uint64(rest) - x)) * bit_factor_2
        if is_double:
            one += (ONE << (np.uint64(rest_3) - x)) * bit_factor_3
        out[found] = one
        found += 1
    return found, 1 + found - before
