"""Langford pairings and sudoku: exact covers of the catalog."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import permutations
from math import factorial
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.catalog import index
from rekkyo.catalog.covers import langford, sudoku
from rekkyo.catalog.entry import table
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.symmetry.products import product_of
from tests.catalog.searched import counts, group_order, rows
from tests.model import naive_x

CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def grid(puzzle: Puzzle, row: Sequence[int]) -> str:
    """The digits of a sudoku's solution."""
    return "".join(filter(str.isdigit, rk.board(puzzle, row)))


class TestLangford:
    @pytest.mark.parametrize("n", range(1, 12))
    def test_counts_are_the_published_ones(self, n: int) -> None:
        puzzle = langford(n)
        assert puzzle.published is not None
        found = counts(puzzle) if group_order(puzzle) == 2 else (len(naive_x.solutions(puzzle.model)), 0)
        assert puzzle.published.agrees_with(*found)

    def test_the_rows_are_the_pairings(self) -> None:
        pairings = {
            line
            for line in permutations([1, 1, 2, 2, 3, 3])
            if all(line[i + k + 1 : i + k + 2] == (k,) for k in (1, 2, 3) for i in [line.index(k)])
        }
        model = langford(3).model
        assert isinstance(model, ExactCover)
        found = set()
        for row in naive_x.solutions(model):
            line = [0] * 6
            for (pair, _), *places in (model.options[number] for number in row):
                for place, _ in places:
                    line[place - 3] = pair + 1
            found.add(tuple(line))
        assert found == pairings
        assert len(pairings) == 2

    def test_a_pair_that_does_not_fit_leaves_no_option(self) -> None:
        puzzle = langford(1)
        assert (puzzle.model.row_shape.n_values, puzzle.generators) == (1, ())
        assert naive_x.solutions(puzzle.model) == []
        assert rk.count(puzzle).unique == 0

    @pytest.mark.parametrize("n", ["0", "201", "3.0", "three"])
    def test_bad_numbers(self, n: str) -> None:
        with pytest.raises(BadInput, match=f'langford: N must be a whole number from 1 to 200, not "{n}"'):
            rk.puzzle(["langford", n])

    def test_every_line_of_the_data_is_a_puzzle(self) -> None:
        for name, parameter in table("covers"):
            words = [name] if parameter == "-" else [name, parameter]
            assert index.puzzle(words).published == table("covers")[name, parameter]


def model_of(puzzle: Puzzle) -> ExactCover:
    assert isinstance(puzzle.model, ExactCover)
    return puzzle.model


