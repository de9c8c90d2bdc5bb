"""Conditions on solutions, as diagrams to be met: so many of some atoms are taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rekkyo.errors import BadInput
from rekkyo.model.row import Atom, whole_number

Times: TypeAlias = tuple[Iterable[Atom], int, int]
"""Some atoms, and how many of them a solution has, at least and at most."""

END = 0xFFFFFFFF
MAX_NODES = 1 << 24


def condition_nodes(
    n_places: int, inside: frozenset[int], low: int, high: int
) -> tuple[list[tuple[int, int, int]], int]:
    """The nodes of all choices with low to high of the places inside, and the root. Raises BadInput."""
    low, high = whole_number(low), whole_number(high)
    if type(low) is not int or type(high) is not int or not 0 <= low <= high:
        raise BadInput(f"a condition is about so many times: 0 <= low <= high, not {low!r} to {high!r}")
    high = min(high, len(inside))
    if n_places * (high + 2) > MAX_NODES:
        raise BadInput(f"a condition of up to {high} of {n_places} atoms is too large; name fewer atoms")
    nodes = [(END, 0, 0), (END, 0, 0)]
    known: dict[tuple[int, int, int], int] = {}
    # below[times]: the node when so many have been taken before the place; the last entry is one too many.
    below = [int(low <= times <= high) for times in range(high + 1)] + [0]
    for place in reversed(range(n_places)):
        here = []
        for times in range(high + 1):
            lo, hi = below[times], below[times + (place in inside)]
            key = (place, lo, hi)
            if hi and key not in known:
                known[key] = len(nodes)
                nodes.append(key)
            here.append(known[key] if hi else lo)
        below = [*here, 0]
    return nodes, below[0]
