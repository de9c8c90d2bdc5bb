"""The number of nodes of a walk at each depth: counted for a short walk, else estimated from a random part.

The estimate repeats the walk, and descends only from some of the nodes of a depth, evenly spaced from a
random start; a visited node is weighted by the inverse of the share of visited nodes. So the estimate is
unbiased for every tree. The shares are chosen first, depth by depth, so that no depth takes more than WIDTH
nodes. The idea is from D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29 (1975), with many parallel paths instead of one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from rekkyo.methods.walks.walk import Moves

WIDTH = 200
REPEATS = 10
SEED = 1


@dataclass(frozen=True, slots=True)
class Depths:
    """nodes[d - 1]: the number of nodes with d decisions. is_exact: counted, not estimated.

    is_whole: whether there are no nodes at greater depths, so far as the estimate goes.
    """

    nodes: tuple[float, ...]
    is_exact: bool
    is_whole: bool = True


@dataclass(slots=True)
class _Pass:
    """One walk. shares[d - 1]: the share of the nodes of depth d from which it descends; 0 beyond."""

    shares: list[float]
    chance: random.Random
    most: int | None = None
    met: list[int] = field(default_factory=list)
    weighed: list[float] = field(default_factory=list)
    n_moves: int = 0
    is_whole: bool = True

    def walk(self, moves: Moves) -> _Pass:
        """Walk to the end, or until `most` moves are made."""
        depth = 0
        spread = [self.chance.random() for _ in self.shares]
        weights = [1.0]
        skip: bool | None = None
        while True:
            try:
                move = moves.send(skip)
            except StopIteration:
                return self
            skip = None
            self.n_moves += 1
            if self.most is not None and self.n_moves > self.most:
                self.is_whole = False
                return self
            if move.kind == "place":
                self._count(depth, weights[-1])
                share = self.shares[depth] if depth < len(self.shares) else 0.0
                if depth < len(spread):
                    spread[depth] += share
                    skip = spread[depth] < 1
                    spread[depth] -= not skip
                else:
                    skip = True
                depth += 1
                weights.append(weights[-1] / share if share else 0.0)
            elif move.kind == "lift":
                depth -= 1
                weights.pop()

    def _count(self, depth: int, weight: float) -> None:
        if depth == len(self.met):
            self.met.append(0)
            self.weighed.append(0.0)
        self.met[depth] += 1
        self.weighed[depth] += weight


def nodes_by_depth(
    walk: Callable[[], Moves], length: int, most_moves: int, most_estimating: int | None = None
) -> Depths:
    """walk: begins a new walk. length: the most decisions. most_moves: of a walk that is counted in full.

    most_estimating: the moves of walks of an estimate after which it goes no deeper.
    """
    chance = random.Random(SEED)
    whole = _Pass([1.0] * length, chance, most_moves).walk(walk())
    if whole.is_whole:
        return Depths(tuple(whole.weighed), is_exact=True)
    shares: list[float] = []
    n_moves, is_whole = 0, False
    while not is_whole and (most_estimating is None or n_moves < most_estimating):
        done = _Pass(shares, chance).walk(walk())
        n_moves += done.n_moves
        is_whole = len(done.met) <= len(shares)
        if not is_whole:
            shares.append(min(1.0, WIDTH / done.met[-1]))
            is_whole = len(shares) == length
    passes = [_Pass(shares, chance).walk(walk()).weighed for _ in range(REPEATS)]
    sums = (sum(one[depth] for one in passes if depth < len(one)) for depth in range(length))
    means = [total / REPEATS for total in sums]
    while means and means[-1] == 0:
        means.pop()
    return Depths(tuple(means), is_exact=False, is_whole=is_whole)
