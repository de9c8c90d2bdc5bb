"""Grids in puzzle files: what each clause means, on boards small enough to try all fillings; and refusals."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import combinations, groupby, pairwise, product
from math import prod
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.grid import word_lists
from rekkyo.export.puzzle_toml.reader import read_toml, read_toml_file
from rekkyo.model.csp.constraints import AllDifferent, GlobalCardinality
from rekkyo.model.csp.csp import Csp
from rekkyo.render.understood import understood
from tests import naive_csp

Row = tuple[int, ...]
Holds = Callable[[Row], bool]

THREE = "...\n...\n..."
TWO = "..\n.."


def text_of(board: str, values: str, clauses: str) -> str:
    return f'kind = "grid"\nvalues = {values}\nboard = """\n{board}\n"""\n{clauses}'


def model_of(text: str) -> Csp:
    model = read_toml(text, "mine.toml").model
    assert isinstance(model, Csp)
    return model


def fillings(text: str) -> set[Row]:
    """The values of the cells in every solution, by the oracle."""
    model = model_of(text)
    return {tuple(model.values[index] for index in row) for row in naive_csp.solutions(model)}


def complaint_about(text: str) -> str:
    with pytest.raises(BadInput) as refusal:
        read_toml(text, "mine.toml")
    return str(refusal.value)


def lines_of(row: Row, n_columns: int) -> list[Row]:
    return [row[start : start + n_columns] for start in range(0, len(row), n_columns)]


def columns_of(row: Row, n_columns: int) -> list[Row]:
    return [row[column::n_columns] for column in range(n_columns)]


def differ(cells: Row) -> bool:
    return len(set(cells)) == len(cells)


def seen(cells: Row) -> int:
    return sum(all(cell > before for before in cells[:place]) for place, cell in enumerate(cells))


def runs(cells: Row) -> list[int]:
    return [len(list(group)) for value, group in groupby(cells) if value]


def hang_together(cells: set[tuple[int, int]]) -> bool:
    reached = set(list(cells)[:1])
    for _ in cells:
        reached |= {(a, b) for a, b in cells for c, d in reached if abs(a - c) + abs(b - d) == 1}
    return reached == cells


SEEN_BOARD = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2))


def seen_from(row: Row, cell: int, piece: str) -> Row:
    """The values of the cells that a piece on a cell of SEEN_BOARD can move to."""
    value_at = dict(zip(SEEN_BOARD, row, strict=True))
    a, b = SEEN_BOARD[cell]
    found = []
    for (c, d), value in value_at.items():
        down, across = abs(a - c), abs(b - d)
        n = max(down, across)
        between = [(a + (c - a) * k // max(n, 1), b + (d - b) * k // max(n, 1)) for k in range(1, n)]
        straight, diagonal = 0 in (down, across), down == across
        is_open = all(square in value_at for square in between)
        reaches = {
            "queen": (straight or diagonal) and is_open,
            "rook": straight and is_open,
            "bishop": diagonal and is_open,
            "king": n == 1,
            "knight": {down, across} == {1, 2},
        }
        if n and reaches[piece]:
            found.append(value)
    return tuple(found)


CLAUSES: list[tuple[str, str, str, Holds]] = [
    (
        "..\n..",
        '"1..3"',
        '[[different]]\nregions = "rows"',
        lambda r: r[0] != r[1] and r[2] != r[3],
    ),
    (
        THREE,
        '"1..3"',
        '[[different]]\nregions = ["rows", "diagonals"]',
        lambda r: all(map(differ, [*lines_of(r, 3), r[::4], r[2:7:2]])),
    ),
    (
        THREE,
        '"1..3"',
        '[[different]]\nregions = ["boxes 1x3", "columns"]',
        lambda r: all(map(differ, [*lines_of(r, 3), *columns_of(r, 3)])),
    ),
    (
        "...\n..#",
        '"1..3"',
        '[[different]]\nregions = "runs"',
        lambda r: differ(r[:3]) and r[3] != r[4] and r[0] != r[3] and r[1] != r[4],
    ),
    (
        "...\n..#",
        '"1..3"',
        '[[different]]\nregions = ["runs across", "runs down"]',
        lambda r: differ(r[:3]) and r[3] != r[4] and r[0] != r[3] and r[1] != r[4],
    ),
    (
        "...\n...",
        '"1..3"',
        '[[different]]\nregions = "all diagonals"',
        lambda r: r[0] != r[4] and r[1] != r[5] and r[1] != r[3] and r[2] != r[4],
    ),
    ("....", '"1..5"', '[[different]]\nregions = "board"', differ),
    (
        "..\n..",
        '"1..3"',
        '[[different]]\nregions = """\nAB\n.A"""',
        lambda r: r[0] != r[3],
    ),
    (
        "..\n..",
        '"1..3"',
        '[[different]]\ncells = """\n0,0 1,1\n1,0 0,1"""',
        lambda r: r[0] != r[3] and r[1] != r[2],
    ),
    (
        "....",
        '"0..2"',
        '[[different]]\nregions = "rows"\nexcept = 0',
        lambda r: differ(tuple(v for v in r if v)),
    ),
    (
        "....",
        '"-ab"',
        '[[different]]\nregions = "rows"\nexcept = "-"',
        lambda r: differ(tuple(v for v in r if v)),
    ),
    (
        "...",
        '"1..5"',
        '[[different]]\nregions = "rows"\napart = 2',
        lambda r: all(abs(r[a] - r[b]) > 1 for a, b in ((0, 1), (0, 2), (1, 2))),
    ),
    (
        "....\n....",
        '"1..2"',
        '[[different]]\npattern = """\n#..\n..#"""\norientations = "all"',
        lambda r: r[0] != r[6] and r[1] != r[7] and r[2] != r[4] and r[3] != r[5],
    ),
    (
        "....",
        "[1, 3, 4, 8]",
        '[[different]]\nregions = "rows"\nof = "differences"',
        lambda r: all(differ(tuple(b - a for a, b in zip(r, r[s:], strict=False))) for s in (1, 2)),
    ),
    (
        "....",
        '"1..4"',
        '[[different]]\nregions = "rows"\nof = "distances"\nsteps = 1',
        lambda r: differ(tuple(abs(b - a) for a, b in pairwise(r))),
    ),
    (
        "....",
        '"1..4"',
        '[[different]]\nregions = "rows"\nof = "differences"\nsteps = [2, 1]',
        lambda r: differ(tuple(b - a for a, b in pairwise(r))) and r[2] - r[0] != r[3] - r[1],
    ),
    (
        THREE,
        '"01"',
        '[[different]]\nregions = "rows"\nof = "words"',
        lambda r: differ(tuple(lines_of(r, 3))),  # type: ignore[arg-type]
    ),
    (
        TWO,
        '"1..4"',
        "[[cage]]\nregions = '''\nAB\nAB'''\nA = \"sum 5\"\nB = \"product 4, different\"",
        lambda r: r[0] + r[2] == 5 and r[1] * r[3] == 4 and r[1] != r[3],
    ),
    (
        TWO,
        '"0..4"',
        "[[cage]]\nregions = '''\nAB\nAB'''\nA = \"difference 2\"\nB = \"quotient 2\"",
        lambda r: abs(r[0] - r[2]) == 2 and (r[1] == 2 * r[3] or r[3] == 2 * r[1]),
    ),
    (
        TWO,
        '"1..4"',
        "[[cage]]\nregions = '''\nA.\nBA'''\neach = \"from 24\"",
        lambda r: all(r[cell] in (2, 4) for cell in (0, 2, 3)),
    ),
    (
        "...\n...",
        '"1..3"',
        '[[compare]]\ncells = """\n0,0 < 0,1 <= 0,2\n\n1,0 1,1 = 1,2 != 2\n0,0 1,0 1 >= 4"""',
        lambda r: r[0] < r[1] <= r[2] and r[3] + r[4] == r[5] != 2 and r[0] + r[3] + 1 >= 4,
    ),
    ("..", '"1..3"', '[[compare]]\ncells = "0,0>0,1"', lambda r: r[0] > r[1]),
    ("..", '"-2..2"', '[[compare]]\ncells = "0,0 0,0 = 0,1 -2"', lambda r: 2 * r[0] == r[1] - 2),
    (
        "....\n....",
        '"-#"',
        '[[lines]]\nclue = "runs"\nvalue = "#"\nrows = "1 1, ?"\ncolumns = ["?", 0, "2", 1]',
        lambda r: (
            runs(r[:4]) == [1, 1] and (r[1], r[5]) == (0, 0) and runs(r[2::4]) == [2] and runs(r[3::4]) == [1]
        ),
    ),
    (
        "......",
        '"0..2"',
        '[[lines]]\nclue = "runs"\nvalue = [1, 2]\nrows = "1 2"',
        lambda r: runs(tuple(min(v, 1) for v in r)) == [1, 2],
    ),
    (
        "....\n.#..",
        '"1..3"',
        '[[lines]]\nclue = "sum"\nrows = "7, 5"\ncolumns = "2, ?, ?, 6"',
        lambda r: sum(r[:4]) == 7 and r[5] + r[6] == 5 and r[0] + r[4] == 2 and r[3] + r[6] == 6,
    ),
    (
        ".....",
        '"1..2"',
        '[[lines]]\nclue = "count"\nvalue = 1\nrows = [3]',
        lambda r: r.count(1) == 3,
    ),
    (
        THREE,
        '"1..3"',
        '[[lines]]\nclue = "visible"\nleft = "2, ?, 1"\nright = "?, 3, ?"\ntop = "?, ?, 2"\nbottom = "1, ?, ?"',
        lambda r: (
            (seen(r[:3]), seen(r[6:])) == (2, 1)
            and seen(r[5:2:-1]) == 3
            and seen(r[2::3]) == 2
            and seen(r[6::-3]) == 1
        ),
    ),
    (
        TWO,
        '"abc"',
        '[[count]]\nvalue = "ab"\ntimes = [1, 2]\nregions = "rows"',
        lambda r: all(line != (2, 2) for line in lines_of(r, 2)),
    ),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = [3, 'any']", lambda r: r.count(2) >= 3),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = 0\ncells = '0,0 1,0'", lambda r: 2 not in r[::2]),
    (
        "...\n...",
        '"01"',
        '[[avoid]]\npattern = "==="\n[[avoid]]\npattern = """\n1.\n.1"""\norientations = "rotations"',
        lambda r: (
            all(len(set(line)) > 1 for line in lines_of(r, 3))
            and not any(r[a] == r[b] == 1 for a, b in ((0, 4), (1, 5), (1, 3), (2, 4)))
        ),
    ),
    (
        "....",
        '"abc"',
        '[[avoid]]\npattern = "a=="',
        lambda r: all(not (r[s] == 0 and r[s + 1] == r[s + 2]) for s in (0, 1)),
    ),
    ("....", '"1..3"', '[[avoid]]\npattern = "=="', lambda r: all(a != b for a, b in pairwise(r))),
    (
        "...\n..#",
        '"A..D"',
        '[[table]]\nregions = "runs"\nwords = "ABC AB BA DD CAB"',
        lambda r: (
            r[:3] in ((0, 1, 2), (2, 0, 1))
            and all(pair in ((0, 1), (1, 0), (3, 3)) for pair in (r[3:], r[:4:3], r[1::3]))
        ),
    ),
    (
        TWO,
        '"AB"',
        '[[table]]\nregions = "rows"\nwords = ["AB", "BA", "AA"]\nrepeat = false',
        lambda r: (1, 1) not in lines_of(r, 2) and r[:2] != r[2:],
    ),
    (
        THREE,
        '"01"',
        "[[connected]]\nvalue = 1",
        lambda r: hang_together({divmod(cell, 3) for cell, value in enumerate(r) if value}),
    ),
    (
        "....\n....",
        '"abc"',
        '[[count]]\nvalue = "a"\nas = "b"\nregions = "rows"',
        lambda r: all(line.count(0) == line.count(1) for line in lines_of(r, 4)),
    ),
    (
        "....",
        '"0..6"',
        '[[different]]\nregions = "rows"\nof = "all distances"',
        lambda r: differ(tuple(abs(a - b) for a, b in combinations(r, 2))),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "queen"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "queen")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "rook"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "rook")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "bishop"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "bishop")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "king"\nitself = false',
        lambda r: all(1 in seen_from(r, cell, "king") for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "knight"\ntimes = [0, 1]',
        lambda r: all((r[cell], *seen_from(r, cell, "knight")).count(1) <= 1 for cell in range(10)),
    ),
    (
        "..\n..",
        '"abc"',
        '[[connected]]\nvalue = "bc"\nregions = """\nAA\nA."""',
        lambda r: r[0] != 0 or 0 in (r[1], r[2]),
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), CLAUSES)
def test_what_a_clause_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    text = text_of(board, values, clauses)
    numbers = model_of(text_of(board, values, "")).values
    wanted = {row for row in product(numbers, repeat=board.count(".")) if holds(row)}
    assert 0 < len(wanted) < len(numbers) ** board.count(".")
    assert fillings(text) == wanted


