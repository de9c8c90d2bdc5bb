"""Graphs: vertices with names, edges between two different vertices, no edge twice, no direction.

    petersen = rekkyo.graph(named="petersen")
    rekkyo.count(petersen.colorings(3)).total         120

Each method returns a puzzle with the symmetry of the graph. A coloring, a labeling or a set of vertices is a
row with a value for each vertex, a matching a row of the numbers of its edges, any other set of edges
(maximum matchings too) a row with 0 or 1 for each edge. Left out on purpose: directed graphs, weights
of vertices, and counts that need no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol
from unicodedata import normalize

from rekkyo.catalog.graphs import edge_sets, labelings, orientations, vertex_sets
from rekkyo.catalog.graphs.named import is_name, named_graph
from rekkyo.catalog.graphs.reading import Builder, read_dimacs, read_edges, read_graph6
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.errors import BadInput, BadModel, in_short
from rekkyo.model.checks import check_nested, check_size, check_type, listed, refuse, repeated
from rekkyo.model.coloring import MAX_CELLS, MAX_SETS
from rekkyo.model.picture import Network
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number
from rekkyo.wording import several

MAX_VERTICES = MAX_CELLS
MAX_EDGES = 1 << 16


class NetworkxGraph(Protocol):
    """The part of the interface of networkx graphs that is used."""

    nodes: Any
    edges: Any


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph. names: of the vertices, all different. edges: pairs of their numbers, lesser first.

    weights: of the edges, in order, by whose sums sets of edges are compared; or none. Raises BadModel.
    """

    names: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    weights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_nested("graph: names are a tuple of texts", self.names, (tuple, str))
        check_nested("graph: edges are a tuple of pairs of vertices", self.edges, (tuple, tuple, int), 2)
        check_size("graph", len(self.names), "vertices", MAX_VERTICES)
        check_size("graph", len(self.edges), "edges", MAX_EDGES)
        if not self.names:
            raise BadModel("graph: there is no vertex; name at least one")
        if "" in self.names or len(set(self.names)) < len(self.names):
            refuse("graph: every vertex has a name of its own", self.names)
        for one, other in self.edges:
            if not 0 <= one < other < len(self.names):
                refuse(
                    f"graph: an edge joins two vertices from 0 to {len(self.names) - 1}, lesser first",
                    (one, other),
                )
        if len(set(self.edges)) < len(self.edges):
            raise BadModel("graph: an edge appears twice; give it once")
        check_nested("graph: weights are a tuple of whole numbers", self.weights, (tuple, int))
        if self.weights and len(self.weights) != len(self.edges):
            raise BadModel(
                f"graph: {len(self.weights)} weights for {several(len(self.edges), 'edge')};"
                " give each edge one, or none"
            )

    @property
    def edge_names(self) -> tuple[str, ...]:
        """A name for each edge: those of its ends, joined such that all differ."""
        for hyphens in ("-", "--", " - "):
            names = tuple(f"{self.names[one]}{hyphens}{self.names[other]}" for one, other in self.edges)
            if len(set(names)) == len(names):
                return names
        return tuple(f"{one}-{other}" for one, other in self.edges)

    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each vertex, in order."""
        found: list[list[int]] = [[] for _ in self.names]
        for one, other in self.edges:
            found[one].append(other)
            found[other].append(one)
        return tuple(tuple(sorted(near)) for near in found)

    def incident_edges(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the edges at each vertex, in order."""
        found: list[list[int]] = [[] for _ in self.names]
        for number, edge in enumerate(self.edges):
            for end in edge:
                found[end].append(number)
        return tuple(map(tuple, found))

    def complement(self) -> Graph:
        """The graph with exactly the edges that this one lacks. Raises BadModel."""
        n = len(self.names)
        check_size("graph", n * (n - 1) // 2 - len(self.edges), "edges of the complement", MAX_SETS)
        there = set(self.edges)
        missing = tuple(pair for pair in combinations(range(n), 2) if pair not in there)
        check_size("graph", len(missing), "edges of the complement", MAX_EDGES)
        return Graph(self.names, missing)

    def line_graph(self) -> Graph:
        """The graph whose vertices are the edges of this one, joined where they meet. Raises BadModel."""
        return Graph(self.edge_names, tuple(edge_sets.meeting(self)))

    def colorings(self, colors: int) -> Puzzle:
        """The colours of the vertices, such that the ends of every edge differ. colors: 2 to 61."""
        return self._asked(vertex_sets.colorings, colors=colors)

    def edge_colorings(self, colors: int) -> Puzzle:
        """The colours of the edges, such that edges that meet differ. colors: 2 to 8."""
        return self._asked(edge_sets.edge_colorings, colors=colors)

    def independent_sets(
        self, *, maximal: bool = False, maximum: bool = False, size: int | None = None
    ) -> Puzzle:
        """Sets of vertices, no two of them joined; the empty set is included.

        maximal: only those that no vertex can be added to. maximum: only the largest. size: only those with
        this number of vertices.
        """
        return self._asked(vertex_sets.independent_sets, maximal=maximal, maximum=maximum, size=size)

    def cliques(self, *, maximal: bool = False, maximum: bool = False, size: int | None = None) -> Puzzle:
        """Sets of vertices, every two of them joined; as `independent_sets` of the complement."""
        return self._asked(vertex_sets.cliques, maximal=maximal, maximum=maximum, size=size)

    def dominating_sets(
        self, *, minimal: bool = False, minimum: bool | None = None, size: int | None = None
    ) -> Puzzle:
        """Sets of vertices such that each vertex is in the set or next to it.

        minimum: only the smallest, unless something else is asked. minimal: only those of which no vertex
        can be left out. size: only those with this number of vertices. Only closed neighbourhoods matter, so
        `constraints` may add symmetry that the graph has not: the four vertices of a 4-cycle can be permuted.
        """
        return self._asked(vertex_sets.dominating_sets, minimal=minimal, minimum=minimum, size=size)

    def vertex_covers(
        self, *, minimal: bool = False, minimum: bool | None = None, size: int | None = None
    ) -> Puzzle:
        """Sets of vertices such that each edge has an end in the set; complements of independent sets.

        The conditions are those of `dominating_sets`.
        """
        return self._asked(vertex_sets.vertex_covers, minimal=minimal, minimum=minimum, size=size)

    def vertex_sets(
        self,
        *,
        inside: Iterable[int] | None = None,
        outside: Iterable[int] | None = None,
        connected: bool = False,
        size: int | None = None,
        minimum: bool = False,
        maximum: bool = False,
    ) -> Puzzle:
        """Sets of vertices; the empty set is included.

        inside: how many neighbours in the set each of its vertices may have, such as (0, 2); outside: how
        many each other vertex may have; None: any number. connected: only sets that are, not the empty one.
        size: only those with this number of vertices. minimum, maximum: only the smallest, or the largest.
        """
        return self._asked(
            vertex_sets.vertex_sets,
            inside=inside,
            outside=outside,
            connected=connected,
            size=size,
            minimum=minimum,
            maximum=maximum,
        )

    def graceful_labelings(self) -> Puzzle:
        """Different labels of the vertices from 0 to m, the number of edges; their differences are 1 to m."""
        return self._asked(labelings.graceful_labelings)

    def matchings(
        self,
        *,
        perfect: bool = False,
        maximal: bool = False,
        minimum: bool = False,
        maximum: bool = False,
        size: int | None = None,
    ) -> Puzzle:
        """Sets of edges, no two of which meet; the empty set is included.

        perfect: only those that meet every vertex. maximal: only those that no edge can be added to. maximum:
        only the largest. minimum: only the smallest of those that are maximal or perfect. size: only those
        with this number of edges.
        """
        return self._asked(
            edge_sets.matchings, perfect=perfect, maximal=maximal, minimum=minimum, maximum=maximum, size=size
        )

    def edge_sets(
        self,
        *,
        degrees: Iterable[int] | None = None,
        connected: bool = False,
        acyclic: bool = False,
        size: int | None = None,
        minimum: bool = False,
        maximum: bool = False,
    ) -> Puzzle:
        """Sets of edges; the empty set is included.

        degrees: how many edges of the set each vertex may have, such as (0, 2); None: any number. connected:
        only sets whose edges are, not the empty one; they need not reach all vertices. acyclic: only forests;
        with connected, only trees. size: only those with this number of edges. minimum, maximum: only the
        smallest, or the largest.
        """
        return self._asked(
            edge_sets.edge_sets,
            degrees=degrees,
            connected=connected,
            acyclic=acyclic,
            size=size,
            minimum=minimum,
            maximum=maximum,
        )

    def cycles(
        self,
        *,
        hamiltonian: bool | None = None,
        induced: bool = False,
        minimum: bool = False,
        maximum: bool = False,
        size: int | None = None,
    ) -> Puzzle:
        """Cycles, each once, as sets of edges.

        hamiltonian: only those through all vertices; by default, unless another condition is given. induced:
        only those without a chord. minimum, maximum: only the shortest, or the longest; also of Hamiltonian
        cycles if the edges have weights. size: only those with this number of edges.
        """
        return self._asked(
            edge_sets.cycles,
            hamiltonian=hamiltonian,
            induced=induced,
            minimum=minimum,
            maximum=maximum,
            size=size,
        )

    def paths(
        self,
        *,
        hamiltonian: bool | None = None,
        induced: bool = False,
        minimum: bool = False,
        maximum: bool = False,
        size: int | None = None,
        between: tuple[Any, Any] | None = None,
        start: Any = None,
    ) -> Puzzle:
        """Paths of one edge or more, each once, as sets of edges.

        between: both ends, as `graph` took them or by name. start: one of the ends. The other conditions are
        those of `cycles`.
        """
        ends = tuple(map(_name, between)) if isinstance(between, tuple) else between
        return self._asked(
            edge_sets.paths,
            hamiltonian=hamiltonian,
            induced=induced,
            minimum=minimum,
            maximum=maximum,
            size=size,
            between=ends,
            start=None if start is None else _name(start),
        )

    def spanning_trees(self, *, minimum: bool = False, maximum: bool = False) -> Puzzle:
        """Trees through all vertices, as sets of edges.

        minimum, maximum: only those with the least, or the greatest, sum of weights.
        """
        return self._asked(edge_sets.spanning_trees, minimum=minimum, maximum=maximum)

    def orientations(
        self, *, acyclic: bool = False, eulerian: bool = False, out: Iterable[int] | None = None
    ) -> Puzzle:
        """Directions of all edges.

        acyclic: only those without a cycle. eulerian: as many edges lead into each vertex as out of it. out:
        how many edges may lead out of a vertex, such as (0, 2); None: any number.
        """
        return self._asked(orientations.orientations, acyclic=acyclic, eulerian=eulerian, out=out)

    def _asked(self, question: Callable[..., Puzzle], **how: Any) -> Puzzle:
        plain = {name: whole_number(value) for name, value in how.items()}
        return with_own_symmetry(question(self, **plain))[0]

    def picture(self, *, on_edges: bool) -> Network:
        """How solutions about its vertices or edges are drawn."""
        return Network(self.names, self.edges, on_edges, weights=self.weights)


def graph(
    edges: str | Iterable[tuple[Any, Any]] | NetworkxGraph | None = None,
    *,
    vertices: Iterable[Any] = (),
    graph6: str | None = None,
    dimacs: str | None = None,
    named: str | None = None,
) -> Graph:
    """A graph from one of: edges, a text in a format of the field, or a name.

    edges: pairs of vertices, which are named by their `str`, or triples with a weight; or a text with an edge
        `a b`, `a b 5` with its weight, or a single vertex on each line; or a graph of networkx, of which
        `list(G.edges(data="weight"))` are triples.
    vertices: with edges: the first vertices, in this order; they need no edges.
    graph6: a line of McKay's format. dimacs: a text such as that of a file .col.
    named: such as "petersen", "cycle 6", "grid 4 4"; see `rekkyo.catalog.graphs.named`.
    Raises BadInput.
    """
    given = {"edges": edges, "graph6": graph6, "dimacs": dimacs, "named": named}
    chosen = [what for what, value in given.items() if value is not None]
    first = listed('graph: vertices are a list of names, such as ["a", "b"]', vertices)
    if len(chosen) != 1:
        fix = "; for vertices without edges, add edges=[]" if first and not chosen else ""
        raise BadInput(
            f"graph: give one of edges, graph6, dimacs and named, not {' and '.join(chosen) or 'none'}{fix}"
        )
    for what in chosen:
        if what != "edges":
            check_type(f"graph: {what} is a text", given[what], str)
            if first:
                raise BadInput(f"graph: vertices are names for edges; {what} has its own, so leave them out")
    if graph6 is not None:
        return _built(read_graph6(graph6))
    if dimacs is not None:
        return _built(read_dimacs(dimacs))
    if named is not None:
        return _built(named_graph(named))
    if isinstance(edges, str) and is_name(edges):
        name = in_short(edges.strip())
        raise BadInput(f'graph: "{name}" would be a list of edges; write rk.graph(named="{name}")')
    builder = Builder(MAX_VERTICES, MAX_EDGES)
    for vertex in first:
        builder.vertex(_name(vertex))
    if isinstance(edges, str):
        return _built(read_edges(edges, builder))
    return _from_pairs(edges, builder)


def _from_pairs(edges: Any, builder: Builder) -> Graph:
    name_of: Callable[[Any], str] = _name
    if hasattr(edges, "nodes") and hasattr(edges, "edges"):
        if getattr(edges, "is_directed", bool)():
            raise BadInput("graph: this graph of networkx is directed; take its to_undirected()")
        name_of = _names(edges.nodes).__getitem__
        for node in edges.nodes:
            builder.vertex(name_of(node))
        edges = (edge[:2] for edge in edges.edges)  # those of a multigraph have a key, too
    rule = 'graph: edges are pairs of vertices, such as [("a", "b"), ("b", "c")]'
    try:
        pairs = iter(edges)
    except TypeError:
        refuse(rule, edges)
    for pair in pairs:
        try:
            one, other, *rest = pair
        except (TypeError, ValueError):
            refuse(rule, pair)
        weight = whole_number(rest[0]) if rest else None
        if len(rest) > 1 or (rest and type(weight) is not int):
            refuse(f"{rule}, or triples with a weight, a whole number", pair)
        builder.edge(name_of(one), name_of(other), weight)
    return _built(builder)


def _names(nodes: Iterable[Any]) -> dict[Any, str]:
    """The name of each node. Equal nodes, such as 1 and 1.0, are one; others have different names."""
    names = {node: _name(node) for node in nodes}
    if (twice := repeated([*names.values()])) is not None:
        fix = "relabel them, such as by networkx.convert_node_labels_to_integers"
        raise BadInput(f'graph: two nodes of this graph of networkx are named "{in_short(twice)}"; {fix}')
    return names


def _name(vertex: object) -> str:
    """The name of a vertex; a tuple, such as a square of a networkx grid, is written 0,1."""
    name = normalize("NFC", ",".join(map(str, vertex)) if isinstance(vertex, tuple) else str(vertex))
    if not name or not name.isprintable():
        raise BadInput(f'graph: "{in_short(name)}" cannot name a vertex; use printable characters')
    return name


def _built(builder: Builder) -> Graph:
    return Graph(tuple(builder.numbers), tuple(builder.edges), builder.weights)
