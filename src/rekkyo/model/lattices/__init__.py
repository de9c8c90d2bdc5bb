"""Lattices that packings live on: cells, symmetry, shapes, drawings. See `lattice` for what a lattice is."""

from rekkyo.model.lattices.known import (
    BALLS,
    CUBE,
    EDGES,
    HEXAGON,
    LATTICES,
    PRISM,
    QUARTERED,
    RHOMBIC,
    SQUARE,
    TETRA_OCTA,
    TRIANGLE,
)
from rekkyo.model.lattices.lattice import Cell, Lattice, cell_name

__all__ = [
    "BALLS",
    "CUBE",
    "EDGES",
    "HEXAGON",
    "LATTICES",
    "PRISM",
    "QUARTERED",
    "RHOMBIC",
    "SQUARE",
    "TETRA_OCTA",
    "TRIANGLE",
    "Cell",
    "Lattice",
    "cell_name",
]
