"""The options of a filling as bit masks, listed by their lowest item, and single steps through a search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from rekkyo.engines.covers.masks.order import Order
from rekkyo.engines.prefixes import Prefix
from rekkyo.model.exact_cover import ExactCover, Item


@dataclass(frozen=True, slots=True)
class Entry:
    """An option in the list of its lowest item: its items relative to that one, and its labels, as bits."""

    option: int
    mask: int
    labels: int


Entries: TypeAlias = tuple[tuple[Entry, ...], ...]
"""For each item of the order the options whose lowest item it is, in increasing order."""


@dataclass(frozen=True, slots=True)
class Node:
    """A place in the search: the options chosen, the item to cover next, the window over it, labels used."""

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
    """The options of a model, its items put in an order. Kept: compiling asks before planning does."""
    place_of = {item: place for place, item in enumerate(order)}
    label_bit = {item: 1 << bit for bit, item in enumerate(sorted(labels))}
    entries: list[list[Entry]] = [[] for _ in order]
    for number, option in enumerate(model.options):
        places = [place_of[item] for item, _ in option if item in place_of]
        lowest = min(places)
        mask = sum(1 << (place - lowest) for place in places)
        entries[lowest].append(Entry(number, mask, sum(label_bit.get(item, 0) for item, _ in option)))
    return tuple(map(tuple, entries))
