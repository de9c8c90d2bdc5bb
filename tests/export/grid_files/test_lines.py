"""`[[lines]]` gives clues at the edge of a board."""

from __future__ import annotations

from itertools import groupby, product
from random import Random

import pytest

import rekkyo as rk
from tests.export.grid_files.asking import (
    THREE,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    fillings,
    text_of,
)


def seen(cells: Row) -> int:
    return sum(all(cell > before for before in cells[:place]) for place, cell in enumerate(cells))


def tall(cells: Row) -> Row:
    """The cells that are not 0."""
    return tuple(filter(None, cells))


def sum_of_seen(cells: Row) -> int:
    return sum(cell for place, cell in enumerate(cells) if all(cell > before for before in cells[:place]))


def first_of(cells: Row, values: tuple[int, ...]) -> int | None:
    return next((cell for cell in cells if cell in values), None)


def runs(cells: Row) -> list[int]:
    return [len(list(group)) for value, group in groupby(cells) if value]


def sums(cells: Row) -> list[int]:
    return [sum(run) for is_run, run in groupby(cells, bool) if is_run for run in [list(run)]]


def between(cells: Row, one: int, other: int) -> int | None:
    """The sum of the values between two values that are there once each."""
    if cells.count(one) != 1 or cells.count(other) != 1:
        return None
    start, end = sorted((cells.index(one), cells.index(other)))
    return sum(cells[start + 1 : end])


def x_sum(cells: Row) -> int | None:
    """The sum of the first cells, as many as the first one says."""
    return sum(cells[: cells[0]]) if 0 <= cells[0] <= len(cells) else None


def numbered_room(cells: Row) -> int | None:
    return cells[cells[0] - 1] if 1 <= cells[0] <= len(cells) else None