class TestBoard:
    def test_cells_are_named_by_line_and_column(self) -> None:
        model = model_of(text_of("#.\n ..", '"1..2"', ""))
        assert (model.names, model.grid) == (("0,1", "1,1", "1,2"), None)

    def test_a_full_rectangle_is_a_grid(self) -> None:
        assert model_of(text_of("...\n...", '"1..2"', "")).grid == (2, 3)
        assert model_of(text_of("#..\n#..", '"1..2"', "")).grid == (2, 2)

    def test_given_values_in_the_board_and_in_a_drawing_of_their_own(self) -> None:
        once = model_of(text_of("1.\n.3", '"1..4"', ""))
        apart = model_of(text_of(TWO, '"1..4"', "given = '''\n1.\n.3'''"))
        assert once == apart
        assert once.domains == ((1,), (1, 2, 3, 4), (1, 2, 3, 4), (3,))

    def test_hidden_variables_are_no_part_of_a_solution(self) -> None:
        model = model_of(text_of("...", '"1..3"', '[[different]]\nregions = "rows"\nof = "differences"'))
        assert model.solution == (0, 1, 2)
        assert len(model.names) == 6

    def test_a_mark_for_no_cell_that_is_a_value_is_a_given_value(self) -> None:
        assert model_of(text_of("#.", '".#"'.replace(".", "-"), "")).domains == ((1,), (0, 1))


