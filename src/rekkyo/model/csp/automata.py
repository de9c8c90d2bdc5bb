"""Automata and decision diagrams, made deterministic layer by layer: a node becomes a set of nodes.

The plain engine, the search for symmetry and the writers of models for other programs use it. The propagating
engine and the writer of proofs do it in their own way, so that one can be checked against the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rekkyo.model.csp.constraints import Diagram, Regular

Edge: TypeAlias = tuple[int, int, int]
"""Node before, value, node after."""


def deterministic(constraint: Regular | Diagram, domains: Sequence[Sequence[int]]) -> list[set[Edge]]:
    """The edges for each variable, with the same words from node 0, at most one for a node and a value.

    Nodes have numbers from 0 that differ in all layers, and edges that lead nowhere are dropped.
    domains: of all variables of the model.
    """
    edges: list[set[Edge]] = []
    last = {frozenset({0}): 0}
    first, n_nodes = 0, 1
    for layer, after in by_sets(possible(constraint, [domains[v] for v in constraint.variables]), {0}):
        edges.append({(first + start, letter, n_nodes + end) for start, letter, end in layer})
        first, n_nodes = n_nodes, n_nodes + len(after)
        last = after
    accepting = constraint.accepting
    good = {first + n for some, n in last.items() if accepting is None or not some.isdisjoint(accepting)}
    for place in reversed(range(len(edges))):
        edges[place] = {edge for edge in edges[place] if edge[2] in good}
        good = {start for start, _, _ in edges[place]}
    return edges


def possible(constraint: Regular | Diagram, domains: Sequence[Sequence[int]]) -> Iterator[list[Edge]]:
    """The edges of each layer whose values are possible. domains: in the order of the constraint."""
    for edges, letters in zip(constraint.edges, map(frozenset, domains), strict=True):
        yield [edge for edge in edges if edge[1] in letters]


def by_sets(
    layers: Iterable[Sequence[Edge]], starts: Iterable[int]
) -> Iterator[tuple[list[Edge], dict[frozenset[int], int]]]:
    """For each layer its edges between sets of nodes, and the sets behind it, with numbers from 0 on."""
    last = {frozenset(starts): 0}
    for layer in layers:
        after: dict[frozenset[int], int] = {}
        edges: list[Edge] = []
        for nodes, start in last.items():
            leads: dict[int, set[int]] = {}
            for before, letter, end in layer:
                if before in nodes:
                    leads.setdefault(letter, set()).add(end)
            edges += [
                (start, letter, after.setdefault(frozenset(ends), len(after)))
                for letter, ends in leads.items()
            ]
        yield edges, after
        last = after
