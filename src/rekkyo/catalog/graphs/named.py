"""Graphs that have a name.

    path N                cycle N               complete N            wheel N, of N vertices in total
    complete-bipartite A B                      star N, of N rays     petersen
    grid R C              torus R C             king R C              knight R C
    queen R C             rook R C              bishop R C
    hypercube D           ladder N              prism N

Vertices are numbered from 0; those of boards are named `row,column`, from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from rekkyo.catalog.entry import is_whole_number
from rekkyo.catalog.graphs.reading import Builder
from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.wording import several

Vertex: TypeAlias = int | tuple[int, ...]
Edges: TypeAlias = Iterator[tuple[Vertex, Vertex]]
Step: TypeAlias = tuple[int, int]


class Family(NamedTuple):
    """Graphs of one name.

    numbers: their names in messages. least: the least value of each. vertices, edges: make them from the
    numbers; the vertices come in their order.
    """

    numbers: str
    least: tuple[int, ...]
    vertices: Callable[..., Iterable[Vertex]]
    edges: Callable[..., Edges]


def _wheel(n: int) -> Edges:
    yield from ((0, rim) for rim in range(1, n))
    yield from ((rim, rim % (n - 1) + 1) for rim in range(1, n))


def _steps(rows: int, columns: int, steps: tuple[Step, ...]) -> Edges:
    for row, column in product(range(rows), range(columns)):
        for down, across in steps:
            if row + down < rows and 0 <= column + across < columns:
                yield (row, column), (row + down, column + across)


def _lines(rows: int, columns: int, steps: tuple[Step, ...]) -> Edges:
    """The edges of one or more repetitions of a step."""
    for n in range(1, max(rows, columns)):
        yield from _steps(rows, columns, tuple((n * down, n * across) for down, across in steps))


def _torus(rows: int, columns: int) -> Edges:
    for row, column in product(range(rows), range(columns)):
        yield (row, column), ((row + 1) % rows, column)
        yield (row, column), (row, (column + 1) % columns)


def _hypercube(d: int) -> Edges:
    return (
        (vertex, vertex | 1 << bit) for vertex in range(1 << d) for bit in range(d) if not vertex >> bit & 1
    )


def _rings(n: int, step: int) -> Edges:
    """Two rings of n vertices, joined; the second one joins each vertex with the one `step` places on."""
    for k in range(n):
        yield k, (k + 1) % n
        yield k, k + n
        yield k + n, (k + step) % n + n


def _squares(rows: int, columns: int) -> Iterable[Vertex]:
    return product(range(rows), range(columns))


ROOK: tuple[Step, ...] = ((0, 1), (1, 0))
BISHOP: tuple[Step, ...] = ((1, 1), (1, -1))
KING: tuple[Step, ...] = (*ROOK, *BISHOP)
KNIGHT: tuple[Step, ...] = ((1, 2), (1, -2), (2, 1), (2, -1))

FAMILIES: Mapping[str, Family] = {
    "path": Family("N", (1,), range, lambda n: ((vertex, vertex + 1) for vertex in range(n - 1))),
    "cycle": Family("N", (3,), range, lambda n: ((vertex, (vertex + 1) % n) for vertex in range(n))),
    "complete": Family("N", (1,), range, lambda n: combinations(range(n), 2)),
    "wheel": Family("N", (4,), range, _wheel),
    "star": Family("N", (1,), lambda n: range(n + 1), lambda n: ((0, ray) for ray in range(1, n + 1))),
    "complete-bipartite": Family(
        "A B", (1, 1), lambda a, b: range(a + b), lambda a, b: product(range(a), range(a, a + b))
    ),
    "petersen": Family("", (), lambda: range(10), lambda: _rings(5, 2)),
    "grid": Family("R C", (1, 1), _squares, lambda rows, columns: _steps(rows, columns, ROOK)),
    "torus": Family("R C", (3, 3), _squares, _torus),
    "king": Family("R C", (1, 1), _squares, lambda rows, columns: _steps(rows, columns, KING)),
    "knight": Family("R C", (1, 1), _squares, lambda rows, columns: _steps(rows, columns, KNIGHT)),
    "queen": Family("R C", (1, 1), _squares, lambda rows, columns: _lines(rows, columns, KING)),
    "rook": Family("R C", (1, 1), _squares, lambda rows, columns: _lines(rows, columns, ROOK)),
    "bishop": Family("R C", (1, 1), _squares, lambda rows, columns: _lines(rows, columns, BISHOP)),
    "hypercube": Family("D", (0,), lambda d: range(1 << d), _hypercube),
    "ladder": Family("N", (1,), lambda n: _squares(2, n), lambda n: _steps(2, n, ROOK)),
    "prism": Family("N", (3,), lambda n: range(2 * n), lambda n: _rings(n, 1)),
}
LARGEST = 1 << 13
"""The largest number in a name; the limits of `Builder` are lower for most graphs."""


def named_graph(text: str) -> Builder:
    """The graph of a name and its numbers, such as "grid 4 4". Raises BadInput."""
    name, *words = text.split() or [""]
    if name not in FAMILIES:
        raise BadInput(
            f'graph: there is no graph named "{in_short(name)}"; {fix_for_name(name, list(FAMILIES))}'
        )
    family = FAMILIES[name]
    usage = f"{name} {family.numbers}".strip()
    if len(words) != len(family.least):
        have = several(len(words), "number") if all(map(is_whole_number, words)) else "other words"
        raise BadInput(f'graph: "{in_short(text.strip())}" has {have}; write it as {usage}')
    numbers = []
    for word, least in zip(words, family.least, strict=True):
        if not is_whole_number(word) or not least <= int(word) <= LARGEST:
            raise BadInput(
                f'graph: numbers in "{usage}" go from {least} to {LARGEST}, not "{in_short(word)}"'
            )
        numbers.append(int(word))
    builder = Builder()
    for vertex in family.vertices(*numbers):
        builder.vertex(_name(vertex))
    for one, other in family.edges(*numbers):
        builder.edge(_name(one), _name(other))
    return builder


def is_name(text: str) -> bool:
    """Whether a text is a known name and numbers, such as "cycle 5"; how many numbers is not checked."""
    name, *words = text.split() or [""]
    return name in FAMILIES and "\n" not in text.strip() and all(map(is_whole_number, words))


def _name(vertex: Vertex) -> str:
    return ",".join(map(str, vertex)) if isinstance(vertex, tuple) else str(vertex)
