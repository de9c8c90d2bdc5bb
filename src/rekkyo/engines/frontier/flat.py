"""All levels of a plan in a few arrays, and the parts of these that belong to one level.

Arrays of their own for each level took most of the time of planning a short count: an array takes some
hundreds of instructions, a level with rules has eight, and a kernel that walks many levels takes all of them.

    heads    for each level where its part of every array begins; the ends of the arrays at last
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.jit import allocating_inner_kernel

NUMBERS, LIMITS, HOP_ENDS, HOPS, MACHINES, TABLE, JOINS, LOOPS, WAYS, BLOCKS, BLOCK_WIDTH = range(11)
"""Columns of the heads. The last one is the length of a row of exchanges."""

N_MARKS = 4
"""The marks of a level, see `emit`, which follow its choices."""


class FlatArrays(NamedTuple):
    """The arrays of `LevelArrays` of all levels, and of `blocks`, one after the other; see `emit`.

    heads   : int64[n_levels + 1, 11].
    numbers : uint64[n] or uint64[n, n_words]. For each level clash, take and plus of its choices, and its
              marks.
    limits  : uint64[n, 5].
    rules   : those of all levels, or None.
    blocks  : uint64[n], row by row.
    """

    heads: NDArray[Any]
    numbers: Words
    limits: Words
    rules: RuleArrays | None
    blocks: Words


class LevelArrays(NamedTuple):
    """A level as arrays for the kernels, see `emit`.

    For states of one word the choices have two dimensions.
    """

    choices: Words
    marks: Words
    limits: Words
    rules: RuleArrays | None


def rules_of(rules: RuleArrays, head: NDArray[Any], stop: NDArray[Any]) -> RuleArrays:
    """The rules of a level, whose head is this one, and before the next head `stop`."""
    hop_ends, hops, machines, table, joins, loops, ways = rules
    return RuleArrays(
        hop_ends[head[HOP_ENDS] : stop[HOP_ENDS]],
        hops[head[HOPS] : stop[HOPS]],
        machines[head[MACHINES] : stop[MACHINES]],
        table[head[TABLE] : stop[TABLE]],
        joins[head[JOINS] : stop[JOINS]],
        loops[head[LOOPS] : stop[LOOPS]],
        ways[head[WAYS] : stop[WAYS]],
    )


def arrays_at(flat: FlatArrays, level: int) -> LevelArrays:
    """The arrays of a level, as the kernel makes them."""
    head, end = flat.heads[level], flat.heads[level + 1]
    numbers = flat.numbers[head[NUMBERS] : end[NUMBERS]]
    of_number = numbers.shape[1:]
    return LevelArrays(
        numbers[:-N_MARKS].reshape(3, (len(numbers) - N_MARKS) // 3, *of_number),
        numbers[-N_MARKS:].reshape(N_MARKS, *(of_number or (1,))),
        flat.limits[head[LIMITS] : end[LIMITS]],
        None if flat.rules is None else rules_of(flat.rules, head, end),
    )


def blocks_at(flat: FlatArrays, level: int) -> Words:
    """The exchanges after a level, as the kernel makes them."""
    head, end = flat.heads[level], flat.heads[level + 1]
    width = int(head[BLOCK_WIDTH])
    numbers = flat.blocks[head[BLOCKS] : end[BLOCKS]]
    return numbers.reshape(len(numbers) // width, width)


def without_blocks(flat: FlatArrays) -> FlatArrays:
    """The same levels, after which nothing is exchanged."""
    heads = flat.heads.copy()
    heads[:, BLOCKS], heads[:, BLOCK_WIDTH] = 0, 1
    return read_only(flat._replace(heads=heads, blocks=flat.blocks[:0]))


rules_in_kernel = allocating_inner_kernel(rules_of)
