"""Merging equal states variable by variable: the definition, published counts, symmetric solutions, orders."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import Shard, Tally, no_pause
from rekkyo.engines.csp.frontier.colors import exchangeable_colors
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.exchanges import exchanges_of
from rekkyo.engines.csp.frontier.levels import NOTHING_ALIKE, Alike, make_levels
from rekkyo.engines.csp.frontier.plan import make_plan, tables_of
from rekkyo.engines.csp.frontier.rules import cliques, rules_of
from rekkyo.engines.frontier.levels import Field, laid_out
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import (
    AT_MOST,
    AllDifferent,
    Areas,
    Clause,
    Connected,
    Constraint,
    GlobalCardinality,
    Linear,
    Regular,
    Table,
)
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.puzzle import Model
from tests import naive_coloring, naive_csp
from tests.engines.csp_counted import MODELS, permuted

ENGINE = CspFrontier()
WHOLE = Shard(0, ())


def alike_of(model: Csp) -> Alike:
    rules = rules_of(model)
    read = [tables_of(model, reader) for reader in rules.readers]
    return Alike(exchangeable_colors(model, rules, read), exchanges_of(model, rules, read))


def planned(model: Csp, order: Sequence[int], alike: Alike = NOTHING_ALIKE) -> FrontierPlan[Csp]:
    return plan_of(model, *make_levels(model, rules_of(model), order, alike))


def total_of(plan: FrontierPlan[Csp], engine: CspFrontier = ENGINE) -> int:
    return engine.count(plan, WHOLE, no_pause).total


def total(model: Model) -> int:
    return total_of(ENGINE.plan(model))


@pytest.mark.kernel
@given(model=MODELS)
def test_counts_what_the_definition_says(model: Csp) -> None:
    assert total(model) == len(naive_csp.solutions(model))


@pytest.mark.kernel
@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_counts_the_same_in_any_order(model: Csp, seed: int) -> None:
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


@st.composite
def connected_edges(draw: st.DrawFn) -> Csp:
    """Connected sets of edges of a small graph; how many there are at a vertex is one of some numbers."""
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
    """One loop, or none, along edges of a small graph, of which some may be parallel or have several values.

    How many edges there are at a vertex is said by a sum, by a table, or by a sum with one variable more.
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
        allowed = draw(st.sampled_from([{0, 2}] * 4 + [{2}]))
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
@settings(max_examples=300)
@given(model=loops(), seed=st.integers(0, 1 << 32))
def test_loops(model: Csp, seed: int) -> None:
    """Of any graph, in any order."""
    order = list(range(len(model.names)))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order)) == len(naive_csp.solutions(model))


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
    """An order after whose first half all joints of neighbours live."""
    return [*range(0, n, 2), *range(1, n, 2)]


@pytest.mark.parametrize(("n", "n_rows"), [(14, 1), (20, 2), (28, 3)])
def test_labels_in_several_words(n: int, n_rows: int) -> None:
    """Connected sets of cells in a ring: none, all, or as many as begin somewhere and end elsewhere."""
    ring = tuple((i, (i + 1) % n) for i in range(n))
    model = Csp(tuple(map(str, range(n))), ((0, 1),) * n, (Connected(tuple(range(n)), ring, (1,)),))
    plan = planned(model, every_second_first(n))
    assert max(len(join.rows) for level in plan.levels.levels for join in level.rules.joins) == n_rows
    assert total_of(plan) == n * (n - 1) + 2


@pytest.mark.parametrize(("n", "n_words"), [(3, 1), (6, 2), (10, 3)])
def test_mates_in_several_words(n: int, n_words: int) -> None:
    """Cycles of a ladder: two of its rungs, and all between them."""
    model = rk.graph(named=f"grid 2 {n}").cycles(hamiltonian=False).model
    plan = planned(model, every_second_first(len(model.names)))
    assert n_loops(plan) == 1
    assert plan.levels.n_words == n_words
    assert total_of(plan) == n * (n - 1) // 2


def test_states_of_a_loop_are_mates_alone() -> None:
    """A vertex with two edges is forgotten. With labels 8x8 took 33,307 nodes, and before 42,111."""
    plan = ENGINE.plan(grid(8).cycles().model)
    assert plan.levels.n_bits == 9 * 4 + 1
    assert ENGINE.count(plan, WHOLE, no_pause) == Tally(4638576, 31314)


@pytest.mark.kernel
@settings(max_examples=50)
@given(model=naive_coloring.models())
def test_colourings(model: Coloring) -> None:
    assert total(model) == len(naive_coloring.solutions(model))


