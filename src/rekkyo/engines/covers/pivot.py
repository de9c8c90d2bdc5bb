"""One item of an exact cover whose options a symmetry group only permutes among themselves: the pivot.

A solution covers the pivot with one option, and some symmetry takes that option to the least of its orbit. So
a search that leaves out all other options of the pivot still meets every orbit of solutions. When rows are
compared by the pivot's options first, it meets the representatives themselves: the least row of an orbit
begins with the least option of an orbit.
Left out on purpose: the stabilizer of the pivot's option, which would save more where a solution's pivot lies
on an axis of the board; those are few.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.covers.uses import all_uses
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
    n_options = len(model.options)
    least = group.elements.min(axis=0)
    is_least = least == np.arange(n_options)
    orbit_sizes = np.bincount(least, minlength=n_options)
    uses = all_uses(model)
    n_primary = len(model.primary)
    heads = is_least[uses.options] & (uses.items < n_primary)
    n_own = np.bincount(uses.items, minlength=n_primary)[:n_primary]
    n_orbits = np.bincount(uses.items[heads], minlength=n_primary)
    n_in_orbits = np.bincount(uses.items[heads], orbit_sizes[uses.options[heads]], n_primary)
    # All items at once: few are left where options of other orbits happen to be as many.
    candidates = np.flatnonzero((n_in_orbits == n_own) & (n_orbits < n_own)).tolist()
    gain = {item: (-n_own[item] / n_orbits[item], int(n_orbits[item])) for item in candidates}
    for item in sorted(gain, key=gain.__getitem__):
        own = uses.options[uses.items == item]
        belongs = np.isin(np.arange(n_options), own)
        if belongs[least[own]].all() and model.bounds_of(item) == (1, 1):
            order = np.concatenate([own, np.flatnonzero(~belongs)])
            return Pivot(item, tuple(own[~is_least[own]].tolist()), tuple(order.tolist()))
    return None


class PivotPlan(Protocol):
    """A plan of an engine that searches by a pivot."""

    @property
    def order(self) -> tuple[int, ...] | None:
        """How a search for representatives compares; None in a plan for all solutions."""


PlanT = TypeVar("PlanT", bound=PivotPlan)
CursorT = TypeVar("CursorT")


class PivotSearch(ListingEngine[PlanT, CursorT]):
    """An engine for exact covers that finds representatives by trying one option of the pivot to an orbit."""

    model_type = ExactCover
    model_words = "exact covers"

    @abstractmethod
    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> PlanT:
        """A plan for all solutions, or without the superfluous options of the pivot."""

    def make_plan(self, model: ExactCover) -> PlanT:
        """A plan for all solutions."""
        return self.pivoted_plan(model, None)

    def make_plan_for_representatives(self, model: ExactCover, group: Group) -> PlanT | None:
        """One option of the pivot for each of its orbits."""
        pivot = find_pivot(model, group)
        return None if pivot is None else self.pivoted_plan(model, pivot)

    def comparing_order(self, plan: PlanT) -> tuple[int, ...] | None:
        """The options of the pivot first."""
        return plan.order
