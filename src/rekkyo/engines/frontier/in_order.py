"""The levels through which parts of a front are walked in order (`streams.py`); results of others are hashed.

    levels      17 18 19 20 21 22 23 24        whose results are in order: 18 to 23
    segments    17|18 19 20 21 22 23|24

A part is walked through one segment after the other. It is sorted where a segment in order begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.engines.frontier.arrange import COLORS
from rekkyo.engines.frontier.arrange_all import arrange_all_blocks, arrange_all_by_exchanges
from rekkyo.engines.frontier.flat import FlatArrays, blocks_at
from rekkyo.engines.frontier.merge_kernel import N_COLUMNS, StreamArrays, merge_equal, steps_in_order
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.streams import (
    EVERY_BIT,
    Mask,
    Stream,
    alive_before,
    in_groups,
    streams_of,
    turn_of,
    turned,
)
from rekkyo.jit import load

LEAST_LEVELS = 3
"""The fewest levels that are walked in order. Sorting a part before takes as long as one or two of them."""

NODES_TO_COMPILE = 1 << 26
"""The nodes of a walk after which its kernel is compiled, which takes 2.6 s. So many nodes take two seconds
by hashing, and a walk of that length often has as many before it. A kernel from the cache is used at once."""


class Segment(NamedTuple):
    """Some levels that are walked in one way. streams: None if results are hashed."""

    first: int
    stop: int
    streams: StreamArrays | None


Turned: TypeAlias = tuple[int, int]
"""A turn, and the bits of a turned state before the level."""


def kernels_in_order() -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The kernels, with arguments by which they are compiled: a state, and a level that has no streams."""
    words, exchanges = np.zeros(1, dtype=np.uint64), read_only(np.zeros((1, 2), dtype=np.uint64))
    ends, rows = np.zeros(2, dtype=np.int64), np.zeros((0, N_COLUMNS), dtype=np.uint64)
    part = words, words.reshape(1, 1)
    return [
        (steps_in_order, (*part, StreamArrays(ends, rows, words, 0), 1, 1)),
        (merge_equal, (*part, words[0], 0)),
        (arrange_all_blocks, (words, read_only(np.zeros((1, 1), dtype=np.uint64)))),
        (arrange_all_by_exchanges, (words, exchanges)),
    ]


class Hashed:
    """The levels of a plan, whose results are hashed."""

    def __init__(self, plan: FrontierPlan[Any]) -> None:
        self._plan, self._levels = plan, plan.levels.levels

    @property
    def flat(self) -> FlatArrays:
        """The arrays of the plan."""
        return self._plan.flat

    def segments(self, first: int, stop: int) -> Iterator[Segment]:
        """The levels from `first` to `stop`, in as few segments as possible."""
        yield Segment(first, stop, None)

    def begins_at(self, level: int) -> bool:
        """Whether the next levels are walked in order."""
        return False

    def crossing(self, level: int) -> Crossing | None:
        """A level with exchanges between levels that are walked in order; None for others."""
        return None


class Crossing(Hashed):
    """A level with exchanges, see `across.py`. streams: of its results before they are exchanged.

    turn, n_bits: of the next level.
    """

    def __init__(self, plan: FrontierPlan[Any], level: int, streams: StreamArrays, after: Turned) -> None:
        super().__init__(plan)
        self._streams = streams
        self.turn, self.n_bits = after
        self.blocks = blocks_at(plan.flat, level)

    def segments(self, first: int, stop: int) -> Iterator[Segment]:
        """The level."""
        yield Segment(first, stop, self._streams)


