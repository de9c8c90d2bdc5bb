"""Makes the arrays of the join from a plain queens board.

A *row set* is the set of rows of the north and of the south that the west half uses; the east half uses the
others. It is one unit of work. Of the boards that differ by the 8 symmetries of the square, only those with
a canonical row set are counted. A row set is canonical in one of two ways:

started     Odd n, a queen on the centre row (p squares from the centre) and one on the centre column
            (q squares). They cannot share a diagonal, so p != q, and of the 8 images of a solution exactly
            one has the queen of the centre row in the west, that of the centre column in the north, and
            p < q.
flagged     Even n, or odd n with a queen on the centre. The symmetries act regularly on 8 *flags*. A flag is
            a corner and either the rows or the columns that its quadrant uses, as a set counted from the
            corner. Sets are compared by size first. A solution is counted if its flag (NW, rows) is least of
            the 8; it stands for 8 / (number of least flags) solutions. NW and SE have the same number k of
            queens, and NE and SW have h - k each. Two flags that share an edge of the board are complements,
            so the least of the 8 is the least of the row flags of NW and SE, the column flags of NW and SE,
            and their complements. The complements matter only if they have the same size, k = h / 2.

The bits of a key of a half board are its diagonals, in this order:

    n = 2h or 2h + 1         west half   (centre     east half
                                          column)
        north, h rows        +-------+      |      +-------+
                             |  NW   |      |      |  NE   |      row a and column b of a quadrant are
                             +-------+      |      +-------+      counted from the corner of the board
        (centre row)       - - - - - - - -  +  - - - - - - - -
                             +-------+      |      +-------+
        south, h rows        |  SW   |      |      |  SE   |
                             +-------+      |      +-------+

A key has the 2(2h - 1) diagonals that the west and the east half share: u = row + column and
v = row - column + n - 1, both from n - h to n + h - 2. Diagonals near n - 1 are the longest in both halves,
so both halves are likeliest to take them. SW and NE, which the diagonals u cross, have at least as many
queens as NW and SE on canonical boards. The likeliest diagonals have the highest bits,
where the sieve of the join begins; with w = 2h - 1:

    bit        | 63 … 64-h |  …  | 2w    | 2w-1 2w-2 2w-3  …  w+1   w   | w-1  w-2  w-3  …  1     0     |
    direction  |           |     |       | u    u    u        u     u   | v    v    v       v     v     |
    number     |  columns  |  0  | spare | n-1  n    n-2  …  last first | n-1  n    n-2  … last  first  |

The symmetries of the board that keep its halves upright permute the bits in this way:
    east-west mirror    u of d <-> v of d                   the two groups of w bits are exchanged
    half turn           d <-> 2(n - 1) - d, u and v stay    neighbours are exchanged, except for n - 1
    north-south flip    both
The spare bit, for odd n, is the diagonal of a quadrant next to the last shared one on the side of its corner:
u = n - h - 1 in the north-west, v = n + h - 1 in the south-west. A queen on the centre column can take it. No
symmetry moves it to another bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.engines.queens.join.kernel_count import Board
from rekkyo.engines.queens.join.kernel_halves import STACK_ROWS, Masks, Quadrants, place

SLACK = 8
"""Words after the end of every list of keys, because kernels load eight at a time."""


def direction_width(n: int) -> int:
    """The number of diagonals of one direction that the west and the east half share: 2h - 1."""
    return max(0, 2 * (n // 2) - 1)


def n_key_bits(n: int) -> int:
    """The number of diagonals that the west and the east half share."""
    return 2 * direction_width(n)


def diagonals(n: int, row: int, column: int) -> int:
    """The shared diagonals that a queen on this square takes, as a key."""
    return _shared_bit(n, row + column, True) | _shared_bit(n, row - column + n - 1, False)


def spare(n: int) -> int:
    """The spare bit; 0 for even n, where no queen can take it."""
    return 1 << n_key_bits(n) if n % 2 else 0


def _shared_bit(n: int, diagonal: int, is_u: bool) -> int:
    """The bit of a diagonal; 0 if the halves do not share it."""
    side = n // 2
    first, centre, last = n - side, n - 1, n + side - 2
    if not first <= diagonal <= last:
        return 0
    distance = abs(diagonal - centre)
    place = 2 * (side - 1 - distance) + (1 if diagonal > centre else 0)
    return 1 << (place + direction_width(n) if is_u else place)


MAX_N = 25
WORD_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class JoinPlan:
    """The plan of one board, of side n.

    half_room: at least the number of half boards of each row set. north_room: the greatest number of
    placements with one set of rows.
    """

    n: int
    board: Board
    half_room: int
    north_room: int


def make_plan(n: int) -> JoinPlan:
    """The plan of the plain n x n board."""
    side = n // 2
    quadrants = make_quadrants(n)
    by_rows = placements_by_row_set(quadrants)
    starts = make_starts(n)
    no_row_sets = np.zeros((0, 2), np.uint64)
    board = Board(
        n_bits=np.uint64(n_key_bits(n)),
        quadrants=quadrants,
        masks=make_masks(n),
        flagged=_by_falling_work(flagged_row_sets(side), by_rows, side),
        started=_by_falling_work(started_row_sets(side), by_rows, side // 2) if len(starts) else no_row_sets,
        starts=starts,
        centre=np.uint64(diagonals(n, side, side) if n % 2 else 0),
        weights=_weights(side),
    )
    return JoinPlan(n, board, _half_room(quadrants, by_rows), int(by_rows.max()))


def make_masks(n: int) -> Masks:
    """The masks of a key."""
    side, width = n // 2, direction_width(n)
    pairs = sum(1 << place for place in range(0, width - 1, 2))
    centre = 1 << (width - 1) if side else 0
    return Masks(
        width=np.uint64(width),
        v=np.uint64((1 << width) - 1),
        first_of_pairs=np.uint64(pairs << width | pairs),
        centre=np.uint64(centre << width | centre),
        columns=np.uint64(((1 << side) - 1) << (WORD_BITS - side)),
    )


def make_quadrants(n: int) -> Quadrants:
    """All placements in the south-west quadrant."""
    side = n // 2
    corner = product(range(side), repeat=2)
    blocked = [_blocked_south_west(n, n - 1 - row, column) for row, column in corner]
    squares = np.array(blocked, np.uint64).reshape(side, side)
    bounds = np.zeros(4**side + 1, np.uint32)
    stack = np.zeros((STACK_ROWS, side + 1), np.uint64)
    place(np.uint64(side), squares, bounds[1:], np.zeros(0, np.uint64), stack)
    np.cumsum(bounds, out=bounds)
    keys = np.zeros(int(bounds[-1]) + SLACK, np.uint64)
    place(np.uint64(side), squares, bounds[:-1].copy(), keys, stack)
    return Quadrants(np.uint64(side), np.uint64(min(WORD_BITS - 1, WORD_BITS - side)), bounds, keys)


def _blocked_south_west(n: int, row: int, column: int) -> int:
    """The diagonals of the south-west quadrant that a queen takes, with the spare bit."""
    takes_spare = row - column == n // 2  # v = n + h - 1
    return diagonals(n, row, column) | (spare(n) if takes_spare else 0)


def placements_by_row_set(quadrants: Quadrants) -> NDArray[np.int64]:
    """int64[2**h]: the number of placements that occupy exactly this set of rows."""
    starts = quadrants.bounds[:: 1 << int(quadrants.side)].astype(np.int64)
    return starts[1:] - starts[:-1]


def make_starts(n: int) -> Words:
    """The places of the two queens on the centre row and column of an odd board; see `Board.starts`."""
    side = n // 2
    starts = []
    for q in range(2, side + 1 if n % 2 else 0):
        for p in range(1, q):
            blocked = [
                _blocked_south_west(n, side, side + dx * p) | _blocked_south_west(n, side + dy * q, side)
                for dx, dy in ((-1, 1), (-1, -1), (1, 1), (1, -1))
            ]
            starts.append((1 << (side - q), 1 << (side - p), *blocked))
    return np.array(starts, np.uint64).reshape(-1, 6)


def flagged_row_sets(side: int) -> Words:
    """(NW, SW) row sets that can be canonical if all queens but one on the centre are in the quadrants."""
    every = (1 << side) - 1
    pairs = _pairs_by_size(side, side, side)
    north_west, south_east = pairs[:, 0], pairs[:, 1] ^ np.uint64(every)
    is_least = (_lesser(north_west, every) == north_west) & (_lesser(south_east, every) >= north_west)
    canonical: Words = pairs[is_least]
    return canonical


def started_row_sets(side: int) -> Words:
    """(NW without the taken row, SW) row sets for boards with a queen on the centre row and on the column.

    One queen of the west half is on the centre row, so its quadrants have h - 1.
    """
    return _pairs_by_size(side - 1, side, side - 1)


def _pairs_by_size(first_bits: int, second_bits: int, n_queens: int) -> Words:
    """All pairs of sets of the given numbers of bits with n_queens elements together."""
    first = np.arange(1 << first_bits, dtype=np.int64)
    second = np.arange(1 << second_bits, dtype=np.int64)
    blocks = [
        np.stack(np.meshgrid(first[_sizes(first) == size], second[_sizes(second) == n_queens - size]), -1)
        for size in range(n_queens + 1)
    ]
    return np.concatenate([block.reshape(-1, 2) for block in blocks]).astype(np.uint64)


def _sizes(sets: NDArray[Any]) -> NDArray[np.int64]:
    return np.array([int(each).bit_count() for each in sets.ravel()], np.int64).reshape(sets.shape)


def _lesser(flags: Words, every: int) -> Words:
    """The lesser of each flag and its complement; sets are compared by size, then as numbers."""
    others = flags ^ np.uint64(every)
    sizes, other_sizes = _sizes(flags), _sizes(others)
    is_lesser = (sizes < other_sizes) | ((sizes == other_sizes) & (flags <= others))
    return np.where(is_lesser, flags, others)


def _by_falling_work(pairs: Words, by_rows: NDArray[np.int64], gap: int) -> Words:
    """The row sets in decreasing order of the product of their placements in NW, SW, NE and SE.

    Neighbours then take about the same time. gap: the place of the 0 bit that is inserted into the NW set if
    it has one bit less.
    """
    every = np.uint64(len(by_rows) - 1)
    north_west = pairs[:, 0]
    low = north_west & np.uint64((1 << gap) - 1)
    north_west = (north_west ^ low) << np.uint64(1) | low if gap < int(every).bit_length() else north_west
    sets = (north_west, pairs[:, 1], every ^ north_west, every ^ pairs[:, 1])
    # A product, not a sum of logarithms, because their last digits depend on the computer.
    work = prod(np.maximum(by_rows[each], 1).astype(np.float64) for each in sets)
    return pairs[np.argsort(-work, kind="stable")]


def _weights(side: int) -> Words:
    """weights[m] = 24 / (number of least flags) if m of four flags, without their complements, are least.

    On the 1 x 1 board every flag is the empty set, which is its own complement, so all 8 flags are least.
    """
    twins = 2 if side == 0 else 1
    return np.array([0, *(24 // (m * twins) for m in range(1, 5))], np.uint64)


def _half_room(quadrants: Quadrants, by_rows: NDArray[np.int64]) -> int:
    """A bound on the half boards of each row set: the largest bucket of a quadrant times all of the other."""
    side = int(quadrants.side)
    sizes = _sizes(np.arange(1 << side))
    largest = np.diff(quadrants.bounds.astype(np.int64)).reshape(1 << side, 1 << side).max(axis=1)
    most = [int(by_rows[sizes == size].max()) for size in range(side + 1)]
    bucket = [int(largest[sizes == size].max()) for size in range(side + 1)]
    return max(
        min(bucket[size] * most[rest], bucket[rest] * most[size])
        for size in range(side + 1)
        for rest in (side - size, max(0, side - size - 1))
    )
