"""Elements of order two of a permutation group: those among powers of generators, and their conjugates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from rekkyo.symmetry.automorphisms import Permutation
from rekkyo.symmetry.model_graphs import ModelGraph
from rekkyo.symmetry.stabilizers import order_of

MOST_MOVED = 1 << 22
"""Images of vertices while symmetries are conjugated with generators; that takes some tenths of a second."""

IN_ORDER = np.dtype(">u4")
"""The bytes of such arrays compare as the numbers do."""


def involutions_of(graph: ModelGraph, n_vertices: int, most: int, work: int) -> Iterator[Permutation]:
    """As `involutions`, on the first vertices of a graph; none if its symmetry takes too much work."""
    automorphisms = graph.automorphisms(work)
    generators = [] if automorphisms is None else [one[:n_vertices] for one in automorphisms.generators]
    return involutions(generators, min(most, MOST_MOVED // max(1, n_vertices * len(generators))))


def involutions(generators: Sequence[Permutation], most: int) -> Iterator[Permutation]:
    """At most `most` elements of order two, those that move the fewest things first.

    Of those that move the same things, another one comes only after all that move other things, as many: two
    stacks of a sudoku can be exchanged in 36 ways, which differ by exchanges of columns.
    """
    arrays = [np.array(generator, dtype=np.intp) for generator in generators]
    todo: list[tuple[int, int, bytes]] = []
    seen: set[bytes] = set()
    n_alike: Counter[bytes] = Counter()

    def add(involution: NDArray[np.intp]) -> None:
        known = involution.astype(IN_ORDER).tobytes()
        if known not in seen:
            seen.add(known)
            moved = np.flatnonzero(involution != np.arange(len(involution)))
            heappush(todo, (len(moved), n_alike[moved.tobytes()], known))
            n_alike[moved.tobytes()] += 1

    for involution in map(_involution, arrays):
        if involution is not None:
            add(involution)
    n_found = 0
    while todo and n_found < most:
        involution = np.frombuffer(heappop(todo)[-1], IN_ORDER).astype(np.intp)
        n_found += 1
        yield tuple(involution.tolist())
        for array in arrays:
            renamed = np.empty_like(involution)
            renamed[array] = array[involution]
            add(renamed)


def _involution(permutation: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """The power of a permutation that has order two; None if its order is odd."""
    order = order_of(permutation)
    if order % 2:
        return None
    power, square, times = np.arange(len(permutation)), permutation, order // 2
    while times:
        power = square[power] if times % 2 else power
        square, times = square[square], times // 2
    return power
