"""The common base of the engines that count an exact cover as one shard, within a limit on memory.

It also counts the solutions that a symmetry leaves unchanged. A solution that a permutation of the options
leaves unchanged is a union of its cycles, so these solutions are the solutions of another exact cover: each
cycle whose options can be chosen together becomes one option, which covers all items of these options. Items
with the same new options are merged. A cycle covers a counted item, such as a piece that is used two to four
times, as often as its options together; this number is the *weight* of the new option for the item. Source:
the number of fixed points in Burnside's lemma; Pólya's counting theorem also counts by the cycles of
permutations.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.engines.contract import CountingEngine
from rekkyo.engines.covers.frontier.levels import Weights
from rekkyo.engines.covers.uses import Numbers, all_uses
from rekkyo.engines.memory import WithMemory
from rekkyo.model.exact_cover import ExactCover, Item
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.chain import Element, least_of_cycles
from rekkyo.symmetry.unchanged import Groups, may_leave_some


@dataclass(frozen=True, slots=True)
class Folded:
    """A cover, and its weights: how often an option covers an item, if that is more than once."""

    model: ExactCover
    weights: Weights


class _Joint(NamedTuple):
    """The uses of the new options, sorted by option and item; a loop over them took three times as long.

    options, items, colors, times : int64[n]. A secondary item is used once.
    """

    options: Numbers
    items: Numbers
    colors: Numbers
    times: Numbers

    def only(self, kept: NDArray[np.bool_]) -> _Joint:
        """The uses that are kept."""
        return _Joint(*(column[kept] for column in self))


def folded(model: ExactCover, symmetry: AtomPermutation) -> Folded:
    """The cover whose solutions are those that the symmetry leaves unchanged."""
    joint = _joint_uses(model, np.array(symmetry[: len(model.options)], dtype=np.uint32))
    kept = _without_twins(model, joint)
    number_of = np.full(len(model.primary) + len(model.secondary), -1)
    number_of[kept] = np.arange(len(kept))
    joint = joint._replace(items=number_of[joint.items]).only(number_of[joint.items] >= 0)
    primary = [item for item in kept if item < len(model.primary)]
    uses = list(zip(joint.items.tolist(), joint.colors.tolist(), strict=True))
    ends = [*np.flatnonzero(np.diff(joint.options, prepend=-1)).tolist(), len(uses)]
    cover = ExactCover(
        primary=tuple(model.item_name(item) for item in primary),
        secondary=tuple(model.item_name(item) for item in kept[len(primary) :]),
        options=tuple(tuple(uses[first:stop]) for first, stop in pairwise(ends)),
        bounds=tuple(model.bounds_of(item) for item in primary) if model.bounds else (),
    )
    many = joint.only(joint.times > 1)
    keys = zip(many.options.tolist(), many.items.tolist(), strict=True)
    return Folded(cover, dict(zip(keys, many.times.tolist(), strict=True)))


def _joint_uses(model: ExactCover, symmetry: Element) -> _Joint:
    """The uses of the cycles whose options can be chosen together."""
    uses, n_primary = all_uses(model), len(model.primary)
    n_items = n_primary + len(model.secondary)
    most = np.array([model.bounds_of(item)[1] for item in range(n_primary)] + [1] * len(model.secondary))
    cycles = np.unique(least_of_cycles(symmetry), return_inverse=True)[1]
    keys = cycles[uses.options] * n_items + uses.items
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    if not len(first):
        return _Joint(*[np.empty(0, dtype=np.int64)] * 4)
    options, items = np.divmod(keys[order][first], n_items)
    colors, times = uses.colors[order], np.diff(first, append=len(order))
    least, greatest = np.minimum.reduceat(colors, first), np.maximum.reduceat(colors, first)
    is_secondary = items >= n_primary
    fits = (times <= most[items]) | (is_secondary & (least == greatest) & (least > 0))
    is_option = np.ones(cycles.max() + 1, dtype=np.bool_)
    is_option[options[~fits]] = False
    times[is_secondary] = 1
    joint = _Joint(options, items, least, times).only(is_option[options])
    return joint._replace(options=(np.cumsum(is_option) - 1)[joint.options])


def _without_twins(model: ExactCover, joint: _Joint) -> list[Item]:
    """The items that do not have the options, colours, weights and bounds of an earlier item."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    order = np.argsort(joint.items, kind="stable")
    columns = np.stack([joint.options, joint.colors, joint.times], axis=1)[order]
    ends = np.searchsorted(joint.items[order], np.arange(n_items + 1)).tolist()
    first_of: dict[object, Item] = {}
    for item, (first, stop) in enumerate(pairwise(ends)):
        bounds = item < n_primary and model.bounds_of(item)
        first_of.setdefault((bounds, columns[first:stop].tobytes()), item)
    return list(first_of.values())


@lru_cache(maxsize=1)
def _groups_of(model: ExactCover) -> Groups:
    """The options of each item. Options that give an item a colour may come together."""
    uses, n_primary = all_uses(model), len(model.primary)
    bounds = [model.bounds_of(item) for item in range(n_primary)] + [(0, 1)] * len(model.secondary)
    least, most = np.array(bounds).reshape(-1, 2).T
    has_no_color = uses.colors == 0
    return read_only(
        Groups(
            atoms=uses.options[has_no_color],
            groups=uses.items[has_no_color],
            allows_one=most == 1,
            needs_one=least > 0,
            is_possible=np.ones(len(model.options), dtype=np.bool_),
        )
    )


MAX_ITEMS = 1 << 14


class CoverPlan(Protocol):
    """A plan that holds its model."""

    @property
    def model(self) -> ExactCover:
        """The model that is counted."""


PlanT = TypeVar("PlanT", bound=CoverPlan)


class CoverCounter(WithMemory, CountingEngine[PlanT]):
    """Counts any exact cover. There is one shard, because the whole search shares the stored states."""

    model_type = ExactCover
    model_words = "exact covers"
    max_options: ClassVar[int]

    def limits(self, model: ExactCover) -> str | None:
        """Limits on items and options. Only the search finds out whether its states fit in memory."""
        if len(model.primary) + len(model.secondary) > MAX_ITEMS or len(model.options) > self.max_options:
            return f"takes at most {MAX_ITEMS} items and {self.max_options} options"
        return None

    def may_leave_some(self, plan: PlanT, symmetry: AtomPermutation) -> bool:
        """See the contract."""
        return may_leave_some(_groups_of(plan.model), symmetry)

    @abstractmethod
    def folded_plan(self, quotient: Folded) -> PlanT:
        """The arrays of the search. Raises EngineRefuses for weights that the engine cannot count with."""

    def fixed_plan(self, plan: PlanT, symmetry: AtomPermutation) -> PlanT:
        """The plan of the folded model."""
        return self.folded_plan(folded(plan.model, symmetry))
