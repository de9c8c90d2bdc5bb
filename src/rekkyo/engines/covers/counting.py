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
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from rekkyo.engines.contract import CountingEngine
from rekkyo.engines.covers.frontier.levels import ONCE_EACH, Weights
from rekkyo.engines.memory import WithMemory
from rekkyo.model.exact_cover import ExactCover, Item, Option
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.permutations import cycles_of


@dataclass(frozen=True, slots=True)
class Folded:
    """A cover, and its weights: how often an option covers an item, if that is more than once."""

    model: ExactCover
    weights: Weights


def folded(model: ExactCover, symmetry: AtomPermutation) -> Folded:
    """The cover whose solutions are those that the symmetry leaves unchanged."""
    options, weights = [], []
    for cycle in cycles_of(symmetry[: len(model.options)]):
        times = Counter(item for number in cycle for item, _ in model.options[number])
        option = _merged(model, cycle, times)
        if option is not None:
            options.append(option)
            weights.append(times)
    return _without_twins(model, options, weights)


def _merged(model: ExactCover, cycle: Sequence[int], times: Counter[Item]) -> Option | None:
    """The options of a cycle as one option; None if they cannot be chosen together."""
    n_primary = len(model.primary)
    if any(item < n_primary and n > model.bounds_of(item)[1] for item, n in times.items()):
        return None
    colors: dict[Item, int] = {}
    for number in cycle:
        for item, color in model.options[number]:
            if item >= n_primary and item in colors and not colors[item] == color != 0:
                return None
            colors[item] = color
    return tuple(sorted(colors.items()))


def _without_twins(model: ExactCover, options: Sequence[Option], times: Sequence[Counter[Item]]) -> Folded:
    """The cover without items that have the options, colours, weights and bounds of an earlier item."""
    n_primary = len(model.primary)
    used_by: dict[Item, list[tuple[int, int, int]]] = {
        item: [] for item in range(n_primary + len(model.secondary))
    }
    for number, option in enumerate(options):
        for item, color in option:
            n_times = times[number][item] if item < n_primary else 1
            used_by[item].append((number, color, n_times))
    first_of: dict[object, Item] = {}
    for item, uses in used_by.items():
        first_of.setdefault((item < n_primary and model.bounds_of(item), tuple(uses)), item)
    kept = sorted(first_of.values())
    number_of = {item: number for number, item in enumerate(kept)}
    primary = [item for item in kept if item < n_primary]
    cover = ExactCover(
        primary=tuple(model.item_name(item) for item in primary),
        secondary=tuple(model.item_name(item) for item in kept if item >= n_primary),
        options=tuple(
            tuple((number_of[item], color) for item, color in option if item in number_of)
            for option in options
        ),
        bounds=tuple(model.bounds_of(item) for item in primary) if model.bounds else (),
    )
    weights = {
        (number, number_of[item]): n_times
        for item in primary
        for number, _, n_times in used_by[item]
        if n_times > 1
    }
    return Folded(cover, weights)


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

    @abstractmethod
    def weighted_plan(self, model: ExactCover, weights: Weights) -> PlanT:
        """The arrays of the search. Raises EngineRefuses for weights that the engine cannot count with."""

    def make_plan(self, model: ExactCover) -> PlanT:
        """The arrays of the search."""
        return self.weighted_plan(model, ONCE_EACH)

    def fixed_plan(self, plan: PlanT, symmetry: AtomPermutation) -> PlanT:
        """The plan of the folded model."""
        quotient = folded(plan.model, symmetry)
        return self.weighted_plan(quotient.model, quotient.weights)
