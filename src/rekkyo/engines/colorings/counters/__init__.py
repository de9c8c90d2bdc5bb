"""Every colouring: counters on forbidden patterns, any number of cells."""

from rekkyo.engines.colorings.counters.engine import ColoringCounters

__all__ = ["ColoringCounters"]
