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
from rekkyo.engines.frontier import split_kernel
from rekkyo.engines.frontier.arrange import NAMES
from rekkyo.engines.frontier.front import Part, joined
from rekkyo.engines.frontier.levels import Choice, Field, Level, Levels
from rekkyo.engines.frontier.plan import (
    NO_BLOCKS,
    FrontierPlan,
    Names,
    Renamed,
    Swapped,
    exchanged_bits,
    exchanged_blocks,
    exchanged_colors,
    exchanged_names,
)
from rekkyo.engines.frontier.stays import NO_COLORS, Colors, Kept, change_of, moved, sorts
from rekkyo.engines.frontier.walk import Walk, walk
from rekkyo.engines.limbs import to_int, wrapping
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover
from tests.engines.csp_counted import MODELS, plan_with_exchanges


def facts(states: Words, kept: Kept) -> list[Any]:
    """What is kept of each state, in plain Python."""
    numbers = [to_int(np.atleast_1d(state)) for state in states]
    return [
        (
            number & kept.bits,
            [_sort(number >> each.shift & (1 << each.width) - 1, each.full) for each in sorted(kept.numbers)],
            sorted(number >> color & kept.colors.first for color in range(kept.colors.n)),
        )
        for number in numbers
    ]


def _sort(number: int, full: int) -> str:
    return "none" if number == 0 else "full" if number == full else "some"


def part_numbers(states: Words, kept: Kept) -> list[int]:
    """The number of the part of each state, of as many parts as there may be."""
    given = states.reshape(len(states), -1)
    numbers, ends = np.zeros(len(given), dtype=np.uint8), np.zeros(256, dtype=np.int64)
    counts = np.arange(len(given), dtype=np.uint64)[:, np.newaxis]
    split, sorted_counts = np.zeros_like(given), np.zeros_like(counts)
    with wrapping():
        split_kernel.split(given, counts, kept.facts(given.shape[1]), ends, numbers, split, sorted_counts)
    order = sorted_counts[:, 0].astype(np.int64)
    assert order.tolist() == np.argsort(numbers, kind="stable").tolist()
    assert np.array_equal(split, given[order])
    assert ends.tolist() == np.bincount(numbers, minlength=256).cumsum().tolist()
    found: list[int] = numbers.tolist()
    return found


def check(plan: FrontierPlan[Any]) -> tuple[int, int]:
    """Successors have the same facts and parts; returns the sorts and colours kept, over all levels."""
    n_sorts = n_colors = 0
    for before, _ in pairwise(walk(plan)):
        number, (states, counts) = before.level, joined(before)
        change = change_of(plan.levels, number, plan.blocks[number])
        kept = Kept(-1, sorts(plan.levels.levels[number])).after(change)
        n_sorts, n_colors = n_sorts + len(kept.numbers), n_colors + kept.colors.first.bit_count()
        for place in range(min(len(states), MOST_STATES)):
            one = Part(states[place : place + 1], counts[place : place + 1])
            after = joined(Walk(plan, begin=before.with_parts([one])).step()).states
            if len(after):
                assert facts(after, kept) == facts(one.states, kept) * len(after)
                assert part_numbers(after, kept) == part_numbers(one.states, kept) * len(after)
    return n_sorts, n_colors


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_covers(model: ExactCover) -> None:
    check(CoverFrontier().plan(model))


@pytest.mark.kernel
@given(model=MODELS)
def test_constraints(model: Csp) -> None:
    check(CspFrontier().plan(model))


MOST_STATES = 20

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
    n_sorts, n_colors = check(CspFrontier().plan(model))
    assert n_sorts > 20 or isinstance(model, rk.Coloring)
    assert n_colors == 0


@pytest.mark.kernel
@pytest.mark.parametrize("hamiltonian", [False, True])
def test_mates_that_exchanges_rename(hamiltonian: bool) -> None:
    plan = plan_with_exchanges(rk.graph(named="torus 3 3").cycles(hamiltonian=hamiltonian).model)
    assert any(len(blocks) and blocks[0, 0] == NAMES for blocks in plan.blocks)
    check(plan)


@pytest.mark.parametrize(
    "puzzle",
    [
        GRID.edge_sets(acyclic=True),
        GRID.orientations(acyclic=True),
        rk.graph(named="king 3 3").edge_sets(acyclic=True),
        rk.graph(named="king 3 3").orientations(acyclic=True),
    ],
    ids=str,
)
def test_links_without_cycles(puzzle: rk.Puzzle) -> None:
    """A joint that is connected with no other one loses its label, also where it is not touched."""
    check(CspFrontier().plan(puzzle.model))


@pytest.mark.parametrize("puzzle", [GRID.colorings(3), rk.graph(named="grid 3 9").colorings(5)], ids=str)
def test_colors_that_can_be_exchanged(puzzle: rk.Puzzle) -> None:
    """States of one word and of several."""
    _, n_colors = check(CspFrontier().plan(puzzle.model))
    assert n_colors > 10


