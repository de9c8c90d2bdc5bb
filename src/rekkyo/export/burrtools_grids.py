"""The grids of BurrTools as lattices, and where (z, y, x) in a file is on them.

type   grid                            lattice      where
0      cubes                           cube         (layer, row, column)
1      triangular prisms               prism        as in a drawing: those that point up and down take turns
2      spheres                         balls        where x + y + z is even
3      tetrahedra of cut cubes         rhombic      as in a drawing: 24 of 125 places of each cube
4      tetrahedra and octahedra        tetra-octa   as in a drawing: 5 of 27 places of each cube

Puzzles one cube or prism thick are on the lattices `square` and `triangle`, whose pieces may be turned over.
Source: user guide and coordinates of A. Röver's BurrTools (github.com/burr-tools/burr-tools).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rekkyo.model.lattices import BALLS, CUBE, PRISM, RHOMBIC, SQUARE, TETRA_OCTA, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.drawing import Spot, cell_at, first_spot, spot

GRIDS: Mapping[str, Lattice] = {"0": CUBE, "1": PRISM, "2": BALLS, "3": RHOMBIC, "4": TETRA_OCTA}
FLAT: Mapping[Lattice, Lattice] = {CUBE: SQUARE, PRISM: TRIANGLE}
"""The lattice of one layer."""

PLACES: Mapping[Lattice, str] = {
    BALLS: "spheres lie where x + y + z is even",
    RHOMBIC: "a cube of 5 x 5 x 5 places has 24 cells",
    TETRA_OCTA: "a cube of 3 x 3 x 3 places has its middle and four of its corners",
}
"""Which places of a grid are cells, if not all are."""


def grid_of(lattice: Lattice) -> str | None:
    """The type of the grid that a lattice is, or is one layer of; None if there is none."""
    return next((grid for grid, known in GRIDS.items() if lattice in (known, FLAT.get(known))), None)


def cell_of(lattice: Lattice, place: Spot) -> Cell | None:
    """The cell at a place (z, y, x) of a file; None if the grid has none there."""
    if lattice != BALLS:
        return cell_at(lattice, place)
    z, y, x = place  # layer, row + column + layer, row - column
    return (z, (x + y - z) // 2, (y - z - x) // 2) if sum(place) % 2 == 0 else None


def place_of(lattice: Lattice, cell: Cell) -> Spot:
    """The inverse of `cell_of`."""
    return (cell[0], sum(cell), cell[1] - cell[2]) if lattice == BALLS else spot(lattice, cell)


def first_place(lattice: Lattice, places: Collection[Spot]) -> Spot:
    """A place before all others, as near as it can be moved to (0, 0, 0) with them by a translation."""
    z, y, x = first_spot(lattice, places)
    return (z, y, x - (z + y + x) % 2) if lattice == BALLS else (z, y, x)
