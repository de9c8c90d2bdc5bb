"""Joints whose labels say which of them are connected; see `label_kernel` for the labels of a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rekkyo.engines.csp.frontier.memories import (
    Domain,
    Parts,
    ReaderMemory,
    Remembered,
    choices_that_touch,
    numbers_of,
)
from rekkyo.engines.csp.frontier.named import NamedMemory
from rekkyo.engines.csp.frontier.rules import Joint, Joints
from rekkyo.engines.frontier.label_kernel import MAX_ROWS
from rekkyo.engines.frontier.levels import WORD, Ending, Field, Join, Key, LabelRow
from rekkyo.errors import EngineRefuses


class JointsMemory(NamedMemory):
    """One set of joints."""

    def __init__(
        self,
        joints: Joints,
        level_of: Sequence[int],
        domains: Sequence[Domain],
        readers: Iterable[ReaderMemory],
    ) -> None:
        self.joints, self.are_mates = joints, False
        self._levels = sorted(level_of[v] for v in joints.variables)
        self.spans: dict[int, tuple[int, int]] = {}
        for (v, _), touched in joints.touched.items():
            level = level_of[v]
            for joint in touched:
                first, last = self.spans.get(joint, (level, level))
                self.spans[joint] = (min(first, level), max(last, level))
        self._endings = self._found_endings(choices_that_touch(joints, level_of, domains), readers)
        self.number_of = numbers_of(self.spans)
        n_labels = 1 + max(self.number_of.values(), default=0)
        self.width = n_labels.bit_length()
        full, rest = divmod(n_labels, WORD // self.width)
        if full >= MAX_ROWS:
            raise EngineRefuses(f"cannot label {n_labels} things that may be connected")
        self._n_labels = [WORD // self.width] * full + [rest] * (rest > 0)

    @property
    def levels(self) -> Iterable[int]:
        """The levels at which something may be touched."""
        return self._levels if self.spans else ()

    def remembered(self) -> Iterator[Remembered]:
        """Rows of labels, and the bit of the end."""
        if not self.spans:
            return
        first, last = self._levels[0], self._levels[-1]
        if self.joints.together:
            yield Remembered(self, 1, first, last)
        for row, n_labels in enumerate(self._n_labels):
            yield Remembered((self, row), self.width * n_labels, first, last)

    def place_of(self, joint: Joint, fields: Mapping[Key, Field]) -> int:
        """See `NamedMemory`."""
        row, number = divmod(self.number_of[joint], WORD // self.width)
        return fields[self, row].shift + self.width * number

    def write(self, parts: Parts, fields: Mapping[Key, Field]) -> None:
        """Add the joints that each choice touches."""
        touched = tuple(
            tuple(self.number_of[joint] for joint in self.joints.touched.get((parts.variable, value), ()))
            for value in parts.domain
        )
        rows = tuple(LabelRow(fields[self, row].shift, n) for row, n in enumerate(self._n_labels))
        endings = tuple(
            ending
            for joint, (first, last) in self.spans.items()
            if first <= parts.level <= last
            and (ending := self._ending(joint, parts.level, fields)) is not None
        )
        closed = fields[self].shift if self.joints.together else None
        parts.joins.append(Join(self.width, rows, touched, endings, closed, self.joints.acyclic))

    def _found_endings(
        self, touching: Mapping[Joint, Mapping[int, frozenset[int]]], readers: Iterable[ReaderMemory]
    ) -> dict[tuple[int, Joint], tuple[ReaderMemory, frozenset[int]]]:
        """For a level and a joint a reader and its numbers with which the joint ends there.

        Behind such a state the reader forbids all that would touch the joint later, such as the edges at a
        vertex that has two. touching: for each joint and level the choices that touch it.
        """
        readers_at: dict[int, list[ReaderMemory]] = defaultdict(list)
        for reader in readers:
            for level in reader.levels:
                readers_at[level].append(reader)
        return {
            (level, joint): (reader, numbers)
            for joint, (_, last) in self.spans.items()
            for reader in readers_at[last]
            for level, numbers in reader.idle(touching[joint])
            if numbers and level < last
        }

    def _ending(self, joint: Joint, level: int, fields: Mapping[Key, Field]) -> Ending | None:
        """When the joint ends at a level, if it may."""
        label = self.number_of[joint]
        if self.spans[joint][1] == level:
            return Ending(label, 0, 0, frozenset({0}))
        if (level, joint) not in self._endings:
            return None
        reader, numbers = self._endings[level, joint]
        return Ending(label, fields[reader].shift, fields[reader].width, numbers)
