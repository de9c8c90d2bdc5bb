"""The sides of cells: the order in which tiles list their colours, and a key for a side between two cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from rekkyo.model.lattices.known import CUBE, HEXAGON, SQUARE, TRIANGLE
from rekkyo.model.lattices.lattice import Cell, Lattice, Vector, added


class Sides(NamedTuple):
    """The sides of a tile (a triangle that points up) in the order in which their colours are written.

    in_words: the names of the sides. towards: for each side, the vector to the cell beyond it.
    """

    in_words: str
    towards: tuple[Vector, ...]


SIDES: Mapping[Lattice, Sides] = {
    SQUARE: Sides("top, right, bottom and left", ((-1, 0), (0, 1), (1, 0), (0, -1))),
    TRIANGLE: Sides("right, bottom and left, pointing up", ((-1, 2), (2, -1), (-1, -1))),
    HEXAGON: Sides(
        "upper right, right, lower right, lower left, left and upper left",
        ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)),
    ),
    CUBE: Sides(
        "top, back, right, front, left and bottom",
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 1, 0), (0, 0, -1), (1, 0, 0)),
    ),
}

Side: TypeAlias = Cell
"""Twice the middle of a side: the sum of the positions of the two cells that it separates."""


def around(lattice: Lattice, cell: Cell) -> tuple[Vector, ...]:
    """The vectors to the cells beyond each side, in order; negated for a triangle that points down."""
    towards = SIDES[lattice].towards
    kind = lattice.kind_of(cell)
    assert kind is not None
    return towards if towards[0] in kind.neighbours else tuple(tuple(-x for x in v) for v in towards)


def side_of(cell: Cell, vector: Vector) -> Side:
    """The side of a cell in the direction of a vector."""
    return added(added(cell, cell), vector)
