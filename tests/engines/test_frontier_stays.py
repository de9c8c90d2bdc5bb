"""What a level leaves as it is, against all states before it and after it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.bits import Words
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier.absorb import FREE
from rekkyo.engines.frontier.arrange import COLORS
from rekkyo.engines.frontier.front import joined
from rekkyo.engines.frontier.levels import Choice, Field, Level, Levels
from rekkyo.engines.frontier.plan import (
    NO_BLOCKS,
    FrontierPlan,
    exchanged_bits,
    exchanged_blocks,
    exchanged_colors,
)
from rekkyo.engines.frontier.stays import Kept, kinds_of, moved, sorts
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import to_int
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover
from tests.engines.csp_counted import MODELS


def facts(states: Words, kept: Kept) -> list[tuple[int, int]]:
    """What is kept of each state, in plain Python."""
    numbers = [to_int(np.atleast_1d(state)) for state in states]
    return [
        (
            number & kept.bits,
            tuple(
                _sort(number >> each.shift & (1 << each.width) - 1, each.full)
                for each in sorted(kept.numbers)
            ),
        )
        for number in numbers
    ]


def _sort(number: int, full: int) -> str:
    return "none" if number == 0 else "full" if number == full else "some"


def check(plan: FrontierPlan[Any]) -> int:
    """Successors have the same facts; returns how many sorts of numbers were kept, at all levels together."""
    fronts = list(walk(plan, with_successors=True))
    n_kept = 0
    for number, (before, after) in enumerate(pairwise(fronts)):
        kept = Kept(-1, sorts(plan.levels.levels[number])).after(plan.levels, number, NO_BLOCKS)
        n_kept += len(kept.numbers)
        states, reached = facts(joined(before).states, kept), facts(joined(after).states, kept)
        assert after.successors is not None
        for state, successors in zip(states, after.successors, strict=True):
            assert {reached[each] for each in successors.tolist() if each != FREE} <= {state}
        for part in (joined(before).states, joined(after).states):
            alike: dict[int, Any] = {}
            for kind, (_, each) in zip(kinds_of(part, kept.numbers).tolist(), facts(part, kept), strict=True):
                if len(kept.numbers) <= 12:
                    assert alike.setdefault(kind, each) == each
    return n_kept


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_covers(model: ExactCover) -> None:
    check(CoverFrontier().plan(model))


@pytest.mark.kernel
@given(model=MODELS)
def test_constraints(model: Csp) -> None:
    check(CspFrontier().plan(model))


GRID = rk.graph(named="grid 3 4")


@pytest.mark.parametrize(
    "puzzle",
    [
        GRID.cycles(),
        GRID.cycles(hamiltonian=False),
        GRID.paths(),
        GRID.paths(hamiltonian=False),
        GRID.spanning_trees(),
        GRID.dominating_sets(minimum=False),
        rk.graph(named="king 3 3").cycles(),
        rk.graph(named="king 3 3").spanning_trees(),
    ],
    ids=str,
)
def test_graphs(puzzle: rk.Puzzle) -> None:
    model = puzzle.model
    n_kept = check(CspFrontier().plan(model))
    assert n_kept > 20 or isinstance(model, rk.Coloring)


def test_a_counter_changes_all_bits_of_its_field() -> None:
    level = Level((Choice(0, 1, 2, 1 << 4),), 4, 8, 0, (), 0xFFFF)
    levels = Levels(
        (level, level), 16, False, (0, 0), {"count": Field(4, 3, 0, 1), "other": Field(4, 8, 2, 2)}
    )
    assert Kept(-1, frozenset()).after(levels, 0, NO_BLOCKS).bits == 0xFFFF & ~(0b111 << 4 | 8 | 2)


def test_the_bits_that_exchanges_move() -> None:
    assert moved(NO_BLOCKS) == 0
    assert (
        moved(exchanged_blocks([[[3, 70], [4, 71]], [[0], [9]]]))
        == 1 << 3 | 1 << 70 | 1 << 4 | 1 << 71 | 1 | 1 << 9
    )
    assert moved(exchanged_bits([[(1, 66), (2, 67)], [(5, 6)]])) == 0b1100110 | 0b11 << 66
    colors = exchanged_colors(3, 1 << 62 | 1, 2)
    assert colors[0, 0] == COLORS
    assert moved(colors) == 0b111 | 0b111 << 62
