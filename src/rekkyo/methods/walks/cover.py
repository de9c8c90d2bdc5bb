"""Two ways to search an exact cover: items in order, and always the item with the fewest options left.

The second is Knuth's Algorithm X (Dancing Links, 2000), on sets of options as bits instead of links. Items
with bounds are covered again until their lower bound is reached; then each option that still fits may be
added. An option that was tried and removed is excluded below its later siblings, so that no set is found
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from rekkyo.methods.walks.walk import FOUND, Move, Moves, Way
from rekkyo.model.exact_cover import ExactCover, Item

Options: TypeAlias = int
"""A set of options, one bit for each."""


class _State:
    """The chosen options, and the options that each choice excludes."""

    def __init__(self, model: ExactCover) -> None:
        self.model = model
        self.n_primary = len(model.primary)
        self.bounds = model.bounds or ((1, 1),) * self.n_primary
        self.having: list[Options] = [0] * (self.n_primary + len(model.secondary))
        self.having_colored: dict[tuple[Item, int], Options] = {}
        for number, option in enumerate(model.options):
            for item, color in option:
                self.having[item] |= 1 << number
                self.having_colored[item, color] = self.having_colored.get((item, color), 0) | 1 << number
        self.items_of = [sum(1 << item for item, _ in option) for option in model.options]
        self.times = [0] * self.n_primary
        self.chosen: list[int] = []

    def choose(self, number: int) -> Options:
        """Choose an option; returns the options that it excludes."""
        self.chosen.append(number)
        out = 1 << number
        for item, color in self.model.options[number]:
            if item < self.n_primary:
                self.times[item] += 1
                if self.times[item] == self.bounds[item][1]:
                    out |= self.having[item]
            else:
                out |= self.having[item] & ~(self.having_colored[item, color] if color else 0)
        return out

    def take_back(self) -> None:
        for item, _ in self.model.options[self.chosen.pop()]:
            if item < self.n_primary:
                self.times[item] -= 1

    def unmet(self) -> list[Item]:
        """Primary items that must be covered once more."""
        return [item for item, (low, _) in enumerate(self.bounds) if self.times[item] < low]

    def against(self, number: int) -> tuple[int, ...]:
        """The chosen options that share an item with another one."""
        return tuple(other for other in self.chosen if self.items_of[other] & self.items_of[number])


Pick: TypeAlias = Callable[[_State, list[Item], Options], Item]


def _bits(options: Options) -> Iterator[int]:
    while options:
        lowest = options & -options
        yield lowest.bit_length() - 1
        options ^= lowest


def _walk(model: ExactCover, pick: Pick, *, looks_at_all: bool) -> Moves:
    """looks_at_all: whether options that do not fit are shown, as a clash."""
    state = _State(model)

    def search(live: Options, banned: Options) -> Moves:
        unmet = state.unmet()
        if unmet:
            item = pick(state, unmet, live)
            having, missing = state.having[item], state.bounds[item][0] - state.times[item]
            if not looks_at_all and (having & live).bit_count() < missing:
                yield Move("stuck", at=item)
                return
        else:
            yield FOUND
            having = live
        looked_at = having & ~banned if looks_at_all else having & live
        for number in _bits(looked_at):
            if live >> number & 1:
                out = state.choose(number)
                if not (yield Move("place", number)):
                    yield from search(live & ~out, banned)
                state.take_back()
                yield Move("lift", number)
                live &= ~(1 << number)
                banned |= 1 << number
            elif number not in state.chosen:
                yield Move("clash", number, state.against(number), "does not fit")

    return search((1 << len(model.options)) - 1, 0)


def _fewest(state: _State, unmet: list[Item], live: Options) -> Item:
    return min(
        unmet,
        key=lambda item: (
            (state.having[item] & live).bit_count() - state.bounds[item][0] + state.times[item],
            item,
        ),
    )


COVER_WAYS = (
    Way(
        "in-order",
        "Backtracking in order",
        "Covers the first open place, and tries every option for it one by one.",
        lambda model: _walk(model, lambda _, unmet, __: unmet[0], looks_at_all=True),
    ),
    Way(
        "fewest-options",
        "Fewest options first (Algorithm X)",
        "Always continues at the place with the fewest options left, and goes back when one has none.",
        lambda model: _walk(model, _fewest, looks_at_all=False),
    ),
)
