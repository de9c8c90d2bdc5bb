"""Cuts a search into shards by its first decisions, made in Python with the steps of frame 0.

A prefix has the options chosen, including forced ones; a forced option is neither a decision nor a node.
~row before an option means that the options of the row with lower numbers are ruled out. ~n_rows means the
same for all live options; after it, n_options means that no further option is chosen:

    ~12, 40, 7    rule out the live options of row 12 before option 40, choose option 40, choose option 7

Left out on purpose: one kernel that makes the decisions of a prefix. It cuts a sudoku into 424 shards in 27
ms instead of 40, and makes a first count of a cover, whose kernels are not compiled yet, two seconds longer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, ZERO, Words, bits_at
from rekkyo.engines.contract import Shard
from rekkyo.engines.covers.bitset.kernel_frame import IDLE, N_FRAMES, Counted
from rekkyo.engines.covers.bitset.kernel_step import COUNT_SHIFT, ROW_MASK, choose_wide, scan_wide
from rekkyo.engines.covers.bitset.kernel_support import drop_unsupported
from rekkyo.engines.covers.bitset.plan import BitsetPlan
from rekkyo.engines.prefixes import Prefix, dived, grown, numbered


@dataclass(slots=True, eq=False)
class State:
    """The state after some decisions: the number of open items, the live options, and counted items."""

    n_open: int
    live: Words
    counted: Counted

    def copy(self) -> State:
        """Another state with arrays of its own."""
        later, rooms = self.counted.later.copy(), self.counted.rooms.copy()
        return replace(self, live=self.live.copy(), counted=self.counted._replace(rooms=rooms, later=later))


class Node(NamedTuple):
    """A node of the search: decisions, the state after them, and the decisions that follow.

    Nodes that differ in the last decision share the state, which does not change.
    """

    made: Prefix
    state: State
    following: Prefix = ()

    @property
    def prefix(self) -> Prefix:
        """All decisions."""
        return (*self.made, *self.following)


def cut(plan: BitsetPlan, at_least: int) -> tuple[Shard, ...]:
    """The shards after the first decisions of every branch: `at_least`, if the search is wide enough."""
    # The limit most_tried ends this walk in plain Python in a narrow tree, such as that of a sudoku.
    found, n_tried = grown(
        [_root(plan)], partial(_below, plan), at_least, by_levels=True, most_tried=2 * at_least
    )
    return numbered((node.prefix for node in found), n_tried)


def estimated_nodes(plan: BitsetPlan) -> float:
    """The nodes of the search, by random dives."""
    return dived(_root(plan), partial(_below, plan))


def n_first_options(plan: BitsetPlan) -> int:
    """The number of options of the first decision; 0 if there is none."""
    return len(_tried(plan, _root(plan)) or ())


def state_below(plan: BitsetPlan, prefix: Prefix) -> State:
    """The state after the decisions of a prefix, with `Cursor.counted`."""
    state = _after(plan, _root(plan)._replace(following=prefix))
    n_later = len(state.counted.later)
    later = unfilled(N_FRAMES * n_later, np.uint64)
    later[:n_later] = state.counted.later
    return replace(state, counted=state.counted._replace(later=later))


def _root(plan: BitsetPlan) -> Node:
    """The beginning of the search."""
    return Node((), State(plan.n_open, plan.root, plan.counted))


def _below(plan: BitsetPlan, node: Node) -> tuple[list[Node], int] | None:
    """See `grown`."""
    tried, n_options = _tried(plan, node), len(plan.tables.sizes)
    return None if tried is None else (tried, sum(child.following[-1] < n_options for child in tried))


def _tried(plan: BitsetPlan, node: Node) -> list[Node] | None:
    """The nodes after the next decision, one for each of its options; None if it is solved or dead."""
    n_options, n_rows = len(plan.tables.sizes), int(plan.tables.shape[2])
    state, prefix = _after(plan, node), node.prefix
    if plan.first is not None and not prefix:
        options = _numbers(state.live & plan.row(plan.first))
        return [Node(prefix, state, (option,)) for option in options]
    while state.n_open:
        _look(plan, state)
        best, n_alive, _ = _scan(plan, state)
        if n_alive < state.n_open:
            return None
        row, n_ways = int(best & ROW_MASK), int(best >> COUNT_SHIFT)
        options = _numbers(state.live & plan.row(row))[:n_ways]
        if n_ways > 1:
            ruling = (~row,) if plan.has_counts and state.counted.rooms[row] > 1 else ()
            return [Node(prefix, state, (*ruling, option)) for option in options]
        prefix = (*prefix, options[0])
        _choose(plan, state, options[0])
    more = _numbers(state.live)
    return [Node(prefix, state, (~n_rows, option)) for option in (n_options, *more)] if more else None


def _after(plan: BitsetPlan, node: Node) -> State:
    """The state after all decisions of a node."""
    words, _, n_rows = (int(number) for number in plan.tables.shape)
    state, row = node.state.copy(), None
    for place, number in enumerate(node.following, start=len(node.made)):
        if row is None and (place or plan.first is None):
            _look(plan, state)
        if number < 0:
            row = ~number
            continue
        if row is not None:
            before = bits_at(slice(number), words)
            state.live &= ~(before if row == n_rows else before & plan.row(row))
            row = None
        if number < len(plan.tables.sizes):
            _choose(plan, state, number)
    return state


def _scan(plan: BitsetPlan, state: State) -> Any:
    """See `scan_wide`."""
    counts = unfilled(int(plan.tables.shape[1]), np.uint64)
    return scan_wide(plan.tables, state.live, ZERO, counts, state.counted.later)


def _look(plan: BitsetPlan, state: State) -> None:
    """Rule out the options that the search rules out before it makes a level from a state."""
    asks, words, same = plan.tables.asks, plan.tables.shape[0], plan.tables.same
    if state.n_open < asks.least_open[0]:
        return
    supported = unfilled(int(plan.tables.shape[2]), np.uint64)
    while True:
        best, n_alive, _ = _scan(plan, state)
        makes_level = n_alive >= state.n_open and best >> COUNT_SHIFT != ONE
        if not makes_level or not drop_unsupported(asks, state.live, ZERO, words, same, ZERO, supported):
            return


def _choose(plan: BitsetPlan, state: State, option: int) -> None:
    """Choose an option: remove it and the options that conflict with it, and count the items it covers."""
    tables, counted = plan.tables, state.counted
    behind = counted.firsts[option]
    choose_wide(tables, state.live, ZERO, ZERO, np.uint64(option), behind)
    state.n_open -= int(tables.sizes[option])
    if not plan.has_counts:
        return
    state.live &= ~bits_at([option], int(tables.shape[0]))
    for row in tables.uses[behind : tables.starts[option + 1]].tolist():
        state.n_open -= int(counted.later[row] == 0)
        counted.later[row] = counted.later[row] - ONE if counted.later[row] else IDLE
        counted.rooms[row] -= ONE
        if not counted.rooms[row]:
            state.live &= ~plan.row(row)


def _numbers(bits: Words) -> list[int]:
    numbers: list[int] = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little")).tolist()
    return numbers
