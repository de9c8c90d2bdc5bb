"""The catalog: from words to puzzles, their symmetry, and published counts as data."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog import index
from rekkyo.catalog.entry import published, table
from rekkyo.errors import BadInput, BadModel, UnknownPuzzle
from rekkyo.symmetry.group import close
from tests import naive


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("queens 8", "queens 8"),
        ("queens 8 --toroidal", "queens 8 --toroidal"),
        (
            "queens --given 1,2 8 --blocked=0,7 --blocked 0,3",
            "queens 8 --blocked 0,3 --blocked 0,7 --given 1,2",
        ),
    ],
)
def test_words_become_a_puzzle_whose_name_is_words_again(words: str, name: str) -> None:
    puzzle = index.puzzle(words.split())
    assert puzzle.name == name
    assert index.puzzle(name.split()) == puzzle


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "no puzzle is named; try: rekkyo list"),
        ("--toroidal queens 8", "name the puzzle before its options: --toroidal comes too early"),
        ("-o x", "name the puzzle before its options: -o comes too early"),
        ("quens 8", 'unknown puzzle "quens"; did you mean "queens"?'),
        ("Latin square 5", 'unknown puzzle "Latin"; did you mean "latin-square"?'),
        ("steiner 7", 'unknown puzzle "steiner"; did you mean "steiner-triples"?'),
        (
            "magic 3",
            'unknown puzzle "magic"; did you mean "magic-square" or "magic-star" or "magic-hexagon" or "magic-cube"?',
        ),
        ("mine.toml 4", 'unknown puzzle "mine.toml"; rekkyo.puzzle_from_file reads a puzzle from a file'),
        (
            "bishops 4",
            f'unknown puzzle "bishops"; known: {", ".join(entry.name for entry in index.ENTRIES)}; '
            "write any other one as a file: rekkyo new --help",
        ),
        ("queens", "queens: N is missing (the size of the board); usage: queens N"),
        ("queens 8 9", 'queens: "9" is one word too many; usage: queens N'),
        ("queens 0", 'queens: N must be a whole number from 1 to 64, not "0"'),
        ("queens -3", 'queens: N must be a whole number from 1 to 64, not "-3"'),
        ("queens 1e9", 'queens: N must be a whole number from 1 to 64, not "1e9"'),
        ("queens 1000000000", 'queens: N must be a whole number from 1 to 64, not "1000000000"'),
        ("queens 1_0", 'queens: N must be a whole number from 1 to 64, not "1_0"'),
        ("queens ٨", 'queens: N must be a whole number from 1 to 64, not "٨"'),
        ("queens eight", 'queens: N must be a whole number from 1 to 64, not "eight"'),
        ("queens 8 --toridal", 'queens has no option "--toridal"; did you mean "--toroidal"?'),
        ("queens 8 --toroidal=yes", "queens: --toroidal is a switch and takes no value"),
        ("queens 8 --blocked", "queens: --blocked needs a value: --blocked ROW,COLUMN"),
        (
            "queens 8 --blocked a1",
            'queens: a square is written ROW,COLUMN, both from 0, such as 0,3; not "a1"',
        ),
        (
            f"queens 8 --blocked {'0' * 100}",
            f'queens: a square is written ROW,COLUMN, both from 0, such as 0,3; not "{"0" * 27}..."',
        ),
        (
            "queens 8 --blocked 0,8",
            "queens: blocked square 0,8 is off the 8x8 board; rows and columns go from 0 to 7",
        ),
        (
            "queens 8 --given 9,0",
            "queens: given square 9,0 is off the 8x8 board; rows and columns go from 0 to 7",
        ),
        (
            "queens 8 --given 1,1 --blocked 1,1",
            "queens: square 1,1 is both blocked and given; keep one of the two",
        ),
    ],
)
def test_bad_words_are_refused_in_one_line_that_names_the_fix(words: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        index.puzzle(words.split())
    assert str(refusal.value) == complaint


@given(words=st.lists(st.text(max_size=8), max_size=5))
def test_no_words_lead_to_anything_but_a_puzzle_or_a_refusal(words: list[str]) -> None:
    try:
        index.puzzle(["queens", *words])
    except BadInput as refusal:
        assert "\n" not in str(refusal) or any("\n" in word for word in words)


@pytest.mark.parametrize("size", [0, -1, 65, 10**9, 8.0, "8", None, True])
def test_python_callers_get_the_same_refusals(size: object) -> None:
    with pytest.raises(BadModel, match="the board size is a whole number from 1 to 64"):
        rk.queens(size)  # type: ignore[arg-type]


def test_numpy_numbers_and_pairs_of_any_kind_are_taken() -> None:
    plain = rk.queens(8, blocked=[(1, 2)], given=[(3, 4)])
    assert rk.queens(np.int64(8), blocked=np.array([[1, 2]]), given=[[3, np.uint8(4)]]) == plain  # type: ignore[list-item]
    assert rk.puzzle("queens 8 --blocked 1,2 --given 3,4") == plain


def test_puzzles_can_be_pickled() -> None:
    puzzle = rk.queens(6, blocked=[(0, 0)])
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle


@pytest.mark.parametrize("square", ["a1", (1,), (1, 2, 3), (1.0, 2), (True, 0), 7, None])
def test_a_square_is_a_pair_of_whole_numbers(square: object) -> None:
    with pytest.raises(BadInput, match=r"is a pair of whole numbers \(row, column\)"):
        rk.queens(8, blocked=[square])  # type: ignore[list-item]


def test_unknown_puzzles_are_bad_input() -> None:
    assert issubclass(UnknownPuzzle, BadInput)


@given(data=st.data(), n=st.integers(2, 5), toroidal=st.booleans())
def test_symmetry_is_what_keeps_blocked_and_given_squares_in_place(
    data: st.DataObject, n: int, toroidal: bool
) -> None:
    squares = st.frozensets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3)
    blocked = data.draw(squares)
    placed = data.draw(squares) - blocked
    puzzle = rk.queens(n, blocked=blocked, given=placed, toroidal=toroidal)
    moves = naive.keeping(naive.square_symmetries(n, toroidal), blocked, placed)
    board = [(row, column) for row in range(n) for column in range(n)]
    expected = {tuple(row * n + column for row, column in map(move, board)) for move in moves}
    group = close(puzzle.model.row_shape, puzzle.generators)
    assert {tuple(element) for element in group.elements.tolist()} == expected


class TestPublished:
    def test_counts_belong_to_the_plain_board_and_the_torus_only(self) -> None:
        assert rk.queens(8).published == published("queens", "queens", "8")
        assert rk.queens(13, toroidal=True).published is not None
        assert rk.queens(8, blocked=[(0, 0)]).published is None
        assert rk.queens(40).published is None

    def test_agreement_is_judged_on_what_both_sides_give(self) -> None:
        counts = rk.queens(8).published
        assert counts is not None
        assert counts.agrees_with(92, 12)
        assert counts.agrees_with(92, None)
        assert not counts.agrees_with(92, 13)
        assert not counts.agrees_with(91, 12)
        torus = rk.queens(13, toroidal=True).published
        assert torus is not None
        assert torus.agrees_with(4524, 11)

    def test_every_line_of_the_data_has_a_source(self) -> None:
        known = table("queens")
        assert len(known) > 30
        assert all(counts.source and counts.total is not None for counts in known.values())
