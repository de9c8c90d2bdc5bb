"""The numbers by which a search is divided. They change its speed and its memory, never its answer."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np

from rekkyo.engines.contract import Room, row_dtype
from rekkyo.errors import BadInput
from rekkyo.model.checks import shown
from rekkyo.model.row import RowShape

Moments: TypeAlias = float
"""The unit of time of a search: the number of nodes that its engine tries in some milliseconds."""

MOST = 1 << 53
"""The greatest size: sums and products with small numbers fit into 64 bits."""

MOST_BLOCK_BYTES = 1 << 26
"""The greatest block. Every worker has one, and `known_blocks` of them, 4 GB of 64, may be kept."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The numbers that divide a search and its results. The tests pass other values, down to 1.

    block_rows, block_bytes: the most that a block holds; it should stay in the processor's cache.
    slice_nodes: how far a worker searches between two pauses: about 15 ms of a bit kernel.
    moment_nodes: nodes of some milliseconds; None for the engine's own number.
    shards: enough for balance between workers and for an honest range of the time left.
    shards_if_short: for a search of at most short_moments moments; a shard costs some 0.1 ms.
    overdue_moments: a count by a search that takes longer may be overtaken by merging.
    shards_long: for a run whose shards, 256 of them, would mostly be larger than large_nodes nodes:
        a run of a week then has shards of minutes. 2^22 nodes are some 30 ms of a bit kernel, half a second
        of an exact cover. Other runs keep to `shards`: thousands of tiny ones cost 0.2 s.
    shards_to_stream, stream_nodes: for lists with so many rows that they wait for their reader.
    known_blocks: blocks that are kept of a shard searched while the cut was chosen: 32 MB at most.
    blocks_ahead: blocks that one shard may be ahead of its reader.
    symmetry_size: vertices and edges of a model's graph that are built and refined in a moment. A symmetry
        that only helps is looked for if the search is expected to take longer than that.
    checked_every: one in so many blocks with rows, of all shards, is checked.
    checkpoint_s: seconds between two checkpoints of a count in a run; 0 for one after every level.
    """

    block_rows: int = 1 << 15
    block_bytes: int = 1 << 19
    slice_nodes: int = 1 << 21
    moment_nodes: int | None = None
    shards: int = 256
    shards_if_short: int = 32
    short_moments: int = 64
    overdue_moments: int = 64
    shards_long: int = 4096
    large_nodes: int = 1 << 22
    shards_to_stream: int = 4096
    stream_nodes: int = 1 << 17
    known_blocks: int = 64
    blocks_ahead: int = 16
    symmetry_size: int = 5000
    checked_every: int = 64
    checkpoint_s: int = 10

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "checkpoint_s" else 1
            most = MOST_BLOCK_BYTES if field.name == "block_bytes" else MOST
            if value is None and field.name == "moment_nodes":
                continue
            if type(value) is not int or not least <= value <= most:
                raise BadInput(
                    f"the size {field.name} must be a whole number from {least} to {most}, not {shown(value)}"
                )

    def rows_of_block(self, shape: RowShape) -> int:
        """The most solutions in a block."""
        row_bytes = max(1, shape.length) * np.dtype(row_dtype(shape.n_symbols)).itemsize
        return max(1, min(self.block_rows, self.block_bytes // row_bytes))

    def room(self, shape: RowShape) -> Room:
        """Room for the solutions of a slice."""
        return Room.of(shape, self.rows_of_block(shape))


DEFAULT_SIZES = Sizes()
