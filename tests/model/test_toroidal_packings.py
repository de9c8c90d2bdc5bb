"""Packings on a torus: their placements, symmetry, check and files, against the definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.catalog.boards import packing_puzzle
from rekkyo.catalog.own_symmetry import own_symmetry
from rekkyo.designer.first_text import text_of_puzzle
from rekkyo.errors import BadFile, BadInput, BadModel
from rekkyo.export.burrtools_write import write_burrtools
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.gallery.kinds import kinds_of
from rekkyo.model.lattices import CUBE, EDGES, SQUARE, Cell
from rekkyo.model.packing import Box, Packing, Piece
from rekkyo.model.parity import parity_forbids
from rekkyo.render.heat import heats
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.markup import CELL
from rekkyo.render.svg.tray import parts
from rekkyo.render.touching import copies_apart
from rekkyo.render.understood import understood
from rekkyo.symmetry.group import close
from rekkyo.verify import violations
from tests import made_once as st
from tests.fuzz.oracle import packings_of
from tests.model.test_packing import I1, I2, I3, L3, rectangle, searched, shape

I4, L4, P, GAP, T4 = shape("xxxx"), shape("xxx\nx"), shape("xx\nxx\nx"), shape("x.x"), shape("xxx\n.x")


def torus(rows: int, columns: int, *pieces: Piece) -> Packing:
    return Packing(SQUARE, rectangle(rows, columns), pieces, toroidal=True)


def with_holes(model: Packing, *holes: Cell) -> Packing:
    return replace(model, board=model.board - set(holes))


def any_number(cells: frozenset[Cell], name: str = "A") -> Piece:
    return Piece(name, cells, 0, None)


@st.composite
def toroidal_packings(draw: st.DrawFn) -> Packing:
    """Two pieces on a torus that may be coloured, have holes, and have cells that may stay empty."""
    board = rectangle(draw(st.integers(1, 3)), draw(st.integers(1, 4)))
    left = board - draw(st.frozensets(st.sampled_from(sorted(board)), max_size=3))
    if left and Box.around(left) == Box.around(board):
        board = left
    some_cells = st.frozensets(st.sampled_from(sorted(board)))
    pieces = []
    for name, cells in zip("AB", draw(st.permutations([I1, I2, L3, I3, I4, P, GAP])), strict=False):
        colors = draw(st.frozensets(st.sampled_from(sorted(product(cells, "o"))), max_size=1))
        only_on = draw(st.one_of(st.none(), st.none(), some_cells))
        pieces.append(Piece(name, cells, 0, draw(st.sampled_from([None, 2])), only_on, colors))
    colors = draw(st.frozensets(st.sampled_from(sorted(product(board, "o"))), max_size=2))
    flags = {name: draw(st.booleans()) for name in ("reflections", "filled")}
    optional = draw(st.one_of(st.just(frozenset()), some_cells))
    model = Packing(SQUARE, board, tuple(pieces), optional=optional, colors=colors, toroidal=True, **flags)
    try:
        model.row_shape  # noqa: B018 - places the pieces
    except BadModel:  # rows could not show the colours
        return replace(
            model, colors=frozenset(), pieces=tuple(replace(p, colors=frozenset()) for p in pieces)
        )
    return model


@given(model=toroidal_packings())
def test_the_exact_cover_has_the_packings_that_brute_force_finds(model: Packing) -> None:
    assert searched(model) == set(packings_of(model))


def permutations_of(model: Packing) -> Iterator[tuple[int, ...]]:
    """How the motions of a torus that keep the board and the placements of each piece permute placements."""
    rows, columns = model.periods or (0, 0)
    numbers = {(name, frozenset(cells)): number for number, (name, cells) in enumerate(model.placements())}
    flips = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    for (down, across), turned, top, left in product(flips, (False, True), range(rows), range(columns)):
        if turned and rows != columns:
            continue
        flipped = ((down * r + top, across * c + left, (r, c)) for r, c in model.board)
        move = {at: ((c, r) if turned else (r, c)) for r, c, at in flipped}
        move = {at: (r % rows, c % columns) for at, (r, c) in move.items()}
        images = [numbers.get((name, frozenset(move[cell] for cell in cells)), -1) for name, cells in numbers]
        must = {move[cell] for cell in model.must_be_covered} == model.must_be_covered
        colored = {(move[cell], color) for cell, color in model.colors} == model.colors
        if -1 not in images and must and colored and set(move.values()) == model.board:
            yield tuple(images)


@pytest.mark.parametrize(
    ("model", "order"),
    [
        (torus(4, 4, any_number(I2)), 8 * 16),
        (torus(3, 4, any_number(I2)), 4 * 12),
        (with_holes(torus(5, 5, any_number(L3)), (0, 0)), 8),
        (with_holes(torus(4, 4, any_number(I2)), (0, 0), (2, 2)), 8 * 2),
        (with_holes(torus(4, 6, any_number(I2)), (0, 0), (2, 3)), 4 * 2),
        (torus(3, 4, any_number(L3), Piece("B", P, 0, 1)), 4 * 12),
        (replace(torus(3, 3, any_number(L3)), optional=frozenset({(0, 1), (1, 2), (2, 0)})), 2 * 3 * 2),
        (replace(torus(4, 4, any_number(I2)), optional=frozenset({(1, 1)})), 8),
        (replace(torus(4, 4, any_number(I2)), optional=frozenset({(0, 1), (2, 1)})), 4 * 2),
        (
            torus(2, 4, replace(any_number(I2), only_on=frozenset({(0, 1), (0, 2), (1, 1), (1, 2)}))),
            2 * 2 * 2,
        ),
    ],
)
def test_the_group_has_all_motions_of_the_torus(model: Packing, order: int) -> None:
    found = own_symmetry(model)
    moved = set(permutations_of(model))
    assert len(moved) <= order, "some motions may leave all placements as they are"
    assert found.order == len(moved)
    assert set(found.generators) <= moved
    assert packing_puzzle("torus", "Torus", model).generators == found.generators


def test_not_all_cells_are_moved_by_each_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, board = Random(1), rectangle(12, 12)
    optional = frozenset(cell for cell in sorted(board) if rng.random() < 0.5)
    moved = []
    wrapped = Packing.wrapped
    monkeypatch.setattr(Packing, "wrapped", lambda model, cell: moved.append(cell) or wrapped(model, cell))
    assert own_symmetry(replace(torus(12, 12, any_number(I2)), optional=optional)).order == 1
    assert len(moved) < 50 * len(board), "all would be 8 * 144 * 144"


def test_shifts_and_turns_are_rotations() -> None:
    puzzle = packing_puzzle("torus", "Torus", torus(4, 4, any_number(I2)))
    assert [motion.name for motion in puzzle.motions or () if motion.turns].count("shift") == 2
    shape = puzzle.model.row_shape
    assert close(shape, puzzle.generators_up_to("rotations") or ()).order == 4 * 16
    assert close(shape, puzzle.generators).order == 8 * 16


@pytest.mark.parametrize(
    ("model", "total"),
    [
        (torus(4, 4, any_number(I2)), 272),  # OEIS A335586
        (torus(3, 4, any_number(L3), Piece("B", I1, 0, 3)), None),
        (with_holes(torus(4, 4, any_number(L3)), (1, 2)), None),
        (with_holes(torus(3, 4, any_number(I2)), (0, 1), (2, 3)), None),
        (replace(torus(3, 4, any_number(L3), Piece("B", I1, 0, 3)), reflections=False), None),
        (replace(torus(3, 3, any_number(L4)), reflections=False, filled=False), None),  # around the torus
    ],
)
def test_orbits_are_those_of_all_motions(model: Packing, total: int | None) -> None:
    numbers = {(name, frozenset(cells)): number for number, (name, cells) in enumerate(model.placements())}
    left = {frozenset(map(numbers.__getitem__, packing)) for packing in packings_of(model)}
    counted = rk.count(packing_puzzle("torus", "Torus", model))
    assert counted.total == len(left) == (total or len(left))
    moves, n_orbits = list(permutations_of(model)), 0
    while left:
        one = left.pop()
        left -= {frozenset(move[number] for number in one) for move in moves}
        n_orbits += 1
    assert counted.unique == n_orbits


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 4), (4, 5), (3, 8)])
def test_dominoes_are_the_matchings_of_a_torus_graph(rows: int, columns: int) -> None:
    matchings = rk.graph(named=f"torus {rows} {columns}").matchings(perfect=True)
    dominoes = packing_puzzle("torus", "Torus", torus(rows, columns, any_number(I2)))
    assert rk.count(dominoes, up_to="none").total == rk.count(matchings, up_to="none").total


def test_two_ways_to_lie_on_the_same_cells_are_one_placement() -> None:
    assert len(torus(1, 2, any_number(I2)).placements()) == 1
    assert len(torus(3, 3, any_number(I3)).placements()) == 6


def test_a_piece_never_meets_itself() -> None:
    around = replace(torus(3, 5, any_number(I4)), filled=False)
    assert {cells[0][0] for _, cells in around.placements()} == {0, 1, 2}
    assert len(around.placements()) == 3 * 5


def test_a_box_is_joined_in_three_directions() -> None:
    bar = Piece("I", frozenset({(0, 0, 0), (0, 0, 1)}), 0, None)
    board = frozenset(product(range(2), range(2), range(3)))
    model = Packing(CUBE, board, (bar,), toroidal=True)
    assert len(model.placements()) == 2 * 2 * 3 + 6 + 6  # along the third axis, and two rings of two cells


def test_colours_of_cells_are_no_reason_on_a_torus_without_a_chessboard() -> None:
    pieces = Piece("A", I2), Piece("B", T4)
    on_torus = torus(2, 3, *pieces)
    assert parity_forbids(replace(on_torus, toroidal=False)) is not None
    assert parity_forbids(on_torus) is None
    assert rk.count(packing_puzzle("torus", "Torus", on_torus), up_to="none").total == 6
    even = torus(2, 4, Piece("A", I2, 2, 2), Piece("B", T4))
    assert parity_forbids(even) is not None
    assert not list(packings_of(even))


def test_the_check_finds_another_shape_and_colours_that_do_not_fit() -> None:
    model = replace(torus(3, 4, any_number(L3)), filled=False)
    other = replace(model, pieces=(any_number(I3),))
    around = next(
        number
        for number, (_, cells) in enumerate(model.placements())
        if cells[0] == (0, 0) and (2, 3) in cells
    )
    assert violations(model, [around]) == []
    model._memo["lowered"] = other._lowered()
    assert violations(model, [0]) == ["piece A at 0,0 has another shape"]

    colored = replace(any_number(I2), colors=frozenset({((0, 0), "o")}))
    plain = replace(torus(1, 3, any_number(I2)), filled=False)
    model = replace(plain, pieces=(colored,), colors=frozenset({((0, 0), "o"), ((0, 1), "x"), ((0, 2), "x")}))
    assert [cells for _, cells in model.placements()] == [((0, 0), (0, 1)), ((0, 0), (0, 2))]
    assert violations(model, [0]) == violations(model, [1]) == []
    model._memo["lowered"] = plain._lowered()
    assert violations(model, [2]) == ["piece A at 0,1 lies on colours that do not fit"]


def test_copies_that_touch_across_an_edge_have_different_colours() -> None:
    model = torus(1, 6, any_number(I2))
    row = next(iter(searched(model)))
    numbers = [
        number for number, (name, cells) in enumerate(model.placements()) if (name, frozenset(cells)) in row
    ]
    assert len(set(copies_apart(model, numbers))) == 3
    assert len(set(copies_apart(replace(model, toroidal=False), numbers[:0]))) == 0


FILE = 'kind = "packing"\nboard = """\n####\n####\n####\n"""\npieces = "DD"\ntimes = { D = "any" }\n'


