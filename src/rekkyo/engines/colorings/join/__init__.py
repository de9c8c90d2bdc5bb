"""Colourings put together from overlapping parts, for recounts."""

from rekkyo.engines.colorings.join.engine import ColoringJoin

__all__ = ["ColoringJoin"]
