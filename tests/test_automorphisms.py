"""Automorphism groups of coloured graphs, against all permutations and against groups that are known."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given

from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry.automorphisms import ColoredGraph, _singled_out
from rekkyo.symmetry.group import close
from tests import made_once as st

Edge = tuple[int, int]


def naive_automorphisms(colors: list[int], edges: list[Edge]) -> set[tuple[int, ...]]:
    joined = {frozenset(edge) for edge in edges}
    return {
        move
        for move in permutations(range(len(colors)))
        if all(colors[a] == colors[b] for a, b in enumerate(move))
        and {frozenset(move[end] for end in edge) for edge in joined} == joined
    }


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], list[Edge]]:
    n = draw(st.integers(1, 6))
    colors = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    pairs = list(combinations(range(n), 2))
    return colors, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


@given(graphs())
def test_they_are_all_permutations_that_keep_colours_and_edges(graph: tuple[list[int], list[Edge]]) -> None:
    colors, edges = graph
    expected = naive_automorphisms(colors, edges)
    found = ColoredGraph(colors, edges).automorphisms()
    assert found is not None
    assert found.order == len(expected)
    elements = close(RowShape(1, len(colors), Layout.BY_OPTION), found.generators).elements
    assert set(map(tuple, elements.tolist())) == expected


def naive_cells(colors: list[int], edges: list[Edge]) -> set[frozenset[int]]:
    """The coarsest cells of one colour whose vertices have equally coloured neighbours."""
    keys: list[object] = [*colors]
    for _ in colors:
        around = [
            sorted(keys.index(keys[a + b - v]) for a, b in edges if v in (a, b)) for v in range(len(keys))
        ]
        keys = [(keys.index(key), *near) for key, near in zip(keys, around, strict=True)]
    return {frozenset(v for v, other in enumerate(keys) if other == key) for key in keys}


@given(graphs())
def test_cells_are_the_coarsest_with_equally_coloured_neighbours(drawn: tuple[list[int], list[Edge]]) -> None:
    """Also after a vertex is singled out, when only the neighbours of new colours are looked at."""
    given_colors, edges = drawn
    graph = ColoredGraph(given_colors, edges)
    graph._graph.work_left = 10**9
    refined = graph._refined
    while True:
        colors = refined.tolist()
        cells = {frozenset(v for v, other in enumerate(colors) if other == color) for color in colors}
        assert cells == naive_cells(given_colors, edges)
        cell = max(cells, key=len)
        if len(cell) == 1:
            return
        given_colors = [color + 7 * (v == min(cell)) for v, color in enumerate(colors)]
        refined, _ = graph._graph.refine(*_singled_out(refined, min(cell)))


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_names(graph: tuple[list[int], list[Edge]], random) -> None:
    colors, edges = graph
    names = list(range(len(colors)))
    random.shuffle(names)
    renamed = [0] * len(colors)
    for old, new in enumerate(names):
        renamed[new] = 7 - colors[old]
    moved = [(names[b], names[a]) for a, b in edges]
    one, other = ColoredGraph(colors, edges).automorphisms(), ColoredGraph(renamed, moved).automorphisms()
    assert one is not None
    assert other is not None
    assert one.order == other.order


def kneser(n: int, k: int) -> tuple[int, list[Edge]]:
    sets = [set(chosen) for chosen in combinations(range(n), k)]
    return len(sets), [(a, b) for a, b in combinations(range(len(sets)), 2) if not sets[a] & sets[b]]


def on_a_torus(n: int, steps: set[Edge]) -> tuple[int, list[Edge]]:
    """Cells of an n x n torus, joined when they differ by one of the steps."""
    cells = [divmod(cell, n) for cell in range(n * n)]
    return len(cells), [
        (a, b)
        for a, b in combinations(range(n * n), 2)
        if ((cells[b][0] - cells[a][0]) % n, (cells[b][1] - cells[a][1]) % n) in steps
    ]


def circulant(n: int, steps: set[int]) -> tuple[int, list[Edge]]:
    return n, [(a, b) for a, b in combinations(range(n), 2) if b - a in steps or n - b + a in steps]


ROOK = {(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)}
SHRIKHANDE = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
SQUARES_MOD_13 = {1, 3, 4, 9, 10, 12}

KNOWN = [
    ("no edges", (9, []), factorial(9)),
    ("complete", kneser(9, 1), factorial(9)),
    ("a path", (30, [(k, k + 1) for k in range(29)]), 2),
    ("a ring", circulant(30, {1}), 60),
    ("Petersen", kneser(5, 2), 120),
    ("Kneser 7, 3", kneser(7, 3), factorial(7)),
    ("ten pairs", (20, [(k, k + 10) for k in range(10)]), 2**10 * factorial(10)),
    (
        "8-cube",
        (256, [(a, a | 1 << b) for a in range(256) for b in range(8) if not a >> b & 1]),
        2**8 * factorial(8),
    ),
    # These two are strongly regular with the same parameters: refinement alone cannot tell vertices apart.
    ("rook 4 x 4", on_a_torus(4, ROOK), 2 * factorial(4) ** 2),
    ("Shrikhande", on_a_torus(4, SHRIKHANDE), 192),
    ("Paley 13", circulant(13, SQUARES_MOD_13), 78),
]


@pytest.mark.parametrize(("graph", "order"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_known_groups(graph: tuple[int, list[Edge]], order: int) -> None:
    found = ColoredGraph([0] * graph[0], graph[1]).automorphisms()
    assert found is not None
    assert found.order == order


@pytest.mark.parametrize("image", [3, 7, 12])
@pytest.mark.parametrize(
    "graph", [on_a_torus(4, ROOK), on_a_torus(4, SHRIKHANDE), circulant(13, SQUARES_MOD_13)]
)
def test_an_image_is_extended_where_refinement_leaves_a_choice(
    graph: tuple[int, list[Edge]], image: int
) -> None:
    """In these graphs every vertex can be taken to every other one."""
    n, edges = graph
    found = ColoredGraph([0] * n, edges).extended({0: image})
    assert found is not None
    assert found[0] == image
    assert {frozenset((found[a], found[b])) for a, b in edges} == set(map(frozenset, edges))


def test_an_image_that_no_automorphism_has_is_not_extended() -> None:
    """A path beside a triangle: no vertex of one is taken to one of the other."""
    assert ColoredGraph([0] * 6, [(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)]).extended({0: 3}) is None


def test_two_graphs_that_look_alike_to_refinement_are_not_taken_for_each_other() -> None:
    """Side by side: were they taken for equal, the order would double."""
    n, rook = on_a_torus(4, ROOK)
    shrikhande = [(a + n, b + n) for a, b in on_a_torus(4, SHRIKHANDE)[1]]
    found = ColoredGraph([0] * (2 * n), rook + shrikhande).automorphisms()
    assert found is not None
    assert found.order == 2 * factorial(4) ** 2 * 192


def test_it_gives_up_when_the_work_is_too_much() -> None:
    n, edges = kneser(7, 3)
    assert ColoredGraph([0] * n, edges).automorphisms(work=20_000) is None


def test_no_vertices() -> None:
    found = ColoredGraph([], []).automorphisms()
    assert found is not None
    assert (found.order, found.generators) == (1, ())
