"""The states between two levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, SCATTER, Words
from rekkyo.engines.limbs import Limbs, total_of, with_limbs, wrapping

NO_SUCCESSORS = np.zeros((0, 0), dtype=np.uint32)


class Part(NamedTuple):
    """Some states, uint64[n] or uint64[n, n_words], and the number of ways to reach each."""

    states: Words
    counts: Limbs


class Passed(NamedTuple):
    """The levels from one front to the next: the nodes of each, and the states and ways after it."""

    nodes: Sequence[int]
    n_states: Sequence[int]
    ways: Sequence[int]


class Front(NamedTuple):
    """All states after some levels.

    nodes: tried since the front before; in the front of a checkpoint, at all levels so far.
    parts: no state is in two of them. successors: see `kernel.step`; None unless requested.
    level: the number of levels. passed: those since the front before, or all if they were walked again; None
    where a walk begins.
    is_slice: whether other states after these levels are missing.
    """

    parts: tuple[Part, ...]
    n_states: int
    nodes: int
    successors: NDArray[np.uint32] | None
    level: int
    passed: Passed | None = None
    is_slice: bool = False

    def with_parts(self, parts: Sequence[Part]) -> Front:
        """A slice with these parts alone, from which a walk can go on."""
        n_states = sum(len(part.states) for part in parts)
        return Front(tuple(parts), n_states, 0, None, self.level, is_slice=True)

    def stretches(self, n_states: int) -> Iterator[Part]:
        """All states, at most so many at a time; views of the parts."""
        for states, counts in self.parts:
            for first in range(0, len(states), n_states):
                yield Part(states[first : first + n_states], counts[first : first + n_states])

    @property
    def levels(self) -> Passed:
        """The levels since the front before."""
        return self.passed or Passed((self.nodes,), (self.n_states,), (self.ways,))

    @property
    def n_limbs(self) -> int:
        """The most limbs of a count."""
        return max(int(part.counts.shape[1]) for part in self.parts)

    @property
    def n_bytes(self) -> int:
        """The memory of states and counts, if all counts have as many limbs as the greatest."""
        states = self.parts[0].states
        n_words = 1 if states.ndim == 1 else states.shape[1]
        return 8 * self.n_states * (n_words + self.n_limbs)

    @property
    def ways(self) -> int:
        """The number of ways to reach them; at the end, the count."""
        return sum(total_of(part.counts) for part in self.parts)


UNBOUNDED = 1 << 62


class Bounds(NamedTuple):
    """How far a walk goes at once.

    It goes on while no more than `nodes` nodes were tried, the next level has no more than `needs` choices in
    all states, both together are no more than `together`, and there are no more than `states` states.
    """

    nodes: int = UNBOUNDED
    needs: int = UNBOUNDED
    together: int = UNBOUNDED
    states: int = UNBOUNDED

    def after(self, nodes: int) -> Bounds:
        """The bounds that are left after so many nodes."""
        return self._replace(nodes=self.nodes - nodes, together=self.together - nodes)


NO_BOUNDS = Bounds()


def hashes_of(states: Words) -> Words:
    """A hash of each state; its upper bits are the good ones."""
    mixed = np.zeros(len(states), dtype=np.uint64)
    with wrapping():
        for words in [states] if states.ndim == 1 else states.T:
            mixed ^= mixed >> HALF
            mixed ^= words
            mixed *= SCATTER
    return mixed


def taken(part: Part, chosen: NDArray[np.intp]) -> Part:
    """The chosen states of a part. (Rows of two words are taken in a fifth of the time of an index.)"""
    return Part(part.states.take(chosen, axis=0), part.counts.take(chosen, axis=0))


def joined(front: Front) -> Part:
    """All parts joined into one."""
    return concatenated(front.parts) if len(front.parts) > 1 else front.parts[0]


def concatenated(parts: Sequence[Part]) -> Part:
    """The states of all parts in a copy."""
    n_limbs = max(part.counts.shape[1] for part in parts)
    counts = (part.counts for part in parts)
    longer = [each if each.shape[1] == n_limbs else with_limbs(each, n_limbs) for each in counts]
    return Part(np.concatenate([part.states for part in parts]), np.concatenate(longer))
