"""Engine `coloring-join`: lists colourings by joining parts that overlap; for recounts.

A board is cut across its longer side into two boards that share about a third of it, and each of these again,
until a part has so few cells that its colourings are grown cell by cell. Cells without a board are a board of
one row. On Hip 6x6 that is the way of seed 001: 4x4 boards that share two rows or columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import Words
from rekkyo.engines.colorings.join.kernel import END, LEFT, PARTNER, Join, join, write_rows
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.engines.prefixes import ranges
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring, Pattern, nogoods
from rekkyo.model.puzzle import Model

MAX_PARTS = 1 << 22
"""Colourings of one part: 32 bytes each with two colours, lists and what sorting them takes."""

MOST_GROWN = 16
BLOCK = 1 << 16

Planes: TypeAlias = Words


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the board, with its ends not included."""

    top: int
    bottom: int
    left: int
    right: int

    def halves(self, overlap: int | None = None) -> tuple[Window, Window]:
        """Two windows that share `overlap` lines of the longer side, a third of them by default."""
        height, width = self.bottom - self.top, self.right - self.left
        length = max(height, width)
        shared = max(1, length // 3) if overlap is None else overlap
        part = min(length - 1, (length + shared + 1) // 2)
        if height >= width:
            return replace(self, bottom=self.top + part), replace(self, top=self.bottom - part)
        return replace(self, right=self.left + part), replace(self, left=self.right - part)

    def cells(self, width: int) -> list[int]:
        """The numbers of its cells, on a board of that width."""
        rows, columns = range(self.top, self.bottom), range(self.left, self.right)
        return [row * width + column for row in rows for column in columns]


@dataclass(frozen=True, slots=True, eq=False)
class JoinPlan:
    """The last join, and the pairs that were tried to get there."""

    model: Coloring
    last_join: Join
    n_pairs: int


@dataclass(slots=True, eq=False)
class Cursor:
    """Where the last join stands; planes: uint64[rows of a block, K]."""

    state: NDArray[np.int64]
    planes: Planes


@dataclass(slots=True)
class _Lists:
    """Makes the lists of parts. bounds: only the upper ones hold for a part."""

    model: Coloring
    patterns: list[Pattern]
    bounds: Words
    overlap: int | None
    n_pairs: int = 0

    def all_of(self, window: Window) -> Planes:
        """Every colouring of a window that has no forbidden pattern inside it."""
        cells = window.cells(_width(self.model))
        if len(cells) <= MOST_GROWN:
            return self._grown(cells)
        least = self.bounds.copy()
        least[:, 0] = 0
        lists = self.join_of(window, least)
        state = _state(0, len(lists.left))
        blocks = []
        n_parts = 0
        status = Status.OUT_OF_BUDGET
        while status is not Status.DONE:
            block = unfilled((BLOCK, self.model.n_colors), np.uint64)
            status, found, tried = Advance.of(join(lists, state, block, 1 << 24))
            self.n_pairs += tried
            n_parts += found
            if n_parts > MAX_PARTS:
                raise _too_many(cells)
            blocks.append(block[:found].copy())
        return np.concatenate(blocks)

    def join_of(self, window: Window, bounds: Words) -> Join:
        """The join that makes a window of its two halves."""
        width = _width(self.model)
        one, other = window.halves(self.overlap)
        left, right = self.all_of(one), self.all_of(other)
        here, there = set(one.cells(width)), set(other.cells(width))
        shared = np.uint64(sum(1 << cell for cell in here & there))
        crossing = [
            pattern
            for pattern in self.patterns
            if here | there >= (cells := {cell for cell, _ in pattern})
            and not here >= cells
            and not there >= cells
        ]
        keys, wanted = _keys(right & shared), _keys(left & shared)
        order = np.argsort(keys, kind="stable")
        return Join(
            left,
            np.ascontiguousarray(right[order]),
            np.searchsorted(keys[order], wanted, side="left"),
            np.searchsorted(keys[order], wanted, side="right"),
            _as_planes(crossing, self.model.n_colors),
            bounds,
        )

    def _grown(self, cells: list[int]) -> Planes:
        """Cell by cell, all colours, without those in which a pattern has just been completed."""
        n_colors = self.model.n_colors
        fixed = dict(self.model.fixed)
        inside = [pattern for pattern in self.patterns if {cell for cell, _ in pattern} <= set(cells)]
        parts = np.zeros((1, n_colors), dtype=np.uint64)
        for cell in cells:
            colors = [fixed[cell]] if cell in fixed else range(n_colors)
            parts = np.concatenate([_with(parts, cell, color) for color in colors])
            for pattern in _as_planes([p for p in inside if max(p)[0] == cell], n_colors):
                parts = parts[((parts & pattern) != pattern).any(axis=1)]
            if len(parts) > MAX_PARTS:
                raise _too_many(cells)
        return parts


def _too_many(cells: list[int]) -> EngineRefuses:
    return EngineRefuses(
        f"engine coloring-join: a part of {len(cells)} cells has more than {MAX_PARTS} colourings;"
        " choose another engine"
    )


def _state(first: int, end: int) -> NDArray[np.int64]:
    state = np.zeros(3, dtype=np.int64)
    state[LEFT], state[PARTNER], state[END] = first, 0, end
    return state


def _width(model: Coloring) -> int:
    return model.n_cells if model.grid is None else model.grid[1]


def _with(parts: Planes, cell: int, color: int) -> Planes:
    """The parts with one more cell."""
    longer = parts.copy()
    longer[:, color] |= np.uint64(1 << cell)
    return longer


def _as_planes(patterns: list[Pattern], n_colors: int) -> Planes:
    """uint64[n_patterns, K]."""
    planes = np.zeros((len(patterns), n_colors), dtype=np.uint64)
    for number, pattern in enumerate(patterns):
        for cell, color in pattern:
            planes[number, color] |= np.uint64(1 << cell)
    return planes


def _keys(planes: Planes) -> NDArray[np.void]:
    """One comparable value for each row of planes."""
    n_bytes = planes.shape[1] * 8
    return np.ascontiguousarray(planes).view(np.dtype((np.void, n_bytes))).ravel()


MAX_CELLS = 64


class ColoringJoin(ListingEngine[JoinPlan, Cursor]):
    """The board in two parts that overlap, each of them likewise; shares no search code with the others.

    overlap: how many rows or columns parts share; a third of them unless a subclass says otherwise.
    """

    model_type = Coloring
    model_words = "colourings"
    name = "coloring-join"
    plan_version = 1
    summary = "joins overlapping parts of the board, up to 64 cells; for recounts"
    overlap = None
    smallest = Coloring(2, 2, sets=((0, 1),))

    def limits(self, model: Coloring) -> str | None:
        """At most 64 cells. That the lists of parts grow too long turns out when they are made."""
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        return None

    def pays_off(self, model: Model) -> bool:
        """Never: it is there to check the others."""
        return False

    def make_plan(self, model: Coloring) -> JoinPlan:
        """Lists of both halves of the board, ready for the last join. Raises EngineRefuses for long ones."""
        n = model.n_cells
        bounds = np.array(model.bounds or ((0, n),) * model.n_colors, dtype=np.uint64)
        lists = _Lists(model, nogoods(model), bounds, self.overlap)
        height, width = model.grid or (1, n)
        whole = Window(0, height, 0, width)
        if n > 1:
            last_join = lists.join_of(whole, bounds)
        else:
            left, nothing = lists.all_of(whole), np.zeros((1, model.n_colors), dtype=np.uint64)
            ends = np.zeros(len(left), dtype=np.int64)
            last_join = Join(left, nothing, ends, ends + 1, _as_planes([], model.n_colors), bounds)
        return JoinPlan(model, last_join, lists.n_pairs)

    def split(self, plan: JoinPlan, at_least: int) -> tuple[Shard, ...]:
        """Ranges of the left list; a prefix is the first part and the one after the last."""
        return ranges(len(plan.last_join.left), at_least, plan.n_pairs)

    def start(self, plan: JoinPlan, shard: Shard) -> Cursor:
        """A cursor at the first pair of the shard."""
        n_left = len(plan.last_join.left)
        if len(shard.prefix) != 2 or not 0 <= shard.prefix[0] <= shard.prefix[1] <= n_left:
            raise EngineRefuses(f"engine coloring-join knows no shard {shard.prefix}; split it anew")
        return Cursor(_state(*shard.prefix), unfilled((0, plan.model.n_colors), np.uint64))

    def advance(self, plan: JoinPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a pair of parts that agree on what they share."""
        if len(cursor.planes) < len(room.rows):
            cursor.planes = unfilled((len(room.rows), plan.model.n_colors), np.uint64)
        planes = cursor.planes[: len(room.rows)]
        advance = Advance.of(join(plan.last_join, cursor.state, planes, budget))
        write_rows(planes, advance.found, room.rows)
        return advance
