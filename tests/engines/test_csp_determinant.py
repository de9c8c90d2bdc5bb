"""Spanning trees by Kirchhoff's theorem: published counts, symmetries, and which models are about trees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from math import cos, isclose, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.determinants.trees import CspDeterminant
from rekkyo.model.csp.constraints import Acyclic, AllDifferent, Clause, Connected
from rekkyo.model.csp.csp import Csp, Objective
from tests import naive_csp

ENGINE = CspDeterminant()


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("grid 3 3", 192),  # OEIS A007341
        ("grid 6 6", 32565539635200),  # OEIS A007341
        ("grid 8 8", 126231322912498539682594816),  # OEIS A007341
        ("complete 7", 7**5),  # Cayley
        ("complete 2", 1),
        ("hypercube 4", 42467328),  # OEIS A006237
        ("petersen", 2000),
        ("path 5", 1),
        ("cycle 9", 9),
    ],
)
def test_published_trees(name: str, total: int) -> None:
    trees = rk.graph(named=name).spanning_trees()
    assert rk.count(trees, engine=ENGINE.name, up_to="none").total == total


def graphs() -> st.SearchStrategy[list[tuple[str, str]]]:
    """Random graphs, circulant graphs, and such with one more vertex, so that there are symmetries."""
    pairs = st.sampled_from(list(combinations("abcdef", 2)))
    some = st.lists(pairs, min_size=1, max_size=9, unique=True)

    @st.composite
    def circulant(draw: st.DrawFn) -> list[tuple[str, str]]:
        n, steps = draw(st.integers(3, 6)), draw(st.sets(st.integers(1, 3), min_size=1, max_size=2))
        edges = {
            (min(k, (k + step) % n), max(k, (k + step) % n)) for k in range(n) for step in steps if step % n
        }
        hub = [(k, 9) for k in draw(st.sets(st.integers(0, n - 1)))]
        return [(str(one), str(other)) for one, other in [*sorted(edges), *hub]][:11]

    return some | circulant().filter(bool)


@given(edges=graphs())
def test_trees_up_to_symmetry(edges: list[tuple[str, str]]) -> None:
    """Symmetries of the model may move an edge with a leaf alone."""
    puzzle = rk.graph(edges=edges).spanning_trees()
    found, expected = (rk.count(puzzle, engine=name, workers=1) for name in (ENGINE.name, "csp-plain"))
    assert (found.total, found.unique) == (expected.total, expected.unique)


@pytest.mark.parametrize("alone", ["d", "d\ne"])
def test_vertices_without_edges_are_in_no_tree(alone: str) -> None:
    puzzle = rk.graph(f"a b\nb c\nc a\n{alone}").spanning_trees()
    found = rk.count(puzzle, engine=ENGINE.name)
    assert (found.total, found.unique) == (0, 0)


@pytest.mark.parametrize(
    ("edges", "total", "unique"),
    [
        ("ab bc ca ax by", 3, 2),
        ("ab bc cd de", 1, 1),
        ("ab bc ca cx xd de ef fd", 9, 3),
        ("ab bc ca xy yz", 0, 0),
    ],
)
def test_leaves_and_bridges(edges: str, total: int, unique: int) -> None:
    """A triangle with two legs; a path; two triangles that two edges join; and two parts."""
    puzzle = rk.graph(edges=[(a, b) for a, b in edges.split()]).spanning_trees()
    found = rk.count(puzzle, engine=ENGINE.name)
    assert (found.total, found.unique) == (total, unique)
    assert rk.count(puzzle, engine="csp-plain").unique == unique


def trees(edges: object) -> Csp:
    model = rk.graph(edges=edges).spanning_trees().model
    assert isinstance(model, Csp)
    return model


def stated(vertices: Iterable[int], edges: Sequence[tuple[int, int]]) -> Csp:
    """The spanning trees of a graph with numbered vertices, which may have parallel edges and loops."""
    numbers = tuple(range(len(edges)))
    incident = [[number for number in numbers if vertex in edges[number]] for vertex in vertices]
    meeting = {pair for some in incident for pair in combinations(some, 2)}
    return Csp(
        tuple(f"edge {number}" for number in numbers),
        ((0, 1),) * len(edges),
        (
            *(Clause(tuple((number, 1, True) for number in some)) for some in incident),
            Connected(numbers, tuple(sorted(meeting)), (1,)),
            Acyclic(numbers, tuple((number, 1, *ends) for number, ends in enumerate(edges))),
        ),
        numbers,
    )


PARALLEL = stated((0, 1), [(0, 1), (0, 1)])
BOW_TIE = trees([(a, b) for a, b in ("ab", "bc", "ca", "cd", "de", "ec")])


@pytest.mark.parametrize(
    ("model", "symmetry"),
    [
        pytest.param(BOW_TIE, (2, 3, 4, 5, 0, 1, 6, 7, 8, 9, 10, 11), id="one triangle turned"),
        pytest.param(PARALLEL, (1, 0, 3, 2), id="one edge instead of the other"),
    ],
)
def test_symmetries_of_the_trees_that_are_none_of_the_graph(model: Csp, symmetry: tuple[int, ...]) -> None:
    """Each takes every tree to a tree. Turned edges do not meet the others where they did."""
    rows = {*rk.solve(rk.Puzzle("trees", model, "trees"), up_to="none")}
    chosen = [{2 * edge + value for edge, value in enumerate(row)} for row in rows]
    assert all({symmetry[atom] for atom in some} in chosen for some in chosen)
    assert ENGINE.fixed_plan(ENGINE.plan(model), symmetry) is None


SQUARE = [*zip("abcd", "bcda", strict=True), ("a", "c")]


def test_is_only_for_models_that_say_nothing_else() -> None:
    model = trees(SQUARE)
    assert ENGINE.accepts(model)
    for at, constraint in enumerate(model.constraints):
        less = model.constraints[:at] + model.constraints[at + 1 :]
        assert not ENGINE.accepts(replace(model, constraints=less)), constraint
    for more in (Clause(((0, 1, True), (2, 1, True))), Clause(((0, 0, True),)), AllDifferent((0, 1))):
        assert not ENGINE.accepts(replace(model, constraints=(*model.constraints, more)))
    for changed in (
        replace(model, objective=Objective(0, maximize=True)),
        replace(model, solution=model.solution[::-1]),
        replace(model, solution=model.solution[1:]),
        replace(model, domains=((0, 1, 2), *model.domains[1:])),
        replace(model, domains=((1,), *model.domains[1:])),
    ):
        assert not ENGINE.accepts(changed)


def test_is_only_for_undirected_trees_of_all_edges() -> None:
    """Each change makes a model with other solutions or is about other things; none is taken for trees."""
    model = trees(SQUARE)
    for constraint in model.constraints:
        if isinstance(constraint, Acyclic):
            first, *others = constraint.links
            changes: list[object] = [
                replace(constraint, directed=True),
                replace(constraint, links=tuple(others)),
                replace(constraint, links=((first[0], 0, *first[2:]), *others)),
                replace(constraint, links=((first[0], 1, first[2], first[2]), *others)),
                replace(constraint, links=(first, *constraint.links)),
            ]
        elif isinstance(constraint, Connected):
            changes = [
                replace(constraint, values=(0,)),
                replace(constraint, values=(0, 1)),
                replace(constraint, edges=constraint.edges[1:]),
                replace(constraint, variables=(1, *constraint.variables[1:])),
                replace(constraint, variables=(*constraint.variables, 0)),
            ]
        else:
            assert isinstance(constraint, Clause)
            first, *others = constraint.literals
            changes = [Clause(tuple(others)), Clause(((first[0], 1, False), *others))]
        for changed in changes:
            constraints = tuple(changed if one is constraint else one for one in model.constraints)
            assert not ENGINE.accepts(replace(model, constraints=constraints)), changed  # type: ignore[arg-type]


def test_is_not_for_graphs_with_loops() -> None:
    """A loop is in no tree; the clause of its vertex names it like other edges."""
    model = stated((0, 1), [(0, 1), (1, 1)])
    assert not ENGINE.accepts(model)
    assert naive_csp.solutions(model) == [(1, 0)]


def test_links_may_come_in_any_order() -> None:
    model = trees(SQUARE)
    turned = [
        replace(constraint, links=constraint.links[::-1]) if isinstance(constraint, Acyclic) else constraint
        for constraint in model.constraints
    ]
    assert ENGINE.accepts(replace(model, constraints=tuple(turned)))


def test_parallel_edges_count_as_often() -> None:
    """Two edges a-b and an edge b-c: two trees."""
    model = stated((0, 1, 2), [(0, 1), (0, 1), (1, 2)])
    puzzle = rk.Puzzle("two edges", model, "two edges")
    found = rk.count(puzzle)
    assert (found.total, found.engine) == (2, ENGINE.name)
    assert found.total == rk.count(puzzle, engine="csp-plain").total


@st.composite
def stated_trees(draw: st.DrawFn) -> tuple[Csp, tuple[int, ...]]:
    """The trees of a graph that may have parallel edges, and a symmetry that may exchange these."""
    vertices = draw(st.lists(st.integers(-3, 3), min_size=2, max_size=5, unique=True))
    edges = draw(st.lists(st.sampled_from(list(combinations(vertices, 2))), min_size=1, max_size=7))
    between = defaultdict(list)
    for number, ends in enumerate(edges):
        between[frozenset(ends)].append(number)
    moves = [dict(zip(vertices, images, strict=True)) for images in permutations(vertices)]
    images_of_ends = [{ends: frozenset(move[end] for end in ends) for ends in between} for move in moves]
    kept = [
        image_of
        for image_of in images_of_ends
        if all(len(some) == len(between.get(image_of[ends], ())) for ends, some in between.items())
    ]
    image_of = draw(st.sampled_from(kept))
    symmetry = [0] * 2 * len(edges)
    for ends, some in between.items():
        for edge, image in zip(some, draw(st.permutations(between[image_of[ends]])), strict=True):
            symmetry[2 * edge : 2 * edge + 2] = 2 * image, 2 * image + 1
    return stated(vertices, edges), tuple(symmetry)


@given(trees_and_symmetry=stated_trees())
def test_trees_of_any_graph_and_those_that_a_symmetry_leaves_unchanged(
    trees_and_symmetry: tuple[Csp, tuple[int, ...]],
) -> None:
    """A vertex may have any number. If it has no edges, its clause is empty, and there is no tree."""
    model, symmetry = trees_and_symmetry
    chosen = [{2 * edge + value for edge, value in enumerate(row)} for row in naive_csp.solutions(model)]
    plan = ENGINE.plan(model)
    assert ENGINE.count(plan, WHOLE, no_pause).total == len(chosen)
    fixed = ENGINE.fixed_plan(plan, symmetry)
    assert fixed is not None
    unchanged = [some for some in chosen if {symmetry[atom] for atom in some} == some]
    assert ENGINE.count(fixed, WHOLE, no_pause).total == len(unchanged)


def test_a_vertex_without_edges_beside_one_with_the_number_minus_1() -> None:
    """A triangle, and a vertex that no tree reaches."""
    model = stated((-1, 0, 1, 2), [(-1, 0), (0, 1), (1, -1)])
    found = rk.count(rk.Puzzle("a triangle", model, "a triangle"), up_to="none")
    assert (found.total, found.engine) == (0, ENGINE.name)


def test_a_graph_in_two_parts_has_no_tree() -> None:
    puzzle = rk.graph(
        edges=[("a", "b"), ("b", "c"), ("a", "c"), ("d", "e"), ("e", "f"), ("d", "f")]
    ).spanning_trees()
    found = rk.count(puzzle)
    assert (found.total, found.unique, found.engine) == (0, 0, ENGINE.name)


def test_a_large_grid_agrees_with_the_formula() -> None:
    """For n x n points, the product of (4 - 2 cos(pi j / n) - 2 cos(pi k / n)), but for j = k = 0, over n squared.

    G. Kreweras, "Complexité et circuits eulériens dans les sommes tensorielles de graphes" (1978).
    """
    n = 20
    found = rk.count(rk.graph(named=f"grid {n} {n}").spanning_trees())
    places = (place for place in product(range(n), repeat=2) if any(place))
    terms = (4 - 2 * cos(pi * j / n) - 2 * cos(pi * k / n) for j, k in places)
    assert isclose(sum(map(log, terms)) - 2 * log(n), log(found.total), rel_tol=1e-12)
    assert found.unique is not None
    assert 8 * found.unique > found.total
