"""Puzzles as pictures in notebooks.

The model knows nothing of drawings. So the `_repr_svg_` of `Puzzle` is put there from here, when `rekkyo` is
imported; it loads the drawing only when a notebook asks.
"""

from __future__ import annotations

from rekkyo.model.puzzle import Puzzle


def show_puzzles_in_notebooks() -> None:
    """Let notebooks draw a puzzle that is the value of a cell."""
    setattr(Puzzle, "_repr_svg_", _as_svg)  # noqa: B010 - a plain assignment is no attribute to mypy


def _as_svg(puzzle: Puzzle) -> str:
    from rekkyo.render.svg.drawing import svg

    return svg(puzzle)
