"""Why a model has no solution, as far as can be seen before any search."""

from __future__ import annotations

from functools import singledispatch

from rekkyo.model import figure_sums
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.sum_figure import SumFigure


@singledispatch
def obstacles(model: Model) -> list[str]:
    """One sentence for each reason; empty when none is seen."""
    return []


@obstacles.register
def _packing(model: Packing) -> list[str]:
    return model.obstacles()


@obstacles.register
def _sum_figure(model: SumFigure) -> list[str]:
    return figure_sums.obstacles(model)


@obstacles.register
def _exact_cover(model: ExactCover) -> list[str]:
    n_options = [0] * len(model.primary)
    for option in model.options:
        for item, _ in option:
            if item < len(n_options):
                n_options[item] += 1
    return [
        f'item "{name}" must be covered {low} times, but {have} options cover it'
        for name, low, have in zip(
            model.primary,
            (model.bounds_of(item)[0] for item in range(len(n_options))),
            n_options,
            strict=True,
        )
        if have < low
    ]
