"""The permutations of a group that leave some points where they are, and one that takes them to others.

Algorithm: Schreier's lemma, point by point. Of its generators, which grow fast, Sims' filter keeps one for
each first point that moves and each image of that, so there are never more than the orbits have points.
Source: Seress, Permutation Group Algorithms (2003), section 4.1; Sims, Computation with permutation groups
(SYMSAC 1971). No element is listed, so the group may have any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rekkyo.symmetry.automorphisms import Permutation
from rekkyo.symmetry.permutations import after, inverse


def keeping(
    generators: Sequence[Permutation], points: Sequence[int], images: Sequence[int] | None = None
) -> tuple[list[Permutation], Permutation | None]:
    """Generators of the elements that leave each point where it is, and one that takes each to its image.

    generators: one or more. images: of the points; without them, or if there is no such element, it is None.
    """
    kept, identity = list(generators), tuple(range(len(generators[0])))
    taking = None if images is None else identity
    for number, point in enumerate(points):
        ways = _ways_from(point, kept, identity)
        if images is not None and taking is not None:
            way = ways.get(taking.index(images[number]))
            taking = None if way is None else after(taking, way)
        kept = _filtered(_that_leave(kept, ways))
    return kept, taking


def _ways_from(
    point: int, generators: Sequence[Permutation], identity: Permutation
) -> dict[int, Permutation]:
    """For each point of the orbit of `point`, an element that takes `point` there."""
    ways = {point: identity}
    for here in (orbit := [point]):  # grows while it is walked
        for generator in generators:
            there = generator[here]
            if there not in ways:
                ways[there] = after(generator, ways[here])
                orbit.append(there)
    return ways


def _that_leave(generators: Sequence[Permutation], ways: dict[int, Permutation]) -> Iterator[Permutation]:
    """The generators, by Schreier's lemma, of the elements that leave the point where the ways begin."""
    back = {there: inverse(way) for there, way in ways.items()}
    for here, way in ways.items():
        for generator in generators:
            yield after(back[generator[here]], after(generator, way))


def _filtered(permutations: Iterable[Permutation]) -> list[Permutation]:
    """Permutations that generate the same group. No two agree on their first moved point and its image."""
    kept: list[Permutation] = []
    back: dict[tuple[int, int], Permutation] = {}
    for permutation in permutations:
        rest = permutation
        while (moved := next((at for at, image in enumerate(rest) if at != image), None)) is not None:
            key = moved, rest[moved]
            if key not in back:
                kept.append(rest)
                back[key] = inverse(rest)
                break
            rest = after(back[key], rest)
    return kept
