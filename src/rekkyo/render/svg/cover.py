"""Exact covers: grids of digits and rows of numbers where the names of items say so, else a wall of items.

Sudoku has items r1c1 and r1=1, Langford pairings have place1 and pair1. In any other cover each item is a
tile with its name, and a chosen option fills its tiles with its colour and its number.
"""

from __future__ import annotations

import re
from math import isqrt

from rekkyo.model.exact_cover import ExactCover
from rekkyo.render.svg.markup import CELL, drawn_path, grid, square, words
from rekkyo.render.svg.painting import Markup, Painting, Pair
from rekkyo.render.svg.palette import color, ink_on

TILE_WIDTH, TILE_HEIGHT = 2.4 * CELL, 1.5 * CELL
MAX_NAME = 8
MAX_TILES = 4096
"""Items beyond are not drawn."""

CELL_OF_GRID = re.compile(r"r([1-9])c([1-9])")
DIGIT_IN_ROW = re.compile(r"r[1-9]=([1-9])")


def paint_cover(model: ExactCover) -> Painting:
    """Grid, row or wall."""
    names = model.primary
    if len(names) >= 81 and all(CELL_OF_GRID.fullmatch(name) for name in names[:81]):
        return _Digits(model).painting()
    n_places = sum(name.startswith("place") for name in names)
    if (
        n_places
        and 3 * n_places == 2 * len(names)
        and all(name.startswith(("pair", "place")) for name in names)
    ):
        return _pairs_in_a_row(model, n_places)
    return _Wall(model).painting()


class _Digits:
    """A sudoku grid; clues are the cells that have one option only."""

    def __init__(self, model: ExactCover) -> None:
        self._model = model
        self._placed = [self._place(option) for option in range(len(model.options))]
        options_in = [0] * 81
        for cell, _ in self._placed:
            options_in[cell] += 1
        self._is_clue = [n == 1 for n in options_in]

    def _place(self, option: int) -> Pair:
        cell = digit = 0
        for item, _ in self._model.options[option]:
            name = self._model.item_name(item)
            if match := CELL_OF_GRID.fullmatch(name):
                cell = 9 * (int(match[1]) - 1) + int(match[2]) - 1
            elif match := DIGIT_IN_ROW.fullmatch(name):
                digit = int(match[1]) - 1
        return cell, digit

    def painting(self) -> Painting:
        size = 9 * CELL
        clues = [pair for pair in self._placed if self._is_clue[pair[0]]]
        background = (
            drawn_path(square(0, 0, size), "rk-board")
            + drawn_path("".join(_cell(cell) for cell, _ in clues), "rk-shade")
            + drawn_path(grid(9, 9), "rk-grid")
            + drawn_path(grid(3, 3, 3 * CELL), "rk-frame")
            + "".join(_digit(*pair) for pair in clues)
        )
        return Painting(
            shape=self._model.row_shape,
            width=size,
            height=size,
            background=background,
            spots=tuple(map(_cell, range(81))),
            things=tuple("123456789"),
            draw_atom=lambda option: (
                "" if self._is_clue[self._placed[option][0]] else _digit(*self._placed[option])
            ),
            pairs_of_atom=lambda option: (self._placed[option],),
        )


def _cell(cell: int) -> str:
    return square(cell % 9 * CELL, cell // 9 * CELL)


def _digit(cell: int, digit: int) -> Markup:
    return words(str(digit + 1), ((cell % 9 + 0.5) * CELL, (cell // 9 + 0.5) * CELL), 0.66 * CELL)


def _pairs_in_a_row(model: ExactCover, n_places: int) -> Painting:
    n_pairs = len(model.primary) - n_places

    def placed(option: int) -> tuple[Pair, ...]:
        items = [item for item, _ in model.options[option]]
        return tuple((item - n_pairs, items[0]) for item in items[1:])

    def draw_atom(option: int) -> Markup:
        drawn = ""
        for place, pair in placed(option):
            fill = color(pair)
            drawn += drawn_path(square(place * CELL, 0), "rk-piece", fill=fill)
            drawn += words(
                str(pair + 1), ((place + 0.5) * CELL, CELL / 2), 0.55 * CELL, "rk-name", fill=ink_on(fill)
            )
        return drawn

    return Painting(
        shape=model.row_shape,
        width=n_places * CELL,
        height=CELL,
        background=drawn_path(
            square(0, 0, CELL)
            .replace(f"h{CELL:g}", f"h{n_places * CELL:g}")
            .replace(f"h{-CELL:g}", f"h{-n_places * CELL:g}"),
            "rk-board",
        )
        + drawn_path(grid(1, n_places), "rk-grid"),
        spots=tuple(square(place * CELL, 0) for place in range(n_places)),
        things=tuple(str(pair + 1) for pair in range(n_pairs)),
        draw_atom=draw_atom,
        pairs_of_atom=placed,
    )


class _Wall:
    """A tile for every item, in rows."""

    def __init__(self, model: ExactCover) -> None:
        self._model = model
        self._n_tiles = min(MAX_TILES, len(model.primary) + len(model.secondary))
        self._columns = max(1, isqrt(2 * self._n_tiles))

    def painting(self) -> Painting:
        rows = -(-self._n_tiles // self._columns)
        tiles = [self._tile(item) for item in range(self._n_tiles)]
        d = "".join(tiles)
        return Painting(
            shape=self._model.row_shape,
            width=self._columns * TILE_WIDTH,
            height=rows * TILE_HEIGHT,
            background=drawn_path(d, "rk-board")
            + drawn_path(d, "rk-grid")
            + "".join(
                words(self._name(item), self._middle(item, 0.3), 9, "rk-faint")
                for item in range(self._n_tiles)
            ),
            spots=tuple(tiles),
            things=tuple(f"option {option}" for option in range(len(self._model.options))),
            draw_atom=self._option,
            pairs_of_atom=lambda option: tuple((item, option) for item in self._items(option)),
        )

    def _items(self, option: int) -> list[int]:
        return [item for item, _ in self._model.options[option] if item < self._n_tiles]

    def _option(self, option: int) -> Markup:
        fill = color(option)
        drawn = ""
        for item, shade in self._model.options[option]:
            if item < self._n_tiles:
                text = f"{option}:{shade}" if shade else str(option)
                drawn += drawn_path(self._tile(item), "rk-piece", fill=fill, stroke_width="1")
                drawn += words(self._name(item), self._middle(item, 0.3), 9, "rk-name", fill=ink_on(fill))
                drawn += words(text, self._middle(item, 0.7), 11, "rk-name", fill=ink_on(fill))
        return drawn

    def _name(self, item: int) -> str:
        name = self._model.item_name(item)
        return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"

    def _corner(self, item: int) -> tuple[float, float]:
        row, column = divmod(item, self._columns)
        return column * TILE_WIDTH, row * TILE_HEIGHT

    def _middle(self, item: int, down: float) -> tuple[float, float]:
        x, y = self._corner(item)
        return x + TILE_WIDTH / 2, y + down * TILE_HEIGHT

    def _tile(self, item: int) -> str:
        x, y = self._corner(item)
        return f"M{x:g} {y:g}h{TILE_WIDTH:g}v{TILE_HEIGHT:g}h{-TILE_WIDTH:g}Z"
