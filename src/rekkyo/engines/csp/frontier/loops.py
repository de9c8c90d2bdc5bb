"""Joints of a loop: each is on no chosen edge or on two, so its mate says how many it has.

A reader for each joint, such as the sum of the edges at a vertex, then needs no state of its own: a state of
Hamiltonian cycles of 14x14 takes 61 bits instead of 94.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import combinations, product

from rekkyo.engines.csp.frontier.memories import (
    Counts,
    Domain,
    Parts,
    ReaderMemory,
    Remembered,
    choices_that_touch,
    numbers_of,
)
from rekkyo.engines.csp.frontier.named import NamedMemory
from rekkyo.engines.csp.frontier.rules import Joint, Joints, Pattern, Rules
from rekkyo.engines.frontier.levels import Bound, Field, Key, Loop
from rekkyo.model.csp.constraints import Variable

MOST_EDGES = 2
"""The most edges at a joint of a loop; an edge has as many joints."""


class LoopMemory(NamedMemory):
    """One set of joints that form a loop. permitted: the numbers of edges for joints at levels."""

    def __init__(self, joints: Joints, permitted: Mapping[Joint, Mapping[int, frozenset[int]]]) -> None:
        self.joints, self.are_mates = joints, True
        self._levels = sorted({level for at in permitted.values() for level in at})
        self.spans = {joint: (min(at), max(at)) for joint, at in permitted.items()}
        self._permitted = permitted
        self._living: dict[int, list[Joint]] = defaultdict(list)  # at each level
        for joint, (first, last) in self.spans.items():
            for level in range(first, last + 1):
                self._living[level].append(joint)
        self.number_of = numbers_of(self.spans)
        self.width = self.n_names.bit_length()

    @property
    def levels(self) -> Sequence[int]:
        """The levels of all edges, and of other variables that bound their numbers."""
        return self._levels

    def remembered(self) -> Iterator[Remembered]:
        """A mate for each joint while it lives, and the bit of a closed loop."""
        yield Remembered(self, 1, self._levels[0], self._levels[-1])
        for joint, (first, last) in sorted(self.spans.items()):
            yield Remembered((self, joint), self.width, first, last)

    def place_of(self, joint: Joint, fields: Mapping[Key, Field]) -> int:
        """See `NamedMemory`."""
        return fields[self, joint].shift

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """The edge of each choice, and the bounds of joints."""
        edges = tuple(
            tuple(self.number_of[joint] for joint in self.joints.touched.get((parts.variable, value), ()))
            for value in parts.domain
        )
        shifts: list[int | None] = [None] * self.n_names
        bounds = []
        for joint in self._living[parts.level]:
            shifts[self.number_of[joint]] = fields[self, joint].shift
            n_edges = self._permitted[joint].get(parts.level)
            if n_edges is not None and len(n_edges) <= MOST_EDGES:
                bounds.append(Bound(self.number_of[joint], n_edges))
        parts.loops.append(Loop(self.width, tuple(shifts), edges, tuple(bounds), fields[self].shift))


class LoopFinder:
    """Finds the joints that form a loop, and the rules that the loop replaces."""

    def __init__(
        self,
        rules: Rules,
        level_of: Sequence[int],
        domains: Sequence[Domain],
        readers: Sequence[ReaderMemory],
    ) -> None:
        self._rules, self._level_of, self._domains, self._readers = rules, level_of, domains, readers
        self.replaced: set[ReaderMemory | Pattern] = set()

    @cached_property
    def _readers_at(self) -> Mapping[int, Sequence[ReaderMemory]]:
        """The readers that read at each level."""
        found: dict[int, list[ReaderMemory]] = defaultdict(list)
        for reader in self._readers:
            for level in reader.levels_read:
                found[level].append(reader)
        return found

    @cached_property
    def _patterns(self) -> Mapping[frozenset[Variable], Sequence[Pattern]]:
        """The patterns of at most two variables, by these; few models have joints and ask for them."""
        found: dict[frozenset[Variable], list[Pattern]] = defaultdict(list)
        for pattern in self._rules.patterns:
            if len(pattern) <= MOST_EDGES:
                found[frozenset(v for v, _ in pattern)].append(pattern)
        return found

    def loop_of(self, joints: Joints) -> LoopMemory | None:
        """The loop that joints form; None where they form none.

        Every edge must have two joints, and every joint must end with no edge or two, because of a reader
        that counts its edges, or because of patterns if it has only two edges.
        """
        if joints.acyclic or {*map(len, joints.touched.values())} != {MOST_EDGES}:
            return None
        edges_at: dict[Joint, set[Variable]] = defaultdict(set)
        for (v, _), touched in joints.touched.items():
            for joint in touched:
                edges_at[joint].add(v)
        replaced: set[ReaderMemory | Pattern] = set()
        permitted: dict[Joint, Mapping[int, frozenset[int]]] = {}
        for joint, touching in choices_that_touch(joints, self._level_of, self._domains).items():
            found = self._read(touching) or self._by_patterns(edges_at[joint], touching)
            if found is None:
                return None
            permitted[joint] = found[0].at
            if found[0].says_all:
                replaced.update(found[1])
        self.replaced |= replaced
        return LoopMemory(joints, permitted)

    def _read(self, touching: Mapping[int, frozenset[int]]) -> tuple[Counts, Iterable[ReaderMemory]] | None:
        """The numbers of edges that a reader permits, and the reader."""
        for reader in self._readers_at[min(touching)]:
            counts = reader.permitted_counts(touching)
            if counts is not None and _are_of_loop(counts):
                return counts, (reader,)
        return None

    def _by_patterns(
        self, edges: Set[Variable], touching: Mapping[int, frozenset[int]]
    ) -> tuple[Counts, Iterable[Pattern]] | None:
        """The numbers of edges that patterns permit for at most two edges, and the patterns."""
        if len(edges) > MOST_EDGES:
            return None
        order = sorted(edges, key=self._level_of.__getitem__)
        subsets = [frozenset(some) for n in (1, 2) for some in combinations(order, n)]
        patterns = [pattern for some in subsets for pattern in self._patterns.get(some, ())]
        permitted: dict[int, set[int]] = {self._level_of[v]: set() for v in order}
        for row in product(*(self._domains[v] for v in order)):
            value_of = dict(zip(order, row, strict=True))
            if not any(all(value_of[v] in some for v, some in pattern) for pattern in patterns):
                n_edges = 0
                for v in order:
                    level = self._level_of[v]
                    n_edges += self._domains[v].index(value_of[v]) in touching[level]
                    permitted[level].add(n_edges)
        # One value of each variable is an edge, at most one is not: then numbers say which edges are chosen.
        says_all = all(len(self._domains[v]) <= 2 and len(touching[self._level_of[v]]) == 1 for v in order)
        counts = Counts({level: frozenset(some) for level, some in permitted.items()}, says_all)
        return (counts, patterns) if _are_of_loop(counts) else None


def _are_of_loop(counts: Counts) -> bool:
    """Whether there are always at most two edges, and in the end none or two."""
    is_few = all(max(some, default=0) <= MOST_EDGES for some in counts.at.values())
    return is_few and 1 not in counts.at[max(counts.at)]
