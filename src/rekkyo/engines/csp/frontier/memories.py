"""The memory of each kind of rule from level to level, and the effect of choices on it.

rule       fields                                          a choice is shut out by
patterns   a bit for each end that may still come:         the bit of an end that it completes
           patterns with equal ends share it; a choice
           that fits an end moves its bit to the next
Once       a bit: one of the literals holds                that bit
Reader     the number of its state                         a table
Joints     a label for each joint that lives; if all is    touching anything after a whole component was
           to hang together, a bit once a whole            left behind, or leaving another one behind;
           component was left behind                       linking joints of one label, without cycles
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

import numpy as np

from rekkyo.engines.csp.frontier.end_classes import NO_LITERAL, PAD, EndClasses
from rekkyo.engines.csp.frontier.exchanges import Exchange, Value
from rekkyo.engines.csp.frontier.readers import Reader, ReadSum, TablesMade, Term
from rekkyo.engines.csp.frontier.rules import Joint, Joints, Literal, Once
from rekkyo.engines.frontier.levels import (
    DEAD,
    MOST_ENDING_BITS,
    Field,
    Hop,
    Join,
    Key,
    Loop,
    Machine,
    Ways,
)
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import Variable


class Remembered(NamedTuple):
    """A key, the bits that it takes, and the levels between which it lives, both included.

    place, values: the key without the values of its literals, and those; where it is about literals.
    """

    key: Key
    width: int
    first: int
    last: int
    place: Key = None
    values: tuple[frozenset[int], ...] = ()


Domain: TypeAlias = Sequence[int]


@dataclass(slots=True)
class Parts:
    """A level that is being made. A choice is the number of a value in the domain of the level's variable."""

    level: int
    variable: Variable
    domain: Domain
    clash: list[int]
    take: list[int]
    shut_out: set[int] = field(default_factory=set)
    required: int = 0
    hops: list[Hop] = field(default_factory=list)
    machines: list[Machine] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    ways: list[Ways] = field(default_factory=list)


class Memory(ABC):
    """The memory of a rule: its parts, their levels, and the effect of the choices of a level."""

    @property
    @abstractmethod
    def levels(self) -> Iterable[int]:
        """The levels at which the rule acts, each once."""

    @abstractmethod
    def remembered(self) -> Iterator[Remembered]:
        """The parts that it remembers."""

    @abstractmethod
    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """Add its actions at a level."""

    def exchanged(self, exchange: Exchange, level: int) -> Mapping[Key, Key] | None:
        """The images of its keys that live on after a level; None where a key has none.

        The exchange keeps the variables that are decided then. It moves no variable of most kinds of rules.
        """
        del exchange, level
        return {}


class _OnceKey(NamedTuple):
    """The key of a group of literals."""

    literals: frozenset[Literal]
    must: bool


class _Group(NamedTuple):
    """A group of literals. values: those of the literal at each of its levels, from `first` to `last`."""

    key: _OnceKey
    values: Mapping[int, frozenset[int]]
    first: int
    last: int

    @classmethod
    def of(cls, once: Once, level_of: Sequence[int]) -> _Group:
        values = {level_of[v]: some for v, some in once.literals}
        return cls(_OnceKey(frozenset(once.literals), once.must), values, min(values), max(values))


