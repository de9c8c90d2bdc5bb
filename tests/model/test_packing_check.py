"""The check of a packing's rows, and what is seen without a search."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rekkyo as rk
from rekkyo.model.lattices import SQUARE, Cell
from rekkyo.model.packing import Packing, Piece
from rekkyo.verify import violations
from tests.model.test_packing import I1, I2, I3, L3, rectangle, shape


class TestTheCheck:
    model = Packing(SQUARE, rectangle(2, 3), (Piece("L", L3, 2, 2),))

    def row(self, *shapes: str) -> list[int]:
        numbers = {frozenset(cells): n for n, (_, cells) in enumerate(self.model.placements())}
        return [numbers[shape(text)] for text in shapes]

    @pytest.mark.parametrize(
        ("shapes", "complaints"),
        [
            (("xx\nx", "..x\n.xx"), []),
            (("..x\n.xx", "xx\nx"), ["options are not in increasing order"]),
            (
                ("xx\nx", "xx\nx"),
                [
                    "option 0 is chosen twice",
                    *(f"cell {cell} is covered 2 times" for cell in ("0,0", "0,1", "1,0")),
                    *(f"cell {cell} is not covered" for cell in ("0,2", "1,1", "1,2")),
                ],
            ),
            (
                ("xx\nx",),
                [
                    "piece L is placed once, not 2 times",
                    *(f"cell {cell} is not covered" for cell in ("0,2", "1,1", "1,2")),
                ],
            ),
        ],
    )
    def test_says_what_is_wrong(self, shapes: tuple[str, ...], complaints: list[str]) -> None:
        assert violations(self.model, self.row(*shapes)) == complaints

    def test_says_which_cells_may_not_stay_empty(self) -> None:
        model = Packing(
            SQUARE, rectangle(1, 3), (Piece("o", I1, 0, None),), optional=frozenset({(0, 1), (0, 2)})
        )
        assert violations(model, [1]) == ["cell 0,0 is not covered"]
        assert violations(model, [0]) == violations(model, [0, 2]) == []

    def test_says_when_a_piece_lies_where_it_may_not(self) -> None:
        everywhere = Packing(SQUARE, rectangle(1, 3), (Piece("o", I1, 0, None),), filled=False)
        model = replace(everywhere, pieces=(Piece("o", I1, 0, None, rectangle(1, 2)),))
        model._memo["lowered"] = everywhere._lowered()
        assert violations(model, [1, 2]) == ["piece o at 0,2 lies where it may not"]

    def test_says_when_a_given_piece_is_not_there(self) -> None:
        free = Packing(SQUARE, rectangle(1, 3), (Piece("o", I1, 1, 2),), filled=False)
        model = replace(free, given=frozenset({("o", frozenset({(0, 1)}))}))
        assert [placement.cells for placement in model.placements()] == [((0, 0),), ((0, 1),), ((0, 2),)]
        assert violations(model, [0]) == ["piece o is not where it is given"]
        assert violations(model, [0, 1]) == []

    def test_through_the_public_name(self) -> None:
        puzzle = rk.puzzle(["dominoes", "2", "2"])
        assert rk.verify(puzzle, (0, 3)) == []
        assert rk.verify(puzzle, (0, 1)) != []


class TestObstacles:
    def test_a_piece_that_fits_nowhere(self) -> None:
        model = Packing(SQUARE, rectangle(2, 3), (Piece("long", shape("xxxx")), Piece("D", I2)))
        assert model.obstacles() == ['piece "long" fits nowhere on the board']

    def test_a_cell_that_nothing_covers(self) -> None:
        board = frozenset({(0, 0), (0, 1), (5, 5), (7, 7)})
        assert Packing(SQUARE, board, (Piece("D", I2, 0, None),)).obstacles() == [
            "no piece can cover cell 5,5 (nor 1 other)"
        ]

    @pytest.mark.parametrize(
        ("piece", "board", "optional", "wanted"),
        [
            (Piece("D", I2, 0, None), rectangle(3, 3), frozenset(), "9"),
            (Piece("I", I3, 1, 2), rectangle(1, 5), frozenset({(0, 0)}), "4 to 5"),
        ],
    )
    def test_a_board_that_no_number_of_copies_fills(
        self, piece: Piece, board: frozenset[Cell], optional: frozenset[Cell], wanted: str
    ) -> None:
        """A sequence of boards has a term of 0 here, as OEIS A099390 has for dominoes on odd boards."""
        model = Packing(SQUARE, board, (piece,), optional=optional)
        assert model.obstacles() == [
            f"the board that the pieces fill has {wanted} cells, but no choice of the pieces has as many"
        ]
        counted = rk.count(rk.Puzzle("odd", model, "an odd board"))
        assert (counted.total, counted.nodes) == (0, 0)

    def test_none_to_be_seen(self) -> None:
        assert Packing(SQUARE, rectangle(2, 3), (Piece("D", I2, 0, None),)).obstacles() == []