@pytest.mark.kernel
@settings(max_examples=50)
@given(model=naive_coloring.models(one_colored=True))
def test_colours_that_can_be_exchanged(model: Coloring) -> None:
    csp = as_csp(replace(model, patterns=(), fixed=(), bounds=()))
    assert alike_of(csp).colors == tuple(range(model.n_colors))
    assert total(csp) == len(naive_csp.solutions(csp))


@pytest.mark.kernel
@given(
    pairs=st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] < pair[1])),
    together=st.sets(st.integers(0, 6), min_size=2),
    n_colors=st.integers(2, 5),
    seed=st.integers(0, 1 << 32),
)
@example(pairs={(2, 3), (0, 2), (0, 3)}, together={0, 1}, n_colors=2, seed=1)  # two classes begin in one cell
def test_exchanges_among_constraints_of_several_kinds(
    pairs: set[tuple[int, int]], together: set[int], n_colors: int, seed: int
) -> None:
    """Different neighbours, all different, and a cell that is not coloured at all, in any order."""
    constraints: list[Constraint] = [AllDifferent(pair) for pair in sorted(pairs)]
    constraints.append(AllDifferent(tuple(sorted(together))))
    constraints.append(Clause(((7, 9, True), (6, 0, True), (6, 1, True))))
    domains = ((*range(n_colors),),) * 7 + ((8, 9),)
    model = Csp(tuple("abcdefgh"), domains, tuple(constraints))
    expected = len(naive_csp.solutions(model))
    colors = alike_of(model).colors
    assert colors == (tuple(range(2, n_colors)) if n_colors > 4 else colors)
    order = list(range(8))
    random.Random(seed).shuffle(order)
    assert total_of(planned(model, order, Alike(colors))) == expected
    assert total(model) == expected


def test_exchanging_colours_saves_states() -> None:
    model = as_csp(grid(8).colorings(3).model)
    tallies = [
        ENGINE.count(planned(model, range(64), alike), WHOLE, no_pause)
        for alike in (NOTHING_ALIKE, Alike((0, 1, 2)))
    ]
    assert tallies[0].total == tallies[1].total
    assert tallies[1].nodes < tallies[0].nodes / 5


@st.composite
def symmetric_grids(draw: st.DrawFn) -> Csp:
    """A small grid in which columns may be exchanged, and perhaps rows and values."""
    height, width, n_values = draw(st.sampled_from([(2, 3, 3), (3, 3, 2), (2, 4, 2), (4, 2, 2)]))
    values = range(n_values)
    cells = [(row, column) for row in range(height) for column in range(width)]
    literals = st.tuples(st.integers(0, len(cells) - 1), st.integers(0, n_values - 1), st.booleans())
    clauses = draw(st.lists(st.lists(literals, min_size=1, max_size=4, unique_by=lambda one: one[0])))
    may_exchange = st.booleans()
    rows = [*permutations(range(height))] if draw(may_exchange) else [tuple(range(height))]
    renamed = [*permutations(values)] if draw(may_exchange) else [tuple(values)]
    constraints: list[Constraint] = [
        Clause(
            tuple((r[cells[at][0]] * width + c[cells[at][1]], x[value], sign) for at, value, sign in clause)
        )
        for clause in clauses
        for r, c, x in product(rows, permutations(range(width)), renamed)
    ]
    if draw(may_exchange):
        columns = [tuple(at for at, cell in enumerate(cells) if cell[1] == c) for c in range(width)]
        constraints += [GlobalCardinality(column, ((0, 0, 1),)) for column in columns]
    if draw(may_exchange):
        constraints.append(Linear((1,) * width, tuple(range(width)), AT_MOST, draw(st.integers(0, width))))
    if draw(may_exchange):  # sums of all columns, weighted by rows or not, perhaps each of them twice
        weights = draw(st.lists(st.integers(-1, 2).filter(bool), min_size=height, max_size=height))
        constant = draw(st.integers(-1, 3))
        columns = [tuple(at for at, cell in enumerate(cells) if cell[1] == c) for c in range(width)]
        sums = [
            Linear(tuple(weights), column, draw(st.just("=") | st.just(AT_MOST)), constant)
            for column in columns
        ]
        constraints += sums * draw(st.integers(1, 2))
    return Csp(tuple(map(str, cells)), (tuple(values),) * len(cells), tuple(constraints))


