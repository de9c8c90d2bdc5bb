"""The solutions that a symmetry leaves unchanged, as an exact cover of its own.

A solution that a permutation of the options leaves unchanged is a union of its cycles. So each cycle whose
options agree with each other becomes one option, which covers all that they cover. Items that the new options
always cover together are one item then: what is left of a board is what one gets by folding it. Source: the
quotient method that Burnside's lemma asks for; Pólya's counting theorem is its other end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.engines.cover_frontier.items import item_kinds
from rekkyo.model.exact_cover import ExactCover, Item, Option
from rekkyo.model.row import AtomPermutation


def folded(model: ExactCover, symmetry: AtomPermutation) -> ExactCover | None:
    """The cover whose solutions are those that the symmetry leaves unchanged; None if none is written.

    None for items that are covered a number of times: a cycle would cover them more than once.
    """
    if any(kind.is_counter for kind in item_kinds(model)):
        return None
    merged = (_merged(model, cycle) for cycle in _cycles(symmetry, len(model.options)))
    options = tuple(option for option in merged if option is not None)
    return _without_twins(model, options)


def _cycles(symmetry: AtomPermutation, n_options: int) -> list[list[int]]:
    seen = [False] * n_options
    cycles = []
    for first in range(n_options):
        cycle = []
        option = first
        while not seen[option]:
            seen[option] = True
            cycle.append(option)
            option = symmetry[option]
        if cycle:
            cycles.append(cycle)
    return cycles


def _merged(model: ExactCover, cycle: Sequence[int]) -> Option | None:
    """The options of a cycle as one; None when two of them cannot be chosen together."""
    n_primary = len(model.primary)
    colors: dict[Item, int] = {}
    for number in cycle:
        for item, color in model.options[number]:
            if item in colors and not _may_repeat(model, item, n_primary, colors[item], color):
                return None
            colors[item] = color
    return tuple(sorted(colors.items()))


def _may_repeat(model: ExactCover, item: Item, n_primary: int, first: int, second: int) -> bool:
    if item < n_primary:
        return model.bounds_of(item)[1] > 1  # at will: items that are counted are not folded
    return first == second != 0


def _without_twins(model: ExactCover, options: Sequence[Option]) -> ExactCover:
    """The same cover without items that the same options have as an item before, with the same bounds."""
    n_primary = len(model.primary)
    used_by: dict[Item, list[tuple[int, int]]] = {
        item: [] for item in range(n_primary + len(model.secondary))
    }
    for number, option in enumerate(options):
        for item, color in option:
            used_by[item].append((number, color))
    first_of: dict[object, Item] = {}
    for item, uses in used_by.items():
        first_of.setdefault((item < n_primary and model.bounds_of(item), tuple(uses)), item)
    kept = sorted(first_of.values())
    number_of = {item: number for number, item in enumerate(kept)}
    primary = [item for item in kept if item < n_primary]
    return ExactCover(
        primary=tuple(model.item_name(item) for item in primary),
        secondary=tuple(model.item_name(item) for item in kept if item >= n_primary),
        options=tuple(
            tuple((number_of[item], color) for item, color in option if item in number_of)
            for option in options
        ),
        bounds=tuple(model.bounds_of(item) for item in primary) if model.bounds else (),
    )
