"""`kind = "graph"`: a graph, and the kind of objects to find in it.

The graph is a list of edges, a text in graph6 or DIMACS, a file in one of these formats in the folder of the
puzzle file, or a name (see `catalog/graphs/named.py`). FINDS has the values of `find`, and their further
keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rekkyo.catalog.graphs import edge_sets, labelings, orientations, vertex_sets
from rekkyo.catalog.graphs.graph import MAX_EDGES, MAX_VERTICES, Graph
from rekkyo.catalog.graphs.named import named_graph
from rekkyo.catalog.graphs.reading import BadGraph, Builder, read_dimacs, read_edges, read_graph6
from rekkyo.errors import in_short, printable
from rekkyo.export.puzzle_toml.beside import FILE, note_content, text_beside
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.times import read_numbers
from rekkyo.model.coloring import MIN_COLORS
from rekkyo.model.picture import Picture
from rekkyo.model.puzzle import Model, Puzzle


class Find(NamedTuple):
    """A kind of objects, and its further keys with their default values."""

    puzzle: Callable[..., Puzzle]
    keys: Mapping[str, Any]


FLAGS = (
    "maximal",
    "minimal",
    "maximum",
    "minimum",
    "perfect",
    "hamiltonian",
    "induced",
    "connected",
    "acyclic",
    "eulerian",
)
NUMBERS = ("inside", "outside", "degrees", "out")
_SIZED = {"size": None, "minimum": False, "maximum": False}
_WALKS = {"hamiltonian": None, "induced": False, **_SIZED}
_SMALL = {"minimal": False, "minimum": None, "size": None}
FINDS: Mapping[str, Find] = {
    "colorings": Find(vertex_sets.colorings, {"colors": 3}),
    "edge-colorings": Find(edge_sets.edge_colorings, {"colors": 3}),
    "independent-sets": Find(
        vertex_sets.independent_sets, {"maximal": False, "maximum": False, "size": None}
    ),
    "cliques": Find(vertex_sets.cliques, {"maximal": False, "maximum": False, "size": None}),
    "dominating-sets": Find(vertex_sets.dominating_sets, _SMALL),
    "vertex-covers": Find(vertex_sets.vertex_covers, _SMALL),
    "vertex-sets": Find(
        vertex_sets.vertex_sets, {"inside": None, "outside": None, "connected": False, **_SIZED}
    ),
    "matchings": Find(edge_sets.matchings, {"perfect": False, "maximal": False, **_SIZED}),
    "cycles": Find(edge_sets.cycles, _WALKS),
    "paths": Find(edge_sets.paths, {**_WALKS, "between": None, "start": None}),
    "spanning-trees": Find(edge_sets.spanning_trees, {"minimum": False, "maximum": False}),
    "edge-sets": Find(edge_sets.edge_sets, {"degrees": None, "connected": False, "acyclic": False, **_SIZED}),
    "orientations": Find(orientations.orientations, {"acyclic": False, "eulerian": False, "out": None}),
    "graceful-labelings": Find(labelings.graceful_labelings, {}),
}
INSTEAD = {
    f"{flag}-{find}": f'write find = "{find}" and {flag} = true'
    for find, (_, keys) in FINDS.items()
    for flag in keys
    if flag in FLAGS
} | {
    "minimum-matchings": 'write find = "matchings" and perfect = true and minimum = true',
    "shortest-paths": 'write find = "paths" and minimum = true',
    "edge-covers": 'write find = "edge-sets" and degrees = [1, "any"]',
    "forests": 'write find = "edge-sets" and acyclic = true',
    "trees": 'write find = "edge-sets" and connected = true and acyclic = true',
    "perfect-codes": 'write find = "vertex-sets" and inside = 0 and outside = 1',
    "total-dominating-sets": 'write find = "vertex-sets" and inside = [1, "any"] and outside = [1, "any"]',
}
"""What to write for objects that `find` has with a further key, such as perfect-matchings."""

WEIGHED = ("spanning-trees", "paths", "cycles", "matchings", "edge-sets")
"""Objects that are compared by the weights of their edges."""

GRAPH6, DIMACS = "graph6", "dimacs"
SOURCES = ("edges", GRAPH6, DIMACS, "named", FILE)
FORMATS = {".col": DIMACS, ".g6": GRAPH6}
FURTHER = ("colors", "size", "between", "start", *NUMBERS, *FLAGS)
KEYS = (*SOURCES, "vertices", "find", *FURTHER)


def read_graph(table: Table) -> tuple[Model, str, str, Picture | None]:
    """The model of a table, the characters of its values, a title and a picture. Raises BadFile."""
    given = [key for key in SOURCES if key in table]
    if len(given) != 1:
        what = '"edges", or another of graph6, dimacs, named and file, is missing'
        if given:
            table.refuse(given[1], f'"{given[0]}" and "{given[1]}" both say what the graph is; leave one out')
        table.refuse_table(what)
    graph = _graph(table, given[0])
    find = table.choice("find", list(FINDS), INSTEAD)
    settings = _settings(table, find)
    ends = next((key for key in ("between", "start") if key in table), "find")
    if graph.weights and not (find in WEIGHED and (settings["minimum"] or settings["maximum"])):
        fix = f"leave them out, or ask for minimum = true of {', '.join(WEIGHED)}"
        table.refuse_value(given[0], f"the weights of edges say nothing about these {find}; {fix}")
    with table.errors_at(ends, given[0]):
        puzzle = FINDS[find].puzzle(graph, **settings)
    return puzzle.model, puzzle.symbols, puzzle.title, puzzle.picture


def _graph(table: Table, source: str) -> Graph:
    if "vertices" in table and source != "edges":
        table.refuse(
            "vertices", f'"vertices" are names for "edges"; "{source}" has its own, so leave them out'
        )
    with table.errors_at(source):
        built = _read_file(table) if source == FILE else _read_text(table, source)
        return Graph(tuple(built.numbers), tuple(built.edges), built.weights)


def _read_text(table: Table, source: str) -> Builder:
    if source == "named":
        return named_graph(table.text(source))
    builder = Builder(MAX_VERTICES, MAX_EDGES)
    for name in table.words("vertices"):
        builder.vertex(name)
    drawing = table.drawing(source)
    text = "\n".join(drawing.lines())
    try:
        if source == "edges":
            return read_edges(text, builder)
        return read_graph6(text) if source == GRAPH6 else read_dimacs(text)
    except BadGraph as problem:
        drawing.refuse(problem.line, problem.column, problem.without_place)


def _read_file(table: Table) -> Builder:
    """A graph in a file in the folder of the puzzle file."""
    name = table.text(FILE)
    kind = next((kind for suffix, kind in FORMATS.items() if name.lower().endswith(suffix)), None)
    if kind is None:
        known = f"the name of a file beside this one, which ends in {' or '.join(FORMATS)}"
        table.refuse_value(FILE, f'"file" is {known}, not "{in_short(name)}"')
    text = text_beside(table)
    note_content(table, kind, text)
    try:
        return read_dimacs(text) if kind == DIMACS else read_graph6(text)
    except BadGraph as problem:
        place = f"{printable(name)}:{problem.line + 1}:{problem.column + 1}"
        table.refuse_value(FILE, f"{place}: {problem.without_place}")


def _settings(table: Table, find: str) -> dict[str, Any]:
    known = FINDS[find].keys
    others = [key for key in FURTHER if key not in known]
    problem = f'"{{key}}" says nothing about {find}; keys that do: {", ".join(known) or "none"}'
    table.refuse_keys(others, problem)
    settings = dict(known)
    for key in known:
        if key in FLAGS and key in table:
            settings[key] = table.flag(key, False)
        if key in NUMBERS and key in table:
            settings[key] = read_numbers(table, key)
    if "colors" in table:
        settings["colors"] = table.whole("colors", MIN_COLORS, vertex_sets.MANY_COLORS)
    if "size" in table:
        settings["size"] = table.whole("size", 0, MAX_EDGES)
    if "between" in table:
        ends = table.words("between")
        if len(ends) != 2:
            one = '; one end is start = "a"' if len(ends) == 1 else ""
            table.refuse_value("between", f'"between" names both ends of the paths, such as "a b"{one}')
        settings["between"] = (ends[0], ends[1])
    if "start" in table:
        settings["start"] = table.text("start").strip()
    return settings
