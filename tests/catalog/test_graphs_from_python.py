"""Graphs made in Python: from edges, other packages and names, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput

PETERSEN = rk.graph(named="petersen")


class OfNetworkx:
    """As much of a graph of networkx as is used."""

    def __init__(self, nodes: list[Any], edges: list[Any], directed: bool = False) -> None:
        self.nodes, self.edges, self.directed = nodes, edges, directed

    def is_directed(self) -> bool:
        return self.directed


WITH_A_WEIGHT: Any = [(1, 2), (2, 3, 7)]


class TestFromPython:
    def test_pairs_texts_and_names(self) -> None:
        wanted = rk.Graph(("1", "2", "3"), ((0, 1), (1, 2)))
        assert rk.graph([(1, 2), (2, 3)]) == wanted
        assert rk.graph({(1, 2): "x", (2, 3): "y"}) == wanted
        assert rk.graph("1 2\n\n 3 2 ") == wanted
        assert rk.graph([(3, 2), (1, 2)], vertices=range(1, 4)).names == wanted.names
        assert rk.graph("a b\nc").names == ("a", "b", "c")

    def test_networkx(self) -> None:
        found = rk.graph(OfNetworkx([(0, 0), (0, 1), "x"], [((0, 1), (0, 0))]))
        assert found == rk.Graph(("0,0", "0,1", "x"), ((0, 1),))
        with pytest.raises(BadInput, match="directed; take its to_undirected"):
            rk.graph(OfNetworkx([], [], directed=True))
        with pytest.raises(BadInput, match="joined twice"):
            rk.graph(OfNetworkx([1, 2], [(1, 2, 0), (1, 2, 1)]))
        assert rk.graph(OfNetworkx([3, 1], [(3, 1.0)])) == rk.Graph(("3", "1"), ((0, 1),))
        for one, other in ((1, "1"), ((0, 1), "0,1")):
            with pytest.raises(BadInput, match="two nodes of this graph of networkx are named"):
                rk.graph(OfNetworkx([one, other, 2, 3], [(one, 2), (other, 3)]))

    @pytest.mark.parametrize(
        ("ask", "complaint"),
        [
            (
                lambda: rk.graph(named="path 63").graceful_labelings(),
                "graceful labelings: 62 edges are more than the 61",
            ),
            (
                lambda: rk.graph("a b").vertex_sets(inside=[]),
                "inside are numbers such as (0, 2), one or more, not []",
            ),
            (
                lambda: rk.graph("a b").edge_sets(degrees=1),
                "degrees are numbers such as (0, 2), one or more, not 1",
            ),
            (
                lambda: rk.graph("a b").edge_sets(degrees=(0, -1)),
                "each number of degrees is a whole number from 0 to 4096, not -1",
            ),
            (
                lambda: rk.graph("a b").cycles(hamiltonian=True, induced=True),
                "hamiltonian and induced both say which vertices count; leave one out",
            ),
            (rk.graph, "give one of edges, graph6, dimacs and named, not none"),
            (lambda: rk.graph(vertices=[0]), "not none; for vertices without edges, add edges=[]"),
            (lambda: rk.graph(vertices=...), 'vertices are a list of names, such as ["a", "b"], not Ell'),
            (lambda: rk.graph("a b", named="petersen"), "not edges and named"),
            (
                lambda: rk.graph(named="petersen", vertices="ab"),
                "vertices are names for edges; named has its own, so leave them out",
            ),
            (lambda: rk.graph(graph6="DQc", vertices=["a"]), "graph6 has its own, so leave them out"),
            (lambda: rk.graph(named=5), "graph: named is a text, not 5"),
            (lambda: rk.graph("petersen"), 'would be a list of edges; write rk.graph(named="petersen")'),
            (lambda: rk.graph(" cycle 5\n"), 'write rk.graph(named="cycle 5")'),
            (lambda: rk.graph("a-b"), '"a-b" would be one vertex; write an edge as two names on a line'),
            (lambda: rk.graph(5), "edges are pairs of vertices, such as"),
            (lambda: rk.graph([5]), "edges are pairs of vertices, such as"),
            (lambda: rk.graph([(1,)]), "edges are pairs of vertices, such as"),
            (
                lambda: rk.graph(WITH_A_WEIGHT),
                "this edge has a weight, but those before it have none; give each",
            ),
            (lambda: rk.graph([(1, 1)]), 'an edge joins "1" with itself; leave it out'),
            (lambda: rk.graph([(1, 2), (2, 1)]), '"2" and "1" are joined twice; join them once'),
            (lambda: rk.graph([("", "x")]), "cannot name a vertex"),
            (lambda: rk.graph([]), "there is no vertex; name at least one"),
            (lambda: rk.graph((0, k) for k in range(1, 10**9)), "more than the 4096 vertices"),
            (lambda: rk.graph((a, b) for b in range(4096) for a in range(b)), "more than the 65536 edges"),
            (lambda: rk.Graph(("a", "a"), ()), "every vertex has a name of its own"),
            (lambda: rk.Graph(("a", "b"), ((1, 0),)), "an edge joins two vertices from 0 to 1, lesser first"),
            (lambda: rk.Graph(("a", "b"), ((0, 1), (0, 1))), "an edge appears twice"),
            (lambda: PETERSEN.colorings(1), "the number of colours is a whole number from 2 to 61, not 1"),
            (lambda: PETERSEN.independent_sets(maximal=1), "maximal is True or False, not 1"),  # type: ignore[arg-type]
            (lambda: PETERSEN.independent_sets(maximum=True, size=2), "either the maximum or the size"),
            (lambda: PETERSEN.cliques(size=11), "the size of a set is a whole number from 0 to 10, not 11"),
            (lambda: PETERSEN.paths(between=("0", "x")), 'there is no vertex "x"'),
            (lambda: PETERSEN.paths(between=("0", "0")), "a path has two different ends"),
            (lambda: PETERSEN.paths(between=(0, 10)), 'there is no vertex "10"'),
            (lambda: PETERSEN.paths(between=(0, 1, 2)), "between is a pair of vertices"),  # type: ignore[arg-type]
            (lambda: PETERSEN.paths(between="01"), "between is a pair of vertices"),  # type: ignore[arg-type]
            (lambda: rk.graph(named="star 4000").spanning_trees(), "pairs of edges that meet are more than"),
            (lambda: rk.graph(named="path 4000").cliques(), "edges of the complement are more than"),
        ],
    )
    def test_complaints(self, ask: Callable[[], object], complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            ask()
        assert complaint in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert len(str(refusal.value)) < 300


@pytest.mark.parametrize(
    "edges",
    [
        [("a-b", "c"), ("a", "b-c")],
        [("a-", "-b"), ("a", "--b")],
        [("a", "- - b"), ("a -", "- b"), ("a", "b")],
    ],
)
def test_hyphens_in_names(edges: list[tuple[str, str]]) -> None:
    graph = rk.graph(edges)
    assert len(set(graph.edge_names)) == len(edges)
    n_disjoint = sum(not {*one} & {*other} for one, other in combinations(edges, 2))
    assert rk.count(graph.matchings()).total == 1 + len(edges) + n_disjoint
    assert rk.count(graph.paths(hamiltonian=False)).total >= len(edges)
    assert len(graph.line_graph().names) == len(edges)
