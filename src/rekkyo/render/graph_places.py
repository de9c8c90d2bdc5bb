"""The places of the vertices of a graph in a drawing.

Vertices named `row,column` are on their board. Any other graph is laid out by networkx (extra `graphs`), by
the springs of T. Kamada and S. Kawai, "An algorithm for drawing general undirected graphs" (1989), starting
from a drawing without crossings or a circle, so that the result is deterministic; components are drawn side
by side. Without networkx, and beyond MAX_VERTICES, the vertices are on a circle.
"""

from __future__ import annotations

from itertools import combinations
from math import cos, dist, pi, sin, sqrt
from typing import Any

from rekkyo.model.boards import squares_named
from rekkyo.model.picture import Network

Point = tuple[float, float]

MAX_VERTICES = 250
NEAREST = 0.7
"""Circles of vertices that are so far apart do not overlap."""
MOST_ROUNDS = 20
LONG = 16
"""The least number of different distances from one end of a long graph."""


def graph_places(network: Network) -> list[Point]:
    """A place for each vertex, in most layouts at least 1 from every other."""
    n = len(network.names)
    squares = squares_named(network.names, None)
    if squares is not None:
        return [(1.6 * column, 1.6 * row) for row, column in squares]
    if n <= MAX_VERTICES:
        try:
            return _by_springs(network)
        except ImportError:
            pass
    return _circle(n)


def _circle(n: int) -> list[Point]:
    radius = max(1.2, 1.3 * n / (2 * pi))
    return [(radius * sin(2 * pi * k / n), -radius * cos(2 * pi * k / n)) for k in range(n)]


def _by_springs(network: Network) -> list[Point]:
    import networkx
    import scipy.optimize as _needed  # noqa: F401 - networkx needs it, and would raise later

    graph: Any = networkx.Graph()
    graph.add_nodes_from(range(len(network.names)))
    graph.add_edges_from(network.edges)
    places: dict[int, Point] = {}
    left = 0.0
    for part in sorted(map(sorted, networkx.connected_components(graph))):
        around = dict(zip(part, _circle(len(part)), strict=True))
        laid = around
        if len(part) > 2:
            whole = graph.subgraph(part)
            distances = dict(networkx.all_pairs_shortest_path_length(whole))
            start = _in_a_row(distances)
            if start is None:
                is_planar, _ = networkx.check_planarity(whole)
                start = networkx.planar_layout(whole) if is_planar else around
            found = networkx.kamada_kawai_layout(whole, dist=distances, pos=start)
            laid = {vertex: (float(x), float(y)) for vertex, (x, y) in found.items()}
        laid = _pushed_apart(_stretched(laid))
        first = min(x for x, _ in laid.values())
        places |= {vertex: (left + x - first, y) for vertex, (x, y) in laid.items()}
        left += max(x for x, _ in laid.values()) - first + 1.6
    return [places[vertex] for vertex in range(len(network.names))]


def _in_a_row(distances: dict[int, dict[int, int]]) -> dict[int, Point] | None:
    """Places by the distance from one end of a long graph, as a path or a ladder; None for another graph.

    Vertices at one distance are near each other. From a drawing without crossings, which is far from the
    layout of a long graph, the springs of a path of 200 vertices took 12 s.
    """
    end = min(distances)
    for _ in range(2):
        end = max(distances, key=lambda vertex: (distances[end][vertex], -vertex))
    levels: dict[int, list[int]] = {}
    for vertex in sorted(distances):
        levels.setdefault(distances[end][vertex], []).append(vertex)
    is_long = len(levels) >= LONG and all(
        distances[one][other] <= 2 for level in levels.values() for one, other in combinations(level, 2)
    )
    places = {vertex: (float(x), float(y)) for x, level in levels.items() for y, vertex in enumerate(level)}
    return places if is_long else None


def _stretched(laid: dict[int, Point]) -> dict[int, Point]:
    """Scale the layout so that the nearest two vertices are 1.5 apart, or nearer if it becomes too wide.

    n vertices are at most 3 sqrt(n) wide; those that are nearly in a line, up to 0.7 n, so that their circles
    do not overlap.
    """
    points = list(laid.values())
    gaps = [dist(a, b) for k, a in enumerate(points) for b in points[:k]]
    wide, gap = max(gaps, default=1.0), min(gaps, default=1.5)
    scale = min(1.5 / gap, 3.0 * sqrt(len(points)) / wide)
    if wide <= len(points) * gap:
        scale = max(scale, NEAREST / gap)
    return {vertex: (round(scale * x, 6), round(scale * y, 6)) for vertex, (x, y) in laid.items()}


def _pushed_apart(laid: dict[int, Point]) -> dict[int, Point]:
    """Move vertices away from each other if their circles would overlap, as for two with equal neighbours."""
    places = {vertex: complex(*place) for vertex, place in laid.items()}
    for _ in range(MOST_ROUNDS):
        near = [pair for pair in combinations(places, 2) if abs(places[pair[0]] - places[pair[1]]) < NEAREST]
        for one, other in near:
            between = places[other] - places[one]
            step = between / abs(between) if between else 1
            push = max(0.0, 1.01 * NEAREST - abs(between)) / 2 * step
            places[one], places[other] = places[one] - push, places[other] + push
        if not near:
            break
    return {vertex: (round(place.real, 6), round(place.imag, 6)) for vertex, place in places.items()}