class TestValues:
    @pytest.mark.parametrize(
        ("values", "numbers", "symbols"),
        [
            ('"1..9"', tuple(range(1, 10)), "123456789"),
            ('"0..12"', tuple(range(13)), "0123456789abc"),
            ("[8, 1, 4]", (1, 4, 8), "148"),
            ('"A..D"', (0, 1, 2, 3), "ABCD"),
            ('"-*"', (0, 1), "-*"),
            ('"10"', (0, 1), "01"),
            ('"zyx"', (0, 1, 2), "zyx"),
        ],
    )
    def test_numbers_and_their_characters(self, values: str, numbers: Row, symbols: str) -> None:
        puzzle = read_toml(text_of("..", values, ""), "mine.toml")
        assert isinstance(puzzle.model, Csp)
        assert (puzzle.model.values, puzzle.symbols) == (numbers, symbols)

    def test_values_that_no_cell_can_have_are_no_values_of_the_model(self) -> None:
        puzzle = read_toml(text_of("24", '"1..9"', ""), "mine.toml")
        assert puzzle.symbols == "24"

    def test_many_values(self) -> None:
        text = text_of(".....", '"1..200"', '[[compare]]\ncells = "0,0 0,1 >= 399"')
        assert len(model_of(text).values) == 200

    def test_numbers_below_zero_have_no_characters(self) -> None:
        assert fillings(text_of("..", '"-1..1"', '[[compare]]\ncells = "0,0 0,1 = -2"')) == {(-1, -1)}


