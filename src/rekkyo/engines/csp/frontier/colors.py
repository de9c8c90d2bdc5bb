"""Values that can be exchanged in all variables at once, such as the colours of a map.

If exchanging two values takes every rule to a rule, states that differ by this exchange have the same number
of continuations, and are counted as one state. Such a value is called a *colour*. The bits that a state has
for each colour are side by side, so that sorting a few numbers gives the state that stands for all of them.
This is possible only if each key of a state is about one colour.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rekkyo.bits import Words
from rekkyo.engines.csp.frontier.memories import Remembered
from rekkyo.engines.csp.frontier.readers import Tables
from rekkyo.engines.csp.frontier.rules import Literal, Rules
from rekkyo.engines.frontier.levels import WORD, Field, Key, Levels, laid_by_end, laid_out
from rekkyo.engines.frontier.plan import Bits, Swapped, exchanged_colors
from rekkyo.model.csp.csp import Csp

MOST_RULES = 1 << 16
"""The most patterns and `Once` rules; with more, no colours are looked for."""

Color: TypeAlias = int

_Group: TypeAlias = tuple[frozenset[Literal], bool | None]
"""The literals of a pattern, and None; or those of a `Once` rule, and whether one of them must hold."""


def exchangeable_colors(model: Csp, rules: Rules, read: Sequence[Tables | None]) -> tuple[Color, ...]:
    """The largest set of values of which any two can be exchanged; () if there are no two.

    read: the tables of each reader, in the order of its variables; None for one that has none in this order.
    """
    if len(rules.patterns) + len(rules.onces) > MOST_RULES or None in read:
        return ()
    candidates = _alike(model, rules, read)
    if not candidates:
        return ()
    groups = _Groups(rules)
    classes: list[list[Color]] = []
    for values in candidates:
        begun = len(classes)
        for value in values:
            can_be_exchanged = (some for some in classes[begun:] if groups.can_be_exchanged(some[0], value))
            found = next(can_be_exchanged, None)
            if found is None:
                classes.append([value])
            else:
                found.append(value)
    best = max(classes, key=lambda some: (len(some), -some[0]))
    return tuple(best) if len(best) > 1 else ()


def _alike(model: Csp, rules: Rules, read: Sequence[Tables | None]) -> list[list[Color]]:
    """Values in the same domains that readers and joints do not distinguish, two or more in each list.

    Lists are parted again and again until each value is alone. Comparing any two values took 11 of 17 s
    for a plan with a sum that has 1500 values.
    """
    alike = [sorted({x for domain in model.domains for x in domain})]
    for facts in _facts(model, rules, read):
        parts: list[list[Color]] = []
        for values in alike:
            by_fact: dict[Hashable, list[Color]] = {}
            for value in values:
                by_fact.setdefault(facts.get(value), []).append(value)
            parts += (part for part in by_fact.values() if len(part) > 1)
        alike = parts
        if not alike:
            break
    return alike


def _facts(model: Csp, rules: Rules, read: Sequence[Tables | None]) -> Iterator[Mapping[Color, Hashable]]:
    """For each domain whether a value is in it; the states that a reader goes to; the joints it touches."""
    for domain in dict.fromkeys(model.domains):
        yield dict.fromkeys(domain, True)
    for reader, tables in zip(rules.readers, read, strict=True):
        assert tables is not None
        for v, after in zip(reader.variables, tables.after, strict=True):
            yield dict(zip(model.domains[v], after, strict=True))
    for joints in rules.joints:
        for v in joints.variables:
            yield {value: joints.touched.get((v, value)) for value in model.domains[v]}


class _Groups:
    """The patterns and the `Once` rules, by the values that they name.

    An exchange of two values moves only those that name one of them. Looking at all of them for each two of
    61 colours took most of the time of a plan.
    """

    def __init__(self, rules: Rules) -> None:
        self._all: set[_Group] = {(frozenset(pattern), None) for pattern in rules.patterns}
        self._all |= {(frozenset(once.literals), once.must) for once in rules.onces}
        self._naming: dict[int, list[_Group]] = defaultdict(list)
        for group in self._all:
            for value in {x for _, some in group[0] for x in some}:
                self._naming[value].append(group)

    def can_be_exchanged(self, one: Color, other: Color) -> bool:
        """Whether exchanging two values in all variables takes each of them to another one or to itself."""
        image = {one: other, other: one}

        def moved(literals: frozenset[Literal]) -> frozenset[Literal]:
            return frozenset((v, frozenset(image.get(x, x) for x in some)) for v, some in literals)

        naming = (group for value in image for group in self._naming[value])
        return all((moved(literals), must) in self._all for literals, must in naming)


class AllColors(NamedTuple):
    """The key of a field with one bit for each colour, the first colour lowest.

    place: what the keys of the single colours have in common, see `Remembered`.
    """

    place: Key


def laid_out_by_colors(remembered: Sequence[Remembered], colors: Sequence[Color]) -> dict[Key, Field]:
    """The fields of all keys. Fields of colours are side by side, in one more field with a key `AllColors`.

    If some key is about several values, one of them a colour, there are no such fields.
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
    fields = laid_by_end(spans, width_of) or laid_out(spans, width_of)
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
    """The exchange of colours after each level, as the rows that `exchanged_colors` makes."""
    masks = [0] * len(levels.levels)
    for field in _all_colors(levels):
        for level in range(field.first, field.last):
            masks[level] |= 1 << field.shift
    return [exchanged_colors(n_colors, mask, levels.n_words) for mask in masks]


def swapped_colors(levels: Levels, level: int, n_colors: int, *, by_number: bool) -> Iterator[Swapped]:
    """The exchanges of two colours after a level. by_number: states are sorted by the bits of each colour."""
    shifts = [field.shift for field in _all_colors(levels) if field.first <= level < field.last]
    first = sum(1 << shift for shift in shifts) if by_number else 0
    for one, other in combinations(range(n_colors), 2) if shifts else ():
        swaps = [(shift + one, shift + other) for shift in shifts]
        yield Swapped(swaps, first << one, first << other)


def blocks_of_colors(levels: Levels, level: int, n_colors: int) -> list[list[Bits]]:
    """The bits of each colour after a level, as a class of blocks; no class if there are none."""
    shifts = [field.shift for field in _all_colors(levels) if field.first <= level < field.last]
    are_blocks = 0 < len(shifts) <= WORD
    return [[[shift + color for shift in shifts] for color in range(n_colors)]] if are_blocks else []


def _all_colors(levels: Levels) -> Iterator[Field]:
    return (field for key, field in levels.fields.items() if isinstance(key, AllColors))
