"""`kind = "tiles"`: tiles on the cells of a board, so that touching sides have one colour.

A tile is a text with the colour of each side as a character; SIDES gives the order. It may be turned unless
`turns` is false. In the exact cover cells and tiles are items, sides of cells secondary items; `0,1/2` is the
second side of the cell in line 0, column 1 of the board's drawing.
Left out on purpose: tiles that are turned over, and lattices whose cells do not meet side to side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import all_cells, board_drawing
from rekkyo.export.puzzle_toml.pieces import check_name
from rekkyo.export.puzzle_toml.times import read_times
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.lattices import Cell, Lattice
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.lattices.lattice import Vector, added, applied
from rekkyo.model.lattices.sides import SIDES, Side, around, side_of
from rekkyo.wording import several

KEYS = ("lattice", "board", "tiles", "times", "turns", "border")
MAX_CELLS = 1 << 10
MAX_TILES = 1 << 12
MAX_OPTIONS = 1 << 18
_ONCE = "write it once, and how often it is used under [times]"


Way: TypeAlias = tuple[tuple[Vector, str], ...]
"""An orientation of a tile: the colour in each direction."""


def read_tiles(table: Table) -> ExactCover:
    """The exact cover of a table. Raises BadFile."""
    known = {lattice.name: lattice for lattice in SIDES}
    lattice = known[table.choice("lattice", list(known))]
    board = list(all_cells(board_drawing(table, lattice), lattice, MAX_CELLS))
    tiles = _tiles(table, lattice)
    bounds = _bounds(table, tiles, len(board))
    ways = _ways_of(table, lattice, tiles)
    if sum(map(len, ways.values())) * len(board) > MAX_OPTIONS:
        problem = f"more than {MAX_OPTIONS} ways to place a tile; take fewer tiles or a smaller board"
        table.refuse("tiles", problem)
    colors = {color: number for number, color in enumerate(sorted(set("".join(tiles.values()))), 1)}
    given = _border(table, lattice, board, set(colors))
    names = _names_of_sides(lattice, board)
    items = {side: len(board) + len(tiles) + number for number, side in enumerate(names)}
    options: list[Option] = []
    for cell, place in enumerate(board):
        for number, name in enumerate(tiles):
            for way in ways[name]:
                lies = {side_of(place, vector): color for vector, color in way}
                # a triangle that points up has no side in common with a cell that points down
                if lies.keys() <= names.keys() and all(given.get(side, c) == c for side, c in lies.items()):
                    sides = sorted((items[side], colors[color]) for side, color in lies.items())
                    options.append(((cell, 0), (len(board) + number, 0), *sides))
    primary = (*(_name(lattice, cell) for cell in board), *tiles)
    with table.errors_at("tiles"):
        return ExactCover(primary, tuple(names.values()), tuple(options), bounds, color_names=tuple(colors))


def _tiles(table: Table, lattice: Lattice) -> dict[str, str]:
    """The colours of each tile by its name; a tile without a name is named by its colours."""
    if type(table.data.get("tiles")) is str:
        return _unnamed_tiles(table, lattice)
    found = table.table("tiles")
    if not len(found):
        example = "rrrbbb"[: len(SIDES[lattice].towards)]
        table.refuse_table(f'"tiles" is missing or empty; write tiles = "{example} ...", or [tiles]')
    tiles = {}
    for name in found.names():
        check_name(found, name, "tile")
        tiles[name] = found.text(name)
        problem = _problem_of(lattice, tiles[name])
        if problem:
            found.refuse_value(name, f'tile "{in_short(name)}" is "{in_short(tiles[name])}"; {problem}')
    return tiles


def _unnamed_tiles(table: Table, lattice: Lattice) -> dict[str, str]:
    def problem_of(tile: str) -> str | None:
        problem = _problem_of(lattice, tile, ",:|")
        return f'this is not a tile: "{in_short(tile)}"; {problem}' if problem else None

    drawing = table.drawing("tiles")
    tiles = drawing.numbered("tile", {}, MAX_TILES, problem_of, _ONCE)
    if not tiles:
        drawing.refuse_whole("there is no tile; write at least one")
    return {tile: tile for tile in tiles}


def _problem_of(lattice: Lattice, tile: str, without: str = "") -> str | None:
    """The problem of the colours of a tile, or None. without: characters that it may not have."""
    in_words, towards = SIDES[lattice]
    if len(tile) == len(towards) and tile.isprintable() and not any(c in tile for c in f" {without}"):
        return None
    return f"write {len(towards)} characters, its colours at the {in_words}"


def _ways_of(table: Table, lattice: Lattice, tiles: dict[str, str]) -> dict[str, tuple[Way, ...]]:
    """All orientations of each tile. Raises BadFile if two tiles are the same."""
    may_turn = table.flag("turns", True)
    if not may_turn and len(lattice.kinds) > 1:
        table.refuse("turns", "no tile fits a cell that points down without turns; leave it out")
    matrices = lattice.rotations if may_turn else lattice.rotations[:1]
    turned = [[applied(matrix, vector) for vector in SIDES[lattice].towards] for matrix in matrices]
    ways: dict[str, tuple[Way, ...]] = {}
    owner: dict[Way, str] = {}
    for name, tile in tiles.items():
        ways[name] = tuple(dict.fromkeys(tuple(sorted(zip(v, tile, strict=True))) for v in turned))
        same = owner.setdefault(min(ways[name]), name)
        if same != name:
            problem = f'tile "{in_short(name)}" is the same as "{in_short(same)}"'
            table.document.refuse((*table.path, "tiles", name), f"{problem}; {_ONCE}")
    return ways


def _border(table: Table, lattice: Lattice, board: Sequence[Cell], colors: set[str]) -> dict[Side, str]:
    """The colours of the sides at the border: one for all, or one for each direction."""
    if "border" not in table:
        return {}
    border, n_sides = table.text("border"), len(SIDES[lattice].towards)
    for color in border:
        if color not in colors:
            unknown = f'"border" has "{in_short(color)}", which no tile has'
            table.refuse_value("border", f"{unknown}; take one that a tile has")
    if len(border) == 1:
        border *= n_sides
    elif len(border) != n_sides or len(lattice.kinds) > 1:
        more = "" if len(lattice.kinds) > 1 else f", or {n_sides}, for the {SIDES[lattice].in_words}"
        table.refuse_value("border", f'"border" is the colour of the sides at the border{more}')
    cells = set(board)
    return {
        side_of(cell, vector): color
        for cell in board
        for vector, color in zip(around(lattice, cell), border, strict=True)
        if added(cell, vector) not in cells
    }


def _bounds(table: Table, tiles: dict[str, str], n_cells: int) -> tuple[tuple[int, int], ...]:
    read = read_times(table, tiles, lambda name: f'there is no tile "{name}"').values()
    bounds = [(low, max(1, low, n_cells) if high is None else high) for low, high in read]
    least, most = (sum(pair[end] for pair in bounds) for end in (0, 1))
    if not least <= n_cells <= most:
        have = f"{least}" if least == most else f"{least} to {most}"
        verb, noun = ("is", "tile") if most == 1 else ("are", "tiles")
        problem = f"the board has {several(n_cells, 'cell')}, but there {verb} {have} {noun}"
        table.refuse("board", f"{problem}; change the board or the tiles")
    return () if set(bounds) == {(1, 1)} else (*[(1, 1)] * n_cells, *bounds)


def _names_of_sides(lattice: Lattice, board: Sequence[Cell]) -> dict[Side, str]:
    """The names of the sides of all cells, each from the first cell with the side."""
    names: dict[Side, str] = {}
    for cell in board:
        for number, vector in enumerate(around(lattice, cell), 1):
            names.setdefault(side_of(cell, vector), f"{_name(lattice, cell)}/{number}")
    return names


def _name(lattice: Lattice, cell: Cell) -> str:
    """The place of the cell in the drawing of the board."""
    return ",".join(map(str, spot(lattice, cell)[3 - lattice.dimension :]))
