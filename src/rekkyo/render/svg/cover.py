"""Draws exact covers: boards of numbers, tiles or letters if the names of items match these, else a matrix.

The matrix has a column for each item, with its name, and a row for each option. If items or options are too
many, a wall has a tile for each item, with its name, and a chosen option fills its tiles with its colour.
"""

from __future__ import annotations

from collections import Counter

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.picture import Letters, Picture
from rekkyo.model.tile_board import tile_board
from rekkyo.render.labels import shortened
from rekkyo.render.letter_board import letter_board
from rekkyo.render.number_board import NumberBoard, number_board
from rekkyo.render.svg.legend import entries_of, legend
from rekkyo.render.svg.letters import paint_letters
from rekkyo.render.svg.markup import CELL, Place, drawn_path, grid, number, rectangle, square, words
from rekkyo.render.svg.painting import Markup, Painting, flat
from rekkyo.render.svg.style import color, written_on
from rekkyo.render.svg.tiles import paint_tiles

TILE_HEIGHT = 1.4 * CELL
NAME_SIZE = 10.0
MAX_NAME = 16
MAX_TURNED_NAME = 24
MAX_MATRIX = 48
"""The most items and options of a matrix; beyond them, a wall of items is drawn."""

MAX_TILES = 4096
"""The most items that are drawn."""


def paint_cover(model: ExactCover, picture: Picture | None) -> Painting:
    """Board, tiles, words or wall."""
    tiles = tile_board(model)
    if tiles is not None:
        return paint_tiles(model, tiles)
    letters = letter_board(model)
    if letters is not None:
        return paint_letters(model, letters, picture.given if isinstance(picture, Letters) else ())
    numbers = number_board(model)
    if numbers is None:
        n_items = len(model.primary) + len(model.secondary)
        small = n_items <= MAX_MATRIX and len(model.options) <= MAX_MATRIX
        return _matrix(model) if small else _wall(model)
    return _grid(model, numbers) if numbers.rows == numbers.columns else _pairs_in_a_row(model, numbers)


def _grid(model: ExactCover, numbers: NumberBoard) -> Painting:
    """A square of numbers; clues are the cells with one option only."""
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
        + drawn_path("".join(cells[cell] for cell, _ in clues), "rk-shade")
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
        draw_atom=flat(lambda option: "" if n_options[placed[option][0]] == 1 else written(*placed[option])),
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

    board = rectangle(0, 0, n_places * CELL, CELL)
    return Painting(
        shape=model.row_shape,
        width=n_places * CELL,
        height=CELL,
        background=drawn_path(board, "rk-board") + drawn_path(grid(1, n_places), "rk-grid"),
        spots=tuple(square(place * CELL, 0) for place in range(n_places)),
        spot_names=numbers.names,
        things=numbers.numbers,
        draw_atom=flat(draw_atom),
        pairs_of_atom=lambda option: numbers.placed[option],
    )


