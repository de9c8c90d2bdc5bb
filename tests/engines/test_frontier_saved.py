"""Fronts as the content of checkpoints: read again as they were, and content that does not fit is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.checkpoints import Saved
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.facts import add_facts
from rekkyo.engines.frontier import saved as saving
from rekkyo.engines.frontier.front import Front, Part
from rekkyo.engines.frontier.levels import Choice, Level, Levels, Machine, Rules
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.saved import arrays_of, facts_of, front_of, numbers_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import with_limbs
from rekkyo.kernel_switches import IS_COMPILED
from rekkyo.model.puzzle import Model
from rekkyo.search.race import merger_of
from tests.engines.covers_counted import cover
from tests.engines.test_frontier_together import said

pytestmark = pytest.mark.usefixtures("steps_of_one_level")


def content_of(front: Front, nodes: int) -> Saved:
    words = np.concatenate([array.reshape(-1) for array in arrays_of(front)] or [np.zeros(0, np.uint64)])
    return Saved(numbers_of(front, nodes, is_late=False), words)


def saved_fronts(plan: FrontierPlan[Any]) -> Iterator[Saved]:
    """The content of a checkpoint after each level."""
    nodes = 0
    for front in walk(plan):
        nodes += front.nodes
        yield content_of(front, nodes)


@cache
def plan_and_fronts(model: Model) -> tuple[FrontierPlan[Any], list[Saved]]:
    """A plan, and the checkpoints that have states."""
    plan = merger_of(model).plan(model)
    return plan, [saved for saved in saved_fronts(plan) if saved.numbers[2]]


CYCLES = CspFrontier().plan(rk.graph(named="grid 5 5").cycles().model)


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(cover("dominoes 10 10"), id="one word"),
        pytest.param(rk.puzzle("hip 5").model, id="two words"),
    ],
)
def test_every_front_is_read_as_it_was(model: Model) -> None:
    """From the beginning to the end."""
    plan, nodes = merger_of(model).plan(model), 0
    for front in walk(plan):
        nodes += front.nodes
        _, found = front_of(plan, content_of(front, nodes))
        assert said(found)[0] == said(front)[0]
        assert (found.level, found.nodes, found.n_states) == (front.level, nodes, front.n_states)
        assert not found.is_slice


def test_parts_whose_counts_have_other_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """As several workers leave them; in pieces of three counts."""
    monkeypatch.setattr(saving, "PIECE", 3)
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    front = list(walk(plan))[30]
    ((states, counts),) = front.parts
    parts = Part(states[:5], counts[:5]), Part(states[5:], with_limbs(counts[5:], 2))
    _, found = front_of(plan, content_of(front._replace(parts=parts), 7))
    assert said(found)[0] == said(front)[0]


def test_what_determines_the_fronts_is_in_the_facts() -> None:
    """Else a count would go on from the front of another one."""
    plan = CoverFrontier().plan(cover("latin-square 4"))
    assert any(len(blocks) for blocks in plan.blocks)
    others = (
        plan.without_exchanges(),
        replace(plan, levels=replace(plan.levels, is_hopeless=True)),
        CoverFrontier().plan(cover("latin-square 3")),
    )
    facts = [hashed(each) for each in (plan, *others)]
    assert len({*facts}) == 4
    assert hashed(CoverFrontier().make_plan(cover("latin-square 4"))) == facts[0]


def hashed(plan: FrontierPlan[Any]) -> str:
    digest = hashlib.sha256()
    add_facts(digest, facts_of(plan))
    return digest.hexdigest()


class TestContentThatDoesNotFit:
    """Also content with the right checksum: somebody wrote it on purpose."""

    @pytest.mark.parametrize(
        "change",
        [
            lambda n: (),
            lambda n: n[:4],
            lambda n: (*n, 0),
            lambda n: (n[0] + 1000, *n[1:]),
            lambda n: (CYCLES.n_levels + 1, *n[1:]),
            lambda n: (*n[:2], n[2] + 1, *n[3:]),
            lambda n: (*n[:2], n[2] - 1, *n[3:]),
            lambda n: (*n[:3], n[3] + 1, 0),
            lambda n: (*n[:3], 0, 0),
            lambda n: (*n[:2], 0, 1 << 62, 0),
            lambda n: (*n[:2], 1 << 62, 1, 0),
            lambda n: (*n[:4], 2),
            lambda n: (0, *n[1:]),
        ],
    )
    def test_numbers(self, change: Callable[..., Any]) -> None:
        some = list(saved_fronts(CYCLES))[20]
        front_of(CYCLES, some)
        with pytest.raises(ValueError):
            front_of(CYCLES, some._replace(numbers=change(some.numbers)))
        with pytest.raises(ValueError):
            front_of(CYCLES, Saved(change(some.numbers), np.zeros(0, dtype=np.uint64)))

    @pytest.mark.parametrize("n_more", [1, -1])
    def test_sizes(self, n_more: int) -> None:
        """The reason is one that users understand."""
        some = list(saved_fronts(CYCLES))[20]
        level, nodes, n_states, *others = some.numbers
        with pytest.raises(ValueError, match="its size does not fit the plan"):
            front_of(CYCLES, some._replace(numbers=(level, nodes, n_states + n_more, *others)))

    @pytest.mark.parametrize("n_limbs", [0, 22])
    def test_counts_of_a_length_that_no_walk_has(self, n_limbs: int) -> None:
        """With as many words as there should be: none, or more than one for each level and one."""
        level, _, n_states, *_ = numbers = list(saved_fronts(CYCLES))[20].numbers
        assert level == 20
        states = list(saved_fronts(CYCLES))[20].words[: n_states * CYCLES.levels.n_words]
        for length, is_refused in ((n_limbs, True), (1, False), (21, False)):
            counts = np.zeros(n_states * length, dtype=np.uint64)
            some = Saved((*numbers[:3], length, 0), np.concatenate([states, counts]))
            if is_refused:
                with pytest.raises(ValueError, match="its level is not in the plan"):
                    front_of(CYCLES, some)
            else:
                assert front_of(CYCLES, some)[1].n_limbs == length

    @pytest.mark.parametrize("level", [1, 2, 3])
    @pytest.mark.parametrize("is_kept", [True, False])
    def test_a_number_that_a_table_does_not_have(self, level: int, is_kept: bool) -> None:
        """The machine of level 3 has five numbers, in the second word; unless an earlier level drops the field."""
        every, field = (1 << 72) - 1, 0b111 << 66
        free = Level((Choice(0, 0, 0, 0),), 0, 0, 0, (), every, Rules())
        before = free if is_kept else replace(free, keep=every & ~field)
        last = replace(free, rules=Rules(machines=(Machine(66, 3, (tuple(range(5)),)),)))
        plan = plan_of(None, Levels((free, free, before, last), 72, False, (0,), {}))
        for number in range(8):
            content = Saved((level, 0, 1, 1, 0), np.array([1, number << 2, 1], dtype=np.uint64))
            is_beyond = number >= 5 if is_kept else number > 0 and level == 3
            if is_beyond:
                with pytest.raises(ValueError, match="its states do not fit the plan"):
                    front_of(plan, content)
            else:
                assert front_of(plan, content)[1].n_states == 1

    def test_states_of_another_level(self) -> None:
        """Not noticed where they happen to be possible there; then no kernel is misled."""
        fronts = list(saved_fronts(CYCLES))
        refused = 0
        for one in fronts:
            for level in range(len(fronts)):
                try:
                    front_of(CYCLES, one._replace(numbers=(level, *one.numbers[1:])))
                except ValueError:
                    refused += 1
        assert refused > len(fronts) ** 2 / 2


LABELLED = "grid 4 4" if IS_COMPILED else "grid 3 4"
"""Uncompiled the larger one took ten seconds, on the same paths."""

FORGED = [
    pytest.param(rk.graph(named="grid 4 4").cycles().model, id="mates"),
    pytest.param(rk.graph(named="grid 3 4").cycles(hamiltonian=False).model, id="mates and machines"),
    pytest.param(rk.graph(named=LABELLED).spanning_trees().model, id="labels"),
    pytest.param(rk.puzzle("magic-square 3").model, id="machines"),
    pytest.param(rk.graph(named="grid 4 4").colorings(3).model, id="colours"),
    pytest.param(cover("polyominoes 3 4 3 --any-number"), id="counters"),
]


def walk_on(plan: FrontierPlan[Any], saved: Saved) -> bool:
    """Go on from such content to the end, unless it is refused."""
    try:
        plan, front = front_of(plan, saved)
    except ValueError:
        return False
    for _ in walk(plan, begin=front):
        pass
    return True


@pytest.mark.kernel
@pytest.mark.parametrize("model", FORGED)
@given(seed=st.integers(0, 1 << 32))
def test_a_changed_bit_misleads_no_kernel(model: Model, seed: int) -> None:
    """With bounds checks, and when kernels run uncompiled, an index beyond its array is an error."""
    dice = np.random.default_rng(seed)
    plan, fronts = plan_and_fronts(model)
    saved = fronts[int(dice.integers(len(fronts)))]
    words = saved.words.copy()
    at = int(dice.integers(saved.numbers[2] * plan.levels.n_words))
    words[at] ^= np.uint64(1) << np.uint64(dice.integers(min(64, plan.levels.n_bits)))
    walk_on(plan, saved._replace(words=words))


@pytest.mark.kernel
@pytest.mark.parametrize("model", FORGED)
def test_all_bits_set_mislead_no_kernel(model: Model) -> None:
    plan = merger_of(model).plan(model)
    outcomes = set()
    for saved in saved_fronts(plan):
        level, _, n_states, *_ = saved.numbers
        words = saved.words.copy()
        kept = plan.arrays[level - 1].marks[3] if level else np.zeros(plan.levels.n_words, dtype=np.uint64)
        words[: n_states * plan.levels.n_words] = np.tile(kept, n_states)
        outcomes.add(walk_on(plan, saved._replace(words=words)))
        if n_states and ~kept[0]:
            words[0] |= ~kept[0]
            assert not walk_on(plan, saved._replace(words=words))
    assert True in outcomes
    has_indices = any(arrays.rules and len(arrays.rules.machines) for arrays in plan.arrays)
    assert (False in outcomes) or not has_indices
