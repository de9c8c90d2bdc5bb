"""Engine `cover-frontier`."""

from rekkyo.engines.cover_frontier.engine import CoverFrontier

__all__ = ["CoverFrontier"]
