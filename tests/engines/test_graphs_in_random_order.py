"""Graphs of small width whose edges come in random order: merging finds narrow orders, and counts right.

Oracles are in this file: paths and matchings by recursion, and formulas.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest

import rekkyo as rk
from rekkyo.engines.covers.frontier.engine import SOME_WAYS

Edge = tuple[int, int]


def triangulated(n: int, seed: int) -> list[Edge]:
    """The sides and diagonals of a polygon that is divided into triangles at random, and named at random."""
    draw = random.Random(seed)
    names = draw.sample(range(n), n)
    edges, left = [(n - 1, 0)], [(0, n - 1)]
    while left:
        first, last = left.pop()
        if last - first == 1:
            continue
        middle = draw.randrange(first + 1, last)
        edges += [(first, middle), (middle, last)]
        left += [(first, middle), (middle, last)]
    named = [(names[a], names[b]) for a, b in edges]
    return draw.sample(named, len(named))


def question(edges: Sequence[Edge], find: str) -> rk.Puzzle:
    """A puzzle from a file about a graph. find: its other lines."""
    lines = "\n".join(f"v{a} v{b}" for a, b in edges)
    return rk.puzzle_from_text(f'kind = "graph"\nedges = """\n{lines}\n"""\n{find}\n', "graph")


def n_paths(edges: Sequence[Edge]) -> int:
    """The paths with an edge or more, one step after the other."""
    beside: dict[int, set[int]] = {}
    for a, b in edges:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)

    def from_here(vertex: int, seen: frozenset[int]) -> int:
        return sum(1 + from_here(other, seen | {other}) for other in beside[vertex] - seen)

    return sum(from_here(vertex, frozenset({vertex})) for vertex in beside) // 2


def n_matchings(edges: Sequence[Edge]) -> int:
    """All matchings: the first edge is in it, or is not."""

    @cache
    def without(left: tuple[Edge, ...]) -> int:
        if not left:
            return 1
        (a, b), *others = left
        return without(tuple(others)) + without(tuple(e for e in others if not {a, b} & {*e}))

    return without(tuple(edges))


ALL_PATHS = 'find = "paths"\nhamiltonian = false'
ALL_MATCHINGS = 'find = "matchings"'


@pytest.mark.parametrize("seed", range(3))
def test_paths_and_matchings_of_triangulated_polygons(seed: int) -> None:
    edges = triangulated(11, seed)
    paths = rk.count(question(edges, ALL_PATHS), engine="csp-frontier", up_to="none")
    assert paths.total == n_paths(edges)
    matchings = rk.count(question(edges, ALL_MATCHINGS), engine="cover-frontier", up_to="none")
    assert matchings.total == n_matchings(edges)


def test_paths_of_a_large_polygon_take_few_states() -> None:
    """Reversing the names of the vertices gives the same total from other orders."""
    edges = triangulated(50, 3)
    renamed = [(49 - a, 49 - b) for a, b in reversed(edges)]
    found = [rk.count(question(some, ALL_PATHS), up_to="none") for some in (edges, renamed)]
    assert found[0].total == found[1].total > 10**9
    assert all(count.engine == "csp-frontier" and count.nodes < 10**6 for count in found)


def test_a_total_found_by_a_look_is_taken_where_no_two_solutions_are_alike() -> None:
    """The only symmetry of this graph is the identity. There are too few matchings for merging to pay off."""
    edges = [(0, 1), (0, 2), (2, 3), *pairwise((0, *range(4, 25)))]  # three legs of different lengths
    puzzle, total = question(edges, ALL_MATCHINGS), n_matchings(edges)
    rk.count(puzzle, engine="cover-frontier")  # loads the kernels of a look
    for up_to, unique in (("none", None), ("symmetry", total)):
        found = rk.count(puzzle, up_to=up_to)
        assert (found.engine, found.total, found.unique) == ("cover-frontier", total, unique)
    assert total < SOME_WAYS
