"""Solids: three kinds of faces, layers with names, one view pulled apart and one of the whole body."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.model.packing import Packing
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.style import darker
from tests.render.pictures import shapes, texts

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
    """Drawn later; a cell that stays empty shows what is behind it."""
    puzzle = rk.puzzle_from_file(EXAMPLES / "burr.xmpuzzle", 1)
    model = puzzle.model
    assert isinstance(model, Packing)
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    taken = {cell for number in row for cell in model.placements()[number].cells}
    free = sum(
        beside not in taken
        for layer, r, c in taken
        for beside in ((layer - 1, r, c), (layer, r + 1, c), (layer, r, c + 1))
    )
    faces = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-face"]
    assert len(faces) == free


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
    cells = sorted(
        (cell, fill)
        for number, fill in zip(chosen, fills, strict=True)
        for cell in model.placements()[number].cells
    )
    assert [ball.fill for ball in balls[-len(cells) :]] == [fill for _, fill in cells]


def test_a_box_drawn_piece_by_piece_is_the_same_body() -> None:
    """As pages draw it, which get each placement once."""
    model, puzzle, row = box_row("soma")
    painting = painting_of(puzzle)
    together = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-face"]
    alone = shapes(f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(map(painting.atom, row))}</svg>')
    faces = [shape for shape in alone if shape.kind == "rk-face"]
    assert Counter(faces) == Counter(together)
    lines = [sorted(shape.loops) for shape in alone if shape.kind == "rk-edge"]
    edges = [sorted(shape.loops) for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-edge"]
    assert sorted(lines) == sorted(edges)
    assert model.board