class TestSudoku:
    def test_the_grid_that_completes_the_clues(self) -> None:
        puzzle = sudoku(clues=CLUES)
        (row,) = rows(puzzle)
        assert grid(puzzle, row) == SOLVED
        assert rk.verify(puzzle, row) == []
        assert naive_x.solutions(puzzle.model) == [row]

    def test_items_and_options(self) -> None:
        empty, filled = model_of(sudoku()), model_of(sudoku(clues=SOLVED))
        assert (len(empty.primary), len(empty.options), empty.row_shape.length) == (324, 729, 81)
        assert (len(filled.primary), len(filled.options), filled.row_shape.length) == (324, 81, 81)
        assert [empty.item_name(item) for item, _ in empty.options[9 * 80 + 8]] == [
            "r9c9",
            "r9=9",
            "c9=9",
            "b9=9",
        ]
        assert {len({option[place] for option in filled.options}) for place in range(4)} == {81}

    def test_two_grids_where_four_cells_are_open(self) -> None:
        # Rows 4 and 5, columns 3 and 8 of the solved grid hold 9 and 6 crosswise in the same boxes or not at
        # all; opening every 1 and every 2 leaves at least the exchange of 1 and 2.
        clues = SOLVED.replace("1", ".").replace("2", ".")
        puzzle = sudoku(clues=clues)
        solutions = {grid(puzzle, row) for row in rows(puzzle)}
        exchanged = SOLVED.translate(str.maketrans("12", "21"))
        assert {SOLVED, exchanged} <= solutions
        assert {tuple(exchanged[i] for i in range(81))} <= {tuple(text) for text in solutions}

    @pytest.mark.long
    def test_all_grids(self) -> None:
        """OEIS A107739; Russell and Jarvis, Mathematics of Sudoku II (2006)."""
        counted = rk.count(sudoku(), up_to="essentially-different")
        assert (counted.engine, counted.total) == ("cover-frontier", 6_670_903_752_021_072_936_960)
        assert counted.unique == 5_472_730_538

    def test_moves_take_grids_to_grids(self) -> None:
        """And there are as many as Russell and Jarvis say, with 2 * 6^8 moves of cells."""
        puzzle, relation = sudoku(), sudoku().relation("essentially-different")
        row = [9 * cell + int(digit) - 1 for cell, digit in enumerate(SOLVED)]
        images = [sorted(move[option] for option in row) for move in relation.generators]
        assert [rk.verify(puzzle, image) for image in images] == [[]] * len(images)
        assert row not in images
        product = product_of(relation.generators)
        assert product is not None
        assert product.order == 2 * 6**8 * factorial(9)

    def test_clues_leave_no_move(self) -> None:
        assert not sudoku(clues=CLUES).relations

    @pytest.mark.parametrize(
        ("height", "width", "total", "unique"),
        [
            (2, 2, 288, 2),
            (2, 3, 28_200_960, 49),
            pytest.param(2, 4, 29_136_487_207_403_520, 1_673_187, marks=pytest.mark.long),
            pytest.param(3, 3, 6_670_903_752_021_072_936_960, 5_472_730_538, marks=pytest.mark.long),
        ],
    )
    def test_classes_of_all_grids(self, height: int, width: int, total: int, unique: int) -> None:
        """Boxes of so many rows and columns. Felgenhauer, Russell and Jarvis, Mathematics of Sudoku I and II (2006),
        and Jarvis's pages for the other sizes: by Burnside's lemma over 100, 990, 8,800 and 8,250 classes.
        """
        n, problem = height * width, rk.Problem()
        cells = [problem.variables([f"{r},{c}" for c in range(n)], range(n)) for r in range(n)]
        boxes = [
            [cells[r + i][c + j] for i in range(height) for j in range(width)]
            for r in range(0, n, height)
            for c in range(0, n, width)
        ]
        for unit in (*cells, *zip(*cells, strict=True), *boxes):
            problem.all_different(unit)
        puzzle, _ = rk.with_own_symmetry(problem.puzzle("sudokus"))
        for engine in (None, "csp-frontier"):
            counted = rk.count(puzzle, engine=engine, up_to="constraints")
            assert (counted.total, counted.unique) == (total, unique)

    def test_clues_that_contradict_each_other_have_no_grid(self) -> None:
        assert rows(sudoku(clues="55" + "." * 79)) == []

    def test_clues_out_of_a_file(self, tmp_path: Path) -> None:
        lines = [CLUES[9 * row : 9 * row + 9].replace(".", "0") for row in range(9)]
        framed = [f"{line[:3]} | {line[3:6]} | {line[6:]}" for line in lines]
        file = tmp_path / "grid.txt"
        file.write_text("\n".join([*framed[:3], "----+-----+----", *framed[3:]]) + "\n", encoding="utf-8")
        puzzle = index.puzzle(["sudoku", "--clues", str(file)])
        assert puzzle.name == f"sudoku --clues {CLUES}"
        assert index.puzzle(puzzle.name.split()) == puzzle

    def test_a_file_with_a_byte_order_mark(self, tmp_path: Path) -> None:
        file = tmp_path / "grid.txt"
        file.write_text(CLUES, encoding="utf-8-sig")
        assert index.puzzle(["sudoku", str(file)]).name == f"sudoku --clues {CLUES}"

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
    def test_a_named_pipe_is_not_read(self, tmp_path: Path) -> None:
        """Without a process at its other end, opening it would wait forever; here it has more than is read."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        other_end = os.open(pipe, os.O_RDWR)
        try:
            os.write(other_end, b"." * 5000)
            with pytest.raises(BadInput, match="is neither 81 cells nor a file that can be read"):
                index.puzzle(["sudoku", str(pipe)])
        finally:
            os.close(other_end)

    @pytest.mark.parametrize(
        ("clues", "complaint"),
        [
            ("4", "sudoku: 1 cell instead of 81; use . or 0 for an empty cell"),
            ("123", "sudoku: 3 cells instead of 81; use . or 0 for an empty cell"),
            ("x" * 81, 'sudoku: clue 1 is "x"; use 1 to 9, and . or 0 for an empty cell'),
            ("." * 80 + "٣", 'sudoku: clue 81 is "٣"; use 1 to 9, and . or 0 for an empty cell'),
            ("no/such/file", 'sudoku: "no/such/file" is neither 81 cells nor a file that can be read'),
            ("/", 'sudoku: "/" is neither 81 cells nor a file that can be read'),
            ("nul\0", 'sudoku: "nul\\x00" is neither 81 cells nor a file that can be read'),
            ("x" * 500, f'sudoku: "{"x" * 27}..." is neither 81 cells nor a file that can be read'),
        ],
    )
    def test_bad_clues(self, clues: str, complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            index.puzzle(["sudoku", "--clues", clues])
        assert str(refusal.value) == complaint

    def test_a_long_file_is_not_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # a path of 81 letters would be taken for a grid
        Path("long.txt").write_bytes(b"." * 5000)
        with pytest.raises(BadInput, match="is longer than a grid of 81 cells"):
            index.puzzle(["sudoku", "--clues", "long.txt"])

    def test_clues_once(self) -> None:
        with pytest.raises(BadInput, match="sudoku: --clues is given twice; give it once"):
            index.puzzle(["sudoku", "--clues", CLUES, f"--clues={CLUES}"])
        with pytest.raises(BadInput, match="is one word too many; usage: sudoku"):
            index.puzzle(["sudoku", CLUES, "--clues", CLUES])
