"""Engine `cover-diagram`."""

from rekkyo.engines.cover_diagram.engine import CoverDiagram

__all__ = ["CoverDiagram"]
