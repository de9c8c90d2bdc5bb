"""A search for representatives that compares solutions by the option of one item first: the pivot.

Every solution has one option of the pivot. The least row of an orbit is the one with the earliest of these
options. So if the option `o` of the pivot is chosen, every option `x` with an image that is an option of the
pivot before `o` is ruled out. An option of the pivot with an earlier image there is superfluous. A search of
the other solutions still finds the least row of every orbit, where rows are compared by the options of the
pivot first.
If all symmetries map the pivot to itself, as they do the square in the middle or a piece, then one option of
each orbit is tried, and no option of other items is ruled out. Another pivot, such as a corner of the board,
rules out options of the items that symmetries map to it.
Left out on purpose: comparing further items if images have the same option of the pivot; this is rare.
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
"""Most options of a pivot that rules out others; each of them needs a row of bits."""

MOST_IMAGES = 1 << 22
"""Most elements of a group times options; the table of images takes about 20 ms."""


@dataclass(frozen=True, slots=True, eq=False)
class Pivot:
    """own: the options of the item. superfluous: those of them that are not tried.

    n_options: the number of options of the model.
    rules_out: pairs of an option of the item that is tried, and the other options that it rules out.
    """

    item: Item
    own: Numbers
    n_options: int
    superfluous: tuple[int, ...]
    rules_out: tuple[tuple[int, Numbers], ...] = ()

    @property
    def n_tried(self) -> int:
        """The number of options of the item that are tried."""
        return len(self.own) - len(self.superfluous)

    @property
    def order(self) -> tuple[int, ...]:
        """All options in the order in which rows are compared: those of the item first."""
        rest = np.ones(self.n_options, dtype=np.bool_)
        rest[self.own] = False
        return (*self.own.tolist(), *np.flatnonzero(rest).tolist())


def kept_pivots(model: ExactCover, group: Group) -> list[Pivot]:
    """The best items that are covered exactly once and that all symmetries map to themselves.

    These are the items with the most options for each orbit of options, and among equals those with the
    fewest orbits. The list is empty if every such item has as many orbits as options.
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
    # This test of all items at once is necessary, not sufficient: orbits that are not wholly in an item may
    # have as many options in all. The few items that remain are tested below.
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
    """The item with the fewest options among those covered exactly once; None if it does not help.

    It does not help if no option is superfluous or ruled out, if the item has more than `most` options, or if
    the table of all images would be too large.
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
        """The order of options in which rows are compared; None in a plan for all solutions."""


PlanT = TypeVar("PlanT", bound=PivotPlan)
CursorT = TypeVar("CursorT")


class PivotSearch(ListingEngine[PlanT, CursorT]):
    """An engine for exact covers that finds representatives by a pivot."""

    model_type = ExactCover
    model_words = "exact covers"

    def pivot(self, model: ExactCover, group: Group) -> Pivot | None:
        """The pivot of a search for representatives; None if no item helps."""
        return next(iter(kept_pivots(model, group)), None)

    @abstractmethod
    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> PlanT:
        """A plan for all solutions, or for those that a pivot does not rule out."""

    def make_plan(self, model: ExactCover) -> PlanT:
        """A plan for all solutions."""
        return self.pivoted_plan(model, None)

    def make_plan_for_representatives(self, model: ExactCover, group: Group) -> PlanT | None:
        """A plan with a pivot; None if no item helps."""
        pivot = self.pivot(model, group)
        return None if pivot is None else self.pivoted_plan(model, pivot)

    def comparing_order(self, plan: PlanT) -> tuple[int, ...] | None:
        """The options of the pivot first."""
        return plan.order
