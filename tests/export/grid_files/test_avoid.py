"""`[[avoid]]`: patterns that appear nowhere."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import pytest

import rekkyo as rk
from tests.export.grid_files.asking import HEAD, Case, Holds, check_complaint, check_meaning, differ, lines_of

PAIRS = list(product(range(1, 7), repeat=2))
EIGHTS = list(product(range(1, 9), repeat=2))

MEANINGS: list[Case] = [
    (
        "......",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "a + b = c"',
        lambda r: not any(r[a - 1] == r[b - 1] == r[a + b - 1] == 1 for a, b in PAIRS if a + b <= 6),
    ),
    (
        ".....",
        '"ab"',
        '[[avoid]]\npattern = "="\nequation = "a + c = 2b"',
        lambda r: (
            not any(len(set(r[a : c + 1 : (c - a) // 2])) == 1 for a, c in ((0, 2), (1, 3), (2, 4), (0, 4)))
        ),
    ),
    (
        ".....",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "a + b = c + d"',
        lambda r: differ(tuple(b - a for a, b in combinations([k for k in range(5) if r[k]], 2))),
    ),
    (
        ".......",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "a + b = c + d mod 7"',
        lambda r: differ(tuple((b - a) % 7 for a, b in permutations([k for k in range(7) if r[k]], 2))),
    ),
    (
        ".....",
        '"01"',
        '[[avoid]]\npattern = "="\nequation = "a + c = 2b mod 8"',
        lambda r: (
            not any(
                r[a] == r[b] == r[c] and (a + c - 2 * b) % 8 == 0 and not a == b == c
                for a, b, c in product(range(5), repeat=3)
            )
        ),
    ),
    (
        "........",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "a * b = c"',
        lambda r: not any(r[a - 1] == r[b - 1] == r[a * b - 1] == 1 for a, b in EIGHTS if a * b <= 8),
    ),
    (
        "........",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "a*b = c*d"',
        lambda r: differ([a * b for a, b in EIGHTS if a <= b and r[a - 1] == r[b - 1] == 1]),
    ),
    (
        "........",
        '"-S"',
        '[[avoid]]\npattern = "S"\nequation = "2a*b + c = b*d mod 5"',
        lambda r: (
            not any(
                (2 * a * b + c - b * d) % 5 == 0 and all(r[x - 1] == 1 for x in (a, b, c, d))
                for a, b, c, d in product(range(1, 9), repeat=4)
            )
        ),
    ),
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
]

COMPLAINTS = [
    (
        HEAD + '[[avoid]]\npattern = "1"\nequation = "a + b"',
        '6:12: "a + b" is not an equation; write small letters',
    ),
    (
        HEAD + '[[avoid]]\npattern = "12=1="\nwhere = "here"',
        "5:1: the pattern is drawn where the board has no cell; draw it on the board",
    ),
    (HEAD + '[[avoid]]\npattern = "1"\nequation = "a - b = c"', '6:12: "a - b = c" is not an equation'),
    (
        HEAD + '[[avoid]]\npattern = "1"\nequation = "a + b = c mod 0"',
        '6:12: "a + b = c mod 0" is not an equation',
    ),
    (
        HEAD + '[[avoid]]\npattern = "="\nequation = "a*b = c"',
        "6:1: cell 1 alone solves it, and always has one value; take a pattern for each value",
    ),
    (HEAD + '[[avoid]]\npattern = "1"\nequation = "a * = b"', '6:12: "a * = b" is not an equation'),
    (HEAD + '[[avoid]]\npattern = "1"\nequation = "ab = c"', '6:12: "ab = c" is not an equation'),
    (
        HEAD.replace("....", "rectangle 33 33") + '[[avoid]]\npattern = "1"\nequation = "a*b*c = 2a"',
        "6:12: more than 1048576 ways to choose cells",
    ),
    (HEAD + '[[avoid]]\npattern = "1"\nequation = "a = 2"', '6:12: "a = 2" is not an equation'),
    (HEAD + '[[avoid]]\npattern = "1"\nequation = "a+b+c+d = e+f+g"', '6:12: "a+b+c+d = e+f+g" is no'),
    (
        HEAD + '[[avoid]]\npattern = "12"\nequation = "a + b = c"',
        '5:1: with "equation" the pattern is one mark',
    ),
    (
        HEAD + '[[avoid]]\npattern = "1"\nequation = "a + b = c"\nstretch = "evenly"',
        '7:1: "stretch" goes with a pattern that is drawn',
    ),
    (
        HEAD.replace("....", "rectangle 40 50") + '[[avoid]]\npattern = "1"\nequation = "a + b = c"',
        "6:12: more than 1048576 ways to choose cells",
    ),
    (
        HEAD.replace("....", "rectangle 30 30") + '[[avoid]]\npattern = "1"\nequation = "a + b = c mod 2"',
        "6:12: more than 1048576 ways to choose cells",
    ),
    (
        HEAD + '[[avoid]]\npattern = "1"\nwhere = "here"\nstretch = ["evenly"]',
        '7:11: "stretch" is a list; write a text',
    ),
    (HEAD + "[[avoid]]", '4:1: "pattern" is missing'),
    (HEAD + '[[avoid]]\npattern = "x="', '5:12: "x" is not a value; use "=" or one of 1234'),
    (HEAD + '[[avoid]]\npattern = "1="', "5:1: one cell alone always has one value"),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize(("order", "size", "total"), [(7, 3, 14), (13, 4, 52), (21, 5, 42)])
def test_planar_difference_sets_are_sets_without_equal_sums(order: int, size: int, total: int) -> None:
    """Those of cyclic planes of order 2, 3 and 4: 2, 4 and 2 classes of shifts (Baumert 1971)."""
    text = f"""
    kind = "grid"
    board = "rectangle 1 {order}"
    toroidal = true
    symmetry = "necklace"
    values = "-S"
    [[count]]
    value = "S"
    times = {size}
    regions = "board"
    [[avoid]]
    pattern = "S"
    equation = "a + b = c + d mod {order}"
    """
    counted = rk.count(rk.puzzle_from_text(text, "difference sets"))
    assert (counted.total, counted.unique) == (total, total // order)


def test_product_free_sets() -> None:
    """OEIS A326489."""
    text = """
    kind = "coloring"
    colors = "-S"
    board = "rectangle 1 {n}"
    [[avoid]]
    pattern = "S"
    equation = "a * b = c"
    [family]
    n = "1..40"
    """
    puzzles = [rk.puzzle_from_text(text, "sets", n) for n in (10, 20, 36)]
    assert [rk.count(puzzle).total for puzzle in puzzles] == [252, 129952, 2807196672]


def test_pythagorean_triples() -> None:
    """Of the numbers from 1 to 12, 3, 4, 5 and 6, 8, 10 do not have one colour: six ways each; 6 are free."""
    text = """
    kind = "coloring"
    colors = 2
    board = "rectangle 1 12"
    [[avoid]]
    pattern = "="
    equation = "a * a + b * b = c * c"
    """
    assert rk.count(rk.puzzle_from_text(text, "triples")).total == 6 * 6 * 2**6
