"""From a colouring to masks, and to shards: the colours of the first cells that are decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.least import plain, waiting
from rekkyo.engines.colorings.masks.kernel import (
    DEPTH,
    END,
    TOP,
    Frames,
    Masks,
    list_solutions,
)
from rekkyo.engines.colorings.masks.kernel_propagate import propagate
from rekkyo.engines.contract import Advance, Room, Shard, Status
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring, Pattern

PROBE_ROWS = 1 << 10


@dataclass(frozen=True, slots=True, eq=False)
class MasksPlan:
    """Everything that a search reads.

    bounds: uint64[K, 2], or None when no colour is bounded. least: the group, in a plan for representatives.
    colored, banned: uint64[K], what follows from fixed cells and bounds alone; by level.
    hopeless: whether that already rules out every colouring.
    """

    sets: Masks
    bounds: NDArray[np.uint64] | None
    least: Least | None
    colored: NDArray[np.uint64]
    banned: NDArray[np.uint64]
    hopeless: bool


@dataclass(slots=True, eq=False)
class Cursor:
    """The state of a search."""

    frames: Frames
    waiting: NDArray[np.int32] | None


def make_plan(model: Coloring, order: Sequence[int], least: Least | None) -> MasksPlan:
    """The plan of a colouring whose patterns have one colour each."""
    n, n_colors = model.n_cells, model.n_colors
    bits = [0] * n
    for level, cell in enumerate(order):
        bits[cell] = 1 << level
    lists: list[list[int]] = [[] for _ in range(n * n_colors)]
    todo = [0] * n_colors
    banned = [0] * n_colors
    for cells, colors in _one_colored(model):
        whole = sum(bits[cell] for cell in cells)
        for cell in cells:
            place = (bits[cell].bit_length() - 1) * n_colors
            for color in colors:
                lists[place + color].append(whole ^ bits[cell])
                if len(cells) == 1:
                    banned[color] |= whole
    for cell, color in model.fixed:
        todo[color] |= bits[cell]
    sets = Masks(
        np.cumsum([0, *map(len, lists)]).astype(np.uint64),
        np.array([mask for one_list in lists for mask in one_list], dtype=np.uint64),
        np.array([(1 << n) - 1], dtype=np.uint64),
        np.array(order, dtype=np.int64),
    )
    bounds = np.array(model.bounds, dtype=np.uint64) if model.bounds else None
    root_colored = np.zeros((1, n_colors), dtype=np.uint64)
    root_banned = np.array([banned], dtype=np.uint64)
    possible = propagate(
        sets.starts, sets.masks, bounds, sets.everything[0], root_colored, root_banned, 0,
        np.array(todo, dtype=np.uint64),
    )  # fmt: skip
    # The first frame is always at level 0, even when that cell's colour is forced: it is tried again there.
    root_colored &= ~np.uint64(1)
    return MasksPlan(sets, bounds, least, root_colored[0], root_banned[0], not possible)


def _one_colored(model: Coloring) -> list[tuple[tuple[int, ...], Sequence[int]]]:
    """Sets of cells, and the colours that they must not have."""
    every_color = range(model.n_colors)
    return [(cells, every_color) for cells in model.sets] + [
        (tuple(cell for cell, _ in pattern), (pattern[0][1],)) for pattern in model.patterns
    ]


def has_one_color(pattern: Pattern) -> bool:
    """Whether all cells of a pattern have the same colour."""
    return len({color for _, color in pattern}) == 1


def split(plan: MasksPlan, at_least: int, small_nodes: int) -> tuple[Shard, ...]:
    """Fix the colours of the first decisions: one round of decisions more until there are `at_least` shards.

    A shard's prefix is the colours that its decisions got; the last of them is tried by the shard itself, so
    that nothing is found while shards are cut.
    """
    if plan.hopeless:
        return ()
    if at_least < 2 or _ends_within(plan, small_nodes):
        return (Shard(0, ()),)
    prefixes = _children(start(plan, Shard(0, ())).frames, ())
    n_tried = 0
    may_grow = True
    while len(prefixes) < at_least and may_grow:
        longer: list[tuple[int, ...]] = []
        may_grow = False
        for prefix in prefixes:
            cursor = start(plan, Shard(0, prefix))
            if _goes_deeper(plan, cursor):
                longer += _children(cursor.frames, prefix)
                n_tried += 1
                may_grow = True
            else:
                longer.append(prefix)
        prefixes = longer
    return tuple(Shard(i, prefix, 0 if i else n_tried) for i, prefix in enumerate(prefixes))


def _ends_within(plan: MasksPlan, n_nodes: int) -> bool:
    cursor = start(plan, Shard(0, ()))
    room = Room(unfilled((PROBE_ROWS, len(plan.sets.order)), np.uint8))
    status, tried = Status.BUFFER_FULL, 0
    while status is Status.BUFFER_FULL and tried < n_nodes:
        status, _, nodes = search(plan, cursor, room, n_nodes - tried)
        tried += nodes
    return status is Status.DONE


def _children(frames: Frames, prefix: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The prefix with one more colour, for each that the frame after it can try."""
    colors = int(frames.rest[len(prefix)])
    return [(*prefix, color) for color in range(len(frames.todo)) if colors >> color & 1]


