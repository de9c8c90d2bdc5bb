"""A level done by several workers in rounds, against the same level in one piece."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import together as rounds
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.absorb import absorb
from rekkyo.engines.frontier.front import Front, joined
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.together import step_together
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import wrapping
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.search.threads import crew
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS

MANY = 1 << 20


def in_rounds(plan: FrontierPlan[Any], workers: int, n_results: int, most: int = MANY) -> Iterator[Front]:
    """The fronts of `walk`, every level in rounds."""
    front = next(walk(plan))
    yield front
    with crew(workers) as together:
        for arrays, blocks in zip(plan.arrays, plan.blocks, strict=True):
            too_many, front = step_together(front, arrays, blocks, most, no_pause, together, n_results)
            if too_many:
                return
            yield front


def said(front: Front) -> tuple[dict[tuple[int, ...], int], int]:
    """The states and in how many ways each is reached; and the nodes."""
    states, counts = joined(front)
    ways = counts[:, 0].tolist()
    for place in range(1, counts.shape[1]):
        ways = [low + (limb << 64 * place) for low, limb in zip(ways, counts[:, place].tolist(), strict=True)]
    words = states[:, np.newaxis] if states.ndim == 1 else states
    return dict(zip(map(tuple, words.tolist()), ways, strict=True)), front.nodes


def check(plan: FrontierPlan[Any], workers: int, n_results: int) -> None:
    fronts = list(in_rounds(plan, workers, n_results))
    found = [said(front) for front in fronts]
    assert found == [said(front) for front in walk(plan)]
    for front, (ways, _) in zip(fronts, found, strict=True):
        assert sum(len(part.states) for part in front.parts) == front.n_states == len(ways)
        assert front.levels.ways[-1] == front.ways == sum(said(front)[0].values())


@pytest.mark.kernel
@given(model=MODELS, workers=st.integers(1, 3), n_results=st.sampled_from([1, 7, 1 << 10]))
def test_constraints(model: Csp, workers: int, n_results: int) -> None:
    check(CspFrontier().plan(model), workers, n_results)


@pytest.mark.kernel
@given(model=naive_cover.models(), workers=st.integers(1, 3), n_results=st.sampled_from([1, 7, 1 << 10]))
def test_covers(model: ExactCover, workers: int, n_results: int) -> None:
    check(CoverFrontier().plan(model), workers, n_results)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "model",
    [
        pytest.param(rk.graph(named="grid 9 9").independent_sets().model, id="one word"),
        pytest.param(rk.graph(named="grid 7 7").cycles().model, id="several words"),
        pytest.param(cover("dominoes 14 14"), id="two limbs, in some parts earlier"),
    ],
)
def test_larger_models(model: Model, workers: int) -> None:
    engine = CoverFrontier() if isinstance(model, ExactCover) else CspFrontier()
    check(engine.plan(model), workers, 1 << 10)


@pytest.mark.parametrize("workers", [1, 2])
def test_too_many_states(workers: int) -> None:
    plan = CspFrontier().plan(rk.graph(named="grid 10 10").independent_sets().model)
    fronts = list(in_rounds(plan, workers, 64, most=100))
    assert len(fronts) < len(plan.arrays)
    assert max(front.n_states for front in fronts) <= 100


@pytest.mark.parametrize("workers", [2, 3])
def test_nothing_is_merged_after_too_many_states(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results of the other workers in the same round would be written behind the last place."""

    def checked(*read: Any) -> Any:
        n_found, most = read[-2:]
        assert n_found <= most
        return absorb(*read)

    monkeypatch.setattr(rounds, "absorb", checked)
    plan = CoverFrontier().plan(cover("langford 7"))
    assert len(list(in_rounds(plan, workers, 64, most=15))) < len(plan.arrays)


KING = rk.graph(named="king 7 7")
"""Its spanning trees have up to 37,145 states, so that levels are long."""