def test_colors_of_two_levels() -> None:
    """Only the places that both levels exchange stay, and those that neither does."""
    level = Level((), 0, 0, 0, (), 0xFFFF)
    levels = Levels((level, level), 16, False, (), {})
    first = change_of(levels, 0, exchanged_colors(2, 0b1010101, 1))
    second = change_of(levels, 1, exchanged_colors(2, 0b100010001, 1))
    kept = Kept(0x3FF, frozenset()).after(first)
    assert kept == Kept(0x300, frozenset(), Colors(0b1010101, 2))
    assert kept.after(first) == kept
    assert kept.after(second) == Kept(0, frozenset(), Colors(0b10001, 2))
    others = change_of(levels, 1, exchanged_colors(3, 0b1001001, 1))
    assert kept.after(others) == Kept(0x200, frozenset(), Colors(0, 2))


def test_places_that_another_exchange_moves() -> None:
    """After the second level the first two places are exchanged, and no colours."""
    level = Level((), 0, 0, 0, (), 0xFF)
    levels = Levels((level, level), 8, False, (), {})
    colors = change_of(levels, 0, exchanged_colors(2, 0b1010101, 1))
    places = change_of(levels, 1, exchanged_bits([Swapped([(0, 2), (1, 3)], 1, 4)]))
    kept = Kept(0xFF, frozenset()).after(colors)
    assert kept.after(places) == Kept(0, frozenset(), Colors(0b1010000, 2))


@pytest.mark.parametrize("taken", [0b100, 0b1000])
@pytest.mark.parametrize("kept", [0b101111, 0b011111])
def test_colors_of_a_place_that_a_level_changes(taken: int, kept: int) -> None:
    """Whichever of its colours: the level takes one of the second place, and drops one of the third."""
    level = Level((Choice(0, 0, taken, 0),), 0, 0, 0, (), kept)
    change = change_of(Levels((level,), 6, False, (0,), {}), 0, exchanged_colors(2, 0b10101, 1))
    assert Kept(0b111111, frozenset()).after(change).colors == Colors(0b1, 2)


def test_colors_of_a_place_that_was_changed_before() -> None:
    level = Level((), 0, 0, 0, (), 0b111111)
    change = change_of(Levels((level,), 6, False, (), {}), 0, exchanged_colors(2, 0b10101, 1))
    assert Kept(0b110111, frozenset()).after(change).colors == Colors(0b10001, 2)


def test_other_exchanges_are_none_of_colors() -> None:
    levels = Levels((Level((), 0, 0, 0, (), 0b1111),), 4, False, (), {})
    for blocks in (NO_BLOCKS, exchanged_bits([Swapped([(0, 1)])]), exchanged_blocks([[[0, 1], [2, 3]]])):
        assert change_of(levels, 0, blocks).colors == NO_COLORS


def test_a_counter_changes_all_bits_of_its_field() -> None:
    level = Level((Choice(0, 1, 2, 1 << 4),), 4, 8, 0, (), 0xFFFF)
    levels = Levels(
        (level, level), 16, False, (0, 0), {"count": Field(4, 3, 0, 1), "other": Field(4, 8, 2, 2)}
    )
    assert Kept(-1, frozenset()).after(change_of(levels, 0, NO_BLOCKS)).bits == 0xFFFF & ~(0b111 << 4 | 8 | 2)


def test_the_bits_that_exchanges_move() -> None:
    assert moved(NO_BLOCKS) == 0
    assert (
        moved(exchanged_blocks([[[3, 70], [4, 71]], [[0], [9]]]))
        == 1 << 3 | 1 << 70 | 1 << 4 | 1 << 71 | 1 | 1 << 9
    )
    assert (
        moved(exchanged_bits([Swapped([(1, 66), (2, 67)], 0b110, 0b110 << 65), Swapped([(5, 6)])]))
        == 0b1100110 | 0b11 << 66
    )
    assert moved(exchanged_bits([Swapped([(66, 70)])])) == 1 << 66 | 1 << 70
    names = [Names(3, True, (1, None, 67, 70)), Names(2, False, (20, 30))]
    swaps = [(10, 80), (11, 82), (67, 70), (68, 71), (69, 72)]
    of_labels = [0, 1]
    renamed = [Renamed(swaps[:1], [[0, 1, 2, 3], of_labels]), Renamed(swaps[1:], [[0, 1, 3, 2], of_labels])]
    of_names = 0b1110 | 0b111111 << 67 | 0b11 << 20 | 0b11 << 30
    assert moved(exchanged_names(names, renamed)) == of_names | 0b11 << 10 | 1 << 80 | 1 << 82
    level = Level((), 0, 0, 0, (), (1 << 70) - 1)
    change = change_of(Levels((level,), 70, False, (), {}), 0, exchanged_colors(3, 1 << 61 | 1, 2))
    assert change.colors == Colors(1 << 61 | 1, 3)
    assert change.moved & (1 << 70) - 1 == 0b111 | 0b111 << 61
