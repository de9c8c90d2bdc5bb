"""Compiled search for sum figures: cells in a fixed order, the possible numbers as bits of one word.

Algorithm: backtracking over the cells in the plan's order. At each cell, all its checks narrow one word of
free numbers, and the remaining numbers are tried, least number first:

    FORCED   factor * x = rest                            one number at most; a linear equation of the plan
    SUM      x + y = rest, y still open                   free & mirrored free, shifted
    MINUS    x - y = rest, y still open                   free & shifted free
    SPAN     x + (m open cells of a line) = rest          between the sums of the m greatest and m least free

SUM and MINUS restrict the numbers of two cells together: a set of numbers, mirrored and shifted by the rest,
is the set of needed partners. The mirrored word is updated together with the free one, because reversing the
bits costs ten instructions.

Numbers are stored as their distance from the least number of the figure, 0 … 63:

    free      bit   63 … span+1 | span … 1 0      bit k: distance k is a number and not in any cell
    mirrored  bit   63 62 … 63-span | …  0        bit 63 - k of it is bit k of `free`

Sums are int64 and cannot overflow: see `order.py`. Left out on purpose: looking ahead along lines without the
cell; checks of complete lines, which follow from the equations that forced their cells. SPAN saves between
1 % and 20 % of the nodes, and no time if four cells or more are open.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_kernel, inner_kernel, kernel

FORCED, SUM, MINUS, SPAN = 0, 1, 2, 3

TOP = np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Program(NamedTuple):
    """The plan as arrays for the kernel; depth d is the d-th cell of the order.

    domain      : uint64[n]. Distances that the cell may have, independent of the other cells.
    check_start : int64[n + 1]. The checks of depth d are check_start[d] … check_start[d + 1] - 1.
    checks      : int64[n_checks, 4]. Kind; FORCED: the factor of x, SPAN: the number of other open
                  cells; first term; end of terms. A check's right side is rest[check].
    terms       : int64[n_terms, 2]. Depth of an earlier cell, and its coefficient.
    less_start  : int64[n + 1]. less[less_start[d] … less_start[d + 1] - 1] are earlier depths with smaller
                  numbers than depth d; greater_start and greater likewise.
    cell        : int64[n]. The cell of a depth.
    value       : uint8[64]. The index of the number with a distance.
    """

    domain: Words
    check_start: NDArray[np.int64]
    checks: NDArray[np.int64]
    terms: NDArray[np.int64]
    less_start: NDArray[np.int64]
    less: NDArray[np.int64]
    greater_start: NDArray[np.int64]
    greater: NDArray[np.int64]
    cell: NDArray[np.int64]
    value: NDArray[np.uint8]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    choices  : uint64[n]. Untried distances at each depth down to the current one.
    distance : int64[n]. The distances at the depths above the current one.
    words    : uint64[2]. Free numbers and mirrored free numbers, at the current depth.
    depths   : int64[2]. The current depth, and the first depth that this shard decides.
    rest     : int64[n_checks]. The right sides, for the shard's common sum.
    """

    choices: Words
    distance: NDArray[np.int64]
    words: Words
    depths: NDArray[np.int64]
    rest: NDArray[np.int64]


@kernel
def list_solutions(program: Program, cursor: Cursor, last: int, out: NDArray[Any], budget: int) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is a number put into a
    cell.

    last : the depth that completes a row: that of the last cell, or less to list prefixes.
    out  : uint8[n_rows, n], out. The value of each cell down to depth `last`; n_rows >= 1.
    """
    cell, value = program.cell, program.value
    all_choices, distance, words, depths = cursor.choices, cursor.distance, cursor.words, cursor.depths
    free, mirrored = words[0], words[1]
    depth, first = depths[0], depths[1]
    choices = all_choices[depth]
    status = OUT_OF_BUDGET
    found = 0
    nodes = 0
    while nodes < budget:
        if choices == ZERO:
            if depth == first:
                status = DONE
                break
            depth -= 1
            back = np.uint64(distance[depth])
            free |= ONE << back
            mirrored |= ONE << (TOP - back)
            choices = all_choices[depth]
            continue
        number = lowest_index(choices)
        choices &= choices - ONE
        nodes += 1
        distance[depth] = np.int64(number)
        if depth == last:
            for at in range(last + 1):
                out[found, cell[at]] = value[distance[at]]
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        all_choices[depth] = choices
        free ^= ONE << number
        mirrored ^= ONE << (TOP - number)
        depth += 1
        choices = narrowed(program, cursor, free, mirrored, depth)
    all_choices[depth] = choices
    words[0], words[1] = free, mirrored
    depths[0] = depth
    return status, found, nodes


@inlined_kernel
def narrowed(program: Program, cursor: Cursor, free: Word, mirrored: Word, depth: int) -> Word:
    """The distances that the checks of a depth leave to its cell."""
    domain, check_start, checks, terms, less_start, less, greater_start, greater, _, _ = program
    distance, rest = cursor.distance, cursor.rest
    choices: Word = free & domain[depth]
    for index in range(less_start[depth], less_start[depth + 1]):
        choices &= (ALL << ONE) << np.uint64(distance[less[index]])
    for index in range(greater_start[depth], greater_start[depth + 1]):
        choices &= (ONE << np.uint64(distance[greater[index]])) - ONE
    for check in range(check_start[depth], check_start[depth + 1]):
        if choices == ZERO:
            break
        left = rest[check]
        for term in range(checks[check, 2], checks[check, 3]):
            left -= terms[term, 1] * distance[terms[term, 0]]
        kind, argument = checks[check, 0], checks[check, 1]
        if kind == FORCED:
            choices &= quotient(left, argument)
        elif kind == SUM:
            choices &= with_partner(mirrored, left)
        elif kind == MINUS:
            choices &= shifted(free, left)
        else:
            choices &= between(free, mirrored, left, argument)
    return choices


@inner_kernel
def quotient(left: int, factor: int) -> Word:
    """The x with factor * x = left, as a bit. Most factors are 1, and a division takes long."""
    number = left if factor == 1 else left // factor
    if number * factor != left or number < 0 or number > 63:
        return ZERO
    return ONE << np.uint64(number)


@inner_kernel
def with_partner(mirrored: Word, left: int) -> Word:
    """The x for which another number left - x is free."""
    if left < 0 or left > 126:
        return ZERO
    partners = mirrored >> np.uint64(63 - left) if left <= 63 else mirrored << np.uint64(left - 63)
    itself = ONE << np.uint64(left >> 1) if left & 1 == 0 else ZERO
    return partners & ~itself


@inner_kernel
def shifted(free: Word, left: int) -> Word:
    """The x for which another number x - left is free."""
    if left == 0 or left > 63 or left < -63:
        return ZERO
    return free << np.uint64(left) if left > 0 else free >> np.uint64(-left)


@inner_kernel
def between(free: Word, mirrored: Word, left: int, n_others: int) -> Word:
    """The x for which `left - x` is between the least and greatest sums of n_others free numbers."""
    least = np.int64(0)
    greatest = np.int64(63) * n_others
    for _ in range(n_others):
        least += np.int64(lowest_index(free))
        greatest -= np.int64(lowest_index(mirrored))
        free &= free - ONE
        mirrored &= mirrored - ONE
    low, high = left - greatest, left - least
    if high < 0 or low > 63:
        return ZERO
    from_low = ALL << np.uint64(low) if low > 0 else ALL
    return from_low & (ALL >> np.uint64(63 - high)) if high < 63 else from_low
