"""`kind = "words"`: a word search, in which every word lies on the board once, along a straight line.

Crossing words agree in their letters. Letters may be given on the board. The exact cover: each word is an
item, each square a secondary item whose colours are letters; a given letter excludes places that disagree.
Source: Knuth, TAOCP 4B (2022), section 7.2.2.1, "Packing words into a square".
"""

from __future__ import annotations

from collections.abc import Iterator

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, Table
from rekkyo.export.puzzle_toml.marks import Square, board_drawing, squares
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.lattices import SQUARE
from rekkyo.model.picture import Letters

KEYS = ("board", "words", "directions")
FREE = "#"
DIRECTIONS: dict[str, tuple[Square, ...]] = {
    "all": ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
    "forwards": ((0, 1), (1, 1), (1, 0), (-1, 1)),
    "crossword": ((0, 1), (1, 0)),
}
N_OPPOSITE = 4
"""After so many of all directions come their opposites, in the same order."""

MAX_SQUARES = 1 << 12
MAX_WORDS = 1 << 12
MAX_LETTERS = 1 << 22
"""The most letters of all words in all their places."""


def read_words(table: Table) -> tuple[ExactCover, Letters]:
    """The exact cover of a table, and the given letters. Raises BadFile."""
    board = squares(board_drawing(table, SQUARE), MAX_SQUARES)
    words = _words(table)
    directions = DIRECTIONS[table.choice("directions", list(DIRECTIONS))]
    if len(board) * len(directions) * sum(map(len, words)) > MAX_LETTERS:
        table.refuse("words", "too many ways to place the words; take fewer words or a smaller board")
    colors = {letter: number for number, letter in enumerate(sorted({c for word in words for c in word}), 1)}
    items = {square: len(words) + number for number, square in enumerate(board)}
    options: list[Option] = []
    for item, word in enumerate(words):
        for place in _places(word, board, directions):
            uses = ((items[square], colors[letter]) for square, letter in zip(place, word, strict=True))
            options.append(((item, 0), *sorted(uses)))
    with table.errors_at("words"):
        names = tuple(f"{row},{column}" for row, column in board)
        model = ExactCover(tuple(words), names, tuple(options), color_names=tuple(colors))
    return model, Letters(tuple((square, mark) for square, mark in board.items() if mark != FREE))


def _words(table: Table) -> list[str]:
    if isinstance(table.data.get("words"), list):
        words = table.words("words")
        for number, word in enumerate(words):
            if " " in word or not word:
                table.refuse_value("words", "a word has one letter or more, and no space", number)
    else:
        words = table.text("words").split()
    if not words:
        table.refuse("words", "there are no words; write at least one")
    if len(words) > MAX_WORDS:
        table.refuse("words", f"{len(words)} words are more than the {MAX_WORDS} that are read; take fewer")
    seen: set[str] = set()
    for word in words:
        if word in seen:
            table.refuse("words", f'word "{in_short(word)}" appears twice; write it once')
        seen.add(word)
        if len(word) > MAX_NAME or not word.isprintable() or any(mark in word for mark in "#.,:|"):
            table.refuse("words", f'"{in_short(word)}" is not a word of 1 to {MAX_NAME} letters')
    return words


def _places(word: str, board: dict[Square, str], directions: tuple[Square, ...]) -> Iterator[list[Square]]:
    """Each placement of a word, once: a palindrome is the same in opposite directions, a letter in all."""
    if word == word[::-1]:
        directions = directions[: N_OPPOSITE if len(word) > 1 else 1]
    for row, column in board:
        for down, across in directions:
            place = [(row + step * down, column + step * across) for step in range(len(word))]
            if all(board.get(square) in (FREE, letter) for square, letter in zip(place, word, strict=True)):
                yield place