MEANINGS: list[Case] = [
    (
        THREE,
        '"1..4"',
        '[[lines]]\nclue = "visible sum"\nleft = "7, ?, ?"\nright = [5, "?", "?"]\nbottom = "?, ?, 3"',
        lambda r: sum_of_seen(r[:3]) == 7 and sum_of_seen(r[2::-1]) == 5 and sum_of_seen(r[8::-3]) == 3,
    ),
    (
        "....",
        "[0, 2, 5]",
        '[[lines]]\nclue = "visible sum"\nleft = [2]',
        lambda r: sum_of_seen(r) == 2,
    ),
    (
        THREE,
        '"-AB"',
        '[[lines]]\nclue = "first"\nleft = "A, ?, ?"\nright = "?, ?, B"\ntop = "?, B, ?"\nbottom = "A, ?, ?"',
        lambda r: (
            (first_of(r[:3], (1, 2)), first_of(r[:5:-1], (1, 2))) == (1, 2)
            and (first_of(r[1::3], (1, 2)), first_of(r[6::-3], (1, 2))) == (2, 1)
        ),
    ),
    (
        "....",
        '"1..4"',
        '[[lines]]\nclue = "first"\nvalue = [1, 3]\nleft = [3]\nright = [1]',
        lambda r: (first_of(r, (1, 3)), first_of(r[::-1], (1, 3))) == (3, 1),
    ),
    (
        THREE,
        '"0..4"',
        '[[lines]]\nclue = "x-sum"\nleft = "5, ?, 0"\nright = [2, "?", "?"]\nbottom = "?, 1, ?"',
        lambda r: (x_sum(r[:3]), x_sum(r[6:]), x_sum(r[2::-1]), x_sum(r[7::-3])) == (5, 0, 2, 1),
    ),
    (
        ".....",
        "[1, 2, 3, 7]",
        '[[lines]]\nclue = "x-sum"\nleft = [9]',
        lambda r: x_sum(r) == 9,
    ),
    (
        THREE,
        '"0..4"',
        '[[lines]]\nclue = "numbered room"\nleft = "2, ?, 0"\nright = [1, "?", "?"]\nbottom = "?, 4, ?"',
        lambda r: (
            (numbered_room(r[:3]), numbered_room(r[6:]), numbered_room(r[2::-1]), numbered_room(r[7::-3]))
            == (2, 0, 1, 4)
        ),
    ),
    (
        ".....",
        '"1..4"',
        '[[lines]]\nclue = "between"\nrows = "5"',
        lambda r: between(r, 1, 4) == 5,
    ),
    (
        "....\n....",
        '"0..3"',
        '[[lines]]\nclue = "between"\nvalue = [1, 2]\nrows = [3, "?"]\ncolumns = "?, 0, ?, ?"',
        lambda r: between(r[:4], 1, 2) == 3 and between(r[1::4], 1, 2) == 0,
    ),
    (
        "......",
        '"-2..1"',
        '[[lines]]\nclue = "between"\nvalue = [-1, 1]\nrows = [-4]',
        lambda r: between(r, -1, 1) == -4,
    ),
    (
        "....",
        '"0..3"',
        '[[lines]]\nclue = "between"\nvalue = 0\nrows = "3"',
        lambda r: r.count(0) == 2 and sum(r[r.index(0) : 4 - r[::-1].index(0)]) == 3,
    ),
    (
        "....\n....",
        '"0..2"',
        '[[lines]]\nclue = "visible"\nvalue = "12"\nleft = "2, 0"\nright = "1, ?"',
        lambda r: seen(tall(r[:4])) == 2 and not any(r[4:]) and seen(tall(r[3::-1])) == 1,
    ),
    (
        "....",
        '"0..3"',
        '[[lines]]\nclue = "visible sum"\nvalue = [1, 3]\nright = "4"',
        lambda r: [*dict.fromkeys(v for v in r[::-1] if v in (1, 3))] == [1, 3],
    ),
    (
        "....\n....",
        '"0..2"',
        '[[lines]]\nclue = "sum"\nvalue = "12"\nrows = "2 1, 0"',
        lambda r: sums(r[:4]) == [2, 1] and sums(r[4:]) == [],
    ),
    (
        "....",
        '"0..2"',
        '[[lines]]\nclue = "sum"\nvalue = [2]\nrows = "? 2"',
        lambda r: len(runs_of_2 := sums(tuple(v * (v == 2) for v in r))) == 2 and runs_of_2[1] == 2,
    ),
    (
        "..#..",
        '"1..3"',
        '[[lines]]\nclue = "sum"\nvalue = "123"\nrows = "4 3"',
        lambda r: r[0] + r[1] == 4 and r[2] + r[3] == 3,
    ),
    ("...", '"0..2"', '[[lines]]\nclue = "sum"\nvalue = "12"\nrows = "6"', lambda r: r == (2, 2, 2)),
    ("..", '"ab"', '[[lines]]\nclue = "between"\nrows = "0"', lambda r: r[0] != r[1]),
    (
        THREE,
        '"01"',
        '[[lines]]\nclue = "runs"\nrows = [[1, 1], "?", 2]\ncolumns = """\n1 1\n?,\n2\n"""',
        lambda r: (runs(r[:3]), runs(r[6:]), runs(r[::3]), runs(r[2::3])) == ([1, 1], [2], [1, 1], [2]),
    ),
    (
        ".....",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = [["2a", "1b"]]',
        lambda r: [(value, len(list(group))) for value, group in groupby(r) if value] == [(1, 2), (2, 1)],
    ),
    (
        ".....",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2a 1b"',
        lambda r: [(value, len(list(group))) for value, group in groupby(r) if value] == [(1, 2), (2, 1)],
    ),
    (
        "......",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "1a 2a 1b"',
        lambda r: [(v, len(list(group))) for v, group in groupby(r) if v] == [(1, 1), (1, 2), (2, 1)],
    ),
    (
        "......",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2 1b"',
        lambda r: runs(tuple(min(v, 1) for v in r)) == [2, 1] and [v for v in r if v][-1] == 2,
    ),
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
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


def test_a_missing_cell_has_none_of_the_values() -> None:
    """Here all cells are in runs, so that their lengths add up to the number of the cells."""
    text = text_of("..#..", '"ab"', '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2a 1b"')
    assert fillings(text) == set()
    assert fillings(text.replace("1b", "2b")) == {(0, 0, 1, 1)}


def lines_with_holes(board: str) -> list[list[int | None]]:
    """The numbers of the cells of each row, then of each column; None is a square without a cell."""
    numbers = iter(range(board.count(".")))
    rows = [[next(numbers) if mark == "." else None for mark in line] for line in board.split("\n")]
    return [*rows, *([row[column] for row in rows] for column in range(len(rows[0])))]


def texts_of_clues(clues: list[list[int]]) -> str:
    return ", ".join(" ".join(map(str, clue)) or "0" for clue in clues)


@pytest.mark.parametrize("values", ["01", "012"])
@pytest.mark.parametrize("seed", range(12))
def test_a_run_ends_where_the_board_has_no_cell(seed: int, values: str) -> None:
    """On boards with random holes, the solutions are all fillings that have the clues of a random filling."""
    random = Random(seed)
    board = "\n".join("".join(random.choices(".#", (3, 2), k=4)) + "." for _ in range(2))
    lines = lines_with_holes(board)

    def clues(row: Row) -> list[list[int]]:
        return [runs(tuple(0 if cell is None else min(row[cell], 1) for cell in line)) for line in lines]

    given = tuple(random.randrange(len(values)) for _ in range(board.count(".")))
    wanted = clues(given)
    said = f'rows = "{texts_of_clues(wanted[:2])}"\ncolumns = "{texts_of_clues(wanted[2:])}"'
    value = f'value = "{values[1:]}"'
    text = text_of(board, f'"{values}"', f'[[lines]]\nclue = "runs"\n{value}\n{said}')
    numbers = range(len(values))
    assert fillings(text) == {r for r in product(numbers, repeat=len(given)) if clues(r) == wanted}


def test_a_gap_counts_as_one_between_runs_even_if_every_value_is_in_a_run() -> None:
    clause = '[[lines]]\nclue = "runs"\nvalue = "12"\nrows = "1 2"'
    assert fillings(text_of(".##..", '"12"', clause)) == set(product((1, 2), repeat=3))
    clause = '[[lines]]\nclue = "runs"\nvalue = "12"\nrows = "1 1 1"'
    check_complaint(
        text_of(".##..", '"12"', clause), '9:8: clue 1 of "rows" needs 5 cells, but there are 3 in 2'
    )


@pytest.mark.parametrize("clue", ["runs", "count", "sum"])
def test_a_line_without_cells_has_no_run(clue: str) -> None:
    lines = f'[[lines]]\nclue = "{clue}"\nvalue = "12"\nrows = "?, 0, ?"'
    assert fillings(text_of(".\n#\n.", '"0..2"', lines)) == set(product(range(3), repeat=2))


def test_skyscrapers_are_seen_across_missing_cells() -> None:
    clause = '[[lines]]\nclue = "visible"\nleft = "2"'
    wanted = {row for row in product((1, 2, 3), repeat=3) if seen(row) == 2}
    assert fillings(text_of(".#..", '"1..3"', clause)) == wanted


@pytest.mark.parametrize(
    ("board", "clues", "total", "unique"),
    [
        # Of 27 fillings the reflections leave 9 and 1 as they are, and the half turn 3.
        (THREE, 'columns = "1, 1, 1"', 27, 10),
        # The rows may be reflected, which leaves 16 of 64 as they are.
        (THREE, 'columns = "0, ?, ?"', 64, 40),
        # The columns may be, which leaves 1001 above four palindromes.
        ("....\n....", 'rows = "1 1, ?"', 48, 26),
        # 1 2 turned around is 2 1.
        (".....", 'rows = "1 2"', 3, 3),
    ],
)
def test_runs_are_read_from_either_end(board: str, clues: str, total: int, unique: int) -> None:
    text = text_of(board, '"01"', f'[[lines]]\nclue = "runs"\nvalue = "1"\n{clues}')
    counted = rk.count(rk.puzzle_from_text(text))
    assert (counted.total, counted.unique) == (total, unique)
