"""Shapes: finite sets of cells, up to translation; all their orientations, and their places on a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import mod
from typing import TypeAlias

from rekkyo.model.lattices.lattice import Cell, Lattice, added, applied

Shape: TypeAlias = tuple[Cell, ...]
"""Cells in increasing order."""

CellNumber: TypeAlias = int
"""The index of a cell among the cells of the board in increasing order."""


def at_home(lattice: Lattice, cells: Iterable[Cell]) -> Shape:
    """The translate whose least coordinates, counted in whole steps, are all 0. Equal for all translates."""
    found = tuple(cells)
    back = [-lattice.step * (min(axis) // lattice.step) for axis in zip(*found, strict=True)]
    return tuple(sorted(added(cell, back) for cell in found))


def orientations(lattice: Lattice, cells: Iterable[Cell], *, reflections: bool) -> tuple[Shape, ...]:
    """The different images of a shape under the point group, up to translation, in increasing order."""
    found = tuple(cells)
    matrices = lattice.moves_of(found, reflections=reflections)
    return tuple(sorted({at_home(lattice, (applied(matrix, cell) for cell in found)) for matrix in matrices}))


def least_orientation(lattice: Lattice, cells: Iterable[Cell], *, reflections: bool) -> Shape:
    """One shape for all congruent ones: the first of its orientations."""
    return orientations(lattice, cells, reflections=reflections)[0]


def places(
    lattice: Lattice,
    shapes: Sequence[Shape],
    board: Sequence[Cell],
    stride: int,
    periods: Cell | None = None,
) -> list[tuple[CellNumber, ...]]:
    """The cells under every translate of the shapes that lies on the board, in increasing order.

    See `translates`.
    """
    found = translates(lattice, shapes, board, stride, periods)
    return sorted(set(found) if periods is None else {tuple(sorted(place)) for place in found})


def translates(
    lattice: Lattice,
    shapes: Sequence[Shape],
    board: Sequence[Cell],
    stride: int,
    periods: Cell | None = None,
) -> Iterator[tuple[CellNumber, ...]]:
    """The cells under every translate of the shapes that lies on the board, in any order; some come twice.

    The cells of a translate are in the order of the shape.
    shapes: at home (see `at_home`). board: in increasing order. stride: only translations by
    multiples of this number of steps, counted from the origin. periods: the sides of a board whose opposite
    edges are joined; then shapes that meet themselves are left out, and the others are wrapped around.
    Cells are encoded as single numbers, with enough space between the lines of the board that a shape which
    leaves the board on one side never reappears on the other: a move is then one addition. A board whose
    edges are joined has copies of its cells around it, as far as a shape reaches.
    """
    if periods is not None:
        shapes = [around for shape in shapes if len(set(around := _around(shape, periods))) == len(shape)]
    if not board or not shapes:
        return
    radix, grid = _room(shapes, board), lattice.step * stride
    numbers: dict[int, CellNumber] = {}
    codes_on: dict[Cell, list[int]] = {}  # of the board, by what translations leave unchanged
    for number, cell in enumerate(board):
        code = _code(cell, radix)
        numbers[code] = number
        codes_on.setdefault(_residue(cell, grid), []).append(code)
    if periods is not None:
        numbers = _with_copies(board, periods, _reach(shapes), radix)
    for shape in shapes:
        yield from _places(shape, codes_on.get(_residue(shape[0], grid), ()), numbers, radix)


def _around(shape: Shape, periods: Cell) -> Shape:
    """The cells of a torus on which a shape lies, in the order of the shape."""
    return tuple(tuple(map(mod, cell, periods)) for cell in shape)


def _with_copies(
    board: Sequence[Cell], periods: Cell, reach: Sequence[int], radix: Sequence[int]
) -> dict[int, CellNumber]:
    """The number of each cell, and of each of its copies that a shape on the board can reach, by its code."""
    axes = zip(zip(*board, strict=True), reach, strict=True)
    spans = [(min(axis) - far, max(axis) + far + 1) for axis, far in axes]
    numbers: dict[int, CellNumber] = {}
    for number, cell in enumerate(board):
        copies = [
            range(first + (part - first) % period, stop, period)
            for part, period, (first, stop) in zip(cell, periods, spans, strict=True)
        ]
        numbers.update((_code(copy, radix), number) for copy in product(*copies))
    return numbers


def _places(
    shape: Shape, codes: Iterable[int], numbers: Mapping[int, CellNumber], radix: Sequence[int]
) -> Iterator[tuple[CellNumber, ...]]:
    """The places of one shape. codes: of the cells of the board to which its first cell can be moved."""
    anchor = _code(shape[0], radix)
    offsets = [_code(cell, radix) - anchor for cell in shape]
    for code in codes:
        place = []
        for offset in offsets:
            number = numbers.get(code + offset)
            if number is None:
                break
            place.append(number)
        else:
            # In the plane, codes and cells are in the same order, and so are offsets and cells of the shape.
            yield tuple(place)


def _residue(cell: Cell, grid: int) -> Cell:
    return tuple([coordinate % grid for coordinate in cell])


def _room(shapes: Sequence[Shape], board: Sequence[Cell]) -> list[int]:
    """For each coordinate a bound on the reach, from the least board cell, of a cell and a shape on it."""
    return [
        (max(on_board) - min(on_board)) + 2 * far + 1
        for on_board, far in zip(zip(*board, strict=True), _reach(shapes), strict=True)
    ]


def _reach(shapes: Sequence[Shape]) -> list[int]:
    """For each coordinate a bound on the distance of two cells of a shape."""
    shape_cells = [cell for shape in shapes for cell in shape]
    return [max(axis) - min(axis) for axis in zip(*shape_cells, strict=True)]


def _code(cell: Cell, radix: Sequence[int]) -> int:
    code = 0
    for coordinate, size in zip(cell, radix, strict=True):
        code = code * size + coordinate
    return code
