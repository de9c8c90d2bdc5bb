"""The options of an exact cover in words: the items that they cover, or the points of a block."""

from __future__ import annotations

from itertools import combinations

from rekkyo.errors import escaped
from rekkyo.model.exact_cover import ExactCover


def option_in_words(model: ExactCover, number: int) -> str:
    """The items of an option, with their colours.

    For a block of a design, whose items are sets of points, such as 1-2 1-3 2-3, the points: 1 2 3.
    """
    items = items_of(model, number)
    sets = [tuple(item.split("-")) for item in items]
    points = list(dict.fromkeys(point for some in sets for point in some))
    is_block = len(sets) > 1 and sets == [*combinations(points, len(sets[0]))]
    return escaped(" ".join(points if is_block else items))


def items_of(model: ExactCover, number: int) -> list[str]:
    """The name of each item of an option, with its colour, as puzzle files write it: x:red."""
    return [
        model.item_name(item) + (f":{model.color_name(color)}" if color else "")
        for item, color in model.options[number]
    ]
