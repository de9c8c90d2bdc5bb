"""Dancing cells for every exact cover: colours, secondary items, multiplicities, any size."""

from rekkyo.engines.covers.cells.engine import CoverCells

__all__ = ["CoverCells"]
