"""What has to be remembered about each item of an exact cover while options are decided one after another.

    kind of item                     bits                        an option is shut out by
    covered once, or at most once    1: covered                  that bit
    secondary with colours           k pairs                     a bit that its own colour has not
    low to high times                k + 1: 2^k - high + times   the top bit
    any number of times              none                        nothing

An option may cover an item that is counted several times at once (`quotient.py`). A counter that is taken
past what is full stays shut, and is found out at its end.

A colour is written as its k bits and their complements, so that "another colour" is one test with a mask, as
"covered" is; without a colour all bits are set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from rekkyo.model.exact_cover import Color, ExactCover, Item

Weights: TypeAlias = Mapping[tuple[int, Item], int]
"""How often an option covers an item, for options and items where that is more than once."""

ONCE_EACH: Weights = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ItemKind:
    """How one item is remembered.

    width: bits; 0 when nothing is. bias: what a counter begins with, least and most: what it must come to;
    all 0 for other kinds. must_be_covered: exactly once.
    """

    width: int
    bias: int = 0
    least: int = 0
    most: int = 0
    is_counter: bool = False
    must_be_covered: bool = False

    def use(self, color: Color) -> tuple[int, int, int]:
        """Which bits shut an option out, which it sets, and what it adds, before they are shifted."""
        every = (1 << self.width) - 1
        if self.is_counter:
            return 1 << self.width - 1, 0, 1
        if not color:
            return every, every, 0
        half = self.width // 2
        low = color - 1
        bits = low | (~low & (1 << half) - 1) << half
        return every & ~bits, bits, 0


AT_MOST_ONCE = ItemKind(1)
ONCE = ItemKind(1, must_be_covered=True)
AT_WILL = ItemKind(0)


def item_kinds(model: ExactCover, weights: Weights = ONCE_EACH) -> list[ItemKind]:
    """The kind of each item. A weight is at most what its item may be covered."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    times_met = [0] * n_items
    n_colors = [0] * n_items
    for number, option in enumerate(model.options):
        for item, color in option:
            times_met[item] += weights.get((number, item), 1)
            n_colors[item] = max(n_colors[item], color)
    primary = [_primary(*model.bounds_of(item), times_met[item]) for item in range(n_primary)]
    return primary + [_secondary(n_colors[item]) for item in range(n_primary, n_items)]


def _primary(low: int, high: int, times_met: int) -> ItemKind:
    if (low, high) == (1, 1):
        return ONCE
    if high == 1:
        return AT_MOST_ONCE
    if low == 0 and high >= times_met:
        return AT_WILL
    high = max(1, min(high, times_met))
    width = (high - 1).bit_length()
    bias = (1 << width) - high
    return ItemKind(width + 1, bias, bias + low, 1 << width, is_counter=True)


def _secondary(n_colors: int) -> ItemKind:
    return ItemKind(2 * max(1, (n_colors - 1).bit_length())) if n_colors else AT_MOST_ONCE
