"""Exact covers that are words on a board of letters, by the names of their items.

Squares are secondary items named `row,column`, whose colours are letters; every option is one word, spelled
by the letters of its squares along a straight line (as written by `rekkyo.export.puzzle_toml.words`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rekkyo.model.boards import Square, squares_named
from rekkyo.model.exact_cover import ExactCover

DIRECTIONS = {
    (0, 1): "to the right",
    (1, 1): "down and right",
    (1, 0): "down",
    (1, -1): "down and left",
    (0, -1): "to the left",
    (-1, -1): "up and left",
    (-1, 0): "up",
    (-1, 1): "up and right",
    (0, 0): "one letter",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its place: its number, and its squares in the order in which it is read."""

    number: int
    text: str
    squares: tuple[Square, ...]

    @property
    def place(self) -> str:
        """Its first square, counted from 1, and its direction, for people."""
        (row, column), *more = self.squares
        down, across = (more[0][0] - row, more[0][1] - column) if more else (0, 0)
        return f"row {row + 1}, column {column + 1}, {DIRECTIONS[down, across]}"


@dataclass(frozen=True, slots=True)
class LetterBoard:
    """squares: in the order of the secondary items. words: for each option."""

    squares: tuple[Square, ...]
    words: tuple[Word, ...]


@lru_cache(maxsize=4)
def letter_board(model: ExactCover) -> LetterBoard | None:
    """The board of a cover, or None."""
    squares = squares_named(model.secondary, None) if model.color_names else None
    if not squares:
        return None
    words = []
    for option in model.options:
        names = [item for item, _ in option if item < len(model.primary)]
        uses = sorted(
            (squares[item - len(model.primary)], model.color_name(color))
            for item, color in option
            if item >= len(model.primary)
        )
        if len(names) != 1:
            return None
        word = _word(names[0], model.primary[names[0]], uses)
        if word is None:
            return None
        words.append(word)
    return LetterBoard(tuple(squares), tuple(words))


def _word(number: int, text: str, uses: list[tuple[Square, str]]) -> Word | None:
    """The word along its squares, forwards or backwards; None if they do not spell it along a line."""
    if len(uses) != len(text):  # a colour may have several letters
        return None
    for along in (uses, uses[::-1]):
        squares = tuple(square for square, _ in along)
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(squares)}
        if "".join(letter for _, letter in along) == text and steps <= DIRECTIONS.keys() and len(steps) < 2:
            return Word(number, text, squares)
    return None
