"""The exact cover of a packing: its options are the placements of the pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from rekkyo.errors import BadModel
from rekkyo.model import cell_colors
from rekkyo.model.exact_cover import ExactCover, Item, Option, Use
from rekkyo.model.lattices import EDGES, Cell, cell_name
from rekkyo.model.lattices.shapes import CellNumber, Shape, places

if TYPE_CHECKING:
    from rekkyo.model.packing import Packing

MAX_PLACED = 1 << 24
"""The most cells in all placements together, by an estimate from above: some 300 MB."""


class Placement(NamedTuple):
    """A piece in one place."""

    piece: str
    cells: Shape


class Lowered(NamedTuple):
    """An exact cover, and the placement of each of its options."""

    cover: ExactCover
    placements: tuple[Placement, ...]


class _Placed(NamedTuple):
    """A placement by the number of its piece and the numbers of its cells."""

    piece: int
    place: tuple[CellNumber, ...]


def lowered(packing: Packing) -> Lowered:
    """The exact cover of a packing. Raises BadModel."""
    board = sorted(packing.board)
    _check_number_of_placements(packing)
    all_placed = [
        _Placed(number, place)
        for number, places_of_piece in enumerate(_places(packing, board))
        for place in places_of_piece
    ]
    placed = _keep_given(packing, board, all_placed)
    if packing._area_forbids():
        placed = []  # so that no engine searches
    placements = tuple(
        Placement(packing.pieces[piece].name, tuple(board[number] for number in place))
        for piece, place in placed
    )
    return Lowered(_cover(packing, board, placed), placements)


def _places(packing: Packing, board: list[Cell]) -> Iterator[list[tuple[CellNumber, ...]]]:
    """The places of each piece, in increasing order. Raises BadModel."""
    lattice, stride, periods = packing.lattice, packing.stride, packing.periods
    for piece in packing.pieces:
        if piece.colors:
            shapes = packing.colored_orientations(piece)
            fitting = {color: packing.cells_that_fit(color) for color in set(shapes[0].colors)}
            found = cell_colors.colored_places(lattice, shapes, board, fitting, stride, periods)
        else:
            found = places(lattice, packing.orientations(piece), board, stride, periods)
        if piece.only_on is not None:
            found = [place for place in found if all(board[cell] in piece.only_on for cell in place)]
        if piece.colors:
            cell_colors.check_that_rows_show_colors(piece.name, found, board)
        yield found


def _check_number_of_placements(packing: Packing) -> None:
    """Raise BadModel before the memory is allocated."""
    step = packing.lattice.step
    kinds = Counter(tuple(part % step for part in cell) for cell in packing.board)
    room = [max(axis) - min(axis) for axis in zip(*packing.board, strict=True)]
    n_cells = 0
    for piece in packing.pieces:
        for shape, _ in packing.colored_orientations(piece):
            # On a torus a shape may begin in every cell.
            reach = [0 if packing.toroidal else max(axis) - min(axis) for axis in zip(*shape, strict=True)]
            n_moves = prod(max(0, (r - s) // step + 1) for r, s in zip(room, reach, strict=True))
            n_cells += min(n_moves, kinds[tuple(part % step for part in shape[0])]) * len(shape)
    if n_cells > MAX_PLACED:
        raise BadModel(
            f"packing: placements with up to {n_cells} cells are more than the {MAX_PLACED}"
            " that rekkyo takes on; take a smaller board or fewer pieces"
        )


def _keep_given(packing: Packing, board: list[Cell], placed: list[_Placed]) -> list[_Placed]:
    """The placements that can be in a solution together with the given ones. Raises BadModel."""
    if not packing.given:
        return placed
    number_of = {cell: number for number, cell in enumerate(board)}
    piece_numbers = {piece.name: number for number, piece in enumerate(packing.pieces)}
    given = {
        _Placed(piece_numbers[name], tuple(sorted(number_of.get(cell, -1) for cell in cells)))
        for name, cells in packing.given
    }
    for lost in sorted(given - set(placed)):
        name = packing.pieces[lost.piece].name
        raise BadModel(f'packing: given piece "{name}" does not lie on the board in any of its positions')
    taken = {number for _, place in given for number in place}
    used = Counter(piece for piece, _ in given)
    used_up = {piece for piece, times in used.items() if times == packing.pieces[piece].high}
    return [
        option
        for option in placed
        if option in given or not (option.piece in used_up or taken.intersection(option.place))
    ]


def _cover(packing: Packing, board: list[Cell], placed: list[_Placed]) -> ExactCover:
    must = packing.must_be_covered
    must_be_covered = {number for number, cell in enumerate(board) if cell in must}
    must_be_covered |= _cells_that_force_given(packing, board)
    counted = [
        number
        for number, piece in enumerate(packing.pieces)
        if len(must) < len(board) or piece.low > 0 or piece.high is not None
    ]
    passes = packing.lattice == EDGES and not packing.crossing
    points = [_points_passed(board[number] for number in place) for _, place in placed] if passes else []
    primary = [*(("cell", number) for number in sorted(must_be_covered)), *(("piece", n) for n in counted)]
    secondary = [("cell", number) for number in range(len(board)) if number not in must_be_covered]
    secondary_points = sorted({point for passed in points for point in passed})
    item_of: dict[tuple[str, int], Item] = {key: item for item, key in enumerate(primary + secondary)}
    point_items = {point: len(item_of) + index for index, point in enumerate(secondary_points)}

    of_cell = [item_of["cell", number] for number in range(len(board))]
    of_piece = [item_of.get(("piece", number)) for number in range(len(packing.pieces))]

    uses: dict[Item, Use] = {}  # one tuple for an item in all options that use it
    options: list[Option] = []
    for index, (piece, place) in enumerate(placed):
        items = [of_cell[number] for number in place]
        item = of_piece[piece]
        if item is not None:
            items.append(item)
        if points:
            items += [point_items[point] for point in points[index]]
        options.append(tuple(uses.setdefault(item, (item, 0)) for item in sorted(items)))

    def name(key: tuple[str, int]) -> str:
        return cell_name(board[key[1]]) if key[0] == "cell" else packing.pieces[key[1]].name

    bounds = tuple(_bounds(packing, key) for key in primary)
    return ExactCover(
        primary=tuple(map(name, primary)),
        secondary=(*map(name, secondary), *("+" + cell_name(point) for point in secondary_points)),
        options=tuple(options),
        bounds=bounds if set(bounds) != {(1, 1)} else (),
    )


def _points_passed(edges: Iterable[Cell]) -> list[Cell]:
    """The lattice points through which a set of edges goes on straight, in increasing order."""
    cells = set(edges)
    ahead = {(row, column): (row % 2, column % 2) for row, column in cells}  # (0, 1) across, (1, 0) down
    return sorted(
        {
            (row + down, column + across)
            for (row, column), (down, across) in ahead.items()
            if (row + 2 * down, column + 2 * across) in cells
        }
    )


def _bounds(packing: Packing, key: tuple[str, int]) -> tuple[int, int]:
    if key[0] == "cell":
        return 1, 1
    piece = packing.pieces[key[1]]
    most = len(packing.board) // len(piece.cells)
    return piece.low, max(1, piece.low, most) if piece.high is None else piece.high


def _cells_that_force_given(packing: Packing, board: list[Cell]) -> set[CellNumber]:
    """A cell of each given placement that its piece's bounds do not force.

    No other remaining option covers that cell, so covering it means placing the given piece.
    """
    used = Counter(name for name, _ in packing.given)
    forced = {piece.name for piece in packing.pieces if piece.low == piece.high == used[piece.name]}
    number_of = {cell: number for number, cell in enumerate(board)}
    return {number_of[min(cells)] for name, cells in packing.given if name not in forced}
