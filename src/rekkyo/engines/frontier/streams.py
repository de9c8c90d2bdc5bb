"""Levels whose results are in order if the states are.

An option of an exact cover changes the same bits in every state that it fits: it sets those of its items,
which were 0, and the bit of an item that ends here, which is 1, is dropped. So the results of each choice, a
*stream*, are in the order of their states, and equal results are found by merging streams instead of by a
hash table:

    states in order        0011  0101  0110  1001        choice: takes bit 3, and bit 0 is dropped
    those that it fits     0011  0101                    bit 0 is set, and bit 3 is not
    results, in order      1010  1100

Streams that differ in the highest bits follow each other and need not be merged. The bits of new items are
the highest if fields are laid in a ring (`levels.laid_in_ring`), and words are compared after they are
*turned*: rotated to the right until the oldest field is the lowest. For dominoes, an option that takes a new
item comes after all others, and only two of three streams are merged.

Left out on purpose: counters, colours, and secondary items, whose bits change in several ways. A choice would
be a stream for each way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from rekkyo.engines.frontier.levels import WORD, Level

Mask: TypeAlias = int
"""A set of the bits of a word."""

EVERY_BIT: Mask = (1 << WORD) - 1

MOST_STREAMS = 6
"""The most streams of a level. Every stream reads all states."""


class Stream(NamedTuple):
    """The results of a choice, or of no choice: those of all states with the bits `ones` and without `zeros`.

    zeros: also all bits that are set in no state. take: those of `zeros` that are set. drop: those of `ones`
    that are cleared. is_choice: whether its states are nodes. needed: those of `ones` that are only required
    afterwards, for an item that ends here and is not covered by the choice; states without them are nodes,
    too.
    """

    ones: Mask
    zeros: Mask
    take: Mask
    drop: Mask
    is_choice: bool
    needed: Mask

    @property
    def known(self) -> tuple[Mask, Mask]:
        """The bits that all results have in common, and their values."""
        ones = (self.ones | self.take) & ~self.drop
        return self.ones | self.zeros, ones


Streams: TypeAlias = Sequence[Sequence[Stream]]
"""Groups of streams in order: all results of a group are less than those of the next one."""


def alive_before(levels: Sequence[Level]) -> list[Mask]:
    """The bits that may be set before each level, and after the last one."""
    alive = [0]
    for level in levels:
        bits = alive[-1] | level.opening
        for choice in level.choices:
            bits |= choice.take
        may_be_any = level.rules is not None or any(choice.plus for choice in level.choices)
        alive.append((EVERY_BIT if may_be_any else bits) & level.keep)
    return alive


def turn_for(alive: Mask) -> int:
    """The place after the longest run of dead bits around the word, where the oldest field begins."""
    best, longest, run = 0, -1, 0
    for place in range(2 * WORD):
        if alive >> place % WORD & 1:
            if run > longest:
                best, longest = place % WORD, run
            run = 0
        else:
            run += 1
    return best


def next_turn(turn: int, alive: Mask) -> int:
    """A turn that leaves states in the order that they have: dead low bits become dead high ones."""
    places = (place % WORD for place in range(turn, turn + WORD))
    return next((place for place in places if alive >> place & 1), turn)


def turned(bits: Mask, turn: int) -> Mask:
    """A word rotated to the right."""
    return (bits >> turn | bits << WORD - turn) & EVERY_BIT


def streams_of(level: Level, before: Mask, after: Mask) -> list[Stream] | None:
    """The streams of a level; None if results are not in order, or a choice leads nowhere.

    before, after: the bits that may be set.
    """
    if level.rules is not None or level.limits or level.opening or len(level.choices) >= MOST_STREAMS:
        return None
    if after == EVERY_BIT:  # the greatest word marks the end of a stream
        return None
    if any(choice.plus or choice.clash != choice.take for choice in level.choices):
        return None
    dead = ~before & EVERY_BIT
    streams = [
        _finished(Stream(0, dead | taken | level.covered, taken, 0, True, 0), level)
        for _, _, taken, _ in level.choices
    ]
    if not level.covered & dead:
        streams.append(_finished(Stream(level.covered, dead, 0, 0, False, 0), level))
    found = [stream for stream in streams if stream is not None]
    return found if len(found) == len(streams) else None


def _finished(stream: Stream, level: Level) -> Stream | None:
    """A stream with what the end of a level requires and drops; None if the dropped bits are not known."""
    needed = level.required & ~(stream.ones | stream.take)
    ones, dropped = stream.ones | needed, ~level.keep & EVERY_BIT
    if needed & stream.zeros or dropped & ~(ones | stream.zeros):
        return None
    return stream._replace(ones=ones, needed=needed, take=stream.take & ~dropped, drop=ones & dropped)


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
