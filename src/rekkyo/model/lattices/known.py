"""The seven lattices, each from one cell and a few generators of its point group.

name        cell coordinates                                                   group   one cell
square      (row, column)                                                          8   unit square
cube        (layer, row, column)                                                  48   unit cube
balls       (layer, row, column); a layer lies half a row and half a column       48   balls of diameter 1
            further than the one before, in its hollows
triangle    three times the centroid, in axes at 60 degrees                       12   side 1
hexagon     (row, column) in axes at 60 degrees                                   12   centres 1 apart
quartered   unit square (r, c) has its quarters at (4r, 4c) + (1, 2) top,          8   a quarter of 1
            (2, 1) left, (2, 3) right, (3, 2) bottom
edges       twice the midpoint of a unit segment between points (r, c)             8   length 1
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from rekkyo.model.lattices.lattice import (
    Cell,
    CellKind,
    Face,
    Lattice,
    Matrix,
    Point,
    Vector,
    applied,
    product,
)

_QUARTER_TURN: Matrix = ((0, 1), (-1, 0))
_MIRROR: Matrix = ((1, 0), (0, -1))
_SIXTH_TURN: Matrix = ((1, 1), (-1, 0))
_SWAP: Matrix = ((0, 1), (1, 0))
_TURNS_OF_A_CUBE: tuple[Matrix, ...] = (((1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (0, 0, 1), (1, 0, 0)))
_MIRROR_OF_A_CUBE: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, -1))

# With x = row - column, y = row + column + layer and z = layer, balls are the points with an even sum: here a
# quarter turn about z, a third turn that takes each axis to the next, and a mirror that turns x around.
_TURNS_OF_BALLS: tuple[Matrix, ...] = (
    ((1, 0, 0), (-1, 0, -1), (0, 1, 0)),
    ((0, 1, -1), (1, 0, 1), (0, -1, 0)),
)
_MIRROR_OF_BALLS: Matrix = ((1, 0, 0), (0, 0, 1), (0, 1, 0))

_DOWN_AND_ACROSS: tuple[Point, ...] = ((0.0, 1.0), (1.0, 0.0))
_AT_60_DEGREES: tuple[Point, ...] = ((0.5, sqrt(3) / 2), (1.0, 0.0))


@cache
def _closed(generators: tuple[Matrix, ...]) -> tuple[Matrix, ...]:
    """All products of the generators, the identity first, the others in the order of their numbers."""
    d = len(generators[0])
    identity = tuple(tuple(int(i == j) for j in range(d)) for i in range(d))
    group = fresh = {identity}
    while fresh:
        fresh = {product(g, h) for g in fresh for h in generators} - group
        group = group | fresh
    return (identity, *sorted(group - {identity}))


@cache
def _determinant(matrix: Matrix) -> int:
    if len(matrix) == 1:
        return matrix[0][0]
    minors = (tuple((*row[:j], *row[j + 1 :]) for row in matrix[1:]) for j in range(len(matrix)))
    return sum((-1) ** j * matrix[0][j] * _determinant(minor) for j, minor in enumerate(minors))


def _lattice(
    name: str,
    *,
    step: int,
    generators: tuple[Matrix, ...],
    cell: Cell,
    neighbours: tuple[Vector, ...],
    faces: tuple[Face, ...],
    axes: tuple[Point, ...],
    corner_scale: int = 1,
    is_round: bool = False,
) -> Lattice:
    """A lattice whose cells are the images of one cell."""
    group = _closed(generators)
    kinds: dict[Cell, CellKind] = {}
    for matrix in group:
        residue = tuple(coordinate % step for coordinate in applied(matrix, cell))
        if residue not in kinds:
            around = tuple(sorted(applied(matrix, vector) for vector in neighbours))
            moved = tuple(tuple(applied(matrix, corner) for corner in face) for face in faces)
            kinds[residue] = CellKind(residue, around, moved)
    return Lattice(
        name=name,
        step=step,
        kinds=tuple(kinds[residue] for residue in sorted(kinds)),
        rotations=tuple(matrix for matrix in group if _determinant(matrix) == 1),
        reflections=tuple(matrix for matrix in group if _determinant(matrix) == -1),
        corner_scale=corner_scale,
        axes=axes,
        is_round=is_round,
    )


def _scaled(axes: tuple[Point, ...], factor: float) -> tuple[Point, ...]:
    return tuple(tuple(factor * part for part in axis) for axis in axes)


_AROUND: tuple[Vector, ...] = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The six unit vectors at 60 degrees, in order of turning."""

