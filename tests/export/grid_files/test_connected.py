"""`[[connected]]`: cells that hang together."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    Case,
    Holds,
    check_complaint,
    check_meaning,
)
from tests.naive_puzzles import hang_together


def touch(cells: Iterable[tuple[int, int]]) -> bool:
    """Whether cells are connected by sides and corners: no part of them is apart from the others."""
    parts: list[set[tuple[int, int]]] = []
    for row, column in cells:
        near = [part for part in parts if any(max(abs(r - row), abs(c - column)) == 1 for r, c in part)]
        parts = [part for part in parts if part not in near] + [set().union({(row, column)}, *near)]
    return len(parts) < 2


MEANINGS: list[Case] = [
    (
        "..#\n...\n...",
        '"01"',
        '[[connected]]\nvalue = 1\naround = "king"',
        lambda r: touch(divmod(cell, 3) for cell, value in enumerate((*r[:2], 0, *r[2:])) if value),
    ),
    (
        THREE,
        '"ab"',
        '[[connected]]\naround = "king"',
        lambda r: all(touch(divmod(k, 3) for k in range(9) if r[k] == value) for value in range(2)),
    ),
    (
        THREE,
        '"01"',
        '[[connected]]\nvalue = 1\naround = "king"\nregions = "AA.\\nA.A\\n.AA"',
        lambda r: touch(divmod(k, 3) for k in (0, 1, 3, 5, 7, 8) if r[k]),
    ),
    (
        THREE,
        '"01"',
        '[[connected]]\nvalue = 1\naround = "sides"',
        lambda r: hang_together({divmod(cell, 3) for cell, value in enumerate(r) if value}),
    ),
    (
        THREE,
        '"01"',
        "[[connected]]\nvalue = 1",
        lambda r: hang_together({divmod(cell, 3) for cell, value in enumerate(r) if value}),
    ),
    (
        "..\n..",
        '"abc"',
        '[[connected]]\nvalue = "bc"\nregions = """\nAA\nA."""',
        lambda r: r[0] != 0 or 0 in (r[1], r[2]),
    ),
    (
        THREE,
        '"abc"',
        "[[connected]]",
        lambda r: all(hang_together({divmod(k, 3) for k in range(9) if r[k] == value}) for value in range(3)),
    ),
    (
        "...\n.#.",
        '"1..3"',
        '[[connected]]\nregions = ["rows", "columns"]',
        lambda r: (r[0] != r[2] or r[1] == r[0]) and r[3] != r[4],  # no cell is between these
    ),
]

COMPLAINTS = [
    (HEAD + '[[connected]]\nvalue = "A"', '5:9: "A" is none of the values 1234'),
    (
        HEAD + '[[connected]]\naround = "corners"',
        '5:10: "around" is "corners", which is not known; known: king, sides',
    ),
    (HEAD + "[connected]\nvalue = 1", '4:1: "connected" is a table; write tables, [[connected]]'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
