"""Graceful labelings of a graph.

The vertices have different labels from 0 to m, the number of edges, such that the differences along the edges
are 1 to m, each once.
Source: S. W. Golomb, "How to number a graph", 1972; A. Rosa (1967) calls them beta-valuations.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from rekkyo.catalog.graphs.vertex_sets import described
from rekkyo.model.checks import check_size
from rekkyo.model.csp.problem import Problem
from rekkyo.model.puzzle import SYMBOLS, Puzzle

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

MAX_LABELED_EDGES = len(SYMBOLS)
"""The most edges: each label is written as one character. A table for each edge states its difference; it has
m (m + 1) rows for m edges."""


def graceful_labelings(graph: Graph) -> Puzzle:
    """The puzzle of the graceful labelings of a graph. Raises BadModel."""
    n_edges = len(graph.edges)
    check_size("graph: graceful labelings", n_edges, "edges", MAX_LABELED_EDGES)
    problem = Problem()
    labels = problem.variables(graph.names, range(n_edges + 1))
    problem.all_different(labels)
    rows = [(a, b, abs(a - b)) for a, b in product(range(n_edges + 1), repeat=2) if a != b]
    differences = [problem.hidden(range(1, n_edges + 1)) for _ in graph.edges]
    for (one, other), difference in zip(graph.edges, differences, strict=True):
        problem.table((labels[one], labels[other], difference), rows)
    if differences:
        problem.all_different(differences)
    puzzle = problem.puzzle("graph labelings", f"Graceful labelings of {described(graph)}", solution=labels)
    return replace(puzzle, symbols="0" + SYMBOLS, picture=graph.picture(on_edges=False))