class OnceMemory(Memory):
    """All groups of literals of which at most one holds. A memory for each of them made plans slower."""

    def __init__(self, onces: Iterable[Once], level_of: Sequence[int]) -> None:
        self._groups = [_Group.of(once, level_of) for once in onces]
        self._groups_at: dict[int, list[_Group]] = defaultdict(list)
        for group in self._groups:
            for level in group.values:
                self._groups_at[level].append(group)
        self._moved: dict[int, tuple[Exchange, list[tuple[_Group, Key]] | None]] = {}

    @property
    def levels(self) -> Iterable[int]:
        """The levels of its literals."""
        return sorted(self._groups_at)

    def remembered(self) -> Iterator[Remembered]:
        """A bit for each group."""
        for group in self._groups:
            place = ("once", group.key.must, *sorted(group.values))
            yield Remembered(group.key, 1, group.first, group.last, place, tuple(group.values.values()))

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """A choice for which the literal of a group holds takes its bit."""
        for group in self._groups_at[parts.level]:
            bit = 1 << fields[group.key].shift
            for choice, value in enumerate(parts.domain):
                if value in group.values[parts.level]:
                    parts.clash[choice] |= bit
                    parts.take[choice] |= bit
            if group.key.must and parts.level == group.last:
                parts.required |= bit

    def exchanged(self, exchange: Exchange, level: int) -> Mapping[Key, Key] | None:
        """The keys of the groups that are moved, and those of their images."""
        if id(exchange) not in self._moved:  # an exchange that is kept here has an id of its own
            self._moved[id(exchange)] = exchange, self._moved_by(exchange)
        moved = self._moved[id(exchange)][1]
        if moved is None:
            return None
        return {group.key: image for group, image in moved if group.first <= level < group.last}

    def _moved_by(self, exchange: Exchange) -> list[tuple[_Group, Key]] | None:
        """The groups that an exchange moves, and the keys of their images; None if a group has none."""
        number_of = self._number_of
        image_of = np.array([*range(len(number_of) + 1), PAD, NO_LITERAL])
        for value, image in exchange.moves.items():
            if value in number_of:
                image_of[number_of[value]] = number_of.get(image, NO_LITERAL)
        images = self._classes.images(image_of)
        if images is None:
            return None
        return [(group, images[group.key]) for group in self._groups if images[group.key] != group.key]

    @cached_property
    def _number_of(self) -> Mapping[Value, int]:
        """The number of each value of the literals."""
        values = {(v, x) for group in self._groups for v, some in group.key.literals for x in some}
        return {value: number for number, value in enumerate(sorted(values))}

    @cached_property
    def _classes(self) -> EndClasses[_OnceKey]:
        """Each group as a class of one end: the numbers of its values, and one more if one must hold."""
        number_of = self._number_of
        ends = (
            (key, [number_of[v, x] for v, some in key.literals for x in some] + [len(number_of)] * key.must)
            for key in (group.key for group in self._groups)
        )
        return EndClasses({key: [end] for key, end in ends})


class Counts(NamedTuple):
    """The permitted numbers of choices up to each level; and whether nothing else is asked of the choices."""

    at: Mapping[int, frozenset[int]]
    says_all: bool


