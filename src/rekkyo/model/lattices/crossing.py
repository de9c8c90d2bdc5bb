"""Where pieces on lattice edges pass straight through a point."""

from __future__ import annotations

from collections.abc import Iterable

from rekkyo.model.lattices.lattice import Cell


def points_passed(edges: Iterable[Cell]) -> list[Cell]:
    """The lattice points through which a set of edges goes on straight, in increasing order."""
    cells = set(edges)
    ahead = {(row, column): (row % 2, column % 2) for row, column in cells}  # (0, 1) across, (1, 0) down
    return sorted(
        {
            (row + down, column + across)
            for (row, column), (down, across) in ahead.items()
            if (row + 2 * down, column + 2 * across) in cells
        }
    )
