"""Searches of small puzzles told move by move, for pictures and for teaching."""

from rekkyo.methods.walks.index import ways_for
from rekkyo.methods.walks.profile import Depths, nodes_by_depth
from rekkyo.methods.walks.walk import Move, Moves, Way

__all__ = ["Depths", "Move", "Moves", "Way", "nodes_by_depth", "ways_for"]