OBJECTIVES: list[tuple[str, str, str, Callable[[Row], int]]] = [
    ('"ab"', '[[avoid]]\npattern = "bb"', 'maximize = "count b"', lambda r: r.count(1)),
    ('"abc"', '[[avoid]]\npattern = "=="', 'minimize = "count ac"', lambda r: -r.count(0) - r.count(2)),
    ('"1..4"', '[[different]]\nregions = "rows"', 'maximize = "sum 0,0 0,2"', lambda r: r[0] + r[2]),
    ('"1..4"', '[[different]]\nregions = "rows"', 'minimize = "sum"', lambda r: -sum(r)),
    ("[-1, 70]", '[[avoid]]\npattern = "=="', 'maximize = "0,3"', lambda r: r[3]),
    ("[-1, 70]", '[[compare]]\ncells = "0,0 < 0,1"', 'minimize = "count 70"', lambda r: -r.count(70)),
]


class TestObjectives:
    @pytest.mark.parametrize(("values", "clause", "objective", "worth"), OBJECTIVES)
    def test_only_the_best_count(
        self, values: str, clause: str, objective: str, worth: Callable[[Row], int]
    ) -> None:
        every = fillings(text_of("....", values, clause))
        best = max(map(worth, every))
        text = text_of("....", values, f"{objective}\n{clause}")
        assert fillings(text) == {row for row in every if worth(row) == best}
        assert rk.count(read_toml(text, "mine.toml")).optimum == abs(best)

    def test_the_puzzle_is_shown_with_its_objective(self) -> None:
        puzzle = read_toml(text_of("..", '"ab"', 'minimize = "count  b"'), "mine.toml")
        assert "minimize ~count b" in understood(puzzle)


class TestNamedBoards:
    def test_a_name_stands_for_a_drawing(self) -> None:
        assert model_of(text_of("rectangle 2 3", '"12"', "")) == model_of(text_of("...\n...", '"12"', ""))
        assert model_of(text_of("triangle 2", '"12"', "")).names == ("0,0", "1,0", "1,1")

    def test_drawings_lie_on_it(self) -> None:
        model = model_of(text_of("rectangle 2 2", '"12"', 'given = "1.\\n.2"'))
        assert model.domains == ((1,), (1, 2), (1, 2), (2,))

    def test_a_text_of_values_is_a_drawing(self) -> None:
        assert len(model_of(text_of("abba", '"ab"', "")).names) == 4


