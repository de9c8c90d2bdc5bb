"""`[[different]]`: cells, differences or regions that differ."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

import rekkyo as rk
from rekkyo.model.csp.csp import Csp
from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    Case,
    Holds,
    check_complaint,
    check_meaning,
    columns_of,
    differ,
    lines_of,
)

MEANINGS: list[Case] = [
    (
        "....",
        '"1..3"',
        '[[different]]\ncells = "0,0 0,1 0,0\\n0,2 0,1 0,3\\n0,1 0,1"\nof = "words"',
        lambda r: (r[0], r[0]) != (r[2], r[3]),
    ),
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
        "#..\n#..",
        '"1..3"',
        '[[different]]\nregions = "diagonals"',
        lambda r: r[0] != r[3] and r[1] != r[2],
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
        "....",
        '"0..6"',
        '[[different]]\nregions = "rows"\nof = "all distances"',
        lambda r: differ(tuple(abs(a - b) for a, b in combinations(r, 2))),
    ),
    (
        "...\n.#.",
        '"0..3"',
        '[[different]]\nregions = ["rows", "columns"]\nof = "sums"',
        lambda r: differ((sum(r[:3]), r[3] + r[4], r[0] + r[3], r[1], r[2] + r[4])),
    ),
]

COMPLAINTS = [
    (HEAD + "[[different]]", '4:1: "regions" is missing; name rows, columns'),
    (HEAD + '[[different]]\nregions = "rows"\nof = "signs"', '6:6: "of" is "signs", which is not known'),
    (
        HEAD.replace('"1..4"', "[0, 50000]") + '[[different]]\nregions = "rows"\nof = "sums"',
        "6:6: the sum goes from 0 to 200000; at most 65536 numbers are accepted",
    ),
    (
        HEAD.replace('"1..4"', "[0, 32768]") + '[[different]]\nregions = "rows"\nof = "differences"',
        "4:1: the values span 32768; differences need values closer together",
    ),
    (HEAD + '[[different]]\nregions = "rows"\nof = "sums"\nexcept = 1', '7:1: "except" goes with of ='),
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
        HEAD + '[[different]]\nregions = "rows"\nof = "distances"\nsteps = []',
        '7:9: "steps" is empty; leave it out for all steps',
    ),
    (
        HEAD + '[[different]]\npattern = "ab"',
        "5:1: draw all cells of the pattern with one mark",
    ),
    (HEAD + '[[different]]\nregions = "diagonals"', "5:1: only a square board has two long diagonals"),
    (HEAD + '[[different]]\nregions = "runs down"', "5:1: there are no such cells on the board"),
    (HEAD + '[[different]]\ncells = ""', "5:1: there are no such cells on the board"),
    (HEAD + "[[different]]\nregions = []", "5:11: the list names no regions; name some"),
    (HEAD + '[[different]]\ncells = "0,0 0,9"', '5:14: there is no cell "0,9"; cells are 0,0, 0,1'),
    (HEAD + '[[different]]\ncells = "0,0 0,0"', "5:10: the line names a cell twice"),
    (HEAD + '[[different]]\nregions = ["rows", 3]', '5:20: "regions" has an item that is not a text'),
    (
        HEAD.replace("1..4", "1..3") + '[[different]]\nregions = "rows"',
        "4:1: 4 cells cannot all differ in 3 values; take fewer",
    ),
    (
        'kind = "grid"\nvalues = "12"\nboard = """\n..\n.."""\n[[different]]\nregions = "row"',
        '7:1: "row" names no regions; did you mean "rows"?',
    ),
    (
        'kind = "grid"\nvalues = "12"\nboard = """\n..\n.."""\n[[different]]\nregions = """\nAA\nAA\nAA"""',
        "7:1: the drawing has 3 lines, but the board has 2; draw all of them",
    ),
    (
        'kind = "grid"\nvalues = "12"\nboard = """\n..\n.#"""\n[[different]]\nregions = """\nAA\nAA"""',
        '9:2: "A" is not on the board',
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize("of", ["values", "words", "sums"])
def test_a_pattern_that_fits_nowhere(of: str) -> None:
    text = f'kind = "grid"\nvalues = "1..3"\nboard = """\n..\n.."""\n[[different]]\npattern = "###"\nof = "{of}"\n'
    assert rk.count(rk.puzzle_from_text(text)).total == 81


@pytest.mark.parametrize(("steps", "n_differences"), [("", 3 + 2), ("steps = 3", 0), ("steps = [2, 77]", 2)])
def test_one_pair_needs_no_variable(steps: str, n_differences: int) -> None:
    """A row of four cells has three pairs of neighbours, two pairs two steps apart, and one pair of ends."""
    text = f'kind = "grid"\nvalues = "1..4"\nboard = "...."\n[[different]]\nregions = "rows"\nof = "differences"\n{steps}\n'
    model = rk.puzzle_from_text(text).model
    assert isinstance(model, Csp)
    assert len(model.domains) == 4 + n_differences
