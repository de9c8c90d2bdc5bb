"""The parts of a state that a level does not change: bits, and sorts of numbers.

A level changes the bits that its choices take, its counters, machines, labels and mates, and what exchanges
move. All mates and labels may change at any level, because they name others. But the *sort* of a number
changes only where its joint is touched or ends: a mate says whether the joint is on no edge, on one, or on
two, and a label whether the joint is labelled at all.

    mates before    5 . 3 2 . 0      joints 0 to 5; the paths 0 ~ 5 and 2 ~ 3, written as mates
    after 3 - 5     2 . 0 * . *      * on two edges; 0 and 2 were not touched, and are on one edge still

An exchange of colours moves all bits of all colours. If the level changes none of the bits of a place, these
stay up to a permutation of the colours, which is the same for all such places. Other exchanges, which some
levels have instead, may also move bits from one place to another; so no place stays that they move.

    bits of colours before    ..b ..a .b. ..a      four places; `a` is the first colour
    after an exchange         ..a ..b .a. ..b
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.frontier.arrange import COLORS, EXCHANGES, LAST_PLACE, MASK, NAMES
from rekkyo.engines.frontier.levels import WORD, Field, Join, Level, Levels, Loop, words_of
from rekkyo.engines.frontier.split_kernel import Facts
from rekkyo.engines.limbs import to_int

MOST_SORTS = 12
"""The most sorts that are used, which are more than enough to part a front."""

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


class Colors(NamedTuple):
    """Bits of colours that can be exchanged. first: those of the first of `n` colours; see `arrange`."""

    first: int
    n: int

    @property
    def bits(self) -> int:
        """The bits of all colours."""
        return sum(self.first << color for color in range(self.n))

    def within(self, bits: int) -> Colors:
        """Those of which these bits have all colours."""
        first = self.first
        for color in range(self.n):
            first &= bits >> color
        return Colors(first, self.n)


NO_COLORS = Colors(0, 0)


class Kept(NamedTuple):
    """Bits, and numbers of which the sort stays. colors: bits that stay up to a permutation of colours."""

    bits: int
    numbers: frozenset[Sorted]
    colors: Colors = NO_COLORS

    @property
    def n_bits(self) -> int:
        """About how many bits they are worth."""
        return self.bits.bit_count() + BITS_OF_SORT * len(self.numbers) + self.colors.first.bit_count()

    def after(self, change: Change) -> Kept:
        """The part of it that also stays after a level that changes this."""
        before, exchanged = self.colors, change.colors
        if before == NO_COLORS:
            colors = exchanged.within(self.bits)
        elif exchanged == NO_COLORS:
            colors = before
        else:
            colors = Colors(before.first & exchanged.first if before.n == exchanged.n else 0, before.n)
        numbers = frozenset(each for each in self.numbers - change.touched if not each.mask & change.moved)
        lost = change.bits if exchanged.n else change.bits | change.moved
        return Kept(self.bits & ~(change.bits | change.moved), numbers, colors.within(~lost))

    def facts(self, n_words: int) -> Facts:
        """It as arrays, for states of so many words."""
        some = sorted(self.numbers)[:MOST_SORTS]
        rows = [(*divmod(each.shift, WORD), (1 << each.width) - 1, each.full) for each in some]
        return Facts(
            bits=words_of([self.bits], n_words).ravel(),
            colors=words_of([self.colors.first], n_words).ravel(),
            n_colors=self.colors.n,
            numbers=np.array(rows, dtype=np.uint64).reshape(-1, 4),
        )


NOTHING = Kept(0, frozenset())


class Change(NamedTuple):
    """What a level changes. bits: set or cleared by its choices and rules, or not kept.

    moved: bits that exchanges after it move, all those of `colors` among them, or that are not kept.
    touched: numbers whose sort it may change.
    """

    bits: int
    moved: int
    colors: Colors
    touched: frozenset[Sorted]


def change_of(levels: Levels, number: int, blocks: Words) -> Change:
    """What a level changes. blocks: the exchanges after it."""
    level, colors = levels.levels[number], _exchanged_colors(blocks)
    lost = ~level.keep
    is_moved = colors.bits if colors.n else moved(blocks)
    living = (field for field in levels.fields.values() if field.first <= number <= field.last)
    return Change(lost | changed(level, living), lost | is_moved, colors, frozenset(_touched(level)))


def changed(level: Level, living: Iterable[Field]) -> int:
    """The bits that a level may change, besides those that it does not keep or that exchanges move.

    living: the fields that live at this level.
    """
    bits = level.opening
    counted = 0
    for choice in level.choices:
        bits |= choice.take
        counted |= choice.plus
    if counted:
        bits |= sum(mask for mask in map(_mask, living) if mask & counted)
    rules = level.rules
    if rules is not None:
        for hop in rules.hops:
            bits |= 1 << hop.target
        for machine in rules.machines:
            bits |= (1 << machine.width) - 1 << machine.shift
        for closed in (*(join.closed for join in rules.joins), *(loop.closed for loop in rules.loops)):
            bits |= 0 if closed is None else 1 << closed
        for each in sorts(level):
            bits |= each.mask
        for ways in rules.ways:
            row = (1 << len(ways.shifts)) - 1
            bits |= sum(row << shift for shift in ways.shifts if shift is not None)
    return bits


def _exchanged_colors(blocks: Words) -> Colors:
    """The colours that are exchanged after a level, see `arrange`."""
    if not len(blocks) or blocks[0, 0] != COLORS:
        return NO_COLORS
    return Colors(to_int(blocks[0, 2:]), int(blocks[0, 1]))


def moved(blocks: Words) -> int:
    """The bits that other exchanges after a level may move, see `arrange`."""
    bits = 0
    if len(blocks) and blocks[0, 0] == EXCHANGES:
        return _swapped(blocks[1:][blocks[1:, MASK] != 0])
    if len(blocks) and blocks[0, 0] == NAMES:
        begin = 1
        for _ in range(int(blocks[0, 2])):
            n_names, width, *_ = blocks[begin].tolist()
            for word, shift, lives, *_ in blocks[begin + 1 : begin + 1 + n_names].tolist():
                bits |= lives * ((1 << width) - 1) << WORD * word + shift
            begin += 1 + n_names
        return bits | _swapped(blocks[begin:, :6])
    for piece, mask in blocks[:, 1:].reshape(-1, 2).tolist():
        bits |= mask << (piece & int(LAST_PLACE))
    return bits


def _swapped(swaps: Words) -> int:
    """The bits of swaps."""
    bits = 0
    for _, word, shift, other_word, other_shift, mask in swaps.tolist():
        bits |= mask << WORD * word + shift | mask << WORD * other_word + other_shift
    return bits


def sorts(level: Level) -> frozenset[Sorted]:
    """The mates and labels that live at a level."""
    if level.rules is None:
        return frozenset()
    loops = (each for loop in level.rules.loops for each in _mates(loop).values())
    return frozenset((*loops, *(each for join in level.rules.joins for each in _labels(join))))


def _touched(level: Level) -> Iterator[Sorted]:
    """The numbers whose sort a level may change."""
    if level.rules is None:
        return
    for loop in level.rules.loops:
        mates = _mates(loop)
        yield from (mates[joint] for edge in loop.edges for joint in edge)
    for join in level.rules.joins:
        labels = list(_labels(join))
        if join.closed is None and join.endings:
            yield from labels  # a joint that is left alone has no label any more
        yield from (labels[label] for some in join.touched for label in some)
        yield from (labels[ending.label] for ending in join.endings)


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
