"""Count the solutions of some row sets: fill both halves, join them, and add the weighted counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rekkyo.bits import ONE, TWO, ZERO, Word, Words, popcount
from rekkyo.engines.queens.join.kernel_halves import Masks, Quadrants, fill_half, mirror_keys, turn_keys
from rekkyo.engines.queens.join.kernel_join import JoinScratch, count_disjoint
from rekkyo.jit import inner_kernel, kernel

STARTED_WEIGHT = np.uint64(24)


class Board(NamedTuple):
    """The data that `count_row_sets` reads.

    n_bits: bits of a key that the halves share. quadrants, masks: see `kernel_halves`.
    flagged: uint64[n_flagged, 2]. (NW rows, SW rows) of every flagged row set.
    started: uint64[n_started, 2]. The same for the started ones, where the NW rows have no bit for the row of
        the centre column's queen (a 0 bit is inserted there). Each row set is combined with every start.
    starts: uint64[n_starts, 6]. NW row taken, west column taken, and the diagonals that the two queens block
        for NW, SW, NE, SE, each written as in the south-west.
    centre: diagonals blocked by the centre queen, 0 if there is none.
    weights: uint64[5]. weights[m]: the weight of a solution with m least flags, without complements.
    """

    n_bits: Word
    quadrants: Quadrants
    masks: Masks
    flagged: Words
    started: Words
    starts: Words
    centre: Word
    weights: Words


class Halves(NamedTuple):
    """Scratch for the half boards of one row set.

    north: uint64[north_room + SLACK]. The keys of one north quadrant.
    west, west_least: uint64[half_room + SLACK]. Half boards, separated by whether their column flag is least
    (see `plan`).
    east, east_least: uint64[KEPT_ROOM * (half_room + SLACK)]. The same, with space for filtered lists.
    """

    north: Words
    west: Words
    west_least: Words
    east: Words
    east_least: Words


@kernel
def count_row_sets(
    board: Board, first: Word, n_shards: Word, halves: Halves, scratch: JoinScratch
) -> tuple[Word, Word]:
    """Count one row set of every n_shards neighbours; returns (weighted count, nodes).

    Row sets are in the order of their work, so neighbours take about the same time. The shard `first` takes a
    pseudo-random one of them. All starts of a row set are done together, because they read the same parts of
    the table of quadrants.
    """
    n_started = np.uint64(len(board.started))
    n_items = n_started + np.uint64(len(board.flagged))
    weighted = ZERO
    n_nodes = ZERO
    band = ZERO
    for band_start in range(ZERO, n_items, n_shards):
        item = band_start + (first + scatter(band)) % n_shards
        band += ONE
        if item >= n_items:
            continue
        if item < n_started:
            row_sets = board.started[item]
            for start in range(np.uint64(len(board.starts))):
                found, nodes = _count_started(
                    board, row_sets[0], row_sets[1], board.starts[start], halves, scratch
                )
                weighted += found
                n_nodes += nodes
        else:
            row_sets = board.flagged[item - n_started]
            found, nodes = _count_flagged(board, row_sets[0], row_sets[1], halves, scratch)
            weighted += found
            n_nodes += nodes
    return weighted, n_nodes


@inner_kernel
def scatter(band: Word) -> Word:
    """A pseudo-random number below 2**41."""
    low = (band + ONE) & np.uint64(0xFFFF)
    return (low * np.uint64(0x9E37_79B9) ^ (band >> np.uint64(16)) * np.uint64(0x85EB_CA6B)) >> np.uint64(7)


@inner_kernel
def _count_started(
    board: Board, small_north_west: Word, south_west: Word, start: Words, halves: Halves, scratch: JoinScratch
) -> tuple[Word, Word]:
    """Count a row set with a queen on the centre row and one on the centre column; each solution is 8."""
    every = (ONE << board.quadrants.side) - ONE
    row_taken, column_taken = start[0], start[1]
    north_west = _with_gap(small_north_west, row_taken)
    no_column = column_taken << board.quadrants.columns_at
    n_west, nodes, west_is_flipped = _fill_started(
        board,
        north_west,
        south_west,
        every ^ column_taken,
        start[2] | no_column,
        start[3] | no_column,
        halves.north,
        halves.west,
    )
    if n_west == ZERO:
        return ZERO, nodes
    n_east, more, east_is_flipped = _fill_started(
        board,
        every ^ row_taken ^ north_west,
        every ^ south_west,
        every,
        start[4],
        start[5],
        halves.north,
        halves.east,
    )
    if west_is_flipped == east_is_flipped:
        mirror_keys(halves.east, n_east, board.masks)
    else:
        turn_keys(halves.east, n_east, board.masks)
    found, compared = count_disjoint(halves.west, n_west, halves.east, n_east, board.n_bits, scratch)
    return STARTED_WEIGHT * found, nodes + more + compared


@inner_kernel
def _fill_started(
    board: Board,
    north_rows: Word,
    south_rows: Word,
    columns: Word,
    blocked_north: Word,
    blocked_south: Word,
    north_keys: Words,
    out: Words,
) -> tuple[Word, Word, np.bool]:
    """Fill one half; returns (half boards, pairs tried, whether they are upside down)."""
    is_flipped = popcount(north_rows) > popcount(south_rows)
    if is_flipped:
        north_rows, south_rows = south_rows, north_rows
        blocked_north, blocked_south = blocked_south, blocked_north
    quadrants = board.quadrants
    start = np.uint64(quadrants.bounds[north_rows << quadrants.side])
    stop = np.uint64(quadrants.bounds[(north_rows + ONE) << quadrants.side])
    n_keys, n_tried = fill_half(
        quadrants,
        board.masks,
        start,
        stop,
        south_rows,
        columns,
        blocked_north,
        blocked_south,
        north_keys,
        out,
        ZERO,
    )
    return n_keys, n_tried, is_flipped


@inner_kernel
def _count_flagged(
    board: Board, north_west: Word, south_west: Word, halves: Halves, scratch: JoinScratch
) -> tuple[Word, Word]:
    """Count a row set with no queen on the centre row and column, or with one on the centre.

    NW and SE have at most as many queens as SW and NE. The east is filled upside down, so SE is its north.
    """
    every = (ONE << board.quadrants.side) - ONE
    least, south_east = north_west, every ^ south_west
    n_west, n_west_least, nodes = _fill_flagged(
        board, north_west, south_west, least, halves.north, halves.west, halves.west_least
    )
    if n_west + n_west_least == ZERO:
        return ZERO, nodes
    n_east, n_east_least, more = _fill_flagged(
        board, south_east, every ^ north_west, least, halves.north, halves.east, halves.east_least
    )
    turn_keys(halves.east, n_east, board.masks)
    turn_keys(halves.east_least, n_east_least, board.masks)
    nodes += more
    n_least = ONE
    if south_east == least or (_is_half(board, least) and south_east == every ^ least):
        n_least += ONE
    wests, n_wests = (halves.west, halves.west_least), (n_west, n_west_least)
    easts, n_easts = (halves.east, halves.east_least), (n_east, n_east_least)
    weighted = ZERO
    for west in range(2):
        for east in range(2):
            found, compared = count_disjoint(
                wests[west], n_wests[west], easts[east], n_easts[east], board.n_bits, scratch
            )
            weighted += board.weights[n_least + np.uint64(west + east)] * found
            nodes += compared
    return weighted, nodes


@inner_kernel
def _is_half(board: Board, flag: Word) -> bool:
    """Whether the flag and its complement have the same size."""
    return bool(TWO * popcount(flag) == board.quadrants.side)


@inner_kernel
def _fill_flagged(
    board: Board,
    north_rows: Word,
    south_rows: Word,
    least: Word,
    north_keys: Words,
    out: Words,
    out_least: Words,
) -> tuple[Word, Word, Word]:
    """Fill one half without the column flags of the north below `least`.

    Returns (half boards whose column flag is greater, those whose flag is least, pairs tried).
    A flag is not below `least` if its columns, as a number, are at least `least`, and, if complements have
    the same size, at most the complement of `least`. The flags at these bounds are the least ones.
    """
    quadrants, masks, centre = board.quadrants, board.masks, board.centre
    every = (ONE << quadrants.side) - ONE
    base = north_rows << quadrants.side
    first = base | least
    last = base | (every ^ least if _is_half(board, least) else every)
    bounds = quadrants.bounds
    start, after = np.uint64(bounds[first]), np.uint64(bounds[first + ONE])
    before, stop = np.uint64(bounds[last]), np.uint64(bounds[last + ONE])
    n_least, tried = fill_half(
        quadrants, masks, start, after, south_rows, every, centre, centre, north_keys, out_least, ZERO
    )
    n_tried = tried
    if first == last:
        return ZERO, n_least, n_tried
    if _is_half(board, least):
        n_least, tried = fill_half(
            quadrants, masks, before, stop, south_rows, every, centre, centre, north_keys, out_least, n_least
        )
        n_tried += tried
        stop = before
    n_keys, tried = fill_half(
        quadrants, masks, after, stop, south_rows, every, centre, centre, north_keys, out, ZERO
    )
    return n_keys, n_least, n_tried + tried


@inner_kernel
def _with_gap(small: Word, gap: Word) -> Word:
    """Insert a 0 bit at the place of the bit `gap`."""
    low = small & (gap - ONE)
    return (small ^ low) << ONE | low
