"""The words of an automaton as the least diagram that is read forwards, and the least one read backwards.

An automaton may treat the two ends of its words differently although its words, turned around, are the same
words, as those of the clue `1` of a nonogram. Least deterministic diagrams depend on the words alone. So a
symmetry of the words takes each of the two diagrams to itself, or one to the other.
Algorithm: sets of nodes, layer by layer (`model/csp/automata.py`); then nodes with equal ways to the end are
one, from the end on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.automata import Edge, by_sets, possible

Edges: TypeAlias = list[Edge]

MOST_EDGES = 10_000
"""Edges of a diagram, beyond which it is not made: there may be as many subsets as words."""


def read_both_ways(
    constraint: c.Regular | c.Diagram, domains: Sequence[Sequence[int]]
) -> tuple[list[Edges], list[Edges]] | None:
    """The edges of both diagrams, by layers; node 0 is the first. None if one of them has too many.

    domains: the values of the variables in the order of the constraint.
    """
    layers = list(possible(constraint, domains))
    last = {end for _, _, end in layers[-1]}
    ends = last if constraint.accepting is None else last.intersection(constraint.accepting)
    turned = [[(end, value, start) for start, value, end in edges] for edges in reversed(layers)]
    forwards = _least(layers, {0}, ends)
    backwards = _least(turned, ends, {0}) if forwards is not None else None
    return None if forwards is None or backwards is None else (forwards, backwards)


def _least(layers: Sequence[Edges], starts: set[int], ends: set[int]) -> list[Edges] | None:
    found, last = list[Edges](), {frozenset(starts): 0}
    for edges, after in by_sets(layers, starts):
        found.append(edges)
        last = after
        if sum(map(len, found)) > MOST_EDGES:
            return None
    return _merged(found, [node for some, node in last.items() if not some.isdisjoint(ends)])


def _merged(layers: Sequence[Edges], accepting: Iterable[int]) -> list[Edges]:
    """The same words with as few nodes as possible."""
    merged = list[Edges]()
    names = dict.fromkeys(accepting, 0)
    for edges in reversed(layers):
        ways: dict[int, list[tuple[int, int]]] = {}
        for start, value, end in edges:
            if end in names:
                ways.setdefault(start, []).append((value, names[end]))
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        names = {node: numbers.setdefault(tuple(sorted(ways[node])), len(numbers)) for node in sorted(ways)}
        merged.append([(node, value, end) for way, node in numbers.items() for value, end in way])
    return merged[::-1]
