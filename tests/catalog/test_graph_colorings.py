"""Colourings of vertices and of edges: by their definition, against published numbers, and their classes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise, product

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.model.coloring import Coloring
from tests import made_once as st
from tests import naive_graphs as naive
from tests.catalog.graph_questions import graphs
from tests.render.pictures import texts


@given(graphs(), st.integers(2, 3))
@settings(max_examples=15)
def test_colorings_by_definition(graph: rk.Graph, colors: int) -> None:
    total = rk.count(graph.colorings(colors), workers=1, up_to="none").total
    assert total == naive.colorings(len(graph.names), graph.edges, colors)


@given(graphs(), st.integers(2, 4))
@settings(max_examples=15)
def test_edge_colorings_by_definition(graph: rk.Graph, colors: int) -> None:
    """The same rows as colourings of the line graph, whose symmetry may be larger."""
    found = set(rk.solve(graph.edge_colorings(colors), workers=1))
    assert found == {
        row
        for row in product(range(colors), repeat=len(graph.edges))
        if all(
            row[a] != row[b]
            for a, b in combinations(range(len(row)), 2)
            if {*graph.edges[a]} & {*graph.edges[b]}
        )
    }


def test_published_numbers_of_edge_colorings() -> None:
    """Latin squares of order 4 are the colourings of K4,4 (OEIS A002860), and six one-factorizations (A000438)
    those of K6 in five colours; all permutations of its points give each order of all factors. The Petersen
    graph has none in three colours.
    """
    latin = rk.graph(named="complete-bipartite 4 4").edge_colorings(4)
    assert rk.count(latin).total == 576
    six = rk.graph(named="complete 6").edge_colorings(5)
    assert (rk.count(six).total, rk.count(six).unique) == (6 * 120, 1)
    assert rk.count(rk.graph(named="petersen").edge_colorings(3)).total == 0
    four = rk.graph(named="complete 4").edge_colorings(3)
    row = next(rk.solve(four))
    assert [text.text for text in texts(rk.svg(four, row))][-6:] == [str(value + 1) for value in row]


@pytest.mark.parametrize("colors", [3, 8])
def test_all_symmetry_of_edges_and_colours_exchanged_are_two_questions(colors: int) -> None:
    """The edges of K4 meet as the vertices of an octahedron do, which has twice the symmetry of K4. Up to colours,
    so many of its three pairs of opposite edges have one colour: all if there are three colours, else 0 to 3.
    With eight colours, both symmetries together are too large to list.
    """
    four = rk.graph(named="complete 4")
    edges, octahedron = four.edge_colorings(colors), four.line_graph().colorings(colors)
    assert edges.words_up_to == ["symmetry", "none", "graph", "constraints", "exchange-colours"]
    assert rk.count(edges, up_to="constraints").unique == rk.count(octahedron).unique
    assert rk.count(edges, up_to="exchange-colours").unique == (1 if colors == 3 else 4)


@pytest.mark.parametrize("vertex", range(5))
def test_symmetry_of_a_graph_that_a_fixed_colour_does_not_keep(vertex: int) -> None:
    """One reflection of a pentagon leaves a vertex where it is, whichever generators its symmetry has."""
    puzzle = rk.graph(named="cycle 5").colorings(3)
    assert isinstance(puzzle.model, Coloring)
    model = replace(puzzle.model, fixed=((vertex, 0),))
    own, found = rk.with_own_symmetry(rk.Puzzle("one fixed", model, "one fixed", picture=puzzle.picture))
    assert (found.order, own.words_up_to) == (2, ["symmetry", "none", "exchange-colours"])


@pytest.mark.parametrize(
    ("name", "total"), [("path 4", 9 * 8**3), ("cycle 4", 8**4 + 8), ("complete 4", 9 * 8 * 7 * 6)]
)
def test_nine_colours(name: str, total: int) -> None:
    """The chromatic polynomials of paths, cycles and complete graphs. From nine colours on, colours are
    values of a Csp.
    """
    puzzle = rk.graph(named=name).colorings(9)
    assert isinstance(puzzle.model, rk.Csp)
    assert rk.count(puzzle, up_to="none").total == total
    eight = rk.count(rk.graph(named=name).colorings(8), up_to="none").total
    assert eight == {"path 4": 8 * 7**3, "cycle 4": 7**4 + 7, "complete 4": 8 * 7 * 6 * 5}[name]


@pytest.mark.parametrize("n_colors", [7, 8, 9, 10])
@pytest.mark.parametrize("from_file", [False, True])
def test_unique_colourings_are_up_to_the_graph_in_any_number_of_colours(
    n_colors: int, from_file: bool
) -> None:
    """The colourings of two joined vertices are unordered pairs of colours. With colours exchanged there is
    one.
    """
    puzzle = (
        rk.puzzle_from_text(f'kind = "graph"\nedges = "a b"\ncolors = {n_colors}')
        if from_file
        else rk.graph([("a", "b")]).colorings(n_colors)
    )
    found = rk.count(puzzle)
    assert (found.total, found.unique) == (n_colors * (n_colors - 1), n_colors * (n_colors - 1) // 2)
    for up_to in ("exchange-colours", "symmetry,exchange-colours"):
        assert rk.count(puzzle, up_to=up_to).unique == 1


def test_unique_colourings_in_nine_colours_by_brute_force() -> None:
    """A path of four vertices may be reversed, and the leaves of a star are permuted."""
    path = [c for c in product(range(9), repeat=4) if all(a != b for a, b in pairwise(c))]
    assert rk.count(rk.graph(named="path 4").colorings(9)).unique == len({min(c, c[::-1]) for c in path})
    star = rk.graph([(0, 1), (0, 2), (0, 3)]).colorings(9)
    assert rk.count(star).unique == 9 * len(list(combinations_with_replacement(range(8), 3)))
