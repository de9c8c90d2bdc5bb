"""The memory of all forbidden patterns: which of their ends may still be completed.

An *end* of a pattern is what is left of it once its first literals hold. A state must say of each end whether
it is *alive*: whether the first literals of some pattern with this end hold. Ends that the same choices have
made alive so far are alive together, so they share one bit, as a *class*. When a choice makes only some
ends of a class alive, the class splits: the largest part keeps the bit, and every other part gets a new bit,
into which the old one is copied. In a grid without rectangles of one colour, an end is two cells of a later
row; the ends in two columns share their bit until one of these rows begins, so that a state needs a bit for
two columns instead of one for each later row.

Ends whose literals are about different values never share a bit, because values may be exchanged
(`colors.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rekkyo.engines.csp.frontier.end_classes import NO_LITERAL, PAD, EndClasses, LiteralNumbers
from rekkyo.engines.csp.frontier.exchanges import Exchange
from rekkyo.engines.csp.frontier.memories import Memory, Parts, Remembered
from rekkyo.engines.csp.frontier.rules import Pattern
from rekkyo.engines.frontier.levels import Field, Hop, Key
from rekkyo.model.csp.constraints import Variable

Values: TypeAlias = frozenset[int]

Cause: TypeAlias = "tuple[Values, EndClass | None]"
"""The cause that makes an end alive at a level: one of the values, if the class, unless it is None, was
alive."""


class EndClass(NamedTuple):
    """The key of a class: what its first end was about when it was made; equal ones are numbered."""

    place: tuple[Variable, ...]
    values: Values
    number: int


class _Step(NamedTuple):
    """The effects of the values of a level's variable. Each list is without repetitions.

    shut: values that are forbidden in any case. starts: values that make a class alive. moves: values that
    make a class alive if another was. clashes: values that are forbidden if a class is alive. copies: classes
    that split, each with the new one.
    """

    shut: set[Values]
    starts: dict[tuple[Values, EndClass], None]
    moves: dict[tuple[Values, EndClass, EndClass], None]
    clashes: dict[tuple[Values, EndClass], None]
    copies: list[tuple[EndClass, EndClass]]


class PatternMemory(Memory):
    """All patterns at once, because they share their ends. No pattern is empty.

    kept_after: levels after which exchanges are asked for.
    """

    def __init__(
        self, patterns: Collection[Pattern], level_of: Sequence[int], kept_after: Collection[int]
    ) -> None:
        starts: dict[int, list[Pattern]] = defaultdict(list)
        ends: dict[int, dict[Pattern, None]] = defaultdict(dict)
        for pattern in patterns:
            end = tuple(sorted(pattern, key=lambda literal: level_of[literal[0]]))
            starts[level_of[end[0][0]]].append(end)
            while len(end) > 1:
                end = end[1:]
                ends[level_of[end[0][0]]][end] = None
        self._classes = _Classes()
        self._steps: dict[int, _Step] = {}
        literals = dict.fromkeys(literal for pattern in patterns for literal in pattern)
        self._numbers = {literal: number for number, literal in enumerate(literals)}
        self._images: dict[int, tuple[Exchange, LiteralNumbers]] = {}
        self._classes_after: dict[int, EndClasses[Key]] = {}
        for level in range(len(level_of)):
            if level in starts or level in ends:
                step = self._classes.pass_level(level, starts.get(level, ()), ends.get(level, ()))
                self._steps[level] = step
            if level in kept_after:
                self._classes_after[level] = self._ends_by_class()

    @property
    def levels(self) -> Iterable[int]:
        """The levels at which a pattern has a literal."""
        return self._steps

    def remembered(self) -> Iterator[Remembered]:
        """A bit for each class, from where it may first be alive to the first literal of its last end."""
        for one, (first, last) in self._classes.spans.items():
            yield Remembered(one, 1, first, last, (one.place, one.number), (one.values,))

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """Choices that begin a pattern, and choices that go on with an end."""
        step = self._steps[parts.level]
        choice_of = {value: choice for choice, value in enumerate(parts.domain)}

        def choices(values: Values) -> list[int]:
            return [choice_of[value] for value in values if value in choice_of]

        for values in step.shut:
            parts.shut_out.update(choices(values))
        for values, target in step.starts:
            for choice in choices(values):
                parts.take[choice] |= 1 << fields[target].shift
        for values, source in step.clashes:
            for choice in choices(values):
                parts.clash[choice] |= 1 << fields[source].shift
        moved: list[list[tuple[EndClass, EndClass]]] = [[] for _ in parts.domain]
        for values, source, target in step.moves:
            for choice in choices(values):
                moved[choice].append((source, target))
        for choice, some in enumerate(moved):
            for source, target in (*some, *step.copies):
                parts.hops.append(Hop(choice, fields[source].shift, fields[target].shift))

    def exchanged(self, exchange: Exchange, level: int) -> Mapping[Key, Key] | None:
        """The image of each class; None if the image of some class is not a class."""
        return self._classes_after[level].images(self._image_of(exchange))

    def _image_of(self, exchange: Exchange) -> LiteralNumbers:
        """The number of the image of each literal, see `EndClasses.images`."""
        if id(exchange) not in self._images:  # an exchange that is kept here has an id of its own
            images = (self._numbers.get(exchange.image_of(one), NO_LITERAL) for one in self._numbers)
            self._images[id(exchange)] = exchange, np.array([*images, PAD, NO_LITERAL])
        return self._images[id(exchange)][1]

    def _ends_by_class(self) -> EndClasses[Key]:
        """The classes that have ends."""
        ends_of: dict[Key, list[list[int]]] = {
            one: [list(map(self._numbers.__getitem__, end)) for end in ends]
            for one, ends in self._classes.members.items()
            if ends
        }
        return EndClasses(ends_of)


class _Classes:
    """The classes of ends, passed from level to level.

    spans: the first and the last level of each. members: the ends of each, which may be none.
    """

    def __init__(self) -> None:
        self.spans: dict[EndClass, tuple[int, int]] = {}
        self._class_of: dict[Pattern, EndClass] = {}
        self.members: dict[EndClass, set[Pattern]] = {}

    def pass_level(self, level: int, starts: Iterable[Pattern], ends: Iterable[Pattern]) -> _Step:
        """The step of a level with the patterns that start there, and with the ends that do."""
        step = _Step(set(), {}, {}, {}, [])
        causes: dict[Pattern, dict[Cause, None]] = defaultdict(dict)
        for start in starts:
            if len(start) == 1:
                step.shut.add(start[0][1])
            else:
                causes[start[1:]][start[0][1], None] = None
        for end in ends:
            one = self._class_of.pop(end)
            self.members[one].remove(end)
            self.spans[one] = self.spans[one][0], level
            if len(end) == 1:
                step.clashes[end[0][1], one] = None
            else:
                causes[end[1:]][end[0][1], one] = None
        for alike in self._made_alive_alike(causes):
            target = self._separated(alike, level, step.copies)
            for values, source in causes[alike[0]]:
                if source is None:
                    step.starts[values, target] = None
                else:
                    step.moves[values, source, target] = None
        return step

    def _made_alive_alike(self, causes: Mapping[Pattern, Mapping[Cause, None]]) -> list[list[Pattern]]:
        """Ends that have been alive together so far and have the same causes now; small sets first."""
        groups: dict[Hashable, list[Pattern]] = defaultdict(list)
        for end, why in causes.items():
            groups[self._class_of.get(end) or _values(end), frozenset(why)].append(end)
        return sorted(groups.values(), key=lambda some: (len(some), min(map(_place, some))))

    def _separated(
        self, alike: list[Pattern], level: int, copies: list[tuple[EndClass, EndClass]]
    ) -> EndClass:
        """The class of these ends and no others from now on; the larger part of a class keeps its key."""
        before = self._class_of.get(alike[0])
        if before is None:
            return self._made(alike, level)
        rest = self.members[before].difference(alike)
        if rest:
            one = self._made(alike if len(alike) <= len(rest) else rest, level)
            self.members[before] -= self.members[one]
            copies.append((before, one))
        return self._class_of[alike[0]]

    def _made(self, ends: Iterable[Pattern], level: int) -> EndClass:
        """A new class."""
        members = set(ends)
        one = EndClass(min(map(_place, members)), _values(next(iter(members))), 0)
        while one in self.spans:
            one = one._replace(number=one.number + 1)
        self.spans[one] = level, level
        self.members[one] = members
        self._class_of.update(dict.fromkeys(members, one))
        return one


def _place(end: Pattern) -> tuple[Variable, ...]:
    return tuple(variable for variable, _ in end)


def _values(end: Pattern) -> Values:
    """The values that its literals are about."""
    return frozenset().union(*(values for _, values in end))
