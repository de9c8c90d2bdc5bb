"""Joints that a state names by numbers, as mates or labels, and what an exchange makes of these numbers.

An exchange takes each joint to the one that the images of its choices touch. The field of the joint moves to
that of its image; then a mate is replaced by its image, and labels are numbered again in their order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from rekkyo.engines.csp.frontier.exchanges import Exchange, Value
from rekkyo.engines.csp.frontier.memories import Memory
from rekkyo.engines.csp.frontier.rules import Joint, Joints
from rekkyo.engines.frontier.levels import Field, Key
from rekkyo.engines.frontier.plan import Names, Renamed

Place: TypeAlias = tuple["NamedMemory", Joint]


class NamedMemory(Memory):
    """One set of joints, each with a number of `width` bits while it lives. spans: the levels of each joint.

    are_mates: whether numbers are those of other joints; else joints with equal numbers are connected.
    """

    joints: Joints
    spans: Mapping[Joint, tuple[int, int]]
    number_of: Mapping[Joint, int]
    width: int
    are_mates: bool

    @abstractmethod
    def place_of(self, joint: Joint, fields: Mapping[Key, Field]) -> int:
        """The first bit of the number of a joint."""

    @cached_property
    def n_names(self) -> int:
        """How many numbers there are."""
        return 1 + max(self.number_of.values())

    def living_after(self, level: int) -> list[Joint]:
        """The joints that live on after a level."""
        return [joint for joint, (first, last) in self.spans.items() if first <= level < last]

    def names_after(self, level: int, fields: Mapping[Key, Field]) -> Names:
        """The places of the numbers after a level."""
        shifts: list[int | None] = [None] * self.n_names
        for joint in self.living_after(level):
            shifts[self.number_of[joint]] = self.place_of(joint, fields)
        return Names(self.width, self.are_mates, tuple(shifts))

    @cached_property
    def touching(self) -> Mapping[Joint, frozenset[Value]]:
        """The values that touch each joint."""
        touching: dict[Joint, set[Value]] = defaultdict(set)
        for value, touched in self.joints.touched.items():
            for joint in touched:
                touching[joint].add(value)
        return {joint: frozenset(some) for joint, some in touching.items()}


def renamed_by(
    exchange: Exchange, named: Sequence[NamedMemory], level: int, fields: Mapping[Key, Field]
) -> Renamed | None:
    """The bits of joints that an exchange swaps after a level, and the images of mates; None if it cannot be
    made.
    """
    images = _images(exchange, named, level)
    if images is None:
        return None
    swaps: set[tuple[int, int]] = set()
    for (one, joint), (other, image) in images.items():
        shift, onto = one.place_of(joint, fields), other.place_of(image, fields)
        swaps.update((shift + bit, onto + bit) for bit in range(one.width) if shift < onto)
        if one in fields and fields[one].shift < fields[other].shift:  # the bit of a closed component
            swaps.add((fields[one].shift, fields[other].shift))
    numbers = [list(range(memory.n_names)) for memory in named]
    for memory, renamed in zip(named, numbers, strict=True):
        for joint in memory.living_after(level) if memory.are_mates else ():
            renamed[memory.number_of[joint]] = memory.number_of[images[memory, joint][1]]
    return Renamed(sorted(swaps), numbers)


def _images(exchange: Exchange, named: Sequence[NamedMemory], level: int) -> dict[Place, Place] | None:
    """The images of the joints that live on after a level: those of a set are in one set, of which a state
    remembers the same. None if some joint has no image, or two joints are touched by the same values.
    """
    living = [(memory, joint) for memory in named for joint in memory.living_after(level)]
    place_of = {memory.touching[joint]: (memory, joint) for memory, joint in living}
    images: dict[Place, Place] = {}
    onto: dict[NamedMemory, NamedMemory] = {}
    for memory, joint in living:
        touching = frozenset(exchange.moves.get(value, value) for value in memory.touching[joint])
        image = place_of.get(touching)
        if image is None or onto.setdefault(memory, image[0]) is not image[0]:
            return None
        images[memory, joint] = image
    are_alike = all(
        one is other or (one.width == other.width and not one.are_mates and not other.are_mates)
        for one, other in onto.items()
    )
    return images if are_alike and len(place_of) == len(living) else None
