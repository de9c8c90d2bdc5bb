"""Models as graphs whose automorphisms are the symmetries of the model.

A cover is a graph of options and items. In a colouring and in a sum figure cells are joined to the sets or
lines that they are in; exchanges of colours, or complements of numbers, are permutations of vertices for the
colours, or for "more" and "less". Equal constraints share one vertex, so that only the identity fixes all
vertices that appear in rows.
Left out on purpose: symmetries that appear only when constraints are combined, such as those of lines that
follow from other lines.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any

from rekkyo.model.coloring import Coloring, Pattern
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.queens import Queens
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND, Automorphisms, ColoredGraph, Permutation

Vertex = int


class ModelGraph:
    """A graph that is built vertex by vertex; vertices of the same kind have the same colour."""

    def __init__(self) -> None:
        self._kinds: dict[Hashable, int] = {}
        self._colors: list[int] = []
        self._edges: list[tuple[Vertex, Vertex]] = []

    def vertex(self, kind: Hashable, neighbours: Iterable[Vertex] = ()) -> Vertex:
        """Add a vertex of some kind, joined to others; returns its number."""
        self.__dict__.pop("_colored", None)
        number = len(self._colors)
        # Kinds are numbered in order of appearance, because their order has no effect.
        self._colors.append(self._kinds.setdefault(kind, len(self._kinds)))
        self._edges += [(number, other) for other in neighbours]
        return number

    @property
    def size(self) -> int:
        """Vertices and edges."""
        return len(self._colors) + len(self._edges)

    def automorphisms(self, work: int = ABOUT_A_SECOND) -> Automorphisms | None:
        """The group; None if the search for it was abandoned."""
        return self._colored.automorphisms(work)

    def extended(self, images: Mapping[Vertex, Vertex]) -> Permutation | None:
        """An automorphism that takes some vertices to given images; None if none was found."""
        return self._colored.extended(images)

    @cached_property
    def _colored(self) -> ColoredGraph:
        return ColoredGraph(self._colors, self._edges)


def cover_graph(model: ExactCover) -> ModelGraph:
    """Vertex k is option k, and a symmetry permutes the options.

    A primary item is joined to its options. A secondary item allows several options of one colour, and an
    option without a colour conflicts with all others. So the item is joined to options that are alone in
    their colour, and to a vertex for each other colour, which is joined to its options. An item that causes
    no conflict of two options is left out, and so is a primary one that all its options may cover, or none.
    """
    graph = ModelGraph()
    for _ in model.options:
        graph.vertex("option")
    primary: list[list[int]] = [[] for _ in model.primary]
    secondary: list[dict[tuple[int, int], list[int]]] = [{} for _ in model.secondary]
    for number, option in enumerate(model.options):
        for item, color in option:
            if item < len(primary):
                primary[item].append(number)
            else:
                key = (color, -1) if color else (0, number)
                secondary[item - len(primary)].setdefault(key, []).append(number)
    bounds = map(model.bounds_of, range(len(primary)))
    demands = {
        (low, min(high, len(own)), tuple(own)): None
        for (low, high), own in zip(bounds, primary, strict=True)
        if low or high < len(own)
    }
    for low, high, options in demands:
        graph.vertex(("primary", low, high), options)
    for classes in {frozenset(map(tuple, by_color.values())) for by_color in secondary}:
        if len(classes) > 1:
            graph.vertex(
                "secondary",
                [one[0] if len(one) == 1 else graph.vertex("colour", one) for one in sorted(classes)],
            )
    return graph


def queens_graph(model: Queens) -> ModelGraph:
    """The vertices are first the squares that are not blocked, by row and column, then the lines.

    Rows and columns hold one queen, diagonals at most one.
    """
    n = model.n
    graph = ModelGraph()
    squares = live_squares(model)
    for square in squares:
        graph.vertex("given" if square in model.given else "square")
    lines: dict[tuple[str, int], list[int]] = {
        (direction, k): [] for direction in ("row", "column") for k in range(n)
    }
    for number, (row, column) in enumerate(squares):
        falling, rising = row - column, row + column
        if model.toroidal:
            falling, rising = falling % n, rising % n
        for line in (("row", row), ("column", column), ("falling", falling), ("rising", rising)):
            lines.setdefault(line, []).append(number)
    seen: set[Hashable] = set()
    for (direction, _), members in lines.items():
        kind = "line" if direction in ("row", "column") else "diagonal"
        if (kind == "line" or len(members) > 1) and (kind, *members) not in seen:
            seen.add((kind, *members))
            graph.vertex(kind, members)
    return graph


def live_squares(model: Queens) -> list[tuple[int, int]]:
    """The squares that are not blocked."""
    squares = ((row, column) for row in range(model.n) for column in range(model.n))
    return [square for square in squares if square not in model.blocked]


def queens_atoms(model: Queens, permutation: Permutation) -> AtomPermutation:
    """A permutation of the live squares as one of atoms; blocked squares stay."""
    numbers = [row * model.n + column for row, column in live_squares(model)]
    atoms = list(range(model.n**2))
    for number, image in zip(numbers, permutation, strict=False):
        atoms[number] = numbers[image]
    return tuple(atoms)


def coloring_graph(model: Coloring, *, exchange: bool) -> ModelGraph:
    """Vertex k is cell k, the next ones are the colours, and after them come the sets and patterns.

    exchange: whether colours with the same bounds may be exchanged.
    """
    graph = ModelGraph()
    for _ in range(model.n_cells):
        graph.vertex("cell")
    fixed: dict[int, list[int]] = {}
    for cell, color in model.fixed:
        fixed.setdefault(color, []).append(cell)
    colors = [
        graph.vertex(
            ("colour", model.bounds[color] if model.bounds else None, None if exchange else color),
            fixed.get(color, ()),
        )
        for color in range(model.n_colors)
    ]
    for cells in {frozenset(cells) for cells in model.sets}:
        graph.vertex("set", sorted(cells))
    for pattern in {frozenset(pattern) for pattern in model.patterns}:
        parts = [
            graph.vertex("part", [colors[color], *cells])
            for color, cells in _by_color(tuple(pattern)).items()
        ]
        graph.vertex("pattern", parts)
    return graph


def _by_color(pattern: Pattern) -> dict[int, list[int]]:
    cells: dict[int, list[int]] = {}
    for cell, color in pattern:
        cells.setdefault(color, []).append(cell)
    return cells


def coloring_atoms(model: Coloring, permutation: Permutation) -> AtomPermutation:
    """A permutation of cells and colours as one of atoms."""
    n_cells, n_colors = model.n_cells, model.n_colors
    colors = [permutation[n_cells + color] - n_cells for color in range(n_colors)]
    return tuple(
        permutation[cell] * n_colors + colors[color] for cell in range(n_cells) for color in range(n_colors)
    )


def figure_graph(model: SumFigure, *, complement: bool) -> ModelGraph:
    """Vertex k is cell k; the next two say "more" and "less"; after them come the lines and orders.

    Twice the distance of a sum or a given number from the middle is part of its kind, and it is joined to
    "more" or to "less". So the complement of every number is the exchange of these two.
    complement: whether they may be exchanged, as far as `has_complement` allows it.
    """
    graph = ModelGraph()
    both = model.numbers[0] + model.numbers[-1]
    given = dict(model.given)
    for cell in range(len(model.cells)):
        graph.vertex(("cell", abs(2 * given[cell] - both) if cell in given else None))
    exchange = complement and has_complement(model)
    less, more = (graph.vertex(("side", None if exchange else side)) for side in range(2))

    def sides(twice: int, middle: int) -> list[Vertex]:
        return [] if twice == middle else [more if twice > middle else less]

    for cell, number in sorted(model.given):
        graph.vertex("given", [cell, *sides(2 * number, both)])
    for line in {Line(tuple(sorted(line.cells)), line.sum): None for line in model.lines}:
        if line.sum is None:
            graph.vertex("common", line.cells)
        else:
            middle = both * len(line.cells)
            graph.vertex(("sum", abs(2 * line.sum - middle)), [*line.cells, *sides(2 * line.sum, middle)])
    for low, high in dict.fromkeys(model.orders):
        ends = [graph.vertex("end", [low, less]), graph.vertex("end", [high, more])]
        graph.vertex("order", ends)
    return graph


def has_complement(model: SumFigure) -> bool:
    """Whether x -> least + greatest - x takes numbers to numbers, and a common sum to a common sum."""
    both = model.numbers[0] + model.numbers[-1]
    lengths = {len(line.cells) for line in model.lines if line.sum is None}
    return len(lengths) <= 1 and {both - number for number in model.numbers} == set(model.numbers)


def figure_atoms(model: SumFigure, permutation: Permutation) -> AtomPermutation:
    """A permutation of cells, and of "less" and "more", as one of atoms."""
    n_cells, n_values = len(model.cells), len(model.numbers)
    values: Any = range(n_values)
    if permutation[n_cells] != n_cells:
        values = values[::-1]
    return tuple(permutation[cell] * n_values + value for cell in range(n_cells) for value in values)
