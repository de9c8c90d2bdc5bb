"""Levels that exchange bits and are crossed in order, against the same levels with hashed results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import typeof

import rekkyo as rk
from rekkyo.bits import Words
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.frontier import across, in_order, merge_kernel
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.arrange import COLORS, arrange_blocks, arrange_by_rules
from rekkyo.engines.frontier.arrange_all import arrange_all_blocks, arrange_all_by_exchanges
from rekkyo.engines.frontier.front import NO_BOUNDS, Front
from rekkyo.engines.frontier.in_order import InOrder, kernels_in_order
from rekkyo.engines.frontier.levels import WORD
from rekkyo.engines.frontier.plan import FrontierPlan, Swapped, exchanged_bits
from rekkyo.engines.frontier.streams import EVERY_BIT
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import to_ints, wrapping
from rekkyo.model.csp.constraints import Clause
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search.threads import crew
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS, alike_of, plan_with_exchanges, planned
from tests.engines.test_cover_exchanges import alike_in_blocks
from tests.engines.test_csp_blocks import nearly_latin
from tests.engines.test_csp_exchanges import symmetric_grids
from tests.engines.test_frontier_apart import parting_all
from tests.engines.test_frontier_families import vertices
from tests.engines.test_frontier_together import said
from tests.inner_kernels import from_python

MANY = 1 << 30

BITS = st.integers(0, EVERY_BIT)


def plan_of_problem(model: Csp) -> FrontierPlan[Any]:
    return plan_with_exchanges(model).with_late_exchanges()


def independent_sets(graph: str) -> FrontierPlan[Any]:
    return plan_of_problem(as_csp(rk.graph(named=graph).independent_sets().model))


def tilings(words: str) -> FrontierPlan[Any]:
    return CoverFrontier().plan(cover(words)).with_late_exchanges()


def crossing_all(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Cross every level that can be crossed. Gets the states before each, from now on."""
    parting_all(monkeypatch, states_of_part=3)
    monkeypatch.setattr(walking, "MANY_IN_ORDER", 1)
    monkeypatch.setattr(walking, "NODES_TO_LOAD", 0)
    monkeypatch.setattr(in_order, "LEAST_LEVELS", 1)
    monkeypatch.setattr(in_order, "load", lambda *_: True)
    step, crossed = walking.step_across, list[int]()

    def spy(front: Front, *more: Any) -> Front | None:
        after = step(front, *more)
        if after is not None:
            crossed.append(front.n_states)
        return after

    monkeypatch.setattr(walking, "step_across", spy)
    return crossed


def passed(front: Front) -> list[list[int]]:
    return [list(numbers) for numbers in front.levels]


def check(plan: FrontierPlan[Any], workers: int) -> int:
    """The number of levels that were crossed."""
    whole = list(walk(plan))
    with pytest.MonkeyPatch.context() as patch, crew(workers) as together:
        crossed = crossing_all(patch)
        found = list(walk(plan, crew=together))
        at_once = list(walk(plan, bounds=NO_BOUNDS, crew=together))
    assert [said(front) for front in found] == [said(front) for front in whole]
    assert [passed(front) for front in found] == [passed(front) for front in whole]
    assert at_once[-1].ways == whole[-1].ways
    assert sum(front.nodes for front in at_once) == sum(front.nodes for front in whole)
    return len(crossed)


@pytest.mark.parametrize("workers", [1, 2])
class TestWalks:
    @pytest.mark.kernel
    @given(model=naive_cover.models() | alike_in_blocks())
    def test_of_any_cover(self, model: ExactCover, workers: int) -> None:
        check(CoverFrontier().plan(model).with_late_exchanges(), workers)

    @pytest.mark.kernel
    @given(model=MODELS | symmetric_grids() | nearly_latin())
    def test_of_any_problem(self, model: Csp, workers: int) -> None:
        check(plan_of_problem(model), workers)

    @pytest.mark.parametrize("words", ["dominoes 12 12", "aztec-diamond 7"])
    def test_of_tilings(self, words: str, workers: int) -> None:
        assert check(tilings(words), workers) > 0

    @pytest.mark.parametrize("graph", ["grid 8 8", "king 8 8"])
    def test_of_independent_sets(self, graph: str, workers: int) -> None:
        """The columns of a grid are exchanged once in a row."""
        assert check(independent_sets(graph), workers) > 3