def number_of_trees(graph: rk.Graph) -> int:
    """The matrix-tree theorem: the determinant of the Laplacian without a row and its column."""
    n = len(graph.names)
    rows = [[Fraction(0)] * n for _ in range(n)]
    for one, other in graph.edges:
        for a, b in ((one, other), (other, one)):
            rows[a][a] += 1
            rows[a][b] -= 1
    found = Fraction(1)
    for k in range(n - 1):  # the pivots are positive
        found *= rows[k][k]
        for i in range(k + 1, n - 1):
            share = rows[i][k] / rows[k][k]
            rows[i] = [x - share * y for x, y in zip(rows[i], rows[k], strict=True)]
    return int(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_counts_with_long_levels(workers: int) -> None:
    puzzle = KING.spanning_trees()
    counted = rk.count(puzzle, engine="csp-frontier", up_to="none", workers=workers)
    assert counted.total == number_of_trees(KING)
    assert counted.nodes == 4025787


def test_memory_of_long_levels() -> None:
    plan = CspFrontier().plan(KING.spanning_trees().model)
    with pytest.raises(EngineRefuses, match="takes more than"), crew(2) as together:
        for _ in walk(plan, most_bytes=2_000_000, crew=together):
            pass


class Interrupted(Exception):
    """What a pause raises."""


def test_a_long_level_can_be_stopped() -> None:
    """Between its rounds, not only between levels."""
    plan = CspFrontier().plan(KING.spanning_trees().model)
    pauses = 0

    def pause() -> None:
        nonlocal pauses
        pauses += 1

    fronts = list(walk(plan, pause=pause))
    assert 0 < sum(front.n_states >= 1 << 15 for front in fronts) < pauses

    def stop() -> None:
        raise Interrupted

    reached: list[int] = []
    with pytest.raises(Interrupted):
        reached.extend(front.n_states for front in walk(plan, pause=stop))
    assert reached == [front.n_states for front in fronts[: len(reached)]]
    assert reached
    assert max(reached) >= 1 << 15


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pause_comes_before_each_round(workers: int) -> None:
    """In a round each worker takes as many states as may have 64 results."""
    plan = CspFrontier().plan(rk.graph(named="grid 9 9").independent_sets().model)
    front = next(islice(in_rounds(plan, 1, 64), 30, None))
    arrays, blocks, pauses = plan.arrays[30], plan.blocks[30], list[int]()
    with crew(workers) as together:
        step_together(front, arrays, blocks, MANY, lambda: pauses.append(1), together, 64)
    n_together = 64 // (1 + arrays.choices.shape[1])
    assert len(pauses) >= front.n_states / (n_together * workers) > 2


def test_a_failure_of_one_worker_ends_all() -> None:
    ended = []

    def fail() -> None:
        raise Interrupted

    with pytest.raises(Interrupted), crew(3) as together:
        together([lambda: ended.append(1), fail, lambda: ended.append(2)])
    assert sorted(ended) == [1, 2]
    with pytest.raises(Interrupted), crew(3) as together:
        together([fail, lambda: ended.append(3)])
    assert 3 in ended


@pytest.mark.kernel
def test_a_carry_passes_through_several_limbs() -> None:
    """A count of one limb is added to a sum of three, to which another part's longer counts were added."""
    states, origins = np.array([7], dtype=np.uint64), np.zeros(1, dtype=np.uint64)
    found, places = np.array([7, 0], dtype=np.uint64), np.zeros(4, dtype=np.uint32)  # state 0 everywhere
    sums = np.array([[-1, -1, 5], [0, 0, 0]], dtype=np.int64).view(np.uint64)
    counts = np.ones((1, 1), dtype=np.uint64)
    with wrapping():
        _, _, sums, n_found = absorb(states, origins, 0, 1, counts, places, found, sums, 1, 2)
    assert n_found == 1
    assert sums[0].tolist() == [0, 0, 6]


def test_more_workers_than_a_round_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """dominoes 12 12: A004003(6)."""
    monkeypatch.setattr(walking, "MANY_STATES", 1)
    workers = 2 * rounds.MOST_WORKERS
    plan = CoverFrontier().plan(cover("dominoes 12 12"))
    with crew(workers) as together:
        *_, last = walk(plan, crew=together)
    assert last.ways == 53060477521960000
