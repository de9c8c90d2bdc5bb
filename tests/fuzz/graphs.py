"""Random puzzle files of the kind graph, and what they mean by the definitions, nothing of the reader."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TypeAlias

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle
from tests import naive_graphs as naive
from tests.fuzz.oracle import TooLarge

Sets: TypeAlias = list[frozenset[int]]

MOST_EDGES = {False: 7, True: 10}


@dataclass
class GraphFile:
    """A file that is being drawn. lines: its keys. found: the sets, by their definition so far.

    of_edges: whether they are sets of edges. weights: of the edges, or none. ends: vertices that a key names.
    """

    rng: random.Random
    n: int
    edges: list[tuple[int, int]]
    weights: list[int]
    lines: list[str] = field(default_factory=list)
    found: Sets = field(default_factory=list)
    of_edges: bool = False
    ends: list[int] = field(default_factory=list)

    def text(self) -> str:
        weights = [f" {weight}" for weight in self.weights] or [""] * len(self.edges)
        edges = [f"v{a} v{b}{weight}" for (a, b), weight in zip(self.edges, weights, strict=True)]
        names = " ".join(f"v{number}" for number in range(self.n))
        head = ['kind = "graph"', f'vertices = "{names}"', "edges = '''", *edges, "'''"]
        return "\n".join([*head, *self.lines]) + "\n"

    def asks(self, key: str, chance: float = 0.3) -> bool:
        """Whether the file has a key that is true."""
        if self.rng.random() >= chance:
            return False
        self.lines.append(f"{key} = true")
        return True

    def numbers(self, key: str) -> list[int]:
        """The numbers that a key allows; all of them without the key."""
        a, b = sorted(self.rng.sample(range(5), 2))
        written, allowed = self.rng.choice(
            (
                (None, range(9)),
                (f'[{a}, "any"]', range(a, 9)),
                (f"[{a}, {b}]", range(a, b + 1)),
                (f'"{a} {b}"', (a, b)),
                ('"odd"', range(1, 9, 2)),
                ('"even"', range(0, 9, 2)),
            )
        )
        if written is not None:
            self.lines.append(f"{key} = {written}")
        return list(allowed)

    def keep(self, fits: Callable[[frozenset[int]], bool]) -> None:
        self.found = [one for one in self.found if fits(one)]

    def compare(self, *, may_be_least: bool = True, chance: float = 0.5) -> None:
        """The best sets, or those of one size, or all."""
        if self.weights or self.rng.random() < chance:
            if may_be_least and self.asks("minimum", 0.5):
                self.best(-1)
            elif self.asks("maximum", 1):
                self.best(1)
        elif self.rng.random() < 0.4:
            size = self.rng.randint(0, 3)
            self.lines.append(f"size = {size}")
            self.keep(lambda one: len(one) == size)

    def best(self, sign: int) -> None:
        """Only the sets with the greatest sum, or the least one."""
        sums = [sign * sum(self.weights[e] if self.weights else 1 for e in one) for one in self.found]
        self.found = [one for one, total in zip(self.found, sums, strict=True) if total == max(sums)]

    def n_orbits(self) -> int:
        """The number of different sets up to the symmetry of the graph, its weights and its ends."""
        numbers = {frozenset(edge): number for number, edge in enumerate(self.edges)}
        moves: list[list[int]] = []
        for order in permutations(range(self.n)):
            images = [numbers.get(frozenset((order[a], order[b])), -1) for a, b in self.edges]
            keeps = -1 not in images and {order[end] for end in self.ends} == {*self.ends}
            if keeps and all(
                self.weights[k] == self.weights[image] for k, image in enumerate(images) if self.weights
            ):
                moves.append(images if self.of_edges else list(order))
        return len({frozenset(frozenset(move[k] for k in one) for move in moves) for one in self.found})


REFUSED = (
    "the size of a set is a whole number from",
    "hamiltonian and size both say which vertices count",
    '"between" names both ends of the paths',
)
"""What the reader says of files that have no meaning."""


def draw_graph(rng: random.Random, is_middle: bool) -> Puzzle:
    """The puzzle of a file. Raises TooLarge."""
    return read_graph(draw_graph_file(rng, is_middle).text())


def read_graph(text: str) -> Puzzle:
    """The puzzle of a text. Raises TooLarge if it is refused for one of the reasons that are expected."""
    try:
        return rk.puzzle_from_text(text)
    except BadInput as refusal:
        if not any(reason in str(refusal) for reason in REFUSED):
            raise
        raise TooLarge from None


def draw_graph_file(rng: random.Random, is_middle: bool) -> GraphFile:
    """One to six vertices, a few edges with or without weights, and what to find in the graph."""
    find = rng.choice(list(FINDS))
    n = rng.randint(4, 6) if is_middle else rng.randint(1, 5)
    pairs = list(combinations(range(n), 2))
    edges = rng.sample(pairs, rng.randint(0, min(len(pairs), MOST_EDGES[is_middle])))
    is_weighed = find in WEIGHED and edges and rng.random() < 0.4
    values = rng.choice(((1, 2), (-2, -1, 0, 1, 3)))
    file = GraphFile(rng, n, edges, [rng.choice(values) for _ in edges] if is_weighed else [])
    file.lines.append(f'find = "{find}"')
    FINDS[find](file)
    return file


def _independent_sets(file: GraphFile) -> None:
    file.found = naive.independent_sets(file.n, file.edges)
    _as_large_as_possible(file)


def _cliques(file: GraphFile) -> None:
    file.found = naive.cliques(file.n, file.edges)
    _as_large_as_possible(file)


def _as_large_as_possible(file: GraphFile) -> None:
    if file.asks("maximal"):
        file.found = naive.maximal(file.found)
    file.compare(may_be_least=False)


def _dominating_sets(file: GraphFile) -> None:
    file.found = naive.dominating_sets(file.n, file.edges)
    _as_small_as_possible(file)


def _vertex_covers(file: GraphFile) -> None:
    file.found = naive.vertex_covers(file.n, file.edges)
    _as_small_as_possible(file)


def _as_small_as_possible(file: GraphFile) -> None:
    if file.asks("minimal"):
        file.found = naive.minimal(file.found)
    kind = file.rng.choice(("", "all", "size"))
    if kind == "all":
        file.lines.append("minimum = false")
    elif kind == "size":
        size = file.rng.randint(0, 3)
        file.lines.append(f"size = {size}")
        file.keep(lambda one: len(one) == size)
    elif "minimal = true" not in file.lines:
        file.best(-1)


def _vertex_sets(file: GraphFile) -> None:
    file.found = naive.vertex_sets(file.n, file.edges, file.numbers("inside"), file.numbers("outside"))
    if file.asks("connected"):
        file.found = naive.connected(file.n, file.edges, file.found)
    file.compare()


def _matchings(file: GraphFile) -> None:
    file.of_edges = True
    file.found = naive.matchings(file.n, file.edges)
    is_large = True
    if file.asks("perfect"):
        file.keep(lambda one: 2 * len(one) == file.n)
    elif file.asks("maximal"):
        file.found = naive.maximal(file.found)
    else:
        is_large = False
    file.compare(may_be_least=is_large)


def _cycles(file: GraphFile) -> None:
    file.found = naive.cycles(file.n, file.edges)
    _walks(file, file.n)


def _paths(file: GraphFile) -> None:
    file.found = naive.paths(file.n, file.edges)
    kind = file.rng.choice(("", "start", "between"))
    file.ends = file.rng.sample(range(file.n), {"": 0, "start": 1, "between": min(2, file.n)}[kind])
    if file.ends:
        file.lines.append(f'{kind} = "{" ".join(f"v{end}" for end in file.ends)}"')
    file.keep(lambda one: all(naive.degrees(file.n, file.edges, one)[end] == 1 for end in file.ends))
    _walks(file, file.n - 1)


def _walks(file: GraphFile, most: int) -> None:
    """most: the edges of those through all vertices, which are meant if nothing else is said."""
    file.of_edges = True
    kind = file.rng.choice(("", "all", "all", "induced", "hamiltonian"))
    if kind == "induced":
        file.asks("induced", 1)
        file.found = naive.induced(file.edges, file.found)
    elif kind == "all":
        file.lines.append("hamiltonian = false")
    elif kind == "hamiltonian":
        file.asks("hamiltonian", 1)
        file.keep(lambda one: len(one) == most)
    n_lines = len(file.lines)
    file.compare(chance=0.5 if kind != "hamiltonian" else 0)
    if not kind and len(file.lines) == n_lines:
        file.keep(lambda one: len(one) == most)


def _spanning_trees(file: GraphFile) -> None:
    file.of_edges = True
    file.found = naive.spanning_trees(file.n, file.edges)
    if file.weights:
        file.compare()


def _edge_sets(file: GraphFile) -> None:
    file.of_edges = True
    file.found = naive.edge_sets(file.n, file.edges, file.numbers("degrees"))
    if file.asks("connected"):
        file.keep(lambda one: bool(one) and naive.hang_together([file.edges[e] for e in one]))
    file.compare()


FINDS: dict[str, Callable[[GraphFile], None]] = {
    "independent-sets": _independent_sets,
    "cliques": _cliques,
    "dominating-sets": _dominating_sets,
    "vertex-covers": _vertex_covers,
    "vertex-sets": _vertex_sets,
    "matchings": _matchings,
    "cycles": _cycles,
    "paths": _paths,
    "spanning-trees": _spanning_trees,
    "edge-sets": _edge_sets,
}
WEIGHED = ("matchings", "cycles", "paths", "spanning-trees", "edge-sets")
