"""Every colouring: counters on forbidden patterns, any number of cells."""

from rekkyo.engines.coloring_counters.engine import ColoringCounters

__all__ = ["ColoringCounters"]