def test_a_file_says_that_edges_are_joined_and_a_program_writes_it_again() -> None:
    puzzle = read_toml(FILE + "toroidal = true\n", "mine.toml")
    assert isinstance(puzzle.model, Packing)
    assert puzzle.model.toroidal
    assert puzzle.model == rk.packing("####\n####\n####", "DD", times={"D": (0, None)}, toroidal=True).model
    assert read_toml(text_of_puzzle(puzzle), "again").model == puzzle.model
    assert "opposite edges joined" in understood(puzzle)[0]
    with_hole = read_toml(FILE + "toroidal = true\nholes = [2]\n", "mine.toml")
    assert with_hole.model == with_holes(puzzle.model, (0, 1))
    flat = read_toml(FILE, "mine.toml")
    assert rk.count(puzzle, up_to="none").total > rk.count(flat, up_to="none").total
    assert "opposite edges" not in understood(flat)[0]


def test_a_heat_map_and_the_gallery_know_orientations_across_an_edge() -> None:
    puzzle = rk.packing("####\n####", "DD", times={"D": (0, None)}, toroidal=True)
    assert isinstance(puzzle.model, Packing)
    across = [cells[0][0] == cells[1][0] for _, cells in puzzle.model.placements()]
    uses = [10 if is_across else 1 for is_across in across]
    found = {heat.name: set(heat.counts.values()) for heat in heats(puzzle, uses)}
    assert found == {"D, orientation 1": {2 * 10}, "D, orientation 2": {1}}
    kinds = kinds_of(puzzle, painting_of(puzzle))
    assert kinds.names == ("orientation 1", "orientation 2")
    assert kinds.of_atom == [0 if is_across else 1 for is_across in across]


