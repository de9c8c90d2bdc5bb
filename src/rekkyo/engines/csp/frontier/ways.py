"""Arcs that form no cycle: a state says which of the living vertices are reached from which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rekkyo.engines.csp.frontier.memories import Memory, Parts, Remembered, numbers_of
from rekkyo.engines.csp.frontier.rules import Joint, Joints
from rekkyo.engines.frontier.levels import Field, Key, Ways
from rekkyo.errors import EngineRefuses

MOST_LIVING = 48
"""The most vertices that live at once: each has a row with a bit for each of them."""


class WaysMemory(Memory):
    """One set of arcs between joints, which are vertices."""

    def __init__(self, joints: Joints, level_of: Sequence[int]) -> None:
        self._arcs = joints.touched
        self._levels = sorted(level_of[v] for v in joints.variables)
        spans: dict[Joint, tuple[int, int]] = {}
        for (v, _), touched in joints.touched.items():
            level = level_of[v]
            for joint in touched:
                first, last = spans.get(joint, (level, level))
                spans[joint] = (min(first, level), max(last, level))
        self._spans = spans
        self._number_of = numbers_of(spans)
        self._n_numbers = 1 + max(self._number_of.values())
        if self._n_numbers > MOST_LIVING:
            raise EngineRefuses(f"cannot remember the ways between {self._n_numbers} vertices")
        self._living: dict[int, list[Joint]] = defaultdict(list)  # at each level
        for joint, (first, last) in spans.items():
            for level in range(first, last + 1):
                self._living[level].append(joint)

    @property
    def levels(self) -> Sequence[int]:
        """The levels of all arcs."""
        return self._levels

    def remembered(self) -> Iterator[Remembered]:
        """A row of bits for each joint while it lives."""
        for joint, (first, last) in sorted(self._spans.items()):
            yield Remembered((self, joint), self._n_numbers, first, last)

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """The arcs of each choice, and the joints that end."""
        shifts: list[int | None] = [None] * self._n_numbers
        for joint in self._living[parts.level]:
            shifts[self._number_of[joint]] = fields[self, joint].shift
        arcs = tuple(
            tuple(self._number_of[joint] for joint in self._arcs.get((parts.variable, value), ()))
            for value in parts.domain
        )
        ended = [self._number_of[joint] for joint, (_, last) in self._spans.items() if last == parts.level]
        parts.ways.append(Ways(tuple(shifts), arcs, frozenset(ended)))
