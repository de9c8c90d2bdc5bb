"""Model: pieces placed on a board of lattice cells, no two on one cell.

Each piece is placed between `low` and `high` times; copies of a piece are identical. On a filled board every
cell is covered, except optional ones. A row lists the chosen placements by number, in increasing order
(layout BY_OPTION): they are the options of the exact cover `cover()`, and `placements()` lists them by piece,
then by their cells.
Exact cover: the cells of the board are items (primary where they must be covered, else secondary), and so are
pieces, with their bounds; where all cells are covered, a piece for any number of times needs no item. Where
pieces must not cross on lattice edges, a point is a secondary item of the placements that pass straight
through it.
Source: Golomb, Polyominoes (2nd ed. 1994); Knuth, Dancing Links (2000) and TAOCP 4B, section 7.2.2.1.
Left out on purpose: whether a packing in space can be put together by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

from rekkyo.errors import BadModel
from rekkyo.model import cell_colors
from rekkyo.model.areas import area_forbids, least_area
from rekkyo.model.checks import check_nested, check_type, check_whole, refuse
from rekkyo.model.exact_cover import MAX_TIMES, ExactCover, Item, Option, Use
from rekkyo.model.lattices import EDGES, Cell, Lattice, cell_name
from rekkyo.model.lattices.shapes import CellNumber, Shape, orientations, places
from rekkyo.model.parity import parity_forbids
from rekkyo.model.row import RowShape
from rekkyo.wording import several

MAX_CELLS = 1 << 16
"""The most cells of a board."""

MAX_PLACED = 1 << 24
"""The most cells in all placements together, by an estimate from above: some 300 MB."""

MAX_COORDINATE = 10**9
"""How far from the origin a cell may lie."""

MAX_NAME = 40

_CELLS = "packing: the cells of {} are a frozenset of tuples of whole numbers"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, in any of its positions.

    name: without spaces, `,`, `:` and `|`, so that it can name an item.
    low, high: how many times it is placed; high None: any number of times.
    only_on: the cells of the board on which it may lie; None: on all of them.
    colors: the colours of its cells, if any (see `cell_colors`).
    Raises BadModel.
    """

    name: str
    cells: frozenset[Cell]
    low: int = 1
    high: int | None = 1
    only_on: frozenset[Cell] | None = None
    colors: cell_colors.CellColors = frozenset()

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and 1 <= len(self.name) <= MAX_NAME and self.name.isprintable()):
            refuse(f"packing: a piece's name has 1 to {MAX_NAME} printable characters", self.name)
        if any(mark in self.name for mark in " ,:|"):
            raise BadModel(f'packing: the name "{self.name}" has a space, comma, colon or bar; leave it out')
        check_nested(_CELLS.format(f'piece "{self.name}"'), self.cells, (frozenset, tuple, int))
        if not self.cells:
            raise BadModel(f'packing: piece "{self.name}" has no cells; give it at least one')
        times = f'packing: how often piece "{self.name}" is used, at least and at most,'
        for number in (self.low, 1 if self.high is None else self.high):
            check_whole(times, number, 0, MAX_TIMES)
        if self.high is not None and self.high < max(1, self.low):
            refuse(f"{times} needs low <= high and 1 <= high", (self.low, self.high))
        if self.only_on is not None:
            what = _CELLS.format(f'the board for piece "{self.name}"')
            check_nested(what, self.only_on, (frozenset, tuple, int))
        cell_colors.check_colors(f'piece "{self.name}"', self.colors, self.cells)


class Placement(NamedTuple):
    """A piece in one place."""

    piece: str
    cells: Shape


