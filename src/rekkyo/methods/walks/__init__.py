"""Searches of small puzzles told move by move, for pictures and for teaching."""

from rekkyo.methods.walks.index import ways_for
from rekkyo.methods.walks.walk import Move, Moves, Way

__all__ = ["Move", "Moves", "Way", "ways_for"]
