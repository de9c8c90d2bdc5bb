"""Which blocks of items can be exchanged after each level of an exact cover.

A model may say that blocks of items can be exchanged (`ExactCover.exchanges`), such as the columns of a
Latin square; if it names none, long walks look for some (`found_exchanges.py`). After some levels the
exchange of two blocks is a symmetry of the future: if it takes every option that is still to be decided to
another such option. Then two states that differ by it have equally many futures, and counting may take one
for the other. A diagram may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias

from rekkyo.engines.frontier.block_families import Block
from rekkyo.engines.frontier.levels import WORD, Field, Levels
from rekkyo.engines.frontier.plan import Bits
from rekkyo.model.exact_cover import Color, ExactCover, Item

LevelMask: TypeAlias = int
"""Bit k: after level k."""


class Family(NamedTuple):
    """Blocks that can be exchanged, item by item.

    broken: for pairs of blocks, by their numbers, the levels after which they cannot be exchanged.
    """

    blocks: Sequence[Block]
    broken: Mapping[tuple[int, int], LevelMask]


def exchangeable(families: Iterable[Family], levels: Levels) -> list[list[list[Bits]]]:
    """After each level: classes of two blocks or more, any two of a class exchangeable."""
    after: list[list[list[Bits]]] = [[] for _ in levels.levels]
    for family in families:
        fields = [[levels.fields.get(item) for item in block] for block in family.blocks]
        for level in range(len(levels.levels) - 1):
            kept = [pair for pair, broken in family.broken.items() if not broken >> level & 1]
            if not kept:
                continue
            classes: dict[object, list[Bits]] = {}
            for leader, of_block in zip(_leaders(len(fields), kept), fields, strict=True):
                remembered, bits = _remembered(of_block, level)
                classes.setdefault((leader, remembered), []).append(bits)
            found = classes.values()
            after[level] += [blocks for blocks in found if len(blocks) > 1 and 0 < len(blocks[0]) <= WORD]
    return after


def declared_families(model: ExactCover, levels: Levels) -> Iterator[Family]:
    """The families of a model.

    A set of uses is a mask, too. With sorted tuples, a Latin square of order 5 took 5 ms instead of 2.5.
    """
    bit_of = {use: 1 << place for place, use in enumerate(set(chain.from_iterable(model.options)))}
    masks = [sum(map(bit_of.__getitem__, option)) for option in model.options]
    # Of equal options, which may have levels of their own, the first goes to the first, and so on.
    levels_of: dict[int, list[int]] = {}
    number_of_copy = []
    for mask, level in zip(masks, levels.level_of, strict=True):
        number_of_copy.append(len(levels_of.setdefault(mask, [])))
        levels_of[mask].append(level)
    options_of: dict[Item, list[int]] = {}
    colors_of: dict[Item, set[Color]] = {}
    for number, option in enumerate(model.options):
        for item, color in option:
            options_of.setdefault(item, []).append(number)
            colors_of.setdefault(item, set()).add(color)
    for blocks in model.exchanges:
        broken = {}
        for one, other in combinations(range(len(blocks)), 2):
            image = dict(zip(blocks[one] + blocks[other], blocks[other] + blocks[one], strict=True))
            moves = {
                (item, color): bit_of[item, color] ^ bit_of[to, color]
                for item, to in image.items()
                for color in colors_of.get(item, ())
            }
            here = 0
            for number in {number for item in blocks[one] for number in options_of.get(item, ())}:
                moved = masks[number]
                for use in model.options[number]:
                    moved ^= moves.get(use, 0)
                image_level = levels_of[moved][number_of_copy[number]]
                here |= levels_between(image_level, levels.level_of[number])
            broken[one, other] = here
        yield Family(blocks, broken)


def levels_between(one: int, other: int) -> LevelMask:
    """The levels after which one of an option and its image is decided, and the other is not."""
    return abs((1 << one) - (1 << other))


def _leaders(n_blocks: int, kept: Iterable[tuple[int, int]]) -> list[int]:
    """For each block the least one with which exchanges connect it, directly or not."""
    leaders = list(range(n_blocks))
    for one, other in kept:
        least, merged = sorted((leaders[one], leaders[other]))
        if least < merged:
            leaders = [least if leader == merged else leader for leader in leaders]
    return leaders


def _remembered(fields: Sequence[Field | None], level: int) -> tuple[tuple[bool, ...], Bits]:
    """Which items of a block are remembered after a level, and their bits. fields: of its items."""
    remembered = tuple(field is not None and field.first <= level < field.last for field in fields)
    here = [field for field, is_here in zip(fields, remembered, strict=True) if field is not None and is_here]
    return remembered, [field.shift + bit for field in here for bit in range(field.width)]
