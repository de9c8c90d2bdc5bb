"""Links without cycles, in merging and in the search, agree with the definition and with published counts."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import Acyclic, Connected, Constraint, Linear, Table
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_counted import planned, total_of


@st.composite
def linked(draw: st.DrawFn) -> Csp:
    """Links between up to six vertices: parallel ones, several of one value, from a vertex to itself.

    Some values are forbidden together, so that a vertex may end early.
    """
    n = draw(st.integers(2, 6))
    vertex = st.integers(0, n - 1)
    usual = st.sampled_from([(0, 1)] * 6 + [(1,), (0, 1, 2), (0,)])
    domains = tuple(draw(st.lists(usual, min_size=3, max_size=8)))
    links = []
    for place, domain in enumerate(domains):
        for value in domain[1:] if draw(st.integers(0, 4)) else domain:
            links += [(place, value, draw(vertex), draw(vertex)) for _ in range(draw(st.integers(1, 2)))]
    variables = tuple(range(len(domains)))
    constraints: list[Constraint] = [Acyclic(variables, tuple(links), draw(st.booleans()))]
    for v in range(n):
        here = sorted({place for place, _, one, other in links if v in (one, other)})[:4]
        if len(here) > 2 and draw(st.integers(0, 2)) == 0:
            rows = {tuple(draw(st.sampled_from(domains[place])) for place in here) for _ in range(9)}
            constraints.append(Table(tuple(here), tuple(sorted(rows))))
    return Csp(tuple(map(str, variables)), domains, tuple(constraints))


@pytest.mark.kernel
@given(model=linked(), seed=st.integers(0, 1 << 32))
def test_links_are_counted_in_any_order(model: Csp, seed: int) -> None:
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


@st.composite
def trees(draw: st.DrawFn) -> Csp:
    """Edges of a small graph that hang together and form no cycle; edges may be parallel or have two values."""
    n = draw(st.integers(2, 5))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=8))
    beside = tuple((i, j) for i, j in combinations(range(len(edges)), 2) if {*edges[i]} & {*edges[j]})
    variables = tuple(range(len(edges)))
    values = draw(st.sampled_from([(1,), (1, 2)]))
    links = tuple((place, value, *edge) for place, edge in enumerate(edges) for value in values)
    constraints = (Connected(variables, beside, values), Acyclic(variables, links))
    return Csp(tuple(map(str, variables)), ((0, *values),) * len(edges), constraints)


@pytest.mark.kernel
@given(model=trees(), seed=st.integers(0, 1 << 32))
def test_trees_have_one_set_of_labels(model: Csp, seed: int) -> None:

    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert len(rules_of(model).joints) <= 1
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


def test_a_forest_beside_other_connected_cells_keeps_its_own_labels() -> None:
    """A path of edges, and cells of which each two are neighbours: other things meet."""
    links = ((0, 1, 0, 1), (1, 1, 1, 2), (2, 1, 2, 0))
    for beside in (((0, 1), (1, 2)), ()):
        model = Csp(
            tuple("abc"), ((0, 1),) * 3, (Connected((0, 1, 2), beside, (1,)), Acyclic((0, 1, 2), links))
        )
        assert len(rules_of(model).joints) == 2
        assert total_of(planned(model, [0, 1, 2])) == len(naive_csp.solutions(model))


@pytest.mark.parametrize(("last", "total"), [((3, 1, 3, 0), 13), ((3, 1, 0, 3), 14)])
def test_arcs_that_hang_together_keep_their_directions(last: tuple[int, int, int, int], total: int) -> None:
    """A ring of four arcs: two that are opposite do not hang together, and all of them may form a cycle."""
    arcs = ((0, 1, 0, 1), (1, 1, 1, 2), (2, 1, 2, 3), last)
    ring = Connected((0, 1, 2, 3), ((0, 1), (1, 2), (2, 3), (3, 0)), (1,))
    model = Csp(tuple("abcd"), ((0, 1),) * 4, (ring, Acyclic((0, 1, 2, 3), arcs, directed=True)))
    assert total_of(planned(model, [0, 1, 2, 3])) == len(naive_csp.solutions(model)) == total


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
def test_published_forests(engine: str) -> None:
    """OEIS A001858 and A005195: forests of labelled vertices, and of vertices without labels."""
    for n, total, unique in [(3, 7, 3), (4, 38, 6), (5, 291, 10), (6, 2932, 20)]:
        forests = rk.graph(named=f"complete {n}").edge_sets(acyclic=True)
        counted = rk.count(forests, engine=engine)
        assert (counted.total, counted.unique) == (total, unique)


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
def test_published_acyclic_digraphs(engine: str) -> None:
    """OEIS A003024: arcs between labelled vertices without a cycle."""
    for n, total in [(2, 3), (3, 25), (4, 543)]:
        problem = rk.Problem()
        arcs = [(one, other) for one in range(n) for other in range(n) if one != other]
        cells = problem.variables([f"{one} to {other}" for one, other in arcs], (0, 1))
        problem.acyclic(cells, [(place, 1, *arc) for place, arc in enumerate(arcs)], directed=True)
        assert rk.count(problem.puzzle(), engine=engine).total == total


def test_more_vertices_at_once_than_have_rows_are_refused() -> None:
    """All arcs from a vertex are decided before those that lead back."""
    n = 49
    arcs = tuple(
        (place, 1, *ends)
        for place, ends in enumerate([*((0, v) for v in range(1, n)), *((v, 0) for v in range(1, n))])
    )
    variables = tuple(range(len(arcs)))
    model = Csp(tuple(map(str, variables)), ((0, 1),) * len(arcs), (Acyclic(variables, arcs, directed=True),))
    with pytest.raises(EngineRefuses, match="cannot remember the ways between 49 vertices"):
        planned(model, variables)


@settings(max_examples=20)
@given(n=st.integers(65, 70), seed=st.integers(0, 1 << 32))
def test_ways_of_more_vertices_than_a_word_has_bits(n: int, seed: int) -> None:
    """Arcs along a ring, of which all but a few are given: at least one is missing."""
    given_arcs = random.Random(seed).sample(range(n), n - 4)
    domains = tuple((1,) if place in given_arcs else (0, 1) for place in range(n))
    ring = tuple((place, 1, place, (place + 1) % n) for place in range(n))
    for directed in (False, True):
        model = Csp(tuple(map(str, range(n))), domains, (Acyclic(tuple(range(n)), ring, directed),))
        assert rk.count(rk.Puzzle("ring", model, "ring"), engine="csp").total == 15


@pytest.mark.kernel
def test_a_vertex_ends_only_if_all_values_that_touch_it_are_forbidden() -> None:
    """The sides of a triangle, by two values each. A sum forbids one of the values of the last side."""
    links = tuple((side, value, side, (side + 1) % 3) for side in range(3) for value in (1, 2))
    constraints = (Acyclic((0, 1, 2), links), Linear((1, 1, 1), (0, 1, 2), "!=", 4))
    model = Csp(("a", "b", "c"), ((0, 1, 2),) * 3, constraints)
    assert total_of(planned(model, range(3))) == len(naive_csp.solutions(model)) == 16


@pytest.mark.kernel
def test_a_vertex_does_not_end_before_a_link_that_a_sum_leaves_out() -> None:
    """Three links between two vertices, and one to a third. The sum says nothing of the one in the middle."""
    links = ((0, 1, 2, 0), (1, 1, 1, 2), (2, 1, 1, 2), (3, 1, 1, 2))
    constraints = (Acyclic((0, 1, 2, 3), links), Linear((1, 1, 1), (0, 1, 3), "=", 2))
    model = Csp(tuple("abcd"), ((0, 1),) * 4, constraints)
    assert total_of(planned(model, range(4))) == len(naive_csp.solutions(model)) == 2


@pytest.mark.kernel
def test_sides_of_a_triangle_that_come_together_are_not_taken_for_a_loop() -> None:
    """None or two at each vertex, and no cycle: only the empty set."""
    both = [Table((side, (side + 1) % 3), ((0, 0), (1, 1))) for side in range(3)]
    links = tuple((side, 1, side, (side + 1) % 3) for side in range(3))
    model = Csp(tuple("abc"), ((0, 1),) * 3, (Acyclic((0, 1, 2), links), *both))
    assert total_of(planned(model, range(3))) == len(naive_csp.solutions(model)) == 1
