"""What a drawing shows beyond the model: places of cells, a graph, blocks of points, letters, or clues.

It changes no solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Places:
    """The places of the cells of a drawn figure: line and column of the middle of each, both doubled."""

    of_cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Network:
    """A graph that a puzzle is about.

    names: of its vertices. edges: pairs of their numbers. on_edges: whether the positions of a row, or the
    options of a cover, are the edges rather than the vertices. is_directed: whether the values of an edge are
    its directions: 0 as in `edges`, 1 for the other one. weights: of the edges, if they have some.
    """

    names: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    on_edges: bool
    is_directed: bool = False
    weights: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocks:
    """A design of points. possible: the points of each block that there may be, by its option or position."""

    n_points: int
    possible: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters that are given on a board of words. given: squares (row, column) and their letters."""

    given: tuple[tuple[tuple[int, int], str], ...]


@dataclass(frozen=True, slots=True)
class Clues:
    """The clues that a board of values shows before it is filled. Cells are positions of a row.

    blocked: squares (row, column) that have no cell. regions: cells with a thick border around them.
    cages: cells with a dashed border, and their condition. labels: cells and texts in them.
    numbers: squares without a cell, as blocked ones are, and texts in them. signs: two cells and the relation
    of the first to the second, such as "<". threads: a cell and those of which it is the sum. lines: cells
    through which a line is drawn. circles: cells, and whether their circle is filled. beside: side
    (left, right, top, bottom), row or column, and the text there. loops: for each loop, which is drawn with a
    solution, the values inside it. names: those that the file gives to the cells, in their order.
    strokes: whether the characters of values are drawn as lines. corners: squares, and texts at their upper
    left corners.
    """

    blocked: tuple[tuple[int, int], ...] = ()
    regions: tuple[tuple[int, ...], ...] = ()
    cages: tuple[tuple[tuple[int, ...], str], ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    numbers: tuple[tuple[tuple[int, int], str], ...] = ()
    signs: tuple[tuple[int, int, str], ...] = ()
    threads: tuple[tuple[int, ...], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    circles: tuple[tuple[int, bool], ...] = ()
    beside: tuple[tuple[str, int, str], ...] = ()
    loops: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()
    strokes: bool = False
    corners: tuple[tuple[tuple[int, int], str], ...] = ()

    def side_of(self, value: int) -> int:
        """The loops that a value is inside of, a bit for each. A square without a cell has 0.

        A loop runs between two squares if and only if these numbers differ.
        """
        return sum((value in inside) << number for number, inside in enumerate(self.loops))


Picture: TypeAlias = Places | Network | Blocks | Letters | Clues