_SIDES: tuple[Vector, ...] = ((-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0))


def _side_of_a_cube(side: Vector) -> Face:
    """The four corners of a cube with edge 2 about the origin that lie on one side, in order."""
    free = [axis for axis in range(3) if side[axis] == 0]
    corners = []
    for first, second in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
        corner = list(side)
        corner[free[0]], corner[free[1]] = first, second
        corners.append(tuple(corner))
    return tuple(corners)


def _images(group: tuple[Matrix, ...], corners: Face) -> tuple[Face, ...]:
    """The different images of a polygon under a group."""
    found: dict[frozenset[Vector], Face] = {}
    for matrix in group:
        moved = tuple(applied(matrix, corner) for corner in corners)
        found.setdefault(frozenset(moved), moved)
    return tuple(found.values())


SQUARE = _lattice(
    "square",
    step=1,
    generators=(_QUARTER_TURN, _MIRROR),
    cell=(0, 0),
    neighbours=((-1, 0), (0, -1), (0, 1), (1, 0)),
    faces=(((-1, -1), (-1, 1), (1, 1), (1, -1)),),
    axes=_DOWN_AND_ACROSS,
    corner_scale=2,
)
CUBE = _lattice(
    "cube",
    step=1,
    generators=(*_TURNS_OF_A_CUBE, _MIRROR_OF_A_CUBE),
    cell=(0, 0, 0),
    neighbours=_SIDES,
    faces=tuple(_side_of_a_cube(side) for side in _SIDES),
    axes=((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    corner_scale=2,
)
_OF_BALLS = _closed((*_TURNS_OF_BALLS, _MIRROR_OF_BALLS))
BALLS = _lattice(
    "balls",
    step=1,
    generators=(*_TURNS_OF_BALLS, _MIRROR_OF_BALLS),
    cell=(0, 0, 0),
    neighbours=tuple(sorted({applied(matrix, (0, 1, 0)) for matrix in _OF_BALLS})),
    # The points that are nearest to a ball are a rhombic dodecahedron; this is its side towards the next row.
    faces=_images(_OF_BALLS, ((0, 2, -2), (2, 1, -1), (0, 2, 2), (-2, 3, 1))),
    axes=((0.5, 0.5, sqrt(0.5)), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    corner_scale=4,
    is_round=True,
)
TRIANGLE = _lattice(
    "triangle",
    step=3,
    generators=(_SIXTH_TURN, _SWAP),
    cell=(1, 1),
    neighbours=((1, 1), (1, -2), (-2, 1)),
    faces=(((-1, -1), (2, -1), (-1, 2)),),
    axes=_scaled(_AT_60_DEGREES, 1 / 3),
)
HEXAGON = _lattice(
    "hexagon",
    step=1,
    generators=(_SIXTH_TURN, _SWAP),
    cell=(0, 0),
    neighbours=_AROUND,
    # A corner is a third of the sum of two unit vectors next to each other.
    faces=(
        tuple((a[0] + b[0], a[1] + b[1]) for a, b in zip(_AROUND, _AROUND[1:] + _AROUND[:1], strict=True)),
    ),
    axes=_AT_60_DEGREES,
    corner_scale=3,
)
QUARTERED = _lattice(
    "quartered",
    step=4,
    generators=(_QUARTER_TURN, _MIRROR),
    cell=(1, 2),
    neighbours=((-2, 0), (1, -1), (1, 1)),
    faces=(((-1, -2), (-1, 2), (1, 0)),),
    axes=_scaled(_DOWN_AND_ACROSS, 1 / 4),
)
EDGES = _lattice(
    "edges",
    step=2,
    generators=(_QUARTER_TURN, _MIRROR),
    cell=(0, 1),
    neighbours=((0, -2), (-1, -1), (1, -1), (0, 2), (-1, 1), (1, 1)),
    faces=(((0, -1), (0, 1)),),
    axes=_scaled(_DOWN_AND_ACROSS, 1 / 2),
)

LATTICES: dict[str, Lattice] = {
    lattice.name: lattice for lattice in (SQUARE, CUBE, BALLS, TRIANGLE, HEXAGON, QUARTERED, EDGES)
}
