"""The parts of a state that a level does not change: bits, and sorts of numbers.

A level changes the bits that its choices take, its counters, machines, labels and mates, and what exchanges
move. All mates and labels may change at any level, because they name others. But the *sort* of a number
changes only where its joint is touched or ends: a mate says whether the joint is on no edge, on one, or on
two, and a label whether the joint is labelled at all.

    mates before    5 . 3 2 . 0      joints 0 to 5; the paths 0 ~ 5 and 2 ~ 3, written as mates
    after 3 - 5     2 . 0 * . *      * on two edges; 0 and 2 were not touched, and are on one edge still
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.frontier.arrange import COLORS, EXCHANGES, NO_BIT
from rekkyo.engines.frontier.front import hashes_of
from rekkyo.engines.frontier.levels import WORD, Field, Join, Level, Levels, Loop
from rekkyo.engines.limbs import to_int

MOST_SORTS = 12
"""The most sorts that are used, which are more than enough to part a front."""

IN_CACHE = 1 << 12
"""The number of states that are processed at a time."""

BITS_OF_SORT = 1
"""A sort is worth less than the bits that tell it, because most numbers of a front may have the same one."""


class Sorted(NamedTuple):
    """A number of which the sort stays: 0, the `full` one, or another. full: 0 where there is none."""

    shift: int
    width: int
    full: int

    @property
    def mask(self) -> int:
        """Its bits."""
        return (1 << self.width) - 1 << self.shift


class Kept(NamedTuple):
    """Bits, and numbers of which the sort stays."""

    bits: int
    numbers: frozenset[Sorted]

    @property
    def n_bits(self) -> int:
        """About how many bits they are worth."""
        return self.bits.bit_count() + BITS_OF_SORT * len(self.numbers)

    def after(self, levels: Levels, number: int, blocks: Words) -> Kept:
        """The part of it that also stays after a level. blocks: the exchanges after the level."""
        level = levels.levels[number]
        lost = ~level.keep | moved(blocks)
        numbers = frozenset(each for each in self.numbers - touched(level) if not each.mask & lost)
        return Kept(self.bits & ~(lost | _changed(levels, number)), numbers)

    def hashes_of(self, states: Words) -> Words:
        """A hash of it in each state; use the upper bits, which are mixed best."""
        mixed = hashes_of(states, self.bits)
        if not self.numbers:
            return mixed
        return hashes_of(mixed ^ kinds_of(states, self.numbers))


NOTHING = Kept(0, frozenset())


def _changed(levels: Levels, number: int) -> int:
    """The bits that a level may change, besides those that it does not keep or that exchanges move."""
    level = levels.levels[number]
    bits = level.opening
    counted = 0
    for choice in level.choices:
        bits |= choice.take
        counted |= choice.plus
    if counted:
        alive = (field for field in levels.fields.values() if field.first <= number <= field.last)
        bits |= sum(mask for mask in map(_mask, alive) if mask & counted)
    rules = level.rules
    if rules is not None:
        for hop in rules.hops:
            bits |= 1 << hop.target
        for machine in rules.machines:
            bits |= (1 << machine.width) - 1 << machine.shift
        for closed in (*(join.closed for join in rules.joins), *(loop.closed for loop in rules.loops)):
            bits |= 1 << closed
        for each in sorts(level):
            bits |= each.mask
    return bits


def moved(blocks: Words) -> int:
    """The bits that exchanges after a level may move, see `arrange`."""
    if not len(blocks):
        return 0
    kind = blocks[0, 0]
    if kind == COLORS:
        first = to_int(blocks[0, 2:])
        return sum(first << color for color in range(int(blocks[0, 1])))
    bits = 0
    if kind == EXCHANGES:
        for _, word, shift, other_word, other_shift, mask in blocks[1:].tolist():
            bits |= mask << WORD * word + shift | mask << WORD * other_word + other_shift
        return bits
    for place in blocks[:, 1:].ravel().tolist():
        if place != int(NO_BIT):
            bits |= 1 << place
    return bits


def sorts(level: Level) -> frozenset[Sorted]:
    """The mates and labels that live at a level."""
    if level.rules is None:
        return frozenset()
    loops = (each for loop in level.rules.loops for each in _mates(loop).values())
    return frozenset((*loops, *(each for join in level.rules.joins for each in _labels(join))))


def touched(level: Level) -> frozenset[Sorted]:
    """The numbers whose sort the level may change."""
    return frozenset(_touched(level))


def _touched(level: Level) -> Iterator[Sorted]:
    if level.rules is None:
        return
    for loop in level.rules.loops:
        mates = _mates(loop)
        yield from (mates[joint] for edge in loop.edges for joint in edge)
    for join in level.rules.joins:
        labels = list(_labels(join))
        yield from (labels[label] for some in join.touched for label in some)
        yield from (labels[ending.label] for ending in join.endings)


def kinds_of(states: Words, chosen: Iterable[Sorted]) -> Words:
    """The sorts of at most MOST_SORTS numbers of each state, two bits each, the first number highest."""
    kinds = np.zeros(len(states), dtype=np.uint64)
    some = sorted(chosen)[:MOST_SORTS]
    tables = [_table(each, 2 * (len(some) - place)) for place, each in enumerate(some, 1)]
    columns = states if states.ndim > 1 else states[:, np.newaxis]
    for first in range(0, len(states), IN_CACHE):
        kind, stretch = kinds[first : first + IN_CACHE], columns[first : first + IN_CACHE]
        for each, table in zip(some, tables, strict=True):
            word, shift = divmod(each.shift, WORD)
            field = stretch[:, word] >> np.uint64(shift)
            field &= np.uint64(len(table) - 1)
            kind |= table.take(field.view(np.int64))
    return kinds


def _table(number: Sorted, shift: int) -> Words:
    """The sort of each value of a number, at its place in the kinds."""
    table = np.ones(1 << number.width, dtype=np.uint64)
    table[0] = 0
    if number.full:
        table[number.full] = 3
    return table << np.uint64(shift)


def _mates(loop: Loop) -> dict[int, Sorted]:
    """For each joint that lives its mate; a state stores it as mate ^ joint, see `loop_kernel`."""
    full = (1 << loop.width) - 1
    return {
        joint: Sorted(shift, loop.width, full ^ joint)
        for joint, shift in enumerate(loop.shifts)
        if shift is not None
    }


def _labels(join: Join) -> Iterator[Sorted]:
    """All labels, by number."""
    for row in join.rows:
        for number in range(row.n_labels):
            yield Sorted(row.shift + join.width * number, join.width, 0)


def _mask(field: Field) -> int:
    return (1 << field.width) - 1 << field.shift
