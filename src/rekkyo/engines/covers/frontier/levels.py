"""An exact cover as a row of levels, and what has to be remembered between two of them.

A level covers one item that is covered once, or at most once: either it is covered already, or one of the
options whose first item it is covers it; if it may stay uncovered, all of these may be left out. An option
whose first item is of another kind gets a level of its own, where it may be left out. What the choices so far
mean for the later ones is a *state*: bits for each item that is met both before and after. Items that are
never met at the same time share their bits. Source: the frontier (broken profile) method; as a graph of
solutions it is a ZDD (Knuth, TAOCP 4A, section 7.1.4).

The order of the items is the given one, the given one with labels last (`covers/masks/order.py`), King's with
labels last, or for wide states one along the longest direction (`lengthwise.py`): of these the one whose
states are narrowest, where those that are not given have a handicap. These are orders of the items that must
be covered exactly once; if some options have none of these and states stay wide, also of all items, and
King's from two other items on and reversed.
Each component of the model is finished before the next begins: between two of them nothing is remembered, so
a model in parts costs the sum of its parts, not their product.

Left out on purpose: an order that depends on the state (Nishino, Yasuda, Minato and Nagata, "Dancing with
decision diagrams", 2017). Engine `cover-memo` counts that way; diagrams without an order of options could
neither number solutions nor be met with each other.

What has to be remembered about each item while options are decided one after another:

    kind of item                     bits                        an option is shut out by
    covered once, or at most once    1: covered                  that bit
    secondary with colours           k pairs                     a bit that its own colour has not
    low to high times                k + 1: 2^k - high + times   the top bit
    any number of times              none                        nothing

An option may cover an item that is counted several times at once (`covers/counting.py`). If a counter then
exceeds `high`, its top bit stays set, and the limits reject the state at the last level of the item.

A colour is written as its k bits and their complements, so that "another colour" is one test with a mask, as
"covered" is; without a colour all bits are set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from math import log2
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from rekkyo.engines.covers.masks.order import find_labels, grown, grown_from_both_ends, neighbors_of
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.frontier.levels import (
    WORD,
    Choice,
    Field,
    Level,
    Levels,
    Limits,
    laid_by_begin,
    laid_by_end,
    laid_out,
)
from rekkyo.engines.lengthwise import lengthwise
from rekkyo.model.exact_cover import Color, ExactCover, Item

Weights: TypeAlias = Mapping[tuple[int, Item], int]
"""How often an option covers an item, for options and items where that is more than once."""

ONCE_EACH: Weights = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ItemKind:
    """How one item is remembered.

    width: bits; 0 when nothing is. bias: what a counter begins with, least and most: what it must come to;
    all 0 for other kinds. must_be_covered: exactly once. is_once: that, or at most once.
    """

    width: int
    bias: int = 0
    least: int = 0
    most: int = 0
    is_counter: bool = False
    must_be_covered: bool = False
    is_once: bool = False

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


AT_MOST_ONCE = ItemKind(1, is_once=True)
ONCE = ItemKind(1, must_be_covered=True, is_once=True)
ANY_TIMES = ItemKind(0)


def item_kinds(model: ExactCover, weights: Weights) -> list[ItemKind]:
    """The kind of each item. A weight is at most what its item may be covered."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    uses = all_uses(model)
    times_met: list[int] = np.bincount(uses.items, minlength=n_items).tolist()
    for (_, item), times in weights.items():
        times_met[item] += times - 1
    n_colors = np.zeros(n_items, dtype=np.int64)
    np.maximum.at(n_colors, uses.items, uses.colors)
    primary = [_primary(*model.bounds_of(item), times_met[item]) for item in range(n_primary)]
    secondary: list[int] = n_colors[n_primary:].tolist()
    return primary + [ItemKind(2 * max(1, (n - 1).bit_length())) if n else AT_MOST_ONCE for n in secondary]


def _primary(low: int, high: int, times_met: int) -> ItemKind:
    if (low, high) == (1, 1):
        return ONCE
    if high == 1:
        return AT_MOST_ONCE
    if low == 0 and high >= times_met:
        return ANY_TIMES
    high = max(1, min(high, times_met))
    width = (high - 1).bit_length()
    bias = (1 << width) - high
    return ItemKind(width + 1, bias, bias + low, 1 << width, is_counter=True)


LONG = 20.0
"""The logarithm of the states from which on an order along the longest direction is worth its time."""

HANDICAP = 0.5
"""States in the given order and in King's: dominoes on 16x16 2,661,721 and 738,658, L-trominoes on 9x9 12,321
and 139,570; narrowness foretold both."""


_Fields: TypeAlias = Mapping[Item, Field]


