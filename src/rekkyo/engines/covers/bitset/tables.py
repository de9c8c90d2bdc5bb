"""Makes the tables of a model, see `kernel_frame`. What takes time is compiled (`kernel_tables`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, ZERO, Words, bits_at
from rekkyo.engines.covers.bitset.asks import NOBODY, Flags, find_asks
from rekkyo.engines.covers.bitset.kernel_frame import IDLE, LANE, Counted, Tables
from rekkyo.engines.covers.bitset.kernel_tables import Pairs, Sizes, fill_classes, fill_tables
from rekkyo.model.exact_cover import ExactCover

SPARSE = 16
"""Items and colours up to this multiple of the uses get a table; sorting takes ten times as long."""


def tables_of(model: ExactCover, n_ruling: int, least_options_to_look: int) -> tuple[Tables, Counted]:
    """The tables, and information on counted items, whose uses come last in every option.

    n_ruling: the rows before the zero row that are left empty, see `with_ruled_out`. least_options_to_look:
    the fewest options of a model in which items that ask for others are looked for.
    """
    sizes, pairs = np.frombuffer(model.sizes, np.intc), np.frombuffer(model.uses, np.intc).reshape(-1, 2)
    if model.is_once:
        tables = _filled(model, sizes, pairs, n_ruling)
        n_scan, firsts = 0, tables.starts[1:]
    else:
        is_counted = np.zeros(len(model.primary) + len(model.secondary), dtype=np.bool_)
        is_counted[: len(model.primary)] = ~_are_once(model)
        options = np.repeat(np.arange(len(sizes)), sizes)
        n_counted = np.bincount(options[is_counted[pairs[:, 0]]], minlength=len(sizes)).astype(np.uint64)
        tables = _filled(model, sizes, pairs[np.lexsort((is_counted[pairs[:, 0]], options))], n_ruling)
        tables.sizes[:] -= n_counted
        n_scan, firsts = int(tables.shape[1]), tables.starts[1:] - n_counted
    if len(sizes) >= least_options_to_look and len(tables.alike):
        options = np.repeat(np.arange(len(sizes)), sizes)
        asks = find_asks(options, tables.uses.astype(np.int64), tables.alike, _are_once(model))
        tables = tables._replace(asks=asks)
    return tables, _counted(model, firsts, n_scan)


def with_ruled_out(
    tables: Tables, counted: Counted, rules_out: tuple[tuple[int, Any], ...]
) -> tuple[Tables, Counted]:
    """What `tables_of` gives, with the sets of options that options of a pivot rule out.

    The first use of such an option is the row of the options that it rules out, without itself.
    """
    words, _, n_rows = (int(number) for number in tables.shape)
    first, ruling = n_rows - 1 - len(rules_out), [option for option, _ in rules_out]
    tables.rows.reshape(n_rows, words)[first:-1] = [bits_at(options, words) for _, options in rules_out]
    places = tables.starts[ruling].astype(np.int64)
    n_before = np.cumsum(np.bincount(ruling, minlength=len(tables.sizes))).astype(np.uint64)
    starts, firsts = tables.starts.copy(), counted.firsts + n_before
    starts[1:] += n_before
    uses = np.insert(tables.uses, places, np.arange(first, n_rows - 1))
    alike = np.insert(tables.alike, places, n_rows - 1) if len(tables.alike) else tables.alike
    return tables._replace(starts=starts, uses=uses, alike=alike), counted._replace(firsts=firsts)


def _filled(model: ExactCover, sizes: Sizes, pairs: Pairs, n_ruling: int) -> Tables:
    """The tables without what a pivot rules out, and without items that ask."""
    n_primary, n_options = len(model.primary), len(sizes)
    words, n_scan = max(1, -(-n_options // 64)), -(-n_primary // LANE) * LANE
    first_class = n_scan + len(model.secondary)
    alike, n_classes = _classes(model, pairs, first_class, n_ruling)
    n_rows = first_class + n_classes + n_ruling + 1
    tables = Tables(
        table=np.zeros(n_scan * words, dtype=np.uint64),
        rows=np.zeros(n_rows * words, dtype=np.uint64),
        starts=unfilled(n_options + 1, np.uint64),
        uses=unfilled(len(pairs), np.uint64),
        sizes=np.zeros(n_options, dtype=np.uint64),
        same=np.arange(max(n_options, n_rows), dtype=np.uint64),
        shape=np.array([words, n_scan, n_rows], dtype=np.uint64),
        alike=alike,
        asks=NOBODY,
    )
    fill_tables(sizes, pairs, n_primary, tables)
    return tables


def _classes(model: ExactCover, pairs: Pairs, first_row: int, n_ruling: int) -> tuple[Words, int]:
    """`Tables.alike`, and the number of colour classes, whose rows begin with first_row."""
    n_colors = int(pairs[:, 1].max(initial=0))
    if not n_colors:
        return np.zeros(0, dtype=np.uint64), 0
    alike = unfilled(len(pairs), np.uint64)
    if n_colors * len(model.secondary) <= SPARSE * len(pairs):
        row_of = np.zeros(n_colors * len(model.secondary), dtype=np.uint64)
        return alike, fill_classes(pairs, len(model.primary), n_colors, first_row, n_ruling, row_of, alike)
    colored = np.flatnonzero(pairs[:, 1])
    numbers = pairs[colored].astype(np.int64) @ (n_colors + 1, 1)
    classes, ranks = np.unique(numbers, return_inverse=True)
    alike[:] = first_row + len(classes) + n_ruling
    alike[colored] = first_row + ranks
    return alike, len(classes)


def _are_once(model: ExactCover) -> Flags:
    """Whether each primary item is covered exactly once."""
    return np.array([model.bounds_of(item) == (1, 1) for item in range(len(model.primary))])


def _counted(model: ExactCover, firsts: Words, n_scan: int) -> Counted:
    """Information on counted items. firsts: see `Counted`. n_scan: 0 if none is counted."""
    later, rooms = np.zeros(n_scan, dtype=np.uint64), np.ones(n_scan, dtype=np.uint64)
    if not n_scan:
        return Counted(firsts, np.zeros(0, dtype=np.uint64), rooms, later)
    low, high = np.array(model.bounds, dtype=np.uint64).T
    later[: len(low)] = np.where(low > ZERO, low - ONE, IDLE)
    rooms[: len(high)] = high
    return Counted(firsts, np.flatnonzero(low < high).astype(np.uint64), rooms, later)
