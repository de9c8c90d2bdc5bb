"""The sides of cells in the order in which tiles name their colours, and which two cells share one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from rekkyo.model.lattices.known import CUBE, HEXAGON, SQUARE, TRIANGLE
from rekkyo.model.lattices.lattice import Cell, Lattice, Vector, added


class Sides(NamedTuple):
    """The sides of a tile in the order in which their colours are written; of a triangle that points up.

    towards: from the middle of the tile to that of the next one beyond each side.
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
"""Twice the middle of a side: the sum of the cells that meet there."""


def around(lattice: Lattice, cell: Cell) -> tuple[Vector, ...]:
    """The vectors beyond the sides of a cell; for a triangle that points down those of one turned by half."""
    towards = SIDES[lattice].towards
    kind = lattice.kind_of(cell)
    assert kind is not None
    return towards if towards[0] in kind.neighbours else tuple(tuple(-x for x in v) for v in towards)


def side_of(cell: Cell, vector: Vector) -> Side:
    """The side of a cell in the direction of a vector."""
    return added(added(cell, cell), vector)
