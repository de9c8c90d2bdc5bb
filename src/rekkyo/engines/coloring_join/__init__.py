"""Colourings put together from overlapping parts, for recounts."""

from rekkyo.engines.coloring_join.engine import ColoringJoin

__all__ = ["ColoringJoin"]
