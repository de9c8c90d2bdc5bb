"""Shapes: finite sets of cells, up to translation; all their orientations, and their places on a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    lattice: Lattice, shapes: Sequence[Shape], board: Sequence[Cell], stride: int
) -> list[tuple[CellNumber, ...]]:
    """The cells under every translate of the shapes that lies on the board, in increasing order.

    shapes: at home (see `at_home`). board: in increasing order. stride: only translations by
    multiples of this number of steps, counted from the origin.
    Cells are encoded as single numbers, with enough space between the lines of the board that a shape which
    leaves the board on one side never reappears on the other: a move is then one addition.
    """
    if not board or not shapes:
        return []
    radix, grid = _room(shapes, board), lattice.step * stride
    numbers: dict[int, CellNumber] = {}
    codes_on: dict[Cell, list[int]] = {}  # of the board, by what translations leave unchanged
    for number, cell in enumerate(board):
        code = _code(cell, radix)
        numbers[code] = number
        codes_on.setdefault(_residue(cell, grid), []).append(code)
    return sorted(
        {
            place
            for shape in shapes
            for place in _places(shape, codes_on.get(_residue(shape[0], grid), ()), numbers, radix)
        }
    )


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
            # Codes and cells are in the same order, and so are offsets and the cells of the shape.
            yield tuple(place)


def _residue(cell: Cell, grid: int) -> Cell:
    return tuple([coordinate % grid for coordinate in cell])


def _room(shapes: Sequence[Shape], board: Sequence[Cell]) -> list[int]:
    """For each coordinate a bound on the reach, from the least board cell, of a cell and a shape on it."""
    shape_cells = [cell for shape in shapes for cell in shape]
    return [
        (max(on_board) - min(on_board)) + 2 * (max(in_shape) - min(in_shape)) + 1
        for on_board, in_shape in zip(zip(*board, strict=True), zip(*shape_cells, strict=True), strict=True)
    ]


def _code(cell: Cell, radix: Sequence[int]) -> int:
    code = 0
    for coordinate, size in zip(cell, radix, strict=True):
        code = code * size + coordinate
    return code