@dataclass(frozen=True, slots=True)
class Packing:
    """Pieces to place on a board.

    reflections: whether pieces may be turned over (in space: replaced by their mirror images).
    filled: whether every cell of the board must be covered, except those in `optional`.
    crossing: on lattice edges, whether two pieces may pass straight through the same point.
    stride: a piece is only moved by multiples of this number of lattice steps, counted from the position in
        which its least coordinates lie in the step from the origin.
    given: placements (name of the piece, cells) that every solution has.
    optional: cells that may stay empty on a board that is filled.
    colors: the colours of cells of the board, if any; color_pairs: which colours of pieces fit them, by
        default equal ones (see `cell_colors`).
    Raises BadModel.
    """

    lattice: Lattice
    board: frozenset[Cell]
    pieces: tuple[Piece, ...]
    reflections: bool = True
    filled: bool = True
    crossing: bool = True
    stride: int = 1
    given: frozenset[tuple[str, frozenset[Cell]]] = frozenset()
    optional: frozenset[Cell] = frozenset()
    colors: cell_colors.CellColors = frozenset()
    color_pairs: cell_colors.ColorPairs | None = None
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_type("packing: the lattice is one of rekkyo.model.lattices", self.lattice, Lattice)
        for name in ("reflections", "filled", "crossing"):
            check_type(f"packing: {name} is True or False", getattr(self, name), bool)
        check_nested(_CELLS.format("the board"), self.board, (frozenset, tuple, int))
        check_nested(_CELLS.format("the board that may stay empty"), self.optional, (frozenset, tuple, int))
        check_nested("packing: the pieces are a tuple of Piece", self.pieces, (tuple, Piece))
        if not self.board:
            raise BadModel("packing: the board has no cells; give it at least one")
        check_number_of_cells(len(self.board))
        if not self.pieces:
            raise BadModel("packing: there is no piece; give at least one")
        for name, times in Counter(piece.name for piece in self.pieces).items():
            if times > 1:
                raise BadModel(
                    f'packing: piece "{name}" appears {times} times; give copies by a number of times'
                )
        check_whole("packing: the stride", self.stride, 1, MAX_COORDINATE)
        self._check_cells("the board", self.board)
        for cell in sorted(self.optional - self.board):
            raise BadModel(f"packing: cell {cell_name(cell)} may stay empty, but is not on the board")
        for piece in self.pieces:
            self._check_cells(f'piece "{piece.name}"', piece.cells)
            for cell in sorted((piece.only_on or self.board) - self.board):
                where = f"may lie on {cell_name(cell)}, which is not on the board"
                raise BadModel(f'packing: piece "{piece.name}" {where}')
        cell_colors.check_colors("the board", self.colors, self.board)
        cell_colors.check_pairs(self.color_pairs)
        self._check_area()
        self._check_given()

    def _check_cells(self, whose: str, cells: frozenset[Cell]) -> None:
        for cell in cells:
            for part in cell:
                if abs(part) > MAX_COORDINATE:
                    refuse(f"packing: the cells of {whose} lie within {MAX_COORDINATE} of the origin", cell)
            if self.lattice.kind_of(cell) is None:
                raise BadModel(
                    f"packing: {whose} has {cell_name(cell)}, "
                    f"which is not a cell of the {self.lattice.name} lattice"
                )

    def _check_area(self) -> None:
        area = len(self.board)
        least = least_area(self.pieces)
        if least > area:
            raise BadModel(
                f"packing: the pieces have {several(least, 'cell')}, more than the {area} of the board;"
                " take a larger board or fewer pieces"
            )
        if all(piece.low == piece.high for piece in self.pieces) and (reason := self._area_forbids()):
            raise BadModel(f"packing: {reason}; change the pieces or the board, or let cells stay empty")

    def _area_forbids(self) -> str | None:
        """See there. Cached."""
        if "area" not in self._memo:
            self._memo["area"] = area_forbids(self)
        forbids: str | None = self._memo["area"]
        return forbids

    def _check_given(self) -> None:
        rule = "packing: what is given is a frozenset of pairs (name of a piece, its cells)"
        check_nested(rule, self.given, (frozenset, tuple))
        for pair in self.given:
            if len(pair) != 2 or not isinstance(pair[0], str):
                refuse(rule, pair)
            check_nested(_CELLS.format("a given piece"), pair[1], (frozenset, tuple, int))
        covered: set[Cell] = set()
        used = Counter(name for name, _ in self.given)
        for piece in self.pieces:
            if piece.high is not None and used[piece.name] > piece.high:
                raise BadModel(
                    f'packing: piece "{piece.name}" is given {used[piece.name]} times, more than allowed'
                )
        for name, cells in sorted(self.given, key=lambda given: (given[0], sorted(given[1]))):
            if name not in {piece.name for piece in self.pieces}:
                raise BadModel(f'packing: given piece "{name}" is not one of the pieces')
            if covered & cells:
                raise BadModel(f'packing: given piece "{name}" lies on another given piece')
            covered |= cells

    @property
    def must_be_covered(self) -> frozenset[Cell]:
        """The cells that no solution leaves empty."""
        return self.board - self.optional if self.filled else frozenset()

    @property
    def row_shape(self) -> RowShape:
        """The row shape of the exact cover."""
        return self.cover().row_shape

    @property
    def row_meaning(self) -> str:
        """Values are numbers of placements."""
        return "the numbers of the chosen placements, from 0, in increasing order"

    def cover(self) -> ExactCover:
        """The exact cover with the same rows; its options are the placements. Cached."""
        return self._lowered().cover

    def placements(self) -> tuple[Placement, ...]:
        """The placement of each number in a row."""
        return self._lowered().placements

    def orientations(self, piece: Piece) -> tuple[Shape, ...]:
        """The different positions of a piece, up to translation. Cached: every check of a row needs them."""
        known: dict[Piece, tuple[Shape, ...]] = self._memo.setdefault("orientations", {})
        if piece not in known:
            known[piece] = orientations(self.lattice, piece.cells, reflections=self.reflections)
        return known[piece]

    def colored_orientations(self, piece: Piece) -> tuple[cell_colors.ColoredShape, ...]:
        """The same with colours: shapes that differ only in their colours are different. Cached."""
        if not piece.colors:
            return tuple(
                cell_colors.ColoredShape(shape, (cell_colors.NO_COLOR,) * len(shape))
                for shape in self.orientations(piece)
            )
        known: dict[Piece, tuple[cell_colors.ColoredShape, ...]] = self._memo.setdefault("colored", {})
        if piece not in known:
            cells = cell_colors.colored(piece.cells, piece.colors)
            known[piece] = cell_colors.colored_orientations(self.lattice, cells, reflections=self.reflections)
        return known[piece]

    def cells_that_fit(self, color: str) -> frozenset[Cell]:
        """The cells of the board on which a cell of a piece with a colour may lie. Cached."""
        known: dict[str, frozenset[Cell]] = self._memo.setdefault("fitting", {})
        if color not in known:
            known[color] = cell_colors.cells_that_fit(self.board, self.colors, self.color_pairs, color)
        return known[color]

    def obstacles(self) -> list[str]:
        """Reasons why there is no solution that are found without a search; empty when none is found."""
        if reason := self._area_forbids():
            return [reason]
        placed = Counter(placement.piece for placement in self.placements())
        covered = {cell for placement in self.placements() for cell in placement.cells}
        found = [
            f'piece "{piece.name}" fits nowhere on the board'
            for piece in self.pieces
            if piece.low > 0 and not placed[piece.name]
        ]
        bare = sorted(self.must_be_covered - covered)
        if bare:
            more = f" (nor {several(len(bare) - 1, 'other')})" if len(bare) > 1 else ""
            found.append(f"no piece can cover cell {cell_name(bare[0])}{more}")
        forbidden = None if self.given else parity_forbids(self)
        return found if forbidden is None else [*found, forbidden]

    def _lowered(self) -> _Lowered:
        if "lowered" not in self._memo:
            self._memo["lowered"] = _lowered(self)
        lowered: _Lowered = self._memo["lowered"]
        return lowered


