"""From levels to arrays, and through them: all states of one level after the other.

A model may say that blocks of items can be exchanged (`ExactCover.exchanges`), such as the columns of a
Latin square. After some levels the exchange of two blocks is a symmetry of the future if it takes every
option that is still to be decided to another such option. Then two states that differ by it have equally many
futures, and counting may take one for the other. A diagram may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.covers.counting import DEFAULT_BYTES
from rekkyo.engines.covers.frontier import kernel
from rekkyo.engines.covers.frontier.levels import (
    HANDICAP,
    ONCE_EACH,
    WORD,
    Level,
    Levels,
    Limits,
    Weights,
    make_levels,
)
from rekkyo.engines.limbs import Limbs, widened, wrapping
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover, Item

Block: TypeAlias = tuple[Item, ...]

Bits: TypeAlias = list[int]
"""The places of the bits of a block that are remembered."""


def exchangeable(model: ExactCover, levels: Levels) -> list[list[list[Bits]]]:
    """After each level: classes of two blocks or more, any two of a class exchangeable."""
    after: list[list[list[Bits]]] = [[] for _ in levels.levels]
    for family in model.exchanges:
        broken = _broken(model, levels, family)
        for level in range(len(levels.levels) - 1):
            classes: dict[object, list[Bits]] = {}
            leaders: list[int] = []
            for number, block in enumerate(family):
                leader = next((one for one in leaders if not broken[one, number][level]), number)
                if leader == number:
                    leaders.append(number)
                remembered, bits = _remembered(levels, block, level)
                classes.setdefault((leader, remembered), []).append(bits)
            found = classes.values()
            after[level] += [blocks for blocks in found if len(blocks) > 1 and 0 < len(blocks[0]) <= WORD]
    return after


def _broken(model: ExactCover, levels: Levels, family: Sequence[Block]) -> dict[tuple[int, int], list[bool]]:
    """For each two blocks, after which levels they cannot be exchanged."""
    numbers = {tuple(sorted(option)): number for number, option in enumerate(model.options)}
    broken = {}
    for one, other in combinations(range(len(family)), 2):
        image = dict(zip(family[one] + family[other], family[other] + family[one], strict=True))
        here = [False] * len(levels.levels)
        for number, option in enumerate(model.options):
            moved = numbers[tuple(sorted((image.get(item, item), color) for item, color in option))]
            # Between its own level and that of its image, one of the two is decided and the other is not.
            for level in range(levels.level_of[moved], levels.level_of[number]):
                here[level] = True
        broken[one, other] = here
    return broken


def _remembered(levels: Levels, block: Block, level: int) -> tuple[tuple[bool, ...], Bits]:
    """Which items of a block are remembered after a level, and their bits."""
    fields = [levels.fields.get(item) for item in block]
    remembered = tuple(field is not None and field.first <= level < field.last for field in fields)
    here = [field for field in fields if field is not None and field.first <= level < field.last]
    return remembered, [field.shift + bit for field in here for bit in range(field.width)]


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


@dataclass(frozen=True, slots=True, eq=False)
class FrontierPlan:
    """The levels of a model as arrays; and what can be exchanged after each, see `kernel`."""

    model: ExactCover
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


def make_plan(model: ExactCover, handicap: float = HANDICAP, weights: Weights = ONCE_EACH) -> FrontierPlan:
    """The plan of a model; handicap, weights: see `make_levels`."""
    levels = make_levels(model, handicap, weights)
    return FrontierPlan(
        model,
        levels,
        arrays=tuple(read_only(_arrays(level, levels.n_words)) for level in levels.levels),
        blocks=tuple(read_only(_blocks(classes)) for classes in exchangeable(model, levels)),
    )


def walk(
    plan: FrontierPlan,
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
    return LevelArrays(choices, marks, _limits(level.limits))


def _blocks(classes: list[list[list[int]]]) -> Words:
    n_bits = max((len(bits) for blocks in classes for bits in blocks), default=0)
    rows = [
        [number, *bits, *[int(kernel.NO_BIT)] * (n_bits - len(bits))]
        for number, blocks in enumerate(classes)
        for bits in blocks
    ]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 1 + n_bits)


def _words(numbers: list[int], n_words: int) -> Words:
    """Each number as a row of words, the lowest first."""
    text = b"".join(number.to_bytes(8 * n_words, "little") for number in numbers)
    return np.frombuffer(text, dtype="<u8").reshape(len(numbers), n_words).astype(np.uint64)


def _limits(limits: tuple[Limits, ...]) -> Words:
    rows = [(*divmod(limit.shift, WORD), (1 << limit.width) - 1, limit.least, limit.most) for limit in limits]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 5)
