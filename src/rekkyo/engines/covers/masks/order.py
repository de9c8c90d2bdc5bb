"""The order in which the items of a filling, such as the cells of a board, are covered.

If every option has exactly one of the first items, or exactly one of the last items, and some other item,
these first or last items are taken for names of pieces, or *labels*. They say nothing about the place of a
piece, so they are not in the order; the search only stores which of them are used.

The other items are covered in the given order, in King's order, or along the longest direction, whichever
makes the options shorter on average. King's order starts with the first item. The next item is one of those
that share an option with the items before, and of these the one with the fewest new neighbours (I. P. King,
"An automatic reordering scheme for simultaneous equations derived from network systems", 1970). A board given
row by row keeps that order unless it is wide.

The *window* over an item has a bit for each item from there on, which is set if that item is covered. The
average length of the options predicts well how many different windows a search meets. On wide boards King's
order had fewer windows than a breadth-first order (Cuthill-McKee): 1,423 instead of 4,286 for L-trominoes
on 6x11, and 340,568 instead of 702,511 for pentominoes on 6x10. On square boards the given order is better
than both. Where King's order is better than the given one, so may be one along the longest direction
(`lengthwise.py`): column by column there are 674 and 173,260.

In the chosen order, an option is a bit mask, in the list of its lowest item, which is the first in the order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from rekkyo.arrays import different
from rekkyo.engines.bandwidth import cuthill_mckee
from rekkyo.engines.covers.uses import Numbers, all_uses
from rekkyo.engines.lengthwise import lengthwise
from rekkyo.engines.prefixes import Prefix
from rekkyo.model.exact_cover import ExactCover, Item

Order: TypeAlias = tuple[Item, ...]

MOST_IN_TABLE = 1 << 22
"""Numbers below it are found by a table, in a tenth of the time of sorting two hundred thousand of them."""


class ItemOrder(NamedTuple):
    """The order in which the items of a model are covered.

    labels: items taken for names of pieces; may be empty. order: the other items.
    longest: places from the first to the last item of the longest option in this order.
    mean_reach: the mean distance between first and last item of an option.
    """

    labels: frozenset[Item]
    order: Order
    longest: int
    mean_reach: float


def find_labels(model: ExactCover) -> frozenset[Item]:
    """The items that are taken for names of pieces; may be empty.

    If there are none among all items, they are looked for among the primary ones.
    """
    uses, n_primary = all_uses(model), len(model.primary)
    order = np.lexsort((uses.items, uses.options))
    options, items = uses.options[order], uses.items[order]
    is_primary = items < n_primary
    return _labels_at_an_end(options, items, model) or _labels_at_an_end(
        options[is_primary], items[is_primary], model
    )


def _labels_at_an_end(options: Numbers, items: Numbers, model: ExactCover) -> frozenset[Item]:
    """The labels, by the first two and the last two items of every option.

    options, items: of each use, in the order of options and items.
    """
    lengths = np.bincount(options, minlength=len(model.options))
    if lengths.min(initial=2) < 2 or not len(lengths):
        return frozenset()
    ends = np.cumsum(lengths)
    starts = ends - lengths
    first_end = int(items[starts].max()) + 1
    if first_end <= items[starts + 1].min():
        return frozenset(range(first_end))
    last_start = int(items[ends - 1].min())
    if last_start > items[ends - 2].max():
        return frozenset(range(last_start, len(model.primary)))
    return frozenset()


@lru_cache(maxsize=4)
def item_order(model: ExactCover) -> ItemOrder:
    """The labels of a model and the order of its other items. Cached, because engines call it repeatedly."""
    labels = find_labels(model)
    given = tuple(item for item in range(len(model.primary)) if item not in labels)
    neighbors = neighbors_of(model, given)
    order, spans = given, _spans(model, given)
    for make in (grown, lengthwise):
        other = make(neighbors) or given
        other_spans = _spans(model, other)
        if sum(other_spans) >= sum(spans):
            break  # the board is not wide
        order, spans = other, other_spans
    n_options = max(1, len(spans))
    return ItemOrder(labels, order, max(spans, default=0), (sum(spans) - len(spans)) / n_options)


def _spans(model: ExactCover, order: Order) -> list[int]:
    """For each option the number of places from its first to its last item in an order."""
    place_of = {item: place for place, item in enumerate(order)}
    places = ([place_of[item] for item, _ in option if item in place_of] for option in model.options)
    return [max(some) - min(some) + 1 for some in places]


def grown(neighbors: Mapping[int, set[int]]) -> Order:
    """King's order of the vertices of a graph. It starts with the first vertex of `neighbors`.

    Of equal ones, the first that became a neighbour is taken.
    """
    n_items, unseen = len(neighbors), set(neighbors)
    # By the number of unseen neighbours, then by the time of arrival.
    rank = {item: n_items * len(near) for item, near in neighbors.items()}
    order: list[Item] = []

    def arrive(item: Item) -> None:
        rank[item] += n_items - len(unseen)
        unseen.remove(item)
        for other in neighbors[item]:
            rank[other] -= n_items

    for start in neighbors:
        if start not in unseen:
            continue
        arrive(start)
        near = {start}
        while near:
            item = min(near, key=rank.__getitem__)
            near.remove(item)
            order.append(item)
            for other in sorted(neighbors[item] & unseen):
                arrive(other)
                near.add(other)
    return tuple(order)


def grown_from_both_ends(neighbors: Mapping[int, set[int]]) -> Iterator[Order]:
    """King's orders from the last and from the first vertex of a breadth-first order, and both reversed."""
    beside = [neighbors.get(vertex, set()) for vertex in range(max(neighbors, default=-1) + 1)]
    breadth_first = cuthill_mckee(beside, list(neighbors))
    for start in dict.fromkeys(breadth_first[:1] + breadth_first[-1:]):
        order = grown({start: neighbors[start]} | dict(neighbors))
        yield order
        yield order[::-1]


