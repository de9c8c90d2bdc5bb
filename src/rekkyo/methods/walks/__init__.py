"""Searches of small puzzles as sequences of moves, for pictures and for teaching."""

from __future__ import annotations

from rekkyo.methods.walks.coloring import COLORING_WAYS
from rekkyo.methods.walks.cover import COVER_WAYS
from rekkyo.methods.walks.profile import Depths, nodes_by_depth
from rekkyo.methods.walks.queens import queens_ways
from rekkyo.methods.walks.sums import SUM_WAYS
from rekkyo.methods.walks.walk import Move, Moves, Way
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure

__all__ = ["Depths", "Move", "Moves", "Way", "nodes_by_depth", "ways_for"]

_WAYS: dict[type, tuple[Way, ...]] = {ExactCover: COVER_WAYS, Coloring: COLORING_WAYS, SumFigure: SUM_WAYS}


def ways_for(model: Model) -> tuple[Way, ...]:
    """The ways for a lowered model, simplest first; empty for other kinds."""
    return queens_ways(model) if isinstance(model, Queens) else _WAYS.get(type(model), ())
