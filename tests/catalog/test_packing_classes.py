"""Classes of packings with equal and given pieces, against all moves of the board and all exchanges of pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice, permutations, product
from typing import NamedTuple

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.boards import packing_puzzle
from rekkyo.errors import BadModel
from rekkyo.model.lattices import SQUARE, Cell
from rekkyo.model.packing import Packing, Piece
from tests.fuzz.oracle import packings_of
from tests.naive_packing import drawn

Packed = frozenset[tuple[str, frozenset[Cell]]]

SHAPES = ["xx", "x", "xx x.", "xxx", "xxx x.."]
MOST = 1000


class Symmetry(NamedTuple):
    """squares, pieces: their images. turns: whether the board is not turned over."""

    squares: dict[Cell, Cell]
    pieces: dict[str, str]
    turns: bool

    def image(self, packed: Packed) -> Packed:
        return frozenset(
            (self.pieces[name], frozenset(map(self.squares.__getitem__, cells))) for name, cells in packed
        )


def moves(board: Collection[Cell]) -> Iterator[tuple[dict[Cell, Cell], bool]]:
    """The rotations and reflections of a board."""
    for is_over, quarters in product((False, True), range(4)):
        images: dict[Cell, Cell] = {
            (row, column): (row, -column if is_over else column) for row, column in board
        }
        for _ in range(quarters):
            images = {square: (column, -row) for square, (row, column) in images.items()}
        top, left = (min(axis) for axis in zip(*images.values(), strict=True))
        first, second = (min(axis) for axis in zip(*board, strict=True))
        images = {s: (row - top + first, column - left + second) for s, (row, column) in images.items()}
        if set(images.values()) == set(board):
            yield images, not is_over


def all_symmetries(model: Packing) -> list[list[Symmetry]]:
    """For each move of the board, the exchanges of pieces with which it keeps bounds, placements and given pieces."""
    names = [piece.name for piece in model.pieces]
    bounds = {piece.name: (piece.low, piece.high) for piece in model.pieces}
    placed = frozenset((name, frozenset(cells)) for name, cells in model.placements())
    found = []
    for squares, turns in moves(model.board):
        all_images = (dict(zip(names, order, strict=True)) for order in permutations(names))
        found.append(
            [
                symmetry
                for pieces in all_images
                if all(bounds[one] == bounds[other] for one, other in pieces.items())
                and (symmetry := Symmetry(squares, pieces, turns)).image(placed) == placed
                and symmetry.image(model.given) == model.given
            ]
        )
    return [together for together in found if together]


def n_classes(packed: set[Packed], symmetries: list[Symmetry]) -> int:
    left, n = set(packed), 0
    while left:
        orbit = {left.pop()}
        newest = list(orbit)
        for one in newest:
            images = {symmetry.image(one) for symmetry in symmetries} - orbit
            orbit |= images
            newest += images
        assert orbit <= packed
        left -= orbit
        n += 1
    return n


@st.composite
def models(draw: st.DrawFn) -> Packing:
    """Up to four pieces, most of them equal to another one, of which some are given."""
    height, width = draw(st.sampled_from([(2, 4), (3, 3), (1, 7), (2, 3)]))
    board = frozenset(product(range(height), range(width)))
    pieces = list[Piece]()
    for shape in draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=2, unique=True)):
        if len(pieces) == 4:
            break
        low, high = draw(st.sampled_from([(1, 1), (1, 1), (0, 1), (0, 2)]))
        for _ in range(draw(st.integers(1 if pieces else 2, 4 - len(pieces)))):
            pieces.append(Piece("ABCD"[len(pieces)], frozenset(drawn(shape)), low, high))
    pieces = [
        replace(piece, name=name) for piece, name in zip(pieces, draw(st.permutations("ABCD")), strict=False)
    ]
    try:
        model = Packing(
            SQUARE, board, tuple(pieces), draw(st.booleans()), filled=draw(st.integers(0, 3)) == 0
        )
        for _ in range(draw(st.integers(0, 3))):
            placed = [(name, frozenset(cells)) for name, cells in model.placements()]
            if free := [one for one in placed if one not in model.given]:
                model = replace(model, given=model.given | {draw(st.sampled_from(free))})
    except BadModel:
        assume(False)
    return model


NO_PLACE_FOR_L = Packing(
    SQUARE,
    frozenset(product(range(2), range(3))),
    (
        *(Piece(name, frozenset(drawn("xx"))) for name in "AB"),
        Piece("L", frozenset(drawn("xxx x..")), 0),
    ),
    reflections=False,
    filled=False,
    given=frozenset({("A", frozenset({(0, 0), (1, 0)}))}),
)
"""The L differs from its mirror image, and the given piece takes all its placements."""


@example(NO_PLACE_FOR_L)
@settings(max_examples=150)
@given(model=models())
def test_classes_are_those_of_all_moves_and_exchanges_that_keep_what_is_given(model: Packing) -> None:
    packed = set[Packed](islice(packings_of(model), MOST))
    assume(0 < len(packed) < MOST)
    together = all_symmetries(model)
    own = [
        max(some, key=lambda one: sum(a == b for a, b in one.pieces.items())) for some in together
    ]  # a piece stays itself where that is possible
    every = [one for some in together for one in some]
    puzzle = packing_puzzle("pieces", "Pieces", model)
    expected = {"symmetry": own, "rotations": [one for one in own if one.turns]}
    if any(kind.word == "exchange-pieces" for kind in puzzle.further):
        expected["exchange-pieces"] = every
    else:
        assert n_classes(packed, every) == n_classes(packed, own)
    for up_to, symmetries in expected.items():
        counted = rk.count(puzzle, up_to=up_to)
        assert (counted.total, counted.unique) == (len(packed), n_classes(packed, symmetries)), up_to


def test_a_given_piece_where_nothing_fills_the_rest() -> None:
    """It has no placement then, and reflections of the board are looked for nevertheless."""
    board = frozenset(product([0], range(5)))
    middle = frozenset({(0, 1), (0, 2), (0, 3)})
    pieces = Piece("A", frozenset(drawn("xxx")), 1, 1), Piece("B", frozenset(drawn("x")), 0, 1)
    model = Packing(SQUARE, board, pieces, True, given=frozenset({("A", middle)}))
    counted = rk.count(packing_puzzle("pieces", "Pieces", model))
    assert (counted.total, counted.unique) == (0, 0)
