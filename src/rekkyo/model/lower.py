"""From the models that people state to the models that engines search.

A lowered model has the same rows as the model itself, so that symmetry, storage and drawing never see the
difference. Models that are searched as they are lower to themselves.
"""

from __future__ import annotations

from functools import singledispatch

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model


@singledispatch
def lower(model: Model) -> Model:
    """The model to search instead of this one, with the same rows. Cheap when called again."""
    return model


@lower.register
def _packing(model: Packing) -> ExactCover:
    return model.cover()
