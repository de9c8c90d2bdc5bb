"""Symmetries of packings, against the definition on small boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog import index, packing_symmetry
from rekkyo.catalog.boards import grid_lines, packing_puzzle, quarters, triangles
from rekkyo.catalog.motions import point_motions
from rekkyo.catalog.packing_symmetry import essential, exchanges, motions
from rekkyo.errors import BadInput
from rekkyo.model.lattices import EDGES, QUARTERED, SQUARE, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.drawing import cells_drawn
from rekkyo.model.lattices.lattice import added, applied
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.group import close
from tests.model import naive_x
from tests.model.test_packing import rectangle


def piece(name: str, text: str, times: int = 1) -> Piece:
    return Piece(name, frozenset(cells_drawn(SQUARE, text)), times, times)


def symmetries(model: Packing) -> tuple[AtomPermutation, ...]:
    return essential(motions(model), model.row_shape.n_atoms)


def order(model: Packing) -> int:
    return close(model.row_shape, symmetries(model)).order


L, J = piece("L", "x\nx\nxx"), piece("J", ".x\n.x\nxx")


@pytest.mark.parametrize(
    ("pieces", "reflections", "expected"),
    [
        ((L, J), False, 4),  # twins take each other's place
        ((piece("L", "x\nx\nxx", 2),), False, 2),  # no twin: the half turn only
        ((piece("L", "x\nx\nxx", 2),), True, 4),
        ((L, piece("O", "xx\nxx")), False, 2),
        ((piece("T", "xxx\n.x"), piece("O", "xx\nxx")), False, 4),  # each its own mirror image
    ],
)
def test_a_reflection_counts_when_it_keeps_the_set_of_pieces(
    pieces: tuple[Piece, ...], reflections: bool, expected: int
) -> None:
    assert order(Packing(SQUARE, rectangle(2, 4), pieces, reflections)) == expected


def test_two_pieces_with_one_twin_break_reflections() -> None:
    pieces = J, L, replace(L, name="M")
    assert order(Packing(SQUARE, rectangle(3, 4), pieces, reflections=False)) == 2


def test_the_order_of_the_pieces_does_not_matter() -> None:
    """Two pairs of mirror twins, one of which is restricted to opposite halves of the board."""
    left, right = (frozenset(product(range(3), columns)) for columns in (range(2), range(2, 4)))
    pieces = (
        replace(L, name="A", only_on=left),
        replace(L, name="B"),
        J,
        replace(J, name="D", only_on=right),
    )
    orders = {
        order(Packing(SQUARE, rectangle(3, 4), some, reflections=False, filled=False))
        for some in permutations([replace(piece, low=0) for piece in pieces])
    }
    assert orders == {2}


def test_given_pieces_and_strides_break_symmetries() -> None:
    dominoes = Packing(SQUARE, rectangle(2, 4), (piece("D", "xx", 4),))
    middle = frozenset({("D", frozenset({(0, 1), (0, 2)}))})
    assert order(dominoes) == 4
    assert order(Packing(SQUARE, rectangle(2, 4), (piece("D", "xx", 4),), given=middle)) == 2
    strided = Packing(SQUARE, rectangle(2, 6), (piece("D", "xx"),), filled=False, stride=2)
    assert [cells[0] for _, cells in strided.placements()] == [(0, 0), (0, 0), (0, 2), (0, 2), (0, 4), (0, 4)]
    assert order(strided) == 1


@pytest.mark.parametrize("words", ["soma", "pentominoes-3d 2 5 6", "dominoes 4 4"])
def test_products_of_maps_are_what_moving_all_placements_gives(words: str) -> None:
    model = rk.puzzle(words).model
    assert isinstance(model, Packing)
    assert motions(model) == point_motions(model.lattice, packing_symmetry._Tried(model).by_matrix)


def test_a_given_place_is_not_taken_for_one_that_may_stay_empty() -> None:
    """Two places of a domino, of which one is given: exchanging them would take one of two solutions to none."""
    places = frozenset({(0, 0), (0, 1)}), frozenset({(0, 3), (0, 4)})
    dominoes = (replace(piece("D", "xx"), high=2),)
    given_place = frozenset({("D", places[0])})
    model = Packing(SQUARE, frozenset().union(*places), dominoes, filled=False, given=given_place)
    counted = rk.count(packing_puzzle("dominoes", "Dominoes", model))
    assert (order(model), counted.total, counted.unique) == (1, 2, 2)


def test_pieces_that_may_come_differently_often_are_not_exchanged() -> None:
    dominoes = piece("A", "xx"), piece("B", "xx"), replace(piece("C", "xx"), low=0, high=2)
    model = Packing(SQUARE, rectangle(2, 4), dominoes)
    assert close(model.row_shape, exchanges(model)).order == 2


def test_exchanges_are_of_equal_pieces_only() -> None:
    model = Packing(SQUARE, rectangle(3, 4), (L, J, piece("T", "xxx\n.x")))
    (swap,) = exchanges(model)
    names = [name for name, _ in model.placements()]
    assert [names[image] for image in swap] == [{"L": "J", "J": "L"}.get(name, name) for name in names]
    assert exchanges(Packing(SQUARE, rectangle(3, 4), (L, J, piece("T", "xxx\n.x")), reflections=False)) == ()


@pytest.mark.parametrize("name", ["A", "B", "C", "D"])
def test_equal_pieces_are_exchanged_whichever_of_them_is_given(name: str) -> None:
    """The other three fill 2x3 cells, in three ways up to exchanges."""
    end = frozenset({(0, 0), (1, 0)})
    dominoes = tuple(piece(one, "xx") for one in "ABCD")
    model = Packing(SQUARE, rectangle(2, 4), dominoes, given=frozenset({(name, end)}))
    counted = rk.count(packing_puzzle("dominoes", "Dominoes", model), up_to="exchange-pieces")
    assert (counted.total, counted.unique) == (3 * 6, 3)


BOARDS: list[tuple[Lattice, frozenset[Cell], list[Cell]]] = [
    (SQUARE, rectangle(3, 3), [(0, 0), (0, 1), (1, 1)]),
    (TRIANGLE, triangles(2, 2), [(1, 1), (2, 2)]),
    (QUARTERED, quarters(1, 2), [(1, 2), (2, 1)]),
    (EDGES, grid_lines(1, 2), [(0, 1), (1, 0)]),
]


@given(data=st.data(), place=st.integers(0, len(BOARDS) - 1), reflections=st.booleans())
def test_the_group_is_all_maps_of_the_board_that_keep_the_placements(
    data: st.DataObject, place: int, reflections: bool
) -> None:
    lattice, whole, cells = BOARDS[place]
    board = frozenset(data.draw(st.sets(st.sampled_from(sorted(whole)), min_size=3)))
    model = Packing(lattice, board, (Piece("P", frozenset(cells), 0, None),), reflections, filled=False)
    placements = [frozenset(cells) for _, cells in model.placements()]
    expected = set()
    for matrix in lattice.point_group:
        turned = {cell: applied(matrix, cell) for cell in board}
        for steps in product(range(-6, 7), repeat=2):
            move = [lattice.step * n for n in steps]
            image = {cell: added(to, move) for cell, to in turned.items()}
            if set(image.values()) != board:
                continue
            moved = [frozenset(image[cell] for cell in placed) for placed in placements]
            if set(moved) == set(placements):
                expected.add(tuple(placements.index(placed) for placed in moved) or (0,))
    found = close(model.row_shape, symmetries(model)).elements.tolist()
    assert {tuple(element) for element in found} == expected
    rows = set(naive_x.solutions(model))
    filler = model.row_shape.n_values
    for generator in symmetries(model):
        assert {tuple(sorted(generator[v] if v < filler else v for v in row)) for row in rows} == rows


def test_cells_that_may_stay_empty_or_are_for_a_piece_break_symmetries() -> None:
    board, corner = rectangle(2, 2), frozenset({(0, 0)})
    domino = piece("D", "xx")
    assert order(Packing(SQUARE, board, (domino,), filled=False, optional=corner)) == 8
    loose = Packing(SQUARE, board, (Piece("o", corner, 0, None),), optional=corner)
    assert order(loose) == 2
    assert order(replace(loose, optional=board)) == 8
    left = frozenset({(0, 0), (1, 0)})
    assert order(Packing(SQUARE, board, (replace(domino, only_on=left),), filled=False)) == 1
    monomino = Piece("o", corner, only_on=left)
    assert order(Packing(SQUARE, board, (monomino,), filled=False)) == 2


def test_pieces_for_different_cells_are_not_exchanged() -> None:
    left = frozenset({(0, 0), (1, 0)})
    monominoes = [Piece(name, frozenset({(0, 0)}), only_on=left) for name in "AB"]
    model = Packing(SQUARE, rectangle(2, 2), tuple(monominoes), filled=False)
    assert exchanges(model) == ((2, 3, 0, 1),)
    assert exchanges(replace(model, pieces=(monominoes[0], replace(monominoes[1], only_on=None)))) == ()


def test_equal_pieces_that_fit_nowhere_are_not_exchanged() -> None:
    pieces = (piece("A", "xxx"), piece("B", "xxx"))
    assert exchanges(Packing(SQUARE, rectangle(2, 3) - {(0, 1), (1, 1)} | {(5, 5), (7, 7)}, pieces)) == ()


def test_a_packing_without_placements_has_the_trivial_group() -> None:
    model = Packing(SQUARE, rectangle(2, 2), (piece("I", "xxxx"),))
    assert order(model) == 1
    assert packing_puzzle("p", "p", model).model == model


words = st.sampled_from(
    ["1", "2", "3", "4", "-1", "x", "--hole", "0,0", "9,9", "--without-centre", "--any-number", "--only", "L"]
)


@given(
    name=st.sampled_from(
        ["pentominoes", "polyominoes", "dominoes", "hexiamonds", "pentominoes-3d", "langford"]
    ),
    rest=st.lists(words, max_size=6),
)
def test_no_words_lead_to_anything_but_a_puzzle_or_a_refusal(name: str, rest: list[str]) -> None:
    try:
        puzzle = index.puzzle([name, *rest])
    except BadInput as refusal:
        assert "\n" not in str(refusal)
    else:
        assert index.puzzle(puzzle.name.split()) == puzzle


def test_a_packing_in_a_file_is_counted_up_to_rotations_too() -> None:
    """J. H. Conway and M. J. T. Guy (1961): 240 with mirror images, 480 without."""
    soma = rk.puzzle_from_file(Path(__file__).parents[2] / "examples" / "soma.toml")
    assert [rk.count(soma, up_to=up_to).unique for up_to in ("symmetry", "rotations")] == [240, 480]
