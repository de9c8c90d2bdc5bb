"""Levels whose results are in order if the states are.

The states that have some bits and lack others, and that one choice changes in the same way, are a *stream*.
Most choices set the bits of new fields and drop those of fields that end, so the results of a stream are in
the order of their states, and equal results are found by merging streams instead of by a hash table:

    states in order        0011  0101  0110  1001        choice: takes bit 3, and bit 0 is dropped
    those that it fits     0011  0101                    bit 0 is set, and bit 3 is not
    results, in order      1010  1100

A bit whose old value is *lost*, because it is dropped or set in any case, may stay open in a stream if it is
lower than all other open bits: states that differ in it alone follow each other, and so do their results,
which are equal. A choice with another such bit, or with a hop, is a stream for each value of the bit.

    states in order        0010  0100  0101  0110        choice: takes bit 3, and bit 0 is dropped
    results, in order      1010  1100  1100  1110        the counts of equal ones are added

Streams that differ in the highest bits follow each other and need not be merged. Words are compared after
they are *turned*: rotated to the right until the field that ends first is the lowest. If fields are laid by
their ends (`levels.laid_by_end`), the lowest bits are those that a level drops. If they are laid by their
begins, a new bit is the highest. Both hold for dominoes, of which only two of three streams are merged, and
for independent sets of a grid, of which none are.

Left out on purpose: counters, automata and labels, whose fields change in many ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from rekkyo.engines.frontier.levels import WORD, Field, Hop, Level, Levels, Rules
from rekkyo.engines.frontier.stays import changed

Mask: TypeAlias = int
"""A set of the bits of a word."""

EVERY_BIT: Mask = (1 << WORD) - 1

MOST_STREAMS = 6
"""The most streams of a level. Every stream reads all states."""


class Stream(NamedTuple):
    """The results of a choice, or of no choice: those of all states with the bits `ones` and without `zeros`.

    zeros: also all bits that are set in no state. take: bits that are set. drop: bits that are cleared then.
    is_choice: whether its states are nodes. needed: those of `ones` that are only required afterwards, for an
    item that ends here and is not covered by the choice; states without them are nodes, too.
    """

    ones: Mask
    zeros: Mask
    take: Mask = 0
    drop: Mask = 0
    is_choice: bool = True
    needed: Mask = 0

    @property
    def known(self) -> tuple[Mask, Mask]:
        """The bits that all results have in common, and their values."""
        return self.tested | self.take | self.drop, (self.ones | self.take) & ~self.drop

    @property
    def tested(self) -> Mask:
        """The bits that all its states have in common."""
        return self.ones | self.zeros

    @property
    def lost(self) -> Mask:
        """The bits whose old value is lost."""
        return (self.take | self.drop) & ~self.tested

    def by(self, bit: Mask) -> tuple[Stream, Stream]:
        """The part of it whose states have a bit, and the other part."""
        return self._replace(ones=self.ones | bit), self._replace(zeros=self.zeros | bit)


Streams: TypeAlias = Sequence[Sequence[Stream]]
"""Groups of streams in order: all results of a group are less than those of the next one."""


def alive_before(levels: Levels) -> list[Mask]:
    """The bits that may be set before each level, and after the last one."""
    alive = [0]
    for level, living in zip(levels.levels, _living(levels), strict=True):
        alive.append((alive[-1] | changed(level, living)) & level.keep)
    return alive


def _living(levels: Levels) -> Iterator[Sequence[Field]]:
    """The fields that live at each level. To look through all fields at each of 8,000 levels took 3 s."""
    begun: dict[int, list[Field]] = defaultdict(list)
    for field in levels.fields.values():
        begun[field.first].append(field)
    living: list[Field] = []
    for number in range(len(levels.levels)):
        living = [field for field in living if field.last >= number] + begun[number]
        yield living


def turn_of(before: Mask, after: Mask, turn: int | None) -> int:
    """The turn of a level: the place after the longest run of bits that are dead before it and after it.

    before, after: the bits that may be set. turn: that of the level before, whose results are in order. If
    the place changes their order, it is the next bit that is alive: dead low bits may become dead high ones.
    """
    best = _after_longest_run(before | after)
    if turn is None or _next_alive(best, before) == _next_alive(turn, before):
        return best
    return _next_alive(turn, before)


def _after_longest_run(alive: Mask) -> int:
    """The place after the longest run of dead bits around the word."""
    twice = 2 * f"{alive:064b}"[::-1]
    run = max(twice.split("1"), key=len)
    return (twice.index(f"{run}1") + len(run)) % WORD if alive else 0


def _next_alive(place: int, alive: Mask) -> int:
    """The first place from this one upwards around the word whose bit is alive; 0 without any."""
    around = turned(alive, place)
    return (place + (around & -around).bit_length() - 1) % WORD if alive else 0


def turned(bits: Mask, turn: int) -> Mask:
    """A word rotated to the right."""
    return (bits >> turn | bits << WORD - turn) & EVERY_BIT


def streams_of(level: Level, before: Mask, after: Mask, turn: int) -> list[Stream] | None:
    """The streams of a level; None if there are too many, or if a choice leads nowhere.

    before, after: the bits that may be set. turn: of the results.
    """
    rules = level.rules or Rules()
    if rules.machines or rules.joins or rules.loops or rules.ways or level.limits or level.opening:
        return None
    if after == EVERY_BIT:  # the greatest word marks the end of a stream
        return None
    if any(choice.plus for choice in level.choices) or len(level.choices) > MOST_STREAMS:
        return None
    dead = ~before & EVERY_BIT
    begun = []
    for number, choice in enumerate(level.choices):
        stream = Stream(0, dead | choice.clash | level.covered, choice.take)
        begun += _after_hops(stream, (hop for hop in rules.hops if hop.choice == number))
    if level.rules is None and not level.covered & dead:
        begun.append(Stream(level.covered, dead, is_choice=False))
    streams: list[Stream] = []
    for stream in begun:
        needed = level.required & ~(stream.ones | stream.take)
        if needed & stream.zeros or len(streams) > MOST_STREAMS:
            return None
        dropped = ~level.keep & (before | stream.take)
        whole = stream._replace(ones=stream.ones | needed, needed=needed, drop=dropped)
        streams += islice(_in_order(whole, turn), MOST_STREAMS + 1)
    return streams if len(streams) <= MOST_STREAMS else None


def _after_hops(stream: Stream, hops: Iterable[Hop]) -> list[Stream]:
    """The streams of a choice for each way in which it hops; not all if there are too many."""
    streams = [stream]
    for hop in hops:
        if len(streams) > MOST_STREAMS:
            break
        source, target = 1 << hop.source, 1 << hop.target
        begun, streams = streams, []
        for one in begun:
            if one.zeros & source or one.take & target:
                streams.append(one)
            elif one.ones & source:
                streams.append(one._replace(take=one.take | target))
            else:
                hopping, other = one.by(source)
                streams += (hopping._replace(take=one.take | target), other)
    return streams


def _in_order(stream: Stream, turn: int) -> Iterator[Stream]:
    """The parts of a stream whose results are in order."""
    others = turned(EVERY_BIT & ~(stream.tested | stream.take | stream.drop), turn)
    too_high = turned(stream.lost, turn) & ~((others & -others) - 1) if others else 0
    if not too_high:
        yield stream
        return
    for part in stream.by(turned(1 << too_high.bit_length() - 1, WORD - turn)):
        yield from _in_order(part, turn)


def in_groups(streams: Sequence[Stream], turn: int) -> Streams:
    """Streams in groups. turn: see above."""
    spans = sorted((_span(stream, turn), number) for number, stream in enumerate(streams))
    groups: list[list[Stream]] = []
    end = -1
    for (first, last), number in spans:
        if first > end:
            groups.append([])
        groups[-1].append(streams[number])
        end = max(end, last)
    return groups


def _span(stream: Stream, turn: int) -> tuple[int, int]:
    """The least and the greatest word that begins with the highest bits of all results of a stream."""
    known, ones = (turned(bits, turn) for bits in stream.known)
    free = (1 << (~known & EVERY_BIT).bit_length()) - 1
    return ones & ~free, ones | free
