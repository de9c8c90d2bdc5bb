"""Both engines for constraint satisfaction problems, against published counts, the oracle and each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, permutations
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.engines.contract import Room, Shard, no_pause
from rekkyo.engines.csp.numbering import number_of
from rekkyo.engines.csp.plain.engine import CspPlain
from rekkyo.engines.csp.propagating.engine import (
    CspSearch,
)
from rekkyo.errors import BadModel, EngineRefuses
from rekkyo.model.csp.constraints import (
    Areas,
    Circuit,
    Clause,
    Count,
    Element,
    Inverse,
    LexLess,
    Linear,
    Product,
    Reified,
)
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.csp.problem import Problem
from rekkyo.model.puzzle import Model
from tests import csp_strategies, naive_csp
from tests import made_once as st
from tests.engines.csp_problems import (
    costas,
    golomb_ruler,
    grid_cycles,
    hamiltonian_cycles,
    latin_square,
    listed,
    magic_square,
    queens,
)
from tests.engines.listing_contract import ListingContract, count_rows, list_all
from tests.examples import examples
from tests.inner_kernels import from_python

ENGINES = [CspSearch(), CspPlain()]


class TestSearchContract(ListingContract):
    engine = CspSearch()
    models: ClassVar[list[Model]] = [latin_square(4, corner=1), costas(5), hamiltonian_cycles(4, 4)]


class TestPlainContract(ListingContract):
    engine = CspPlain()
    models: ClassVar[list[Model]] = [latin_square(3), costas(4), hamiltonian_cycles(2, 4)]


PUBLISHED = [
    ("A002860, Latin squares of order 4", latin_square, (4,), 576),
    ("A000170, queens 8", queens, (8,), 92),
    ("A008404, Costas arrays of order 6", costas, (6,), 116),
    (
        "A003763, Hamiltonian cycles of the 4 x 4 grid, each in both directions",
        hamiltonian_cycles,
        (4, 4),
        12,
    ),
    ("Magic squares of order 3", magic_square, (3,), 8),
    ("A140517, cycles of 3 x 3 points, in both directions; 12 edges; none", grid_cycles, (3, 3), 2 * 13 + 13),
]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    ("source", "make", "sizes", "total"), PUBLISHED, ids=lambda v: getattr(v, "__name__", "")
)
def test_published_counts(
    engine: CspSearch | CspPlain, source: str, make: Callable[..., Csp], sizes: tuple[int, ...], total: int
) -> None:
    if engine.name == "csp-plain" and make is costas:
        sizes, total = (5,), 40  # nothing is propagated from the hidden differences
    assert count_rows(engine, make(*sizes)) == total, source


@pytest.mark.parametrize(
    ("model", "total"),
    [
        (latin_square(5), 161280),
        (costas(9), 760),
        (hamiltonian_cycles(6, 6), 2 * 1072),
        (grid_cycles(4, 4), 2 * 213 + 24 + 1),
        (grid_cycles(5, 5), 2 * 9349 + 40 + 1),
    ],
)
def test_larger_published_counts(model: Csp, total: int) -> None:
    assert count_rows(CspSearch(), model) == total


@st.composite
def subcircuits(draw: st.DrawFn) -> Csp:
    """A cycle through some nodes of a graph, a few of which have to be on it, and another constraint."""
    n, first = draw(st.integers(2, 6)), draw(st.integers(-1, 2))
    nodes = range(first, first + n)
    graph = [draw(st.sets(st.sampled_from(nodes), min_size=1, max_size=4)) for _ in nodes]
    is_free = st.sampled_from((True, True, True, False))
    domains = tuple(
        tuple(sorted(ways | {i} if draw(is_free) else ways)) for i, ways in zip(nodes, graph, strict=True)
    )
    literal = st.tuples(st.integers(0, n - 1), st.sampled_from(nodes), st.booleans())
    clauses = draw(st.lists(st.lists(literal, min_size=1, max_size=3).map(tuple).map(Clause), max_size=2))
    circuit = Circuit(tuple(range(n)), first, subcircuit=True)
    return Csp(tuple(map(str, range(n))), domains, (circuit, *clauses))


@pytest.mark.kernel
@examples(120)
@given(model=subcircuits())
def test_cycles_through_some_nodes(model: Csp) -> None:
    wanted = naive_csp.solutions(model)
    for engine in ENGINES:
        assert sorted(list_all(engine, model, 7, 5, 40)) == wanted


def test_every_decision_about_a_subcircuit_of_a_complete_graph_leads_to_a_solution() -> None:
    """1 + the sum of C(7, k) (k - 1)! solutions, so two nodes for each but one."""
    problem = Problem()
    problem.circuit(problem.variables(map(str, range(7)), range(7)), subcircuit=True)
    engine, model = CspSearch(), problem.model()
    plan = engine.plan(model)
    [shard] = engine.split(plan, 1)
    blocks = list(engine.blocks(plan, shard, Room.of(model.row_shape, 1000), 1 << 20, no_pause))
    assert sum(len(block.rows) for block in blocks) == 2366
    assert sum(block.nodes for block in blocks) == 2 * 2365


def magic_sequences(n: int) -> Csp:
    """x[k] says how many of the numbers are k."""
    problem = Problem()
    times = problem.variables([f"times {k}" for k in range(n)], range(n))
    for k in range(n):
        problem.count(times, [k], times[k])
    return problem.model()


@pytest.mark.parametrize(("n", "total"), [(4, 2), (5, 1), (6, 0), (7, 1), (9, 1), (12, 1), (65, 1)])
def test_magic_sequences(n: int, total: int) -> None:
    """A published fact (CSPLib 019): one from 7 on. Few values are counted one by one, many at once."""
    model = magic_sequences(n)
    rows = list_all(CspSearch(), model, 7, 5, 40)
    assert len(rows) == total
    assert all(list(row).count(k) == times for row in rows for k, times in enumerate(row))
    if n < 10:
        assert count_rows(CspPlain(), model) == total


@st.composite
def counted_models(draw: st.DrawFn) -> Csp:
    """Many values counted among the same variables, some of which say how often."""
    n = draw(st.integers(2, 4))
    domain = st.sets(st.integers(-2, 6), min_size=1, max_size=4).map(sorted).map(tuple)
    domains = draw(st.lists(domain, min_size=n, max_size=n))
    values = draw(st.permutations(range(-3, 8)))[: draw(st.integers(6, 11))]
    constraints = []
    for value in values:
        times = draw(st.integers(0, 4 * n))
        if times >= n:
            times = len(domains)
            domains.append(draw(st.sampled_from([(0,), (0, 1), (0, 2), (1,), *[(0, 1, 2, 3, 4)] * 4])))
        constraints.append(Count(tuple(range(n)), (value,), times))
    return Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints), tuple(range(n)))


@pytest.mark.kernel
@examples(60)
@given(model=counted_models())
def test_many_values_counted_at_once(model: Csp) -> None:
    assert listed(model, 7) == naive_csp.solutions(model)


def without_objective(model: Csp) -> Csp:
    return replace(model, objective=None)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@settings(max_examples=80)
@given(model=csp_strategies.models())
def test_lists_what_the_oracle_lists(engine: CspSearch | CspPlain, model: Csp) -> None:
    """Every kind of constraint, hidden variables, and any cut."""
    model = without_objective(model)
    wanted = naive_csp.solutions(model)
    for at_least in (1, 7):
        assert sorted(list_all(engine, model, at_least, 5, 40)) == wanted


@settings(max_examples=80)
@given(model=csp_strategies.linked_models())
def test_variables_that_are_eliminated_change_nothing(model: Csp) -> None:
    wanted = naive_csp.solutions(model)
    assert listed(model, 3) == wanted


@pytest.mark.kernel
@settings(max_examples=30)
@given(model=csp_strategies.models() | csp_strategies.linked_models())
def test_kernels_uncompiled_and_with_bounds_checks(model: Csp) -> None:
    model = without_objective(model)
    wanted = naive_csp.solutions(model)
    for engine in ENGINES:
        assert sorted(list_all(engine, model, 3, 5, 40)) == wanted


@settings(max_examples=60)
@given(model=csp_strategies.models())
def test_counts_optimal_solutions(model: Csp) -> None:
    """From the outside: with and without an objective, checked by the definition as every answer is."""
    puzzle = rk.Puzzle("random", model, "A random problem")
    wanted = naive_csp.solutions(model)
    for engine in ("csp", "csp-plain"):
        assert rk.count(puzzle, engine=engine, workers=1).total == len(wanted)
        assert sorted(rk.solve(puzzle, engine=engine, workers=2)) == wanted


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("is_copy", [False, True])
def test_two_cells_of_an_area_with_one_variable(engine: CspSearch | CspPlain, *, is_copy: bool) -> None:
    """The first cell stands alone and cannot be 1; so the second one, which shares its variable, is 0."""
    names, cells = ("a", "c", "copy"), (2 if is_copy else 0, 0, 1)
    copy = Linear((1, -1), (0, 2), "=", 0)
    areas = Areas(cells, ((1, 2),), ((1, 2, 4),))
    model = Csp(names, ((0, 1),) * 3, (copy, areas), (0, 1))
    assert list_all(engine, model, 1, 5, 40) == naive_csp.solutions(model) == [(0, 0)]


def fillomino(rows: int, columns: int, greatest: int) -> Csp:
    """Each area of cells with one value has as many cells."""
    cells = range(rows * columns)
    edges = [(c, c + 1) for c in cells if (c + 1) % columns] + [(c, c + columns) for c in cells[:-columns]]
    values = tuple(range(1, greatest + 1))
    areas = Areas(tuple(cells), tuple(edges), tuple((value, value, value) for value in values))
    return Csp(tuple(map(str, cells)), (values,) * len(cells), (areas,))


@pytest.mark.kernel
def test_areas_of_several_values() -> None:
    model = fillomino(2, 4, 4)
    assert listed(model) == naive_csp.solutions(model)


def test_values_whose_cells_are_unchanged_have_nothing_to_say() -> None:
    """A part that runs for every change of any cell takes as many nodes."""
    found = rk.count(rk.Puzzle("fillomino", fillomino(4, 4, 4), ""), engine="csp", up_to="none", workers=1)
    assert (found.total, found.nodes) == (10_783, 44_550)
    assert rk.count(rk.Puzzle("fillomino", fillomino(4, 4, 4), ""), engine="csp-plain").total == found.total


def test_shortest_golomb_rulers() -> None:
    """A003022: 17 with 6 marks; A036501: 4 of them, and their mirror images."""
    puzzle = rk.Puzzle("golomb 6", golomb_ruler(6, 20), "Golomb rulers")
    found = rk.count(puzzle)
    assert (found.optimum, found.total) == (17, 8)
    assert rk.count(puzzle, engine="csp-plain", digest=True).digest == rk.count(puzzle, digest=True).digest


def test_no_solution_has_no_optimum() -> None:
    model = Csp(("a",), ((1, 2),), (Linear((1,), (0,), "=", 5),), objective=Objective(0, maximize=True))
    found = rk.count(rk.Puzzle("none", model, "none"))
    assert (found.total, found.optimum) == (0, None)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_hidden_variables_make_no_solution_twice(engine: CspSearch | CspPlain) -> None:
    """a < h < b, with many values for h."""
    less = tuple(Linear((1, -1), pair, "<=", -1) for pair in ((0, 2), (2, 1)))
    model = Csp(("a", "b", "h"), (tuple(range(6)),) * 3, less, solution=(0, 1))
    assert sorted(list_all(engine, model, 9, 3, 5)) == [(a, b) for a in range(6) for b in range(a + 2, 6)]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    "prefix", [(7,), (9, 1, 1), (0, 9, 1), (0, 0, 7), (-1, 0, 1), (0, 0, 1, 0, 1, 1, 2, 3, 4)]
)
def test_a_shard_of_another_search_is_refused(engine: CspSearch | CspPlain, prefix: tuple[int, ...]) -> None:
    with pytest.raises(EngineRefuses, match="has no shard"):
        engine.start(engine.plan(latin_square(2)), Shard(0, prefix))


def test_values_far_from_zero_and_apart() -> None:
    """Domains of several words, negative values among them."""
    values = (-1000, -64, -1, 0, 63, 64, 65, 999)
    model = Csp(("a", "b", "c"), (values,) * 3, (Linear((1, 1, 1), (0, 1, 2), "=", 0),))
    wanted = naive_csp.solutions(model)
    assert wanted
    for engine in ENGINES:
        assert sorted(list_all(engine, model, 2, 4, 100)) == wanted


def test_values_so_far_apart_that_no_table_has_a_place_for_each() -> None:
    far = 10**9
    model = Csp(("a", "b", "c"), ((0, 1), (far,), (-far, 5 - far)), (Linear((1, 1, 1), (0, 1, 2), "=", 1),))
    for engine in ENGINES:
        assert list_all(engine, model, 2, 4, 100) == naive_csp.solutions(model) == [(3, 4, 0)]
    decided = CspSearch().plan(model).ready.decided  # type: ignore[union-attr]
    assert decided.values.tolist() == [-far, 5 - far, 0, 1, far]
    assert CspPlain().plan(model).program.numbered.tolist() == decided.values.tolist()


@pytest.mark.kernel
@given(st.sets(st.integers(-(1 << 40), 1 << 40) | st.integers(-9, 9), min_size=1).map(sorted))
def test_the_number_of_a_value_is_its_place(values: list[int]) -> None:
    array = np.array(values, dtype=np.int64)
    assert [from_python(number_of)(array, value) for value in values] == [*range(len(values))]


def test_an_element_an_inverse_and_an_order_of_words() -> None:
    """Permutations that are less than their inverse, whose entry at place x is x: counted by hand in the test."""
    n = 4
    values = tuple(range(n))
    model = Csp(
        tuple("abcdefghx"),
        (values,) * 9,
        (
            Inverse((0, 1, 2, 3), (4, 5, 6, 7)),
            LexLess((0, 1, 2, 3), (4, 5, 6, 7)),
            Element(8, (0, 1, 2, 3), 8),
        ),
        solution=(0, 1, 2, 3, 8),
    )
    wanted = sorted(
        (*p, x)
        for p in permutations(values)
        for x in values
        if p[x] == x and p < tuple(sorted(values, key=p.__getitem__))
    )
    for engine in ENGINES:
        assert sorted(list_all(engine, model, 2, 4, 100)) == wanted


def test_what_is_too_large_is_refused_in_one_line() -> None:
    wide = tuple(range(3000))
    model = Csp(("a", "b"), (wide, wide), (LexLess((0,), (1,)),))
    with pytest.raises(EngineRefuses, match="rows"):
        CspSearch().plan(model)
    with pytest.raises(BadModel, match="span"):
        Csp(("a",), ((0, 10**8),))
    large = Linear((10**9,) * 8, (0,) * 8, "=", 10**18)
    for constraint in (large, Reified(large, 1)):
        with pytest.raises(BadModel, match="62 bits"):
            Csp(("a", "b"), ((10**9 - 1,), (0, 1)), (constraint,))
    for domain in ((-(2**15), 0), (0, 2**15)):
        Csp(("a",), (domain,), (Linear((2**29 - 1,) * 2**18, (0,) * 2**18, "=", 0),))
        with pytest.raises(BadModel, match="62 bits"):
            Csp(("a",), (domain,), (Linear((2**29,) * 2**18, (0,) * 2**18, "=", 0),))


def test_a_product_with_too_many_rows_is_refused() -> None:
    wide = tuple(range(1, 3000))
    model = Csp(("a", "b", "c"), (wide, wide, tuple(range(1, 60000))), (Product((0, 1), 2),))
    with pytest.raises(EngineRefuses, match=r"rows.*; take smaller domains"):
        CspSearch().plan(model)
    fewer = (tuple(range(100, 1000)), tuple(range(10, 100)), tuple(range(10000, 75000)))
    with pytest.raises(EngineRefuses, match=r"supports.*; take smaller domains"):
        CspSearch().plan(replace(model, domains=fewer))


@pytest.mark.parametrize(
    ("factors", "results"),
    [
        pytest.param(((10**9 - 1, 10**9),) * 3 + ((-1, 0),), (0, 5), id="beyond 64 bits"),
        pytest.param(((-(10**4), 300, 10**4),) * 2 + ((0, 1),) * 2, (0, 300), id="too far apart"),
        pytest.param((tuple(range(-3, 4)),) * 4, (-4, 0, 3), id="small"),
    ],
)
def test_partial_products_that_only_a_factor_of_0_can_lead_back(
    factors: tuple[tuple[int, ...], ...], results: tuple[int, ...]
) -> None:
    n = len(factors)
    names = tuple(f"v{number}" for number in range(n + 1))
    model = Csp(names, (*factors, results), (Product(tuple(range(n)), n),))
    for engine in ENGINES:
        assert sorted(list_all(engine, model, 2, 100, 1000)) == naive_csp.solutions(model)


def test_a_check_that_would_take_too_long_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten pigeons in nine holes, hidden: the definition alone cannot tell quickly, and no count is called wrong."""
    monkeypatch.setattr("rekkyo.model.csp.completion.MAX_CHECKS", 50)
    pigeons = tuple(f"p{k}" for k in range(10))
    different = tuple(Linear((1, -1), pair, "!=", 0) for pair in combinations(range(1, 11), 2))
    model = Csp(("a", *pigeons), ((0, 1), *((tuple(range(10)),) * 10)), different, solution=(0,))
    puzzle = rk.Puzzle("pigeons", model, "Pigeons")
    with pytest.raises(rk.RekkyoError, match="not known after 50"):
        rk.verify(puzzle, (0,))
    assert rk.count(puzzle).total == 2


