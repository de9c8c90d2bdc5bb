"""A long level, in rounds, by one worker or by several.

In a round every worker emits the results of some states, and then absorbs the results that it owns by their
hash. So each worker has a separate table, and no result is in two of them. In a prototype, each worker merged
its half of the states, and the halves were merged afterwards: two workers took 1.5 times the ideal time. The
search can be stopped between rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice, pairwise
from math import ceil
from typing import Any

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.contract import Pause
from rekkyo.engines.crew import Crew
from rekkyo.engines.frontier.absorb import absorb, free_places
from rekkyo.engines.frontier.emit import emit_narrow, emit_wide, scratch_room
from rekkyo.engines.frontier.flat import LevelArrays
from rekkyo.engines.frontier.front import Front, Part, Passed
from rekkyo.engines.limbs import total_of, wrapping

MANY_STATES = 1 << 15
"""The least number of states of a long level, which takes some milliseconds."""

MANY_IF_SHARED = 1 << 13
"""The same for several workers, who share levels of a millisecond, too. Of Hamiltonian cycles of 14x14, 0.04
s are then left to one worker instead of 0.11; with half as many states as much is left, with more waiting."""

ROUND = 1 << 16
"""The results of a worker in one round, or as many as one state may have, if it works alone."""

ROUND_TOGETHER = 1 << 19
"""The results of all workers in one round.

Workers wait for each other twice in a round, some 0.2 ms. With rounds of this length two workers take 0.66 to
0.99 of the time that they take with ROUND each (Hamiltonian cycles of 14x14 0.84, Aztec diamond 12 0.88; two
hardware threads). One worker alone is not faster with longer rounds.
"""

MOST_WORKERS = 4
"""Results move from the core that emits them to the one that absorbs them, so more workers take longer.

On 16 cores, dominoes of 20x20 took 0.94, 0.93, 0.65, 0.76 and 1.54 s with 1, 2, 4, 8 and 16 workers, and
sum-free sets of 48 numbers 0.74, 0.69, 0.61, 0.57 and 0.79 s. Stretches without rounds, absorbed under a lock
for each owner, took 0.81, 0.99, 1.05, 1.39 and 1.44 s for dominoes.
"""


def results_of_round(n_workers: int) -> int:
    """The results of each worker in one round."""
    return ROUND if n_workers == 1 else ROUND_TOGETHER // n_workers


def step_together(
    front: Front,
    arrays: LevelArrays,
    blocks: Words,
    most: int,
    pause: Pause,
    crew: Crew,
    n_results: int | None = None,
) -> tuple[bool, Front]:
    """Whether there are more than `most` states after a level, and these states.

    n_results: of a worker in one round; by default as many as is fast.
    """
    n_workers = min(crew.n_workers, MOST_WORKERS)
    if n_results is None:
        n_results = results_of_round(n_workers)
    n_together = max(1, n_results // (1 + arrays.choices.shape[1]))
    pieces = iter(_pieces(front, n_together, n_workers))
    emitters = [_Emitter(front, arrays, blocks, n_together, n_workers) for _ in range(n_workers)]
    owners = [_Owner(front, number, most, n_workers) for number in range(n_workers)]
    nodes = 0
    while some := list(islice(pieces, n_workers)):
        pause()
        busy = emitters[: len(some)]
        nodes += sum(crew([partial(emitter.emit, *one) for emitter, one in zip(busy, some, strict=True)]))
        crew([partial(owner.absorb, busy) for owner in owners])
        if sum(owner.n_found for owner in owners) > most:
            return True, front
    n_states, parts = sum(owner.n_found for owner in owners), tuple(owner.part() for owner in owners)
    ways = sum(crew([partial(total_of, part.counts) for part in parts]))
    return False, Front(parts, n_states, nodes, None, front.level + 1, Passed((nodes,), (n_states,), (ways,)))


def _pieces(front: Front, n_together: int, n_workers: int) -> list[tuple[Part, int, int]]:
    """Pieces of all parts, the longest first, so that the pieces of a round are about equal.

    Parts that are a little longer than the others are not cut.
    """
    n_rounds = max(1, ceil(front.n_states / (n_together * n_workers)))
    most = min(n_together, 1 + int(1.25 * front.n_states / (n_rounds * n_workers)))
    pieces = []
    for part in front.parts:
        size = len(part.states)
        n_pieces = ceil(size / most)
        ends = [*(size * number // n_pieces for number in range(n_pieces)), size]
        pieces += [(part, first, stop) for first, stop in pairwise(ends)]
    return sorted(pieces, key=lambda piece: piece[1] - piece[2])


class _Emitter:
    """The output of a worker in a round: results for each owner, see `emit`."""

    def __init__(
        self, front: Front, arrays: LevelArrays, blocks: Words, n_together: int, n_owners: int
    ) -> None:
        shape = front.parts[0].states.shape
        room = n_together * (1 + arrays.choices.shape[1])
        self._read = (*arrays, blocks)
        self._room = room
        self.made: Words = np.empty((n_owners * room, *shape[1:]), dtype=np.uint64)
        self.origins: Words = np.empty(n_owners * room, dtype=np.uint64)
        self.ends = np.zeros(n_owners, dtype=np.int64)
        n_words = 1 if len(shape) == 1 else shape[1]
        self._scratch: Words = np.empty(scratch_room(blocks, n_words), dtype=np.uint64)
        self.part = front.parts[0]

    def emit(self, part: Part, first: int, stop: int) -> int:
        """Write the results of some states; returns the nodes."""
        emit: Any = emit_narrow if self.made.ndim == 1 else emit_wide
        self.part = part
        with wrapping():
            return int(
                emit(part.states, first, stop, *self._read, self.made, self.origins, self.ends, self._scratch)
            )

    def stretch(self, owner: int) -> tuple[int, int]:
        """The range of the results of an owner."""
        return owner * self._room, int(self.ends[owner])


class _Owner:
    """The states that a worker owns by their hash."""

    def __init__(self, front: Front, number: int, most: int, n_owners: int) -> None:
        shape = front.parts[0].states.shape
        room = min(max(1, front.n_states // n_owners), most)
        self._number, self._most = number, most
        with wrapping():
            self._places = free_places(room)
        self._found: Words = np.empty((room, *shape[1:]), dtype=np.uint64)
        self._sums: Words = np.empty((room, front.n_limbs), dtype=np.uint64)
        self.n_found = 0

    def absorb(self, emitters: Sequence[_Emitter]) -> None:
        """Merge the results of a round that it owns, unless there are too many states already."""
        for emitter in emitters:
            if self.n_found > self._most:  # `found` has no place for another state
                break
            first, stop = emitter.stretch(self._number)
            read = (emitter.made, emitter.origins, first, stop, emitter.part.counts, self._places)
            state = (self._found, self._sums, self.n_found, self._most)
            with wrapping():
                self._places, self._found, self._sums, self.n_found = absorb(*read, *state)

    def part(self) -> Part:
        """The states of this owner."""
        return Part(self._found[: self.n_found], self._sums[: self.n_found])