class ReaderMemory(Memory):
    """One reader, as tables. readers: all that are remembered. Raises EngineRefuses."""

    def __init__(
        self,
        reader: Reader,
        level_of: Sequence[int],
        made: TablesMade,
        readers: Sequence[ReaderMemory] = (),
    ) -> None:
        places = sorted(range(len(reader.variables)), key=lambda place: level_of[reader.variables[place]])
        tables = made.of(reader, places)
        if tables is None:
            raise EngineRefuses("what a constraint has to remember takes too many states")
        self._tables = tables
        self._levels = [level_of[reader.variables[place]] for place in places]
        self._place_of = {level: place for place, level in enumerate(self._levels)}
        self._reader = reader
        self._told_apart = reader.begin.told_apart_by(places) if isinstance(reader.begin, ReadSum) else None
        self._variables, self._readers = frozenset(reader.variables), readers

    def idle(self, touching: Mapping[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        """Its levels, and the numbers of its state after each with which it permits no touching choice later.

        touching: for each level those choices. Only levels from the first of these on after which it reads
        all that are left of them, and no level if it has too many states.
        """
        later = sorted(touching)
        if self._tables.width > MOST_ENDING_BITS or later[-1] not in self._place_of:
            return
        idle = frozenset(range(1 << self._tables.width))
        for place in range(self._place_of[later[-1]], -1, -1):
            level, table = self._levels[place], self._tables.after[place]
            if not later or later[-1] > level:
                return
            yield level, idle
            touched = touching[later.pop()] if later[-1] == level else frozenset()
            idle = frozenset(
                number
                for number in range(len(table[0]))
                if all(
                    row[number] == DEAD or (choice not in touched and row[number] in idle)
                    for choice, row in enumerate(table)
                )
            )

    def permitted_counts(self, touching: Mapping[int, frozenset[int]]) -> Counts | None:
        """How many touching choices there may be up to each of its levels.

        touching: for each level those choices. None if the reader does not read all those levels.
        """
        if not touching.keys() <= self._place_of.keys():
            return None
        permitted: dict[int, frozenset[int]] = {}
        says_all = True
        counts: dict[int, set[int]] = {0: {0}}  # of each state
        for level, table in zip(self._levels, self._tables.after, strict=True):
            after: dict[int, set[int]] = defaultdict(set)
            for choice, row in enumerate(table):
                is_touching = choice in touching.get(level, ())
                for number, some in counts.items():
                    after[row[number]].update(n + is_touching for n in some)
            dead = after.pop(DEAD, set())
            counts = after
            permitted[level] = frozenset().union(*after.values())
            says_all &= dead.isdisjoint(permitted[level])
        return Counts(permitted, says_all)

    @property
    def levels_read(self) -> Iterable[int]:
        """The levels of all variables that it reads."""
        return self._levels

    @property
    def levels(self) -> Iterable[int]:
        """The levels at which it reads; none if it forbids nothing."""
        return () if self._tables.says_nothing else self._levels

    def remembered(self) -> Iterator[Remembered]:
        """The number of its state."""
        if not self._tables.says_nothing:
            yield Remembered(self, self._tables.width, self._levels[0], self._levels[-1])

    def exchanged(self, exchange: Exchange, level: int) -> Mapping[Key, Key] | None:
        """The reader of the same sum of the images of its variables, of which as many have been read."""
        is_live = self.levels and self._levels[0] <= level < self._levels[-1]
        if not is_live or self._variables.isdisjoint(exchange.onto):
            return {}
        if self._terms is None:
            return None
        images = self._same_sums({exchange.onto.get(v, v): term for v, term in self._terms.items()})
        place = self._same_sums(self._terms).index(self)
        return {self: images[place]} if place < len(images) else None

    @cached_property
    def _terms(self) -> Mapping[Variable, Term] | None:
        return self._reader.terms

    def _same_sums(self, terms: Mapping[Variable, Term]) -> list[ReaderMemory]:
        """The readers of such a sum, read in such an order; more than one if a constraint is repeated."""
        return [one for one in self._readers if one._terms == terms and one._told_apart == self._told_apart]

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """The next state; as a last word only whether there is one."""
        after = self._tables.after[self._place_of[parts.level]]
        if self._tables.width:
            parts.machines.append(Machine(fields[self].shift, self._tables.width, after))
        parts.shut_out.update(choice for choice, row in enumerate(after) if row.count(DEAD) == len(row))


def choices_that_touch(
    joints: Joints, level_of: Sequence[int], domains: Sequence[Domain]
) -> Mapping[Joint, Mapping[int, frozenset[int]]]:
    """For each joint and level the choices that touch it."""
    touching: dict[Joint, dict[int, frozenset[int]]] = defaultdict(dict)
    for (v, value), touched in joints.touched.items():
        for joint in touched:
            before = touching[joint].get(level_of[v], frozenset())
            touching[joint][level_of[v]] = before | {domains[v].index(value)}
    return touching


def numbers_of(spans: Mapping[Joint, tuple[int, int]]) -> dict[Joint, int]:
    """A number for each joint, the lowest that no other joint has at the same time."""
    numbers: dict[Joint, int] = {}
    busy: list[tuple[int, int]] = []  # the last level of a joint, and its number
    free: list[int] = []
    for (first, last), joint in sorted((span, joint) for joint, span in spans.items()):
        while busy and busy[0][0] < first:
            heappush(free, heappop(busy)[1])
        numbers[joint] = heappop(free) if free else len(busy)
        heappush(busy, (last, numbers[joint]))
    return numbers
