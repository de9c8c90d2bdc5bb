"""Parts that may be exchanged: primary items with the same options but for the item itself.

Ten labelled pieces of which two have the same shape are an example. The search tries their options in one
order only (the earlier part takes the earlier place) and writes every solution in all the orders. So an
option must clash with its own twin: two parts in the same place would come in one order, not in two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

from rekkyo.model.exact_cover import Option

MAX_IMAGES = 5040
"""More ways to exchange parts than this are not used: a table of them would no longer be small."""


def twin_classes(parts: Sequence[Sequence[Option]]) -> list[list[int]]:
    """The classes of two or more parts whose options are alike, each in the order of the parts.

    parts: for every part its options, without the primary item.
    """
    classes: dict[tuple[Option, ...], list[int]] = {}
    for part, options in enumerate(parts):
        classes.setdefault(tuple(options), []).append(part)
    chosen: list[list[int]] = []
    n_images = 1
    for alike in classes.values():
        clash = all(any(color == 0 for _, color in option) for option in parts[alike[0]])
        if clash and len(alike) > 1 and n_images * factorial(min(len(alike), 20)) <= MAX_IMAGES:
            chosen.append(alike)
            n_images *= factorial(len(alike))
    return chosen


def exchanges(n_parts: int, classes: Sequence[Sequence[int]]) -> list[list[int]]:
    """Every way to exchange the parts of the classes; the first one exchanges nothing."""
    images = []
    for orders in product(*(permutations(alike) for alike in classes)):
        image = list(range(n_parts))
        for alike, order in zip(classes, orders, strict=True):
            for part, target in zip(alike, order, strict=True):
                image[part] = target
        images.append(image)
    return images
