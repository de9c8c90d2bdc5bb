"""Compiled join of two lists of coloured parts that agree on the cells that they share.

Algorithm: the right list is sorted by the colours of the shared cells, so that the partners of a left part
stand together. Left and right parts have been checked each for itself; what is checked here is the patterns
that lie in both, the ones that *cross*, and the bounds. Source: the blog "knife's my Pick", whose author
joined 4x4 boards to find the 24 draws of Hip on 6x6. Left out on purpose: symmetry, propagation, and
everything else that the searching engines do, so that the two ways share nothing.

A part is a word for each colour, `planes`, with a bit for each cell of that colour:

    cell        5 4 3 2 1 0
    colour 0    0 1 0 0 1 0
    colour 1    0 0 1 0 0 1     cells 2 and 5 are not in this part
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, popcount
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inner_kernel, kernel

LEFT, PARTNER, END = 0, 1, 2
"""Where a join stands: the left part, how many of its partners were tried, the left part to stop at."""


class Join(NamedTuple):
    """Two lists and what is left to check; read-only.

    left, right : uint64[n_left, K], uint64[n_right, K]. Planes; the right list sorted by shared cells.
    first, last : int64[n_left]. The partners of each left part are right[first : last].
    crossing    : uint64[n_patterns, K]. Patterns to check, as planes.
    bounds      : uint64[K, 2]. How many cells have each colour, at least and at most.
    """

    left: Words
    right: Words
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    crossing: Words
    bounds: Words


@kernel
def join(lists: Join, state: NDArray[np.int64], out: Words, budget: int) -> Any:
    """Join on from the state; returns (status, found, pairs). out: uint64[n_rows, K], planes; n_rows >= 1."""
    left, right, first, last, crossing, bounds = lists
    n_colors = bounds.shape[0]
    index, partner, end = state[LEFT], state[PARTNER], state[END]
    found = tried = 0
    status = OUT_OF_BUDGET
    while tried < budget:
        if index >= end:
            status = DONE
            break
        other = first[index] + partner
        if other >= last[index]:
            index += 1
            partner = 0
            continue
        partner += 1
        tried += 1
        for color in range(n_colors):
            out[found, color] = left[index, color] | right[other, color]
        if not is_allowed(out, found, crossing, bounds):
            continue
        found += 1
        if found == out.shape[0]:
            status = BUFFER_FULL
            break
    state[LEFT], state[PARTNER] = index, partner
    return status, found, tried


@inner_kernel
def is_allowed(planes: Words, row: int, crossing: Words, bounds: Words) -> bool:
    """Whether none of the patterns appears in a row of planes, and no colour is out of bounds."""
    n_colors = bounds.shape[0]
    for pattern in range(crossing.shape[0]):
        appears = True
        for color in range(n_colors):
            appears = appears and crossing[pattern, color] & ~planes[row, color] == ZERO
        if appears:
            return False
    for color in range(n_colors):
        times = popcount(planes[row, color])
        if times < bounds[color, 0] or times > bounds[color, 1]:
            return False
    return True


@kernel
def write_rows(planes: Words, n_rows: int, out: NDArray[np.uint8]) -> None:
    """Planes to rows. out: uint8[>= n_rows, n]."""
    for row in range(n_rows):
        for cell in range(out.shape[1]):
            for color in range(planes.shape[1]):
                if planes[row, color] >> np.uint64(cell) & ONE != ZERO:
                    out[row, cell] = color