def neighbors_of(model: ExactCover, given: Sequence[Item]) -> dict[Item, set[Item]]:
    """For each given item those that share an option with it. By arrays: sets took five times as long."""
    uses, n_items = all_uses(model), len(model.primary) + len(model.secondary)
    is_given = np.zeros(n_items, dtype=np.bool_)
    is_given[list(given)] = True
    kept = is_given[uses.items]
    options, items = uses.options[kept], uses.items[kept]
    pairs = [items[:0]]
    for distance in range(1, int(np.bincount(options).max(initial=1))):
        is_pair = options[distance:] == options[:-distance]
        pairs.append(items[:-distance][is_pair] * n_items + items[distance:][is_pair])
    neighbors: dict[Item, set[Item]] = {item: set() for item in given}
    for pair in _different(np.concatenate(pairs), n_items * n_items).tolist():
        one, other = divmod(pair, n_items)
        neighbors[one].add(other)
        neighbors[other].add(one)
    return neighbors


def _different(numbers: Numbers, stop: int) -> Numbers:
    """The different ones of some numbers below `stop`, in order."""
    if stop > MOST_IN_TABLE:
        return different(numbers)
    is_there = np.zeros(stop, dtype=np.bool_)
    is_there[numbers] = True
    return np.flatnonzero(is_there)


@dataclass(frozen=True, slots=True)
class Entry:
    """An option in the list of its lowest item.

    mask: its items as bits, bit k for the item k places after the lowest one. labels: its labels as bits.
    """

    option: int
    mask: int
    labels: int


Entries: TypeAlias = tuple[tuple[Entry, ...], ...]
"""For each item of the order the options whose lowest item it is, in increasing order."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the search: the options chosen, the item to cover next, the window over it, labels used."""

    prefix: Prefix = ()
    item: int = 0
    window: int = 0
    used: int = 0

    def fits(self, entry: Entry) -> bool:
        """Whether the option can be chosen here."""
        return not (entry.mask & self.window or entry.labels & self.used)

    def below(self, entry: Entry) -> Node:
        """The node that choosing the option leads to."""
        covered = self.window | entry.mask
        step = (~covered & (covered + 1)).bit_length() - 1
        prefix = (*self.prefix, entry.option)
        return Node(prefix, self.item + step, covered >> step, self.used | entry.labels)


@lru_cache(maxsize=2)
def make_entries(model: ExactCover, labels: frozenset[Item], order: Order) -> Entries:
    """The options of a model for an order of its items. Cached, because compiling and planning call it."""
    place_of = {item: place for place, item in enumerate(order)}
    label_bit = {item: 1 << bit for bit, item in enumerate(sorted(labels))}
    entries: list[list[Entry]] = [[] for _ in order]
    for number, option in enumerate(model.options):
        places = [place_of[item] for item, _ in option if item in place_of]
        lowest = min(places)
        mask = sum(1 << (place - lowest) for place in places)
        entries[lowest].append(Entry(number, mask, sum(label_bit.get(item, 0) for item, _ in option)))
    return tuple(map(tuple, entries))
