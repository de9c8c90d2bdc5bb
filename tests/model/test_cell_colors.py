"""Colours of cells of a packing: where pieces lie, the check of rows, symmetry, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings

from rekkyo.catalog.packing_symmetry import exchanges, motions
from rekkyo.errors import BadModel
from rekkyo.model.lattices import BALLS, CUBE, SQUARE, TRIANGLE, Cell
from rekkyo.model.packing import Packing, Piece
from rekkyo.verify import violations
from tests import made_once as st
from tests import naive_packing
from tests.fuzz.oracle import packings_of
from tests.model import naive_x
from tests.model.test_packing import I1, I2, L3, rectangle, searched, shape

CHESS = frozenset(((r, c), "wb"[(r + c) % 2]) for r, c in rectangle(8, 8))


def colors(text: str) -> frozenset[tuple[Cell, str]]:
    """The colour of each cell that is not drawn as a point."""
    rows = enumerate(text.split())
    return frozenset(((r, c), mark) for r, line in rows for c, mark in enumerate(line) if mark != ".")


def pictures(model: Packing, piece: Piece) -> list[tuple[frozenset[Cell], frozenset[tuple[Cell, str]]]]:
    """The cells under a piece, and where its colours are then, for every way that differs in one of the two."""
    own = dict(piece.colors)
    fits = naive_packing.fitting(own, dict(model.colors), model.color_pairs)
    allowed = model.board if piece.only_on is None else piece.only_on
    ways = naive_packing.ways_to_lie(allowed, sorted(piece.cells), reflections=model.reflections)
    return sorted(
        {
            (frozenset(to for _, to in way), frozenset((to, own[cell]) for cell, to in way if cell in own))
            for way in ways
            if all(fits(cell, to) for cell, to in way)
        },
        key=repr,
    )


@st.composite
def colored_packings(draw: st.DrawFn) -> Packing:
    board = draw(st.frozensets(st.sampled_from(sorted(rectangle(3, 3))), min_size=4, max_size=8))
    some_colors = st.sampled_from(["x", "x", "o", "o", ""])

    def painted(cells: frozenset[Cell]) -> frozenset[tuple[Cell, str]]:
        return frozenset((cell, color) for cell in sorted(cells) if (color := draw(some_colors)))

    shapes = st.sampled_from([I1, I2, L3, shape("xxx"), shape("xx\n.xx"), shape("xx\nxx"), shape("x.x")])
    pieces = []
    for name, cells in zip("AB", draw(st.lists(shapes, min_size=1, max_size=2)), strict=False):
        only_on = draw(st.one_of(st.none(), st.none(), st.frozensets(st.sampled_from(sorted(board)))))
        pieces.append(Piece(name, cells, 0, draw(st.integers(1, 3)), only_on, painted(cells)))
    pairs = draw(st.one_of(st.none(), st.frozensets(st.sampled_from([*product("xo", repeat=2)]))))
    return Packing(
        SQUARE,
        board,
        tuple(pieces),
        draw(st.booleans()),
        filled=False,
        colors=painted(board),
        color_pairs=pairs,
    )


@settings(max_examples=100)
@given(model=colored_packings())
def test_packings_with_colours_are_those_of_the_definition(model: Packing) -> None:
    shown = [[cells for cells, _ in pictures(model, piece)] for piece in model.pieces]
    if all(len(set(cells)) == len(cells) for cells in shown):
        assert searched(model) == set(packings_of(model))
    else:
        with pytest.raises(BadModel, match="ways that differ only in their colours; give these cells of"):
            model.cover()


@settings(max_examples=60)
@given(model=colored_packings())
def test_the_check_accepts_solutions_and_nothing_that_differs_in_one_place(model: Packing) -> None:
    """The rows are those without colours, so some lie on colours that do not fit."""
    plain = replace(
        model, pieces=tuple(replace(piece, colors=frozenset()) for piece in model.pieces), colors=frozenset()
    )
    model._memo["lowered"] = plain._lowered()
    solutions = set(packings_of(model))
    numbers = plain.placements()
    for row in sorted(naive_x.solutions(plain))[:30]:
        chosen = frozenset(
            (numbers[number].piece, frozenset(numbers[number].cells))
            for number in row
            if number < len(numbers)
        )
        assert (violations(model, row) == []) == (chosen in solutions)


def test_the_check_says_which_piece_is_wrong() -> None:
    piece = Piece("D", I2, 0, 2, colors=colors("wb"))
    plain = Packing(SQUARE, rectangle(1, 3), (replace(piece, colors=frozenset()),), filled=False)
    model = replace(plain, pieces=(piece,), colors=colors("wbb"))
    assert [place.cells for place in model.placements()] == [((0, 0), (0, 1))]
    model = replace(plain, pieces=(piece,), colors=colors("wbb"))
    model._memo["lowered"] = plain._lowered()
    assert violations(model, [0, 2]) == []
    assert violations(model, [1, 2]) == ["piece D at 0,1 lies on colours that do not fit"]


def test_colours_that_fit_and_cells_without_one() -> None:
    def total(piece: str, board: str, *pairs: str) -> int:
        fits = frozenset((pair[0], pair[1]) for pair in pairs) if pairs else None
        cells = frozenset(cell for cell, _ in colors(board.replace(".", "#")))
        of_board = colors(board)
        return len(
            Packing(
                SQUARE,
                cells,
                (Piece("D", I2, 0, 1, colors=colors(piece)),),
                filled=False,
                colors=of_board,
                color_pairs=fits,
            ).placements()
        )

    assert total("ab", "abab") == 3
    assert total("ab", "aabb") == 1
    assert total("a.", "bbbb") == 0
    assert total("ab", "xyxy", "ax", "by") == 3
    assert total("ab", "xyxy", "ax") == 0
    assert total("ab", "x.x.", "ax", "by") == 3


class TestSymmetry:
    def test_only_moves_that_keep_the_colours(self) -> None:
        domino = Piece("D", I2, 0, None, colors=colors("wb"))
        plain = Packing(SQUARE, rectangle(8, 8), (replace(domino, colors=frozenset()),))
        model = replace(plain, pieces=(domino,), colors=CHESS)
        assert len(motions(plain)) == 7
        assert sorted(motion.name for motion in motions(model)) == [
            "diagonal mirror",
            "diagonal mirror",
            "half turn",
        ]
        assert len(motions(replace(plain, colors=CHESS))) == 7  # no piece has a colour

    def test_pieces_are_exchanged_only_with_equal_colours(self) -> None:
        one, other = (Piece(name, I2, colors=colors("wb")) for name in "AB")
        model = Packing(SQUARE, rectangle(2, 2), (one, other), colors=colors("wb\nbw"))
        assert len(exchanges(model)) == 1
        assert exchanges(replace(model, pieces=(one, replace(other, colors=colors("w."))))) == ()
        turned = replace(other, cells=shape("x\nx"), colors=colors("b\nw"))
        assert len(exchanges(replace(model, pieces=(one, turned)))) == 1

    @pytest.mark.parametrize(("marks", "names"), [("wb\nb.", ["mirror"]), ("wb\n..", [])])
    def test_a_piece_that_is_not_turned_over_is_its_own_mirror_image_or_not(
        self, marks: str, names: list[str]
    ) -> None:
        """With one arm coloured, a corner has no mirror image among its turns, though it has without colours."""
        piece = Piece("L", L3, 0, 1, colors=colors(marks))
        model = Packing(SQUARE, rectangle(2, 3), (piece,), reflections=False, filled=False)
        model = replace(model, colors=colors("wbw\nbwb"))
        assert len(model.placements()) == 4
        assert [motion.name for motion in motions(model)] == names

    def test_mirror_twins_have_mirrored_colours(self) -> None:
        """Two corners with one arm coloured, which are mirror images of each other."""
        left = Piece("L", L3, 0, 1, colors=colors("wb"))
        right = Piece("R", L3, 0, 1, colors=colors("w.\nb."))
        model = Packing(SQUARE, rectangle(2, 3), (left, right), reflections=False, filled=False)
        model = replace(model, colors=colors("wbw\nbwb"))
        assert [motion.name for motion in motions(model)] == ["mirror"]
        twice = replace(model, pieces=(left, replace(left, name="R")))
        assert motions(twice) == ()


@pytest.mark.parametrize("lattice", [CUBE, BALLS, TRIANGLE], ids=lambda lattice: lattice.name)
def test_the_check_agrees_on_other_lattices(lattice: object) -> None:
    """Every placement is a row of one; the check finds the motion that takes the colours there."""
    assert lattice in (CUBE, BALLS, TRIANGLE)
    cells: list[Cell]
    if lattice == TRIANGLE:
        cells = [(1, 1), (2, 2), (1, 4)]
        board = frozenset((r, c) for r in range(12) for c in range(12) if r % 3 == c % 3 and r % 3)
        kinds = TRIANGLE
    else:
        cells = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 0)]
        board = frozenset(product(range(3), repeat=3))
        kinds = CUBE if lattice == CUBE else BALLS
    of_board = frozenset((cell, "ab"[sum(cell) % 2]) for cell in board)
    piece = Piece("P", frozenset(cells), 0, 1, colors=frozenset(zip(cells, "abab", strict=False)))
    plain = Packing(kinds, board, (replace(piece, colors=frozenset()),), reflections=False, filled=False)
    model = replace(plain, pieces=(piece,), colors=of_board)
    wanted = {place.cells for place in model.placements()}
    checked = replace(plain, pieces=(piece,), colors=of_board)
    checked._memo["lowered"] = plain._lowered()
    filler = plain.row_shape.n_values
    assert 0 < len(wanted) < len(plain.placements())
    for number, place in enumerate(plain.placements()):
        row = [number, *[filler] * (plain.row_shape.length - 1)]
        assert (violations(checked, row) == []) == (place.cells in wanted)


def bad_models() -> Iterator[tuple[object, str]]:
    def packing(piece: Piece, **options: object) -> object:
        return lambda: Packing(SQUARE, rectangle(1, 4), (piece,), filled=False, **options)  # type: ignore[arg-type]

    wb = Piece("D", I2, colors=colors("wb"))
    yield (
        lambda: Piece("D", I2, colors=colors("wwb")),
        'packing: piece "D" has a colour on 0,2, which is none of its cells; colour only its cells',
    )
    yield (
        lambda: Piece("D", I2, colors=frozenset({((0, 0), "w"), ((0, 0), "b")})),
        'packing: piece "D" has 2 colours on 0,0; give one',
    )
    yield (
        lambda: Piece("D", I2, colors=frozenset({((0, 0), "white")})),
        "packing: a colour of piece \"D\" is one visible character other than a point, not 'white'",
    )
    yield (
        lambda: Piece("D", I2, colors={(0, 0): "w"}),  # type: ignore[arg-type]
        "packing: the colours of piece \"D\" are a frozenset of pairs (cell, colour), not {(0, 0): 'w'}",
    )
    yield (
        packing(wb, colors=colors("wbwbw")),
        "packing: the board has a colour on 0,4, which is none of its cells; colour only its cells",
    )
    yield (
        packing(wb, color_pairs=frozenset({("w", ".")})),
        "packing: a colour that fits is one visible character other than a point, not '.'",
    )
    yield (
        packing(wb, color_pairs=frozenset({"wb"})),
        "packing: the colours that fit are a frozenset of pairs (of a piece, of the board), not 'wb'",
    )
    yield (
        lambda: Packing(SQUARE, rectangle(1, 2), (wb,)).cover(),
        'packing: piece "D" can lie on 0,0 0,1 in 2 ways that differ only in their colours;'
        " give these cells of the board colours, too",
    )
    square = Piece("Q", rectangle(2, 3), colors=colors("wb"))
    yield (
        lambda: Packing(SQUARE, rectangle(2, 3), (square,)).cover(),
        'packing: piece "Q" can lie on 0,0 0,1 0,2 1,0 ... in 4 ways that differ only in their colours;'
        " give these cells of the board colours, too",
    )


@pytest.mark.parametrize(("make", "complaint"), list(bad_models()))
def test_bad_models_are_refused_in_one_line(make: object, complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        make()  # type: ignore[operator]
    assert str(refusal.value) == complaint


def test_colours_are_part_of_the_value() -> None:
    piece = Piece("D", I2, 2, 2, colors=colors("wb"))
    model = Packing(SQUARE, rectangle(2, 2), (piece,), colors=colors("wb\nbw"))
    same = Packing(SQUARE, rectangle(2, 2), (replace(piece),), colors=colors("wb\nbw"))
    assert (model, hash(model)) == (same, hash(same))
    assert model != replace(model, colors=colors("bw\nwb"))
    assert replace(model, color_pairs=frozenset({("w", "w")})) != model
