"""Groups of variables that must be full: a count over all of them needs the most that each may have.

If sixteen points are on a board of 8x8, at most two in each row, there are two in each row. Propagation finds
this only when too few rows are left, after a long search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST_STEPS = 1 << 18
"""Pairs of groups that are compared, at most; less than a second."""


class Group(NamedTuple):
    """From `least` to `most` of the elements, which are the bits of a mask, are counted."""

    elements: int
    least: int
    most: int


def full_groups(groups: Sequence[Group]) -> set[int]:
    """The numbers of groups that must have as many elements as they may, as far as that is seen.

    Disjoint parts of a group are collected for each of its parts, that part first and then the others that
    add least for their size. If together with the elements outside all of them they can only just reach the
    least number of the group, or cannot reach it, they are full.
    """
    full: set[int] = set()
    sizes = [group.elements.bit_count() for group in groups]
    by_share = sorted(
        (k for k, group in enumerate(groups) if group.most < sizes[k]),
        key=lambda k: (groups[k].most / sizes[k], k),
    )
    steps = 0
    for number, whole in enumerate(groups):
        if not by_share or _reaches_more(groups[by_share[0]], sizes[number], 0, whole.least):
            continue
        steps += len(by_share)
        if steps > MOST_STEPS:
            break
        parts = [k for k in by_share if groups[k].elements & whole.elements == groups[k].elements]
        for first in parts:
            rest = sizes[number] - sizes[first]
            if first in full or _reaches_more(groups[parts[0]], rest, groups[first].most, whole.least):
                continue
            steps += len(parts)
            if steps > MOST_STEPS:
                break
            taken, left, reach = [], whole.elements, 0
            for k in (first, *parts):
                if groups[k].elements & left == groups[k].elements:
                    taken.append(k)
                    left ^= groups[k].elements
                    reach += groups[k].most
            if reach + left.bit_count() <= whole.least:
                full.update(taken)
    return full


def _reaches_more(part: Group, size: int, reach: int, least: int) -> bool:
    """Whether so many elements, of which parts such as this one count, reach more than the least number."""
    return reach * part.elements.bit_count() + part.most * size > least * part.elements.bit_count()
