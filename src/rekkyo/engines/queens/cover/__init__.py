"""Queens as an exact cover: a second way to every queens model, for recounts."""

from rekkyo.engines.queens.cover.engine import QueensCover

__all__ = ["QueensCover"]
