"""Graphs: vertices are circles with their names, edges are lines. Vertices or edges have values.

The colour of a vertex is a fill and dots under the name, so that drawings need no colour vision. A chosen
edge is a thick line; it is an arrow if it has a direction, and shows a number if it has a colour.
A weight is a number on its edge, and a label one below the name.
"""

from __future__ import annotations

from itertools import starmap
from math import dist

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.picture import Network
from rekkyo.model.puzzle import Model
from rekkyo.render.graph_places import graph_places
from rekkyo.render.labels import shortened
from rekkyo.render.svg.coloring import FILLS, dots_under
from rekkyo.render.svg.legend import entries_of, legend
from rekkyo.render.svg.markup import CELL, Place, circle, drawn_path, lozenge, path, words
from rekkyo.render.svg.painting import Markup, Painting, flat
from rekkyo.render.svg.style import color, written_on

RADIUS = 0.46 * CELL
STEP = 1.5 * CELL
MARGIN = RADIUS + 3
MAX_NAME = 4
CHOSEN = "#D55E00"
LABELED = "#F0E442"
SETS = ("left out", "chosen")
DIRECTIONS = ("from first to second", "from second to first")
HEAD = 0.22 * CELL
LETTERS = (0.5, 0.5, 0.46, 0.38, 0.32)
"""The size of letters, in cells, by the number of letters in a name; the last for longer ones, too."""


def paint_network(model: Model, symbols: str, network: Network) -> Painting:
    """Every vertex or every edge is a spot, every value a thing."""
    return _Graph(model, symbols, network).whole()


class _Graph:
    """The places and names of vertices."""

    def __init__(self, model: Model, symbols: str, network: Network) -> None:
        self.shape = model.row_shape
        self.is_cover = isinstance(model, ExactCover)
        self.is_set = symbols.startswith(".") or self.is_cover
        self.has_labels = symbols.startswith("0")
        self.network = network
        raw = [(x * STEP, y * STEP) for x, y in graph_places(network)]
        left, top = (min(axis) - MARGIN for axis in zip(*raw, strict=True))
        self.places = [(x - left, y - top) for x, y in raw]
        self._size = tuple(max(axis) + MARGIN for axis in zip(*self.places, strict=True))
        self._short = shortened(network.names, MAX_NAME)

    def whole(self) -> Painting:
        names = self.network.names
        below = legend(entries_of(names, self._short), *self._size)
        edges = [(self.places[a], self.places[b]) for a, b in self.network.edges]
        lines = "".join(path(pair, closed=False) for pair in edges)
        vertices = "".join(map(self._circle, range(len(names))))
        background = drawn_path(lines, "rk-line")
        background += drawn_path(vertices, "rk-board") + drawn_path(vertices, "rk-line")
        background += "".join(
            words(self._short[v], self.places[v], self._letter(v)) for v in range(len(names))
        )
        background += "".join(starmap(self._in_middle, enumerate(self.network.weights)))
        if self.network.on_edges:
            spots = [lozenge(a, b, min(0.4, 10 / dist(a, b))) for a, b in edges]
            spot_names = [f"the edge {names[a]}-{names[b]}" for a, b in self.network.edges]
        else:
            spots = list(map(self._circle, range(len(names))))
            spot_names = [f"vertex {name}" for name in names]
        n_values = 2 if self.is_cover else self.shape.n_values
        return Painting(
            shape=self.shape,
            width=below.width,
            height=below.height,
            background=background + below.drawn,
            spots=tuple(spots),
            spot_names=tuple(spot_names),
            things=self._things(n_values),
            draw_atom=flat(self._draw),
            pairs_of_atom=lambda atom: (self._position_and_value(atom),),
        )

    def _things(self, n_values: int) -> tuple[str, ...]:
        if self.network.is_directed:
            return DIRECTIONS[:n_values]
        return SETS if self.is_set else tuple(map(self._thing, range(n_values)))

    def _thing(self, value: int) -> str:
        return f"label {value}" if self.has_labels else f"colour {value + 1}"

    def _position_and_value(self, atom: int) -> tuple[int, int]:
        return (atom, 1) if self.is_cover else divmod(atom, self.shape.n_values)

    def _draw(self, atom: int) -> Markup:
        position, value = self._position_and_value(atom)
        if self.is_set and not value:
            return ""
        if self.network.on_edges:
            return self._chosen_edge(position, value)
        return self._labeled(position, value) if self.has_labels else self._colored(position, value)

    def _chosen_edge(self, edge: int, value: int) -> Markup:
        """A thick line from circle to circle; with a direction, an arrow; with a colour, its number.

        It is drawn over the weight of the edge, so the weight is drawn again, or the number in its place.
        """
        a, b = (self.places[end] for end in self.network.edges[edge])
        if self.network.is_directed and value:
            a, b = b, a
        share = RADIUS / dist(a, b)
        ends = [_between(a, b, share), _between(a, b, 1 - share)]
        is_colored = not (self.is_set or self.network.is_directed)
        stroke = FILLS[value] if is_colored else CHOSEN
        drawn = drawn_path(path(ends, closed=False), "rk-stick", stroke=stroke, stroke_width="5")
        if self.network.is_directed:
            x, y = ((far - near) * HEAD / dist(a, b) for near, far in zip(a, b, strict=True))
            tip = ends[1]
            barbs = [(tip[0] - x + side * y, tip[1] - y - side * x) for side in (1, -1)]
            head = path([barbs[0], tip, barbs[1]], closed=False)
            drawn += drawn_path(head, "rk-stick", stroke=CHOSEN, stroke_width="5")
        if self.network.weights:
            return drawn + self._in_middle(edge, value + 1 if is_colored else self.network.weights[edge])
        return drawn + (words(str(value + 1), _between(a, b, 0.5), 0.38 * CELL) if is_colored else "")

    def _in_middle(self, edge: int, number: int) -> Markup:
        """A number on an edge, in a circle that hides what is below."""
        a, b = (self.places[end] for end in self.network.edges[edge])
        middle = _between(a, b, 0.5)
        drawn = drawn_path(circle(middle, 0.24 * CELL), "rk-board")
        return drawn + words(str(number), middle, 0.34 * CELL)

    def _colored(self, vertex: int, value: int) -> Markup:
        many = self.shape.n_values > len(FILLS)
        fill = CHOSEN if self.is_set else color(value) if many else FILLS[value]
        drawn = drawn_path(self._circle(vertex), "rk-piece", fill=fill, stroke_width="1")
        drawn += written_on(fill, self._short[vertex], self.places[vertex], self._letter(vertex))
        return drawn if self.is_set or many else drawn + dots_under(*self.places[vertex], value)

    def _labeled(self, vertex: int, value: int) -> Markup:
        x, y = self.places[vertex]
        drawn = drawn_path(self._circle(vertex), "rk-piece", fill=LABELED, stroke_width="1")
        drawn += written_on(LABELED, self._short[vertex], (x, y - 0.23 * CELL), 0.5 * self._letter(vertex))
        return drawn + written_on(LABELED, str(value), (x, y + 0.1 * CELL), 0.46 * CELL)

    def _circle(self, vertex: int) -> str:
        return circle(self.places[vertex], RADIUS)

    def _letter(self, vertex: int) -> float:
        return LETTERS[min(len(self._short[vertex]), len(LETTERS) - 1)] * CELL


def _between(a: Place, b: Place, share: float) -> Place:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
