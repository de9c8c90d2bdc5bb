"""Text out of rows, and rows out of text."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.symbols import two_runs, write_runs, write_symbols
from rekkyo.errors import BadInput, BadSolution
from rekkyo.export.read import MAX_LINE_LENGTH, MAX_SKIPPED, read_lines, read_row
from rekkyo.export.text import FORMATS, writer
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, RowShape

QUEENS_5 = rk.queens(5)
ROWS = np.array([[0, 2, 4, 1, 3], [1, 3, 0, 2, 4]], dtype=np.uint8)


class Sets:
    """A model whose rows are sets of up to three of 300 options."""

    row_shape = RowShape(3, 300, Layout.BY_OPTION)
    row_meaning = "options"


@pytest.mark.parametrize(
    ("format_name", "text"),
    [
        ("rows", "0 2 4 1 3\n1 3 0 2 4\n"),
        ("csv", "0,2,4,1,3\n1,3,0,2,4\n"),
        ("jsonl", "[0,2,4,1,3]\n[1,3,0,2,4]\n"),
        ("compact", "13524\n24135\n"),
    ],
)
def test_one_line_for_each_row(format_name: str, text: str) -> None:
    assert writer(format_name, QUEENS_5)(ROWS).decode() == text


def test_a_drawing_for_each_row() -> None:
    drawn = writer("board", rk.queens(2, blocked=[(1, 1)]))(np.array([[0, 0]], dtype=np.uint8)).decode()
    assert drawn == "+-+-+\n|Q| |\n+-+-+\n|Q|#|\n+-+-+\n\n"


@pytest.mark.parametrize(
    ("format_name", "text"),
    [("rows", "7 299\n10 20 30\n"), ("csv", "7,299,\n10,20,30\n"), ("jsonl", "[7,299]\n[10,20,30]\n")],
)
def test_rows_with_fewer_options_leave_the_filler_out(format_name: str, text: str) -> None:
    puzzle = Puzzle("sets", Sets(), "sets")
    rows = np.array([[7, 299, 300], [10, 20, 30]], dtype=np.uint16)
    assert writer(format_name, puzzle)(rows).decode() == text


@pytest.mark.parametrize("format_name", sorted(FORMATS.keys() - {"digits"}))
def test_no_rows_are_no_text(format_name: str) -> None:
    assert writer(format_name, QUEENS_5)(ROWS[:0]) == b""


def test_digits_are_for_the_digits_puzzle() -> None:
    with pytest.raises(BadInput, match="queens 5 is not the digits puzzle"):
        writer("digits", QUEENS_5)


@pytest.mark.parametrize("format_name", ["rows", "csv", "jsonl"])
def test_rows_of_options_are_read_back_without_filler(format_name: str) -> None:
    puzzle = Puzzle("sets", Sets(), "sets")
    rows = np.array([[7, 299, 300], [10, 20, 30]], dtype=np.uint16)
    text = writer(format_name, puzzle)(rows).decode()
    assert [line.row for line in read_lines(puzzle, StringIO(text))] == [(7, 299), (10, 20, 30)]


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("symbols", "fits"),
    [
        ("123456789abcdefghi", True),
        ("abc", True),
        ("z", True),
        ("zab", True),
        ("abz", True),
        ("a1b", False),
        ("0a1b", False),
    ],
)
def test_symbols_in_runs_are_written_as_symbols_looked_up(symbols: str, fits: bool) -> None:
    table = np.frombuffer(symbols.encode(), dtype=np.uint8)
    rows = np.random.default_rng(1).integers(0, table.size, (40, 7), dtype=np.uint8)
    looked_up, added = np.zeros((2, 40, 8), dtype=np.uint8)
    write_symbols(rows, table, np.uint8(10), looked_up)
    assert looked_up.tobytes().decode() == "".join(
        "".join(symbols[value] for value in row) + "\n" for row in rows.tolist()
    )
    runs = two_runs(table)
    assert (runs is not None) == fits
    if runs is not None:
        write_runs(rows, runs, np.uint8(10), added)
        assert added.tobytes() == looked_up.tobytes()


def test_compact_writes_symbols_of_several_bytes() -> None:
    puzzle = replace(rk.puzzle("hip 2"), symbols="äö")
    assert writer("compact", puzzle)(np.array([[0, 1, 1, 0]], dtype=np.uint8)).decode() == "äööä\n"


def test_compact_is_refused_when_symbols_run_out() -> None:
    with pytest.raises(
        BadInput, match=r"compact has symbols for 61 values, but sets has 300; use --format rows"
    ):
        writer("compact", Puzzle("sets", Sets(), "sets"))


def test_unknown_formats_are_refused_with_the_nearest() -> None:
    with pytest.raises(BadInput, match=r'unknown format "jsnol"; did you mean "jsonl"\?'):
        writer("jsnol", QUEENS_5)


rows_of_queens_12 = st.lists(st.tuples(*[st.integers(0, 11)] * 12), min_size=1, max_size=20)


@given(rows=rows_of_queens_12)
@pytest.mark.parametrize("format_name", ["rows", "csv", "jsonl", "compact"])
def test_what_is_written_is_read_back(format_name: str, rows: list[tuple[int, ...]]) -> None:
    puzzle = rk.queens(12)
    text = writer(format_name, puzzle)(np.array(rows, dtype=np.uint8)).decode()
    assert [line.row for line in read_lines(puzzle, StringIO(text))] == rows


@pytest.mark.parametrize("symbols", ["[]", '"#', "{}"])
@pytest.mark.parametrize("format_name", ["rows", "compact", "csv", "jsonl"])
def test_symbols_may_be_marks_of_other_formats(format_name: str, symbols: str) -> None:
    """The line `[]` was read as jsonl, and `""` as a row without values."""
    puzzle = rk.puzzle_from_text(f"kind = 'grid'\nvalues = '{symbols}'\nboard = '..'")
    rows = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], dtype=np.uint8)
    lines = read_lines(puzzle, StringIO(writer(format_name, puzzle)(rows).decode()))
    assert [line.row for line in lines] == [*map(tuple, rows.tolist())]


def test_jsonl_lines_are_json() -> None:
    lines = writer("jsonl", QUEENS_5)(ROWS).decode().splitlines()
    assert [json.loads(line) for line in lines] == ROWS.tolist()


def test_rows_of_length_one_are_numbers_or_symbols() -> None:
    assert read_row(rk.queens(1), "0") == (0,)
    assert read_row(rk.queens(1), "1") == (0,)


def test_a_line_that_is_too_long_is_one_problem_and_reading_goes_on() -> None:
    text = "1" * (3 * MAX_LINE_LENGTH) + "\n13524\n"
    first, second = read_lines(QUEENS_5, StringIO(text))
    assert (first.number, first.problem) == (1, f"the line has more than {MAX_LINE_LENGTH} characters")
    assert (second.number, second.row) == (2, (0, 2, 4, 1, 3))


def test_a_line_without_an_end_is_refused() -> None:
    class Endless(StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            return "1" * (size or 0)

    with pytest.raises(BadInput, match=f"line 1 has more than {MAX_SKIPPED} characters"):
        list(read_lines(QUEENS_5, Endless()))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[0,2,", "not a JSON list: [0,2,"),
        ("[0,2,4.5]", "not a list of whole numbers: [0,2,4.5]"),
        ("[" * 5000, "not a JSON list: " + "[" * 37 + "..."),
        ("0 2 x 1 3", '"x" is not a whole number'),
        ("0,,2", '"" is not a whole number'),
        ("0 2 4 1 " + "9" * 5000, '"' + "9" * 37 + '..." is not a whole number'),
        ("13!24", '"!" is not a symbol of queens 5'),
        ("13\x1b[2J", '"\\x1b" is not a symbol of queens 5'),
    ],
)
def test_text_that_is_no_row_is_named(text: str, complaint: str) -> None:
    with pytest.raises(BadSolution) as refusal:
        read_row(QUEENS_5, text)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize("space", [" ", "\t", "\x1d", "\x85", "\u2003"])
def test_every_space_around_a_number_is_dropped(space: str) -> None:
    assert read_row(QUEENS_5, f"0,{space}2{space},4,1,{space}3") == (0, 2, 4, 1, 3)


def test_numbers_may_have_tabs_between_them() -> None:
    assert read_row(QUEENS_5, "0\t2\t4\t1\t3") == (0, 2, 4, 1, 3)


TEXT = st.characters(exclude_characters="\0")
"""Every character but the one that makes a file binary."""


@given(text=st.text(TEXT, max_size=60) | st.text("0123,-[]= \t\x1d\x85\u2003", max_size=20))
def test_any_line_gives_a_row_or_a_problem(text: str) -> None:
    for line in read_lines(QUEENS_5, StringIO(text)):
        assert (line.row is None) != (line.problem is None)


def test_empty_lines_are_skipped_but_counted() -> None:
    lines = list(read_lines(QUEENS_5, StringIO("\n13524\n  \noops!")))
    assert [(line.number, line.row) for line in lines] == [(2, (0, 2, 4, 1, 3)), (4, None)]


@pytest.mark.parametrize("format_name", ["rows", "csv", "jsonl", "compact"])
def test_solutions_of_one_option_or_none_are_read_back(format_name: str) -> None:
    """`7` alone would be a symbol of the compact form, and an empty line would be left out."""
    model = ExactCover(primary=("a", "b"), options=(((0, 0),), ((1, 0),)), bounds=((0, 1), (0, 1)))
    puzzle = Puzzle("choice", model, "Any of two options")
    rows = np.array([[0, 1], [0, 2], [1, 2], [2, 2]], dtype=np.uint8)
    lines = StringIO(writer(format_name, puzzle)(rows).decode())
    assert [line.row for line in read_lines(puzzle, lines)] == [(0, 1), (0,), (1,), ()]


@pytest.mark.parametrize("format_name", ["rows", "csv", "jsonl"])
def test_rows_of_length_one_are_read_back(format_name: str) -> None:
    model = ExactCover(primary=("a",), options=(((0, 0),),) * 2, bounds=((0, 1),))
    choice = Puzzle("choice", model, "One of two options or none")
    coloring = Puzzle("cell", Coloring(1, 3, ()), "A cell in one of three colours")
    for puzzle, rows in ((choice, [[0], [1], [2]]), (coloring, [[0], [1], [2]])):
        lines = StringIO(writer(format_name, puzzle)(np.array(rows, dtype=np.uint8)).decode())
        read = [line.row for line in read_lines(puzzle, lines)]
        assert read == [(0,), (1,), () if puzzle is choice else (2,)]
        with pytest.raises(BadInput, match="use --format rows"):
            writer("compact", puzzle)
