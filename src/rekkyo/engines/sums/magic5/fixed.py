"""Squares that a symmetry leaves unchanged, for Burnside's lemma.

All numbers of a square differ, so a symmetry that only moves cells, and moves one, leaves no square
unchanged. One that also takes complements, x -> 26 - x, must take cells with complementary numbers to each
other: it moves cells in pairs and leaves one alone, the cell with 13. The squares unchanged are the solutions
of the same figure with one line more for each of those pairs; the search for any sum figure counts them.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.engines.contract import Pause, Room, Tally
from rekkyo.engines.sums.lines import SumLines
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Cell, Line, SumFigure


def count_unchanged(model: SumFigure, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
    """How many squares a symmetry leaves unchanged; None for one that is of neither kind."""
    n_values = len(model.numbers)
    move = [symmetry[cell * n_values] // n_values for cell in range(len(model.cells))]
    change = [atom % n_values for atom in symmetry[:n_values]]
    if any(symmetry[cell * n_values + v] != move[cell] * n_values + change[v] for cell, v in _atoms(model)):
        return None
    if change == list(range(n_values)):
        return Tally(0, 0) if move != sorted(move) else None
    if change != list(reversed(range(n_values))):
        return None
    n_alone = sum(target == cell for cell, target in enumerate(move))
    if n_alone != 1 or any(move[target] != cell for cell, target in enumerate(move)):
        return Tally(0, 0)
    return _count(replace(model, lines=(*model.lines, *_pairs(model, move))), pause)


def _atoms(model: SumFigure) -> list[tuple[Cell, int]]:
    return [(cell, value) for cell in range(len(model.cells)) for value in range(len(model.numbers))]


def _pairs(model: SumFigure, move: list[Cell]) -> list[Line]:
    """A line for every two cells that are exchanged, and one for the cell that stays."""
    both = model.numbers[0] + model.numbers[-1]
    return [
        Line((cell, target), both) if cell < target else Line((cell,), both // 2)
        for cell, target in enumerate(move)
        if cell <= target
    ]


def _count(model: SumFigure, pause: Pause) -> Tally:
    engine = SumLines()
    plan = engine.plan(model)
    room = Room.of(model.row_shape, 1 << 12)
    tally = Tally(0, 0)
    for shard in engine.split(plan, 1):
        for block in engine.blocks(plan, shard, room, 1 << 20, pause):
            tally += Tally(len(block.rows), block.nodes)
    return tally
