"""One item of an exact cover whose options a symmetry group only permutes among themselves: the pivot.

A solution covers the pivot with one option, and some symmetry takes that option to the least of its orbit. So
a search that leaves out all other options of the pivot still meets every orbit of solutions. When rows are
compared by the pivot's options first, it meets the representatives themselves: the least row of an orbit
begins with the least option of an orbit.
Left out on purpose: the stabilizer of the pivot's option, which would save more where a solution's pivot lies
on an axis of the board; those are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.exact_cover import ExactCover
from rekkyo.symmetry.group import Group


@dataclass(frozen=True, slots=True)
class Pivot:
    """superfluous: options of the item that are not the least of their orbit.

    order: all options, those of the item first: how rows are compared.
    """

    item: int
    superfluous: tuple[int, ...]
    order: tuple[int, ...]


def find_pivot(model: ExactCover, group: Group) -> Pivot | None:
    """The item, covered exactly once, with the most options to an orbit; None when that is only one."""
    if group.order == 1:
        return None
    least = group.elements.min(axis=0)
    candidates = []
    for item, own in enumerate(_options_of_items(model)):
        if len(own) and (not model.bounds or model.bounds[item] == (1, 1)):
            n_orbits = int((least[own] == own).sum())
            if n_orbits < len(own) and np.isin(group.elements[:, own], own).all():
                candidates.append((len(own) / n_orbits, -n_orbits, -item, own))
    if not candidates:
        return None
    *_, item, own = max(candidates, key=lambda candidate: candidate[:3])
    others = np.setdiff1d(np.arange(len(model.options)), own)
    superfluous = own[least[own] != own]
    return Pivot(-item, tuple(superfluous.tolist()), (*own.tolist(), *others.tolist()))


def _options_of_items(model: ExactCover) -> list[NDArray[np.int64]]:
    """The options of every primary item, in increasing order."""
    options: list[list[int]] = [[] for _ in model.primary]
    for number, option in enumerate(model.options):
        for item, _ in option:
            if item < len(options):
                options[item].append(number)
    return [np.array(own, dtype=np.int64) for own in options]
