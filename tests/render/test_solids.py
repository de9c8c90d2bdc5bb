"""Solids: three kinds of faces, layers with names, one view pulled apart and one of the whole body."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.model.packing import Packing
from rekkyo.render.svg.markup import Place, middle
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.solid import DEPTH, HEIGHT, LEAN, _Plates
from rekkyo.render.svg.style import darker
from tests.render.pictures import Shape, shapes, texts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TOP, FRONT, SIDE = 0.62 * 24 * 24, 0.8 * 24 * 24, 0.45 * 0.8 * 24 * 24
"""Areas of the faces of a cube in the body: base times height of each parallelogram."""


def box_row(words: str) -> tuple[Packing, rk.Puzzle, tuple[int, ...]]:
    puzzle = rk.puzzle(words)
    model = puzzle.model
    assert isinstance(model, Packing)
    return model, puzzle, next(iter(rk.solve(puzzle, up_to="none", workers=1)))


@pytest.mark.parametrize("words", ["soma", "bedlam", "pentominoes-3d 3 4 5"])
def test_the_body_shows_the_cubes_at_the_top_the_front_and_the_right(words: str) -> None:
    model, puzzle, row = box_row(words)
    owner = {cell: k for k, number in enumerate(row) for cell in model.placements()[number].cells}
    fills = PiecesOnBoard(model).colors_together(row)
    _, n_rows, n_columns = (1 + max(cell[axis] for cell in model.board) for axis in range(3))
    expected: Counter[tuple[str, int]] = Counter()
    for (layer, r, c), k in owner.items():
        if layer == 0:
            expected[fills[k], round(TOP)] += 1
        if r == n_rows - 1:
            expected[darker(fills[k], 0.75), round(FRONT)] += 1
        if c == n_columns - 1:
            expected[darker(fills[k], 0.55), round(SIDE)] += 1
    faces = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-face"]
    assert Counter((face.fill, round(face.area)) for face in faces) == expected


def test_areas_of_pieces_in_the_layers() -> None:
    model, puzzle, row = box_row("soma")
    fills = PiecesOnBoard(model).colors_together(row)
    tops = {shape.fill: shape.area for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-piece"}
    for number, fill in zip(row, fills, strict=True):
        assert tops[fill] == pytest.approx(len(model.placements()[number].cells) * TOP, rel=0.01)


def test_layers_are_named_and_the_empty_board_has_its_body() -> None:
    puzzle = rk.puzzle("bedlam")
    assert {"layer 1", "layer 2", "layer 3", "layer 4"} <= {text.text for text in texts(rk.svg(puzzle))}
    flat = rk.puzzle("pentominoes-3d 1 6 10")
    assert not any(text.text.startswith("layer") for text in texts(rk.svg(flat)))


def test_cubes_before_others_hide_them() -> None:
    """The face drawn last at the middle of a face that the reader can see is that face, by the definition."""
    puzzle = rk.puzzle_from_file(EXAMPLES / "burr.xmpuzzle", 1)
    model = puzzle.model
    assert isinstance(model, Packing)
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    plates = _Plates(model)
    faces = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-face"]
    taken = {cell for number in row for cell in model.placements()[number].cells}
    n_seen = 0
    for number, fill in zip(row, plates.colors_together(row), strict=True):
        shades = (fill, darker(fill, 0.75), darker(fill, 0.55))
        for cell in model.placements()[number].cells:
            for (corners, _), middle_of_face, shade in zip(
                plates._seen(cell), _middles_of_faces(cell), shades, strict=True
            ):
                if any(_is_on_the_way(middle_of_face, other) for other in taken):
                    continue
                n_seen += 1
                here = middle(corners)
                assert [face.fill for face in faces if _holds(face, here)][-1] == shade
    assert n_seen > 50


def _holds(face: Shape, point: Place) -> bool:
    """Whether a convex area holds a point: it lies on the same side of all sides."""
    (corners,) = face.loops
    turns = [
        (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)
        for (ax, ay), (bx, by) in pairwise([*corners, corners[0]])
    ]
    return min(turns) > 0 or max(turns) < 0


def _middles_of_faces(cell: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Of the top, the front and the right side, a little outside; a cell goes from its numbers to one more."""
    layer, row, column = cell
    return [
        (layer - 0.01, row + 0.5, column + 0.5),
        (layer + 0.5, row + 1.01, column + 0.5),
        (layer + 0.5, row + 0.5, column + 1.01),
    ]


def _is_on_the_way(point: tuple[float, ...], cell: tuple[int, ...]) -> bool:
    """Whether the line from a point to the reader goes through a cube."""
    to_reader = (-DEPTH / HEIGHT, 1.0, LEAN)
    times = [
        sorted(((low - at) / step, (low + 1 - at) / step))
        for at, step, low in zip(point, to_reader, cell, strict=True)
    ]
    return max(0.0, *(first for first, _ in times)) < min(last for _, last in times)


def test_balls_from_above() -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "ball-pyramid.toml")
    model = puzzle.model
    assert isinstance(model, Packing)
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    drawing = rk.svg(puzzle, row)
    assert {"layer 1", "layer 4", "from above"} <= {text.text for text in texts(drawing)}
    balls = [shape for shape in shapes(drawing) if shape.kind == "rk-piece" and len(shape.loops) == 1]
    chosen = [number for number in row if number < len(model.placements())]
    fills = PiecesOnBoard(model).colors_together(chosen)
    cells = [
        (cell, fill)
        for number, fill in zip(chosen, fills, strict=True)
        for cell in model.placements()[number].cells
    ]
    cells.sort(key=lambda ball: ball[0][0])  # by their layers, the lowest first
    assert [ball.fill for ball in balls[-len(cells) :]] == [fill for _, fill in cells]
