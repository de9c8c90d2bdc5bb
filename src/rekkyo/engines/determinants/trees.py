"""Engine `csp-determinant`: counts the spanning trees of a graph.

By the matrix-tree theorem, a minor of the Laplacian matrix is the number of spanning trees. Source: G.
Kirchhoff (1847); for directed graphs W. T. Tutte, "The dissection of equilateral triangles into equilateral
triangles" (1948).

A tree that a symmetry leaves unchanged has a vertex or an edge that the symmetry maps to itself. Let that be
the root. The symmetry maps the edge from a vertex towards the root to the edge from the vertex's image, so
the orbit of the edge is as large as the orbit of the vertex. Therefore these trees are the ways to choose for
each orbit of vertices, except the root, an orbit of edges of the same size, so that all ways lead to the
root: spanning trees of a directed graph of orbits. If several vertices are fixed, any one of them is the
root; if none is, one of the edges whose ends are exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rekkyo.engines.determinants.engine import DeterminantCounter, DeterminantPlan
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.determinants.stated_trees import Graph, Vertex, spanning_trees_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.chain import least_of_cycles

Arcs: TypeAlias = Counter[tuple[Vertex, Vertex]]
"""For each ordered pair of vertices, the number of arcs from the first to the second."""


class CspDeterminant(DeterminantCounter[Csp]):
    """The model says of a set of edges that it is connected, without a cycle, and covers each vertex."""

    model_type = Csp
    model_words = "constraint satisfaction problems"
    name = "csp-determinant"
    summary = "counts the spanning trees of a graph, stated as constraints, by a determinant"

    def limits(self, model: Csp) -> str | None:
        """Reject all other models."""
        return "counts spanning trees only" if spanning_trees_of(model) is None else None

    def make_plan(self, model: Csp) -> DeterminantPlan[Csp]:
        """The matrix of Kirchhoff."""
        graph = _checked_graph(model)
        arcs = Counter(pair for one, other in graph.ends.values() for pair in ((one, other), (other, one)))
        return DeterminantPlan(model, ((1, _minor(graph.n, arcs, 0)),))

    def fixed_plan(
        self, plan: DeterminantPlan[Csp], symmetry: AtomPermutation
    ) -> DeterminantPlan[Csp] | None:
        """The matrices of the graph of orbits; None if the symmetry is none of the graph without leaves."""
        graph = _checked_graph(plan.model)
        image_of = {atom // 2: symmetry[atom] // 2 for atom in range(1, len(symmetry), 2)}
        vertices = _images(graph, image_of)
        if vertices is None or any(atom % 2 == 0 for atom in symmetry[1::2]):
            return None
        orbits_of_edges = dict(zip(image_of, _orbits(list(image_of.values())), strict=True))
        return DeterminantPlan(plan.model, tuple(_rooted(graph, _orbits(vertices), orbits_of_edges)))


def _images(graph: Graph, image_of: Mapping[int, int]) -> list[Vertex] | None:
    """The images of the vertices if the edges have these; None if they have none."""
    incident: list[set[int]] = [set() for _ in range(graph.n)]
    for edge, ends in graph.ends.items():
        for end in ends:
            incident[end].add(edge)
    vertex_of = {frozenset(edges): vertex for vertex, edges in enumerate(incident)}
    if len(vertex_of) < graph.n:
        return [*range(graph.n)]  # two vertices have the same edges; a connected graph has no third one
    images = [vertex_of.get(frozenset(image_of[edge] for edge in edges)) for edges in incident]
    known = [image for image in images if image is not None]
    return known if len(known) == graph.n else None


def _orbits(images: Sequence[int]) -> list[int]:
    """The number of the cycle of each point of a permutation."""
    numbers: list[int] = np.unique(least_of_cycles(np.array(images)), return_inverse=True)[1].tolist()
    return numbers


def _rooted(
    graph: Graph, orbit_of_vertex: Sequence[int], orbit_of_edge: Mapping[int, int]
) -> Iterator[tuple[int, Matrix]]:
    """For each orbit that may be the root, in how many ways, and the matrix of the graph of orbits."""
    n_vertices, n_edges = Counter(orbit_of_vertex), Counter(orbit_of_edge[edge] for edge in graph.ends)
    ends_of = {orbit_of_edge[edge]: ends for edge, ends in graph.ends.items()}
    arcs: Arcs = Counter()
    exchanged: Counter[Vertex] = Counter()
    for edge, ends in ends_of.items():
        one, other = (orbit_of_vertex[end] for end in ends)
        if one == other:
            exchanged[one] += n_edges[edge] == 1
            continue
        arcs[one, other] += n_edges[edge] == n_vertices[one]
        arcs[other, one] += n_edges[edge] == n_vertices[other]
    fixed = [orbit for orbit, n in n_vertices.items() if n == 1]
    roots = Counter(fixed[:1]) or +exchanged
    if set(n_vertices.values()) == {2}:  # then the arcs come in pairs, and all roots have as many trees
        roots = Counter({max(roots, default=0): roots.total()})
    for root, times in roots.items():
        yield times, _minor(len(n_vertices), arcs, root)


def _minor(n: int, arcs: Arcs, root: Vertex) -> Matrix:
    """The Laplacian matrix without the root: its determinant counts the trees whose arcs lead to the root."""
    degrees: Counter[Vertex] = Counter()
    for (tail, _), times in arcs.items():
        degrees[tail] += times
    others = [vertex for vertex in range(n) if vertex != root]
    links = [(tail, head, -times) for (tail, head), times in arcs.items() if root not in (tail, head)]
    diagonal = [(vertex, vertex, degrees[vertex]) for vertex in others]
    return Matrix.of(others, others, [*diagonal, *links])


def _checked_graph(model: Csp) -> Graph:
    graph = spanning_trees_of(model)
    assert graph is not None, "limits looked at it"
    return graph