class TestBounds:
    def test_too_many_results_are_hashed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Results before they are merged take more memory than the states."""
        plan = independent_sets("grid 8 8")
        fronts = list(walk(plan))
        n_limbs = fronts[-1].n_limbs
        most = max(front.n_states for front in fronts)
        n_bytes = most * (3 * 8 * (1 + n_limbs) + 16)
        crossed = crossing_all(monkeypatch)
        assert list(walk(plan, n_bytes))[-1].ways == fronts[-1].ways
        few = len(crossed)
        assert list(walk(plan, 8 * n_bytes))[-1].ways == fronts[-1].ways
        assert few < len(crossed) - few

    def test_counts_that_become_longer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plan = independent_sets("grid 14 14")
        *_, whole = walk(plan, bounds=NO_BOUNDS)
        crossed = crossing_all(monkeypatch)
        *_, last = walk(plan, bounds=NO_BOUNDS)
        assert last.ways == whole.ways > 1 << WORD
        assert crossed

    @pytest.mark.kernel
    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_level_that_no_state_passes(self, workers: int) -> None:
        """Two columns, in which no cell is 1 below a 1, and of which the third cells can have no values."""
        n_rows = 6
        wrong = [((cell, 1), (cell + 2, 1)) for cell in range(2 * n_rows - 2)]
        wrong += [((4, x), (5, y)) for x, y in product((0, 1), repeat=2)]
        clauses = tuple(Clause(tuple((cell, x, False) for cell, x in some)) for some in wrong)
        model = Csp(tuple(map(str, range(2 * n_rows))), ((0, 1),) * 2 * n_rows, clauses)
        assert check(planned(model, range(2 * n_rows), alike_of(model)), workers) > 0

    def test_levels_that_exchange_colors_are_not_crossed(self) -> None:
        plan = plan_with_exchanges(as_csp(rk.puzzle("rectangle-free 4 4 2").model))
        with_colors = [
            level for level, blocks in enumerate(plan.blocks) if len(blocks) and blocks[0, 0] == COLORS
        ]
        assert with_colors
        assert not any(InOrder(plan).crossing(level) for level in with_colors)


def each_arranged(arrange: Callable[..., None], states: Words, blocks: Words) -> list[int]:
    parts, found = np.empty(64, dtype=np.uint64), []
    with wrapping():
        for state in states:
            word = np.array([state])
            from_python(arrange)(word, blocks, parts)
            found.append(int(word[0]))
    return found


def all_arranged(arrange: Any, states: Words, blocks: Words) -> list[int]:
    found = states.copy()
    with wrapping():
        arrange(found, blocks)
    return [int(state) for state in found]


@st.composite
def any_exchanges(draw: st.DrawFn) -> Words:
    """Up to three exchanges of some of the 64 bits with others. One alone may have sides."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        bits = draw(st.lists(st.integers(0, 63), min_size=2, max_size=12, unique=True))
        swaps = [(min(pair), max(pair)) for pair in zip(bits[::2], bits[1::2], strict=False)]
        found.append(Swapped(swaps))
    if len(found) == 1 and draw(st.booleans()):
        (swaps, *_) = found[0]
        sides = (sum(1 << bits[side] for bits in swaps) for side in range(2))
        found = [Swapped(swaps, *sides)]
    return exchanged_bits(found)


