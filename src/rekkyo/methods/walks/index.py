"""The ways to walk through each kind of model, plainest first."""

from __future__ import annotations

from rekkyo.methods.walks.coloring import COLORING_WAYS
from rekkyo.methods.walks.cover import COVER_WAYS
from rekkyo.methods.walks.queens import queens_ways
from rekkyo.methods.walks.sums import SUM_WAYS
from rekkyo.methods.walks.walk import Way
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure

_WAYS: dict[type, tuple[Way, ...]] = {ExactCover: COVER_WAYS, Coloring: COLORING_WAYS, SumFigure: SUM_WAYS}


def ways_for(model: Model) -> tuple[Way, ...]:
    """The ways for a model that has been lowered; none for a kind that nobody walks through."""
    return queens_ways(model) if isinstance(model, Queens) else _WAYS.get(type(model), ())
