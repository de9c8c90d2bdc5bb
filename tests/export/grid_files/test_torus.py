"""`toroidal = true`: grids and colourings on boards whose opposite edges are joined."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

import rekkyo as rk
from tests.export.grid_files.asking import (
    HEAD,
    Holds,
    Row,
    check_complaint,
    differ,
    fillings,
    model_of,
    text_of,
)

TORUS = "toroidal = true\n"
Get = Callable[[int, int], int]
"""The value on a row and a column, which may be beyond the edges."""


def on_torus(row: Row, rows: int, columns: int) -> Get:
    return lambda a, b: row[a % rows * columns + b % columns]


def all_of(rows: int, columns: int, holds: Callable[[Get, int, int], bool]) -> Holds:
    """That a rule holds of each cell: the values, its row and its column."""
    cells = list(product(range(rows), range(columns)))
    return lambda row: all(holds(on_torus(row, rows, columns), a, b) for a, b in cells)


def at_sides(at: Get, a: int, b: int) -> list[int]:
    return [at(a - 1, b), at(a + 1, b), at(a, b - 1), at(a, b + 1)]


def is_connected(row: Row, rows: int, columns: int, value: int) -> bool:
    left = {divmod(k, columns) for k in range(rows * columns) if row[k] == value}
    reached = [left.pop()] if left else []
    for a, b in reached:
        near = {
            ((a + 1) % rows, b),
            ((a - 1) % rows, b),
            (a, (b + 1) % columns),
            (a, (b - 1) % columns),
        } & left
        left -= near
        reached += near
    return not left


MEANINGS: list[tuple[int, int, str, str, Holds]] = [
    (
        1,
        6,
        '"012"',
        '[[avoid]]\npattern = "12"\norientations = "all"',
        all_of(1, 6, lambda at, a, b: {at(a, b), at(a, b + 1)} != {1, 2}),
    ),
    (
        5,
        1,
        '"012"',
        '[[different]]\npattern = "##"\norientations = "all"',
        all_of(5, 1, lambda at, a, b: at(a, b) != at(a + 1, b)),
    ),
    (3, 3, '"01"', '[[avoid]]\npattern = "11"', all_of(3, 3, lambda at, a, b: not at(a, b) & at(a, b + 1))),
    (
        3,
        4,
        '"01"',
        '[[avoid]]\npattern = """\n10\n01\n11"""\norientations = "rotations"',
        all_of(
            3,
            4,
            lambda at, a, b: all(
                [at(a + i, b + j) for i, j in squares] != [1, 0, 0, 1, 1, 1]
                for squares in (
                    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)],
                    [(0, 1), (1, 1), (0, 0), (1, 0), (0, -1), (1, -1)],
                    [(1, 1), (1, 0), (0, 1), (0, 0), (-1, 1), (-1, 0)],
                    [(1, 0), (0, 0), (1, 1), (0, 1), (1, 2), (0, 2)],
                )
            ),
        ),
    ),
    (
        1,
        5,
        '"abc"',
        '[[avoid]]\npattern = "a.a"',
        all_of(1, 5, lambda at, a, b: not at(a, b) == at(a, b + 2) == 0),
    ),
    (
        1,
        8,
        '"01"',
        '[[different]]\npattern = "###"\nof = "words"',
        lambda r: differ(tuple((r + r)[k : k + 3] for k in range(8))),  # type: ignore[arg-type]
    ),
    (
        2,
        3,
        '"012"',
        '[[different]]\npattern = """\n##\n##"""\nof = "sums"',
        lambda r: differ((r[0] + r[3], r[1] + r[4], r[2] + r[5])),  # two columns have all but the third
    ),
    (
        2,
        2,
        '"012"',
        '[[different]]\nregions = "all diagonals"\nof = "words"',
        lambda r: (r[0], r[3]) != (r[1], r[2]),
    ),
    (
        2,
        2,
        '"012"',
        '[[different]]\nregions = "all diagonals"\nof = "sums"',
        lambda r: r[0] + r[3] != r[1] + r[2],
    ),
    (3, 3, '"01"', "[[connected]]\nvalue = 1", lambda r: is_connected(r, 3, 3, 1)),
    (2, 5, '"012"', "[[connected]]", lambda r: all(is_connected(r, 2, 5, value) for value in range(3))),
    (
        3,
        4,
        '"01"',
        '[[area]]\nvalue = "1"\nsize = 2',
        all_of(3, 4, lambda at, a, b: at(a, b) == 0 or sum(at_sides(at, a, b)) == 1),
    ),
    (
        3,
        4,
        '"01"',
        '[[count]]\nvalue = 1\naround = "king"\nclues = """\n3...\n....\n...2"""',
        lambda r: (
            sum(on_torus(r, 3, 4)(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)) - r[0] == 3
            and sum(on_torus(r, 3, 4)(2 + i, 3 + j) for i in (-1, 0, 1) for j in (-1, 0, 1)) - r[11] == 2
        ),
    ),
    (
        2,
        2,
        '"01"',
        '[[count]]\nvalue = 1\naround = "sides"\nclues = "2.\\n.."',
        lambda r: r[1] == r[2] == 1,
    ),
    (
        1,
        4,
        '"01"',
        '[[count]]\nvalue = 1\naround = "sides"\nclues = "2..1"',
        lambda r: r[1] == r[3] == 1 and r[0] + r[2] == 1,
    ),
    (
        3,
        3,
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "sides"\ntimes = "odd"',
        all_of(3, 3, lambda at, a, b: (at(a, b) + sum(at_sides(at, a, b))) % 2 == 1),
    ),
    (
        2,
        5,
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "rook"\nitself = false\ntimes = 2',
        all_of(2, 5, lambda at, a, b: sum(at(a, b + k) for k in range(1, 5)) + at(a + 1, b) == 2),
    ),
    (
        3,
        4,
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "bishop"\nitself = false\ntimes = [2, 3]',
        # Both diagonals of 3x4 go through all cells.
        lambda r: all(2 <= sum(r) - value <= 3 for value in r),
    ),
    (
        3,
        4,
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "knight"\nitself = false',
        all_of(
            3,
            4,
            lambda at, a, b: any(
                at(a + i, b + j) for i, j in product((-2, -1, 1, 2), repeat=2) if abs(i) != abs(j)
            ),
        ),
    ),
    (
        3,
        3,
        '"012"',
        '[[different]]\nregions = "all diagonals"',
        lambda r: all(
            differ(tuple(on_torus(r, 3, 3)(k, start + k * step) for k in range(3)))
            for start in range(3)
            for step in (1, -1)
        ),
    ),
]

