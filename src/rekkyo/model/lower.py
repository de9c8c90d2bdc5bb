"""From the models that people state to the models that engines search."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model


def lower(model: Model) -> Model:
    """The model to search instead of this one; most models are searched unchanged. The result is cached.

    It has the same rows, so that symmetry, storage and drawing need not know it.
    """
    return model.cover() if isinstance(model, Packing) else model


def with_options_given(model: ExactCover, given: Sequence[int]) -> ExactCover:
    """The model whose solutions are those of `model` that choose all the given options.

    Options keep their numbers. Each given option gets its own primary item, which no other option covers.
    Rows may have another length, because it is an upper bound, and so another number of fillers at the end.
    """
    n_primary, n_given = len(model.primary), len(given)
    names = {*model.primary, *model.secondary}
    forcing: list[str] = []
    for option in given:
        name = f"given {option}"
        while name in names:
            name += "'"
        names.add(name)
        forcing.append(name)
    options = [
        tuple((item if item < n_primary else item + n_given, color) for item, color in uses)
        for uses in model.options
    ]
    for number, option in enumerate(given):
        options[option] = (*options[option], (n_primary + number, 0))
    bounds = (*model.bounds, *[(1, 1)] * n_given) if model.bounds else ()
    return ExactCover((*model.primary, *forcing), model.secondary, tuple(options), bounds)