class TestArranged:
    @given(blocks=any_exchanges(), words=st.lists(BITS, max_size=9))
    def test_by_exchanges(self, blocks: Words, words: list[int]) -> None:
        states = np.array(words, dtype=np.uint64)
        wanted = each_arranged(arrange_by_rules, states, blocks)
        assert all_arranged(arrange_all_by_exchanges, states, blocks) == wanted

    def test_to_bits_above_those_of_all_states(self) -> None:
        """Vertices of graphs. States are sorted by how many edges each has, in which they become greater."""
        place = [60 - 6 * edge for edge in range(10)]

        def placed(bits: int) -> int:
            return sum(1 << place[edge] for edge in range(10) if bits >> edge & 1)

        blocks = exchanged_bits(
            [
                Swapped([(place[other], place[one]) for one, other in swaps], placed(one), placed(other))
                for swaps, one, other in vertices(5)
            ]
        )
        states = np.array([placed(edges << 6) for edges in range(16)], dtype=np.uint64)
        wanted = each_arranged(arrange_by_rules, states, blocks)
        assert max(wanted) > max(states.tolist())
        assert all_arranged(arrange_all_by_exchanges, states, blocks) == wanted

    @pytest.mark.parametrize("words", ["dominoes 8 8", "latin-square 4"])
    def test_by_blocks(self, words: str) -> None:
        plan = tilings(words)
        assert plan.levels.n_words == 1
        blocks = max(plan.blocks, key=len)
        assert len(blocks) > 1
        states = np.random.default_rng(1).integers(0, EVERY_BIT, 500, dtype=np.uint64, endpoint=True)
        wanted = each_arranged(arrange_blocks, states, blocks)
        assert all_arranged(arrange_all_blocks, states, blocks) == wanted


@st.composite
def states_with_counts(draw: st.DrawFn) -> tuple[list[int], list[list[int]], int]:
    """States, some of them equal, a turn, and counts of one limb or two, of which many are the greatest."""
    turn = draw(st.integers(0, 63))
    n_limbs = draw(st.integers(1, 2))
    some = draw(st.lists(st.integers(0, EVERY_BIT - 1), min_size=1, max_size=5, unique=True))
    states = draw(st.lists(st.sampled_from(some), max_size=20))
    limbs = st.lists(st.sampled_from([0, 1, EVERY_BIT]), min_size=n_limbs, max_size=n_limbs)
    return states, [draw(limbs) for _ in states], turn


class TestMerged:
    @given(part=states_with_counts(), are_in_order=st.booleans())
    def test_counts_of_equal_states_are_added(
        self, part: tuple[list[int], list[list[int]], int], are_in_order: bool
    ) -> None:
        states, counts, turn = part

        def turned(state: int) -> int:
            return (state >> turn | state << 64 - turn) & EVERY_BIT

        rows = list(zip(states, counts, strict=True))
        if are_in_order:
            rows.sort(key=lambda row: turned(row[0]))
        limbs = np.array([row[1] for row in rows], dtype=np.uint64).reshape(len(rows), -1 if rows else 1)
        wanted: Counter[int] = Counter()
        for state, count in zip((row[0] for row in rows), to_ints(limbs), strict=True):
            wanted[state] += count
        merge: Any = merge_kernel.merge_equal
        with wrapping():
            found, sums = merge(
                np.array([row[0] for row in rows], dtype=np.uint64), limbs, np.uint64(turn), 64
            )
        assert found.tolist() == sorted(wanted, key=turned)
        assert to_ints(sums) == [wanted[state] for state in found.tolist()]


def test_kernels_are_loaded_for_the_arguments_that_they_get(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a long walk would wait for a compiler although the kernels are in the cache."""
    wanted = {function.__name__: [typeof(one) for one in given] for function, given in kernels_in_order()}
    found: dict[str, list[Any]] = {}

    def spied(module: Any, name: str) -> None:
        function = getattr(module, name)

        def spy(*arguments: Any) -> Any:
            found[name] = [typeof(one) for one in arguments]
            return function(*arguments)

        monkeypatch.setattr(module, name, spy)

    for name in ("steps_in_order", "merge_equal"):
        spied(merge_kernel, name)
    for name in ("arrange_all_blocks", "arrange_all_by_exchanges"):
        spied(across, name)
    crossing_all(monkeypatch)
    for plan in (independent_sets("grid 8 8"), tilings("dominoes 8 8")):
        list(walk(plan, bounds=NO_BOUNDS))
    assert found == wanted
