"""Sum figures line by line in an order that depends on what was filled; any numbers."""

from rekkyo.engines.sums.cells.engine import SumCells

__all__ = ["SumCells"]
