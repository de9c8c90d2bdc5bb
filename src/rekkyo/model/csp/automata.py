"""Automata and decision diagrams, made deterministic layer by layer: a node becomes a set of nodes.

The plain engine and the writers of models for other programs use it. The propagating engine and the writer of
proofs do it in their own way, so that one can be checked against the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rekkyo.model.csp.constraints import Diagram, Regular

Edge: TypeAlias = tuple[int, int, int]
"""Node before, value, node after."""


def deterministic(constraint: Regular | Diagram, domains: Sequence[Sequence[int]]) -> list[set[Edge]]:
    """The edges for each variable, with the same words from node 0, at most one for a node and a value.

    Nodes have numbers from 0 that differ in all layers, and edges that lead nowhere are dropped.
    domains: of all variables of the model.
    """
    last = {frozenset({0}): 0}
    edges: list[set[Edge]] = []
    n_nodes = 1
    for v, layer in zip(constraint.variables, constraint.edges, strict=True):
        after: dict[frozenset[int], int] = {}
        edges.append(set())
        for nodes, start in last.items():
            for letter, ends in _leads(layer, nodes, set(domains[v])).items():
                end = after.setdefault(frozenset(ends), n_nodes + len(after))
                edges[-1].add((start, letter, end))
        n_nodes += len(after)
        last = after
    accepting = constraint.accepting
    good = {n for nodes, n in last.items() if accepting is None or not nodes.isdisjoint(accepting)}
    for place in reversed(range(len(edges))):
        edges[place] = {edge for edge in edges[place] if edge[2] in good}
        good = {start for start, _, _ in edges[place]}
    return edges


def _leads(layer: Iterable[Edge], nodes: frozenset[int], letters: set[int]) -> dict[int, set[int]]:
    """For each letter the nodes to which it leads from some of the given nodes."""
    leads: dict[int, set[int]] = {}
    for start, letter, end in layer:
        if start in nodes and letter in letters:
            leads.setdefault(letter, set()).add(end)
    return leads
