"""Engine `cover-frontier`."""

from rekkyo.engines.covers.frontier.engine import CoverFrontier

__all__ = ["CoverFrontier"]
