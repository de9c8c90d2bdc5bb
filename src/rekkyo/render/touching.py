"""Colours for the copies of one piece in a solution, as few as possible, so that touching copies differ.

A search with backtracking tries one colour, then two, and so on. It takes vertices by D. Brélaz's rule, "New
methods to color the vertices of a graph" (1979): next is the vertex whose neighbours have the most colours.
After MAX_STEPS steps it goes on to one colour more. In a graph of more than MAX_EXACT vertices, and where no
search finds fewer colours, each vertex gets the first colour that no neighbour before it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rekkyo.model.lattices import Cell
from rekkyo.model.packing import Packing

MAX_EXACT = 300
MAX_STEPS = 20_000


def copies_apart(model: Packing, options: Sequence[int]) -> list[int]:
    """A number for each placement; copies of one piece that touch have different ones."""
    placements = model.placements()
    chosen = [placements[option] for option in options]
    owner: dict[Cell, int] = {cell: k for k, (_, cells) in enumerate(chosen) for cell in cells}
    near: list[set[int]] = [set() for _ in chosen]
    times = Counter(name for name, _ in chosen)
    for k, (name, cells) in enumerate(chosen):
        for cell in cells if times[name] > 1 else ():
            for beside in model.neighbours(cell):
                other = owner.get(beside, k)
                if other != k and chosen[other].piece == name:
                    near[k].add(other)
                    near[other].add(k)
    return few_colors(near)


def few_colors(near: Sequence[set[int]]) -> list[int]:
    """A colour from 0 for each vertex of a graph; neighbours have different ones. near: their neighbours."""
    first_free = _first_free(near)
    if len(near) > MAX_EXACT:
        return first_free
    for n_colors in range(1, max(first_free, default=0) + 1):
        found = _Search(near, n_colors).run()
        if found is not None:
            return found
    return first_free


def _first_free(near: Sequence[set[int]]) -> list[int]:
    colors = [-1] * len(near)
    for vertex, around in enumerate(near):
        taken = {colors[other] for other in around}
        colors[vertex] = next(color for color in range(len(near)) if color not in taken)
    return colors


class _Search:
    """Searches for a colouring with `n_colors` colours."""

    def __init__(self, near: Sequence[set[int]], n_colors: int) -> None:
        self.near = near
        self.n_colors = n_colors
        self.colors = [-1] * len(near)
        self.left = set(range(len(near)))
        self.steps = 0

    def run(self) -> list[int] | None:
        """The colours; None if there are none, or the search was stopped."""
        return self.colors if self._go_on(0) else None

    def _go_on(self, n_used: int) -> bool:
        if not self.left:
            return True
        self.steps += 1
        vertex = max(self.left, key=lambda v: (len(self._taken(v)), len(self.near[v]), -v))
        taken = self._taken(vertex)
        self.left.remove(vertex)
        for color in range(min(n_used + 1, self.n_colors)):
            if color not in taken and self.steps < MAX_STEPS:
                self.colors[vertex] = color
                if self._go_on(max(n_used, color + 1)):
                    return True
        self.colors[vertex] = -1
        self.left.add(vertex)
        return False

    def _taken(self, vertex: int) -> set[int]:
        return {self.colors[other] for other in self.near[vertex]} - {-1}
