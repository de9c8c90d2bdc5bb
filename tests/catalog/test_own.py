"""A packing from two drawings."""

from __future__ import annotations

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput

P_U_V = "PP. U.U V..\nPP. UUU V..\nP.. ... VVV"


def test_three_pentominoes_fill_a_rectangle_in_one_way() -> None:
    puzzle = rk.packing("#####\n" * 3, P_U_V)
    result = rk.count(puzzle)
    assert (result.total, result.unique) == (4, 1)
    assert not any(rk.verify(puzzle, row) for row in rk.solve(puzzle))


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ({}, 0),
        ({"times": {"L": 4}}, 2),
        ({"times": {"L": (0, 4)}}, 2),
        ({"times": {"L": (0, None)}}, 2),
        ({"times": {"L": [np.int64(0), np.int8(4)]}}, 2),
        ({"times": {"L": np.int64(4)}}, 2),
    ],
)
def test_copies_of_a_piece_are_not_told_apart(options: dict[str, object], total: int) -> None:
    """Two L-trominoes make a 2x3, in two ways; a 2x6 of four holds two of them."""
    board = "######\n######" if options else "#######\n#######"
    if options:
        assert rk.count(rk.packing(board, "LL\nL.", **options)).total == 2 * total  # type: ignore[arg-type]
    else:
        with pytest.raises(BadInput, match="the pieces have 3 cells, but the board that they fill has 14"):
            rk.packing(board, "LL\nL.")


def test_cells_that_may_stay_empty() -> None:
    puzzle = rk.packing("##?", "AA")
    assert rk.count(puzzle).total == 1
    assert rk.board(puzzle, next(iter(rk.solve(puzzle)))) == "AA."


def test_pieces_lie_only_on_some_cells() -> None:
    assert rk.count(rk.packing("xxyy", "AA", filled=False)).total == 3
    assert rk.count(rk.packing("xxyy", "AA", filled=False, only_on={"A": ["x"]})).total == 1
    assert rk.count(rk.packing("xxyy", "AA", filled=False, only_on={"A": "### "})).total == 2
    assert rk.count(rk.packing("xxyy", "A", filled=False, only_on={"A": "#"})).total == 1
    assert rk.count(rk.packing("#?", "A", filled=False, only_on={"A": "#"})).total == 1
    assert rk.count(rk.packing("x", "A", only_on={"A": "x"})).total == 1


def test_every_lattice_can_be_named() -> None:
    assert rk.count(rk.packing("A A A", "A A", lattice="hexagon", filled=False)).total == 2
    assert rk.count(rk.packing("AB AB\nAB AB", "A A", lattice="cube", times={"A": 4})).total > 0


@pytest.mark.parametrize(
    ("lattice", "board", "total"), [("square", "rectangle 2 4", 5), ("cube", "box 2 2 2", 9)]
)
def test_a_board_may_have_a_name_as_in_files(lattice: str, board: str, total: int) -> None:
    """The name was a drawing of its letters, on which no domino lies: 0 solutions."""
    puzzle = rk.packing(board, "DD", lattice=lattice, times={"D": (0, None)})
    assert rk.count(puzzle).total == total


def test_lines_end_at_commas_semicolons_and_line_ends() -> None:
    for text in ("a b c, c d e, e f a", "a b c; c d e; e f a", "a b c\nc d e;e f a"):
        assert rk.count(rk.sum_figure(text)).total == 24


@pytest.mark.parametrize(
    ("board", "pieces", "options", "complaint"),
    [
        ("#\t#", "A", {}, r'drawing: "\t" in line 1, column 2 is not a mark; draw with printable characters'),
        *(
            ("##", f"A{mark}A", {"lattice": "cube"}, f'drawing: "{shown}" in line 1, column 2 is not a mark')
            for mark, shown in (("\r", r"\r"), ("\v", r"\x0b"), ("\u2028", r"\u2028"))
        ),
        *(
            (
                "##",
                "AA",
                {"times": {"A": times}},
                f"packing: a piece is placed so many times, or a pair (low, high) of times, not {times!r}",
            )
            for times in ("any", [1, 2, 3], {2, 1}, {0: 2, 1: 3})
        ),
        ("##", "A", {"lattice": "sqare"}, 'there is no lattice "sqare"; did you mean "square"?'),
        ("##", "AA", {"times": {"B": 2}}, 'packing: piece "B" is not in the drawing; drawn are A'),
        (
            "##",
            "AA",
            {"times": {"A": -1}},
            'packing: how often piece "A" is used, at least and at most, is a whole number from 0 to',
        ),
        ("##", "AA", {"only_on": {"B": "##"}}, 'packing: only_on names a piece "B", which is not drawn'),
        (
            "##",
            "AA",
            {"only_on": {"A": ["y"]}},
            'packing: no cell of the board is marked "y"; marks are #',
        ),
        (
            "xxyy",
            "AA",
            {"only_on": {"A": "y"}},
            'packing: "y" is a drawing of one cell; write ["y"] for all cells with that mark',
        ),
        (
            "##",
            "AA",
            {"only_on": {"A": 3}},
            "packing: only_on says where a piece may lie by a drawing, or by",
        ),
        ("##", "AA", {"only_on": {"A": ""}}, 'packing: only_on has no cell for piece "A"; give one, or'),
        ("##", "AA", {"only_on": {"A": []}}, 'packing: only_on has no cell for piece "A"; give one, or'),
        (
            "##",
            "AA",
            {"only_on": {"A": "###"}},
            'packing: piece "A" may lie on 0,2, which is not on the board',
        ),
        ("4x4", "AA", {}, 'packing: "4x4" looks like the name of a board, and would be a drawing of 3 cells'),
        ("# # #\n# # #", "AA", {}, "packing: every second column is of spaces, which are no cells"),
        ("##\n\n##", "AA", {"lattice": "cube"}, "packing: layers of a board are drawn side by side"),
        ("rectangle 2", "AA", {}, '"rectangle 2" names no board of the square lattice; it has rectangle R C'),
        ("", "AA", {}, "packing: the board has no cells; give it at least one"),
        ("##", "", {}, "packing: there is no piece; give at least one"),
        ("###", "AA", {}, "packing: the pieces have 2 cells, but the board that they fill has 3"),
    ],
)
def test_refusals(board: str, pieces: str, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        rk.packing(board, pieces, **options)  # type: ignore[arg-type]
    assert str(refusal.value).startswith(complaint)
