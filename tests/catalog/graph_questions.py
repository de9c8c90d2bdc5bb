"""Small graphs, and questions about them, each with all its answers by definition."""

from __future__ import annotations

from collections.abc import Callable

import rekkyo as rk
from tests import made_once as st
from tests import naive_graphs as naive

Question = tuple[Callable[[rk.Graph], rk.Puzzle], Callable[[int, naive.Edges], list[frozenset[int]]]]

OF_VERTICES: dict[str, Question] = {
    "independent sets": (lambda g: g.independent_sets(), naive.independent_sets),
    "maximal independent sets": (
        lambda g: g.independent_sets(maximal=True),
        lambda n, e: naive.maximal(naive.independent_sets(n, e)),
    ),
    "maximum independent sets": (
        lambda g: g.independent_sets(maximum=True),
        lambda n, e: naive.largest(naive.independent_sets(n, e)),
    ),
    "independent sets of two": (
        lambda g: g.independent_sets(size=2),
        lambda n, e: [s for s in naive.independent_sets(n, e) if len(s) == 2],
    ),
    "cliques": (lambda g: g.cliques(), naive.cliques),
    "maximal cliques": (
        lambda g: g.cliques(maximal=True),
        lambda n, e: naive.maximal(naive.cliques(n, e)),
    ),
    "maximum cliques": (
        lambda g: g.cliques(maximum=True),
        lambda n, e: naive.largest(naive.cliques(n, e)),
    ),
    "dominating sets": (lambda g: g.dominating_sets(minimum=False), naive.dominating_sets),
    "minimum dominating sets": (
        lambda g: g.dominating_sets(),
        lambda n, e: naive.smallest(naive.dominating_sets(n, e)),
    ),
    "dominating sets of two": (
        lambda g: g.dominating_sets(size=2),
        lambda n, e: [s for s in naive.dominating_sets(n, e) if len(s) == 2],
    ),
    "minimal dominating sets": (
        lambda g: g.dominating_sets(minimal=True),
        lambda n, e: naive.minimal(naive.dominating_sets(n, e)),
    ),
    "minimal vertex covers": (
        lambda g: g.vertex_covers(minimal=True),
        lambda n, e: naive.minimal(naive.vertex_covers(n, e)),
    ),
    "minimal vertex covers of two": (
        lambda g: g.vertex_covers(minimal=True, size=2),
        lambda n, e: [s for s in naive.minimal(naive.vertex_covers(n, e)) if len(s) == 2],
    ),
    "vertex covers": (lambda g: g.vertex_covers(minimum=False), naive.vertex_covers),
    "minimum vertex covers": (
        lambda g: g.vertex_covers(),
        lambda n, e: naive.smallest(naive.vertex_covers(n, e)),
    ),
    "vertex covers of two": (
        lambda g: g.vertex_covers(size=2),
        lambda n, e: [s for s in naive.vertex_covers(n, e) if len(s) == 2],
    ),
    "sets of vertices": (lambda g: g.vertex_sets(), lambda n, e: list(naive.subsets(n))),
    "sets of two vertices": (
        lambda g: g.vertex_sets(size=2),
        lambda n, e: [s for s in naive.subsets(n) if len(s) == 2],
    ),
    "connected sets of vertices": (
        lambda g: g.vertex_sets(connected=True),
        lambda n, e: naive.connected(n, e, naive.subsets(n)),
    ),
    "total dominating sets": (
        lambda g: g.vertex_sets(inside=range(1, 9), outside=range(1, 9)),
        lambda n, e: naive.vertex_sets(n, e, range(1, 9), range(1, 9)),
    ),
    "smallest connected dominating sets": (
        lambda g: g.vertex_sets(outside=range(1, 9), connected=True, minimum=True),
        lambda n, e: naive.smallest(naive.connected(n, e, naive.vertex_sets(n, e, range(9), range(1, 9)))),
    ),
    "perfect codes": (
        lambda g: g.vertex_sets(inside=[0], outside=[1]),
        lambda n, e: naive.vertex_sets(n, e, [0], [1]),
    ),
    "largest induced matchings": (
        lambda g: g.vertex_sets(inside={1}, maximum=True),
        lambda n, e: naive.largest(naive.vertex_sets(n, e, [1], range(9))),
    ),
    "sets with other numbers inside and outside": (
        lambda g: g.vertex_sets(inside=(3, 0, 2), outside=(0, 2)),
        lambda n, e: naive.vertex_sets(n, e, [0, 2, 3], [0, 2]),
    ),
    "even neighbourhoods": (
        lambda g: g.vertex_sets(inside=range(0, 9, 2), outside=range(0, 9, 2)),
        lambda n, e: naive.vertex_sets(n, e, range(0, 9, 2), range(0, 9, 2)),
    ),
}
OF_EDGES: dict[str, Question] = {
    "matchings": (lambda g: g.matchings(), naive.matchings),
    "maximum matchings": (
        lambda g: g.matchings(maximum=True),
        lambda n, e: naive.largest(naive.matchings(n, e)),
    ),
    "perfect matchings": (
        lambda g: g.matchings(perfect=True),
        lambda n, e: [s for s in naive.matchings(n, e) if 2 * len(s) == n],
    ),
    "maximal matchings": (
        lambda g: g.matchings(maximal=True),
        lambda n, e: naive.maximal(naive.matchings(n, e)),
    ),
    "smallest maximal matchings": (
        lambda g: g.matchings(maximal=True, minimum=True),
        lambda n, e: naive.smallest(naive.maximal(naive.matchings(n, e))),
    ),
    "shortest cycles": (lambda g: g.cycles(minimum=True), lambda n, e: naive.smallest(naive.cycles(n, e))),
    "shortest paths between two": (
        lambda g: g.paths(minimum=True, between=("0", "1")),
        lambda n, e: naive.smallest([s for s in naive.paths(n, e) if naive.degrees(n, e, s)[:2] == [1, 1]]),
    ),
    "maximal matchings of the line graph": (
        lambda g: g.line_graph().independent_sets(maximal=True),
        lambda n, e: naive.maximal(naive.matchings(n, e)),
    ),
    "cycles": (lambda g: g.cycles(hamiltonian=False), naive.cycles),
    "Hamiltonian cycles": (
        lambda g: g.cycles(),
        lambda n, e: [s for s in naive.cycles(n, e) if len(s) == n],
    ),
    "paths": (lambda g: g.paths(hamiltonian=False), naive.paths),
    "Hamiltonian paths": (
        lambda g: g.paths(),
        lambda n, e: [s for s in naive.paths(n, e) if len(s) == n - 1],
    ),
    "paths between two": (
        lambda g: g.paths(hamiltonian=False, between=("0", "1")),
        lambda n, e: [s for s in naive.paths(n, e) if naive.degrees(n, e, s)[:2] == [1, 1]],
    ),
    "paths between two, one of them given": (
        lambda g: g.paths(hamiltonian=False, start="0"),
        lambda n, e: [s for s in naive.paths(n, e) if naive.degrees(n, e, s)[0] == 1],
    ),
    "paths of three edges between two": (
        lambda g: g.paths(size=min(3, len(g.edges)), between=("0", "1")),
        lambda n, e: [
            s for s in naive.paths(n, e) if len(s) == min(3, len(e)) and naive.degrees(n, e, s)[:2] == [1, 1]
        ],
    ),
    "paths of two edges from one": (
        lambda g: g.paths(size=min(2, len(g.edges)), start="0"),
        lambda n, e: [
            s for s in naive.paths(n, e) if len(s) == min(2, len(e)) and naive.degrees(n, e, s)[0] == 1
        ],
    ),
    "spanning trees": (lambda g: g.spanning_trees(), naive.spanning_trees),
    "matchings of two edges": (
        lambda g: g.matchings(size=min(2, len(g.edges))),
        lambda n, e: [s for s in naive.matchings(n, e) if len(s) == min(2, len(e))],
    ),
    "induced cycles": (lambda g: g.cycles(induced=True), lambda n, e: naive.induced(e, naive.cycles(n, e))),
    "induced paths": (lambda g: g.paths(induced=True), lambda n, e: naive.induced(e, naive.paths(n, e))),
    "longest induced paths": (
        lambda g: g.paths(induced=True, maximum=True),
        lambda n, e: naive.largest(naive.induced(e, naive.paths(n, e))),
    ),
    "longest cycles": (lambda g: g.cycles(maximum=True), lambda n, e: naive.largest(naive.cycles(n, e))),
    "paths of as many edges as two": (
        lambda g: g.paths(size=min(2, len(g.edges))),
        lambda n, e: [s for s in naive.paths(n, e) if len(s) == min(2, len(e))],
    ),
    "induced paths between two": (
        lambda g: g.paths(induced=True, between=("0", "1")),
        lambda n, e: [s for s in naive.induced(e, naive.paths(n, e)) if naive.degrees(n, e, s)[:2] == [1, 1]],
    ),
    "sets of edges": (lambda g: g.edge_sets(), lambda n, e: list(naive.subsets(len(e)))),
    "edge covers": (
        lambda g: g.edge_sets(degrees=range(1, 9)),
        lambda n, e: naive.edge_sets(n, e, range(1, 9)),
    ),
    "smallest edge covers": (
        lambda g: g.edge_sets(degrees=range(1, 9), minimum=True),
        lambda n, e: naive.smallest(naive.edge_sets(n, e, range(1, 9))),
    ),
    "even sets of edges": (
        lambda g: g.edge_sets(degrees=(4, 2, 0)),
        lambda n, e: naive.edge_sets(n, e, (0, 2, 4)),
    ),
    "two edges at each vertex": (
        lambda g: g.edge_sets(degrees=(2,)),
        lambda n, e: naive.edge_sets(n, e, (2,)),
    ),
    "connected sets of edges": (
        lambda g: g.edge_sets(connected=True),
        lambda n, e: naive.connected_with(n, e, lambda degree: True),
    ),
    "forests": (lambda g: g.edge_sets(acyclic=True), naive.forests),
    "trees": (
        lambda g: g.edge_sets(connected=True, acyclic=True),
        lambda n, e: naive.in_both(naive.connected_with(n, e, lambda degree: True), naive.forests(n, e)),
    ),
    "largest forests with some degrees": (
        lambda g: g.edge_sets(acyclic=True, degrees=(0, 1, 3), maximum=True),
        lambda n, e: naive.largest(naive.in_both(naive.edge_sets(n, e, (0, 1, 3)), naive.forests(n, e))),
    ),
    "connected spanning sets of edges": (
        lambda g: g.edge_sets(degrees=range(1, 9), connected=True),
        lambda n, e: naive.connected_with(n, e, lambda degree: min(degree) > 0),
    ),
}