class TestSmallModels:
    """Clauses become few constraints of a kind that engines are good at."""

    def test_pairs_that_a_pattern_meets_twice_are_there_once(self) -> None:
        text = text_of(TWO, '"1..4"', '[[different]]\npattern = "##"\norientations = "all"')
        assert model_of(text).constraints == tuple(AllDifferent(p) for p in ((0, 1), (2, 3), (0, 2), (1, 3)))

    def test_counts_of_one_value(self) -> None:
        text = text_of(TWO, '"-*"', '[[count]]\nvalue = "*"\ntimes = 1\nregions = "rows"')
        assert model_of(text).constraints == tuple(
            GlobalCardinality(row, ((1, 1, 1),)) for row in ((0, 1), (2, 3))
        )


class TestFilesOfWords:
    def test_a_file_beside_the_puzzle(self, tmp_path: Path) -> None:
        (tmp_path / "words.txt").write_text("AB BA\nAé ABA\r\nA\n", encoding="utf-8")
        path = tmp_path / "mine.toml"
        path.write_text(text_of(TWO, '"AB"', '[[table]]\nregions = "rows"\nfile = "words.txt"'))
        model = read_toml_file(path).model
        assert isinstance(model, Csp)
        assert naive_csp.solutions(model) == [(0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0)]

    @pytest.mark.parametrize("name", ["../words.txt", "/etc/passwd", "a\\\\b", "c:x", "", "..", "a\\u0000b"])
    def test_only_names_of_files_in_the_folder(self, tmp_path: Path, name: str) -> None:
        assert 'mine.toml:7:8: "file" is the name of a file' in self.complaint(tmp_path, name)

    def test_missing_files_folders_and_long_files(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "mine.toml:7:8: none.txt cannot be read: No such file" in self.complaint(tmp_path, "none.txt")
        (tmp_path / "folder").mkdir()
        assert "folder" in self.complaint(tmp_path, "folder")
        (tmp_path / "long.txt").write_text("AB " * 10)
        monkeypatch.setattr(word_lists, "MAX_BYTES", 20)
        assert "long.txt has more than the 20 bytes that are read" in self.complaint(tmp_path, "long.txt")

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "bad.txt").write_bytes(b"AB \xff")
        assert "mine.toml:7:8: bad.txt is not text" in self.complaint(tmp_path, "bad.txt")

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_links_and_pipes_are_not_opened(self, tmp_path: Path) -> None:
        (tmp_path / "link.txt").symlink_to("/etc/hostname")
        assert "is a link or no file at all" in self.complaint(tmp_path, "link.txt")
        os.mkfifo(tmp_path / "pipe.txt")
        assert "is a link or no file at all" in self.complaint(tmp_path, "pipe.txt")

    def test_a_text_without_a_folder_reads_no_files(self) -> None:
        said = complaint_about(text_of(TWO, '"AB"', '[[table]]\nregions = "rows"\nfile = "words.txt"'))
        assert said.startswith("mine.toml:9:1: a puzzle that is no file itself")

    def complaint(self, folder: Path, name: str) -> str:
        path = folder / "mine.toml"
        path.write_text(
            f'kind = "grid"\nvalues = "AB"\nboard = "..."\n\n[[table]]\nregions = "rows"\nfile = "{name}"'
        )
        with pytest.raises(BadInput) as refusal:
            read_toml_file(path)
        assert "\n" not in str(refusal.value)
        return str(refusal.value)


