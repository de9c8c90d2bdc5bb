"""First uncovered item with a list of bit masks: fillings with short tiles."""

from rekkyo.engines.covers.masks.engine import CoverMasks

__all__ = ["CoverMasks"]
