"""The plan of an exact cover: its levels as arrays, and what can be exchanged after each.

A model may say that blocks of items can be exchanged (`ExactCover.exchanges`), such as the columns of a
Latin square. After some levels the exchange of two blocks is a symmetry of the future if it takes every
option that is still to be decided to another such option. Then two states that differ by it have equally many
futures, and counting may take one for the other. A diagram may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import TypeAlias

from rekkyo.engines.covers.frontier.levels import HANDICAP, ONCE_EACH, Weights, make_levels
from rekkyo.engines.frontier.levels import WORD, Field, Levels
from rekkyo.engines.frontier.plan import Bits, FrontierPlan, exchanged_blocks, plan_of
from rekkyo.model.exact_cover import Color, ExactCover, Item

Block: TypeAlias = tuple[Item, ...]


def exchangeable(model: ExactCover, levels: Levels) -> list[list[list[Bits]]]:
    """After each level: classes of two blocks or more, any two of a class exchangeable."""
    after: list[list[list[Bits]]] = [[] for _ in levels.levels]
    for family, broken in zip(model.exchanges, _broken(model, levels), strict=True):
        fields = [[levels.fields.get(item) for item in block] for block in family]
        for level in range(len(levels.levels) - 1):
            classes: dict[object, list[Bits]] = {}
            leaders: list[int] = []
            for number, of_block in enumerate(fields):
                leader = next((one for one in leaders if not broken[one, number] >> level & 1), number)
                if leader == number:
                    leaders.append(number)
                remembered, bits = _remembered(of_block, level)
                classes.setdefault((leader, remembered), []).append(bits)
            found = classes.values()
            after[level] += [blocks for blocks in found if len(blocks) > 1 and 0 < len(blocks[0]) <= WORD]
    return after


def _broken(model: ExactCover, levels: Levels) -> Iterator[dict[tuple[int, int], int]]:
    """For each family, and each two blocks of it, a mask of the levels after which they cannot be exchanged.

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
    for family in model.exchanges:
        broken = {}
        for one, other in combinations(range(len(family)), 2):
            image = dict(zip(family[one] + family[other], family[other] + family[one], strict=True))
            moves = {
                (item, color): bit_of[item, color] ^ bit_of[to, color]
                for item, to in image.items()
                for color in colors_of.get(item, ())
            }
            here = 0
            for number in {number for item in family[one] for number in options_of.get(item, ())}:
                moved = masks[number]
                for use in model.options[number]:
                    moved ^= moves.get(use, 0)
                # Between its own level and that of its image, one of the two is decided and the other is not.
                here |= abs((1 << levels_of[moved][number_of_copy[number]]) - (1 << levels.level_of[number]))
            broken[one, other] = here
        yield broken


def _remembered(fields: Sequence[Field | None], level: int) -> tuple[tuple[bool, ...], Bits]:
    """Which items of a block are remembered after a level, and their bits. fields: of its items."""
    remembered = tuple(field is not None and field.first <= level < field.last for field in fields)
    here = [field for field, is_here in zip(fields, remembered, strict=True) if field is not None and is_here]
    return remembered, [field.shift + bit for field in here for bit in range(field.width)]


def make_plan(
    model: ExactCover, handicap: float = HANDICAP, weights: Weights = ONCE_EACH
) -> FrontierPlan[ExactCover]:
    """The plan of a model; handicap, weights: see `make_levels`."""
    return plan_by_levels(model, make_levels(model, handicap, weights))


def plan_by_levels(model: ExactCover, levels: Levels) -> FrontierPlan[ExactCover]:
    """The plan of a model with such levels."""
    if not model.exchanges:
        return plan_of(model, levels)
    return plan_of(model, levels, [exchanged_blocks(classes) for classes in exchangeable(model, levels)])
