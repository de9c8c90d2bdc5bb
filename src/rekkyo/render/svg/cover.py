"""Exact covers: boards of numbers where the names of items say so, else a wall of items.

In a wall each item is a tile with its name, and a chosen option fills its tiles with its colour and number.
"""

from __future__ import annotations

from collections import Counter
from math import isqrt

from rekkyo.model.exact_cover import ExactCover
from rekkyo.render.number_board import NumberBoard, number_board
from rekkyo.render.svg.markup import CELL, Place, drawn_path, grid, square, words
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.style import color, written_on

TILE_WIDTH, TILE_HEIGHT = 2.4 * CELL, 1.5 * CELL
MAX_NAME = 8
MAX_TILES = 4096
"""Items beyond are not drawn."""


def paint_cover(model: ExactCover) -> Painting:
    """Board or wall."""
    numbers = number_board(model)
    if numbers is None:
        return _wall(model)
    return _pairs_in_a_row(model, numbers) if numbers.rows == 1 else _grid(model, numbers)


def _grid(model: ExactCover, numbers: NumberBoard) -> Painting:
    """A square of numbers; clues are the cells that have one option only."""
    side = numbers.columns
    placed = [cell_and_number for (cell_and_number,) in numbers.placed]
    n_options = Counter(cell for cell, _ in placed)
    cells = tuple(square(cell % side * CELL, cell // side * CELL) for cell in range(side * side))
    size = (0.66, 0.66, 0.5, 0.36)[max(map(len, numbers.numbers))] * CELL

    def written(cell: int, index: int) -> Markup:
        middle = (cell % side + 0.5) * CELL, (cell // side + 0.5) * CELL
        return words(numbers.numbers[index], middle, size)

    clues = [pair for pair in placed if n_options[pair[0]] == 1]
    box = numbers.box or side
    background = (
        drawn_path(square(0, 0, side * CELL), "rk-board")
        + (drawn_path("".join(cells[cell] for cell, _ in clues), "rk-shade") if clues else "")
        + drawn_path(grid(side, side), "rk-grid")
        + drawn_path(grid(side // box, side // box, box * CELL), "rk-frame")
        + "".join(written(*pair) for pair in clues)
    )
    return Painting(
        shape=model.row_shape,
        width=side * CELL,
        height=side * CELL,
        background=background,
        spots=cells,
        spot_names=numbers.names,
        things=numbers.numbers,
        draw_atom=lambda option: "" if n_options[placed[option][0]] == 1 else written(*placed[option]),
        pairs_of_atom=lambda option: (placed[option],),
    )


def _pairs_in_a_row(model: ExactCover, numbers: NumberBoard) -> Painting:
    n_places = numbers.columns

    def draw_atom(option: int) -> Markup:
        drawn = ""
        for place, pair in numbers.placed[option]:
            fill = color(pair)
            drawn += drawn_path(square(place * CELL, 0), "rk-piece", fill=fill)
            drawn += written_on(fill, numbers.numbers[pair], ((place + 0.5) * CELL, CELL / 2), 0.55 * CELL)
        return drawn

    board = f"M0 0h{n_places * CELL:g}v{CELL:g}h{-n_places * CELL:g}Z"
    return Painting(
        shape=model.row_shape,
        width=n_places * CELL,
        height=CELL,
        background=drawn_path(board, "rk-board") + drawn_path(grid(1, n_places), "rk-grid"),
        spots=tuple(square(place * CELL, 0) for place in range(n_places)),
        spot_names=numbers.names,
        things=numbers.numbers,
        draw_atom=draw_atom,
        pairs_of_atom=lambda option: numbers.placed[option],
    )


def _wall(model: ExactCover) -> Painting:
    """A tile for every item, in rows."""
    n_tiles = min(MAX_TILES, len(model.primary) + len(model.secondary))
    columns = max(1, isqrt(2 * n_tiles))
    corners = [(k % columns * TILE_WIDTH, k // columns * TILE_HEIGHT) for k in range(n_tiles)]
    tiles = [f"M{x:g} {y:g}h{TILE_WIDTH:g}v{TILE_HEIGHT:g}h{-TILE_WIDTH:g}Z" for x, y in corners]
    names = [model.item_name(item) for item in range(n_tiles)]
    shown = [name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…" for name in names]

    def middle(item: int, down: float) -> Place:
        x, y = corners[item]
        return x + TILE_WIDTH / 2, y + down * TILE_HEIGHT

    def draw_atom(option: int) -> Markup:
        fill = color(option)
        drawn = ""
        for item, shade in model.options[option]:
            if item < n_tiles:
                text = f"{option}:{shade}" if shade else str(option)
                drawn += drawn_path(tiles[item], "rk-piece", fill=fill, stroke_width="1")
                drawn += written_on(fill, shown[item], middle(item, 0.3), 9)
                drawn += written_on(fill, text, middle(item, 0.7), 11)
        return drawn

    return Painting(
        shape=model.row_shape,
        width=columns * TILE_WIDTH,
        height=-(-n_tiles // columns) * TILE_HEIGHT,
        background=drawn_path("".join(tiles), "rk-board")
        + drawn_path("".join(tiles), "rk-grid")
        + "".join(words(shown[item], middle(item, 0.3), 9, "rk-faint") for item in range(n_tiles)),
        spots=tuple(tiles),
        spot_names=tuple(names),
        things=tuple(f"option {option}" for option in range(len(model.options))),
        draw_atom=draw_atom,
        pairs_of_atom=lambda option: tuple(
            (item, option) for item, _ in model.options[option] if item < n_tiles
        ),
    )
