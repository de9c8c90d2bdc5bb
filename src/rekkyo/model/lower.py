"""The model that is searched instead of a packing, and a cover in which some options are given."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model


def lower(model: Model) -> Model:
    """The model to search instead of this one; most models are searched unchanged. `Packing.cover` is cached.

    It has the same rows, so symmetry, storage and drawing work in the same way for both.
    """
    return model.cover() if isinstance(model, Packing) else model


def with_options_given(model: ExactCover, given: Sequence[int]) -> ExactCover:
    """The model whose solutions are those of `model` that choose all the given options.

    Options keep their numbers. Each given option gets its own primary item, which no other option covers.
    Rows may be longer or shorter, with more or fewer fillers at the end, because the length of a row is only
    an upper bound of the number of chosen options.
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
