"""Colourings of at most 64 cells, with bit masks and unit propagation."""

from rekkyo.engines.coloring_masks.engine import ColoringMasks

__all__ = ["ColoringMasks"]