def _matrix(model: ExactCover) -> Painting:
    """Items across, options down, a ring for each use of an item; chosen options are filled rows."""
    n_items, n_options = len(model.primary) + len(model.secondary), len(model.options)
    names = [model.item_name(item) for item in range(n_items)]
    short = shortened(names, MAX_TURNED_NAME)
    left = 12 + 6.3 * len(str(n_options - 1))
    top = 10 + 6.3 * max(map(len, short))
    colors = {use: model.color_name(use[1]) if use[1] else "" for option in model.options for use in option}
    width = max(CELL, 10 + 5.5 * max(map(len, colors.values()), default=0))

    def middle(item: int, option: int) -> Place:
        return left + (item + 0.5) * width, top + (option + 0.5) * CELL

    def column(item: int) -> str:
        return rectangle(left + item * width, 0, width, top + n_options * CELL)

    heads = ""
    for item, name in enumerate(short):
        x, _ = middle(item, 0)
        kind = "rk-ink" if item < len(model.primary) else "rk-faint"
        if len(name) <= 2:
            heads += words(name, (x, top - 10), NAME_SIZE, kind)
        else:
            turned = f"rotate(-90 {number(x)} {number(top - 5)})"
            heads += words(name, (x, top - 5), NAME_SIZE, f"{kind} rk-start", transform=turned)
    lines = "".join(
        f"M{number(left)} {number(top + k * CELL)}h{number(n_items * width)}" for k in range(n_options + 1)
    )
    rings = ""
    for option, uses in enumerate(model.options):
        heads += words(str(option), (left / 2, middle(0, option)[1]), NAME_SIZE, "rk-faint")
        for item, _ in uses:
            x, y = middle(item, option)
            rings += f'<circle class="rk-line" cx="{number(x)}" cy="{number(y)}" r="4"/>'
    below = legend(entries_of(names, short), left + n_items * width, top + n_options * CELL)

    def draw_atom(option: int) -> Markup:
        fill = color(option)
        drawn = ""
        for item, shade in model.options[option]:
            x, y = middle(item, option)
            corner = x - width / 2, y - CELL / 2
            drawn += drawn_path(rectangle(*corner, width, CELL), "rk-piece", fill=fill, stroke_width="1")
            drawn += written_on(fill, colors[item, shade] or "\N{BULLET}", (x, y), NAME_SIZE)
        return drawn

    return Painting(
        shape=model.row_shape,
        width=below.width,
        height=below.height,
        background=drawn_path(lines, "rk-grid") + heads + rings + below.drawn,
        spots=tuple(map(column, range(n_items))),
        spot_names=tuple(names),
        things=tuple(f"option {option}" for option in range(n_options)),
        draw_atom=flat(draw_atom),
        pairs_of_atom=lambda option: tuple((item, option) for item, _ in model.options[option]),
    )


def _wall(model: ExactCover) -> Painting:
    """A tile for every item with its name, in rows; a chosen option writes on its tiles."""
    n_tiles = min(MAX_TILES, len(model.primary) + len(model.secondary))
    names = [model.item_name(item) for item in range(n_tiles)]
    short = shortened(names, MAX_NAME)
    tile_width = 14 + 6.0 * max(6, *map(len, short))
    columns = max(1, round((1.4 * n_tiles * TILE_HEIGHT / tile_width) ** 0.5))
    corners = [(k % columns * tile_width, k // columns * TILE_HEIGHT) for k in range(n_tiles)]
    tiles = [rectangle(x, y, tile_width, TILE_HEIGHT) for x, y in corners]
    below = legend(entries_of(names, short), columns * tile_width, -(-n_tiles // columns) * TILE_HEIGHT)

    def middle(item: int, down: float) -> Place:
        x, y = corners[item]
        return x + tile_width / 2, y + down * TILE_HEIGHT

    def draw_atom(option: int) -> Markup:
        fill = color(option)
        drawn = ""
        for item, shade in model.options[option]:
            if item < n_tiles:
                text = f"{option}: {model.color_name(shade)}" if shade else f"option {option}"
                drawn += drawn_path(tiles[item], "rk-piece", fill=fill, stroke_width="1")
                drawn += written_on(fill, short[item], middle(item, 0.32), NAME_SIZE)
                drawn += written_on(fill, text, middle(item, 0.72), 8)
        return drawn

    return Painting(
        shape=model.row_shape,
        width=below.width,
        height=below.height,
        background=drawn_path("".join(tiles), "rk-board")
        + drawn_path("".join(tiles), "rk-grid")
        + "".join(words(short[item], middle(item, 0.32), NAME_SIZE, "rk-faint") for item in range(n_tiles))
        + below.drawn,
        spots=tuple(tiles),
        spot_names=tuple(names),
        things=tuple(f"option {option}" for option in range(len(model.options))),
        draw_atom=flat(draw_atom),
        pairs_of_atom=lambda option: tuple(
            (item, option) for item, _ in model.options[option] if item < n_tiles
        ),
    )
