"""One item of an exact cover by which solutions are compared first: the pivot.

A row whose option of the pivot comes before the options that its images have there is the least of its orbit.
So an option `x` with an image that belongs to the pivot and comes before `o` is ruled out beside `o`, and the
pivot's own options that have an earlier image there are superfluous. What is left still meets the least row
of every orbit, when rows are compared by the pivot's options first.
An item that all symmetries keep, such as the square in the middle or a piece, rules out nothing beside its
own options, and its first decision saves all that there is to save. Another item, such as a corner of the
board, rules out options of the items that symmetries take to it.
Left out on purpose: comparing the next items where the pivot leaves a tie; ties are few.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.covers.uses import all_uses
from rekkyo.model.exact_cover import ExactCover, Item
from rekkyo.symmetry.group import Group

Numbers: TypeAlias = NDArray[np.intp]
"""Numbers of options, increasing."""

MOST_NARROW = 1 << 9
"""Options of a pivot that rule out others: each takes a row of bits."""

MOST_IMAGES = 1 << 22
"""Elements of a group times options: some 20 ms."""


@dataclass(frozen=True, slots=True, eq=False)
class Pivot:
    """own: the options of the item, of n_options. superfluous: those that are not to be tried.

    rules_out: for options of the item that are tried, other options that no longer are beside them.
    """

    item: Item
    own: Numbers
    n_options: int
    superfluous: tuple[int, ...]
    rules_out: tuple[tuple[int, Numbers], ...] = ()

    @property
    def n_tried(self) -> int:
        """Options of the item that are tried."""
        return len(self.own) - len(self.superfluous)

    @property
    def order(self) -> tuple[int, ...]:
        """All options, those of the item first: how rows are compared."""
        rest = np.ones(self.n_options, dtype=np.bool_)
        rest[self.own] = False
        return (*self.own.tolist(), *np.flatnonzero(rest).tolist())


def kept_pivots(model: ExactCover, group: Group) -> list[Pivot]:
    """The items, covered exactly once and kept by all symmetries, with the most options to an orbit.

    Of those the ones with the fewest orbits; none when there is no item with fewer orbits than options.
    """
    if group.order == 1:
        return []
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
    found: list[Pivot] = []
    most = None
    for item in sorted(gain, key=gain.__getitem__):
        if most is not None and gain[item] != most:
            break
        own = uses.options[uses.items == item]
        if np.isin(least[own], own).all() and model.bounds_of(item) == (1, 1):
            most = gain[item]
            found.append(Pivot(item, own, n_options, tuple(own[~is_least[own]].tolist())))
    return found


def narrow_pivot(model: ExactCover, group: Group, most: int = MOST_NARROW) -> Pivot | None:
    """The item, covered exactly once, with the fewest options, if some symmetry moves one of them.

    None also when these are more than `most`, or a table of all images would be too large.
    """
    n_primary, n_options = len(model.primary), len(model.options)
    uses = all_uses(model)
    n_own = np.bincount(uses.items, minlength=n_primary)[:n_primary]
    once = [item for item in range(n_primary) if model.bounds_of(item) == (1, 1)]
    item = min(once, key=lambda item: int(n_own[item]), default=None)
    if group.order == 1 or item is None or n_own[item] > most or group.order * n_options > MOST_IMAGES:
        return None
    own = uses.options[uses.items == item]
    images = group.elements[:, :n_options]
    belongs = np.zeros(n_options, dtype=np.bool_)
    belongs[own] = True
    least = np.where(belongs[images], images, n_options).min(axis=0)
    tried = own[least[own] == own]
    rules_out = [(int(option), np.flatnonzero((least < option) & ~belongs)) for option in tried]
    superfluous = own[least[own] < own]
    if not len(superfluous) and not any(len(others) for _, others in rules_out):
        return None
    ruling = tuple((option, others) for option, others in rules_out if len(others))
    return Pivot(item, own, n_options, tuple(superfluous.tolist()), ruling)


class PivotPlan(Protocol):
    """A plan of an engine that searches by a pivot."""

    @property
    def order(self) -> tuple[int, ...] | None:
        """How a search for representatives compares; None in a plan for all solutions."""


PlanT = TypeVar("PlanT", bound=PivotPlan)
CursorT = TypeVar("CursorT")


class PivotSearch(ListingEngine[PlanT, CursorT]):
    """An engine for exact covers that finds representatives by a pivot."""

    model_type = ExactCover
    model_words = "exact covers"

    def pivot(self, model: ExactCover, group: Group) -> Pivot | None:
        """The pivot by which it searches; None when there is none."""
        return next(iter(kept_pivots(model, group)), None)

    @abstractmethod
    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> PlanT:
        """A plan for all solutions, or for those that the pivot leaves."""

    def make_plan(self, model: ExactCover) -> PlanT:
        """A plan for all solutions."""
        return self.pivoted_plan(model, None)

    def make_plan_for_representatives(self, model: ExactCover, group: Group) -> PlanT | None:
        """Without what the pivot makes superfluous."""
        pivot = self.pivot(model, group)
        return None if pivot is None else self.pivoted_plan(model, pivot)

    def comparing_order(self, plan: PlanT) -> tuple[int, ...] | None:
        """The options of the pivot first."""
        return plan.order
