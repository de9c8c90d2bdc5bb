"""Spanning trees by Kirchhoff's theorem: published counts, symmetries, and which models are about trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import cos, isclose, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.determinants.trees import CspDeterminant
from rekkyo.model.csp.constraints import Acyclic, AllDifferent, Clause, Connected
from rekkyo.model.csp.csp import Csp, Objective

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


PARALLEL = Csp(
    ("x", "y"),
    ((0, 1),) * 2,
    (
        *[Clause(((0, 1, True), (1, 1, True)))] * 2,
        Connected((0, 1), ((0, 1),), (1,)),
        Acyclic((0, 1), ((0, 1, 0, 1), (1, 1, 0, 1))),
    ),
    (0, 1),
)
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
            ]
        else:
            assert isinstance(constraint, Clause)
            first, *others = constraint.literals
            changes = [Clause(tuple(others)), Clause(((first[0], 1, False), *others))]
        for changed in changes:
            constraints = tuple(changed if one is constraint else one for one in model.constraints)
            assert not ENGINE.accepts(replace(model, constraints=constraints)), changed  # type: ignore[arg-type]


def test_links_may_come_in_any_order() -> None:
    model = trees(SQUARE)
    turned = [
        replace(constraint, links=constraint.links[::-1]) if isinstance(constraint, Acyclic) else constraint
        for constraint in model.constraints
    ]
    assert ENGINE.accepts(replace(model, constraints=tuple(turned)))


def test_parallel_edges_count_as_often() -> None:
    """Two edges a-b and an edge b-c: two trees."""
    clauses = tuple(Clause(tuple((edge, 1, True) for edge in edges)) for edges in ((0, 1), (0, 1, 2), (2,)))
    connected = Connected((0, 1, 2), ((0, 1), (0, 2), (1, 2)), (1,))
    acyclic = Acyclic((0, 1, 2), ((0, 1, 0, 1), (1, 1, 0, 1), (2, 1, 1, 2)))
    model = Csp(tuple("xyz"), ((0, 1),) * 3, (*clauses, connected, acyclic), (0, 1, 2))
    puzzle = rk.Puzzle("two edges", model, "two edges")
    found = rk.count(puzzle)
    assert (found.total, found.engine) == (2, ENGINE.name)
    assert found.total == rk.count(puzzle, engine="csp-plain").total


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