HEAD = 'kind = "grid"\nvalues = "1..4"\nboard = "...."\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('kind = "grid"\nboard = "."', '1:1: "values" is missing; give them as "1..9"'),
        ('kind = "grid"\nvalues = "1..9"', '1:1: "board" is missing'),
        ('kind = "grid"\nvalues = "aa"\nboard = "."', "2:10: values are 1 to 1024 different characters"),
        ('kind = "grid"\nvalues = ""\nboard = "."', "2:10: values are 1 to 1024 different characters"),
        ('kind = "grid"\nvalues = "z..a"\nboard = "."', '2:10: from "z" to "a" are not 1 to 1024'),
        ('kind = "grid"\nvalues = "1..2000"\nboard = "."', "2:10: from 1 to 2000 are not 1 to 1024"),
        ('kind = "grid"\nvalues = []\nboard = "."', "2:10: 0 values; take 1 to 1024"),
        ('kind = "grid"\nvalues = [2, 2]\nboard = "."', "2:10: a value is there twice"),
        ('kind = "grid"\nvalues = [1, "a"]\nboard = "."', "2:14: this is no whole number"),
        ('kind = "grid"\nvalues = 7\nboard = "."', '2:10: "values" is a whole number; write a text'),
        ('kind = "grid"\nvalues = "12"\nboard = """\n..\n.x"""', '5:2: "x" is no cell; draw "." for a cell'),
        (
            'kind = "grid"\nvalues = "12"\nboard = """\n..\n.\t"""',
            '5:2: "\\t" is no cell; draw "." for a cell',
        ),
        ('kind = "grid"\nvalues = "12"\nboard = "##"', "3:1: the board has no cells"),
        (HEAD + 'given = "...5"', '4:13: "5" is none of the values 1234'),
        (HEAD + 'given = "....5"', '4:14: "5" is not on the board'),
        (HEAD + 'given = """\n1...\n...."""', "4:1: the drawing has 2 lines, but the board has 1"),
        (HEAD.replace('"....', '"1...') + 'given = "2..."', "4:10: the board gives this cell another value"),
        (
            HEAD + '[[diferent]]\nregions = "rows"',
            '4:1: there is no key "diferent"; did you mean "different"?',
        ),
        (HEAD + "[[different]]", '4:1: "regions" is missing; name rows, columns'),
        (HEAD + '[[different]]\nregions = "rows"\nof = "sums"', '6:6: "of" is "sums", which is not known'),
        (HEAD + '[[different]]\nregions = "rows"\ncells = "0,0"', '6:1: "regions" and "cells" both say'),
        (HEAD + '[[different]]\nregions = "rows"\npattern = "##"', '5:1: "pattern" and "regions" both say'),
        (HEAD + '[[different]]\nregions = "rows"\nwhere = "here"', '6:1: "where" goes with a pattern'),
        (HEAD + '[[different]]\nregions = "rows"\nsteps = 1', '6:1: "steps" goes with of = "differences"'),
        (HEAD + '[[different]]\nregions = "rows"\nof = "words"\nexcept = 1', '7:1: "except" goes with of ='),
        (HEAD + '[[different]]\nregions = "rows"\nexcept = 1\napart = 2', '7:1: "apart" and "except" do not'),
        (HEAD + '[[different]]\nregions = "rows"\nexcept = 7', '6:10: "except" names values, which are 1234'),
        (HEAD + '[[different]]\nregions = "rows"\nexcept = [1, 7]', '6:14: "except" names values'),
        (HEAD + '[[different]]\nregions = "rows"\nexcept = []', '6:10: "except" names no value'),
        (
            HEAD + '[[different]]\nregions = "rows"\nof = "distances"\nsteps = [1, 0]',
            '7:13: "steps" is a number from 1 to 4096',
        ),
        (
            HEAD + '[[different]]\npattern = "ab"',
            "5:1: all cells of the pattern differ, so draw them with one",
        ),
        (HEAD + '[[different]]\nregions = "diagonals"', "5:1: only a square board has two long diagonals"),
        (HEAD + '[[different]]\nregions = "runs down"', "5:1: there are no such cells on the board"),
        (HEAD + '[[different]]\ncells = ""', "5:1: there are no such cells on the board"),
        (HEAD + '[[different]]\ncells = "0,0 0,9"', '5:14: there is no cell "0,9"; cells are 0,0, 0,1'),
        (HEAD + '[[different]]\ncells = "0,0 0,0"', "5:10: the line names a cell twice"),
        (HEAD + '[[different]]\nregions = ["rows", 3]', "5:20: regions are 1 to 64 texts"),
        (
            HEAD.replace("1..4", "1..3") + '[[different]]\nregions = "rows"',
            "4:1: 4 cells cannot all differ in 3 values; take fewer",
        ),
        (
            'kind = "grid"\nvalues = "12"\nboard = """\n..\n.."""\n[[different]]\nregions = "row"',
            '7:1: regions are "rows", "columns", "runs"',
        ),
        (
            'kind = "grid"\nvalues = "12"\nboard = """\n..\n.."""\n[[different]]\nregions = """\nAA\nAA\nAA"""',
            "7:1: the drawing has 3 lines, but the board has 2; draw all of them",
        ),
        (
            'kind = "grid"\nvalues = "12"\nboard = """\n..\n.#"""\n[[different]]\nregions = """\nAA\nAA"""',
            '9:2: "A" is not on the board',
        ),
        (HEAD + '[[cage]]\nA = "sum 3"', '4:1: "regions" is missing'),
        (HEAD + '[[cage]]\nregions = "AABB"\nA = "sum 3"', '5:1: nothing is said of cage "B"; write B ='),
        (HEAD + '[[cage]]\nregions = "AA.."\nA = "sum 3"\nB = "sum 4"', '7:1: there is no cage "B"'),
        (HEAD + '[[cage]]\nregions = "AA.."\nA = "sum x"', '6:5: "sum x" is no rule of a cage; write sum 12'),
        (HEAD + '[[cage]]\nregions = "AA.."\nA = ""', '6:5: "" is no rule of a cage'),
        (HEAD + '[[cage]]\nregions = "AAA."\nA = "quotient 2"', "6:1: a difference or quotient is of two"),
        (HEAD + '[[cage]]\nregions = "AA.."\nA = "from 59"', '6:5: "5" is none of the values 1234'),
        (
            HEAD.replace('"....', '"1...') + '[[cage]]\nregions = "AA.."\nA = "from 23"',
            "6:5: cell 0,0 can have none of these values",
        ),
        (
            HEAD.replace("1..4", "1..3") + '[[cage]]\nregions = "AAAA"\nA = "different"',
            "6:1: 4 cells cannot all differ in 3 values",
        ),
        (HEAD + '[[compare]]\ncells = "0,0 0,1"', "5:10: the line compares nothing"),
        (HEAD + '[[compare]]\ncells = "0,0 =< 0,1"', '5:14: "=<" is no relation; take one of < <= = != >= >'),
        (HEAD + '[[compare]]\ncells = "0,0 <"', '5:14: behind "<" there are no cells'),
        (HEAD + '[[compare]]\ncells = "< 0,0"', '5:10: before "<" there are no cells'),
        (HEAD + '[[compare]]\ncells = """\n\n 0,0 < a\n"""', '7:8: there is no cell "a"'),
        (HEAD + '[[compare]]\ncells = "0,0 < 99999999999"', "5:16: a number beyond 1000000000"),
        (HEAD + '[[lines]]\nrows = "1"', '4:1: "clue" is missing; write clue = "runs"'),
        (HEAD + '[[lines]]\nclue = "runs"', "4:1: there are no clues; write at least one of rows, columns"),
        (
            HEAD + '[[lines]]\nclue = "runs"\nleft = "1"',
            '6:1: clue = "runs" has rows, columns, and no "left"',
        ),
        (
            HEAD + '[[lines]]\nclue = "sum"\nvalue = 1\nrows = "1"',
            '6:1: "value" goes with "runs" and "count"',
        ),
        (HEAD + '[[lines]]\nclue = "sum"\nrows = "1, 2"', "6:8: 2 clues for the 1 rows of the board"),
        (HEAD + '[[lines]]\nclue = "sum"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 sums, but there are 1'),
        (HEAD + '[[lines]]\nclue = "sum"\nrows = ["x"]', '6:9: clue 1 of "rows" is no clue'),
        (HEAD + '[[lines]]\nclue = "sum"\nrows = [[1]]', '6:9: clue 1 of "rows" is no clue'),
        (
            HEAD + '[[lines]]\nclue = "runs"\nrows = "2 2"',
            '6:8: clue 1 of "rows" needs 5 cells, but there are 4',
        ),
        (HEAD + '[[lines]]\nclue = "runs"\nrows = "2 ?"', '6:8: clue 1 of "rows" has numbers from 1, all'),
        (HEAD + '[[lines]]\nclue = "count"\nrows = "5"', '6:8: clue 1 of "rows" is 5, but there are only 4'),
        (HEAD + '[[lines]]\nclue = "count"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 numbers; give one'),
        (
            HEAD + '[[lines]]\nclue = "visible"\nleft = "0"',
            '6:8: clue 1 of "left" is 0, but 1 to 4 cells can',
        ),
        (HEAD + "[[count]]\ntimes = 1", '4:1: "value" is missing; name one or more of 1234'),
        (HEAD + "[[count]]\nvalue = 1", '4:1: "times" is missing; write 2'),
        (HEAD + "[[count]]\nvalue = 1\ntimes = [2, 1]", "6:9: 2 to 1 times is never"),
        (HEAD + "[[count]]\nvalue = 1\ntimes = [2]", '6:9: "times" is 2, [1, 3], [1, "any"] or "any"'),
        (HEAD + "[[count]]\nvalue = 1\ntimes = 5", "6:1: 5 cells or more, but a region has only 4"),
        (HEAD + '[[count]]\nvalue = "x"\ntimes = 1', '5:9: "x" is none of the values 1234'),
        (HEAD + "[[avoid]]", '4:1: "pattern" is missing'),
        (HEAD + '[[avoid]]\npattern = "x="', '5:12: "x" is no value; use "=" or one of 1234'),
        (HEAD + '[[avoid]]\npattern = "1="', "5:1: one cell alone always has one value"),
        (HEAD + '[[table]]\nregions = "rows"', '4:1: [[table]] has either "words" or "file"'),
        (HEAD + '[[table]]\nregions = "rows"\nwords = "1235"', '6:9: "5" of "1235" is none of the values'),
        (HEAD + '[[table]]\nregions = "rows"\nwords = ["12", "1 2"]', '6:16: " " of "1 2" is none of the'),
        (HEAD + '[[table]]\nregions = "rows"\nwords = "123"', "4:1: no word has 4 letters, as a region has"),
        (
            HEAD.replace('"1..4"', "[-1, 1]") + '[[table]]\nregions = "rows"\nwords = "1"',
            "4:1: words need values that are characters, or numbers from 0 to 61",
        ),
        (HEAD + "[[count]]\nvalue = 1\ntimes = 1\nas = 2", '7:1: "times" and "as" both say how many'),
        (HEAD + '[[see]]\nmoves = "queen"', '4:1: "value" is missing'),
        (HEAD + "[[see]]\nvalue = 1", '4:1: "moves" is missing; write moves = "queen"'),
        (HEAD + '[[see]]\nvalue = 1\nmoves = "pawn"', '6:9: "moves" is "pawn", which is not known'),
        (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\ntimes = 3', "7:1: 3 cells or more, but cell 0,0 sees"),
        (HEAD + 'maximize = "sum"\nminimize = "sum"', '5:1: a file has "maximize" or "minimize", not both'),
        (HEAD + 'maximize = "most"', '4:12: "most" is not known; write "count 1"'),
        (HEAD + 'maximize = "count 9"', '4:12: "9" is none of the values 1234'),
        (HEAD + 'maximize = "sum 0,0 0,9"', '4:21: there is no cell "0,9"'),
        (HEAD + 'maximize = "sum 0,0 0,0"', "4:1: the sum names a cell twice"),
        (HEAD.replace('"1..4"', "[0, 65535]") + 'minimize = "sum"', "4:12: the sum goes from 0 to 262140"),
        (HEAD.replace("....", "rectangle 2"), '3:1: "rectangle 2" names no board of the square lattice'),
        (HEAD.replace("....", "rectangle 70 70"), "3:1: the board has 4900 cells, more than 4096"),
        (HEAD + "[[connected]]", '4:1: "value" is missing'),
        (HEAD + "[connected]\nvalue = 1", '4:1: "connected" is a table; write tables, [[connected]]'),
    ],
)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    said = complaint_about(text)
    assert said.startswith(f"mine.toml:{complaint}")
    assert "\n" not in said
    assert len(said) < 400


