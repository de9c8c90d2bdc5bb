"""The outline of a set of cells: the sides that belong to one cell only, joined to closed paths.

Corners are whole numbers (`Lattice.faces`), so sides are compared exactly. If two parts of a set touch in a
point, any way of joining gives the same area under the even-odd rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rekkyo.model.lattices.lattice import Corner, Face

Side: TypeAlias = tuple[Corner, Corner]


def outline(faces: Iterable[Face]) -> list[list[Corner]]:
    """Closed paths around the area of some polygons that do not overlap."""
    sides: dict[frozenset[Corner], Side] = {}
    for face in faces:
        for start, end in zip(face, (*face[1:], face[0]), strict=True):
            key = frozenset((start, end))
            if key in sides:
                del sides[key]
            else:
                sides[key] = (start, end)
    return [_without_straight_corners(loop) for loop in _loops(sides.values())]


def _loops(sides: Iterable[Side]) -> list[list[Corner]]:
    ends: dict[Corner, list[Corner]] = {}
    for start, end in sides:
        ends.setdefault(start, []).append(end)
        ends.setdefault(end, []).append(start)
    loops = []
    for first in sorted(ends):
        while ends[first]:
            loop, here = [first], _step(ends, first)
            while here != first:
                loop.append(here)
                here = _step(ends, here)
            loops.append(loop)
    return loops


def _step(ends: dict[Corner, list[Corner]], here: Corner) -> Corner:
    """Follow a remaining side, and remove it."""
    there = ends[here].pop(0)
    ends[there].remove(here)
    return there


def _without_straight_corners(loop: Sequence[Corner]) -> list[Corner]:
    """A loop without the corners at which its direction does not change."""
    before, after = [loop[-1], *loop[:-1]], [*loop[1:], loop[0]]
    return [
        corner
        for last, corner, following in zip(before, loop, after, strict=True)
        if not _is_straight(last, corner, following)
    ]


def _is_straight(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])
