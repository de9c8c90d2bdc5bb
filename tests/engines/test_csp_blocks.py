"""One cycle whose successors are hidden: the blocks of its graph, against definitions and published counts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.csp.plain.engine import CspPlain
from rekkyo.engines.csp.propagating.blocks import propagate_blocks
from rekkyo.engines.csp.propagating.encoding import Encoder
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.propagating.parts import Hidden
from rekkyo.engines.csp.propagating.ready import Layout
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.engines.csp.propagating.state import ARGS, Machine, Place
from rekkyo.jit import kernel
from rekkyo.model.csp.constraints import Circuit, Clause, Constraint, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.pointers import pointer
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_problems import single_loops, single_loops_through_all
from tests.engines.listing_contract import count_rows, list_all
from tests.examples import examples

ENGINES = [CspSearch(), CspPlain()]

Graph = list[set[int]]
"""For each node those that can be its successor; a node with itself among them may be outside."""


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> Graph:
    """Few edges, most of them in both directions, so that single nodes separate others."""
    n = draw(st.integers(1, most))
    graph: Graph = [set() for _ in range(n)]
    node = st.integers(0, n - 1)
    for one, other in draw(st.lists(st.tuples(node, node), max_size=n + 3)):
        graph[one].add(other)
        if draw(st.integers(0, 3)) > 0:
            graph[other].add(one)
    is_free = st.sampled_from((True, True, False))
    return [{*ways, i} if draw(is_free) or not ways else ways for i, ways in enumerate(graph)]


@kernel
def _run(code: np.ndarray, supports: np.ndarray, words: np.ndarray, ints: np.ndarray, a: Place) -> bool:
    """As in a search: with addresses, and without reference counts, which kernels do not keep."""
    return propagate_blocks(Machine(pointer(code), pointer(supports), pointer(words), pointer(ints)), a)


def propagated(graph: Graph, first: int, subcircuit: bool) -> Graph | None:
    """What is left of the domains after one run of the part; None if it fails."""
    n = len(graph)
    encoder = Encoder([{x + first for x in ways} for ways in graph])
    part = Hidden(Circuit(tuple(range(n)), first, subcircuit))
    model = Csp(tuple(map(str, range(n))), ((0,),) * n, ())
    layout = Layout(model, encoder, encoder.encoded([part]))
    words = layout.words()
    [at] = layout.part_at[:-1]
    if not _run(layout.code(), np.zeros(1, dtype=np.uint64), words, layout.ints(), at + ARGS):
        return None
    starts = zip(encoder.start, encoder.start[1:], strict=False)
    bits = [sum(int(word) << 64 * k for k, word in enumerate(words[i:j])) for i, j in starts]
    return [{x for x in ways if bits[i] >> (x + first - encoder.base[i]) & 1} for i, ways in enumerate(graph)]


def share_a_block(graph: Graph, one: int, other: int) -> bool:
    """Whether no node separates two nodes, and they are connected: by the definition."""
    separating = {None, *range(len(graph))} - {one, other}
    return all(other in reached(graph, one, without) for without in separating)


def reached(graph: Graph, start: int, without: int | None) -> set[int]:
    found, left = {start}, [start]
    while left:
        node = left.pop()
        for other in range(len(graph)):
            is_edge = other in graph[node] or node in graph[other]
            if is_edge and other not in found and other != without:
                found.add(other)
                left.append(other)
    return found


@pytest.mark.kernel
@examples(300)
@given(graph=graphs(), first=st.integers(-2, 2), subcircuit=st.booleans())
def test_nodes_that_share_no_block_with_all_sure_nodes_are_outside(
    graph: Graph, first: int, subcircuit: bool
) -> None:
    sure = [i for i, ways in enumerate(graph) if i not in ways]
    fits = [all(share_a_block(graph, i, j) for j in sure) for i in range(len(graph))]
    wanted = [ways if fits[i] else {i} for i, ways in enumerate(graph)]
    assert propagated(graph, first, subcircuit) == (wanted if all(fits[i] for i in sure) else None)


@st.composite
def hidden_cycles(draw: st.DrawFn) -> Csp:
    """Shown are edges, edges with a direction, whether nodes are outside, and now and then a few successors."""
    graph, first = draw(graphs(most=5)), draw(st.integers(-1, 2))
    n = len(graph)
    domains = [tuple(sorted(x + first for x in ways)) for ways in graph]
    constraints: list[Constraint] = [Circuit(tuple(range(n)), first, draw(st.integers(0, 4)) > 0)]
    shown = draw(st.sampled_from(((), (), (0,), tuple(range(n)))))
    pairs = [(i, j) for i, j in combinations(range(n), 2) if j in graph[i] or i in graph[j]]
    kind = draw(st.integers(0, 3))
    for i, j in draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs and kind < 3 else ():
        v = len(domains)
        domains.append((0, 1))
        if kind == 0:
            rows = [(x, y, int(x == j + first or y == i + first)) for x in domains[i] for y in domains[j]]
            is_once = draw(st.booleans())
            rows = [row for row in rows if not (is_once and row[:2] == (j + first, i + first))]
            constraints.append(Table((i, j, v), tuple(rows)))
        else:
            is_there = (i, j + first, True)
            back = [(j, i + first, True)] if kind == 1 else []
            constraints.append(Reified(Clause((is_there, *back)), v))
    for i in draw(st.lists(st.integers(0, n - 1), unique=True, max_size=3)):
        constraints.append(Reified(Linear((1,), (i,), "!=", i + first), len(domains)))
        domains.append((0, 1))
    if len(domains) == n:
        shown = (0,)
    solution = (*range(n, len(domains)), *shown)
    return Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints), solution)


@pytest.mark.kernel
@examples(200)
@given(model=hidden_cycles(), at_least=st.sampled_from((1, 7)))
def test_lists_what_the_oracle_lists(model: Csp, at_least: int) -> None:
    wanted = naive_csp.solutions(model)
    for engine in ENGINES:
        assert sorted(list_all(engine, model, at_least, 5, 40)) == wanted


@pytest.mark.kernel
@pytest.mark.parametrize(("rows", "columns", "total"), [(2, 2, 1), (3, 3, 13)])
def test_published_counts_of_small_grids(rows: int, columns: int, total: int) -> None:
    """A140517: cycles in the grid of n x n points. No edge at all is one more solution."""
    for engine in ENGINES:
        assert count_rows(engine, single_loops(rows, columns)) == total + 1


@pytest.mark.parametrize(
    ("model", "total"),
    [
        (single_loops(4, 4), 213 + 1),
        (single_loops(5, 5), 9349 + 1),
        (single_loops_through_all(4, 4), 6),
        (single_loops_through_all(6, 6), 1072),
    ],
    ids=["A140517(3)", "A140517(4)", "A003763(2)", "A003763(3)"],
)
def test_larger_published_counts(model: Csp, total: int) -> None:
    assert count_rows(CspSearch(), model) == total


@pytest.mark.long
def test_a_large_published_count() -> None:
    assert count_rows(CspSearch(), single_loops(6, 6)) == 1222363 + 1  # A140517(5)


@pytest.mark.parametrize(
    ("model", "most"),
    [(single_loops(4, 5), 4 * 1050), (single_loops_through_all(6, 6), 8 * 1072)],
    ids=["some", "all"],
)
def test_few_nodes_for_each_solution(model: Csp, most: int) -> None:
    """Without the blocks 7,211 and 54,538 nodes, instead of 3,475 and 7,322."""
    engine = CspSearch()
    plan, room = engine.plan(model), Room.of(model.row_shape, 1000)
    [shard] = engine.split(plan, 1)
    assert 0 < sum(block.nodes for block in engine.blocks(plan, shard, room, 1 << 20, no_pause)) < most


def told_by(*told: Constraint, solution: tuple[int, ...], objective: Objective | None = None) -> list[bool]:
    """Whether blocks are looked for, of each circuit through three nodes, the successors 0, 1 and 2."""
    domains = ((0, 1, 2),) * 3 + ((0, 1),) * 6 + ((0, 1, 2),)
    names = tuple(map(str, range(len(domains))))
    model = Csp(names, domains, (Circuit((0, 1, 2), subcircuit=True), *told), solution, objective)
    return [isinstance(part, Hidden) for part in rewritten(model).parts if isinstance(part, Circuit | Hidden)]


ARCS = tuple(
    Reified(Linear((1,), (i,), "=", j), 3 + k)
    for k, (i, j) in enumerate((i, j) for i in range(3) for j in range(3) if i != j)
)
OUTSIDE = tuple(Reified(Linear((1,), (i,), "=", i), 3 + i) for i in range(3))
SAME = Linear((1, -1), (0, 9), "=", 0)


def test_blocks_are_looked_for_if_the_search_does_not_decide_about_successors() -> None:
    arcs = tuple(range(3, 9))
    assert told_by(solution=(3,)) == [True]
    assert told_by(solution=(0, 3)) == [False]
    assert told_by(*ARCS, solution=arcs) == [False]
    assert told_by(*ARCS[:4], solution=arcs) == [True], "the third successor is not told"
    assert told_by(*ARCS, solution=(9,)) == [True], "what tells is hidden, too"
    assert told_by(*OUTSIDE, solution=arcs) == [True], "that a node is outside tells no path"
    assert told_by(SAME, solution=(9,)) == [False], "a shown variable replaces an equal one"
    assert told_by(solution=(3,), objective=Objective(0, maximize=True)) == [False]
    assert told_by(Circuit((3, 4)), solution=(3,)) == [True, False]