@pytest.mark.kernel
@settings(max_examples=200)
@given(model=symmetric_grids(), seed=st.none() | st.integers(0, 1 << 32))
def test_columns_that_can_be_exchanged(model: Csp, seed: int | None) -> None:
    order = list(range(len(model.names)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    alike = alike_of(model)
    assert total_of(planned(model, order, alike)) == len(naive_csp.solutions(model))


@pytest.mark.second
def test_exchanging_columns_saves_states() -> None:
    """A grid without rectangles of one colour; 28565107560 was also listed up to symmetry."""
    model = as_csp(rk.puzzle("rectangle-free 5 5 3").model)
    exchanges = alike_of(model).exchanges
    tallies = [
        ENGINE.count(planned(model, range(25), alike), WHOLE, no_pause)
        for alike in (Alike((0, 1, 2)), Alike((0, 1, 2), exchanges))
    ]
    assert [tally.total for tally in tallies] == [28565107560] * 2
    assert tallies[1].nodes < tallies[0].nodes / 20


def magic_sums(n: int) -> Csp:
    """Squares of numbers from 0 to n whose rows and columns have the sum n."""
    lines = [tuple(n * r + c for c in range(n)) for r in range(n)]
    constraints = [Linear((1,) * n, line, "=", n) for line in (*lines, *zip(*lines, strict=True))]
    return Csp(tuple(map(str, range(n * n))), (tuple(range(n + 1)),) * n**2, tuple(constraints))


@pytest.mark.parametrize(
    ("n", "count"), [(4, 10147), (7, 215717608046511873), (8, 1046591482728407939338275)]
)
def test_sums_of_rows_and_columns(n: int, count: int) -> None:
    """OEIS A110058."""
    assert total(magic_sums(n)) == count


COLUMNS = [(c, c + 3, c + 6) for c in range(3)]
SUMS = [
    pytest.param([Linear((1,) * 3, column, "=", 3) for column in COLUMNS * 2], id="each column twice"),
    pytest.param(
        [
            Linear((1,) * 3, COLUMNS[c], relation, constant)
            for c, both in enumerate(([(AT_MOST, 4), ("!=", 1)], [("!=", 1), (AT_MOST, 4)]))
            for relation, constant in both
        ],
        id="two sums, in another order",
    ),
    pytest.param([Linear((1, 2, 1), (3, 4, 5), AT_MOST, 3)], id="a column with more weight"),
]


@pytest.mark.kernel
@pytest.mark.parametrize("sums", SUMS)
def test_sums_that_exchanges_take_to_others(sums: list[Constraint]) -> None:
    """An exchange of columns must find out which sum is which, and not take sums for equal that differ."""
    rows = [Linear((1,) * 3, (r, r + 1, r + 2), "=", 3) for r in (0, 3, 6)]
    ends = [Clause(((high, 2, False), (low, 2, False))) for high, _, low in COLUMNS]  # live after each row
    model = Csp(tuple("abcdefghi"), ((0, 1, 2),) * 9, (*rows, *ends, *sums))
    assert total_of(planned(model, range(9), alike_of(model))) == len(naive_csp.solutions(model)) > 0


@pytest.mark.kernel
@pytest.mark.parametrize(
    "sums",
    [
        pytest.param([Linear((1, 2, 1), (2, 3, 4), AT_MOST, 3)], id="weights"),
        pytest.param(
            [Linear((1, 1, 1), (2, 4, 5), AT_MOST, 1), Linear((1, 1, 1), (3, 6, 7), AT_MOST, 3)],
            id="constants",
        ),
    ],
)
def test_sums_that_only_look_alike(sums: list[Constraint]) -> None:
    """Cells 0 and 1 rule out a value of cells 2 and 3, which only a sum of later cells tells apart."""
    ends = [Clause(((cell, 2, False), (cell + 2, 1, False))) for cell in (0, 1)]
    model = Csp(tuple("abcdefgh"), ((0, 1, 2),) * 8, (*ends, *sums))
    assert total_of(planned(model, range(8), alike_of(model))) == len(naive_csp.solutions(model))


def test_exchanging_sums_of_columns_saves_states() -> None:
    """Without that, 7x7 took 104,432,664 nodes."""
    assert ENGINE.count(ENGINE.plan(magic_sums(7)), WHOLE, no_pause).nodes == 134944


def test_ends_that_are_alive_together_share_a_bit() -> None:
    """Two columns and a colour need one bit for all rows to come, 30 in all, and a row that has begun some more."""
    model = as_csp(rk.puzzle("rectangle-free 5 5 3").model)
    assert planned(model, range(25)).levels.n_bits == 48


@pytest.mark.kernel
@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_counts_what_any_permutation_of_atoms_leaves_unchanged(model: Csp, seed: int) -> None:
    moved, unchanged = permuted(model, seed)
    fixed = ENGINE.count_fixed(ENGINE.plan(model), moved, no_pause)
    assert fixed is not None
    assert fixed.total == unchanged


def grid(n: int, m: int | None = None, kind: str = "grid") -> rk.Graph:
    return rk.graph(named=f"{kind} {n} {m or n}")


def without_full_squares(n: int) -> Coloring:
    patterns = tuple(
        tuple((r * n + c, 1) for r in (row, row + 1) for c in (column, column + 1))
        for row in range(n - 1)
        for column in range(n - 1)
    )
    return Coloring(n * n, 2, patterns=patterns, grid=(n, n))


def sum_free(n: int) -> Coloring:
    sums = {frozenset({a, b, a + b}) for a in range(1, n + 1) for b in range(a, n - a + 1)}
    return Coloring(
        n, 2, patterns=tuple(tuple((x - 1, 1) for x in sorted(some)) for some in sorted(sums, key=sorted))
    )


def connected_cells(n: int) -> Csp:
    """Connected sets of cells, with the empty one, which the sequence leaves out."""
    names = tuple(f"{r},{c}" for r in range(n) for c in range(n))
    edges = tuple(
        (r * n + c, (r + down) * n + c + right)
        for r in range(n)
        for c in range(n)
        for down, right in ((0, 1), (1, 0))
        if r + down < n and c + right < n
    )
    return Csp(names, ((0, 1),) * (n * n), (Connected(tuple(range(n * n)), edges, (1,)),))


PUBLISHED: list[tuple[str, Callable[[int], Model], dict[int, int]]] = [
    ("A006506", lambda n: grid(n).independent_sets().model, {6: 5598861, 10: 2030049051145980050}),
    (
        "A063443",
        lambda n: grid(n - 1, kind="king").independent_sets().model,
        {9: 1355115601, 12: 60711713670028729},
    ),
    ("A068253", lambda n: grid(n).colorings(3).model, {5: 3 * 193662, 9: 3 * 31191658416342674}),
    ("A139810", without_full_squares, {4: 42176, 10: 32775983842712963307230834176}),
    ("A003763", lambda n: grid(2 * n).cycles().model, {2: 6, 3: 1072, 5: 467260456608}),
    ("A140517", lambda n: grid(n + 1).cycles(hamiltonian=False).model, {3: 213, 6: 487150371}),
    ("A007341", lambda n: grid(n).spanning_trees().model, {4: 100352, 6: 32565539635200}),
    ("A007865", sum_free, {20: 9583, 36: 3540355}),
    ("A133515", lambda n: grid(n).dominating_sets(minimum=False).model, {4: 28661, 7: 89373230342147}),
    ("A059525", connected_cells, {4: 11506 + 1, 6: 1732082741 + 1}),
]


@pytest.mark.parametrize(
    ("make", "n", "count"),
    [
        pytest.param(make, n, count, id=f"{name}-{n}")
        for name, make, terms in PUBLISHED
        for n, count in terms.items()
    ],
)
def test_published_counts(make: Callable[[int], Model], n: int, count: int) -> None:
    assert total(make(n)) == count


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "count"),
    [
        # OEIS A003763, A006506, A068253
        (lambda: grid(12).cycles().model, 1076226888605605706),
        (lambda: grid(15).independent_sets().model, 52521741712869136440040654451875316861275),
        (lambda: grid(14).colorings(3).model, 3 * 810410082813497381147177065840601910384),
    ],
)
def test_larger_published_counts(make: Callable[[], Model], count: int) -> None:
    assert total(make()) == count