class InOrder(Hashed):
    """The levels of a plan, some of whose results are in order."""

    def __init__(self, plan: FrontierPlan[Any]) -> None:
        super().__init__(plan)
        self._found: dict[tuple[int, int], list[Stream] | None] = {}

    def after(self, n_nodes: int) -> Hashed:
        """The way to walk after so many nodes."""
        return self if n_nodes >= NODES_TO_COMPILE or self._is_kept else Hashed(self._plan)

    @cached_property
    def _is_kept(self) -> bool:
        """Whether no kernel is compiled; loads it from the cache."""
        if self._plan.levels.n_words > 1:
            return False
        return all(load(function, *arguments) for function, arguments in kernels_in_order())

    def segments(self, first: int, stop: int) -> Iterator[Segment]:
        """The levels from `first` to `stop`, in as few segments as possible."""
        level = hashed_from = first
        while level < stop:
            ordered = list(self._ordered(level, stop))
            end = level + len(ordered)
            if len(ordered) >= LEAST_LEVELS:
                if hashed_from < level:
                    yield Segment(hashed_from, level, None)
                yield Segment(level, end, self._arrays(level, ordered))
                hashed_from = end
            level = max(end, level + 1)
        if hashed_from < stop:
            yield Segment(hashed_from, stop, None)

    def begins_at(self, level: int) -> bool:
        """Whether the next levels are walked in order."""
        return len(list(islice(self._ordered(level, self._plan.n_levels), LEAST_LEVELS))) == LEAST_LEVELS

    def crossing(self, level: int) -> Crossing | None:
        """A level with exchanges between levels that are walked in order; None for others."""
        blocks = blocks_at(self._plan.flat, level)
        if not len(blocks) or blocks[0, 0] == COLORS or not self.begins_at(level + 1):
            return None
        turn = turn_of(self._alive[level], self._alive[level + 1], None)
        streams = self._streams_of(level, turn)
        if streams is None:
            return None
        ((turn_after, _),) = islice(self._ordered(level + 1, level + 2), 1)
        return Crossing(
            self._plan,
            level,
            self._arrays(level, [(turn, streams)]),
            (turn_after, turned(self._alive[level + 1], turn_after).bit_length()),
        )

    def _arrays(self, first: int, ordered: Sequence[tuple[int, list[Stream]]]) -> StreamArrays:
        """The turns and the streams of levels whose results are in order."""
        ends, rows = [0], []
        for turn, streams in ordered:
            for number, group in enumerate(in_groups(streams, turn)):
                rows += [_row(stream, turn, number) for stream in group]
            ends.append(len(rows))
        turns = [turn for turn, _ in ordered]
        return StreamArrays(
            np.array(ends, dtype=np.int64),
            np.array(rows, dtype=np.uint64).reshape(-1, N_COLUMNS),
            np.array(turns, dtype=np.uint64),
            turned(self._alive[first], turns[0]).bit_length(),
        )

    def _ordered(self, first: int, stop: int) -> Iterator[tuple[int, list[Stream]]]:
        """The turn and the streams of each level from `first` on, until results are not in order."""
        if self._plan.levels.n_words > 1:
            return
        turn = None
        for level in range(first, stop):
            before, after = self._alive[level : level + 2]
            turn = turn_of(before, after, turn)
            streams = self._streams(level, turn)
            if streams is None:
                return
            yield turn, streams

    def _streams(self, level: int, turn: int) -> list[Stream] | None:
        if (level, turn) not in self._found:
            self._found[level, turn] = self._streams_anew(level, turn)
        return self._found[level, turn]

    def _streams_anew(self, level: int, turn: int) -> list[Stream] | None:
        return None if len(blocks_at(self._plan.flat, level)) else self._streams_of(level, turn)

    def _streams_of(self, level: int, turn: int) -> list[Stream] | None:
        return streams_of(self._levels[level], self._alive[level], self._alive[level + 1], turn)

    @cached_property
    def _alive(self) -> list[Mask]:
        return alive_before(self._plan.levels)


NEVER = (0, 1)
"""A mask, and a value that no state has under it."""


def _row(stream: Stream, turn: int, group: int) -> tuple[int, ...]:
    """A stream as words, see `merge_kernel`."""
    ones = stream.ones & ~stream.needed
    nodes = (ones | stream.zeros, ones) if stream.is_choice else NEVER
    keep, fixed = EVERY_BIT & ~(stream.take | stream.drop), stream.take & ~stream.drop
    changes = turned(keep, turn), turned(fixed, turn)
    return stream.tested, stream.ones, *nodes, *changes, int(stream.lost != 0), group