COMPLAINTS = [
    (
        'kind = "grid"\nvalues = "01"\nboard = "rectangle 3 3"\ntoroidal = true\n'
        '[[count]]\nvalue = 1\ntimes = 2\nregions = "all lines"',
        '8:1: "all lines" do not go around a torus; list the cells of each line',
    ),
    (
        'kind = "grid"\nvalues = "01"\nboard = "rectangle 1 1"\ntoroidal = true\n'
        '[[count]]\nvalue = 1\ntimes = 0\nregions = "all diagonals"',
        "8:1: there are no such cells on the board",
    ),
    (HEAD.replace("....", ".. .") + TORUS, "4:1: opposite edges are joined only if the board is a whole"),
    (HEAD.replace("....", "#..") + TORUS, "4:1: opposite edges are joined only if the board is a whole"),
    (HEAD + TORUS + "[[loop]]\nvalue = 1", "5:1: where opposite edges are joined, a loop has no inside"),
    (
        HEAD + TORUS + '[[see]]\nvalue = 1\nmoves = "rook"\nstop = 1',
        "8:1: where opposite edges are joined, a cell is seen from two sides; leave it out",
    ),
    (HEAD + TORUS + '[[avoid]]\npattern = "1...1"', "6:1: around the board the pattern would meet itself"),
    (
        HEAD + TORUS + '[[avoid]]\npattern = "11"\nstretch = "evenly"',
        "7:1: a pattern is not stretched where opposite edges are joined",
    ),
    (HEAD + "toroidal = 1", '4:12: "toroidal" is a whole number; write true'),
    (
        'kind = "coloring"\ncolors = 2\ncells = "a b c"\ntoroidal = true',
        '4:1: "toroidal" goes with "board"; leave it out',
    ),
]


@pytest.mark.parametrize(("rows", "columns", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(rows: int, columns: int, values: str, clauses: str, holds: Holds) -> None:
    text = text_of(f"rectangle {rows} {columns}", values, TORUS + clauses)
    wanted = {row for row in product(model_of(text).values, repeat=rows * columns) if holds(row)}
    assert 0 < len(wanted) < len(model_of(text).values) ** (rows * columns)
    assert fillings(text) == wanted


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


def counted(text: str) -> tuple[int, int | None]:
    found = rk.count(rk.puzzle_from_text(text))
    return found.total, found.unique


@pytest.mark.parametrize(("n", "total"), [(3, 34), (4, 743), (5, 25531)])  # OEIS A027683
def test_independent_sets_of_a_torus(n: int, total: int) -> None:
    clauses = '[[avoid]]\npattern = "11"\norientations = "all"'
    assert counted(text_of(f"rectangle {n} {n}", '"01"', TORUS + clauses))[0] == total


@pytest.mark.parametrize(("n", "total"), [(3, 4), (4, 7), (5, 11), (6, 18), (7, 29)])  # the numbers of Lucas
def test_a_coloring_of_one_row_is_a_ring(n: int, total: int) -> None:
    board = f'kind = "coloring"\nboard = "rectangle 1 {n}"\ncolors = "01"\n'
    assert counted(board + TORUS + '[[avoid]]\npattern = "11"')[0] == total


def test_queens_of_a_grid_are_those_of_the_kind_queens() -> None:
    """Up to shifts, too, which the kind for queens has by itself."""
    clauses = """symmetry = ["board", "shifts"]
[[count]]
value = "Q"
times = 7
[[see]]
value = "Q"
from = "Q"
moves = "queen"
itself = false
times = 0
"""
    grid = text_of("rectangle 7 7", '"-Q"', TORUS + clauses)
    assert counted(grid) == counted('kind = "queens"\nn = 7\ntoroidal = true') == (28, 1)
