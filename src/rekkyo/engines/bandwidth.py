"""An order of the vertices of a graph in which neighbours are near each other: reverse Cuthill-McKee.

Source: Cuthill and McKee, "Reducing the bandwidth of sparse symmetric matrices" (1969).
"""

from __future__ import annotations

from collections.abc import Sequence


def cuthill_mckee(beside: Sequence[set[int]], vertices: Sequence[int]) -> list[int]:
    """Breadth first from a vertex with few neighbours, near ones with few neighbours first; then reversed."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(vertices, key=lambda vertex: len(beside[vertex])):
        queue = [start] if start not in seen else []
        seen.update(queue)
        for vertex in queue:
            near = sorted(beside[vertex] - seen, key=lambda other: (len(beside[other]), other))
            seen.update(near)
            queue.extend(near)
        order += queue
    return order[::-1]