@pytest.mark.parametrize(("n", "unique"), [(6, 149), (8, 580717)])
def test_published_loops_up_to_symmetry(n: int, unique: int) -> None:
    """OEIS A209077."""
    assert rk.count(grid(n).cycles(), engine="csp-frontier").unique == unique


def test_unique_by_the_folded_model() -> None:
    """Through Burnside's lemma as through the orbits of all rows."""
    for puzzle in (grid(3, 4).cycles(hamiltonian=False), grid(4).colorings(3), rk.puzzle("hip 4")):
        merged = rk.count(puzzle, engine="csp-frontier")
        listed = rk.count(puzzle, engine="csp-plain" if isinstance(puzzle.model, Csp) else None)
        assert (merged.total, merged.unique) == (listed.total, listed.unique)
        assert merged.unique is not None


@pytest.mark.kernel
def test_a_kind_of_constraint_without_rules_of_its_own_is_read_as_rows() -> None:
    """Areas of 1 in a row of four cells have two cells: none, or one of three."""
    areas = Areas((0, 1, 2, 3), ((0, 1), (1, 2), (2, 3)), ((1, 2, 2),))
    assert total(Csp(tuple("abcd"), ((0, 1),) * 4, (areas,))) == 1 + 3


@pytest.mark.parametrize(
    ("words", "count"), [("magic-star 6", 960), ("magic-square 3", 8), ("semimagic-square 3", 72)]
)
def test_sum_figures(words: str, count: int) -> None:
    assert total(rk.puzzle(words).model) == count  # OEIS A200720 (80 up to 12 symmetries), Lo Shu, A271103