def make_levels(model: ExactCover, handicap: float = HANDICAP, weights: Weights = ONCE_EACH) -> Levels:
    """The levels of a model, in the order that promises the fewest states.

    handicap: by how many bits another order must be narrower than the given one to be taken.
    """
    given, *others = _all_ordered(model, weights)
    best = min(others, key=lambda ordered: ordered.cost)
    return (best if best.cost < given.cost - handicap else given).levels()


@lru_cache(maxsize=1)
def levels_of(model: ExactCover) -> Levels:
    """The levels of a model, kept from the choice of an engine to the plan."""
    return make_levels(model)


def levels_in_all_orders(model: ExactCover) -> list[Levels]:
    """The levels in each different order, those in the given one first."""
    different = {tuple(ordered.level_of): ordered for ordered in reversed(_all_ordered(model, ONCE_EACH))}
    return [ordered.levels() for ordered in reversed(different.values())]


def _all_ordered(model: ExactCover, weights: Weights) -> list[_Ordered]:
    """The model in each order of its items, the given one of those that are covered exactly once first.

    Orders of all items that are remembered are made if states are wide and the first orders say nothing of
    some options: all vertices of a matching may stay uncovered, and its edges are given in any order.
    """
    kinds = item_kinds(model, weights)
    names, component = find_labels(model), components(model)

    def ordered(order: Sequence[Item]) -> _Ordered:
        return _Ordered(model, kinds, weights, sorted(order, key=component.__getitem__))

    def in_orders_of(items: Sequence[Item], neighbors: Mapping[Item, set[Item]]) -> list[_Ordered]:
        others = tuple(neighbors)  # those that are not labels
        labels = tuple(item for item in items if item not in neighbors)
        orders = (items, *([others + labels] if labels else []), grown(neighbors) + labels)
        found = [*map(ordered, orders)]
        if min(each.cost for each in found) >= LONG and (along := lengthwise(neighbors)):
            found.append(ordered(along + labels))
        return found

    must = tuple(item for item, kind in enumerate(kinds) if kind.must_be_covered)
    remembered = tuple(item for item, kind in enumerate(kinds) if kind.width)
    found = in_orders_of(must, neighbors_of(model, [item for item in must if item not in names]))
    if found[0].has_options_alone and min(each.cost for each in found) >= LONG:
        near = neighbors_of(model, remembered)
        found += in_orders_of(remembered, {item: near[item] - names for item in near if item not in names})
        found += [ordered(order) for order in grown_from_both_ends(near)]
    return found


def components(model: ExactCover) -> list[Item]:
    """For each item the least item that options connect it with, directly or not."""
    uses = all_uses(model)
    least = np.arange(len(model.primary) + len(model.secondary))
    while True:
        of_option = np.full(len(model.options), len(least))
        np.minimum.at(of_option, uses.options, least[uses.items])
        before = least.copy()
        np.minimum.at(least, uses.items, of_option[uses.options])
        least = least[least]  # halves the number of rounds along a chain, and more
        if (least == before).all():
            found: list[Item] = least.tolist()
            return found


