"""Values that can be exchanged in all variables at once, such as the colours of a map.

If exchanging two values takes every rule to a rule, states that differ by an exchange have equally many
futures, and counting may take one for the other. What is remembered of each such value, a *colour*, then
lies side by side, so that sorting a few numbers finds the one that stands for all. Only rules that are
about one colour at a time are exchanged in this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rekkyo.bits import Words
from rekkyo.engines.csp.frontier.memories import Remembered
from rekkyo.engines.csp.frontier.readers import Tables
from rekkyo.engines.csp.frontier.rules import Rules
from rekkyo.engines.frontier.levels import WORD, Field, Key, Levels, laid_out
from rekkyo.engines.frontier.plan import exchanged_colors
from rekkyo.model.csp.csp import Csp

MOST_RULES = 1 << 16
"""Patterns whose images are looked for."""

Color: TypeAlias = int


def exchangeable_colors(model: Csp, rules: Rules, read: Sequence[Tables | None]) -> tuple[Color, ...]:
    """Values any two of which can be exchanged: the largest such class; () if there is none.

    read: the tables of each reader, in the order of its variables; None for one that has none in this order.
    """
    if len(rules.patterns) + len(rules.onces) > MOST_RULES:
        return ()

    def can_be_exchanged(one: Color, other: Color) -> bool:
        return _reads_alike(model, rules, read, one, other) and _can_be_exchanged(model, rules, one, other)

    values = sorted({x for domain in model.domains for x in domain})
    classes: list[list[Color]] = []
    for value in values:
        found = next((some for some in classes if can_be_exchanged(some[0], value)), None)
        if found is None:
            classes.append([value])
        else:
            found.append(value)
    best = max(classes, key=len)
    return tuple(best) if len(best) > 1 else ()


def _can_be_exchanged(model: Csp, rules: Rules, one: Color, other: Color) -> bool:
    """Whether exchanging two values in all variables takes each rule but readers to a rule."""
    image = {one: other, other: one}

    def moved(values: Iterable[int]) -> frozenset[int]:
        return frozenset(image.get(x, x) for x in values)

    if any((one in domain) != (other in domain) for domain in model.domains):
        return False
    patterns = {frozenset(pattern) for pattern in rules.patterns}
    if any(frozenset((v, moved(some)) for v, some in pattern) not in patterns for pattern in patterns):
        return False
    onces = {(frozenset(once.literals), once.must) for once in rules.onces}
    if any((frozenset((v, moved(some)) for v, some in once), must) not in onces for once, must in onces):
        return False
    for joints in rules.joints:
        for v in joints.variables:
            if joints.touched.get((v, one)) != joints.touched.get((v, other)):
                return False
    return True


def _reads_alike(model: Csp, rules: Rules, read: Sequence[Tables | None], one: Color, other: Color) -> bool:
    """Whether no reader tells two values apart."""
    for reader, tables in zip(rules.readers, read, strict=True):
        if tables is None:
            return False
        for v, after in zip(reader.variables, tables.after, strict=True):
            domain = model.domains[v]
            if (one in domain) != (other in domain):
                return False
            if one in domain and after[domain.index(one)] != after[domain.index(other)]:
                return False
    return True


class AllColors(NamedTuple):
    """The field that holds all colours of a thing, the first of them lowest."""

    place: Key


def laid_out_by_colors(remembered: Sequence[Remembered], colors: Sequence[Color]) -> dict[Key, Field]:
    """Fields of all keys, and of `AllColors` in which those of colours lie side by side.

    Without the latter where a key is about several colours, or about more than a colour.
    """
    groups = _groups(remembered, colors)
    grouped = {one.key for group in groups.values() for one in group.values()}
    rest = [one for one in remembered if one.key not in grouped]
    spans: dict[Key, tuple[int, int]] = {one.key: (one.first, one.last) for one in rest}
    width_of: dict[Key, int] = {one.key: one.width for one in rest}
    for place, group in groups.items():
        key = AllColors(place)
        spans[key] = min(one.first for one in group.values()), max(one.last for one in group.values())
        width_of[key] = len(colors)
    fields = laid_out(spans, width_of)
    for place, group in groups.items():
        whole = fields[AllColors(place)]
        for color, one in group.items():
            fields[one.key] = Field(whole.shift + colors.index(color), 1, whole.first, whole.last)
    return fields


def _groups(remembered: Sequence[Remembered], colors: Sequence[Color]) -> dict[Key, dict[Color, Remembered]]:
    """The keys of each colour, grouped by their variables; empty if they do not form such groups."""
    groups: dict[Key, dict[Color, Remembered]] = {}
    for one in remembered:
        named = {x for some in one.values for x in some}
        if named.isdisjoint(colors):
            continue
        if len(named) > 1 or one.width != 1:
            return {}
        groups.setdefault(one.place, {})[next(iter(named))] = one
    are_whole = all(len(group) == len(colors) for group in groups.values())
    return groups if are_whole and len(colors) <= WORD else {}


def colors_after(levels: Levels, n_colors: int) -> list[Words]:
    """The colours that can be exchanged after each level."""
    masks = [0] * len(levels.levels)
    for field in _all_colors(levels):
        for level in range(field.first, field.last):
            masks[level] |= 1 << field.shift
    return [exchanged_colors(n_colors, mask, levels.n_words) for mask in masks]


def swapped_colors(levels: Levels, level: int, n_colors: int) -> Iterator[list[tuple[int, int]]]:
    """The bits that each exchange of two colours swaps after a level."""
    shifts = [field.shift for field in _all_colors(levels) if field.first <= level < field.last]
    for one, other in combinations(range(n_colors), 2):
        yield [(shift + one, shift + other) for shift in shifts]


def _all_colors(levels: Levels) -> Iterator[Field]:
    return (field for key, field in levels.fields.items() if isinstance(key, AllColors))
