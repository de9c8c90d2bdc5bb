"""`[[arrows]]`: the values are arrows that point at cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import product

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import HEAD, THREE, check_complaint, text_of

STEPS = dict(
    zip(
        "\u2191\u2197\u2192\u2198\u2193\u2199\u2190\u2196",
        ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
        strict=True,
    )
)
FOUR = "\u2191\u2192\u2193\u2190"
Square = tuple[int, int]


def holds(
    filling: dict[Square, str], wanted: str, into: Collection[int], torus: Square | None = None
) -> bool:
    """By following the arrows from each cell, as many steps as there are cells."""
    target = {}
    for (row, column), symbol in filling.items():
        down, across = STEPS.get(symbol, (0, 0))
        at = (row + down, column + across)
        if torus is not None:
            at = (at[0] % torus[0], at[1] % torus[1])
        if symbol in STEPS and (at in filling or "leave = true" not in wanted):
            target[row, column] = at
    if not filling.keys() >= set(target.values()):
        return False
    n_into = Counter(target.values())
    if any(n_into[square] not in into for square in filling):
        return False
    ends: set[Square | None] = set(filling)
    for _ in filling:
        ends = {target.get(end) for end in ends if end is not None}
    return "loops = false" not in wanted or ends <= {None}


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
@pytest.mark.parametrize(
    ("written", "into"),
    [("", range(9)), ("into = 1", [1]), ("into = [0, 1]", [0, 1]), ('into = "even"', [0, 2, 4])],
)
@pytest.mark.parametrize("wanted", ["", "loops = false", "leave = true", "leave = true\nloops = false"])
@pytest.mark.parametrize(
    ("board", "values"),
    [("...\n..#", FOUR + "o"), ("..\n..", "".join(STEPS) + "o"), ("..\n..", FOUR)],
)
def test_what_it_means(
    board: str, values: str, wanted: str, written: str, into: Collection[int], engine: str
) -> None:
    squares = [(r, c) for r, line in enumerate(board.split()) for c, mark in enumerate(line) if mark == "."]
    every = (dict(zip(squares, some, strict=True)) for some in product(values, repeat=len(squares)))
    found = sum(holds(filling, wanted, into) for filling in every)
    puzzle = read_toml(text_of(board, f'"{values}"', f"[[arrows]]\n{wanted}\n{written}"), "mine.toml")
    assert rk.count(puzzle, up_to="none", engine=engine, workers=1).total == found


@pytest.mark.parametrize(
    ("rows", "columns", "values"), [(2, 3, FOUR + "o"), (2, 2, FOUR[1:3] + "o"), (1, 4, FOUR[1::2])]
)
@pytest.mark.parametrize("wanted", ["", "loops = false"])
def test_arrows_go_around_a_torus(rows: int, columns: int, values: str, wanted: str) -> None:
    squares = list(product(range(rows), range(columns)))
    every = (dict(zip(squares, some, strict=True)) for some in product(values, repeat=len(squares)))
    found = sum(holds(filling, wanted, range(9), (rows, columns)) for filling in every)
    text = text_of(f"rectangle {rows} {columns}", f'"{values}"', f"toroidal = true\n[[arrows]]\n{wanted}")
    assert rk.count(read_toml(text, "mine.toml"), up_to="none").total == found


@pytest.mark.parametrize(("n", "trees"), [(2, 4), (3, 192), (4, 100352), (5, 557568000)])
def test_arrows_to_a_corner_are_spanning_trees(n: int, trees: int) -> None:
    """OEIS A007341: spanning trees of the n x n grid, which has one way of directing each tree to a root."""
    board = "o" + "." * (n - 1) + ("\n" + "." * n) * (n - 1)
    clauses = '[[arrows]]\nloops = false\n[[count]]\nvalue = "o"\ntimes = 1'
    puzzle = read_toml(text_of(board, f'"{FOUR}o"', clauses), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == trees


def test_one_arrow_into_each_cell_is_a_permutation() -> None:
    """On 2x3 each white cell points at a black one along one of 3 matchings, and each black cell along one of 3."""
    puzzle = read_toml(text_of("rectangle 2 3", f'"{FOUR}"', "[[arrows]]\ninto = 1"), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == 9


def test_into_may_be_for_some_cells() -> None:
    """Both neighbours of the middle point at it, whose arrow leads anywhere."""
    clauses = '[[arrows]]\ninto = 2\ncells = "0,1"'
    puzzle = read_toml(text_of("...", f'"{FOUR}"', clauses), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == 2


def test_rotations_and_reflections_turn_arrows() -> None:
    """The 16 ways on 2x2 to one end lead there from one side or from two, and no symmetry keeps one."""
    clauses = '[[arrows]]\nloops = false\n[[count]]\nvalue = "o"\ntimes = 1'
    text = text_of("..\n..", f'"{FOUR}o"', clauses)
    found = rk.count(read_toml(text, "mine.toml"))
    assert (found.total, found.unique) == (16, 2)
    eight = read_toml(text_of("..\n..", f'"{"".join(STEPS)}o"', clauses), "mine.toml")
    assert rk.count(eight).unique == len(list(rk.solve(eight, up_to="symmetry")))
    three = read_toml(text_of("..\n..", f'"{FOUR[:3]}o"', clauses), "mine.toml")
    assert rk.count(three).unique > rk.count(three).total // 8
    row = next(rk.solve(eight))
    assert len(rk.board(eight, row).split()) == 4
    rk.svg(eight, row)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEAD + "[[arrows]]", "4:1: the values have no arrows; take some of \u2191\u2197\u2192"),
        (
            text_of(THREE, f'"{FOUR}"', '[[arrows]]\nregions = "rows"'),
            '9:1: "regions" are for "into", the number of arrows; leave it out',
        ),
        (
            text_of("..", '"\u2191\u2192"', "[[arrows]]"),
            "6:1: each arrow that cell 0,1 may have leads off the board; allow it another value, or write leave",
        ),
        (
            text_of("..", '"\u2192o"', "[[arrows]]\ninto = 1"),
            "7:1: 1 arrow or more, but at cell 0,0 can point only 0",
        ),
    ],
)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
