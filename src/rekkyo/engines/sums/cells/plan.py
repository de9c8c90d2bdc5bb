"""From a sum figure to arrays of lines, and to shards: the first cells filled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Shard
from rekkyo.engines.sums.cells.kernel import (
    BUFFER_FULL,
    NEVER,
    Cursor,
    Figure,
    choose,
    list_solutions,
    put,
)
from rekkyo.model.sum_figure import SumFigure

BLOCK_ROWS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class CellsPlan:
    """figure: the model as arrays. hopeless: the common sum would not be whole, so there is no solution."""

    model: SumFigure
    figure: Figure
    hopeless: bool


def make_plan(model: SumFigure) -> CellsPlan:
    """The plan of a figure. A given number is one more line: its cell alone, with the number as its sum."""
    total, n_lines = _sum_of_lines(model)
    common = total // n_lines if n_lines else None
    lines = [(line.cells, common if line.sum is None else line.sum) for line in model.lines]
    lines += [((cell,), number) for cell, number in sorted(model.given)]
    n_cells = len(model.cells)
    of_cell = [[n for n, (cells, _) in enumerate(lines) if cell in cells] for cell in range(n_cells)]
    figure = Figure(
        numbers=_array(model.numbers),
        least=_array(accumulate(model.numbers[:n_cells], initial=0)),
        greatest=_array(accumulate(model.numbers[::-1][:n_cells], initial=0)),
        line_start=_array(accumulate((len(cells) for cells, _ in lines), initial=0)),
        line_cells=_array(cell for cells, _ in lines for cell in cells),
        line_sum=_array(given or 0 for _, given in lines),
        has_sum=np.array([given is not None for _, given in lines], dtype=np.uint8),
        cell_start=_array(accumulate(map(len, of_cell), initial=0)),
        cell_lines=_array(line for at in of_cell for line in at),
        orders=_array(cell for pair in model.orders for cell in pair).reshape(-1, 2),
    )
    return CellsPlan(model, figure, bool(n_lines) and total % n_lines != 0)


def _sum_of_lines(model: SumFigure) -> tuple[int, int]:
    """The sum of how many lines together follows from the numbers: disjoint lines that hold all of them once,
    or all lines without a sum, if these hold every number equally often. (0, 0) otherwise.
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


def _array(numbers: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(numbers, dtype=np.int64)


def split(plan: CellsPlan, at_least: int) -> tuple[Shard, ...]:
    """The first cells filled, as many as it takes to have enough shards.

    A prefix holds the value of every cell, -1 for one that is open. The last cell is left to the shards.
    """
    if plan.hopeless:
        return ()
    n_cells = len(plan.model.cells)
    prefixes: list[tuple[int, ...]] = [(-1,) * n_cells]
    n_nodes = 0
    for level in range(n_cells - 1):
        if len(prefixes) >= at_least:
            break
        longer, n_nodes_longer = _beginnings(plan, level)
        if not longer:
            break
        prefixes, n_nodes = longer, n_nodes_longer
    return tuple(Shard(i, prefix, 0 if i else n_nodes) for i, prefix in enumerate(prefixes))


def _beginnings(plan: CellsPlan, last: int) -> tuple[list[tuple[int, ...]], int]:
    """What the search reaches on a level, and the nodes down to there."""
    cursor = start(plan, Shard(0, (-1,) * len(plan.model.cells)))
    out = unfilled((BLOCK_ROWS, len(plan.model.cells)), np.int64)
    found: list[tuple[int, ...]] = []
    n_nodes, status = 0, BUFFER_FULL
    while status == BUFFER_FULL:
        status, n_found, nodes = list_solutions(plan.figure, cursor, last, out, 1 << 62)
        n_nodes += int(nodes)
        found += map(tuple, out[: int(n_found)].tolist())
    return found, n_nodes


def start(plan: CellsPlan, shard: Shard) -> Cursor:
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
        choose(
            level,
            figure.numbers,
            figure.least,
            figure.greatest,
            figure.line_start,
            figure.line_cells,
            figure.line_sum,
            figure.has_sum,
            cursor.cell,
            cursor.at,
            cursor.end,
            cursor.value,
            cursor.n_open,
            cursor.total,
            cursor.state,
        )
        if level < n_filled:
            here = int(cursor.cell[level])
            put(
                level,
                here,
                shard.prefix[here],
                figure.numbers,
                figure.cell_start,
                figure.cell_lines,
                figure.has_sum,
                cursor.value,
                cursor.used,
                cursor.n_open,
                cursor.total,
                cursor.state,
            )
    cursor.state[:2] = n_filled
    return cursor
