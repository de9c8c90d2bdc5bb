"""`[[count]]`: how many cells have a value."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import (
    HEAD,
    TWO,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    lines_of,
    text_of,
)
from tests.render.pictures import texts


def no_three_in_line(row: Row, squares: list[tuple[int, int]]) -> bool:
    chosen = [square for square, value in zip(squares, row, strict=True) if value]
    return all(
        (b[0] - a[0]) * (c[1] - a[1]) != (c[0] - a[0]) * (b[1] - a[1]) for a, b, c in combinations(chosen, 3)
    )


MEANINGS: list[Case] = [
    (
        "....",
        '"1..12"',
        '[[count]]\nvalue = "3..10 12"\ntimes = 1\n[[count]]\nvalue = "11..11"\ntimes = 2',
        lambda r: r.count(11) == 2 and sum(value in {*range(3, 11), 12} for value in r) == 1,
    ),
    ("..", '"AXB"', '[[count]]\nvalue = "A..X"\ntimes = 1', lambda r: sum(v < 2 for v in r) == 1),
    (
        "...\n...",
        '"abc"',
        '[[count]]\ntimes = 2\n[[count]]\ntimes = "at most once"\nregions = "rows"',
        lambda r: sorted(r[:3]) == sorted(r[3:]) == [0, 1, 2],
    ),
    (
        "...\n.#.\n...\n...",
        '"01"',
        '[[count]]\nvalue = 1\nregions = "all lines"\ntimes = "at most 2"',
        partial(no_three_in_line, squares=[s for s in product(range(4), range(3)) if s != (1, 1)]),
    ),
    (
        "...\n...",
        '"01"',
        '[[count]]\nvalue = 1\nregions = "all lines"\ntimes = "at most once"',
        lambda r: sum(r[:3]) <= 1 and sum(r[3:]) <= 1,
    ),
    (
        "...\n...",
        '"-ab"',
        '[[count]]\nvalue = "ab"\ntimes = [0, 3]\npattern = "##\\n##"',
        lambda r: all(0 in (*r[place : place + 2], *r[place + 3 : place + 5]) for place in (0, 1)),
    ),
    (
        "...\n...",
        '"01"',
        '[[count]]\nvalue = 1\nas = 0\npattern = "##"\norientations = "all"',
        lambda r: all(r[a] != r[b] for a, b in ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))),
    ),
    (
        "...\n...",
        '"01"',
        '[[count]]\nvalue = 1\ntimes = 1\nregions = ["left", "rows"]\n[regions]\nleft = "A..\\nA.."',
        lambda r: r[0] + r[3] == 1 and sum(r[:3]) == sum(r[3:]) == 1,
    ),
    (
        TWO,
        '"abc"',
        '[[count]]\nvalue = "ab"\ntimes = [1, 2]\nregions = "rows"',
        lambda r: all(line != (2, 2) for line in lines_of(r, 2)),
    ),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = [3, 'any']", lambda r: r.count(2) >= 3),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "at most once"', lambda r: r.count(2) <= 1),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "exactly twice"', lambda r: r.count(2) == 2),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "at least once"', lambda r: 2 in r),
    (
        "..",
        '"1..12"',
        '[[count]]\nvalue = "12"\ntimes = 1\n[[count]]\nvalue = "10 12 a7 123"\ntimes = 2',
        lambda r: r.count(12) == 1 and all(v in (10, 12, 7, 1, 2, 3) for v in r),
    ),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "at most 2"', lambda r: r.count(2) <= 2),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "at least 3"', lambda r: r.count(2) >= 3),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "odd"', lambda r: r.count(2) % 2 == 1),
    (
        TWO,
        '"abc"',
        '[[count]]\nvalue = "ac"\ntimes = "even"\nregions = "rows"',
        lambda r: all(sum(v != 1 for v in line) % 2 == 0 for line in lines_of(r, 2)),
    ),
    (TWO, '"1..3"', '[[count]]\nvalue = 2\ntimes = "0 3..4"', lambda r: r.count(2) in (0, 3, 4)),
    (TWO, '"1..3"', '[[count]]\nvalue = [1, 2]\ntimes = "1,3"', lambda r: r.count(3) in (1, 3)),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = 0\ncells = '0,0 1,0'", lambda r: 2 not in r[::2]),
    (
        "....\n....",
        '"abc"',
        '[[count]]\nvalue = "a"\nas = "b"\nregions = "rows"',
        lambda r: all(line.count(0) == line.count(1) for line in lines_of(r, 4)),
    ),
]


def around(clue: tuple[int, int], squares: list[tuple[int, int]], most: int) -> list[int]:
    """The cells at the sides of a square (most 1), or at its corners too (most 2)."""
    far = [(abs(row - clue[0]), abs(column - clue[1])) for row, column in squares]
    return [
        cell for cell, (down, across) in enumerate(far) if max(down, across) == 1 and down + across <= most
    ]


def clues_hold(board: str, clues: str, most: int, inside: tuple[int, ...], row: Row) -> bool:
    lines = board.splitlines()
    squares = [(r, c) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark == "."]
    return all(
        sum(row[cell] in inside for cell in around((r, c), squares, most)) == int(mark)
        for r, line in enumerate(clues.splitlines())
        for c, mark in enumerate(line)
        if mark.isdigit()
    )


def clues_text(value: str, around: str, clues: str) -> str:
    return f'[[count]]\nvalue = "{value}"\naround = "{around}"\nclues = """\n{clues}\n"""'


AROUND: list[tuple[str, str, str, str, int, tuple[int, ...]]] = [
    ("...\n...\n...", '"-*"', "..1\n.3.\n1..", "king", 2, (1,)),
    ("...\n...\n...", '"-*"', "..1\n.2.\n1..", "sides", 1, (1,)),
    ("..#\n.#.\n#..", '"-*"', "..1\n.2.\n#..", "king", 2, (1,)),
    ("..#\n.#.\n#..", '"-*"', "..1\n.3.\n#..", "sides", 1, (1,)),
    ("...\n. .\n...", '"0..2"', "1..\n.5.\n..0", "king", 2, (1, 2)),
]

COMPLAINTS = [
    (
        HEAD + '[[count]]\nvalue = 1\ntimes = 1\npattern = "##"\nregions = "rows"',
        '8:1: "pattern" and "regions" both say which cells are meant; leave one out',
    ),
    (
        HEAD + '[[count]]\nvalue = 1\ntimes = 1\norientations = "all"',
        '7:1: "orientations" goes with a pattern that is drawn; leave it out',
    ),
    (
        HEAD + '[[count]]\nvalue = 1\nclues = "1..."\naround = "sides"\npattern = "##"',
        '8:1: "clues" tell of the cells around them, not of those of "pattern"; leave one out',
    ),
    (HEAD + "[[count]]\nas = 1", '4:1: "value" is missing; name one or more of 1234'),
    (HEAD + "[[count]]\nvalue = 1", '4:1: "times" is missing; write 2'),
    (HEAD + "[[count]]\nvalue = 1\ntimes = [2, 1]", "6:9: 2 to 1 is an empty range"),
    (
        HEAD + '[[count]]\nvalue = 1\ntimes = "1 2 2 3"',
        "6:9: 2 is written twice, and is one of the allowed numbers",
    ),
    (HEAD + '[[count]]\nvalue = 1\ntimes = "0 4..2"', "6:9: 4 to 2 is an empty range"),
    (HEAD + "[[count]]\nvalue = 1\ntimes = [2]", '6:9: "times" is 2, [1, 3], [1, "any"] or "any"'),
    (
        HEAD + '[[count]]\nvalue = 1\ntimes = "thrice"',
        '6:9: "times" is 2, [1, 3], [1, "any"] or "any", with numbers to 4096; or "once", "at most once"',
    ),
    (
        'kind = "grid"\nvalues = "12"\nboard = "..\\n. "\n[[see]]\nvalue = 1\nmoves = "bishop"\ntimes = 1\nitself = false',
        "7:1: 1 cell or more, but cell 0,0 sees only 0",
    ),
    (HEAD + '[[count]]\nvalue = 1\ntimes = "at least 9999"', "6:1: 9,999 cells or more, but a region has"),
    (HEAD + "[[count]]\nvalue = 1\ntimes = 5", "6:1: 5 cells or more, but a region has only 4"),
    (HEAD + '[[count]]\nvalue = "3..2"\ntimes = 1', '5:9: "." is none of the values 1234'),
    (HEAD + '[[count]]\nvalue = "x"\ntimes = 1', '5:9: "x" is none of the values 1234'),
    (HEAD + '[[count]]\nvalue = 1\nclues = "..2."', '4:1: "around" is missing; write around = "king"'),
    (
        HEAD + '[[count]]\nvalue = 1\naround = "side"\nclues = "..2."',
        '6:10: "around" is "side", which is not known; did you mean "sides"?',
    ),
    (HEAD + '[[count]]\nvalue = 1\naround = "king"\ntimes = 1', '6:1: "around" goes with "clues"'),
    (HEAD + '[[count]]\nvalue = 1\ntimes = 1\nclues = "1..."', '7:1: "times" and "clues" both say how many'),
    (
        HEAD + '[[count]]\nvalue = 1\naround = "king"\nclues = "1..."\nregions = "rows"',
        '8:1: "clues" tell of the cells around them, not of those of "regions"; leave one out',
    ),
    (HEAD + '[[count]]\nvalue = 1\naround = "king"\nclues = "..x."', '7:12: "x" is not a clue; write 0 to 8'),
    (
        HEAD + '[[count]]\nvalue = 1\naround = "king"\nclues = "...2"',
        "7:13: 2 cells around a square that has only 1; write at most 1",
    ),
    (HEAD + '[[count]]\nvalue = 1\naround = "king"\nclues = "....1"', '7:14: "1" is not on the board'),
    (
        HEAD + '[[count]]\nvalue = 1\naround = "king"\nclues = "....\\n1..."',
        "7:1: the drawing has 2 lines, but the board has 1",
    ),
    (HEAD + '[[count]]\nvalue = 1\ntimes = "7 8"', "6:1: 7 cells or more, but a region has only 4"),
    (HEAD + '[[count]]\nvalue = 1\ntimes = "0, x"', '6:9: "times" is 2, [1, 3], [1, "any"] or "any"'),
    (HEAD + '[[count]]\nvalue = 1\ntimes = "3 .. 1"', '6:9: "times" is 2, [1, 3], [1, "any"] or "any"'),
    (HEAD + "[[count]]\nvalue = 1\ntimes = 1\nas = 2", '7:1: "times" and "as" both say how many'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("board", "values", "clues", "name", "most", "inside"), AROUND)
def test_clues_count_the_cells_around_them(
    board: str, values: str, clues: str, name: str, most: int, inside: tuple[int, ...]
) -> None:
    value = "".join("-*"[number] for number in inside) if "-" in values else "".join(map(str, inside))
    clause = clues_text(value, name, clues)
    check_meaning(board, values, clause, partial(clues_hold, board, clues, most, inside))


@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
def test_a_field_of_mines(engine: str) -> None:
    """As many fillings as there are sets of squares without a clue that all clues agree with."""
    board = "....\n.#..\n..#.\n#..."
    clues = "....\n.2..\n..3.\n1..."
    wanted = sum(clues_hold(board, clues, 2, (1,), row) for row in product((0, 1), repeat=board.count(".")))
    clause = clues_text("*", "king", clues)
    puzzle = read_toml(text_of(board, '"-*"', clause), "mine.toml")
    assert rk.count(puzzle, up_to="none", engine=engine).total == wanted > 0
    assert sorted(text.text for text in texts(rk.svg(puzzle))) == ["1", "2", "3"]


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