def check_number_of_cells(n_cells: int) -> None:
    """Raise BadModel for a board that is too large, before it is made."""
    if n_cells > MAX_CELLS:
        raise BadModel(
            f"packing: a board of {n_cells} cells is more than the {MAX_CELLS} that rekkyo takes on"
        )


class _Lowered(NamedTuple):
    cover: ExactCover
    placements: tuple[Placement, ...]


class _Placed(NamedTuple):
    """A placement by the number of its piece and the numbers of its cells."""

    piece: int
    place: tuple[CellNumber, ...]


def _lowered(packing: Packing) -> _Lowered:
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
    return _Lowered(_cover(packing, board, placed), placements)


def _places(packing: Packing, board: list[Cell]) -> Iterator[list[tuple[CellNumber, ...]]]:
    """The places of each piece, in increasing order. Raises BadModel."""
    lattice, stride = packing.lattice, packing.stride
    for piece in packing.pieces:
        if piece.colors:
            shapes = packing.colored_orientations(piece)
            fitting = {color: packing.cells_that_fit(color) for color in set(shapes[0].colors)}
            found = cell_colors.colored_places(lattice, shapes, board, fitting, stride)
        else:
            found = places(lattice, packing.orientations(piece), board, stride)
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
            reach = [max(axis) - min(axis) for axis in zip(*shape, strict=True)]
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
