"""A lattice: the positions of cells, the moves that keep them, the cells that touch, and the drawing.

A cell is a tuple of whole numbers, the position of its centre (or of another point that moves with it) on a
scale where all cells have whole coordinates: first down, then across; for cubes layer, down, across.
A vector moves cells to cells in the same arrangement exactly when all its coordinates are multiples of
`step`. The point group is given as matrices that act on the coordinates; their centre is the origin, and the
same symmetry about any other centre differs from it by a translation.
Left out on purpose: lattices whose translations are not `step` times the whole vectors in some basis.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import add, mul
from typing import TypeAlias

Coordinate: TypeAlias = int
Cell: TypeAlias = tuple[Coordinate, ...]
Vector: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[Vector, ...]
"""Rows of an orthogonal map, written in the coordinates of the lattice."""

Corner: TypeAlias = tuple[Coordinate, ...]
"""A corner of a cell, in coordinates `corner_scale` times those of cells: whole numbers again."""

Face: TypeAlias = tuple[Corner, ...]
"""A polygon by its corners in order; a segment has two of them."""

Point: TypeAlias = tuple[float, ...]
"""A point to draw: x to the right, y down, for cubes also z into the depth; about one unit to a cell."""


@dataclass(frozen=True, slots=True)
class CellKind:
    """The cells with the same coordinates modulo `step`: translates of each other.

    neighbours: vectors to the cells that share a side with a cell (on edges: an end point).
    faces: its polygons relative to corner_scale times the cell: one in the plane, the six sides of a cube,
        the segment itself on lattice edges.
    """

    residue: Cell
    neighbours: tuple[Vector, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Lattice:
    """One lattice. The known ones are in `rekkyo.model.lattices.known`.

    rotations, reflections: the point group by determinant, the identity first.
    axes: axes[i] is where one unit of coordinate i leads in a drawing.
    is_round: whether cells are balls, which look the same from everywhere.
    """

    name: str
    step: int
    kinds: tuple[CellKind, ...]
    rotations: tuple[Matrix, ...]
    reflections: tuple[Matrix, ...]
    corner_scale: int
    axes: tuple[Point, ...]
    is_round: bool = False

    def __repr__(self) -> str:
        return f"<{self.name} lattice>"

    @property
    def dimension(self) -> int:
        """How many coordinates a cell has."""
        return len(self.axes)

    @property
    def point_group(self) -> tuple[Matrix, ...]:
        """All orthogonal maps that keep the lattice, up to translation: rotations first."""
        return self.rotations + self.reflections

    def moves_of(self, cells: Iterable[Cell], *, reflections: bool) -> tuple[Matrix, ...]:
        """The maps in the point group by which a shape is moved; without reflections, only by real motions.

        Balls in one plane can be turned by half a turn about a line across it, which is a reflection of the
        lattice and seldom one of its rotations.
        """
        by_any = reflections or (self.is_round and _is_flat(sorted(cells)))
        return self.point_group if by_any else self.rotations

    def kind_of(self, cell: Cell) -> CellKind | None:
        """The kind of a cell; None when there is no cell at these coordinates."""
        if len(cell) != self.dimension:
            return None
        residue = tuple(coordinate % self.step for coordinate in cell)
        return next((kind for kind in self.kinds if kind.residue == residue), None)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells that share a side with this one."""
        return tuple(added(cell, vector) for vector in self._kind(cell).neighbours)

    def faces(self, cell: Cell) -> tuple[Face, ...]:
        """The polygons of a cell, with exact corners: neighbours share two of them, cubes a whole face."""
        place = tuple(self.corner_scale * coordinate for coordinate in cell)
        return tuple(tuple(added(place, corner) for corner in face) for face in self._kind(cell).faces)

    def drawn(self, corner: Corner) -> Point:
        """Where to draw a corner."""
        scaled = [coordinate / self.corner_scale for coordinate in corner]
        return tuple(
            sum(coordinate * axis[d] for coordinate, axis in zip(scaled, self.axes, strict=True))
            for d in range(self.dimension)
        )

    def _kind(self, cell: Cell) -> CellKind:
        kind = self.kind_of(cell)
        if kind is None:
            raise ValueError(f"{cell} is not a cell of the {self.name} lattice")
        return kind


def added(cell: Cell, vector: Iterable[int]) -> Cell:
    """The cell after a move by a vector."""
    return tuple(map(add, cell, vector))


def applied(matrix: Matrix, cell: Cell) -> Cell:
    """The cell after an orthogonal map about the origin."""
    return tuple([sum(map(mul, row, cell)) for row in matrix])


def product(last: Matrix, first: Matrix) -> Matrix:
    """One map after another."""
    columns = tuple(zip(*first, strict=True))
    return tuple([applied(columns, row) for row in last])


def cell_name(cell: Cell) -> str:
    """The name of a cell in messages and items: its coordinates, such as 0,1."""
    return ",".join(map(str, cell))


def _is_flat(cells: list[Cell]) -> bool:
    """Whether cells of three coordinates lie in one plane."""
    steps = [[to - at for to, at in zip(cell, cells[0], strict=True)] for cell in cells[1:]]
    normals = (
        (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
        for a in steps[:1]
        for b in steps
    )
    normal = next(filter(any, normals), (0, 0, 0))
    return all(sum(n * part for n, part in zip(normal, step, strict=True)) == 0 for step in steps)
