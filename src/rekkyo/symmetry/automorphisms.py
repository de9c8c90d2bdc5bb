"""Automorphisms of a graph with coloured vertices: generators of the group, and its order.

Algorithm: individualisation and refinement, in the manner of nauty. Refinement splits cells (vertices of one
colour) by the colours of their neighbours until nothing changes. Each round looks only at the neighbours of
vertices whose colours are new; a part of each cell keeps its colour, the largest one if possible. While cells
with several vertices are left, one vertex of one of them is individualised, and the colours are refined
again: the first path. From its end upwards, every other vertex of the split cell of a level is tried instead
of the individualised one, unless an automorphism found so far takes one to the other. A trial ends if its
refinement differs from that of the first path. So the automorphisms found generate, level by level, the
stabilizers of the individualised vertices, and the order is the product of the lengths of their orbits.
Before a trial goes deeper it guesses that vertices in the same cell stay where they are, which quickly finds
automorphisms that move only a part of the graph. The choice of the cell decides how deep failing trials go,
and no rule is good for all graphs: a tenth of the work goes to splitting the largest cell, the rest to
splitting the smallest.
Source: McKay and Piperno, Practical graph isomorphism II, J. Symbolic Computation 60 (2014); Darga, Sakallah
and Markov, Faster symmetry discovery using sparsity of symmetries, DAC 2008 (the guess); Hopcroft, An n log n
algorithm for minimizing states in a finite automaton, 1971 (the largest part).
Left out on purpose: canonical forms; pruning inside failing trials, which regular graphs without symmetry
need. The search has a bound of work, the same on every machine, and returns None when it reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vertex: TypeAlias = int
Permutation: TypeAlias = tuple[Vertex, ...]
Colors: TypeAlias = NDArray[np.int64]
Vertices: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

ABOUT_A_SECOND = 60_000_000
"""Work: vertices and edges visited."""

WORK_OF_A_ROUND = 3_000
"""The least cost of one round of refinement, in the same unit."""

WORK_OF_A_COPY = 2
"""Of the colours, for each vertex. It also bounds the memory of the first path."""


@dataclass(frozen=True, slots=True)
class Automorphisms:
    """generators: permutations of the vertices; empty for a graph without symmetry. order: of the group."""

    generators: tuple[Permutation, ...]
    order: int


class ColoredGraph:
    """A graph with one colour for each vertex. Its parts are made once, whatever is asked of it."""

    def __init__(self, colors: Sequence[int], edges: Iterable[tuple[Vertex, Vertex]]) -> None:
        """edges: pairs of different vertices, each pair once, in either direction."""
        self._colors = np.unique(np.array(colors, dtype=np.int64), return_inverse=True)[1].reshape(-1)
        self._graph = _Graph(len(colors), edges)

    @cached_property
    def _refined(self) -> Colors:
        refined = self._graph.refine(self._colors, np.arange(len(self._colors)))
        assert refined is not None
        return refined[0]

    def automorphisms(self, work: int = ABOUT_A_SECOND) -> Automorphisms | None:
        """The automorphisms of the graph; None if it takes too much work."""
        tenth = work // 10
        for cell_to_split, share in ((_largest_cell, tenth), (_smallest_cell, work - tenth)):
            self._graph.work_left = share
            with suppress(_TooMuchWork):
                return _Search(self._graph, cell_to_split).run(self._refined)
        return None

    def extended(self, images: Mapping[Vertex, Vertex]) -> Permutation | None:
        """An automorphism that takes some vertices to given images; None if none was found in a second."""
        self._graph.work_left = ABOUT_A_SECOND
        with suppress(_TooMuchWork):
            kinds, before = _with_new_colors(self._refined, images.keys())
            other_kinds, after = _with_new_colors(self._refined, images.values())
            found = _matched(self._graph, before, after) if np.array_equal(kinds, other_kinds) else None
            return None if found is None else tuple(found.tolist())
        return None


def _with_new_colors(colors: Colors, vertices: Iterable[Vertex]) -> tuple[NDArray[np.int64], _Changed]:
    """The colours after the k-th vertex has got the k-th new one, and the vertices of each colour."""
    changed = np.array([*vertices], dtype=np.int64)
    alone = colors.copy()
    alone[changed] = len(colors) + np.arange(len(changed))
    kinds, numbers, counts = np.unique(alone, return_inverse=True, return_counts=True)
    return np.concatenate([kinds, counts]), (numbers.reshape(-1), changed)


def _matched(graph: _Graph, before: _Changed, after: _Changed) -> Vertices | None:
    """An automorphism that takes cells to cells of the same colour.

    If refinement leaves several vertices in one cell, one of them is singled out, and each image is tried.
    """
    tried = [iter([(before, after)])]
    while tried:
        if (pair := next(tried[-1], None)) is None:
            tried.pop()
            continue
        refined = graph.refine(*pair[0])
        assert refined is not None
        other = graph.refine(*pair[1], refined[1])
        if other is None:
            continue
        guess = _guess(refined[0], other[0])
        if graph.is_automorphism(guess):
            return guess
        if (split := _smallest_cell(refined[0])) is not None:
            tried.append(_singled_out_in_both(refined[0], other[0], split))
    return None


def _singled_out_in_both(before: Colors, after: Colors, split: int) -> Iterator[tuple[_Changed, _Changed]]:
    chosen = _singled_out(before, int(np.flatnonzero(before == split)[0]))
    for vertex in np.flatnonzero(after == split).tolist():
        yield chosen, _singled_out(after, vertex)


class _TooMuchWork(Exception):
    """The bound of work is reached."""


class _Graph:
    """Neighbours in one array, with refinement and the check of automorphisms.

    work_left: how much more they may take, set by the caller.
    """

    def __init__(self, n_vertices: int, edges: Iterable[tuple[Vertex, Vertex]]) -> None:
        self.n_vertices = n_vertices
        pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
        both = np.concatenate([pairs, pairs[:, ::-1]])
        self._codes = np.sort(both[:, 0] * self.n_vertices + both[:, 1])
        sources, self._neighbours = np.divmod(self._codes, max(1, self.n_vertices))
        self._degrees = np.bincount(sources, minlength=self.n_vertices)
        self._starts = np.cumsum(self._degrees) - self._degrees
        self._hashes = mixed(np.arange(n_vertices, dtype=np.uint64))
        self.work_left = 0

    def refine(
        self, colors: Colors, changed: Vertices, like: list[_Trace] | None = None
    ) -> tuple[Colors, list[_Trace]] | None:
        """Split the cells until equal vertices have equally coloured neighbours.

        changed: the vertices whose colours are new. Before them, equal vertices had such neighbours.
        like: the traces of another refinement; None is returned as soon as this one differs from them.
        The new colours do not depend on the numbers of vertices, and a part of each cell keeps its colour.
        """
        self._spend(WORK_OF_A_COPY * self.n_vertices)
        cells = _Cells(colors)
        traces: list[_Trace] = []
        while True:
            met, sums = self._sums(cells.colors, changed)
            trace, changed = cells.split(met, sums)
            traces.append(trace)
            if like is not None:
                at = len(traces) - 1
                if at >= len(like) or not all(map(np.array_equal, trace, like[at])):
                    return None
            if not len(changed) or cells.n_cells == self.n_vertices:
                return cells.colors, traces

    def _sums(self, colors: Colors, changed: Vertices) -> tuple[Vertices, Words]:
        """The neighbours of changed vertices, and for each a hash of the multiset of their colours."""
        targets, degrees = self._neighbours_of(changed)
        self._spend(len(targets) + WORK_OF_A_ROUND)
        hashes = np.repeat(self._hashes[colors[changed]], degrees)
        if len(changed) > 1:
            order = targets.argsort(kind="stable")
            targets, hashes = targets[order], hashes[order]
        firsts = _firsts(targets)
        return targets[firsts], np.add.reduceat(hashes, firsts) if len(firsts) else hashes

    def _neighbours_of(self, vertices: Vertices) -> tuple[Vertices, NDArray[np.int64]]:
        """The neighbours of each of some vertices, one after the other, and how many each has."""
        degrees = self._degrees[vertices]
        shifts = np.repeat(self._starts[vertices] + degrees - degrees.cumsum(), degrees)
        return self._neighbours[shifts + np.arange(len(shifts))], degrees

    def is_automorphism(self, permutation: Vertices) -> bool:
        """Whether a permutation that keeps the colours takes edges to edges."""
        moved = np.flatnonzero(permutation != np.arange(self.n_vertices))
        targets, degrees = self._neighbours_of(moved)
        self._spend(self.n_vertices + 4 * len(targets) + WORK_OF_A_ROUND)
        codes = np.repeat(permutation[moved], degrees) * self.n_vertices + permutation[targets]
        places = np.searchsorted(self._codes, codes)
        return bool((places < len(self._codes)).all() and np.array_equal(self._codes[places], codes))

    def _spend(self, work: int) -> None:
        self.work_left -= work
        if self.work_left < 0:
            raise _TooMuchWork


class _Cells:
    """A partition of the vertices that becomes finer. colors: of each vertex; owned."""

    def __init__(self, colors: Colors) -> None:
        self.colors = colors.copy()
        self.n_cells = int(colors.max(initial=-1)) + 1
        self._sizes = np.zeros(len(colors), dtype=np.int64)
        self._sizes[: self.n_cells] = np.bincount(colors)

    def split(self, met: Vertices, sums: Words) -> tuple[_Trace, Vertices]:
        """Split cells by the sums of the vertices that are met; the trace, and the vertices that change.

        The vertices of a cell that are not met keep the colour; where all are met, the largest part does.
        """
        order = np.lexsort((sums, self.colors[met]))
        met, sums = met[order], sums[order]
        firsts = _firsts(self.colors[met], sums)
        of_parts, counts = self.colors[met[firsts]], _lengths(firsts, len(met))
        trace = of_parts, sums[firsts], counts
        is_new = self._is_new(of_parts, counts)
        new_counts = counts[is_new]
        colors = np.arange(self.n_cells, self.n_cells + len(new_counts))
        np.subtract.at(self._sizes, of_parts[is_new], new_counts)
        self._sizes[colors] = new_counts
        self.n_cells += len(colors)
        changed = met[np.repeat(is_new, counts)]
        self.colors[changed] = np.repeat(colors, new_counts)
        return trace, changed

    def _is_new(self, of_parts: Colors, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which parts get another colour. of_parts: the colour of each, sorted. counts: their vertices."""
        is_new = np.ones(len(counts), dtype=np.bool_)
        if not len(counts):
            return is_new
        firsts = _firsts(of_parts)
        largest = np.maximum.reduceat(counts, firsts)
        not_met = self._sizes[of_parts[firsts]] - np.add.reduceat(counts, firsts)
        n_parts = _lengths(firsts, len(of_parts))
        places = np.flatnonzero(counts == np.repeat(np.where(not_met, 0, largest), n_parts))
        is_new[places[_firsts(of_parts[places])]] = False
        return is_new


