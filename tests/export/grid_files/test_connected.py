"""`[[connected]]`: cells that hang together."""

from __future__ import annotations

import pytest

from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    Case,
    Holds,
    check_complaint,
    check_meaning,
    hang_together,
)

MEANINGS: list[Case] = [
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
]

COMPLAINTS = [
    (HEAD + "[[connected]]", '4:1: "value" is missing'),
    (HEAD + "[connected]\nvalue = 1", '4:1: "connected" is a table; write tables, [[connected]]'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
