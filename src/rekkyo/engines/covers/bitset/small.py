"""Counts many small covers in one call, with the search of `cover-bitset` and without a plan for each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rekkyo.arrays import read_only_view
from rekkyo.bits import Words
from rekkyo.engines.covers.bitset.asks import NOBODY
from rekkyo.engines.covers.bitset.kernel_frame import HEAD_LENGTH, LANE, STATE_LENGTH, Counted, Cursor, Tables
from rekkyo.engines.covers.bitset.kernel_small import (
    BLOCK_ROWS,
    MOST_OPTIONS,
    MOST_ROWS,
    MOST_USES,
    NOT_COUNTED,
    Covers,
    Found,
    count_covers,
)
from rekkyo.engines.out import Out, out_of
from rekkyo.jit import is_loaded
from rekkyo.model.exact_cover import ExactCover

FILLER = bytes([MOST_OPTIONS])


class SmallCount(NamedTuple):
    """The result of a search. rows: the first and the last solution, with fillers."""

    total: int
    nodes: int
    rows: bytes

    def samples(self, how_many: int) -> list[list[int]]:
        """The first and the last solution without fillers: at most `how_many`, and none twice."""
        both = self.rows[:MOST_OPTIONS], self.rows[MOST_OPTIONS:]
        return [list(row.rstrip(FILLER)) for row in both[: min(how_many, self.total)]]


def is_small(model: ExactCover) -> bool:
    """Whether `count_small` accepts the model."""
    n_rows = len(model.primary) + len(model.secondary) + LANE
    return (
        len(model.options) <= MOST_OPTIONS
        and n_rows < MOST_ROWS
        and len(model.uses) <= 2 * MOST_USES
        and model.is_once
    )


def is_compiled() -> bool:
    """Whether `count_small` can be called without compiling or loading anything."""
    return is_loaded(count_covers)


def count_small(models: Sequence[ExactCover]) -> list[SmallCount | None]:
    """Count small covers; None for a cover whose search needs too many nodes or rows."""
    options = [option for model in models for option in model.options]
    lengths = np.fromiter(map(len, options), np.int64, len(options))
    numbers = np.frombuffer(b"".join(model.uses for model in models), np.intc).astype(np.int64)
    sizes = np.array([_sizes(model) for model in models], dtype=np.int64).reshape(-1, 3)
    covers = Covers(sizes, lengths, numbers.reshape(-1, 2))
    rows = np.empty((len(models), 2, MOST_OPTIONS), dtype=np.uint8)
    counts = np.empty((len(models), 2), dtype=np.uint64)
    count_covers(covers, *_room(), Found(counts, rows))
    written, length = rows.tobytes(), 2 * MOST_OPTIONS
    return [
        None
        if total == NOT_COUNTED
        else SmallCount(total, nodes, written[number * length : (number + 1) * length])
        for number, (total, nodes) in enumerate(counts.tolist())
    ]


def _sizes(model: ExactCover) -> tuple[int, int, int]:
    """See `Covers`."""
    return len(model.primary), len(model.secondary), len(model.options)


_rooms = threading.local()


def _room() -> tuple[Tables, Tables, Cursor, Out]:
    """The arrays of this thread, see `count_covers`."""
    if not hasattr(_rooms, "room"):
        _rooms.room = _new_room()
    room: tuple[Tables, Tables, Cursor, Out] = _rooms.room
    return room


def _new_room() -> tuple[Tables, Tables, Cursor, Out]:
    levels = MOST_OPTIONS + 2
    sizes = {
        "rows": MOST_ROWS,
        "table": MOST_ROWS,
        "starts": MOST_OPTIONS + 1,
        "sizes": MOST_OPTIONS,
        "shape": 3,
    }
    names = Tables._fields[:-1]
    tables = Tables(**{name: _zeros(sizes.get(name, MOST_USES)) for name in names}, asks=NOBODY)
    tables.same[:] = np.arange(MOST_USES)
    read_only = Tables(**{name: read_only_view(getattr(tables, name)) for name in names}, asks=NOBODY)
    by_level = ("heights", "opens", "began", "chosen", "wide_live", "wide_choices", "sorted")
    lengths = dict.fromkeys(by_level, levels) | dict.fromkeys(("counts", "weights", "visits"), MOST_ROWS)
    lengths |= {"state": STATE_LENGTH, "heads": int(HEAD_LENGTH)}
    arrays = {name: _zeros(lengths.get(name, 1)) for name in Cursor._fields if name != "counted"}
    counted = Counted(read_only.starts[1:], read_only_view(_zeros(0)), rooms=_zeros(0), later=_zeros(0))
    out = out_of(np.zeros((BLOCK_ROWS, MOST_OPTIONS), dtype=np.uint8))
    return tables, read_only, Cursor(**arrays, counted=counted), out


def _zeros(size: int) -> Words:
    return np.zeros(size, dtype=np.uint64)
