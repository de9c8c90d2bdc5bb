"""Word searches in files, against every choice of a first square and a direction for each word."""

from __future__ import annotations

from itertools import product

import pytest

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.puzzle_toml.reader import read_toml

ALL = tuple((down, across) for down, across in product((-1, 0, 1), repeat=2) if (down, across) != (0, 0))
STEPS = {
    "all": ALL,
    "forwards": ((0, 1), (1, 1), (1, 0), (-1, 1)),
    "crossword": ((0, 1), (1, 0)),
}


def by_definition(board: str, words: list[str], directions: str) -> int:
    """How many different ways there are to lay all words, such that crossing words agree."""
    lines = board.split("\n")
    squares = {(r, c): m for r, line in enumerate(lines) for c, m in enumerate(line) if m not in ". "}
    found = set()
    for ways in product(product(squares, STEPS[directions]), repeat=len(words)):
        laid = [
            frozenset(((row + k * down, column + k * across), letter) for k, letter in enumerate(word))
            for word, ((row, column), (down, across)) in zip(words, ways, strict=True)
        ]
        written = {square: letter for one in laid for square, letter in one}
        if len(written) == len(frozenset().union(*laid)) and all(
            squares.get(square) in ("#", letter) for square, letter in written.items()
        ):
            found.add(tuple(laid))
    return len(found)


@pytest.mark.parametrize("directions", STEPS)
@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("###\n###", ["AB", "BA"]),
        ("##\n##\n##", ["ABA", "A"]),
        ("####\n#.##\n##B#", ["ABC", "CB"]),
        ("A##\n###\n##A", ["ABA", "BA"]),
        ("###", ["ABA"]),
    ],
)
def test_words_lie_where_their_letters_fit(board: str, words: list[str], directions: str) -> None:
    head = f'kind = "words"\nboard = """\n{board}"""\ndirections = "{directions}"\n'
    wanted = by_definition(board, words, directions)
    for written in (f'words = "{" ".join(words)}"', f"words = {words}"):
        assert rk.count(read_toml(head + written, "mine.toml"), up_to="none").total == wanted


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ('["AB", "C D"]', "3:16: a word has one letter or more, and no space"),
        ('["AB", ""]', "3:16: a word has one letter or more, and no space"),
        ("[]", "3:1: there are no words; write at least one"),
        ('"A.B"', '3:1: "A.B" is not a word of 1 to 40 letters'),
    ],
)
def test_what_is_no_word_is_refused(words: str, complaint: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read_toml(f'kind = "words"\nboard = "##"\nwords = {words}', "mine.toml")
    assert str(refusal.value).startswith(f"mine.toml:{complaint}")
