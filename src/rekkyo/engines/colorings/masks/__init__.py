"""Colourings of at most 64 cells, with bit masks and unit propagation."""

from rekkyo.engines.colorings.masks.engine import ColoringMasks

__all__ = ["ColoringMasks"]
