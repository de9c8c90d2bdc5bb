"""Finds blocks of items that can be exchanged, such as the columns of a Latin square, in any exact cover.

An exchange of two blocks is a symmetry that is its own inverse. Symmetries are automorphisms of a graph of
the options; those of order two among the generators, their powers and conjugates of them are looked at, those
that move the fewest options first.
Left out on purpose: symmetries that change the colours of secondary items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple, TypeAlias

from rekkyo.engines.covers.frontier.exchanges import Family, levels_between
from rekkyo.engines.frontier.block_families import Block, exchanged_pair, families_of
from rekkyo.model.exact_cover import Color, ExactCover, Item
from rekkyo.symmetry.automorphisms import Permutation
from rekkyo.symmetry.involutions import involutions_of
from rekkyo.symmetry.model_graphs import cover_graph

MOST_INVOLUTIONS, MOST_FAMILIES = 128, 20
"""The most symmetries that are looked at, and families, by each of which every state is sorted.

What a symmetry leaves unchanged has many small blocks: for the half turn of sudokus, the pairs of digits and
of rows, any two of which can be exchanged. With 64 and 10 it takes 56 million nodes; with these numbers, no
class of conjugates of the 8,250 takes more than 12 million."""

_Key: TypeAlias = tuple[tuple[int, int] | None, frozenset[tuple[int, Color]]]
"""The bounds of a primary item, and the options of an item with its colours. Items may have the same key."""


class Exchange(NamedTuple):
    """A symmetry that is its own inverse.

    onto: the image of each item that moves. options: the image of each option.
    """

    onto: Mapping[Item, Item]
    options: Permutation


class FoundExchanges:
    """The exchanges that the symmetry of a model has; none if the search for it is abandoned.

    work: the most that the search may take, see `ColoredGraph.automorphisms`.
    """

    def __init__(self, model: ExactCover, work: int) -> None:
        symmetries = involutions_of(cover_graph(model), len(model.options), MOST_INVOLUTIONS, work)
        self._exchanges = list(exchanges_of(model, symmetries))
        self._blocks = families_of([exchange.onto for exchange in self._exchanges])[:MOST_FAMILIES]

    def families(self, level_of: Sequence[int]) -> list[Family]:
        """Families of blocks that can be exchanged. level_of: the level of each option."""
        return [_family(blocks, self._exchanges, level_of) for blocks in self._blocks]


def exchanges_of(model: ExactCover, symmetries: Iterable[Permutation]) -> Iterator[Exchange]:
    """What symmetries of the options do to the items, if they move some and change no colour."""
    uses: dict[Item, set[tuple[int, Color]]] = defaultdict(set)
    for number, option in enumerate(model.options):
        for item, color in option:
            uses[item].add((number, color))
    n_primary = len(model.primary)
    key_of: dict[Item, _Key] = {
        item: (model.bounds_of(item) if item < n_primary else None, frozenset(used))
        for item, used in uses.items()
    }
    alike: dict[_Key, list[Item]] = defaultdict(list)
    for item, key in key_of.items():
        alike[key].append(item)
    for symmetry in symmetries:
        moved = (option for option, image in enumerate(symmetry) if option != image)
        touched = {key_of[item] for option in moved for item, _ in model.options[option]}
        groups = [(alike[key], alike.get(_moved(key, symmetry), [])) for key in touched]
        if all(len(items) == len(images) for items, images in groups):
            pairs = chain.from_iterable(zip(items, images, strict=True) for items, images in groups)
            onto = {item: image for item, image in pairs if item != image}
            if onto:
                yield Exchange(onto, symmetry)


def _moved(key: _Key, symmetry: Permutation) -> _Key:
    bounds, used = key
    return bounds, frozenset((symmetry[option], color) for option, color in used)


def _family(blocks: Sequence[Block], exchanges: Sequence[Exchange], level_of: Sequence[int]) -> Family:
    """A family, with the levels after which its exchanges are symmetries of the future."""
    broken = {}
    for exchange in exchanges:
        pair = exchanged_pair(exchange.onto, blocks)
        if pair is not None:
            moved = {(level_of[one], level_of[other]) for one, other in enumerate(exchange.options)}
            broken[pair] = reduce(or_, (levels_between(*levels) for levels in moved))
    return Family(blocks, broken)
