"""Finds blocks of items that can be exchanged, such as the columns of a Latin square, in any exact cover.

An exchange of two blocks is a symmetry that is its own inverse. Symmetries are automorphisms of a graph of
the options; those of order two among the generators, their powers and conjugates of them are looked at, those
that move the fewest options first. Two of them that have half of their items in common have a block in
common:

    one symmetry       a <-> b                  a: items (a1, a2)
    another one              b <-> c            b: items (b1, b2)
                                                c: items (c1, c2)

The blocks that are found in this way are a family. A symmetry that has no block in common with others, such
as the reflection of a board, exchanges two blocks.
Left out on purpose: symmetries that change the colours of secondary items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple, TypeAlias

from rekkyo.engines.covers.frontier.exchanges import Block, Family, levels_between
from rekkyo.model.exact_cover import Color, ExactCover, Item
from rekkyo.symmetry.automorphisms import Permutation
from rekkyo.symmetry.involutions import involutions_of
from rekkyo.symmetry.model_graphs import cover_graph


class Effort(NamedTuple):
    """The most symmetries that are looked at, and families. Every state is sorted by each family."""

    involutions: int
    families: int


USUAL, FAR = Effort(64, 10), Effort(128, 20)
"""What a symmetry leaves unchanged has many small blocks: for the half turn of sudokus, the pairs of digits
and of rows, any two of which can be exchanged. With 20 families the slowest of their 8,250 classes of
conjugates takes 1.8 million nodes and 2.3 s, with 10 it takes 56 million and 25 s. All sudokus would take
half as long again with 20."""

_Key: TypeAlias = tuple[tuple[int, int] | None, frozenset[tuple[int, Color]]]
"""The bounds of a primary item, and the options of an item with its colours. Items may have the same key."""


class Exchange(NamedTuple):
    """A symmetry that is its own inverse.

    onto: the image of each item that moves. options: the image of each option.
    """

    onto: Mapping[Item, Item]
    options: Permutation

    def image(self, block: Block) -> Block:
        """Where it takes a block; nothing if an item stays, which is mostly the first one."""
        image: list[Item] = []
        for item in block:
            if item not in self.onto:
                return ()
            image.append(self.onto[item])
        return tuple(image)


class FoundExchanges:
    """The exchanges that the symmetry of a model has; none if the search for it is abandoned.

    work: the most that the search may take, see `find_automorphisms`.
    """

    def __init__(self, model: ExactCover, work: int, effort: Effort = USUAL) -> None:
        symmetries = involutions_of(cover_graph(model), len(model.options), effort.involutions, work)
        self._exchanges = list(exchanges_of(model, symmetries))
        self._blocks = blocks_of(self._exchanges)[: effort.families]

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


def blocks_of(exchanges: Sequence[Exchange]) -> list[list[Block]]:
    """Blocks of which any two can be exchanged, family by family, in the order of the exchanges."""
    families: list[list[Block]] = []
    for exchange in exchanges:
        if not any(_pair(exchange, family) for family in families):
            family = _first_blocks(exchange, exchanges)
            while more := next(_further_blocks(family, exchanges), None):
                family.append(more)
            families.append(family)
    return families


def _pair(exchange: Exchange, family: Sequence[Block]) -> tuple[int, int] | None:
    """The numbers of the blocks of a family that an exchange exchanges, and nothing else."""
    if len(exchange.onto) == 2 * len(family[0]):
        for number, block in enumerate(family):
            image = exchange.image(block)
            if image in family:
                return number, family.index(image)
    return None


def _first_blocks(exchange: Exchange, others: Sequence[Exchange]) -> list[Block]:
    """Two blocks that are exchanged. Another exchange that moves one of them tells which items it has."""
    onto = exchange.onto
    for other in others:
        common = onto.keys() & other.onto.keys()
        if 2 * len(common) == len(onto) and not any(onto[item] in common for item in common):
            block = tuple(sorted(common))
            break
    else:
        block = tuple(item for item, image in sorted(onto.items()) if item < image)
    return [block, exchange.image(block)]


def _further_blocks(family: Sequence[Block], exchanges: Sequence[Exchange]) -> Iterator[Block]:
    """Blocks outside of a family with which an exchange exchanges one of its blocks."""
    known = {*chain.from_iterable(family)}
    for exchange in exchanges:
        if len(exchange.onto) == 2 * len(family[0]):
            for block in family:
                image = exchange.image(block)
                if image and not known & {*image}:
                    yield image


def _family(blocks: Sequence[Block], exchanges: Sequence[Exchange], level_of: Sequence[int]) -> Family:
    """A family, with the levels after which its exchanges are symmetries of the future."""
    broken = {}
    for exchange in exchanges:
        pair = _pair(exchange, blocks)
        if pair is not None:
            moved = {(level_of[one], level_of[other]) for one, other in enumerate(exchange.options)}
            broken[pair] = reduce(or_, (levels_between(*levels) for levels in moved))
    return Family(blocks, broken)