def test_the_order_is_chosen_by_trying() -> None:
    """Guesses are equal for rows and for diagonals of 3-colourings; diagonals have 20 times the states."""
    model = as_csp(grid(10).colorings(3).model)
    chosen = ENGINE.count(make_plan(model), WHOLE, no_pause).nodes
    assert chosen <= ENGINE.count(planned(model, range(100)), WHOLE, no_pause).nodes


def test_an_automaton_is_read_in_any_order() -> None:
    """Words of 0 and 1 of length 8 without 11, which are Fibonacci many (OEIS A000045)."""
    word = Regular(tuple(range(8)), 2, ((0, 0, 0), (0, 1, 1), (1, 0, 0)), (0, 1))
    model = Csp(tuple("abcdefgh"), ((0, 1),) * 8, (word,))
    for seed in range(20):
        order = list(range(8))
        random.Random(seed).shuffle(order)
        assert total_of(planned(model, order)) == 55


def test_edges_that_meet_at_a_vertex_are_one_clique() -> None:
    square = ((0, 1), (1, 2), (2, 3), (0, 3))  # the edges of a square, and of which of them meet
    assert sorted(cliques(4, square)) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert list(cliques(4, ((0, 1), (0, 2), (1, 2)))) == [(0, 1, 2), (3,)]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9), st.integers(1, 64)), max_size=40))
def test_fields_share_no_bit_while_they_live(asked: list[tuple[int, int, int]]) -> None:
    spans = {key: (first, first + length) for key, (first, length, _) in enumerate(asked)}
    fields = laid_out(spans, {key: width for key, (_, _, width) in enumerate(asked)})
    for level in range(40):
        living = [field for field in fields.values() if field.first <= level <= field.last]
        bits = [bit for field in living for bit in range(field.shift, field.shift + field.width)]
        assert len(bits) == len(set(bits))
    assert all(field.shift % 64 + field.width <= 64 for field in fields.values())
    assert all(field == Field(field.shift, asked[key][2], *spans[key]) for key, field in fields.items())


def test_refusals() -> None:
    loose = Csp(("shown", "hidden"), ((0, 1), (0, 1)), (Clause(((0, 1, True), (1, 1, True))),), solution=(0,))
    best = Csp(("a",), ((0, 1),), objective=Objective(0, maximize=True))
    tied = replace(loose, constraints=(Linear((1, 1), (0, 1), "=", 1),))
    looser = replace(loose, constraints=(Table((0, 1), ((0, 0), (0, 1), (1, 0))),))
    for model, reason in [
        (loose, "determines, which it cannot show of hidden"),
        (looser, "determines, which it cannot show of hidden"),
        (best, "cannot optimize an objective"),
    ]:
        with pytest.raises(EngineRefuses, match=f"engine csp-frontier .*{reason}"):
            ENGINE.plan(model)
    assert total(tied) == 2
    assert total(replace(loose, constraints=(Table((0, 1), ((0, 1), (1, 0))),))) == 2
    with pytest.raises(EngineRefuses, match=r"takes more than .* GB for this puzzle"):
        total_of(ENGINE.plan(grid(12).colorings(3).model), CspFrontier(most_bytes=1 << 16))


def test_symmetric_solutions_that_take_too_much_memory_are_not_counted() -> None:
    plan = ENGINE.plan(grid(7).colorings(3).model)
    turned = [
        (6 - position // 7 + 7 * (position % 7)) * 3 + color for position in range(49) for color in range(3)
    ]
    assert CspFrontier(most_bytes=1 << 7).count_fixed(plan, tuple(turned), no_pause) is None
