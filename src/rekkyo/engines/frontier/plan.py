"""The arrays for the kernels, made from levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.contract import Tally
from rekkyo.engines.frontier.arrange import COLORS, EXCHANGES, NO_BIT
from rekkyo.engines.frontier.label_kernel import NO_JOINT, ROW_SHIFT
from rekkyo.engines.frontier.levels import WORD, Choice, Join, Level, Levels, Limits, Loop, Rules
from rekkyo.engines.frontier.loop_kernel import NO_EDGE
from rekkyo.engines.frontier.rule_kernel import RuleArrays

Bits: TypeAlias = list[int]
"""The positions of the stored bits of a block."""

ModelT = TypeVar("ModelT")

NO_BLOCKS = read_only(np.zeros((0, 1), dtype=np.uint64))
NO_LIMITS = read_only(np.zeros((0, 5), dtype=np.uint64))


class LevelArrays(NamedTuple):
    """A level as arrays for the kernels, see `kernel`. Only few, because a read-only array costs 400
    instructions. Choices and marks of all levels are parts of one array.

    For states of one word the choices have two dimensions.
    """

    choices: Words
    marks: Words
    limits: Words
    rules: RuleArrays | None


@dataclass(frozen=True, slots=True, eq=False)
class FrontierPlan(Generic[ModelT]):
    """The levels of a model as arrays, and the exchanges after each level, see `kernel`."""

    model: ModelT
    levels: Levels
    arrays: tuple[LevelArrays, ...]
    blocks: tuple[Words, ...]
    _kept: list[tuple[Tally, int]] = field(default_factory=list, init=False, repr=False)

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


def plan_of(model: ModelT, levels: Levels, blocks: Sequence[Words] = ()) -> FrontierPlan[ModelT]:
    """The plan of a model with such levels. blocks: the exchanges after each level, or empty."""
    return FrontierPlan(
        model,
        levels,
        arrays=tuple(_arrays(levels)),
        blocks=tuple(map(read_only, blocks)) or (NO_BLOCKS,) * len(levels.levels),
    )


def tiny_plan(n_words: int, *, with_rules: bool) -> FrontierPlan[None]:
    """A plan of one level with one choice, by which kernels are compiled."""
    level = Level((Choice(0, 0, 0, 0),), 0, 0, 0, (), 0, Rules() if with_rules else None)
    return plan_of(None, Levels((level,), WORD * n_words, False, (0,), {}))


def _arrays(levels: Levels) -> Iterator[LevelArrays]:
    """The arrays of all levels."""
    numbers: list[int] = []
    for level in levels.levels:
        for of_choices in zip(*(choice[1:] for choice in level.choices), strict=True):
            numbers += of_choices
        numbers += level.opening, level.covered, level.required, level.keep
    n_words, end = levels.n_words, 0
    words = read_only(_words(numbers, n_words))
    for level in levels.levels:
        n_choices = len(level.choices)
        begin, end = end, end + 3 * n_choices + 4
        choices = words[begin : end - 4].reshape((3, n_choices, n_words) if n_words > 1 else (3, n_choices))
        rules = None if level.rules is None else read_only(_rules(level.rules, n_choices))
        yield LevelArrays(choices, words[end - 4 : end], _limits(level.limits), rules)


def _rules(rules: Rules, n_choices: int) -> RuleArrays:
    hops = sorted(rules.hops)
    ends = np.searchsorted([hop.choice for hop in hops], np.arange(n_choices + 1))
    bits = [[*_bit(hop.source), *_bit(hop.target)] for hop in hops]
    machines, tables = [], [np.zeros(0, dtype=np.uint16)]
    for machine in rules.machines:
        word, shift = divmod(machine.shift, WORD)
        n_states = len(machine.after[0])
        machines.append([word, shift, (1 << machine.width) - 1, sum(map(len, tables)), n_states])
        tables.append(np.array(machine.after, dtype=np.uint16).ravel())
    return RuleArrays(
        ends.astype(np.int64),
        np.array(bits, dtype=np.uint64).reshape(len(bits), 4),
        np.array(machines, dtype=np.uint64).reshape(len(machines), 5),
        np.concatenate(tables),
        np.array([number for join in rules.joins for number in _joined(join, n_choices)], dtype=np.int64),
        np.array([number for loop in rules.loops for number in _looped(loop, n_choices)], dtype=np.int64),
    )


def _joined(join: Join, n_choices: int) -> Iterator[int]:
    """The numbers of a join, see `label_kernel` and `rule_kernel`."""
    most_touched = max(map(len, join.touched), default=0)
    yield from (join.width, *divmod(join.closed, WORD), len(join.rows), len(join.endings))
    yield from (n_choices, most_touched)
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


def _bit(bit: int) -> tuple[int, int]:
    """The word of a bit, and its mask."""
    word, shift = divmod(bit, WORD)
    return word, 1 << shift


def exchanged_blocks(classes: list[list[Bits]]) -> Words:
    """Blocks of bits, in classes of which any two can be exchanged."""
    n_bits = max((len(bits) for blocks in classes for bits in blocks), default=0)
    rows = [
        [number, *bits, *[int(NO_BIT)] * (n_bits - len(bits))]
        for number, blocks in enumerate(classes)
        for bits in blocks
    ]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 1 + n_bits)


def exchanged_colors(n_colors: int, mask: int, n_words: int) -> Words:
    """Colours that can be exchanged. mask: the bits of the first one; the others follow each."""
    if not mask:
        return NO_BLOCKS
    row = np.array([[COLORS, n_colors]], dtype=np.uint64)
    return np.hstack((row, _words([mask], n_words)))


def exchanged_bits(exchanges: Iterable[Iterable[tuple[int, int]]]) -> Words:
    """Exchanges, each as the bits that it swaps."""
    rows = [[int(EXCHANGES), *[0] * 5]]
    for number, swapped in enumerate(exchanges):
        together: dict[tuple[int, int, int], list[int]] = {}
        for one, other in swapped:
            (word, shift), (other_word, other_shift) = divmod(one, WORD), divmod(other, WORD)
            together.setdefault((word, other_word, other_shift - shift), []).append(shift)
        for (word, other_word, distance), shifts in together.items():
            least = min(shifts)
            mask = sum(1 << shift - least for shift in shifts)
            rows.append([number, word, least, other_word, least + distance, mask])
    return np.array(rows, dtype=np.uint64)


def _words(numbers: Sequence[int], n_words: int) -> Words:
    """Each number as a row of words, the lowest first."""
    if n_words == 1:
        return np.array(numbers, dtype=np.uint64).reshape(len(numbers), 1)
    text = b"".join(number.to_bytes(8 * n_words, "little") for number in numbers)
    return np.frombuffer(text, dtype="<u8").reshape(len(numbers), n_words).astype(np.uint64)


def _limits(limits: tuple[Limits, ...]) -> Words:
    if not limits:
        return NO_LIMITS
    rows = [(*divmod(limit.shift, WORD), (1 << limit.width) - 1, limit.least, limit.most) for limit in limits]
    return read_only(np.array(rows, dtype=np.uint64))
