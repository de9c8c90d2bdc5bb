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
    classes : int64[...].  For each of those, the number of its pair of secondary item and colour. The pairs
              are numbered from 0 in increasing order.
    n_classes : The number of different pairs of secondary item and colour.
    """

    options: Numbers
    items: Numbers
    colors: Numbers
    colored: Numbers
    classes: Numbers
    n_classes: int


SPARSE = 16
"""Numbers up to this multiple of their count get a table; sorting takes ten times as long."""

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
    colored = np.flatnonzero(colors)
    classes = _ranked(items[colored] * (int(colors.max(initial=0)) + 1) + colors[colored])
    n_classes = int(classes.max(initial=-1)) + 1
    options = np.repeat(np.arange(len(sizes)), sizes)
    return read_only(Uses(options, items, colors, colored, classes, n_classes))


def _ranked(numbers: Numbers) -> Numbers:
    """For each number the count of different lesser ones."""
    n_numbers = int(numbers.max(initial=-1)) + 1
    if n_numbers > SPARSE * len(numbers):
        ranks: Numbers = np.unique(numbers, return_inverse=True)[1]
        return ranks
    occurs = np.zeros(n_numbers, dtype=np.bool_)
    occurs[numbers] = True
    return np.cumsum(occurs)[numbers] - 1
