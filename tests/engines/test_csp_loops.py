"""Labels of connected components and mates of loops agree with the definition and with published counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.csp.frontier.exchanges import Exchange
from rekkyo.engines.csp.frontier.rules import cliques
from rekkyo.engines.frontier.arrange import NAMES
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.model.csp.constraints import (
    Acyclic,
    AllDifferent,
    Clause,
    Connected,
    Constraint,
    Linear,
    Table,
)
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.lower import lower
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_counted import (
    ENGINE,
    WHOLE,
    alike_of,
    grid,
    plan_with_exchanges,
    planned,
    total,
    total_of,
)
from tests.examples import examples


@st.composite
def connected_edges(draw: st.DrawFn) -> Csp:
    """Connected sets of edges of a small graph, in which each vertex has one of some numbers of edges."""
    n = draw(st.integers(3, 5))
    edges = draw(
        st.lists(st.sampled_from(list(combinations(range(n), 2))), unique=True, min_size=2, max_size=8)
    )
    beside = tuple((i, j) for i, j in combinations(range(len(edges)), 2) if {*edges[i]} & {*edges[j]})
    constraints: list[Constraint] = [Connected(tuple(range(len(edges))), beside, (1,))]
    for vertex in range(n):
        here = tuple(i for i, edge in enumerate(edges) if vertex in edge)
        allowed = draw(st.frozensets(st.integers(0, 3), min_size=1))
        if here and len(allowed) < 4:
            rows = [row for row in product((0, 1), repeat=len(here)) if sum(row) in allowed]
            constraints.append(Table(here, tuple(rows)))
    return Csp(tuple(map(str, edges)), ((0, 1),) * len(edges), tuple(constraints))


@pytest.mark.kernel
@given(model=connected_edges(), seed=st.integers(0, 1 << 32))
def test_joints_end_where_a_reader_forbids_more(model: Csp, seed: int) -> None:
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


@st.composite
def loops(draw: st.DrawFn) -> Csp:
    """At most one loop along edges of a small graph. Edges may be parallel or have several values. A sum, a
    table, or a sum with one variable more determines the number of edges at a vertex.
    """
    sides = draw(st.sampled_from([(2, 2), (2, 3), (3, 3)]))  # without triangles, which hide vertices
    n = sum(sides)
    pairs = list(product(range(sides[0]), range(sides[0], n)))
    edges = draw(st.lists(st.sampled_from(pairs), min_size=4, max_size=9, unique=draw(st.booleans())))
    usual = st.sampled_from([(0, 1)] * 8 + [(1,), (0, 1, 2), (0,)])
    domains: list[tuple[int, ...]] = [draw(usual) for _ in edges]
    beside = tuple((i, j) for i, j in combinations(range(len(edges)), 2) if {*edges[i]} & {*edges[j]})
    constraints: list[Constraint] = [Connected(tuple(range(len(edges))), beside, (1, 2))]
    for vertex in range(n):
        here = tuple(i for i, edge in enumerate(edges) if vertex in edge)
        if not here:
            continue
        allowed = draw(st.sampled_from([frozenset({0, 2})] * 4 + [frozenset({2})]))
        is_plain = all(domains[i] == (0, 1) for i in here)
        if is_plain and allowed == {2} and draw(st.booleans()):
            constraints.append(Linear((1,) * len(here), here, "=", 2))
        elif is_plain and allowed == {0, 2} and draw(st.booleans()):
            domains.append((0, 1))
            constraints.append(Linear((*(1,) * len(here), -2), (*here, len(domains) - 1), "=", 0))
        else:
            rows = product(*(domains[i] for i in here))
            constraints.append(Table(here, tuple(row for row in rows if sum(map(bool, row)) in allowed)))
    if draw(st.booleans()):
        some = draw(st.lists(st.sampled_from(range(len(edges))), min_size=2, max_size=2, unique=True))
        constraints.append(Table(tuple(some), ((1, 1), (1, 2), (2, 1)), draw(st.booleans())))
    return Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints))


def n_loops(plan: FrontierPlan[Csp]) -> int:
    return max(len(level.rules.loops) for level in plan.levels.levels if level.rules is not None)


@pytest.mark.kernel
@examples(150)
@given(model=loops(), seed=st.integers(0, 1 << 32))
def test_loops(model: Csp, seed: int) -> None:
    """The graph and the order are random."""
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


def order_that_keeps(exchange: Exchange, model: Csp, seed: int) -> list[int]:
    """A random order in which a variable and its image follow each other."""
    order: list[int] = []
    variables = list(range(len(model.names)))
    random.Random(seed).shuffle(variables)
    for v in variables:
        order += [u for u in dict.fromkeys((v, exchange.onto.get(v, v))) if u not in order]
    return order


@st.composite
def joined(draw: st.DrawFn) -> Csp:
    """Cells of which those with one value are connected, or those with each; or edges without a cycle; on a
    graph with symmetry, and with a sum that all have in common.
    """
    sides = draw(st.sampled_from([(2, 3), (3, 3), (2, 4), (1, 5)]))
    pairs = [(i, sides[0] + j) for i, j in product(range(sides[0]), range(sides[1]))]
    pairs += draw(st.sampled_from([(), ((0, sum(sides) - 1),), ((1, 2),)]))
    constraints: tuple[Constraint, ...]
    if draw(st.booleans()):
        n = len(pairs)
        links = tuple((at, 1, one, other) for at, (one, other) in enumerate(pairs))
        beside = tuple((i, j) for i, j in combinations(range(n), 2) if {*pairs[i]} & {*pairs[j]})
        trees = Acyclic(tuple(range(n)), links), Connected(tuple(range(n)), beside, (1,))
        constraints = draw(st.sampled_from([trees, trees[:1], trees[1:]]))
    else:
        n = sum(sides)
        values = draw(st.sampled_from([(1,), (0, 1)]))
        constraints = tuple(Connected(tuple(range(n)), tuple(pairs), (value,)) for value in values)
    if draw(st.booleans()):
        constraints += (Linear((1,) * n, tuple(range(n)), "<=", draw(st.integers(2, n))),)
    return Csp(tuple(map(str, range(n))), ((0, 1),) * n, constraints)


@pytest.mark.kernel
@examples(300)
@given(model=st.one_of(loops(), joined()), seed=st.integers(0, 1 << 32))
def test_joints_that_are_exchanged(model: Csp, seed: int) -> None:
    alike = alike_of(model)
    for exchange in random.Random(seed).sample(alike.exchanges, min(3, len(alike.exchanges))):
        plan = planned(model, order_that_keeps(exchange, model, seed), alike)
        assert total_of(plan) == len(naive_csp.solutions(model))


def check_reflections(model: Csp, count: int) -> None:
    """Exchanges that rename joints leave fewer states, and the same count."""
    plan = plan_with_exchanges(model)
    assert NAMES in {blocks[0, 0] for blocks in plan.blocks if len(blocks)}
    alone = ENGINE.count(plan.without_exchanges(), WHOLE, no_pause)
    together = ENGINE.count(plan, WHOLE, no_pause)
    assert together.total == alone.total == count
    assert together.nodes < 0.9 * alone.nodes


def connected_cells(n: int) -> Csp:
    """Sets of connected cells of a board."""
    cells = list(product(range(n), repeat=2))
    beside = tuple(
        (i, j)
        for (i, a), (j, b) in combinations(enumerate(cells), 2)
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    )
    names = tuple(f"{row},{column}" for row, column in cells)
    return Csp(names, ((0, 1),) * n**2, (Connected(tuple(range(n**2)), beside, (1,)),))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "count"),
    [
        (connected_cells(4), 11506 + 1),
        (connected_cells(5), 2301877 + 1),
        (as_csp(lower(grid(5, 5).spanning_trees().model)), 557568000),
        (as_csp(lower(grid(3, 3, "torus").spanning_trees().model)), 11664),
    ],
    ids=["cells 4x4", "cells 5x5", "trees 5x5", "trees of a torus"],
)
def test_reflections_leave_fewer_states_with_labels(model: Csp, count: int) -> None:
    """Connected sets, the empty one included, and spanning trees: OEIS A287151, A007341, A212796."""
    check_reflections(model, count)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("name", "hamiltonian", "count"),
    [
        ("grid 6 6", True, 1072),
        ("torus 4 4", True, 1344),
        ("grid 5 5", False, 9349),
        ("king 4 4", True, 2830),
    ],
)
def test_reflections_leave_fewer_states_of_loops(name: str, hamiltonian: bool, count: int) -> None:
    """Cycles of grids and of kings: OEIS A003763, A140517, A140519. The torus is a hypercube, A066037."""
    model = as_csp(lower(rk.graph(named=name).cycles(hamiltonian=hamiltonian).model))
    check_reflections(model, count)


def test_a_vertex_may_have_more_edges_than_two() -> None:
    """On the edges of K4, where no vertex has just one: each set is connected. There is no loop to rely on."""
    edges = list(combinations(range(4), 2))
    beside = tuple((i, j) for i, j in combinations(range(6), 2) if {*edges[i]} & {*edges[j]})
    at = [tuple(i for i, edge in enumerate(edges) if vertex in edge) for vertex in range(4)]
    constraints = (
        Connected(tuple(range(6)), beside, (1,)),
        *(Linear((1,) * 3, here, "!=", 1) for here in at),
    )
    model = Csp(tuple(map(str, edges)), ((0, 1),) * 6, constraints)
    plan = planned(model, list(range(6)))
    assert (n_loops(plan), total_of(plan)) == (0, len(naive_csp.solutions(model)))


@pytest.mark.kernel
def test_edges_without_a_cycle_make_no_loop() -> None:
    """Of those of a square, none or two at each vertex, and no cycle: none."""
    links = tuple((edge, 1, edge, (edge + 1) % 4) for edge in range(4))
    none_or_two = [Table((edge, (edge + 1) % 4), ((0, 0), (1, 1))) for edge in range(4)]
    model = Csp(tuple("abcd"), ((0, 1),) * 4, (Acyclic((0, 1, 2, 3), links), *none_or_two))
    plan = planned(model, range(4))
    assert (n_loops(plan), total_of(plan)) == (0, 1)


@pytest.mark.kernel
def test_a_table_of_some_edges_at_a_vertex_makes_no_loop() -> None:
    """None or two of the edges at each vertex but one, where the table leaves the last edge out."""
    edges = [(1, 3), (1, 3), (1, 2), (0, 3), (1, 3), (0, 2)]
    beside = tuple((i, j) for i, j in combinations(range(6), 2) if {*edges[i]} & {*edges[j]})
    none_or_two = [
        Table(here, tuple(row for row in product((0, 1), repeat=len(here)) if sum(row) in (0, 2)))
        for here in ((3, 5), (0, 1, 2), (2, 5), (0, 1, 3, 4))
    ]
    model = Csp(tuple("abcdef"), ((0, 1),) * 6, (Connected(tuple(range(6)), beside, (1,)), *none_or_two))
    plan = planned(model, range(6))
    assert (n_loops(plan), total_of(plan)) == (0, len(naive_csp.solutions(model))) == (0, 4)


LOOPS = [
    pytest.param(lambda: grid(4).cycles().model, 1, id="sums, and patterns at corners"),
    pytest.param(lambda: grid(4).cycles(hamiltonian=False).model, 1, id="sums with a variable more"),
    pytest.param(lambda: rk.graph(named="king 3 3").cycles().model, 1, id="crossing edges"),
    pytest.param(lambda: grid(4).paths().model, 0, id="paths have ends"),
    pytest.param(lambda: grid(4).spanning_trees().model, 0, id="trees have any number of edges"),
]


@pytest.mark.parametrize(("model", "n"), LOOPS)
def test_loops_are_found(model: Callable[[], Csp], n: int) -> None:
    assert n_loops(ENGINE.plan(model())) == n


@pytest.mark.parametrize(
    ("domain", "chosen"), [((0, 1, 2), (1, 2)), ((0, 1, 2), (1,)), ((0, 1, 2), (2,)), ((1, 2), (1, 2))]
)
def test_a_constraint_that_tells_the_values_of_an_edge_apart_remains(
    domain: tuple[int, ...], chosen: tuple[int, ...]
) -> None:
    """Some values choose the edges of a square."""
    rows = [row for row in product(domain, repeat=2) if sum(value in chosen for value in row) in (0, 2)]
    meeting = ((0, 1), (1, 2), (2, 3), (0, 3))
    constraints = (
        Connected((0, 1, 2, 3), meeting, chosen),
        *(Table(pair, tuple(rows)) for pair in meeting),
        AllDifferent((0, 1)),
    )
    model = Csp(("a", "b", "c", "d"), (domain,) * 4, constraints)
    assert n_loops(ENGINE.plan(model)) == 1
    assert total(model) == len(naive_csp.solutions(model))


def test_a_second_constraint_on_the_edges_at_a_vertex_remains() -> None:
    """The loop replaces the constraint that counts edges, and no other one."""
    model = grid(3).cycles(hamiltonian=False).model
    edges = model.constraints[1].variables[:3]
    with_another = replace(model, constraints=(*model.constraints, Linear((1, 2, 4), edges, "<=", 4)))
    assert n_loops(ENGINE.plan(with_another)) == 1
    assert total(with_another) == len(naive_csp.solutions(with_another)) < total(model)


@pytest.mark.kernel
def test_a_sum_that_a_loop_has_replaced_is_not_an_image() -> None:
    """The sums of two vertices that a reflection exchanges are in different order: one of each is replaced."""
    model = grid(3).cycles(hamiltonian=False).model
    left, right = (model.constraints[vertex].variables[:3] for vertex in (3, 5))
    passed = [Linear((1, 1, 1), edges, "=", 2) for edges in (left, right)]
    model = replace(model, constraints=(passed[0], *model.constraints, passed[1]))
    alike = alike_of(model)
    count = len(naive_csp.solutions(model))
    assert any({exchange.onto.get(v) for v in left} == {*right} for exchange in alike.exchanges)
    for exchange, seed in product(alike.exchanges, range(3)):
        assert total_of(planned(model, order_that_keeps(exchange, model, seed), alike)) == count == 7


@pytest.mark.kernel
def test_joints_of_two_loops() -> None:
    """Each of two graphs K2,3 has three cycles."""
    edges = [(one, other) for one in range(2) for other in range(2, 5)]
    beside = tuple((i, j) for i, j in combinations(range(6), 2) if {*edges[i]} & {*edges[j]})
    constraints: list[Constraint] = []
    for first in (0, 6):
        constraints.append(Connected(tuple(range(first, first + 6)), beside, (1,)))
        for vertex in range(5):
            here = tuple(first + i for i, edge in enumerate(edges) if vertex in edge)
            constraints.append(
                Linear((1,) * 3, here, "=", 2) if len(here) == 3 else Table(here, ((0, 0), (1, 1)))
            )
    model = Csp(tuple("abcdefghijkl"), ((0, 1),) * 12, tuple(constraints))
    alike = alike_of(model)
    assert alike.exchanges
    for exchange, seed in product(alike.exchanges, range(3)):
        plan = planned(model, order_that_keeps(exchange, model, seed), alike)
        assert (n_loops(plan), total_of(plan)) == (1, 3 * 3)


@pytest.mark.kernel
def test_other_edges_that_must_be_connected_beside_a_loop() -> None:
    """They may end where a sum forbids more, but not a sum that the loop has replaced."""
    edges = [(one, other) for one in range(3) for other in range(3, 6)]
    beside = [pair for pair in combinations(range(9), 2) if {*edges[pair[0]]} & {*edges[pair[1]]}]
    degrees = [[i for i, edge in enumerate(edges) if vertex in edge] for vertex in range(6)]
    loop = (
        Connected(tuple(range(9)), tuple(beside), (1,)),
        *(Linear((1,) * 3, tuple(at), "=", 2) for at in degrees),
    )
    some = Connected(tuple(range(6)), tuple(pair for pair in beside if pair[1] < 6), (1,))
    model = Csp(tuple("abcdefghi"), ((0, 1),) * 9, (*loop, some))
    assert n_loops(planned(model, range(9))) == 1
    assert total_of(planned(model, range(9))) == len(naive_csp.solutions(model)) > 0


def test_nothing_that_could_be_connected() -> None:
    """No label is stored."""
    beside = ((0, 1), (1, 2))
    model = Csp(
        tuple("abc"),
        ((0, 1),) * 3,
        (Connected((0, 1, 2), beside, (7,)), Clause(((0, 1, True), (1, 1, True), (2, 1, True)))),
    )
    plan = ENGINE.plan(model)
    assert (plan.levels.n_bits, total_of(plan)) == (2, 7)  # both bits are those of the clause


def every_second_first(n: int) -> list[int]:
    """An order in which the joints of all neighbours live after the first half."""
    return [*range(0, n, 2), *range(1, n, 2)]


@pytest.mark.parametrize(("n", "n_rows"), [(14, 1), (20, 2), (28, 3)])
def test_labels_in_several_words(n: int, n_rows: int) -> None:
    """A connected set of cells in a ring is empty, is the ring, or has one beginning and one end."""
    ring = tuple((i, (i + 1) % n) for i in range(n))
    model = Csp(tuple(map(str, range(n))), ((0, 1),) * n, (Connected(tuple(range(n)), ring, (1,)),))
    plan = planned(model, every_second_first(n))
    assert max(len(join.rows) for level in plan.levels.levels for join in level.rules.joins) == n_rows
    assert total_of(plan) == n * (n - 1) + 2


@pytest.mark.parametrize(("n", "n_words"), [(3, 1), (6, 2), (10, 3)])
def test_mates_in_several_words(n: int, n_words: int) -> None:
    """A cycle of a ladder has two of its rungs, and all edges between them."""
    model = rk.graph(named=f"grid 2 {n}").cycles(hamiltonian=False).model
    plan = planned(model, every_second_first(len(model.names)))
    assert n_loops(plan) == 1
    assert plan.levels.n_words == n_words
    assert total_of(plan) == n * (n - 1) // 2


def test_states_of_a_loop_are_mates_alone() -> None:
    """A vertex with two edges is forgotten. With labels, 8x8 took 33,307 nodes, and before that 42,111."""
    plan = ENGINE.plan(grid(8).cycles().model)
    assert plan.levels.n_bits == 9 * 4 + 1
    assert ENGINE.count(plan, WHOLE, no_pause) == Tally(4638576, 32806)


@pytest.mark.parametrize(("n", "unique"), [(6, 149), (8, 580717)])
def test_published_loops_up_to_symmetry(n: int, unique: int) -> None:
    """The counts are OEIS A209077."""
    assert rk.count(grid(n).cycles(), engine="csp-frontier").unique == unique


def test_edges_that_meet_at_a_vertex_are_one_clique() -> None:
    square = ((0, 1), (1, 2), (2, 3), (0, 3))  # the edges of a square, and of which of them meet
    assert sorted(cliques(4, square)) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert list(cliques(4, ((0, 1), (0, 2), (1, 2)))) == [(0, 1, 2), (3,)]