def test_a_reified_constraint_is_one_of_four() -> None:
    with pytest.raises(BadModel, match="reified"):
        Reified(Element(0, (0,), 0), 1)  # type: ignore[arg-type]


def test_a_solution_with_many_hidden_variables_is_checked_at_once() -> None:
    """Each hidden variable is the greater one of two; guessing their truth values would take for ever."""
    problem = Problem()
    shown = problem.variables([f"x{k}" for k in range(200)], range(4))
    so_far = shown[0]
    for v in shown[1:]:
        greatest = problem.hidden(range(4))
        for one in (so_far, v):
            problem.linear((1, -1), (one, greatest), "<=", 0)
        truths = [problem.hidden((0, 1)) for _ in range(2)]
        for one, truth in zip((so_far, v), truths, strict=True):
            problem.add(Reified(Linear((1, -1), (one, greatest), "=", 0), truth))
        problem.sum(truths, ">=", 1)
        so_far = greatest
    problem.linear((1,), (so_far,), "=", 2)
    puzzle = problem.puzzle()
    assert rk.verify(puzzle, (0, 1, 2, 0) * 50) == []
    assert rk.verify(puzzle, (0, 1, 1, 0) * 50) == ["the other variables can have no values"]


def test_a_watcher_is_told_how_far_the_optimum_is() -> None:
    """At the beginning, whatever the clock says; a search that is stopped there ends at once."""
    ruler = rk.Puzzle("golomb 5", golomb_ruler(5, 20), "")
    seen: list[rk.Progress] = []
    assert rk.count(ruler, engine="csp-plain", watch=seen.append).optimum == 11
    assert seen[0].stage == "looking for a first solution"
    assert not seen[-1].stage

    def stop(progress: rk.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rk.count(ruler, watch=stop)
