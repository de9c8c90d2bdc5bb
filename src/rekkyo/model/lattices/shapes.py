"""Shapes: finite sets of cells, up to translation, and all their orientations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rekkyo.model.lattices.lattice import Cell, Lattice, added, applied

Shape: TypeAlias = tuple[Cell, ...]
"""Cells in increasing order."""


def at_home(lattice: Lattice, cells: Iterable[Cell]) -> Shape:
    """The translate whose least coordinates, counted in whole steps, are all 0. Equal for all translates."""
    found = tuple(cells)
    least = [min(axis) // lattice.step for axis in zip(*found, strict=True)]
    back = [-lattice.step * steps for steps in least]
    return tuple(sorted(added(cell, back) for cell in found))


def orientations(lattice: Lattice, cells: Iterable[Cell], *, reflections: bool) -> tuple[Shape, ...]:
    """The different images of a shape under the point group, up to translation, in increasing order."""
    found = tuple(cells)
    matrices = lattice.point_group if reflections else lattice.rotations
    return tuple(sorted({at_home(lattice, (applied(matrix, cell) for cell in found)) for matrix in matrices}))


def least_orientation(lattice: Lattice, cells: Iterable[Cell], *, reflections: bool) -> Shape:
    """One shape for all congruent ones: the first of its orientations."""
    return orientations(lattice, cells, reflections=reflections)[0]
