"""Lattices: point groups, neighbours, polygons, shapes and drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from math import dist, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.errors import BadInput
from rekkyo.model.lattices import (
    BALLS,
    CUBE,
    EDGES,
    HEXAGON,
    LATTICES,
    PRISM,
    QUARTERED,
    RHOMBIC,
    SQUARE,
    TETRA_OCTA,
    TRIANGLE,
    Cell,
    Lattice,
)
from rekkyo.model.lattices.drawing import cell_at, cells_drawn, draw, places_in_text, read_drawing, spot
from rekkyo.model.lattices.lattice import Point, added, applied
from rekkyo.model.lattices.shapes import at_home, orientations, places

ALL = [*LATTICES.values(), PRISM, RHOMBIC, TETRA_OCTA]


def some_cells(lattice: Lattice, size: int = 2) -> list[Cell]:
    """All cells with coordinates near the origin."""
    moves = product(range(-size * lattice.step, size * lattice.step, lattice.step), repeat=lattice.dimension)
    return sorted(added(kind.residue, move) for move in moves for kind in lattice.kinds)


@pytest.mark.parametrize(
    ("lattice", "order"),
    [
        *((SQUARE, 8), (CUBE, 48), (BALLS, 48), (TRIANGLE, 12), (HEXAGON, 12), (QUARTERED, 8), (EDGES, 8)),
        *((PRISM, 24), (RHOMBIC, 48), (TETRA_OCTA, 48)),
    ],
)
def test_order_of_the_point_group(lattice: Lattice, order: int) -> None:
    assert len(set(lattice.point_group)) == order
    assert len(lattice.rotations) == len(lattice.reflections) == order // 2


@pytest.mark.parametrize("lattice", ALL, ids=lambda lattice: lattice.name)
class TestEveryLattice:
    def test_the_point_group_takes_cells_to_cells_and_sides_to_sides(self, lattice: Lattice) -> None:
        for matrix, cell in product(lattice.point_group, some_cells(lattice)):
            image = applied(matrix, cell)
            assert lattice.kind_of(image)
            assert set(lattice.neighbours(image)) == {applied(matrix, n) for n in lattice.neighbours(cell)}

    def test_the_point_group_keeps_distances(self, lattice: Lattice) -> None:
        cells = some_cells(lattice, 1)[:20]
        scale = lattice.corner_scale

        def drawn(cell: Cell) -> tuple[float, ...]:
            return lattice.drawn(tuple(scale * part for part in cell))

        for matrix in lattice.point_group:
            images = [applied(matrix, cell) for cell in cells]
            for (a, b), (x, y) in zip(product(cells, repeat=2), product(images, repeat=2), strict=True):
                assert isclose(dist(drawn(a), drawn(b)), dist(drawn(x), drawn(y)), abs_tol=1e-9)

    def test_the_point_group_is_closed(self, lattice: Lattice) -> None:
        size = lattice.dimension
        unit = [tuple(int(i == j) for j in range(size)) for i in range(size)]
        for g, h in product(lattice.point_group, repeat=2):
            columns = [applied(g, applied(h, axis)) for axis in unit]
            assert tuple(zip(*columns, strict=True)) in lattice.point_group

    def test_neighbours_are_symmetric(self, lattice: Lattice) -> None:
        for cell in some_cells(lattice):
            assert cell not in lattice.neighbours(cell)
            assert all(cell in lattice.neighbours(near) for near in lattice.neighbours(cell))

    def test_neighbours_are_exactly_the_cells_that_share_a_side(self, lattice: Lattice) -> None:
        shared = 1 if lattice == EDGES else lattice.dimension  # at least so many corners of a side
        size = 3 if lattice.dimension == 2 else 2
        corners = {
            cell: {corner for face in lattice.faces(cell) for corner in face}
            for cell in some_cells(lattice, size)
        }
        for cell in some_cells(lattice, 1):
            sharing = {
                other for other in corners if other != cell and len(corners[cell] & corners[other]) >= shared
            }
            assert sharing == set(lattice.neighbours(cell)) & set(corners)

    def test_translations_by_steps_keep_everything(self, lattice: Lattice) -> None:
        move = tuple(lattice.step * (2 * axis + 1) for axis in range(lattice.dimension))
        for cell in some_cells(lattice):
            assert set(lattice.neighbours(added(cell, move))) == {
                added(near, move) for near in lattice.neighbours(cell)
            }

    def test_a_character_stands_for_each_cell(self, lattice: Lattice) -> None:
        cells = [cell for cell in some_cells(lattice) if min(cell) >= 0]
        assert len({spot(lattice, cell) for cell in cells}) == len(cells)
        assert [cell_at(lattice, spot(lattice, cell)) for cell in cells] == cells

    def test_what_is_drawn_is_read_back_with_its_symbols(self, lattice: Lattice) -> None:
        cells = {cell: "a" if sum(cell) % 3 else "b" for cell in some_cells(lattice) if min(cell) >= 0}
        read = read_drawing(lattice, draw(lattice, cells))
        assert {cell: symbol for symbol, shape in read.items() for cell in shape} == cells

    @given(st.data())
    def test_what_is_drawn_is_read_back_up_to_translation(
        self, lattice: Lattice, data: st.DataObject
    ) -> None:
        cells = data.draw(st.sets(st.sampled_from(some_cells(lattice)), min_size=1, max_size=5))
        symbols = dict.fromkeys(cells, "a")
        text = draw(lattice, symbols)
        assert at_home(lattice, cells_drawn(lattice, text)) == at_home(lattice, cells)
        lines = text.split("\n")
        assert {lines[line][column] for line, column in places_in_text(lattice, symbols).values()} == {"a"}


def polygons(lattice: Lattice, cell: Cell) -> tuple[tuple[Point, ...], ...]:
    return tuple(tuple(lattice.drawn(corner) for corner in face) for face in lattice.faces(cell))


@pytest.mark.parametrize(
    ("lattice", "area"),
    [(SQUARE, 1), (TRIANGLE, sqrt(3) / 4), (HEXAGON, sqrt(3) / 2), (QUARTERED, 1 / 4)],
)
def test_area_of_the_polygons(lattice: Lattice, area: float) -> None:
    for cell in some_cells(lattice):
        ((*points,),) = polygons(lattice, cell)
        turned = zip(points, points[1:] + points[:1], strict=True)
        assert isclose(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in turned)) / 2, area)


@pytest.mark.parametrize(
    ("lattice", "volumes"),
    [
        (CUBE, {(8, 1): 1}),
        (PRISM, {(6, sqrt(3) / 4): 2}),
        (RHOMBIC, {(4, 1 / 24): 24}),
        (TETRA_OCTA, {(4, 1 / 3): 2, (4, 1 / 6): 8}),
    ],
    ids=lambda value: value.name if isinstance(value, Lattice) else "",
)
def test_cells_in_space_have_their_volumes_and_fill_it(
    lattice: Lattice, volumes: dict[tuple[int, float], int]
) -> None:
    """By number of corners and volume: how many kinds of cells; together they are as large as one step."""
    found: Counter[tuple[int, float]] = Counter()
    for kind in lattice.kinds:
        corners = {corner for face in polygons(lattice, kind.residue) for corner in face}
        middle = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
        volume = sum(
            abs(determinant([minus(a, middle), minus(b, middle), minus(c, middle)])) / 6
            for a, *others in polygons(lattice, kind.residue)
            for b, c in pairwise(others)
        )
        found[len(corners), round(volume, 9)] += 1
    assert found == {(n, round(volume, 9)): times for (n, volume), times in volumes.items()}
    step = determinant([[lattice.step * part for part in axis] for axis in lattice.axes])
    assert isclose(sum(volume * times for (_, volume), times in found.items()), abs(step), abs_tol=1e-7)


def minus(point: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(point, other, strict=True)]


def determinant(rows: Sequence[Sequence[float]]) -> float:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def test_a_cube_has_six_square_sides_of_length_one() -> None:
    sides = polygons(CUBE, (1, 2, 3))
    assert len(sides) == 6
    for side in sides:
        assert [dist(a, b) for a, b in zip(side, side[1:] + side[:1], strict=True)] == [1, 1, 1, 1]


def test_a_ball_touches_twelve_at_distance_one() -> None:
    ball = BALLS.drawn((0, 0, 0))
    near = [BALLS.drawn(tuple(4 * part for part in cell)) for cell in BALLS.neighbours((0, 0, 0))]
    assert len(near) == len(BALLS.faces((0, 0, 0))) == 12
    assert all(isclose(dist(ball, other), 1) for other in near)


def test_only_balls_in_one_plane_may_be_turned_over_by_any_map() -> None:
    """In one plane: every three steps from the first ball have determinant 0."""
    near = [cell for cell in some_cells(BALLS, 1) if cell != (0, 0, 0)]
    for steps in combinations(near, 3):
        (a, b, c), (d, e, f), (g, h, i) = steps
        is_flat = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == 0
        allowed = BALLS.point_group if is_flat else BALLS.rotations
        assert BALLS.moves_of([(0, 0, 0), *steps], reflections=False) == allowed
    assert BALLS.moves_of(near[:1], reflections=False) == BALLS.point_group
    assert CUBE.moves_of(near[:1], reflections=False) == CUBE.rotations


def test_edges_are_segments_of_length_one_between_points() -> None:
    assert polygons(EDGES, (0, 1)) == (((0.0, 0.0), (1.0, 0.0)),)
    ((*ends,),) = polygons(EDGES, (3, 2))
    assert sorted(ends) == [(1.0, 1.0), (1.0, 2.0)]


def test_asking_for_what_is_no_cell_is_an_error_of_the_caller() -> None:
    assert TRIANGLE.kind_of((0, 0)) is None
    assert SQUARE.kind_of((1, 2, 3)) is None
    with pytest.raises(ValueError, match=r"\(0, 0\) is not a cell of the triangle lattice"):
        TRIANGLE.neighbours((0, 0))


@given(
    lattice=st.sampled_from(ALL),
    data=st.data(),
    steps=st.lists(st.integers(-9, 9), min_size=3, max_size=3),
)
def test_orientations_do_not_depend_on_where_a_shape_lies(
    lattice: Lattice, data: st.DataObject, steps: list[int]
) -> None:
    cells = data.draw(st.sets(st.sampled_from(some_cells(lattice)), min_size=1, max_size=5))
    move = [lattice.step * n for n in steps[: lattice.dimension]]
    matrix = data.draw(st.sampled_from(lattice.point_group))
    moved = [added(applied(matrix, cell), move) for cell in cells]
    found = orientations(lattice, cells, reflections=True)
    assert orientations(lattice, moved, reflections=True) == found
    assert len(lattice.point_group) % len(found) == 0
    assert at_home(lattice, cells) in found
    assert all(shape == at_home(lattice, shape) for shape in found)


@given(
    lattice=st.sampled_from(ALL),
    data=st.data(),
    stride=st.integers(1, 2),
)
def test_places_are_all_translates_on_the_board(lattice: Lattice, data: st.DataObject, stride: int) -> None:
    near = some_cells(lattice)
    board = sorted(data.draw(st.sets(st.sampled_from(near), min_size=1, max_size=20)))
    shape = at_home(lattice, data.draw(st.sets(st.sampled_from(near), min_size=1, max_size=3)))
    far = 4 if lattice.dimension == 3 else 8  # even: the origin is one of the moves, whatever the stride
    steps = range(-far * lattice.step, far * lattice.step + 1, lattice.step * stride)
    on_board = set()
    for move in product(steps, repeat=lattice.dimension):
        moved = [added(cell, move) for cell in shape]
        if set(moved) <= set(board):
            on_board.add(tuple(board.index(cell) for cell in sorted(moved)))
    assert places(lattice, [shape], board, stride) == sorted(on_board)


@pytest.mark.parametrize(
    ("lattice", "text", "complaint"),
    [
        (EDGES, "+-+\n|x|", 'drawing: "x" in line 2, column 2 stands where the edges lattice has no cell'),
        (
            HEXAGON,
            "a a\naa",
            'drawing: "a" in line 2, column 1 stands where the hexagon lattice has no cell;'
            " the cells of this line are in columns 2, 4, 6, ...",
        ),
        (
            HEXAGON,
            " a a\na a a",
            'drawing: "a" in line 1, column 2 stands where the hexagon lattice has no cell;'
            " the cells of this line are in columns 1, 3, 5, ...",
        ),
        (
            QUARTERED,
            "...\n.x.",
            'drawing: "x" in line 2, column 2 stands where the quartered lattice has no cell',
        ),
        (SQUARE, "x" * 1048577, "a drawing of 1048577 characters is more than the 1048576 that are read"),
    ],
)
def test_drawings_that_cannot_be_read(lattice: Lattice, text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_drawing(lattice, text)
    assert str(refusal.value) == complaint


def test_a_drawing_on_each_lattice() -> None:
    assert read_drawing(SQUARE, "ab\n.a") == {"a": ((0, 0), (1, 1)), "b": ((0, 1),)}
    assert read_drawing(CUBE, "aa ..\n.a .b") == {"a": ((0, 0, 0), (0, 0, 1), (0, 1, 1)), "b": ((1, 1, 1),)}
    assert cells_drawn(TRIANGLE, "aa\n.a") == ((1, 1), (2, 2), (4, 1))
    assert cells_drawn(HEXAGON, "a a\n a\na") == ((0, 0), (0, 1), (1, 0), (2, -1))
    assert cells_drawn(QUARTERED, ".t.\nl.r\n.b.") == ((1, 2), (2, 1), (2, 3), (3, 2))
    assert cells_drawn(PRISM, "aa .a\n.. .b") == ((0, 1, 1), (0, 2, 2), (3, 2, 2), (3, 4, 1))
    assert cells_drawn(RHOMBIC, "..... ..#..") == ((-1, -2, 0),)
    assert cells_drawn(TETRA_OCTA, "..# ...\n... .#.\n#.. ...") == ((-3, -3, 9), (-1, -9, 11), (-1, -1, 3))
    assert cells_drawn(EDGES, "\n+-+\n  |\n") == ((0, 1), (1, 2))
