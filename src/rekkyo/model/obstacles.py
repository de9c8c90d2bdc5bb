"""Reasons why a model has no solution that are found without a search."""

from __future__ import annotations

from collections import Counter
from functools import singledispatch

from rekkyo.model import figure_sums
from rekkyo.model.csp.contradictions import contradictions
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.sum_figure import SumFigure
from rekkyo.wording import how_often, several


@singledispatch
def obstacles(model: Model) -> list[str]:
    """One sentence for each reason; empty when none is seen."""
    return []


@obstacles.register
def _exact_cover(model: ExactCover) -> list[str]:
    n_options = Counter(item for option in model.options for item, _ in option)
    lacking: dict[str, list[str]] = {}
    for item, name in enumerate(model.primary):
        low = model.bounds_of(item)[0]
        if n_options[item] < low:
            options = several(n_options[item], "option")
            reason = f"must be covered {how_often(low, low)}, but is in {options}"
            lacking.setdefault(reason, []).append(name)
    same = "; the same is true of {}"
    return [
        f'item "{name}" {reason}{same.format(several(len(others), "other item")) if others else ""}'
        for reason, (name, *others) in lacking.items()
    ]


obstacles.register(Packing, Packing.obstacles)
obstacles.register(SumFigure, figure_sums.obstacles)
obstacles.register(Csp, contradictions)