def _firsts(*sorted_columns: NDArray[np.integer[Any]]) -> Vertices:
    """The places at which the rows of sorted columns differ from those before."""
    differs = np.zeros(len(sorted_columns[0]), dtype=np.bool_)
    differs[:1] = True
    for column in sorted_columns:
        differs[1:] |= column[1:] != column[:-1]
    return differs.nonzero()[0]


def _lengths(firsts: Vertices, n: int) -> NDArray[np.int64]:
    """The distances between some places and the next ones, or the end."""
    lengths = np.empty_like(firsts)
    lengths[:-1] = firsts[1:] - firsts[:-1]
    lengths[-1:] = n - firsts[-1:]
    return lengths


_Changed: TypeAlias = tuple[Colors, Vertices]
"""Colours, and the vertices whose colours are new."""

_Trace: TypeAlias = tuple[Colors, Words, NDArray[np.int64]]
"""The parts of cells in one round of refinement: colours, hashes, and numbers of vertices."""


def mixed(numbers: Words) -> Words:
    """A hash of 64 bits (the finalizer of Steele, Lea and Flood, SplitMix, OOPSLA 2014)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """One step of the first path.

    colors: before the step. split: the colour of the cell that is split. traces: of the refinement after it.
    """

    colors: Colors
    split: int
    chosen: Vertex
    traces: list[_Trace]


class _Search:
    def __init__(self, graph: _Graph, cell_to_split: Callable[[Colors], int | None]) -> None:
        self._graph = graph
        self._cell_to_split = cell_to_split
        self._levels: list[_Level] = []
        self._generators: list[Permutation] = []

    def run(self, colors: Colors) -> Automorphisms:
        """colors: refined."""
        self._last = self._walk_first_path(colors)
        orbits = _Orbits(self._graph.n_vertices)
        order = 1
        for depth in range(len(self._levels) - 1, -1, -1):
            self._find_images(depth, orbits)
            order *= orbits.size_of(self._levels[depth].chosen)
        return Automorphisms(tuple(self._generators), order)

    def _walk_first_path(self, colors: Colors) -> Colors:
        while (split := self._cell_to_split(colors)) is not None:
            chosen = int(np.flatnonzero(colors == split)[0])
            refined = self._graph.refine(*_singled_out(colors, chosen))
            assert refined is not None
            self._levels.append(_Level(colors, split, chosen, refined[1]))
            colors = refined[0]
        return colors

    def _find_images(self, depth: int, orbits: _Orbits) -> None:
        """Find the images of a level's vertex under automorphisms that fix the vertices of earlier levels.

        orbits: of the automorphisms found so far, all of which fix those vertices.
        """
        level = self._levels[depth]
        failed: set[Vertex] = set()
        for vertex in np.flatnonzero(level.colors == level.split).tolist():
            root = orbits.root(vertex)
            if root == orbits.root(level.chosen) or root in {orbits.root(other) for other in failed}:
                continue
            found = self._try(depth, level.colors, vertex)
            if found is None:
                failed.add(vertex)
            else:
                generator = tuple(found.tolist())
                self._generators.append(generator)
                orbits.join(generator)

    def _try(self, depth: int, colors: Colors, vertex: Vertex) -> Vertices | None:
        """An automorphism that extends these colours and takes the level's vertex to this one."""
        refined = self._graph.refine(*_singled_out(colors, vertex), self._levels[depth].traces)
        if refined is None:
            return None
        colors = refined[0]
        is_last = depth + 1 == len(self._levels)
        guess = _guess(self._last if is_last else self._levels[depth + 1].colors, colors)
        if self._graph.is_automorphism(guess):
            return guess
        if is_last:
            return None
        for other in np.flatnonzero(colors == self._levels[depth + 1].split).tolist():
            if (found := self._try(depth + 1, colors, other)) is not None:
                return found
        return None