class _Ordered:
    """A model with its items in an order.

    order: with all items that are covered exactly once. An option has the level of its first item there if
    that is covered once or at most once, and else a level of its own at that place, or behind all items. An
    item that is the first one of no option needs no level: the last level that meets it checks it. In arrays,
    because loops over all uses took most of the time of choosing an engine.
    """

    def __init__(
        self, model: ExactCover, kinds: Sequence[ItemKind], weights: Weights, order: Sequence[Item]
    ) -> None:
        self._model, self._kinds, self._weights = model, kinds, weights
        uses, n_options, nowhere = all_uses(model), len(model.options), len(kinds)
        place_of = np.full(len(kinds), nowhere)
        place_of[list(order)] = np.arange(len(order))
        first = np.full(n_options, nowhere)
        np.minimum.at(first, uses.options, place_of[uses.items])
        is_once = np.array([*(kinds[item].is_once for item in order), False])
        is_alone = ~is_once[np.minimum(first, len(order))]
        keys = first * (n_options + 1) + np.where(is_alone, np.arange(1, n_options + 1), 0)
        heads, level_of = np.unique(keys, return_inverse=True)
        self.level_of: list[int] = level_of.tolist()
        places, numbers = np.divmod(heads, n_options + 1)
        self._heads = [
            None if number else order[place]
            for place, number in zip(places.tolist(), numbers.tolist(), strict=True)
        ]
        begin, end = np.full(len(kinds), n_options), np.full(len(kinds), -1)
        np.minimum.at(begin, uses.items, level_of[uses.options])
        np.maximum.at(end, uses.items, level_of[uses.options])
        firsts, lasts = begin.tolist(), end.tolist()
        self._unmet: list[Item] = np.flatnonzero(end < 0).tolist()
        self._spans: dict[Item, tuple[int, int]] = {
            item: (firsts[item], lasts[item])
            for item in np.argsort(begin, kind="stable").tolist()
            if kinds[item].width and lasts[item] >= 0
        }

    @property
    def has_options_alone(self) -> bool:
        """Whether some options have levels of their own."""
        return None in self._heads

    @cached_property
    def cost(self) -> float:
        """The logarithm of how many states there were if all bits of every level were free.

        Rounded, because its last digits depend on the computer, and the order must not.
        """
        change = [0] * (len(self._heads) + 1)
        for item, (first, last) in self._spans.items():
            change[first] += self._kinds[item].width
            change[last] -= self._kinds[item].width
        times_of = Counter(accumulate(change))
        widest = max(times_of)
        n_states = sum(times * 2.0 ** max(width - widest, -1000) for width, times in times_of.items())
        return round(widest + log2(n_states), 6)

    def levels(self) -> Levels:
        """All levels."""
        widths = {item: self._kinds[item].width for item in self._spans}
        fields = self._laid_around(widths) or laid_out(self._spans, widths)
        n_bits = max((field.shift + field.width for field in fields.values()), default=0)
        n_levels = len(self._heads)
        opening, required, keep = [0] * n_levels, [0] * n_levels, [(1 << n_bits) - 1] * n_levels
        limits: list[list[Limits]] = [[] for _ in self._heads]
        for item, (shift, width, first, last) in sorted(fields.items()):
            kind = self._kinds[item]
            opening[first] += kind.bias << shift
            keep[last] -= (1 << width) - 1 << shift
            if kind.must_be_covered:
                required[last] += 1 << shift
            if kind.is_counter:
                limits[last].append(Limits(shift, width, kind.least, kind.most))
        choices: list[list[Choice]] = [[] for _ in self._heads]
        for level, choice in zip(self.level_of, self._choices(fields, n_bits), strict=True):
            choices[level].append(choice)
        covered = (
            1 << fields[item].shift if item is not None and self._kinds[item].must_be_covered else 0
            for item in self._heads
        )
        unmet = (item for item in self._unmet if item < len(self._model.primary))
        parts = zip(choices, covered, opening, required, limits, keep, strict=True)
        return Levels(
            levels=tuple(
                Level(tuple(some), bit, opened, needed, tuple(limited), kept)
                for some, bit, opened, needed, limited, kept in parts
            ),
            n_bits=n_bits,
            is_hopeless=any(self._model.bounds_of(item)[0] > 0 for item in unmet),
            level_of=tuple(self.level_of),
            fields=fields,
        )

    def _laid_around(self, widths: Mapping[Item, int]) -> _Fields | None:
        """The fields around a word: by their ends if bits are lost that are 0 or 1, see `streams.py`.

        If all items must be covered, no such bit is lost. Then streams that set the bit of a new item are
        merged with no others if it is the highest: Aztec diamond 12 takes 0.47 s instead of 0.58.
        """
        lose_none = all(self._kinds[item].must_be_covered for item in self._spans)
        return (laid_by_begin if lose_none else laid_by_end)(self._spans, widths)

    def _choices(self, fields: _Fields, n_bits: int) -> Iterator[Choice]:
        """The choice of each option: the bits that shut out its uses, that these set, and what they add.

        In arrays, because a loop over all uses took three times as long.
        """
        uses = all_uses(self._model)
        of_items = np.zeros((3, len(self._kinds)), dtype=np.uint64 if n_bits <= WORD else object)
        for item in fields:
            of_items[:, item] = self._bits_of(fields, item, 0)
        of_uses = of_items[:, uses.items]
        for use in uses.colored.tolist():
            item = int(uses.items[use])
            if item in fields:
                of_uses[:, use] = self._bits_of(fields, item, int(uses.colors[use]))
        if self._weights:
            for use, key in enumerate(zip(uses.options.tolist(), uses.items.tolist(), strict=True)):
                of_uses[2, use] *= self._weights.get(key, 1)
        begins = np.flatnonzero(np.diff(uses.options, prepend=-1))
        clash, take = (
            np.bitwise_or.reduceat(of_uses[:2], begins, axis=1).tolist() if len(begins) else ([], [])
        )
        plus = np.add.reduceat(of_uses[2], begins).tolist() if len(begins) else []
        return map(Choice, range(len(begins)), clash, take, plus)

    def _bits_of(self, fields: _Fields, item: Item, color: Color) -> list[int]:
        """As `ItemKind.use`, shifted to the field of the item."""
        return [bits << fields[item].shift for bits in self._kinds[item].use(color)]