def start(plan: MasksPlan, shard: Shard) -> Cursor:
    """A cursor at the frame of the last colour of the prefix, with only that colour to try."""
    cursor = _at_root(plan)
    frames = cursor.frames
    for depth, color in enumerate(shard.prefix):
        if color < 0 or not int(frames.rest[depth]) >> color & 1:
            raise EngineRefuses(f"engine coloring-masks knows no shard {shard.prefix}; split it anew")
        frames.rest[depth] = 1 << color
        frames.state[DEPTH] = frames.state[END] = depth
        if depth + 1 < len(shard.prefix) and not _goes_deeper(plan, cursor):
            raise EngineRefuses(f"engine coloring-masks knows no shard {shard.prefix}; split it anew")
    return cursor


def _at_root(plan: MasksPlan) -> Cursor:
    """A cursor before the first cell."""
    n, n_colors = len(plan.sets.order), len(plan.colored)
    words = {name: np.zeros((n + 1, n_colors), dtype=np.uint64) for name in ("colored", "banned")}
    frames = Frames(
        **words,
        free=np.zeros(n + 1, dtype=np.uint64),
        rest=np.zeros(n + 1, dtype=np.uint64),
        level=np.zeros(n + 1, dtype=np.int64),
        top=np.zeros(n + 1, dtype=np.int64),
        colors=np.zeros(n, dtype=np.uint8),
        row=np.zeros(n, dtype=np.uint8),
        todo=np.zeros(n_colors, dtype=np.uint64),
        state=np.zeros(3, dtype=np.int64),
    )
    frames.colored[0], frames.banned[0] = plan.colored, plan.banned
    frames.free[0] = plan.sets.everything[0] & ~np.bitwise_or.reduce(plan.colored)
    frames.rest[0] = sum(1 << color for color in range(n_colors) if not int(plan.banned[color]) & 1)
    if plan.least is not None:
        frames.top[0] = frames.state[TOP] = len(plan.least.lists)
    return Cursor(frames, waiting(plan.least))


def _goes_deeper(plan: MasksPlan, cursor: Cursor) -> bool:
    """Try one colour of the current frame: whether that leads to a frame below."""
    depth = int(cursor.frames.state[DEPTH])
    search(plan, cursor, Room(unfilled((1, len(plan.sets.order)), np.uint8)), 1)
    return int(cursor.frames.state[DEPTH]) > depth


def search(plan: MasksPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
    """Search on; see `list_solutions`."""
    symmetry = plain(plan.least, cursor.waiting)
    status, found, nodes = list_solutions(
        *plan.sets, plan.bounds, *symmetry, cursor.frames, room.rows, room.stabilizers, budget
    )
    return Advance(Status(status), int(found), int(nodes))
