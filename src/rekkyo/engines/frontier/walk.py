"""From levels to arrays, and through them: all states of one level after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.frontier import kernel
from rekkyo.engines.frontier.levels import WORD, Level, Levels, Limits, Rules
from rekkyo.engines.frontier.rule_kernel import NO_JOINT, RuleArrays
from rekkyo.engines.limbs import Limbs, widened, wrapping
from rekkyo.errors import EngineRefuses

DEFAULT_BYTES = 4 << 30
"""How much memory a search may take unless it is told otherwise."""

Bits: TypeAlias = list[int]
"""The places of the bits of a block that are remembered."""

ModelT = TypeVar("ModelT")

MOST_DIRECT_BITS = 22
"""States of so many bits have a table with a place for each: 16 MB."""

NO_TABLE = np.zeros(0, dtype=np.uint32)
NO_BLOCKS = read_only(np.zeros((0, 1), dtype=np.uint64))


class LevelArrays(NamedTuple):
    """A level as the kernels read it, see `kernel`. Few arrays: a read-only one costs 400 instructions.

    For states of one word the choices have two dimensions.
    """

    choices: Words
    marks: Words
    limits: Words
    rules: RuleArrays | None


@dataclass(frozen=True, slots=True, eq=False)
class FrontierPlan(Generic[ModelT]):
    """The levels of a model as arrays; and what can be exchanged after each, see `kernel`."""

    model: ModelT
    levels: Levels
    arrays: tuple[LevelArrays, ...]
    blocks: tuple[Words, ...]


class Front(NamedTuple):
    """All states after some levels, and in how many ways each is reached; nodes: tried at the last level.

    successors: see `kernel.step_narrow`; None unless they were asked for.
    """

    states: Words
    counts: Limbs
    nodes: int
    successors: NDArray[np.uint32] | None


def plan_of(model: ModelT, levels: Levels, blocks: Sequence[Words] = ()) -> FrontierPlan[ModelT]:
    """The plan of a model with such levels. blocks: what can be exchanged after each level, or nothing."""
    return FrontierPlan(
        model,
        levels,
        arrays=tuple(read_only(_arrays(level, levels.n_words)) for level in levels.levels),
        blocks=tuple(map(read_only, blocks)) or (NO_BLOCKS,) * len(levels.levels),
    )


def walk(
    plan: FrontierPlan[Any],
    most_bytes: int = DEFAULT_BYTES,
    *,
    with_successors: bool = False,
    counting: bool = True,
) -> Iterator[Front]:
    """The states after each level, first those before the first one. Raises EngineRefuses.

    most_bytes: what the states of two levels, their counts and their table may take, and the successors of
    all levels. counting: whether counts are wanted; else they have no limbs.
    """
    n_words = plan.levels.n_words
    is_narrow = n_words == 1
    states: Words = np.zeros(1 if is_narrow else (1, n_words), dtype=np.uint64)
    counts: Limbs = np.ones((0 if plan.levels.is_hopeless else 1, int(counting)), dtype=np.uint64)
    states = states[: len(counts)]
    table = NO_TABLE
    if is_narrow and plan.levels.n_bits <= MOST_DIRECT_BITS:
        table = np.full(1 << plan.levels.n_bits, kernel.FREE, dtype=np.uint32)
    step: Any = kernel.step_narrow if is_narrow else kernel.step_wide
    tables = (table,) if is_narrow else ()
    bytes_left = most_bytes
    yield Front(states, counts, 0, None)
    for number, arrays in enumerate(plan.arrays):
        successors = None
        if with_successors:
            shape = (len(states), 1 + arrays.choices.shape[1])
            bytes_left -= 4 * shape[0] * shape[1]
            if bytes_left < 0:
                raise too_many_states(number, len(plan.arrays), most_bytes)
            successors = np.full(shape, kernel.FREE, dtype=np.uint32)
        blocks = NO_BLOCKS if with_successors else plan.blocks[number]
        while True:
            # Two fronts, one of them while it grows with its copy, and up to 16 bytes of table for a state.
            row_bytes = 3 * 8 * (n_words + counts.shape[1]) + 16
            most = max(1, min(bytes_left // row_bytes, (1 << 32) - 2))
            with wrapping():
                outcome, *rest = step(states, counts, *arrays, *tables, blocks, most, successors)
            if outcome != kernel.COUNT_TOO_LONG:
                break
            counts = widened(counts)
        if outcome == kernel.TOO_MANY_STATES:
            raise too_many_states(number, len(plan.arrays), most_bytes)
        states, counts, nodes = rest
        yield Front(states, counts, int(nodes), successors)


def too_many_states(level: int, n_levels: int, most_bytes: int) -> EngineRefuses:
    """The answer when the memory is used up."""
    return EngineRefuses(
        f"merging equal states takes more than {most_bytes / (1 << 30):.3g} GB for this puzzle"
        f" (at level {level} of {n_levels}): too few of them are equal; choose an engine that lists"
    )


def _arrays(level: Level, n_words: int) -> LevelArrays:
    numbers = [getattr(choice, name) for name in ("clash", "take", "plus") for choice in level.choices]
    choices = _words(numbers, n_words).reshape((3, -1, n_words) if n_words > 1 else (3, -1))
    marks = _words([level.opening, level.covered, level.required, level.keep], n_words)
    rules = None if level.rules is None else _rules(level.rules, len(level.choices))
    return LevelArrays(choices, marks, _limits(level.limits), rules)


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
    joins: list[int] = []
    for join in rules.joins:
        most_touched = max(map(len, join.touched), default=0)
        joins += [join.width, *divmod(join.closed, WORD)]
        joins += [len(join.shifts), len(join.endings), n_choices, most_touched]
        for shift in join.shifts:
            joins += divmod(shift, WORD)
        for ending in join.endings:
            joins += [ending.place, *divmod(ending.shift, WORD), (1 << ending.width) - 1]
            joins.append(sum(1 << number for number in ending.numbers))
        for touched in join.touched:
            joins += [*touched, *[NO_JOINT] * (most_touched - len(touched))]
    return RuleArrays(
        ends.astype(np.int64),
        np.array(bits, dtype=np.uint64).reshape(len(bits), 4),
        np.array(machines, dtype=np.uint64).reshape(len(machines), 5),
        np.concatenate(tables),
        np.array(joins, dtype=np.int64),
    )


def _bit(bit: int) -> tuple[int, int]:
    """The word of a bit, and its mask."""
    word, shift = divmod(bit, WORD)
    return word, 1 << shift


def exchanged_blocks(classes: list[list[Bits]]) -> Words:
    """Blocks of bits, in classes of which any two can be exchanged."""
    n_bits = max((len(bits) for blocks in classes for bits in blocks), default=0)
    rows = [
        [number, *bits, *[int(kernel.NO_BIT)] * (n_bits - len(bits))]
        for number, blocks in enumerate(classes)
        for bits in blocks
    ]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 1 + n_bits)


def exchanged_colors(n_colors: int, mask: int, n_words: int) -> Words:
    """Colours that can be exchanged. mask: the bits of the first one; the others follow each."""
    if not mask:
        return NO_BLOCKS
    row = np.array([[kernel.COLORS, n_colors]], dtype=np.uint64)
    return np.hstack((row, _words([mask], n_words)))


def _words(numbers: list[int], n_words: int) -> Words:
    """Each number as a row of words, the lowest first."""
    text = b"".join(number.to_bytes(8 * n_words, "little") for number in numbers)
    return np.frombuffer(text, dtype="<u8").reshape(len(numbers), n_words).astype(np.uint64)


def _limits(limits: tuple[Limits, ...]) -> Words:
    rows = [(*divmod(limit.shift, WORD), (1 << limit.width) - 1, limit.least, limit.most) for limit in limits]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 5)
