"""The uses of items in the options of an exact cover, in one go: plans are made for short searches too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.model.exact_cover import ExactCover


class Uses(NamedTuple):
    """options, items, colors : int64[n_uses]. By option, and in each as it names its items.

    colored : int64[...].  The uses with a colour. classes : int64[...].  Which pair of secondary item and
    colour each of those has, numbered from 0 in increasing order.
    """

    options: NDArray[np.int64]
    items: NDArray[np.int64]
    colors: NDArray[np.int64]
    colored: NDArray[np.int64]
    classes: NDArray[np.int64]

    @property
    def n_classes(self) -> int:
        """Different pairs of secondary item and colour."""
        return int(self.classes.max(initial=-1)) + 1


COLOR_BITS = 30
"""A colour has as many at most."""

_MOST_REMEMBERED = 1 << 16
_remembered: list[tuple[ExactCover, Uses]] = []
"""The last two models, if small: one search asks several times, also while it compiles with a tiny model."""


def all_uses(model: ExactCover) -> Uses:
    """Which option uses which item with which colour. The arrays are read-only."""
    for known, uses in _remembered:
        if known is model:
            return uses
    uses = _all_uses(model)
    if len(uses.items) <= _MOST_REMEMBERED:
        _remembered[:] = [(model, uses), *_remembered[:1]]
    return uses


def _all_uses(model: ExactCover) -> Uses:
    sizes = np.fromiter(map(len, model.options), np.int64, len(model.options))
    items, colors = np.frombuffer(model.uses, np.intc).reshape(-1, 2).T.astype(np.int64, order="C")
    colored = np.flatnonzero(colors)
    _, classes = np.unique(items[colored] << COLOR_BITS | colors[colored], return_inverse=True)
    return read_only(Uses(np.repeat(np.arange(len(sizes)), sizes), items, colors, colored, classes))
