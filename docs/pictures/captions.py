"""Solutions with words below them, and boards with lines on top, for the pages of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.drawing import Svg, document, painting_of
from rekkyo.render.svg.markup import drawn_path, number, words

GAP = 16.0
CAPTION = 22.0
SIZE = 12.0


def captioned(
    puzzle: Puzzle,
    pictures: Sequence[tuple[Sequence[int], str]],
    columns: int,
    title: str,
    veils: Sequence[str] = (),
) -> Svg:
    """Solutions side by side, each with its caption; veils: what is faded in each."""
    painting = painting_of(puzzle)
    across, down = max(painting.width, 96.0) + GAP, painting.height + CAPTION + GAP
    body = []
    for place, (row, caption) in enumerate(pictures):
        x, y = place % columns * across, place // columns * down
        left = (across - GAP - painting.width) / 2
        drawn = painting.paint(list(row)) + (_faded(veils[place]) if veils else "")
        body.append(
            f'<g transform="translate({number(x + left)} {number(y)})">{drawn}</g>'
            + words(caption, (x + (across - GAP) / 2, y + painting.height + CAPTION / 2), SIZE, "rk-faint")
        )
    n_lines = -(-len(pictures) // columns)
    description = "; ".join(f"{caption}: {' '.join(map(str, row))}" for row, caption in pictures)
    width, height = min(columns, len(pictures)) * across - GAP, n_lines * down - GAP
    return document("".join(body), width, height, title, f"{description}.", "auto")


def with_lines(puzzle: Puzzle, row: Sequence[int], paths: Sequence[str], title: str, description: str) -> Svg:
    """A solution with paths drawn over it."""
    painting = painting_of(puzzle)
    body = painting.paint(list(row)) + "".join(drawn_path(path, "rk-frame") for path in paths)
    return document(body, painting.width, painting.height, title, description, "auto")


def _faded(path: str) -> str:
    return drawn_path(path, "rk-paper", opacity="0.75", fill_rule="evenodd")
