"""Words on a board of letters. A word is a stroke through its letters, with a ring at the first one."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.boards import Square
from rekkyo.model.exact_cover import ExactCover
from rekkyo.render.letter_board import LetterBoard
from rekkyo.render.svg.legend import Entry, legend
from rekkyo.render.svg.markup import CELL, Place, drawn_path, number, path, square, words
from rekkyo.render.svg.painting import Markup, Painting, flat
from rekkyo.render.svg.style import color

STROKE = 0.74 * CELL
LETTER_SIZE = 0.56 * CELL


def paint_letters(model: ExactCover, board: LetterBoard, given: Sequence[tuple[Square, str]]) -> Painting:
    """Every square is a spot, every word a thing; the words are listed under the board in their colours.

    given: letters that are drawn before there are words.
    """
    spots = tuple(square(column * CELL, row * CELL) for row, column in board.squares)
    spot_of = {place: index for index, place in enumerate(board.squares)}
    columns = 1 + max(column for _, column in board.squares)
    rows = 1 + max(row for row, _ in board.squares)
    entries = [Entry(name, color(index)) for index, name in enumerate(model.primary)]
    below = legend(entries, columns * CELL, rows * CELL)
    background = drawn_path("".join(spots), "rk-board") + drawn_path("".join(spots), "rk-grid") + below.drawn
    background += "".join(words(letter, _middle(place), LETTER_SIZE) for place, letter in given)

    def draw_atom(option: int) -> Markup:
        word = board.words[option]
        places = list(map(_middle, word.squares))
        fill = color(word.number)
        more = {"stroke": fill, "stroke_width": number(STROKE), "stroke_opacity": ".5"}
        drawn = drawn_path(path([places[0], *places[-1:]], closed=False), "rk-stick", **more)
        x, y = places[0]
        drawn += f'<circle fill="none" stroke="{fill}" stroke-width="2" cx="{number(x)}" cy="{number(y)}"'
        drawn += f' r="{number(STROKE / 2)}"/>'
        letters = zip(word.text, places, strict=True)
        return drawn + "".join(words(letter, place, LETTER_SIZE) for letter, place in letters)

    return Painting(
        shape=model.row_shape,
        width=below.width,
        height=below.height,
        background=background,
        spots=spots,
        spot_names=tuple(f"row {row + 1}, column {column + 1}" for row, column in board.squares),
        things=tuple(f"word {word}" for word in model.primary),
        draw_atom=flat(draw_atom),
        pairs_of_atom=lambda option: tuple(
            (spot_of[place], board.words[option].number) for place in board.words[option].squares
        ),
    )


def _middle(place: Square) -> Place:
    return (place[1] + 0.5) * CELL, (place[0] + 0.5) * CELL