def test_spots_touch_across_an_edge() -> None:
    looks = painting_of(rk.packing("####\n####\n####", "D", times={"D": 12}, toroidal=True)).looks
    assert looks is not None
    assert [set(near) for near in looks.near][:2] == [{1, 3, 4, 8}, {0, 2, 5, 9}]


def test_pieces_beside_the_board_are_drawn_as_in_the_plane() -> None:
    puzzle = rk.packing("#####\n" * 5, ".X.\nXXX\n.X.", times={"X": 5}, toroidal=True)
    assert isinstance(puzzle.model, Packing)
    assert puzzle.model.placements()[0].cells == ((0, 0), (0, 1), (0, 2), (1, 1), (4, 1))  # around the torus
    (part,) = parts(puzzle, painting_of(puzzle))
    assert (part.width, part.height, part.text) == (3 * CELL, 3 * CELL, "X ×5")


def test_cells_far_apart_are_near_on_a_torus() -> None:
    far = shape("x") | {(10**9, -(10**9))}
    around = replace(torus(3, 3, any_number(far)), filled=False, reflections=False)
    # 10**9 is 1 more than a multiple of 3, so this is a domino of two cells that share a corner
    diagonal = shape("x.\n.x")
    assert around.placements() == replace(torus(3, 3, any_number(diagonal)), filled=False).placements()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('kind = "packing"\nlattice = "hexagon"\nboard = "# # #"\npieces = "D D"\n', "not on hexagon"),
        (FILE + "stride = 2\n", "pieces are moved by any number of steps"),
    ],
)
def test_a_board_without_opposite_edges_is_refused(text: str, complaint: str) -> None:
    text += "toroidal = true\n"
    with pytest.raises(BadFile, match=rf"^mine.toml:{len(text.splitlines())}:1: .*{complaint}$"):
        read_toml(text, "mine.toml")


def test_a_model_refuses_such_a_board_too() -> None:
    with pytest.raises(BadModel, match="on the square and the cube lattice only"):
        edge = frozenset({(0, 1)})
        Packing(EDGES, edge, (Piece("A", edge),), toroidal=True)
    with pytest.raises(BadModel, match="any number of steps"):
        replace(torus(2, 4, any_number(I2)), stride=2)


def test_burrtools_knows_no_torus() -> None:
    with pytest.raises(BadInput, match="the edges of its boards are not joined"):
        write_burrtools(packing_puzzle("torus", "Torus", torus(3, 4, any_number(I2))))
