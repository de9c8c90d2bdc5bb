"""From a colouring to counters on its patterns, and to shards: the colours of the first cells decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.colorings.counters.kernel import (
    DEPTH,
    END,
    FRAME_RULED_OUT,
    FRAME_TAIL,
    FRAME_TOP,
    N_RULED_OUT,
    NO_COLOR,
    REST,
    TAIL,
    TOP,
    Counters,
    list_solutions,
    propagate,
    rule_out,
)
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.least import plain, waiting
from rekkyo.engines.contract import Advance, Room, Shard, Status
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring, nogoods


@dataclass(frozen=True, slots=True, eq=False)
class CountersPlan:
    """Everything that a search reads, and the state before its first decision.

    starts, lists, order, bounds: see the kernel. least: the group, in a plan for representatives.
    root: counters after fixed cells and what follows from them. hopeless: whether that is a contradiction.
    """

    model: Coloring
    starts: NDArray[np.int64]
    lists: NDArray[np.int32]
    order: NDArray[np.int64]
    bounds: NDArray[np.int64] | None
    least: Least | None
    root: Counters
    hopeless: bool


@dataclass(slots=True, eq=False)
class Cursor:
    """The state of a search."""

    counters: Counters
    waiting: NDArray[np.int32] | None


def make_plan(model: Coloring, order: Sequence[int], least: Least | None) -> CountersPlan:
    """The plan of any colouring."""
    n, n_colors = model.n_cells, model.n_colors
    patterns = [[cell * n_colors + color for cell, color in pattern] for pattern in nogoods(model)]
    flat = np.array([atom for atoms in patterns for atom in atoms], dtype=np.int64)
    owners = np.repeat(np.arange(len(patterns), dtype=np.int32), list(map(len, patterns)))
    starts = np.zeros(n * n_colors + 1, dtype=np.int64)
    starts[1:] = np.cumsum(np.bincount(flat, minlength=n * n_colors))
    lists = owners[np.argsort(flat, kind="stable")]
    counters = np.zeros((len(patterns), 2), dtype=np.int32)
    counters[:, 0] = list(map(len, patterns))
    if patterns:
        np.bitwise_xor.at(counters[:, 1], owners, flat.astype(np.int32))
    bounds = np.array(model.bounds, dtype=np.int64) if model.bounds else None
    root = Counters(
        counters,
        np.full(n, (1 << n_colors) - 1, dtype=np.uint8),
        np.full(n, NO_COLOR, dtype=np.int8),
        np.zeros(n, dtype=np.int32),
        np.zeros(n * n_colors, dtype=np.int32),
        np.zeros((n + 1, 5), dtype=np.int64),
        np.zeros(n, dtype=np.uint8),
        np.zeros(6, dtype=np.int64),
    )
    plan = CountersPlan(model, starts, lists, np.array(order, dtype=np.int64), bounds, least, root, False)
    return plan if _settle(plan) else _without_hope(plan)


def _settle(plan: CountersPlan) -> bool:
    """Rule out what fixed cells and patterns of one cell say, and make the first frame; False if none is."""
    model, root = plan.model, plan.root
    n_colors = model.n_colors
    trails = (root.possible, root.color, root.queue, root.ruled_out, root.state, n_colors)
    given = [
        cell * n_colors + other for cell, color in model.fixed for other in range(n_colors) if other != color
    ]
    given += [pattern[0][0] * n_colors + pattern[0][1] for pattern in model.patterns if len(pattern) == 1]
    if not all(rule_out(atom, *trails) for atom in given):
        return False
    if not propagate(plan.starts, plan.lists, plan.bounds, root.counters, *trails):
        return False
    frame = root.frames[0]
    first = int(plan.order[0])
    frame[REST] = root.possible[first]
    frame[FRAME_TAIL], frame[FRAME_RULED_OUT] = root.state[TAIL], root.state[N_RULED_OUT]
    if plan.least is not None:
        frame[FRAME_TOP] = root.state[TOP] = len(plan.least.lists)
    return True


def _without_hope(plan: CountersPlan) -> CountersPlan:
    return CountersPlan(
        plan.model, plan.starts, plan.lists, plan.order, plan.bounds, plan.least, plan.root, True
    )


def split(plan: CountersPlan, at_least: int) -> tuple[Shard, ...]:
    """Fix the colours of the first decisions: one round of decisions more until there are `at_least` shards.

    A shard's prefix is the colours that its decisions got; the last of them is tried by the shard itself, so
    that nothing is found while shards are cut.
    """
    if plan.hopeless:
        return ()
    if at_least < 2:
        return (Shard(0, ()),)
    prefixes = _children(start(plan, Shard(0, ())), ())
    n_tried = 0
    may_grow = True
    while len(prefixes) < at_least and may_grow:
        longer: list[tuple[int, ...]] = []
        may_grow = False
        for prefix in prefixes:
            cursor = start(plan, Shard(0, prefix))
            if _goes_deeper(plan, cursor):
                longer += _children(cursor, prefix)
                n_tried += 1
                may_grow = True
            else:
                longer.append(prefix)
        prefixes = longer
    return tuple(Shard(i, prefix, 0 if i else n_tried) for i, prefix in enumerate(prefixes))


def _children(cursor: Cursor, prefix: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The prefix with one more colour, for each that the frame after it can try."""
    colors = int(cursor.counters.frames[len(prefix), REST])
    return [(*prefix, color) for color in range(colors.bit_length()) if colors >> color & 1]


def start(plan: CountersPlan, shard: Shard) -> Cursor:
    """A cursor at the frame of the last colour of the prefix, with only that colour to try."""
    counters = Counters._make(array.copy() for array in plan.root)
    cursor = Cursor(counters, waiting(plan.least))
    frames, state = counters.frames, counters.state
    for depth, color in enumerate(shard.prefix):
        if color < 0 or not int(frames[depth, REST]) >> color & 1:
            raise EngineRefuses(f"engine coloring-counters knows no shard {shard.prefix}; split it anew")
        frames[depth, REST] = 1 << color
        state[DEPTH] = state[END] = depth
        if depth + 1 < len(shard.prefix) and not _goes_deeper(plan, cursor):
            raise EngineRefuses(f"engine coloring-counters knows no shard {shard.prefix}; split it anew")
    return cursor


def _goes_deeper(plan: CountersPlan, cursor: Cursor) -> bool:
    """Try one colour of the current frame: whether that leads to a frame below."""
    depth = int(cursor.counters.state[DEPTH])
    search(plan, cursor, Room.of(plan.model.row_shape, 1), 1)
    return int(cursor.counters.state[DEPTH]) > depth


def search(plan: CountersPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
    """Search on; see `list_solutions`."""
    symmetry = plain(plan.least, cursor.waiting)
    status, found, nodes = list_solutions(
        plan.starts, plan.lists, plan.order, plan.bounds, plan.model.n_colors, *symmetry,
        cursor.counters, room.rows, room.stabilizers, budget,
    )  # fmt: skip
    return Advance(Status(status), int(found), int(nodes))
