"""Levels: the sequence of decisions, and the data stored between two of them.

A *state* summarises the choices so far for the later ones: words of bits, laid out in *fields* that live from
one level to another. Fields that never live at the same time may share their bits. An exact cover
(`covers/frontier/levels.py`) needs only bits and counters; the constraints of a `Csp`
(`csp/frontier/levels.py`) also need `Rules`: bits that move, machines, and labels of connected components.

A choice changes a state in this order:

    set opening | reject by any bit of clash | set take, add plus | rules: machines, hops, joins, loops,
    ways | reject by required and limits | drop all bits but keep | exchange (`arrange.py`)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from rekkyo.bits import Words
from rekkyo.errors import EngineRefuses

WORD = 64

Key: TypeAlias = Hashable
"""The key of a field: the item that it stores."""

KeyT = TypeVar("KeyT", bound=Hashable)

Spans: TypeAlias = Mapping[KeyT, tuple[int, int]]
"""The first and the last level of each field."""


NO_ATOM = -1
"""The option of a choice that is not in a row."""


class Choice(NamedTuple):
    """An option, or an atom, at its level. It is rejected by any bit of `clash`; else `take` is set and
    `plus` added."""

    option: int
    clash: int
    take: int
    plus: int


class Field(NamedTuple):
    """The bits that store an item: `width` bits from `shift` on, from one level to another, both included."""

    shift: int
    width: int
    first: int
    last: int


class Limits(NamedTuple):
    """A counter that ends at a level: the `width` bits from `shift` on must be from `least` to `most`."""

    shift: int
    width: int
    least: int
    most: int


class Hop(NamedTuple):
    """A choice, by its number at its level, sets the bit `target` if the bit `source` was set before."""

    choice: int
    source: int
    target: int


class Machine(NamedTuple):
    """A field with the state n of an automaton. The next one is after[choice][n]; DEAD rejects the choice."""

    shift: int
    width: int
    after: tuple[tuple[int, ...], ...]


DEAD = 0xFFFF
"""In place of a next state."""


class Ending(NamedTuple):
    """The joint with a label ends here if the `width` bits from `shift` on hold one of `numbers`.

    These bits are the state of a machine after the choice, which permits no further cell at the joint. With a
    width of 0 the number is 0.
    """

    label: int
    shift: int
    width: int
    numbers: frozenset[int]


MOST_ENDING_BITS = 5
"""The numbers of an ending are the bits of one word, which is read as a signed number."""


class LabelRow(NamedTuple):
    """Labels side by side in one word: `n_labels` from the bit `shift` on."""

    shift: int
    n_labels: int


class Join(NamedTuple):
    """Labels of *joints*; joints with one label are connected.

    rows: of labels, each `width` bits wide; 0 is that of a joint that is not touched, has ended, or has not
        begun. Each but the last row has as many labels as fit into a word.
    touched: for each choice the labels, by number, of the joints that it touches and so joins; a choice that
    touches none is outside. endings: joints that end at this level, or may end. closed: the bit for a
    completed component, after which no joint may be touched, because all must be connected at the end; None
    if they need not be. acyclic: each two of the touched joints are linked, and links form no cycle.
    """

    width: int
    rows: tuple[LabelRow, ...]
    touched: tuple[tuple[int, ...], ...]
    endings: tuple[Ending, ...]
    closed: int | None
    acyclic: bool


class Bound(NamedTuple):
    """A joint must be on one of `n_edges` edges after this level."""

    joint: int
    n_edges: frozenset[int]


class Loop(NamedTuple):
    """Joints of which each is on no chosen edge or on two, so that all chosen edges are one cycle.

    width: of a mate, which is a joint's number or the greatest number. shifts: for each joint the first bit
        of its mate, None if the joint does not live at this level; see `loop_kernel`.
    edges: for each choice the two joints of its edge, or (). closed: the bit for a closed path.
    """

    width: int
    shifts: tuple[int | None, ...]
    edges: tuple[tuple[int, ...], ...]
    bounds: tuple[Bound, ...]
    closed: int


class Ways(NamedTuple):
    """Arcs between vertices, which form no cycle.

    shifts: for each vertex the first bit of the row of those that are reached from it, which has as many bits
        as there are vertices; None if the vertex does not live at this level. See `way_kernel`.
    arcs: for each choice the two vertices of each of its arcs. ended: vertices without arcs after this level.
    """

    shifts: tuple[int | None, ...]
    arcs: tuple[tuple[int, ...], ...]
    ended: frozenset[int]


class Rules(NamedTuple):
    """The rules of a level, in addition to bits and counters."""

    hops: tuple[Hop, ...] = ()
    machines: tuple[Machine, ...] = ()
    joins: tuple[Join, ...] = ()
    loops: tuple[Loop, ...] = ()
    ways: tuple[Ways, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """One step of the search.

    covered: the bit of the item that is covered here; 0 if the single choice is optional. rules: None if bits
    and counters are enough; a level with rules is a variable, which must get a value. opening: the bits that
    are set first, for counters that begin here. required: the bits that must be set after the choice. keep:
    the bits that are not dropped at the end.
    """

    choices: tuple[Choice, ...]
    covered: int
    opening: int
    required: int
    limits: tuple[Limits, ...]
    keep: int
    rules: Rules | None = None


@dataclass(frozen=True, slots=True)
class Levels:
    """All levels of a model.

    n_bits: of a state. is_hopeless: whether an item has fewer options than times that it must be covered.
    level_of: for each option the number of its level. fields: the field of each item.
    """

    levels: tuple[Level, ...]
    n_bits: int
    is_hopeless: bool
    level_of: tuple[int, ...]
    fields: Mapping[Any, Field]

    @property
    def n_words(self) -> int:
        """The number of words of a state."""
        return max(1, -(-self.n_bits // WORD))

    @property
    def widest(self) -> int:
        """The most bits that fields take between two levels."""
        change = [0] * (len(self.levels) + 1)
        for field in self.fields.values():
            change[field.first] += field.width
            change[field.last] -= field.width
        return max(accumulate(change))

    @property
    def order(self) -> tuple[int, ...]:
        """All options in the order in which they are decided."""
        return tuple(choice.option for level in self.levels for choice in level.choices)


def laid_out(spans: Spans[KeyT], width_of: Mapping[KeyT, int]) -> dict[KeyT, Field]:
    """The fields of all keys, in the lowest free bits; a field is within one word.

    spans: the first and the last level of each key; among equal spans the first one is laid out first.
    Raises EngineRefuses for a field that is wider than a word.
    """
    fields: dict[KeyT, Field] = {}
    busy: list[tuple[int, int]] = []  # the last level of each field, and its bits
    taken = 0
    for key, (first, last) in sorted(spans.items(), key=lambda item: item[1]):
        while busy and busy[0][0] < first:
            taken &= ~heappop(busy)[1]
        width = width_of[key]
        shift = _lowest_free(taken, width)
        fields[key] = Field(shift, width, first, last)
        bits = (1 << width) - 1 << shift
        taken |= bits
        heappush(busy, (last, bits))
    return fields


def _lowest_free(taken: int, width: int) -> int:
    """The first bit of the lowest free field, by the bits that are taken."""
    if width > WORD:
        raise EngineRefuses(f"the state of one constraint takes {width} bits, more than a word has")
    every, shift = (1 << width) - 1, 0
    while taken >> shift & every or shift % WORD + width > WORD:
        free = taken >> shift
        shift += max(1, (free ^ free + 1).bit_length() - 1)
    return shift


def laid_by_end(spans: Spans[KeyT], width_of: Mapping[KeyT, int]) -> dict[KeyT, Field] | None:
    """As `laid_out`, but around one word, in the order in which fields end; None if they do not fit.

    At every level the fields that live lie in this order, from the one that ends first upwards around the
    word. So a level drops the lowest bits, see `streams.py`.
    """
    fields: dict[KeyT, Field] = {}
    placed: list[tuple[int, int, int]] = []  # of each field: its last level, its first place, and its end
    begin = 0
    for key, (first, last) in sorted(spans.items(), key=lambda item: item[1][::-1]):
        width, number = width_of[key], len(placed)
        while number and placed[number - 1][0] >= first:
            number -= 1
        together = placed[number:]
        begin = max((end for _, _, end in together), default=begin)
        begin += -begin % WORD if begin % WORD + width > WORD else 0
        if begin + width - min((start for _, start, _ in together), default=begin) > WORD:
            return None
        fields[key] = Field(begin % WORD, width, first, last)
        placed.append((last, begin, begin + width))
    return fields


def laid_by_begin(spans: Spans[KeyT], width_of: Mapping[KeyT, int]) -> dict[KeyT, Field] | None:
    """As `laid_by_end`, but in the order in which fields begin: a new one is the highest."""
    back = laid_by_end({key: (-last, -first) for key, (first, last) in spans.items()}, width_of)
    if back is None:
        return None
    return {
        key: Field(-(shift + width) % WORD, width, *spans[key]) for key, (shift, width, _, _) in back.items()
    }


def words_of(numbers: Sequence[int], n_words: int) -> Words:
    """Numbers of one word, or each number as a row of words, the lowest first."""
    if n_words == 1:
        return np.array(numbers, dtype=np.uint64)
    text = b"".join(number.to_bytes(8 * n_words, "little") for number in numbers)
    return np.frombuffer(text, dtype="<u8").reshape(len(numbers), n_words).astype(np.uint64)
