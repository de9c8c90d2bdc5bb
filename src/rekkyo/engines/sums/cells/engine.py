"""Engine `sum-cells`: lists the solutions of any sum figure, with numbers of any size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.arrays import int64
from rekkyo.engines.contract import NO_LIMIT, Advance, ListingEngine, Room, Shard, row_dtype
from rekkyo.engines.prefixes import Grown, Prefix, dived, shards_of
from rekkyo.engines.sums.cells.kernel import FIRST, NEVER, Cursor, Figure, choose, list_solutions, put
from rekkyo.model.sum_figure import Line, SumFigure


@dataclass(frozen=True, slots=True, eq=False)
class CellsPlan:
    """figure: the model as arrays. hopeless: whether there is no solution, as the common sum is not whole."""

    model: SumFigure
    figure: Figure
    hopeless: bool


class SumCells(ListingEngine[CellsPlan, Cursor]):
    """Line by line, in a dynamic order."""

    model_type = SumFigure
    model_words = "sum figures"
    name = "sum-cells"
    plan_version = 1
    summary = "line by line, fewest open cells first; any numbers, a second way for every sum figure"
    smallest = SumFigure(("a", "b"), (1, 2), (Line((0, 1)),))

    def make_plan(self, model: SumFigure) -> CellsPlan:
        """The lines as arrays. A given number becomes a line of one cell with the number as its sum."""
        total, n_lines = _sum_of_lines(model)
        common = total // n_lines if n_lines else None
        lines = [(line.cells, common if line.sum is None else line.sum) for line in model.lines]
        lines += [((cell,), number) for cell, number in sorted(model.given)]
        n_cells = len(model.cells)
        of_cell = [[n for n, (cells, _) in enumerate(lines) if cell in cells] for cell in range(n_cells)]
        figure = Figure(
            numbers=int64(model.numbers),
            least=int64(accumulate(model.numbers[:n_cells], initial=0)),
            greatest=int64(accumulate(model.numbers[::-1][:n_cells], initial=0)),
            line_start=int64(accumulate((len(cells) for cells, _ in lines), initial=0)),
            line_cells=int64(cell for cells, _ in lines for cell in cells),
            line_sum=int64(given or 0 for _, given in lines),
            has_sum=np.array([given is not None for _, given in lines], dtype=np.uint8),
            cell_start=int64(accumulate(map(len, of_cell), initial=0)),
            cell_lines=int64(line for at in of_cell for line in at),
            orders=int64(cell for pair in model.orders for cell in pair).reshape(-1, 2),
        )
        return CellsPlan(model, figure, bool(n_lines) and total % n_lines != 0)

    def split(self, plan: CellsPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the first cells, as many as are needed for enough shards.

        A prefix has the value of every cell, -1 for an open one. The last cell is left to the shards.
        """
        if plan.hopeless:
            return ()

        def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
            if prefixes[0].count(NEVER) == 1:
                return None
            ways = [self._ways_on(plan, prefix) for prefix in prefixes]
            longer = [prefix for found, _ in ways for prefix in found]
            return (longer, sum(n_tried for _, n_tried in ways)) if longer else None

        return shards_of([_nothing(plan)], at_least, grow)

    def estimated_nodes(self, plan: CellsPlan) -> float:
        """See the contract."""

        def below(prefix: Prefix) -> Grown[Prefix] | None:
            return self._ways_on(plan, prefix) if NEVER in prefix else None

        return 0.0 if plan.hopeless else dived(_nothing(plan), below)

    def start(self, plan: CellsPlan, shard: Shard) -> Cursor:
        """A cursor with the cells of the prefix filled, in the order in which the search fills them."""
        figure = plan.figure
        n_cells, n_lines = len(plan.model.cells), len(figure.line_sum)
        cursor = Cursor(
            cell=np.zeros(n_cells, dtype=np.int64),
            at=np.zeros(n_cells, dtype=np.int64),
            end=np.zeros(n_cells, dtype=np.int64),
            value=np.full(n_cells, NEVER, dtype=np.int64),
            used=np.zeros(len(figure.numbers), dtype=np.uint8),
            n_open=np.diff(figure.line_start),
            total=np.zeros(n_lines, dtype=np.int64),
            state=np.array([0, 0, NEVER, 0], dtype=np.int64),
        )
        n_filled = sum(value >= 0 for value in shard.prefix)
        for level in range(n_filled + 1):
            choose(figure, cursor, level)
            if level < n_filled:
                put(figure, cursor, level, shard.prefix[int(cursor.cell[level])])
        cursor.state[:2] = n_filled
        return cursor

    def advance(self, plan: CellsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a number put into a cell."""
        return Advance.of(list_solutions(plan.figure, cursor, room.rows.shape[1] - 1, room.rows, budget))

    def _ways_on(self, plan: CellsPlan, prefix: Prefix) -> Grown[Prefix]:
        """The prefix with each possible value of one more cell, and the nodes."""
        cursor = self.start(plan, Shard(0, prefix))
        level = int(cursor.state[FIRST])
        shape = plan.model.row_shape
        out = unfilled((shape.n_values + 1, shape.length), row_dtype(shape.n_symbols))
        _, n_found, n_nodes = list_solutions(plan.figure, cursor, level, out, NO_LIMIT)
        cell = int(cursor.cell[level])
        values = out[: int(n_found), cell].tolist()
        return [(*prefix[:cell], value, *prefix[cell + 1 :]) for value in values], int(n_nodes)


def _nothing(plan: CellsPlan) -> Prefix:
    """The prefix in which every cell is open."""
    return (int(NEVER),) * len(plan.model.cells)


def _sum_of_lines(model: SumFigure) -> tuple[int, int]:
    """A number of lines, and their total sum if it follows from the numbers, else (0, 0).

    The lines are disjoint ones that cover all numbers once, or all lines without a sum, if these cover every
    number equally often.
    """
    if len(model.numbers) > len(model.cells):
        return 0, 0
    lines = [set(line.cells) for line in model.lines if line.sum is None]
    disjoint: list[set[int]] = []
    for line in lines:
        if all(line.isdisjoint(other) for other in disjoint):
            disjoint.append(line)
    for covering in (disjoint, lines):
        times = {sum(cell in line for line in covering) for cell in range(len(model.cells))}
        if len(times) == 1 and times != {0}:
            return times.pop() * sum(model.numbers), len(covering)
    return 0, 0