class _Orbits:
    """The orbits of vertices under some permutations."""

    def __init__(self, n_vertices: int) -> None:
        self._parents = list(range(n_vertices))
        self._sizes = [1] * n_vertices

    def root(self, vertex: Vertex) -> Vertex:
        while self._parents[vertex] != vertex:
            self._parents[vertex] = self._parents[self._parents[vertex]]
            vertex = self._parents[vertex]
        return vertex

    def size_of(self, vertex: Vertex) -> int:
        return self._sizes[self.root(vertex)]

    def join(self, permutation: Permutation) -> None:
        for vertex, image in enumerate(permutation):
            if vertex == image:
                continue
            one, other = self.root(vertex), self.root(image)
            if one != other:
                self._parents[other] = one
                self._sizes[one] += self._sizes[other]


def _largest_cell(colors: Colors) -> int | None:
    """The first of the largest cells; None if every vertex has its own colour.

    Splitting it refines most: toroidal queens on 8 x 8 take 3 ms, and more than a second with the smallest.
    """
    sizes = np.bincount(colors, minlength=1)
    largest = int(np.argmax(sizes))
    return largest if sizes[largest] > 1 else None


def _smallest_cell(colors: Colors) -> int | None:
    """The first of the smallest cells with several vertices; None if there is none.

    It stays in one component of a graph: two strongly regular graphs take 10 ms, and more than a second with
    the largest cell.
    """
    sizes = np.bincount(colors, minlength=1)
    sizes[sizes == 1] = len(colors) + 1
    smallest = int(np.argmin(sizes))
    return smallest if 1 < sizes[smallest] <= len(colors) else None


def _singled_out(colors: Colors, vertex: Vertex) -> _Changed:
    alone = colors.copy()
    alone[vertex] = colors.max() + 1
    return alone, np.array([vertex])


def _guess(before: Colors, after: Colors) -> Vertices:
    """A permutation that takes cells to cells, and vertices to themselves if possible."""
    guess = np.arange(len(before))
    # Both lists of the vertices that move are by colour, then by number.
    moving = np.flatnonzero(before != after)
    sources, targets = (moving[np.argsort(colors[moving], kind="stable")] for colors in (before, after))
    guess[sources] = targets
    return guess
