"""The uses of items in the options of an exact cover as arrays, which are fast enough for short searches."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.model.exact_cover import ExactCover

Numbers: TypeAlias = NDArray[np.int64]


class Uses(NamedTuple):
    """options, items, colors : int64[n_uses]. Option by option, each in the order of its items.

    colored : int64[...].  The numbers of the uses with a colour.
    """

    options: Numbers
    items: Numbers
    colors: Numbers
    colored: Numbers


_MOST_REMEMBERED = 1 << 16
_remembered: list[tuple[ExactCover, Uses]] = []
"""The last two small models. There are two, because a search also asks for a tiny model while it compiles."""


def all_uses(model: ExactCover) -> Uses:
    """The uses of a model. The arrays are read-only."""
    for known, uses in _remembered:
        if known is model:
            return uses
    uses = _all_uses(model)
    if len(uses.items) <= _MOST_REMEMBERED:
        _remembered[:] = [(model, uses), *_remembered[:1]]
    return uses


def _all_uses(model: ExactCover) -> Uses:
    sizes = np.frombuffer(model.sizes, np.intc)
    items, colors = np.frombuffer(model.uses, np.intc).reshape(-1, 2).T.astype(np.int64, order="C")
    options = np.repeat(np.arange(len(sizes)), sizes)
    return read_only(Uses(options, items, colors, np.flatnonzero(colors)))
