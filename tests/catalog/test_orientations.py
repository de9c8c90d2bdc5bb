"""Orientations of graphs: against their definitions and published counts, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import example, given, settings

import rekkyo as rk
from tests import made_once as st
from tests import naive_graphs as naive
from tests.catalog.graph_questions import graphs


@example(rk.Graph(tuple("abc"), ((0, 1), (1, 2))), range(9), False)  # a path, turned around
@given(graphs(), st.sampled_from([range(9), (0, 2), (1,)]), st.booleans())
@settings(max_examples=20)
def test_orientations_by_definition(graph: rk.Graph, out: Iterable[int], acyclic: bool) -> None:
    n, numbers = len(graph.names), set(out)
    puzzle = graph.orientations(acyclic=acyclic, out=numbers)
    wanted = naive.orientations(n, graph.edges, numbers, acyclic=acyclic)
    assert set(rk.solve(puzzle, workers=1)) == wanted
    moves = [[(p[a], p[b]) for a, b in graph.edges] for p in permutations(range(n))]
    numbered = {edge: k for k, edge in enumerate(graph.edges)}
    moves = [arcs for arcs in moves if {(min(arc), max(arc)) for arc in arcs} == set(numbered)]

    def moved(row: tuple[int, ...], arcs: list[tuple[int, int]]) -> tuple[int, ...]:
        turned = {(min(arc), max(arc)): x ^ (arc[0] > arc[1]) for arc, x in zip(arcs, row, strict=True)}
        return tuple(turned[edge] for edge in graph.edges)

    orbits = {min(moved(row, arcs) for arcs in moves) for row in wanted}
    assert rk.count(puzzle, workers=1).unique == len(orbits)
    eulerian = graph.orientations(eulerian=True)
    assert set(rk.solve(eulerian, workers=1)) == naive.orientations(n, graph.edges, range(9), eulerian=True)


@pytest.mark.parametrize(
    ("name", "how", "total", "unique"),
    [
        ("complete 6", {}, 2**15, 56),
        ("complete 5", {"acyclic": True}, 120, 1),
        ("complete 7", {"eulerian": True}, 2640, 3),
        ("complete 4", {"eulerian": True}, 0, 0),
        ("hypercube 3", {"acyclic": True}, 1862, 54),
        ("grid 3 3", {"acyclic": True}, 2398, 345),
        ("grid 4 4", {"acyclic": True}, 5015972, 627829),
        ("torus 4 4", {"eulerian": True}, 2970, 21),
    ],
)
def test_published_numbers_of_orientations(name: str, how: dict[str, Any], total: int, unique: int) -> None:
    """OEIS A000568: tournaments. A007079: regular ones. A140986, A334248: acyclic orientations of a hypercube.
    A080690: of a grid. A054759: Eulerian ones of a torus (ice). The last engine uses Burnside's lemma.
    """
    puzzle = rk.graph(named=name).orientations(**how)
    for engine in (None, "csp-frontier"):
        counted = rk.count(puzzle, engine=engine)
        assert (counted.total, counted.unique) == (total, unique)


def test_orientations_of_a_graph_without_edges() -> None:
    alone = rk.graph("a")
    for puzzle in (alone.orientations(eulerian=True), alone.orientations(acyclic=True, out=(0,))):
        assert rk.count(puzzle).total == 1
    assert rk.count(alone.orientations(out=(1,))).total == 0


def test_directions_are_arrows() -> None:
    puzzle = rk.graph("a b\nb c").orientations()
    assert [rk.board(puzzle, row).split("\n")[:2] for row in ((0, 0), (0, 1))] == [
        ["a-b = >", "b-c = >"],
        ["a-b = >", "b-c = <"],
    ]
    assert rk.svg(puzzle, (0, 1)) != rk.svg(puzzle, (0, 0))
    assert rk.svg(puzzle, (0, 1)).count("rk-stick") > rk.svg(puzzle).count("rk-stick")
