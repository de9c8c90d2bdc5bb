"""Packings of balls: against brute force in other coordinates, where the lattice is the points with an even sum."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.named_boards import named_board
from rekkyo.catalog.polyforms import polyforms
from rekkyo.model.lattices import BALLS, Cell
from rekkyo.model.lattices.drawing import cells_drawn
from rekkyo.model.packing import Packing, Piece
from tests import naive_packing

TETRAHEDRON = """
...# ..## .### ####
...# ..## .### ....
...# ..## .... ....
...# .... .... ....
"""
"""Twenty balls on an edge: layers of 4 x 1, 3 x 2, 2 x 3 and 1 x 4."""

SMALL = "## #\n## ."
PIECES = {
    "rod": "###",
    "bend": "##\n#.",
    "square": "##\n##",
    "tent": "## #\n.. .",
    "screw": "##. ...\n.#. .#.",
}


def point(cell: Cell) -> naive_packing.Point:
    layer, row, column = cell
    return row - column, row + column + layer, layer


def points(cells: list[Cell] | frozenset[Cell]) -> list[naive_packing.Point]:
    return [point(cell) for cell in cells]


def least_image(form: list[naive_packing.Point]) -> tuple[naive_packing.Point, ...]:
    """One for all that a map of the axes and a move turn into each other."""
    found = []
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        turned = [tuple(sign * p[axis] for axis, sign in zip(axes, signs, strict=True)) for p in form]
        x, y, z = min(turned)
        found.append(tuple(sorted((p[0] - x, p[1] - y, p[2] - z) for p in turned)))
    return min(found)


cells = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@settings(max_examples=40)
@given(
    board=st.frozensets(cells, min_size=1, max_size=12),
    piece=st.frozensets(cells, min_size=1, max_size=4),
    reflections=st.booleans(),
)
def test_a_piece_lies_wherever_a_turn_and_a_move_take_it(
    board: frozenset[Cell], piece: frozenset[Cell], reflections: bool
) -> None:
    model = Packing(BALLS, board, (Piece("A", piece, 0, 1),), reflections=reflections, filled=False)
    placed = {frozenset(points(frozenset(placement.cells))) for placement in model.placements()}
    assert placed == naive_packing.places_of_balls(points(board), points(piece), reflections=reflections)


@pytest.mark.parametrize(
    ("times", "reflections"),
    [
        ({"rod": 1, "bend": 3, "square": 2}, True),
        ({"tent": 4, "square": 2}, True),
        ({"bend": 4, "screw": 2}, True),
        ({"bend": 4, "screw": 2}, False),
        ({"rod": 4, "square": 2}, True),
    ],
)
def test_fillings_of_a_tetrahedron(times: dict[str, int], reflections: bool) -> None:
    board = naive_packing.balls(TETRAHEDRON)
    drawn = {name: naive_packing.balls(PIECES[name]) for name in times}
    pieces = tuple(
        Piece(name, frozenset(cells_drawn(BALLS, PIECES[name])), often, often)
        for name, often in times.items()
    )
    model = Packing(BALLS, frozenset(cells_drawn(BALLS, TETRAHEDRON)), pieces, reflections=reflections)
    wanted = naive_packing.count_fillings(
        board,
        [
            (naive_packing.places_of_balls(board, drawn[name], reflections=reflections), often)
            for name, often in times.items()
        ],
    )
    assert rk.count(rk.Puzzle("balls", model, "balls"), up_to="none").total == wanted


def test_the_boards_that_have_names() -> None:
    drawn = {"pyramid 2": SMALL, "tetrahedron 4": TETRAHEDRON, "tetrahedron 1": "#"}
    for name, drawing in drawn.items():
        assert named_board(name, BALLS) == cells_drawn(BALLS, drawing)


def test_the_symmetries_of_a_tetrahedron_and_of_a_pyramid() -> None:
    tetrahedron = rk.packing(TETRAHEDRON, "AA", lattice="balls", filled=False)
    pyramid = rk.packing(SMALL, "AA", lattice="balls", filled=False)
    assert (rk.count(tetrahedron).total, len(tetrahedron.motions or ()) + 1) == (60, 24)
    assert (rk.count(pyramid).total, len(pyramid.motions or ()) + 1) == (8, 8)


def test_the_numbers_of_polyspheres() -> None:
    """Against sets of points with an even sum that grow by one at distance sqrt(2), in all their images."""
    around = [p for p in product((-1, 0, 1), repeat=3) if sum(map(abs, p)) == 2]
    grown = {((0, 0, 0),)}
    for order in range(1, 5):
        assert len(polyforms(BALLS, order)) == len(grown)
        larger = set()
        for form in grown:
            for (x, y, z), (dx, dy, dz) in product(form, around):
                if (x + dx, y + dy, z + dz) not in form:
                    larger.add(least_image([*form, (x + dx, y + dy, z + dz)]))
        grown = larger


def test_a_solution_is_drawn_layer_by_layer() -> None:
    puzzle = rk.packing(SMALL, "AA B\nAA .", lattice="balls")
    (row,) = rk.solve(puzzle)
    assert rk.board(puzzle, row) == "AA B.\nAA .."
    drawn = rk.svg(puzzle, row)
    assert drawn.count('class="rk-piece"') == 2 + 5  # two pieces in the layers, five balls from above
    assert "rk-stick" in drawn
