"""The ways to walk through each kind of model, plainest first."""

from __future__ import annotations

from functools import singledispatch

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


@singledispatch
def ways_for(model: Model) -> tuple[Way, ...]:
    """The ways for a model that has been lowered; none for a kind that nobody walks through."""
    return ()


@ways_for.register
def _queens(model: Queens) -> tuple[Way, ...]:
    return queens_ways(model)


@ways_for.register
def _cover(model: ExactCover) -> tuple[Way, ...]:
    return COVER_WAYS


@ways_for.register
def _coloring(model: Coloring) -> tuple[Way, ...]:
    return COLORING_WAYS


@ways_for.register
def _sum_figure(model: SumFigure) -> tuple[Way, ...]:
    return SUM_WAYS
