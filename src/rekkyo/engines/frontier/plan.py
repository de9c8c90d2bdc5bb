"""The arrays for the kernels, made from levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.contract import Pause, Tally, no_pause
from rekkyo.engines.frontier.arrange import AT_SHIFT, COLORS, EXCHANGES, NAMES
from rekkyo.engines.frontier.flat import FlatArrays, LevelArrays, arrays_at, blocks_at, without_blocks
from rekkyo.engines.frontier.label_kernel import NO_JOINT, NOT_TOGETHER, ROW_SHIFT
from rekkyo.engines.frontier.levels import (
    WORD,
    Choice,
    Join,
    Level,
    Levels,
    Limits,
    Loop,
    Rules,
    Ways,
    words_of,
)
from rekkyo.engines.frontier.loop_kernel import NO_EDGE
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.engines.frontier.way_kernel import N_OF_ARC, NO_ARC

Bits: TypeAlias = list[int]
"""The positions of the stored bits of a block."""

ModelT = TypeVar("ModelT")

NO_BLOCKS = read_only(np.zeros((0, 1), dtype=np.uint64))


class LateExchanges(NamedTuple):
    """Exchanges that take so long to find that only long walks look for them.

    least_nodes: the nodes that a walk has tried before. find: the levels by which it goes on, the same ones
    or those of a better order, and the exchanges after each. nodes_again: with which that order begins.
    """

    least_nodes: int
    nodes_again: int
    find: Callable[[Pause], tuple[Levels, Sequence[Words]]]


@dataclass(frozen=True, slots=True, eq=False)
class FrontierPlan(Generic[ModelT]):
    """The levels of a model as arrays, and the exchanges after each level, see `flat.py` and `kernel.py`."""

    model: ModelT
    levels: Levels
    flat: FlatArrays
    late: LateExchanges | None = field(default=None, repr=False)
    _kept: list[tuple[Tally, int]] = field(default_factory=list, init=False, repr=False)
    _with_late: list[FrontierPlan[ModelT]] = field(default_factory=list, init=False, repr=False)

    def with_late_exchanges(self, pause: Pause = no_pause) -> FrontierPlan[ModelT]:
        """The plan by which a long walk goes on; this one if there are no late exchanges."""
        if self.late is not None and not self._with_late:
            self._with_late.append(plan_of(self.model, *self.late.find(pause)))
        return self._with_late[0] if self._with_late else self

    def without_exchanges(self) -> FrontierPlan[ModelT]:
        """The plan of a walk in which states that are exchanged stay apart, as in a diagram."""
        return replace(self, flat=without_blocks(self.flat), late=None)

    @property
    def n_levels(self) -> int:
        """The number of levels."""
        return len(self.levels.levels)

    @property
    def arrays(self) -> tuple[LevelArrays, ...]:
        """The arrays of each level."""
        return tuple(arrays_at(self.flat, level) for level in range(self.n_levels))

    @property
    def blocks(self) -> tuple[Words, ...]:
        """The exchanges after each level."""
        return tuple(blocks_at(self.flat, level) for level in range(self.n_levels))

    @property
    def exchanges_many(self) -> bool:
        """Whether three blocks or more can be exchanged after some level of a cover."""
        classes = (np.unique(blocks[:, 0], return_counts=True)[1] for blocks in self.blocks)
        return any(sizes.max(initial=0) > 2 for sizes in classes)

    @property
    def is_counted(self) -> bool:
        """Whether a count was kept, so that the kernels are compiled."""
        return bool(self._kept)

    def keep(self, tally: Tally, most_bytes: int) -> None:
        """Keep the count of a walk that was allowed this memory."""
        self._kept[:] = [(tally, most_bytes)]

    def kept(self, most_bytes: int) -> Tally | None:
        """The count of a walk that was allowed this memory or less, if it was kept."""
        return next((tally for tally, allowed in self._kept if allowed <= most_bytes), None)


def plan_of(
    model: ModelT, levels: Levels, blocks: Sequence[Words] = (), late: LateExchanges | None = None
) -> FrontierPlan[ModelT]:
    """The plan of a model with such levels. blocks: the exchanges after each level, or empty."""
    return FrontierPlan(model, levels, _flat(levels, blocks or [NO_BLOCKS] * len(levels.levels)), late)


def tiny_plan(n_words: int, *, with_rules: bool) -> FrontierPlan[None]:
    """A plan of one level with one choice, by which kernels are compiled."""
    level = Level((Choice(0, 0, 0, 0),), 0, 0, 0, (), 0, Rules() if with_rules else None)
    return plan_of(None, Levels((level,), WORD * n_words, False, (0,), {}))


def _flat(levels: Levels, blocks: Sequence[Words]) -> FlatArrays:
    """The arrays of all levels, read-only."""
    numbers: list[int] = []
    limits: list[tuple[int, ...]] = []
    rules = _RuleLists([], [], [], [], [], [], [])
    heads, end_of_blocks = [], 0
    for level, exchanges in zip(levels.levels, blocks, strict=True):
        heads.append((len(numbers), len(limits), *rules.ends(), end_of_blocks, exchanges.shape[1]))
        _, clash, take, plus = zip(*level.choices, strict=True) if level.choices else ((), (), (), ())
        numbers += (*clash, *take, *plus, level.opening, level.covered, level.required, level.keep)
        limits += map(_limit, level.limits)
        if level.rules is not None:
            rules.add(level.rules, len(level.choices))
        end_of_blocks += exchanges.size
    heads.append((len(numbers), len(limits), *rules.ends(), end_of_blocks, 1))
    has_rules = bool(levels.levels) and levels.levels[0].rules is not None
    return read_only(
        FlatArrays(
            np.array(heads, dtype=np.int64),
            words_of(numbers, levels.n_words),
            np.array(limits, dtype=np.uint64).reshape(len(limits), 5),
            rules.arrays() if has_rules else None,
            np.concatenate([exchanges.ravel() for exchanges in blocks] or [NO_BLOCKS.ravel()]),
        )
    )


class _RuleLists(NamedTuple):
    """The numbers of `RuleArrays`, as lists to which levels are added."""

    hop_ends: list[int]
    hops: list[tuple[int, ...]]
    machines: list[tuple[int, ...]]
    table: list[int]
    joins: list[int]
    loops: list[int]
    ways: list[int]

    def ends(self) -> tuple[int, ...]:
        """The ends of the arrays so far."""
        lists: tuple[Sized, ...] = self
        return tuple(map(len, lists))

    def add(self, rules: Rules, n_choices: int) -> None:
        """Add the rules of a level. Places of hops and tables are counted from the beginning of the level."""
        hops = sorted(rules.hops)
        n_hops = [0] * (n_choices + 1)
        for hop in hops:
            n_hops[hop.choice + 1] += 1
        self.hop_ends.extend(accumulate(n_hops))
        self.hops.extend((*_bit(hop.source), *_bit(hop.target)) for hop in hops)
        begin = len(self.table)
        for shift, width, after in rules.machines:
            place = len(self.table) - begin
            self.machines.append((*divmod(shift, WORD), (1 << width) - 1, place, len(after[0])))
            self.table.extend(chain.from_iterable(after))
        for join in rules.joins:
            self.joins.extend(_joined(join, n_choices))
        for loop in rules.loops:
            self.loops.extend(_looped(loop, n_choices))
        for ways in rules.ways:
            self.ways.extend(_followed(ways, n_choices))

    def arrays(self) -> RuleArrays:
        """All of them as arrays."""
        return RuleArrays(
            np.array(self.hop_ends, dtype=np.int64),
            np.array(self.hops, dtype=np.uint64).reshape(len(self.hops), 4),
            np.array(self.machines, dtype=np.uint64).reshape(len(self.machines), 5),
            np.array(self.table, dtype=np.uint16),
            np.array(self.joins, dtype=np.int64),
            np.array(self.loops, dtype=np.int64),
            np.array(self.ways, dtype=np.int64),
        )


def _joined(join: Join, n_choices: int) -> Iterator[int]:
    """The numbers of a join, see `label_kernel` and `rule_kernel`."""
    most_touched = max(map(len, join.touched), default=0)
    closed = (NOT_TOGETHER, 0) if join.closed is None else divmod(join.closed, WORD)
    yield from (join.width, *closed, len(join.rows), len(join.endings))
    yield from (n_choices, most_touched, int(join.acyclic))
    for shift, n_labels in join.rows:
        lowest = sum(1 << join.width * label for label in range(n_labels))
        yield from (*divmod(shift, WORD), lowest - (lowest >> WORD - 1 << WORD))

    def joint(label: int) -> int:
        row, number = divmod(label, WORD // join.width)
        return row << ROW_SHIFT | number * join.width

    for ending in join.endings:
        yield from (joint(ending.label), *divmod(ending.shift, WORD), (1 << ending.width) - 1)
        yield sum(1 << number for number in ending.numbers)
    for touched in join.touched:
        yield from map(joint, touched)
        yield from [NO_JOINT] * (most_touched - len(touched))


def _looped(loop: Loop, n_choices: int) -> Iterator[int]:
    """The numbers of a loop, see `loop_kernel`."""
    yield from (loop.width, *divmod(loop.closed, WORD), len(loop.shifts), len(loop.bounds), n_choices)
    for shift in loop.shifts:
        yield from (NO_EDGE, NO_EDGE) if shift is None else divmod(shift, WORD)
    for joint, n_edges in loop.bounds:
        yield from (joint, sum(1 << n for n in n_edges))
    for edge in loop.edges:
        yield from edge or (NO_EDGE, NO_EDGE)


def _followed(ways: Ways, n_choices: int) -> Iterator[int]:
    """The numbers of ways, see `way_kernel`."""
    most = max(map(len, ways.arcs), default=0)
    yield from (len(ways.shifts), sum(1 << vertex for vertex in ways.ended), n_choices, most // N_OF_ARC)
    for shift in ways.shifts:
        yield from (NO_ARC, NO_ARC) if shift is None else divmod(shift, WORD)
    for arcs in ways.arcs:
        yield from arcs
        yield from [NO_ARC] * (most - len(arcs))


def _bit(bit: int) -> tuple[int, int]:
    """The word of a bit, and its mask."""
    word, shift = divmod(bit, WORD)
    return word, 1 << shift


def exchanged_blocks(classes: list[list[Bits]]) -> Words:
    """Blocks of at most 64 bits. Any two blocks of a class can be exchanged; see `arrange_blocks`.

    Classes of many blocks come first, and the blocks of a class in the order of their bits. In the order in
    which they are found, all sudokus took 41 million nodes instead of 17 (when blocks were sorted twice).
    """
    in_order = sorted(map(sorted, classes), key=len, reverse=True)
    rows = [
        [
            number,
            *chain.from_iterable((at << int(AT_SHIFT) | bits[first], mask) for first, at, mask in pieces),
        ]
        for number, blocks in enumerate(in_order)
        for pieces in [_pieces(blocks)]
        for bits in blocks
    ]
    n_columns = max(map(len, rows), default=1)
    padded = [row + [0] * (n_columns - len(row)) for row in rows]
    return np.array(padded, dtype=np.uint64).reshape(len(rows), n_columns)


def _pieces(blocks: Sequence[Bits]) -> list[tuple[int, int, int]]:
    """The pieces of each block: for each the number of its lowest bit, its shift in a part, and its mask.

    Bits are in one piece if they are in one word and their distances are the same in all blocks.
    """
    alike: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number, places in enumerate(zip(*blocks, strict=True)):
        alike.setdefault(tuple((place // WORD, place - places[0]) for place in places), []).append(number)
    pieces: list[tuple[int, int, int]] = []
    taken, todo = 0, sorted(alike.values(), key=len, reverse=True)
    while todo:
        numbers = sorted(todo.pop(0), key=blocks[0].__getitem__)
        first = blocks[0][numbers[0]]
        mask = sum(1 << blocks[0][number] - first for number in numbers)
        free = (at for at in range(WORD + 1 - mask.bit_length()) if not taken & mask << at)
        at = next(free, None)
        if at is None:
            todo += [[number] for number in numbers]
        else:
            pieces.append((numbers[0], at, mask))
            taken |= mask << at
    return pieces


def exchanged_colors(n_colors: int, mask: int, n_words: int) -> Words:
    """Colours that can be exchanged. mask: the bits of the first one; the others follow each."""
    if not mask:
        return NO_BLOCKS
    row = np.array([[COLORS, n_colors]], dtype=np.uint64)
    return np.hstack((row, words_of([mask], n_words).reshape(1, n_words)))


class Swapped(NamedTuple):
    """An exchange of bits.

    swaps: any bit with a higher one. one, other: its sides, see `arrange.py`; states are sorted by how many
    bits these have first.
    """

    swaps: Sequence[tuple[int, int]]
    one: int = 0
    other: int = 0


def exchanged_bits(exchanges: Sequence[Swapped]) -> Words:
    """Exchanges as rows, see `arrange.py`."""
    rows = [[int(EXCHANGES), len(exchanges), *[0] * 4]]
    for swaps, one, other in exchanges:
        of_exchange = [*_sides(one, other), *_swaps(swaps)]
        end = len(rows) - 1 + len(of_exchange)
        rows += [[end, *row] for row in of_exchange]
    return np.array(rows, dtype=np.uint64)


class Names(NamedTuple):
    """Numbers of joints after a level, of `width` bits each: mates or labels.

    shifts: the first bit of each number; None for a mate or label that does not live.
    """

    width: int
    are_mates: bool
    shifts: tuple[int | None, ...]


class Renamed(NamedTuple):
    """An exchange of joints. swaps: any bit with a higher one. image_of: for all names, for each mate."""

    swaps: Sequence[tuple[int, int]]
    image_of: Sequence[Sequence[int]]


def exchanged_names(names: Sequence[Names], exchanges: Sequence[Renamed]) -> Words:
    """Exchanges of joints as rows, see `arrange.py`."""
    n_numbers = max(1 << some.width for some in names)
    rows = [[int(NAMES), len(exchanges), len(names), n_numbers]]
    for number, some in enumerate(names):
        rows.append([len(some.shifts), some.width, int(some.are_mates)])
        for name, shift in enumerate(some.shifts):
            place = (0, 0, 0) if shift is None else (*divmod(shift, WORD), 1)
            rows.append([*place, *(image_of[number][name] for _, image_of in exchanges)])
    end = 0
    for swaps, _ in exchanges:
        of_exchange = list(_swaps(swaps))
        end += len(of_exchange)
        rows += [[end, *row] for row in of_exchange]
    n_columns = max(map(len, rows))
    return np.array([row + [0] * (n_columns - len(row)) for row in rows], dtype=np.uint64)


def _sides(one: int, other: int) -> Iterator[list[int]]:
    """In each word the bits of the two sides."""
    for word in range(1 + max(0, max(one, other).bit_length() - 1) // WORD):
        masks = (side >> WORD * word & (1 << WORD) - 1 for side in (one, other))
        yield [word, *masks, 0, 0]


def _swaps(swapped: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """The bits of an exchange that are as far from each other, the highest first."""
    together: dict[tuple[int, int, int], list[int]] = {}
    for one, other in swapped:
        (word, shift), (other_word, other_shift) = divmod(one, WORD), divmod(other, WORD)
        together.setdefault((other_word, word, other_shift - shift), []).append(shift)
    for (other_word, word, distance), shifts in sorted(together.items(), key=_highest_bits, reverse=True):
        least = min(shifts)
        yield [word, least, other_word, least + distance, sum(1 << shift - least for shift in shifts)]


def _highest_bits(some: tuple[tuple[int, int, int], Sequence[int]]) -> tuple[int, int, int]:
    """The word and the place of the highest of some bits that are swapped, and the word of the others."""
    (other_word, word, distance), shifts = some
    return other_word, max(shifts) + distance, word


def _limit(limit: Limits) -> tuple[int, ...]:
    return *divmod(limit.shift, WORD), (1 << limit.width) - 1, limit.least, limit.most
