"""The uses of items in the options of an exact cover, in one go: plans are made for short searches too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.model.exact_cover import Color, ExactCover, Item


class Uses(NamedTuple):
    """options, items, colors : int64[n_uses]. By option, and in each as it names its items."""

    options: NDArray[np.int64]
    items: NDArray[np.int64]
    colors: NDArray[np.int64]


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


def colors_of_items(model: ExactCover) -> list[tuple[Item, Color]]:
    """The pairs of secondary item and colour that occur, in increasing order."""
    _, items, colors = all_uses(model)
    colored = np.flatnonzero(colors)
    return sorted(set(zip(items[colored].tolist(), colors[colored].tolist(), strict=True)))


def _all_uses(model: ExactCover) -> Uses:
    sizes = np.fromiter(map(len, model.options), np.int64, len(model.options))
    items, colors = np.frombuffer(model.uses, np.intc).reshape(-1, 2).T.astype(np.int64, order="C")
    return read_only(Uses(np.repeat(np.arange(len(sizes)), sizes), items, colors))
