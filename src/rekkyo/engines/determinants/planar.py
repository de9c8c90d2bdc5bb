"""Perfect matchings of a planar graph as a determinant: the method of Kasteleyn.

The edges get directions such that around each face, seen from inside, an odd number of edges points
clockwise. Then every perfect matching has the same sign in the Pfaffian of the matrix with 1 from tail to
head and -1 from head to tail; the square of the Pfaffian is the determinant. If the graph is bipartite, the
rows of one side and the columns of the other are enough, and their determinant is the number itself.

Directions: those of a spanning tree are arbitrary. The other edges cross a spanning tree of the faces, which
is taken apart from its leaves: the last undirected edge of a face settles that face. Source: P. W. Kasteleyn,
"Dimer statistics and phase transitions" (1963).

Some vertices may stay alone (*loose* ones), if all of them can be joined to one more vertex, the *hub*, and
the graph stays planar. The hub is replaced by a chain of small graphs, one for each loose vertex in the order
around the hub:

    from the last one --- a ----- b --- to the next one
                           \\     /
                              d
                              |
                              c --- loose vertex

An even number of these three connections is used in a perfect matching, and for each even choice the rest is
matched in one way. So the chain carries along whether the number of loose vertices that stay alone is even
so far. If the graph has an odd number of vertices, an odd number of them stays alone, and the first a is left
out, as if it were used from outside.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from rekkyo.engines.determinants.matrix import Matrix

Vertex: TypeAlias = int
Edge: TypeAlias = tuple[Vertex, Vertex]


class NotPlanar(Exception):
    """The graph has no drawing without crossings."""


def matching_matrix(n: int, edges: Iterable[Edge], loose: Iterable[Vertex]) -> tuple[Matrix, bool]:
    """A matrix whose determinant counts the perfect matchings, and whether it is the square of the count.

    n: vertices. edges: without loops; one that comes several times counts as often. loose: vertices that may
    stay alone, each of which counts as often as it comes. Raises NotPlanar, ImportError without networkx.
    """
    times = Counter((min(edge), max(edge)) for edge in edges)
    singles = Counter(loose)
    n, chain = _with_chain(n, times, singles)
    times |= chain
    embedding = _embedding(n, times)
    return _matrix(embedding, {edge: times[min(edge), max(edge)] for edge in _directed(embedding)})


def _with_chain(n: int, edges: Iterable[Edge], loose: Counter[Vertex]) -> tuple[int, Counter[Edge]]:
    """The number of vertices and the edges of the chain that takes the hub's place."""
    chain: Counter[Edge] = Counter()
    if not loose:
        return n, chain
    around = list(_embedding(n + 1, [*edges, *((vertex, n) for vertex in loose)]).neighbors_cw_order(n))
    is_odd = n % 2 == 1
    before: Vertex | None = None
    for vertex in around:
        b, c, d = range(n, n + 3)
        n += 3
        chain.update([(b, d), (c, d)])
        chain[vertex, c] = loose[vertex]
        if before is not None or not is_odd:
            a, n = n, n + 1
            chain.update([(b, a), (d, a)])
        if before is not None:
            chain[before, a] = 1
        before = b
    return n, chain


def _embedding(n: int, edges: Iterable[Edge]) -> Any:
    """A drawing without crossings, as the neighbours around each vertex."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    is_planar, embedding = networkx.check_planarity(graph)
    if not is_planar:
        raise NotPlanar
    return embedding


def _directed(embedding: Any) -> list[Edge]:
    """The edges from tail to head, such that all faces but one of each component are settled."""
    face_of = _faces(embedding)
    n_open = Counter(face_of.values())
    n_clockwise: Counter[int] = Counter()
    edges: dict[int, list[Edge]] = {face: [] for face in n_open}
    directed: set[Edge] = set()

    def direct(tail: Vertex, head: Vertex) -> None:
        directed.add((tail, head))
        n_clockwise[face_of[tail, head]] += 1
        n_open[face_of[tail, head]] -= 1
        n_open[face_of[head, tail]] -= 1

    for tail, head in _spanning_forest(embedding):
        direct(tail, head)
    for edge, face in face_of.items():
        edges[face].append(edge)
    leaves = deque(face for face, left in n_open.items() if left == 1)
    while leaves:
        face = leaves.popleft()
        last = [edge for edge in edges[face] if edge not in directed and edge[::-1] not in directed]
        for edge in last:  # none if it is the last face of its component
            direct(*(edge if n_clockwise[face] % 2 == 0 else edge[::-1]))
            beyond = face_of[edge[::-1]]
            if n_open[beyond] == 1:
                leaves.append(beyond)
    return sorted(directed)


def _faces(embedding: Any) -> dict[Edge, int]:
    """For each edge, in both directions, the number of the face to its right."""
    face_of: dict[Edge, int] = {}
    for one, other in embedding.edges():
        if (one, other) not in face_of:
            face = len(face_of)
            around = embedding.traverse_face(one, other)
            face_of.update(dict.fromkeys(zip(around, [*around[1:], around[0]], strict=True), face))
    return face_of


def _spanning_forest(embedding: Any) -> Iterator[Edge]:
    """A spanning tree of each component, as edges from a vertex to one that is found later."""
    import networkx

    for part in networkx.connected_components(embedding):
        yield from networkx.bfs_edges(embedding, next(iter(part)))


def _matrix(embedding: Any, times: dict[Edge, int]) -> tuple[Matrix, bool]:
    """See `matching_matrix`. times: for each directed edge, how often it counts."""
    import networkx

    entries = [entry for (a, b), k in times.items() for entry in ((a, b, k), (b, a, -k))]
    vertices = range(len(embedding))
    try:
        side = networkx.bipartite.color(embedding)
    except networkx.NetworkXError:  # it is not bipartite
        return Matrix.of(vertices, vertices, entries), True
    black, white = ([vertex for vertex in vertices if side[vertex] == color] for color in (0, 1))
    if len(black) != len(white):
        return Matrix.zero(), False
    return Matrix.of(black, white, [entry for entry in entries if side[entry[0]] == 0]), False
