"""Random samples of a search, for estimates before any long work.

Each draw follows random decisions down to some depth and searches everything below. What it finds, times
the number of choices at every decision drawn, has the number of solutions as its expectation, and the same
holds for the nodes. Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29 (1975); the full search below is the idea of W. Trump's estimates of magic squares.

Engines with a compiled search for this offer a `Sampler`; for all others `ShardSampler` draws shards. Left
out on purpose: drawing choices with unequal probabilities, which needs to know the puzzle.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import HALF, Word, Words
from rekkyo.engines.contract import NO_LIMIT, ListingEngine, Room, Shard, no_pause
from rekkyo.jit import inner_kernel
from rekkyo.model.row import RowShape

SHARD_LEVELS = (1 << 14, 1 << 12, 1 << 9, 1 << 6, 1)
"""The numbers of shards that `ShardSampler` cuts."""

BLOCK_ROWS, SLICE_NODES, OUT_ROWS = 1 << 12, 1 << 20, 1 << 8


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Results of some draws. solutions, nodes : float64[n_draws], each an unbiased estimate for the search.

    tried: nodes tried for all of them together.
    """

    solutions: NDArray[np.float64]
    nodes: NDArray[np.float64]
    tried: int


class Sampler(ABC):
    """Draws from one plan. Safe to share between threads.

    draw_cost: the nodes that take about as long as a draw without its nodes.
    """

    draw_cost: ClassVar[int] = 8

    @property
    @abstractmethod
    def levels(self) -> Sequence[int]:
        """How far down decisions may be drawn, deepest first; the last is the whole search if possible."""

    def n_shards(self, level: int) -> int:
        """How many shards must be cut before a draw of this level; cutting is slow."""
        return 1

    @abstractmethod
    def is_whole(self, level: int) -> bool:
        """Whether a draw of this level leaves nothing to chance."""

    @abstractmethod
    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        """Make draws; fewer than n_draws if they would take more than `budget` nodes.

        seed: 1 … 2^64 - 1. The same seed gives the same draws every time.
        """


class ShardSampler(Sampler):
    """Draws whole shards: for any listing engine. A level is a number of shards."""

    draw_cost: ClassVar[int] = 2000

    def __init__(self, engine: ListingEngine[Any, Any], plan: Any, shape: RowShape) -> None:
        self._engine, self._plan, self._shape = engine, plan, shape
        self._shards: dict[int, tuple[Shard, ...]] = {}

    @property
    def levels(self) -> Sequence[int]:
        """Numbers of shards, most first."""
        return SHARD_LEVELS

    def n_shards(self, level: int) -> int:
        """A level is that number."""
        return level

    def is_whole(self, level: int) -> bool:
        """Whether there is one shard at most."""
        return len(self._cut(level)) <= 1

    def _cut(self, level: int) -> tuple[Shard, ...]:
        if level not in self._shards:
            self._shards[level] = self._engine.split(self._plan, level)
        return self._shards[level]

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        """Search shards drawn with equal probability, the same shard more than once if it comes up."""
        shards = self._cut(level)
        if not shards:
            return Draws(np.zeros(n_draws), np.zeros(n_draws), 0)
        cutting = sum(shard.nodes for shard in shards)
        chooser = random.Random(seed)
        solutions: list[float] = []
        nodes: list[float] = []
        tried = 0
        while len(solutions) < n_draws:
            left = None if budget is None else budget - tried
            found = self._searched(chooser.choice(shards), left)
            if found is None:
                break
            tried += found[1]
            solutions.append(float(len(shards) * found[0]))
            nodes.append(float(len(shards) * found[1] + cutting))
        return Draws(np.array(solutions), np.array(nodes), tried)

    def whole(self, budget: int) -> Draws:
        """One draw of all shards, which leaves nothing to chance; none if the budget has too few nodes."""
        shards = self._cut(SHARD_LEVELS[-1])
        solutions, nodes = 0, sum(shard.nodes for shard in shards)
        for shard in shards:
            found = self._searched(shard, budget - nodes) if nodes < budget else None
            if found is None:
                return Draws(np.zeros(0), np.zeros(0), nodes)
            solutions, nodes = solutions + found[0], nodes + found[1]
        return Draws(np.array([float(solutions)]), np.array([float(nodes)]), nodes)

    def _searched(self, shard: Shard, budget: int | None) -> tuple[int, int] | None:
        """Solutions and nodes of a shard; None if it has more nodes than the budget."""
        room = Room.of(self._shape, BLOCK_ROWS)
        slice_nodes = SLICE_NODES if budget is None else max(1, min(SLICE_NODES, budget))
        n_solutions = n_nodes = 0
        for block in self._engine.blocks(self._plan, shard, room, slice_nodes, no_pause):
            n_solutions += len(block.rows)
            n_nodes += block.nodes
            if budget is not None and n_nodes > budget:
                return None
        return n_solutions, n_nodes


class KernelSampler(Sampler):
    """Draws the first decisions of a search in a fixed order, and searches the rest, all in one kernel.

    A level is a number of decisions that are drawn. length: of a row, a decision for each position.
    n_starts: out of how many beginnings one is drawn before that, such as common sums.
    draws: the kernel, given its plan and a fresh cursor at each call; it takes, and returns:

        n_random, budget : decisions to draw, 0 … length - 1; nodes.
        state            : uint64[1], in and out. See `draw_below`.
        out              : uint8[n_rows, length], scratch.
        solutions, nodes : float64[n_draws], out. What each draw stands for.
        returns (draws made, nodes tried), once the arrays are full or the budget is spent.
    """

    def __init__(self, length: int, n_starts: int, draws: Callable[..., Any]) -> None:
        self._length, self._n_starts, self._draws = length, n_starts, draws

    @property
    def levels(self) -> Sequence[int]:
        """All decisions but one, down to none."""
        return range(self._length - 1, -1, -1)

    def is_whole(self, level: int) -> bool:
        """Whether there is neither a decision nor a choice of beginnings."""
        return self._n_starts == 0 or (level == 0 and self._n_starts == 1)

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        """See the contract."""
        solutions, nodes = np.zeros(n_draws), np.zeros(n_draws)
        if not self._n_starts:
            return Draws(solutions, nodes, 0)
        most, state = NO_LIMIT if budget is None else budget, np.array([seed], dtype=np.uint64)
        out = unfilled((OUT_ROWS, self._length), np.uint8)
        n_made, tried = self._draws(level, most, state, out, solutions, nodes)
        return Draws(solutions[:n_made], nodes[:n_made], int(tried))


@inner_kernel
def next_random(state: Words) -> Word:
    """The next random word. state : uint64[...], in/out; its first word, not 0, is the last random word.

    Source: G. Marsaglia, "Xorshift RNGs" (2003).
    """
    word: Word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return word


@inner_kernel
def draw_below(state: Words, n: Word) -> Word:
    """A random number from 0 to n - 1. The probabilities of two numbers differ by at most n / 2^32 of one.

    state : see `next_random`.
    """
    return np.uint64(((next_random(state) >> HALF) * n) >> HALF)
