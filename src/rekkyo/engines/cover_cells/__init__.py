"""Dancing cells for every exact cover: colours, secondary items, multiplicities, any size."""

from rekkyo.engines.cover_cells.engine import CoverCells

__all__ = ["CoverCells"]