OF_WEIGHTS: dict[str, Question] = {
    "trees": (lambda g: g.spanning_trees(minimum=True), naive.spanning_trees),
    "cycles": (lambda g: g.cycles(minimum=True), naive.cycles),
    "tours": (
        lambda g: g.cycles(hamiltonian=True, minimum=True),
        lambda n, e: [s for s in naive.cycles(n, e) if len(s) == n],
    ),
    "paths": (lambda g: g.paths(minimum=True), naive.paths),
    "paths between two": (
        lambda g: g.paths(minimum=True, between=("0", "1")),
        lambda n, e: [s for s in naive.paths(n, e) if naive.degrees(n, e, s)[:2] == [1, 1]],
    ),
    "Hamiltonian paths": (
        lambda g: g.paths(hamiltonian=True, minimum=True),
        lambda n, e: [s for s in naive.paths(n, e) if len(s) == n - 1],
    ),
    "perfect matchings": (
        lambda g: g.matchings(perfect=True, minimum=True),
        lambda n, e: [s for s in naive.matchings(n, e) if 2 * len(s) == n],
    ),
    "maximal matchings": (
        lambda g: g.matchings(maximal=True, minimum=True),
        lambda n, e: naive.maximal(naive.matchings(n, e)),
    ),
    "sets of edges": (
        lambda g: g.edge_sets(degrees=(1, 2), minimum=True),
        lambda n, e: naive.edge_sets(n, e, (1, 2)),
    ),
}
"""Sets of edges with the least sum of weights, and the sets that are compared."""


@st.composite
def graphs(draw: st.DrawFn) -> rk.Graph:
    """Two to five vertices, with one edge or more."""
    n = draw(st.integers(2, 5))
    pairs = [(a, b) for b in range(n) for a in range(b)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    return rk.Graph(tuple(map(str, range(n))), tuple(edges))
