"""Compiled count of many small covers in one call: fills the tables of each and searches in frame 0.

Making a plan and a cursor in Python takes as long as some thousand nodes. Here their arrays are made once,
with room for any cover of MOST_OPTIONS options, and are filled again for each cover. A search stops after
MOST_NODES nodes, because the methods for larger covers may then be faster.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.contract import BUFFER_FULL, OUT_OF_BUDGET
from rekkyo.engines.covers.bitset.kernel_frame import HEAD_WIDTH, LANE, STATE_FRESH, Cursor, Tables
from rekkyo.engines.covers.bitset.kernel_search import search_frame
from rekkyo.engines.out import Out
from rekkyo.jit import inner_kernel, kernel

MOST_OPTIONS = 64
MOST_ROWS = 256
MOST_USES = 1024
MOST_NODES = 1 << 12
BLOCK_ROWS = 64

NOT_COUNTED = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
"""Stands in place of the total of a search that did not end, or for which there is no room."""

# Columns of Covers.sizes.
N_PRIMARY, N_SECONDARY, N_OPTIONS = range(3)
# Columns of Found.counts.
TOTAL, NODES = 0, 1

Ints: TypeAlias = NDArray[np.int64]


class Covers(NamedTuple):
    """Small covers, one after the other. Every primary item is covered exactly once.

    sizes   : int64[n_covers, 3].  Primary items, secondary items, options.
    lengths : int64[...].          Uses of each option.
    uses    : int64[..., 2].       The item of each use, and its colour.
    """

    sizes: Ints
    lengths: Ints
    uses: Ints


class Found(NamedTuple):
    """The results, cover by cover.

    counts : uint64[n_covers, 2], out.                The number of solutions, or NOT_COUNTED; and of nodes.
    rows   : uint8[n_covers, 2, MOST_OPTIONS], out.   The first and the last solution, if there are any, with
             MOST_OPTIONS as the filler.
    """

    counts: Words
    rows: NDArray[np.uint8]


@kernel
def count_covers(
    covers: Covers, writable: Tables, tables: Tables, cursor: Cursor, out: Out, found: Found
) -> None:
    """Count the solutions of small covers.

    writable, tables : the same arrays, with room for MOST_ROWS rows and MOST_USES uses. The search takes
    read-only arrays.
    """
    option = use = 0
    for number in range(covers.sizes.shape[0]):
        use, fits = _fill_tables(covers, number, option, use, writable, cursor)
        found.counts[number, TOTAL], found.counts[number, NODES] = NOT_COUNTED, ZERO
        if fits:
            _count(number, tables, cursor, out, found)
        option += covers.sizes[number, N_OPTIONS]


@inner_kernel
def _fill_tables(covers: Covers, number: int, option: int, use: int, tables: Tables, cursor: Cursor) -> Any:
    """Fill the tables of a cover and reset the cursor.

    option, use : the numbers of its first option and first use.
    Returns the end of its uses, and whether there is room for all colours.
    """
    sizes, rows = covers.sizes, tables.rows
    n_primary, n_options = sizes[number, N_PRIMARY], sizes[number, N_OPTIONS]
    n_scan = (n_primary + LANE - 1) // LANE * LANE
    n_rows, fits = n_scan + sizes[number, N_SECONDARY], True
    first_use = use
    for row in range(MOST_ROWS):
        rows[row] = ZERO
    for own in range(n_options):
        tables.starts[own] = np.uint64(use - first_use)
        tables.sizes[own] = ZERO
        bit = ONE << np.uint64(own)
        for at in range(use, use + covers.lengths[option + own]):
            item, color = covers.uses[at, 0], covers.uses[at, 1]
            row = item
            if item < n_primary:
                tables.sizes[own] += ONE
            else:
                row += n_scan - n_primary
            tables.uses[at - first_use] = np.uint64(row)
            tables.alike[at - first_use] = np.uint64(MOST_ROWS - 1)
            rows[row] |= bit
            if color != 0:
                same = n_rows
                for before in range(first_use, at):
                    if covers.uses[before, 0] == item and covers.uses[before, 1] == color:
                        same = np.int64(tables.alike[before - first_use])
                        break
                if same == n_rows and n_rows < MOST_ROWS - 1:
                    n_rows += 1
                fits &= same < MOST_ROWS - 1
                tables.alike[at - first_use] = np.uint64(same)
                rows[same] |= bit
        use += covers.lengths[option + own]
    tables.starts[n_options] = np.uint64(use - first_use)
    for row in range(n_scan):
        tables.table[row] = rows[row]
    tables.shape[0], tables.shape[1], tables.shape[2] = ONE, np.uint64(n_scan), np.uint64(MOST_ROWS)
    for index in range(cursor.state.shape[0]):
        cursor.state[index] = ZERO
    cursor.state[STATE_FRESH] = ONE
    cursor.heads[HEAD_WIDTH] = ONE
    cursor.heights[0], cursor.opens[0], cursor.began[0] = ZERO, np.uint64(n_primary), ZERO
    cursor.wide_choices[0] = ZERO
    cursor.wide_live[1] = ~ZERO if n_options == MOST_OPTIONS else (ONE << np.uint64(n_options)) - ONE
    return use, fits


@inner_kernel
def _count(number: int, tables: Tables, cursor: Cursor, out: Out, found: Found) -> None:
    """Search until the end or until there are MOST_NODES nodes."""
    total, nodes, most = ZERO, ZERO, np.uint64(MOST_NODES)
    rows = out.rows8
    while True:
        event, n_here, nodes, _ = search_frame(None, tables, cursor, out, ZERO, most, ZERO, nodes)
        if n_here != ZERO:
            for column in range(rows.shape[1]):
                if total == ZERO:
                    found.rows[number, 0, column] = rows[0, column]
                found.rows[number, 1, column] = rows[n_here - ONE, column]
        total += n_here
        if event == OUT_OF_BUDGET:
            return
        if event != BUFFER_FULL:
            break
    found.counts[number, TOTAL], found.counts[number, NODES] = total, nodes
