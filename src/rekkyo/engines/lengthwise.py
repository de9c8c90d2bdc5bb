"""An order of the vertices of a graph along its longest direction, such as a wide board column by column.

Algorithm: a random walk forgets last where along the longest direction it began. Its second eigenvector is
about a cosine in that direction, and about the same at vertices that lie across it: they are one *stripe*, in
the given order. Breadth-first orders begin in a corner, so they go through a board diagonal by diagonal.
Source: Barnard, Pothen and Simon, "A spectral algorithm for envelope reduction of sparse matrices" (1995);
they take the Laplacian matrix. For a walk that may also stay where it is, all cells of a column have the same
value if neighbours are a king's move apart, and nearly the same for pentominoes. If neighbours share a side,
the first and the last column of a board of four or more rows are several stripes, because there the angles
of small differences are large. With the Laplacian matrix, L-tetrominoes on 8x13 take 57,000 nodes instead of
52,000.
Left out on purpose: graphs without one longest direction, such as a square board or torus.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

VertexT = TypeVar("VertexT", bound=Hashable)

LEAST_VERTICES, MOST_VERTICES = 6, 1 << 9
"""For the most vertices eigenvectors take 40 ms, for twice as many eight times as long."""

LONGER = 1.1
"""The least ratio of what the walk loses of its third eigenvector and of its second one in a step. A board of
20x21 has it."""

TINY = 1e-9
"""The greatest difference that is none: a graph of several parts loses nothing."""

CLEARLY = 1e-6

RING = 0.8
"""The least ratio of the distances of vertices to the centre, by the two eigenvectors, for a ring. Those of a
square board go from the centre to the corners."""

Angles: TypeAlias = NDArray[np.float64]

ALIKE = 1.5
"""Angles of neighbours in a stripe differ by no more than so many times the mean distance of all angles."""


def lengthwise(neighbors: Mapping[VertexT, set[VertexT]]) -> tuple[VertexT, ...] | None:
    """The vertices of `neighbors` stripe by stripe; None if the graph has no longest direction.

    The stripe of the first vertex is nearer to the beginning than to the end. A ring begins there.
    """
    if not LEAST_VERTICES <= len(neighbors) <= MOST_VERTICES:
        return None
    found = _angles(neighbors)
    if found is None:
        return None
    angles, whole = found
    along = np.argsort(angles, kind="stable")
    begins = np.diff(angles[along], prepend=0.0) > ALIKE * whole / len(angles)
    stripe_of = np.empty(len(angles), dtype=np.intp)
    stripe_of[along] = np.cumsum(begins)
    vertices = list(neighbors)
    return tuple(vertices[place] for place in np.argsort(stripe_of, kind="stable").tolist())


def _angles(neighbors: Mapping[VertexT, set[VertexT]]) -> tuple[Angles, float] | None:
    """For each vertex an angle that grows along the longest direction, if there is one; and the greatest one.

    It is half a turn, or a whole turn where that direction is a ring, which has two eigenvectors of one loss.
    """
    place_of = {vertex: place for place, vertex in enumerate(neighbors)}
    steps = np.eye(len(neighbors))
    for vertex, near in neighbors.items():
        steps[place_of[vertex], [place_of[other] for other in near]] = 1.0
    roots = np.sqrt(steps.sum(axis=1))
    with _linear_algebra().limit(limits=1, user_api="blas"):
        values, vectors = np.linalg.eigh(steps / np.outer(roots, roots))
    losses = 1.0 - values[-2::-1]
    n_alike = int(np.count_nonzero(losses < losses[0] + TINY))
    if losses[0] < TINY or n_alike > 2 or losses[n_alike] < LONGER * losses[0]:
        return None
    of_loss = vectors[:, -1 - n_alike : -1]
    if n_alike == 1:
        cosines = of_loss[:, 0] / roots
        return np.arccos(_sign(cosines) * cosines / np.abs(cosines).max()), np.pi
    radii = np.hypot(of_loss[:, 0], of_loss[:, 1]) / roots
    if radii.min() < RING * radii.max():
        return None
    cosines = of_loss @ of_loss[0] / roots
    sines = of_loss @ (of_loss[0, ::-1] * (1.0, -1.0)) / roots
    angles = np.arctan2(_sign(sines) * sines, cosines)
    return np.where(angles < -TINY, angles + 2 * np.pi, np.abs(angles)), 2 * np.pi


def _sign(vector: NDArray[np.float64]) -> float:
    """The sign of the first number that is clearly not 0."""
    sizes = np.abs(vector)
    return float(np.sign(vector[np.flatnonzero(sizes > CLEARLY * sizes.max())[0]]))


@lru_cache(maxsize=1)
def _linear_algebra() -> Any:
    """The threads of NumPy's linear algebra. They would keep a core busy for 0.1 s after a call of 1 ms."""
    from threadpoolctl import ThreadpoolController  # takes 2 ms, and few counts need it

    return ThreadpoolController()
