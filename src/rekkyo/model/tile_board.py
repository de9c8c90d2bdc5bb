"""Exact covers that are tiles on a board, by the names of their items.

The first primary items are cells, named by their places in the drawing of the board; the others are tiles. A
secondary item such as `0,1/2` is the second side of cell `0,1`, as written by
`rekkyo.export.puzzle_toml.tiles`. A side that two cells share is named by the first of them, so the first
cell names all of its sides; their number, with that of its coordinates, determines the lattice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rekkyo.model.boards import place_named
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.lattices import CUBE, HEXAGON, SQUARE, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.drawing import cell_at
from rekkyo.model.lattices.sides import Side, around, side_of

_LATTICES = {(2, 3): TRIANGLE, (2, 4): SQUARE, (2, 6): HEXAGON, (3, 6): CUBE}
"""The lattices, by the number of coordinates and of sides of a cell."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in its place: numbers of cell and tile, and the colours in the order of the cell's sides."""

    cell: int
    tile: int
    colors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TileBoard:
    """laid: what each option places. named: whether a tile has a name that is not its colours."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    cell_names: tuple[str, ...]
    tiles: tuple[str, ...]
    named: bool
    laid: tuple[Laid, ...]


@lru_cache(maxsize=4)
def tile_board(model: ExactCover) -> TileBoard | None:
    """The board of a cover; None if its items are not named in this way or an option is not a tile."""
    cell_names = _names_of_cells(model.primary)
    n_cells = len(cell_names)
    if not cell_names or n_cells == len(model.primary) or not model.options:
        return None
    n_sides = sum(name.startswith(f"{cell_names[0]}/") for name in model.secondary)
    lattice = _LATTICES.get((len(place_named(cell_names[0])), n_sides))
    cells = _cells(lattice, cell_names) if lattice else None
    sides = _sides(lattice, cells, cell_names, model.secondary) if lattice and cells else None
    if lattice is None or cells is None or sides is None:
        return None
    laid = [_laid(lattice, cells, sides, len(model.primary), option) for option in model.options]
    if not all(laid):
        return None
    tiles = model.primary[n_cells:]
    colors = {tuple(sorted(map(model.color_name, one.colors))) for one in laid if one}
    named = not all(tuple(sorted(tile)) in colors for tile in tiles)
    return TileBoard(lattice, cells, cell_names, tiles, named, tuple(one for one in laid if one))


def _names_of_cells(primary: tuple[str, ...]) -> tuple[str, ...]:
    """The first names with as many coordinates as the very first; empty if these are not 2 or 3."""
    dimension = len(place_named(primary[0]))
    n_cells = next(
        (at for at, name in enumerate(primary) if len(place_named(name)) != dimension), len(primary)
    )
    return primary[:n_cells] if dimension in (2, 3) else ()


def _cells(lattice: Lattice, names: tuple[str, ...]) -> tuple[Cell, ...] | None:
    places = [(0, *place_named(name))[-3:] for name in names]
    cells = [cell_at(lattice, (layer, line, column)) for layer, line, column in places]
    found = tuple(cell for cell in cells if cell is not None)
    return found if len(found) == len(names) else None


def _sides(
    lattice: Lattice, cells: tuple[Cell, ...], cell_names: tuple[str, ...], secondary: tuple[str, ...]
) -> tuple[Side, ...] | None:
    """The side of each secondary item."""
    cell_of = dict(zip(cell_names, cells, strict=True))
    sides = []
    for name in secondary:
        cell_name, _, number = name.rpartition("/")
        cell, place = cell_of.get(cell_name), place_named(number)
        if cell is None or len(place) != 1 or not 1 <= place[0] <= len(around(lattice, cell)):
            return None
        sides.append(side_of(cell, around(lattice, cell)[place[0] - 1]))
    return tuple(sides)


def _laid(
    lattice: Lattice, cells: tuple[Cell, ...], sides: tuple[Side, ...], n_primary: int, option: Option
) -> Laid | None:
    n_cells = len(cells)
    on_cells = [item for item, _ in option if item < n_cells]
    tiles = [item - n_cells for item, _ in option if n_cells <= item < n_primary]
    if len(on_cells) != 1 or len(tiles) != 1:
        return None
    colors = {sides[item - n_primary]: color for item, color in option if item >= n_primary}
    cell = cells[on_cells[0]]
    around_it = [side_of(cell, vector) for vector in around(lattice, cell)]
    if len(option) != 2 + len(around_it) or any(side not in colors for side in around_it):
        return None
    return Laid(on_cells[0], tiles[0], tuple(colors[side] for side in around_it))
