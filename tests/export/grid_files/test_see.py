"""`[[see]]`: what pieces see."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import HEAD, Case, Holds, Row, check_complaint, check_meaning, text_of

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
            "sides": n == 1 and straight,
        }
        if n and reaches[piece]:
            found.append(value)
    return tuple(found)


MEANINGS: list[Case] = [
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
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "sides"\nitself = false\ntimes = "at least once"',
        lambda r: all(1 in seen_from(r, cell, "sides") for cell in range(10)),
    ),
]

COMPLAINTS = [
    (HEAD + '[[see]]\nmoves = "queen"', '4:1: "value" is missing'),
    (HEAD + "[[see]]\nvalue = 1", '4:1: "moves" is missing; write moves = "queen"'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "pawn"', '6:9: "moves" is "pawn", which is not known'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\ntimes = 3', "7:1: 3 cells or more, but cell 0,0 sees"),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize(("n", "total"), [(2, 9), (3, 161), (4, 11236)])
def test_total_dominating_sets(n: int, total: int) -> None:
    """Those of the page on puzzle files; all sets of cells are tried here, as bits."""
    cells = [(row, column) for row in range(n) for column in range(n)]
    beside = [sum((abs(a - c) + abs(b - d) == 1) << k for k, (c, d) in enumerate(cells)) for a, b in cells]
    assert sum(all(chosen & near for near in beside) for chosen in range(1 << n * n)) == total
    clause = '[[see]]\nvalue = "#"\nmoves = "sides"\nitself = false'
    puzzle = read_toml(text_of(f"rectangle {n} {n}", '"-#"', clause), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == total
