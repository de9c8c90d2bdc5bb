"""The plan of an exact cover: its levels as arrays, and what can be exchanged after each.

A model may say that blocks of items can be exchanged (`ExactCover.exchanges`), such as the columns of a
Latin square. After some levels the exchange of two blocks is a symmetry of the future if it takes every
option that is still to be decided to another such option. Then two states that differ by it have equally many
futures, and counting may take one for the other. A diagram may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from rekkyo.engines.covers.frontier.levels import HANDICAP, ONCE_EACH, Weights, make_levels
from rekkyo.engines.frontier.levels import WORD, Levels
from rekkyo.engines.frontier.plan import Bits, FrontierPlan, exchanged_blocks, plan_of
from rekkyo.model.exact_cover import ExactCover, Item

Block: TypeAlias = tuple[Item, ...]


def exchangeable(model: ExactCover, levels: Levels) -> list[list[list[Bits]]]:
    """After each level: classes of two blocks or more, any two of a class exchangeable."""
    after: list[list[list[Bits]]] = [[] for _ in levels.levels]
    for family in model.exchanges:
        broken = _broken(model, levels, family)
        for level in range(len(levels.levels) - 1):
            classes: dict[object, list[Bits]] = {}
            leaders: list[int] = []
            for number, block in enumerate(family):
                leader = next((one for one in leaders if not broken[one, number][level]), number)
                if leader == number:
                    leaders.append(number)
                remembered, bits = _remembered(levels, block, level)
                classes.setdefault((leader, remembered), []).append(bits)
            found = classes.values()
            after[level] += [blocks for blocks in found if len(blocks) > 1 and 0 < len(blocks[0]) <= WORD]
    return after


def _broken(model: ExactCover, levels: Levels, family: Sequence[Block]) -> dict[tuple[int, int], list[bool]]:
    """For each two blocks, after which levels they cannot be exchanged."""
    numbers = {tuple(sorted(option)): number for number, option in enumerate(model.options)}
    meeting = [_options_meeting(model, block) for block in family]
    broken = {}
    for one, other in combinations(range(len(family)), 2):
        image = dict(zip(family[one] + family[other], family[other] + family[one], strict=True))
        here = [False] * len(levels.levels)
        for number in meeting[one] | meeting[other]:
            option = model.options[number]
            moved = numbers[tuple(sorted((image.get(item, item), color) for item, color in option))]
            # Between its own level and that of its image, one of the two is decided and the other is not.
            for level in range(levels.level_of[moved], levels.level_of[number]):
                here[level] = True
        broken[one, other] = here
    return broken


def _options_meeting(model: ExactCover, block: Block) -> set[int]:
    """The options with an item of a block; an exchange leaves the others alone."""
    items = set(block)
    return {number for number, option in enumerate(model.options) if any(item in items for item, _ in option)}


def _remembered(levels: Levels, block: Block, level: int) -> tuple[tuple[bool, ...], Bits]:
    """Which items of a block are remembered after a level, and their bits."""
    fields = [levels.fields.get(item) for item in block]
    remembered = tuple(field is not None and field.first <= level < field.last for field in fields)
    here = [field for field in fields if field is not None and field.first <= level < field.last]
    return remembered, [field.shift + bit for field in here for bit in range(field.width)]


def make_plan(
    model: ExactCover, handicap: float = HANDICAP, weights: Weights = ONCE_EACH
) -> FrontierPlan[ExactCover]:
    """The plan of a model; handicap, weights: see `make_levels`."""
    return plan_by_levels(model, make_levels(model, handicap, weights))


def plan_by_levels(model: ExactCover, levels: Levels) -> FrontierPlan[ExactCover]:
    """The plan of a model with such levels."""
    return plan_of(model, levels, [exchanged_blocks(classes) for classes in exchangeable(model, levels)])
