"""Prisms, cut cubes and octahedra are drawn as their layers: triangles or squares, each in a place of its own."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.packing import Packing
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.markup import CELL, bounds
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.tray import parts
from tests.render.pictures import shapes, signed_area, texts

DATA = Path(__file__).parents[1] / "data" / "burrtools"
AREAS = {
    "prisms": CELL**2 * sqrt(3) / 4,
    "cut-cubes": CELL**2,
    "tetrahedra-and-octahedra": CELL**2,
}


def puzzle_and_model(name: str) -> tuple[rk.Puzzle, Packing]:
    puzzle = rk.puzzle_from_file(DATA / f"{name}.xmpuzzle", 1)
    assert isinstance(puzzle.model, Packing)
    return puzzle, puzzle.model


@pytest.mark.parametrize("name", AREAS)
def test_areas_of_pieces(name: str) -> None:
    puzzle, model = puzzle_and_model(name)
    row = next(rk.solve(puzzle))
    drawn: Counter[str] = Counter()
    for shape in shapes(rk.svg(puzzle, row)):
        if shape.kind == "rk-piece":
            drawn[shape.fill] += sum(abs(signed_area(loop)) for loop in shape.loops)
    fills = PiecesOnBoard(model).colors_together(row)
    wanted: Counter[str] = Counter()
    for number, fill in zip(row, fills, strict=True):
        wanted[fill] += len(model.placements()[number].cells) * AREAS[name]
    assert drawn == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("name", AREAS)
def test_layers_are_apart_and_have_names(name: str) -> None:
    puzzle, model = puzzle_and_model(name)
    layers: dict[int, list[tuple[float, float, float, float]]] = {}
    for cell, drawn in zip(sorted(model.board), painting_of(puzzle).spots, strict=True):
        layers.setdefault(spot(model.lattice, cell)[0], []).append(bounds(drawn))
    boxes = []
    for _, found in sorted(layers.items()):
        lefts, tops, rights, bottoms = zip(*found, strict=True)
        boxes.append((min(lefts), min(tops), max(rights), max(bottoms)))
    for k, (left, top, _, _) in enumerate(boxes):
        assert all(left > other[2] or top > other[3] for other in boxes[:k])
    names = [text for text in texts(rk.svg(puzzle)) if text.text.startswith("layer ")]
    assert [text.text for text in names] == [f"layer {n}" for n in range(1, len(boxes) + 1)]
    for text in names:
        assert all(not (x0 < text.place[0] < x1 and y0 < text.place[1] < y1) for x0, y0, x1, y1 in boxes)


def test_pieces_beside_the_board_are_as_large_as_they_are() -> None:
    """The only piece of one prism, which lies in one of three layers on the board, is one triangle."""
    puzzle, model = puzzle_and_model("prisms")
    sizes = [
        (part.width, part.height)
        for piece, part in zip(model.pieces, parts(puzzle, painting_of(puzzle)), strict=True)
        if len(piece.cells) == 1
    ]
    assert sizes == [pytest.approx((CELL, CELL * sqrt(3) / 2), abs=0.1)]