class TestBounds:
    def test_huge_boards(self) -> None:
        board = "\n".join(["." * 100] * 50)
        assert "more than the 4096 cells" in complaint_about(text_of(board, '"01"', ""))

    def test_differences_of_values_far_apart(self) -> None:
        clause = '[[different]]\nregions = "rows"\nof = "differences"'
        assert "the values span 100000" in complaint_about(text_of("...", "[0, 100000]", clause))

    @pytest.mark.parametrize(
        ("side", "values", "clause", "complaint"),
        [
            (60, '"01"', '[[different]]\nregions = "rows"\nof = "words"', "more than the 65536 variables"),
            (30, '"1..1024"', '[[different]]\nregions = "rows"\napart = 2', "entries of tables"),
            (30, '"1..1024"', '[[different]]\nregions = "rows"\nof = "distances"', "entries of tables"),
            (9, '"1..1024"', f'[[lines]]\nclue = "visible"\nleft = "{"9," * 8}9"', "entries of tables"),
            (60, '"01"', '[[avoid]]\npattern = """\n==\n=="""\nstretch = "freely"', "the pattern would have"),
        ],
    )
    def test_what_would_take_too_much_memory(
        self, side: int, values: str, clause: str, complaint: str
    ) -> None:
        board = "\n".join(["." * side] * side)
        assert complaint in complaint_about(text_of(board, values, clause))

    def test_products_of_many_cells(self) -> None:
        text = text_of("....", '"1..9"', f'[[cage]]\nregions = "AAAA"\nA = "product {9**4}"')
        assert fillings(text) == {(9, 9, 9, 9)}
        assert prod((9, 9, 9, 9)) == 9**4
