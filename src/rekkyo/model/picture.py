"""Where things stand in a drawing of a puzzle, when its model does not say. It changes no solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Places:
    """Where the cells of a figure were drawn: for each the line and the column, twice its middle."""

    of_cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Network:
    """A graph that a puzzle is about.

    names: of its vertices. edges: pairs of their numbers. on_edges: whether the positions of a row, or the
    options of a cover, are the edges rather than the vertices.
    """

    names: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    on_edges: bool


Picture: TypeAlias = Places | Network
