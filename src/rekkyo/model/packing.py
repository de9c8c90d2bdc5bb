"""Model: pieces placed on a board of lattice cells, no two on one cell.

Each piece is placed between `low` and `high` times; copies of a piece are identical. On a filled board every
cell is covered, except optional ones. A row lists the chosen placements by number, in increasing order
(layout BY_OPTION): they are the options of the exact cover `cover()`, and `placements()` lists them by piece,
then by their cells.
Exact cover: the cells of the board are items (primary where they must be covered, else secondary), and so are
pieces, with their bounds; where all cells are covered, a piece for any number of times needs no item. Where
pieces must not cross on lattice edges, a point is a secondary item of the placements that pass straight
through it.
On a torus opposite edges of the least box around the board are joined, so that pieces go on at the opposite
edge. There, too, two ways to lie on the same cells are one placement: on a ring of two cells there is one
placement of a domino.
Source: Golomb, Polyominoes (2nd ed. 1994); Knuth, Dancing Links (2000) and TAOCP 4B, section 7.2.2.1.
Left out on purpose: whether a packing in space can be put together by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rekkyo.errors import BadModel
from rekkyo.model import cell_colors
from rekkyo.model.areas import area_forbids, least_area
from rekkyo.model.checks import check_nested, check_type, check_whole, refuse
from rekkyo.model.exact_cover import MAX_TIMES, ExactCover
from rekkyo.model.lattices import CUBE, SQUARE, Cell, Lattice, cell_name
from rekkyo.model.lattices.shapes import Shape, orientations, places
from rekkyo.model.packing_cover import Lowered, Placement, lowered
from rekkyo.model.parity import parity_forbids
from rekkyo.model.row import RowShape
from rekkyo.wording import several

MAX_CELLS = 1 << 16
"""The most cells of a board."""

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
    toroidal: whether opposite edges of the board are joined, see `problem_of_torus`.
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
    toroidal: bool = False
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_type("packing: the lattice is one of rekkyo.model.lattices", self.lattice, Lattice)
        for name in ("reflections", "filled", "crossing", "toroidal"):
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
        if self.toroidal and (problem := problem_of_torus(self.lattice, self.stride)):
            raise BadModel(f"packing: {problem}")
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
        """The reason that `areas.area_forbids` finds, or None. Cached."""
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
    def torus(self) -> Box | None:
        """The box whose opposite edges are joined; None in the plane. Cached."""
        if self.toroidal and "torus" not in self._memo:
            self._memo["torus"] = Box.around(self.board)
        return self._memo.get("torus")

    @property
    def periods(self) -> Cell | None:
        """The sides of a torus; None in the plane."""
        return None if self.torus is None else self.torus.sides

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

    def wrapped(self, cell: Cell) -> Cell:
        """The cell of a torus that a cell beyond an edge is; in the plane the cell itself."""
        return cell if self.torus is None else self.torus.wrapped(cell)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells of the lattice that share a side with a cell, also across an edge of a torus."""
        return [self.wrapped(beside) for beside in self.lattice.neighbours(cell)]

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

    def orientation_on(self, piece: Piece) -> dict[Shape, int]:
        """The number of the orientation in which a piece lies on some cells; of several the first."""
        found: dict[Shape, int] = {}
        board = sorted(self.board)
        for number, shape in enumerate(self.orientations(piece)):
            for place in places(self.lattice, (shape,), board, self.stride, self.periods):
                found.setdefault(tuple(map(board.__getitem__, place)), number)
        return found

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

    def _lowered(self) -> Lowered:
        if "lowered" not in self._memo:
            self._memo["lowered"] = lowered(self)
        known: Lowered = self._memo["lowered"]
        return known


class Box(NamedTuple):
    """A rectangle or cuboid of cells. corner: its least coordinates."""

    corner: Cell
    sides: Cell

    @staticmethod
    def around(cells: Collection[Cell]) -> Box:
        """The least box with all of these cells."""
        axes = [(min(axis), max(axis)) for axis in zip(*cells, strict=True)]
        return Box(tuple(low for low, _ in axes), tuple(high - low + 1 for low, high in axes))

    def wrapped(self, cell: Cell) -> Cell:
        """The cell of the box that a cell is, if opposite edges of the box are joined."""
        return tuple(at + (part - at) % n for part, at, n in zip(cell, self.corner, self.sides, strict=True))


def problem_of_torus(lattice: Lattice, stride: int) -> str | None:
    """Why opposite edges of a board cannot be joined; None if they can be."""
    if lattice not in (SQUARE, CUBE):
        return f"opposite edges are joined on the square and the cube lattice only, not on {lattice.name}"
    return "where opposite edges are joined, pieces are moved by any number of steps" if stride > 1 else None


def check_number_of_cells(n_cells: int) -> None:
    """Raise BadModel for a board that is too large, before it is made."""
    if n_cells > MAX_CELLS:
        raise BadModel(
            f"packing: a board of {n_cells} cells is more than the {MAX_CELLS} that rekkyo takes on"
        )
