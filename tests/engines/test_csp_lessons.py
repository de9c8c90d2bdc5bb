"""The short searches before a search by propagation, what they find, and what is expected after them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.bits import SCATTER
from rekkyo.engines.contract import NO_LIMIT, Block, Room, Shard, no_pause
from rekkyo.engines.csp.propagating.engine import (
    LEARN_ROWS,
    LESSONS,
    MOST_MOMENT_NODES,
    TRIED_NODES,
    CspPlan,
    CspSearch,
)
from rekkyo.engines.csp.propagating.kernel import list_solutions
from rekkyo.engines.csp.propagating.ready import DIVE_NODES, Ready, first_dive, make_ready
from rekkyo.engines.csp.propagating.state import N_DIVES, N_HIDDEN, NODES_LEFT, TOTAL
from rekkyo.engines.out import out_of
from rekkyo.model.csp.csp import Csp
from rekkyo.search.cutting import LONG_MOMENTS, MOST_WHOLE_MOMENTS, Uncut, by_length
from rekkyo.search.sizes import DEFAULT_SIZES
from tests import csp_strategies
from tests.engines.csp_problems import costas, latin_square, queens
from tests.engines.listing_contract import count_nodes, list_all


def list_blocks(engine: CspSearch, plan: CspPlan, shard: Shard) -> Iterator[Block]:
    return engine.blocks(plan, shard, Room.of(plan.model.row_shape, 500), 1 << 16, no_pause)


@pytest.mark.parametrize(("model", "is_short"), [(latin_square(3), True), (costas(9), False)])
def test_only_what_may_be_over_in_a_moment_is_tried_as_a_whole(model: Csp, is_short: bool) -> None:
    engine = CspSearch()
    plan = engine.plan(model)
    assert (engine.expected_moments(plan) <= LONG_MOMENTS) == is_short
    uncut = Uncut(engine, plan, model.row_shape, DEFAULT_SIZES, workers=2)
    cut = by_length(uncut)
    assert (len(cut.shards) == 1) == is_short
    other = replace(plan, expected_nodes=1e9 if is_short else 1.0, tried=None)
    begun = by_length(replace(uncut, plan=other))
    found = [
        sum(len(block.rows) for shard in one.shards for block in list_blocks(engine, plan, shard))
        for one in (cut, begun)
    ]
    assert found[0] == found[1]


def test_one_worker_searches_a_few_moments_without_cutting_them() -> None:
    puzzle = rk.Puzzle("costas 8", costas(8), "Costas arrays")
    engine = CspSearch()
    plan = engine.plan(costas(8))
    assert LONG_MOMENTS < engine.expected_moments(plan) < MOST_WHOLE_MOMENTS
    cuts = [by_length(Uncut(engine, plan, costas(8).row_shape, DEFAULT_SIZES, workers)) for workers in (1, 2)]
    assert len(cuts[0].shards) == len(cuts[0].known) == 1
    assert len(cuts[1].shards) > 1
    one, two = (rk.count(puzzle, engine="csp", workers=workers) for workers in (1, 2))
    assert (one.total, one.nodes) == (two.total, two.nodes) == (444, one.nodes)


def test_nodes_of_a_moment_go_by_the_parts_that_a_node_runs() -> None:
    engine = CspSearch()
    moments = [engine.nodes_of_moment(engine.plan(model)) for model in (queens(12), costas(12))]
    assert min(moments) >= 1
    assert moments[0] != moments[1]
    assert max(moments) <= MOST_MOMENT_NODES


def takes_more_than_a_lesson(engine: CspSearch, plan: CspPlan) -> bool:
    """Whether a search with equal weights has more solutions or nodes than the first lesson may have."""
    assert plan.ready is not None
    unlearned = replace(plan, ready=plan.ready.with_weights(np.zeros_like(plan.ready.root.state.ints)))
    (shard,) = engine.split(unlearned, 1)
    blocks = list(engine.blocks(unlearned, shard, Room.of(plan.model.row_shape, 100), 100, no_pause))
    n_rows, n_nodes = sum(len(block.rows) for block in blocks), sum(block.nodes for block in blocks)
    return n_rows >= LEARN_ROWS or n_nodes >= LESSONS[0]


def test_a_plan_has_the_solutions_of_a_search_of_more_nodes_than_its_lessons() -> None:
    engine, model = CspSearch(), Csp(tuple("abcdefghi"), ((0, 1),) * 9)
    plan = engine.plan(model)
    assert plan.tried is not None
    block = plan.tried.block
    assert plan.tried.cursor is None
    assert sum(LESSONS) < block.nodes <= TRIED_NODES
    assert [tuple(row) for row in block.rows.tolist()] == list_all(engine, model, 1, 1000, 1 << 30)
    assert len(block.rows) == 2**9 > LEARN_ROWS


def test_an_estimate_is_that_of_dives_with_new_cursors() -> None:
    plan = CspSearch().plan(queens(9))
    assert plan.ready is not None
    estimates = [ready.expected_nodes() for ready in (plan.ready, plan.ready, plan.ready.in_order())]
    assert estimates[0] == estimates[1] == pytest.approx(dived(plan.ready), rel=1e-12)
    assert estimates[2] == pytest.approx(dived(plan.ready.in_order()), rel=1e-12)


def dived(ready: Ready) -> float:
    """The mean of the nodes that dives expect, each with a cursor of its own."""
    out = out_of(np.zeros((1, len(ready.decided.shown)), dtype=np.uint32))
    random, totals, nodes_left = SCATTER, [], DIVE_NODES
    while nodes_left > 0:
        cursor, dive = ready.cursor(()), first_dive(random, 1)
        cursor.state.ints[N_HIDDEN] = 0
        list_solutions(ready.program, ready.decided, cursor, dive, out, NO_LIMIT, ready.others)
        assert dive.sums[N_DIVES] == 1
        totals.append(float(dive.sums[TOTAL]))
        random, nodes_left = dive.random[0], nodes_left - (1 - int(dive.sums[NODES_LEFT]))
    return float(np.mean(totals))


def test_an_estimate_without_constraints_is_the_number_of_nodes() -> None:
    ready = make_ready(Csp(tuple("abc"), ((0, 1), (0, 1, 2), (0, 1, 2, 3)), ()))
    assert ready is not None
    assert ready.expected_nodes() == 2 + 2 * 3 + 2 * 3 * 4


@given(csp_strategies.models(), st.sampled_from([1, 2, 1 << 15]))
@example(Csp(tuple("abcdefgh"), ((0, 1),) * 8), 1)
def test_what_planning_found_is_not_searched_again(model: Csp, block_rows: int) -> None:
    model = replace(model, objective=None)
    engine = CspSearch()
    plan = engine.plan(model)
    tried = engine.tried(plan)
    if tried is None or tried.cursor is not None:
        assert plan.ready is None or takes_more_than_a_lesson(engine, plan)
        return
    block = tried.block
    rows = list_all(engine, model, 1, 1000, 1 << 30)
    assert [tuple(row) for row in block.rows.tolist()] == rows
    nodes = count_nodes(engine, plan, model, engine.split(plan, 1)[0])
    found = rk.count(
        rk.Puzzle("any", model, "any"), engine="csp", digest=True, sizes=rk.Sizes(block_rows=block_rows)
    )
    assert (block.nodes, found.nodes, found.total) == (nodes, nodes, len(rows))


def test_a_search_goes_on_where_its_last_lesson_ended() -> None:
    """Twice, because the plan keeps the cursor."""
    engine, model = CspSearch(), queens(11)
    plan = engine.plan(model)
    (whole,) = engine.split(plan, 1)
    blocks = list(list_blocks(engine, plan, whole))
    for _ in range(2):
        tried = engine.tried(plan)
        assert tried is not None
        assert tried.cursor is not None
        rest = engine.blocks(plan, whole, Room.of(model.row_shape, 100), 1000, no_pause, tried.cursor)
        assert totals([tried.block, *rest]) == totals(blocks)
    overdue = replace(plan, expected_nodes=1.0, expected_steps=1.0)
    cut = by_length(Uncut(engine, overdue, model.row_shape, DEFAULT_SIZES, workers=1))
    assert cut.known[0][0].nodes == tried.block.nodes
    assert totals(list(cut.known[0])) == totals(blocks)
    for block_rows in (1, 1 << 15):
        sizes = replace(DEFAULT_SIZES, block_rows=block_rows)
        found = rk.count(rk.Puzzle("any", model, "any"), engine="csp", workers=1, sizes=sizes)
        assert (found.total, found.nodes) == (2680, totals(blocks)[1])


def totals(blocks: list[Block]) -> tuple[list[list[int]], int]:
    """All rows and nodes of some blocks."""
    return [row for block in blocks for row in block.rows.tolist()], sum(block.nodes for block in blocks)
