"""The lattices, each from a cell, or one of each shape, and a few generators of its point group.

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
prism       three times the layer, then as triangle                               24   side 1, height 1
rhombic     (layer, row, column) on a scale where cubes have side 5; each cube    48   a 24th of a
            is cut from its middle into 24 tetrahedra, at (0, 1, 2) and so on          unit cube
tetra-octa  tetrahedra, and eighths of octahedra; three vectors from the middle   48   in a cube of side 1
            of an octahedron to others are the axes (see `from_cubes`)
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
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
_ALONG_A_CUBE: tuple[Point, ...] = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
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
    cells: tuple[CellKind, ...],
    axes: tuple[Point, ...],
    corner_scale: int = 1,
    is_round: bool = False,
) -> Lattice:
    """A lattice whose cells are the images of some cells."""
    group = _closed(generators)
    kinds: dict[Cell, CellKind] = {}
    for cell, matrix in ((cell, matrix) for cell in cells for matrix in group):
        residue = tuple(coordinate % step for coordinate in applied(matrix, cell.residue))
        if residue not in kinds:
            around = tuple(sorted(applied(matrix, vector) for vector in cell.neighbours))
            moved = tuple(tuple(applied(matrix, corner) for corner in face) for face in cell.faces)
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
    cells=(CellKind((0, 0), ((-1, 0), (0, -1), (0, 1), (1, 0)), (((-1, -1), (-1, 1), (1, 1), (1, -1)),)),),
    axes=_DOWN_AND_ACROSS,
    corner_scale=2,
)
CUBE = _lattice(
    "cube",
    step=1,
    generators=(*_TURNS_OF_A_CUBE, _MIRROR_OF_A_CUBE),
    cells=(CellKind((0, 0, 0), _SIDES, tuple(_side_of_a_cube(side) for side in _SIDES)),),
    axes=_ALONG_A_CUBE,
    corner_scale=2,
)
_OF_BALLS = _closed((*_TURNS_OF_BALLS, _MIRROR_OF_BALLS))
BALLS = _lattice(
    "balls",
    step=1,
    generators=(*_TURNS_OF_BALLS, _MIRROR_OF_BALLS),
    cells=(
        CellKind(
            (0, 0, 0),
            tuple(sorted({applied(matrix, (0, 1, 0)) for matrix in _OF_BALLS})),
            # The points nearest to a ball are a rhombic dodecahedron; this is its side towards the next row.
            _images(_OF_BALLS, ((0, 2, -2), (2, 1, -1), (0, 2, 2), (-2, 3, 1))),
        ),
    ),
    axes=((0.5, 0.5, sqrt(0.5)), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    corner_scale=4,
    is_round=True,
)
_TRIANGLE: Face = ((-1, -1), (2, -1), (-1, 2))
_BESIDE_A_TRIANGLE: tuple[Vector, ...] = ((1, 1), (1, -2), (-2, 1))
TRIANGLE = _lattice(
    "triangle",
    step=3,
    generators=(_SIXTH_TURN, _SWAP),
    cells=(CellKind((1, 1), _BESIDE_A_TRIANGLE, (_TRIANGLE,)),),
    axes=_scaled(_AT_60_DEGREES, 1 / 3),
)
HEXAGON = _lattice(
    "hexagon",
    step=1,
    generators=(_SIXTH_TURN, _SWAP),
    # A corner is a third of the sum of two unit vectors next to each other.
    cells=(
        CellKind(
            (0, 0),
            _AROUND,
            (tuple((a[0] + b[0], a[1] + b[1]) for a, b in pairwise((*_AROUND, _AROUND[0]))),),
        ),
    ),
    axes=_AT_60_DEGREES,
    corner_scale=3,
)
QUARTERED = _lattice(
    "quartered",
    step=4,
    generators=(_QUARTER_TURN, _MIRROR),
    cells=(CellKind((1, 2), ((-2, 0), (1, -1), (1, 1)), (((-1, -2), (-1, 2), (1, 0)),)),),
    axes=_scaled(_DOWN_AND_ACROSS, 1 / 4),
)
EDGES = _lattice(
    "edges",
    step=2,
    generators=(_QUARTER_TURN, _MIRROR),
    cells=(CellKind((0, 1), ((0, -2), (-1, -1), (1, -1), (0, 2), (-1, 1), (1, 1)), (((0, -1), (0, 1)),)),),
    axes=_scaled(_DOWN_AND_ACROSS, 1 / 2),
)


def _upright(matrix: Matrix) -> Matrix:
    """A map of the plane as a map of space that keeps the layers."""
    return ((1, 0, 0), *((0, *row) for row in matrix))


def _sides_of_a_prism(base: Face, height: int) -> tuple[Face, ...]:
    """The two ends and the other sides of a prism about its middle. height: half of its height."""
    low, high = (tuple((z, *corner) for corner in base) for z in (-height, height))
    around = pairwise((*zip(low, high, strict=True), (low[0], high[0])))
    return (low, high, *((a, b, d, c) for (a, b), (c, d) in around))


def _sides_of_a_tetrahedron(corners: Face) -> tuple[Face, ...]:
    return tuple(combinations(corners, 3))


PRISM = _lattice(
    "prism",
    step=3,
    generators=(_upright(_SIXTH_TURN), _upright(_SWAP), ((-1, 0, 0), (0, 1, 0), (0, 0, 1))),
    cells=(
        CellKind(
            (0, 1, 1),
            ((-3, 0, 0), (3, 0, 0), *((0, *side) for side in _BESIDE_A_TRIANGLE)),
            _sides_of_a_prism(tuple((2 * down, 2 * across) for down, across in _TRIANGLE), 3),
        ),
    ),
    axes=_scaled(((0.0, 0.0, 1.0), *((x, y, 0.0) for x, y in _AT_60_DEGREES)), 1 / 3),
    corner_scale=2,
)
RHOMBIC = _lattice(
    "rhombic",
    step=5,
    generators=(*_TURNS_OF_A_CUBE, _MIRROR_OF_A_CUBE),
    # The corners are the middle of a cube, the origin, then the middle of a side, then the ends of an edge.
    cells=(
        CellKind(
            (0, 1, 2),
            ((-1, -1, 0), (0, 0, 1), (0, 1, -1), (1, -1, 0)),
            _sides_of_a_tetrahedron(((0, -2, -4), (0, -2, 1), (5, 3, 1), (-5, 3, 1))),
        ),
    ),
    axes=_scaled(_ALONG_A_CUBE, 1 / 5),
    corner_scale=2,
)

_FROM_CUBES: Matrix = ((-1, 1, 1), (1, -1, 1), (1, 1, -1))


def from_cubes(point: Vector) -> Cell:
    """The cell at (layer, row, column) from the middle of an octahedron, where cubes have side 6.

    Every second corner of the cubes is the middle of an octahedron, and an eighth of it lies in each cube
    around, at (1, 1, 1) and so on. The rest of a cube is a tetrahedron, at (3, 3, 3) and so on.
    """
    return applied(_FROM_CUBES, point)


def to_cubes(cell: Cell) -> Vector:
    """The inverse of `from_cubes`."""
    a, b, c = cell
    return (b + c) // 2, (a + c) // 2, (a + b) // 2


def _map_from_cubes(matrix: Matrix) -> Matrix:
    """A map of cubes as a map of the cells of `TETRA_OCTA`. The inverse is equal to its transpose."""
    return tuple(map(to_cubes, product(_FROM_CUBES, matrix)))


def _cell_from_cubes(cell: Vector, neighbours: tuple[Vector, ...], corners: Face) -> CellKind:
    """A tetrahedron. corners: from the middle of the octahedron."""
    moved = (from_cubes(tuple(c - m for c, m in zip(corner, cell, strict=True))) for corner in corners)
    return CellKind(
        from_cubes(cell), tuple(map(from_cubes, neighbours)), _sides_of_a_tetrahedron(tuple(moved))
    )


TETRA_OCTA = _lattice(
    "tetra-octa",
    step=12,
    generators=tuple(map(_map_from_cubes, (*_TURNS_OF_A_CUBE, _MIRROR_OF_A_CUBE))),
    cells=(
        _cell_from_cubes(
            (1, 1, 1),
            ((-2, 0, 0), (0, -2, 0), (0, 0, -2), (2, 2, 2)),
            ((0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)),
        ),
        _cell_from_cubes(
            (3, 3, 3),
            ((-2, -2, -2), (2, 2, -2), (2, -2, 2), (-2, 2, 2)),
            ((6, 6, 6), (6, 0, 0), (0, 6, 0), (0, 0, 6)),
        ),
    ),
    axes=tuple(
        tuple((a + b) / 12 for a, b in zip(*others, strict=True))
        for others in combinations(_ALONG_A_CUBE[::-1], 2)
    ),
)

LATTICES: dict[str, Lattice] = {
    lattice.name: lattice for lattice in (SQUARE, CUBE, BALLS, TRIANGLE, HEXAGON, QUARTERED, EDGES)
}
"""Those that boards and pieces are drawn on in puzzle files. The others come from files of BurrTools."""
