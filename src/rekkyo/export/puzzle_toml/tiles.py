"""`kind = "tiles"`: square tiles on a board, so that the sides that meet have one colour.

A tile is four characters: its colours at the top, right, bottom and left. It may be turned unless `turns` is
false. In the exact cover cells and tiles are items, sides of cells secondary items.
Left out on purpose: tiles that are turned over, and other shapes than squares.
"""

from __future__ import annotations

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import Square, squares
from rekkyo.export.puzzle_toml.pieces import check_name
from rekkyo.export.puzzle_toml.times import read_times
from rekkyo.model.exact_cover import ExactCover, Option

KEYS = ("board", "tiles", "times", "turns", "border")
MAX_SQUARES = 1 << 10
MAX_OPTIONS = 1 << 18
N_SIDES = 4


def read_tiles(table: Table) -> ExactCover:
    """The exact cover of a table. Raises BadFile."""
    board = list(squares(table.drawing("board"), MAX_SQUARES))
    tiles = _tiles(table)
    border = _border(table, tiles)
    bounds = _bounds(table, tiles, len(board))
    turns = range(N_SIDES if table.flag("turns", True) else 1)
    turned = {
        name: dict.fromkeys(tile[-turn:] + tile[:-turn] for turn in turns) for name, tile in tiles.items()
    }
    _check_different(table, turned)
    if sum(map(len, turned.values())) * len(board) > MAX_OPTIONS:
        table.refuse(
            "tiles", f"more than {MAX_OPTIONS} ways to place a tile; take fewer tiles or a smaller board"
        )
    colors = {color: number for number, color in enumerate(sorted({c for t in tiles.values() for c in t}), 1)}
    on_board = set(board)
    sides = sorted({side for square in board for side in _sides(square)})
    primary = [*(f"{row},{column}" for row, column in board), *tiles]
    side_items = {side: len(primary) + number for number, side in enumerate(sides)}
    options: list[Option] = []
    for cell, square in enumerate(board):
        at_border = [near not in on_board for near in _around(square)]
        for number, name in enumerate(tiles):
            for tile in turned[name]:
                if border and any(out and c != border for out, c in zip(at_border, tile, strict=True)):
                    continue
                coloured = zip(_sides(square), tile, strict=True)
                uses = [(side_items[side], colors[color]) for side, color in coloured]
                options.append(((cell, 0), (len(board) + number, 0), *sorted(uses)))
    with table.errors_at("tiles"):
        return ExactCover(
            tuple(primary), tuple(map(_side_name, sides)), tuple(options), bounds, color_names=tuple(colors)
        )


def _tiles(table: Table) -> dict[str, str]:
    found = table.table("tiles")
    if not len(found):
        table.refuse_table('"tiles" is missing or empty; write [tiles] and a line such as A = "--rb"')
    tiles = {}
    for name in found.names():
        check_name(found, name, "tile")
        if name[0].isdigit() and "," in name:
            found.refuse(name, f'"{in_short(name)}" looks like a cell; give the tile another name')
        tile = found.text(name)
        if len(tile) != N_SIDES or not tile.isprintable() or " " in tile:
            mend = "write four characters, its colours at the top, right, bottom and left"
            found.refuse_value(name, f'tile "{in_short(name)}" is "{in_short(tile)}"; {mend}')
        tiles[name] = tile
    return tiles


def _check_different(table: Table, turned: dict[str, dict[str, None]]) -> None:
    owner: dict[str, str] = {}
    for name, ways in turned.items():
        least = min(ways)
        if least in owner:
            problem = f'tile "{in_short(name)}" is the same as "{in_short(owner[least])}"'
            mend = "write it once, and how often it is used under [times]"
            table.table("tiles").refuse(name, f"{problem}; {mend}")
        owner[least] = name


def _border(table: Table, tiles: dict[str, str]) -> str:
    if "border" not in table:
        return ""
    border = table.text("border")
    if not any(border == color for tile in tiles.values() for color in tile):
        table.refuse_value(
            "border", f'"border" is "{in_short(border)}", which no tile has; name one colour of a tile'
        )
    return border


def _bounds(table: Table, tiles: dict[str, str], n_squares: int) -> tuple[tuple[int, int], ...]:
    read = read_times(table, tiles, lambda name: f'there is no tile "{name}"').values()
    bounds = [(low, max(1, low, n_squares) if high is None else high) for low, high in read]
    least, most = (sum(pair[end] for pair in bounds) for end in (0, 1))
    if not least <= n_squares <= most:
        have = f"{least}" if least == most else f"{least} to {most}"
        problem = f"the board has {n_squares} squares, but there are {have} tiles"
        table.refuse("board", f"{problem}; change the one or the other")
    return () if set(bounds) == {(1, 1)} else (*[(1, 1)] * n_squares, *bounds)


def _around(square: Square) -> list[Square]:
    """The squares at the top, right, bottom and left."""
    row, column = square
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def _sides(square: Square) -> list[Square]:
    """The middles of its four sides, on a scale where a square has side 2 and its middle is odd."""
    return _around((2 * square[0] + 1, 2 * square[1] + 1))


def _side_name(side: Square) -> str:
    """`-` for a side across, `/` for one down, and the square below or to the right of it."""
    row, column = side
    return f"{'-' if row % 2 == 0 else '/'}{row // 2},{column // 2}"
