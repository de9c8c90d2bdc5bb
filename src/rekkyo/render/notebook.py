"""Puzzles and solutions as pictures in notebooks.

The model does not import drawings. So this module adds `_repr_svg_` to `Puzzle` and `Solution` when `rekkyo`
is imported; it loads the drawing only when a notebook needs it. Results are shown as tables
(`rekkyo.html_tables`), and as pictures if they are solutions or shares.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.html_tables import table
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.model.solution import Solution

MOST_SHOWN = 24
"""The most solutions in one picture."""

MOST_LISTED = 100
"""The most options in one table, the most frequent first."""


def show_puzzles_in_notebooks() -> None:
    """Let notebooks draw a puzzle or a solution that is the value of a cell."""
    setattr(Puzzle, "_repr_svg_", _puzzle_as_svg)  # noqa: B010 - mypy refuses a plain assignment
    setattr(Solution, "_repr_svg_", _solution_as_svg)  # noqa: B010


def _puzzle_as_svg(puzzle: Puzzle) -> str:
    from rekkyo.render.svg.drawing import svg

    return svg(puzzle)


def _solution_as_svg(solution: Solution) -> str:
    from rekkyo.render.svg.drawing import svg

    return svg(solution.puzzle, solution)


def pictures(rows: Sequence[Row]) -> str:
    """The first solutions side by side; empty for rows without a reference to their puzzle."""
    from rekkyo.render.svg.drawing import sheet

    known = [row for row in rows[:MOST_SHOWN] if isinstance(row, Solution)]
    return sheet(known[0].puzzle, known, first=None) if known else ""


def shares(puzzle: Puzzle, total: int, uses: Sequence[int]) -> str:
    """The share of each value in each cell, as boards; a table of options for a cover without a board."""
    from rekkyo.model.exact_cover import ExactCover
    from rekkyo.render.heat import has_board, heats
    from rekkyo.render.svg.heat_map import heat_svg

    if isinstance(puzzle.model, ExactCover) and puzzle.picture is None and not has_board(puzzle.model):
        pairs = [pair for heat in heats(puzzle, uses) for pair in heat.counts.items()]
        most_first = sorted(pairs, key=lambda pair: -pair[1])[:MOST_LISTED]
        return table("Options", ("option", "solutions"), most_first)
    return heat_svg(puzzle, total, uses)
