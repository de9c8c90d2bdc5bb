"""Levels walked in order that no cover has, against the same levels with hashed results."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from rekkyo.engines.frontier import merge_kernel
from rekkyo.engines.frontier.front import Part
from rekkyo.engines.frontier.levels import WORD, Choice, Hop, Level, Levels, Rules
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.streams import MOST_STREAMS
from tests.engines.test_frontier_in_order import MOST, any_states, by_hash, by_order, level, segments


def levels_with(n_bits: int, seed: int) -> FrontierPlan[Any]:
    """Levels that no cover has: old and new bits at any places, and items that may end uncovered.

    The first level has no streams, and after it some bits may be set.
    """
    rng = random.Random(seed)
    bits = [1 << place for place in rng.sample(range(WORD), n_bits)]
    alive = bits[: rng.randint(1, n_bits)]
    levels = [replace(level((), covered=0, drop=0), opening=sum(alive))]
    for _ in range(min(len(alive), rng.randint(1, 4))):
        ended = [alive.pop(rng.randrange(len(alive))) for _ in range(min(len(alive), rng.choice((1, 1, 2))))]
        others = [bit for bit in bits if bit not in ended]
        takes = [
            ended[0] | ended[-1] * rng.randint(0, 1) | sum(rng.sample(others, min(2, len(others))))
            for _ in range(rng.randint(0, MOST_STREAMS - 1))
        ]
        alive += [bit for bit in others if bit not in alive and any(take & bit for take in takes)]
        levels.append(level(tuple(takes), covered=ended[0], drop=sum(ended)))
        if not alive:
            break
    return of_levels(levels)


def levels_of_variables(n_bits: int, seed: int) -> FrontierPlan[Any]:
    """Levels of variables whose choices clash with, set, copy and drop any bits, whatever their old values."""
    rng = random.Random(seed)
    places = rng.sample(range(WORD), n_bits)
    levels = [replace(level((), covered=0, drop=0), opening=bits_of(places[::2]), rules=Rules())]
    for _ in range(3):
        dropped, set_by, clashing = (bits_of(rng.sample(places, rng.choice((0, 1, 2)))) for _ in range(3))
        choices = tuple(
            Choice(number, clashing if number else 0, set_by if number else 0, 0) for number in range(2)
        )
        hops = tuple(Hop(rng.randrange(2), *rng.sample(places, 2)) for _ in range(rng.choice((0, 0, 1, 2))))
        levels.append(Level(choices, 0, 0, 0, (), MOST & ~dropped, Rules(hops)))
    return of_levels(levels)


def bits_of(places: list[int]) -> int:
    return sum(1 << place for place in places)


def of_levels(levels: list[Level]) -> FrontierPlan[Any]:
    return plan_of(None, Levels(tuple(levels), WORD, False, (), {}))


@pytest.mark.kernel
@pytest.mark.parametrize("n_bits", [4, 8, 20, 63])
def test_any_bits(n_bits: int) -> None:
    for seed in range(30):
        plan = levels_with(n_bits, seed)
        (segment,) = segments(plan, 1, plan.n_levels)
        part = any_states(plan, 1, 50, seed)
        assert by_order(part, segment) == by_hash(plan, part, 1, plan.n_levels), seed


@pytest.mark.kernel
@pytest.mark.parametrize("n_bits", [4, 8, 20, 63])
def test_any_bits_that_are_lost(n_bits: int) -> None:
    n_levels = 0
    for seed in range(60):
        plan = levels_of_variables(n_bits, seed)
        for segment in segments(plan, 1, plan.n_levels):
            part = any_states(plan, segment.first, 200, seed)
            if segment.streams is not None:
                assert by_order(part, segment) == by_hash(plan, part, segment.first, segment.stop), seed
                n_levels += segment.stop - segment.first
    assert n_levels > 60


@pytest.mark.kernel
@pytest.mark.parametrize("required", [1, 1 << 63, 1 | 1 << 63])
@pytest.mark.parametrize("drop", [1, 1 << 63, 1 | 1 << 63])
@pytest.mark.parametrize("clash", [0, 1, 2])
def test_all_bits_of_a_word_may_be_set(clash: int, drop: int, required: int) -> None:
    """States without a required bit are nodes, also where no bit of a node is known."""
    first = replace(level((), covered=0, drop=0), opening=MOST, rules=Rules())
    choices = (Choice(0, 0, 0, 0), Choice(1, clash, 4, 0))
    plan = of_levels([first, Level(choices, 0, 0, required, (), MOST & ~drop, Rules())])
    part = any_states(plan, 1, 200, seed=1)
    for segment in segments(plan, 1, 2):
        if segment.streams is not None:
            assert by_order(part, segment) == by_hash(plan, part, 1, 2)


@pytest.mark.kernel
@pytest.mark.parametrize("n_limbs", [1, 2])
@pytest.mark.parametrize("n_states", [2, 1024, 1025, 4096])
def test_equal_results_that_follow_each_other(n_states: int, n_limbs: int) -> None:
    """The lowest three bits are dropped, so that the results of eight states are equal."""
    first = replace(level((), covered=0, drop=0), opening=0xFFFF, rules=Rules())
    dropping = Level(
        (Choice(0, 0, 0, 0), Choice(1, 0, MOST >> 1 & ~0xFFFF, 0)), 0, 0, 0, (), MOST & ~7, Rules()
    )
    plan = of_levels([first, dropping])
    (segment,) = segments(plan, 1, 2)
    states = np.arange(n_states, dtype=np.uint64)
    part = Part(states, np.full((n_states, n_limbs), MOST, dtype=np.uint64))
    found = by_order(part, segment)
    assert found == by_hash(plan, part, 1, 2)
    assert len(found[1]) == 2 * -(-n_states // 8)


@pytest.mark.kernel
@pytest.mark.parametrize("losing", [0, 1])
def test_equal_results_of_one_of_two_streams_overflow(losing: int) -> None:
    """One choice sets bit 3 and the other does not, so that a result of one is between two of the other.

    One of them fits states with any of the lowest bits, which are dropped.
    """
    first = replace(level((), covered=0, drop=0), opening=0xFFFF, rules=Rules())
    choices = (Choice(0, 8 if losing == 0 else 15, 0, 0), Choice(1, 8 if losing == 1 else 15, 8, 0))
    plan = of_levels([first, Level(choices, 0, 0, 0, (), MOST & ~7, Rules())])
    (segment,) = segments(plan, 1, 2)
    assert segment.streams is not None
    assert segment.streams.rows[:, merge_kernel.GROUP].tolist() == [0, 0]
    states = np.arange(64, dtype=np.uint64)
    part = Part(states, np.full((64, 1), MOST, dtype=np.uint64))
    found = by_order(part, segment)
    assert found == by_hash(plan, part, 1, 2)
    assert sorted(found[1].values()) == [MOST] * 4 + [8 * MOST] * 4


def test_a_choice_of_an_item_that_is_covered_already() -> None:
    """It does not fit, also if it would not clash."""
    one = replace(level((), covered=0, drop=0), opening=0b111)
    covered = Level((Choice(0, 0, 0b010, 0),), 0b001, 0, 0, (), MOST, None)
    plan = of_levels([one, covered])
    (segment,) = segments(plan, 1, 2)
    part = any_states(plan, 1, 100, seed=1)
    assert by_order(part, segment) == by_hash(plan, part, 1, 2)


def test_a_hole_that_is_longer_than_the_outside() -> None:
    """States stay in the order that they have, although others would be a better one."""
    high, low, far, end = 1 << 60, 1, 1 << 20, 1 << 40
    first = replace(level((), covered=0, drop=0), opening=high | low | far | end)
    choices = (end | high, end | low)
    plan = of_levels([first, level(choices, end, end), level((far | high, far | low), far, far)])
    (segment,) = segments(plan, 1, 3)
    part = Part(np.array([0, low, high, far], dtype=np.uint64), np.ones((4, 1), dtype=np.uint64))
    assert by_order(part, segment) == by_hash(plan, part, 1, 3)


@pytest.mark.kernel
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_stretches_that_no_state_of_two_streams_fits(taken: int) -> None:
    """Half the states, which come first, lack a bit that both streams need; the others come after them.

    taken: the bit of a choice, which then fits no state at all.
    """
    needed, ending = 1 << 12, 1 << 13
    first = replace(level((), covered=0, drop=0), opening=needed | needed - 1)
    plan = of_levels([first, level((ending | 1, ending | 2), ending, ending | needed)])
    (segment,) = segments(plan, 1, 2)
    states = np.array([state for state in range(2 * needed) if state & taken == taken], dtype=np.uint64)
    part = Part(states, np.ones((len(states), 1), dtype=np.uint64))
    found = by_order(part, segment)
    assert found == by_hash(plan, part, 1, 2)
    assert len(found[1]) == (needed // 4 if taken else 3 * needed // 4)


@pytest.mark.kernel
def test_two_of_three_streams_are_empty() -> None:
    """No state fits the choices that take both bits. There are few states, which were the last of many."""
    every, new, free, ending, next_ending = (1 << 11) - 1, 1 << 11, 1 << 12, 1 << 13, 1 << 14
    first = replace(level((), covered=0, drop=0), opening=every | free)
    many = level((ending | 1, ending | 2), ending, ending | every - 3)
    few = level((next_ending | 3, next_ending | 3, next_ending | new), next_ending, next_ending)
    plan = of_levels([first, many, few])
    (segment,) = segments(plan, 1, 3)
    assert segment.streams is not None
    assert segment.streams.rows[:, merge_kernel.GROUP].tolist() == [0] * 5
    states = np.arange(every + 1, dtype=np.uint64)
    part = Part(states, np.ones((len(states), 1), dtype=np.uint64))
    found = by_order(part, segment)
    assert found == by_hash(plan, part, 1, 3)
    assert found[1] == {new | 1: 1, new | 2: 1, new | 3: 2}


@pytest.mark.kernel
def test_no_states() -> None:
    plan = levels_with(8, 0)
    (segment,) = segments(plan, 1, plan.n_levels)
    part = Part(np.zeros(0, dtype=np.uint64), np.zeros((0, 2), dtype=np.uint64))
    assert by_order(part, segment) == by_hash(plan, part, 1, plan.n_levels)


@pytest.mark.parametrize("equal", list(combinations((1, 2, 4), 2)))
def test_a_sum_of_any_two_of_three_streams_that_becomes_longer(equal: tuple[int, int]) -> None:
    """States with either of two bits, and choices that take any of three: one result is found twice."""
    ending = 1 << 3
    first = replace(level((), covered=0, drop=0), opening=7)
    plan = of_levels([first, level((ending | 1, ending | 2, ending | 4), ending, ending)])
    (segment,) = segments(plan, 1, 2)
    part = Part(np.array(equal, dtype=np.uint64), np.full((2, 1), MOST, dtype=np.uint64))
    found = by_order(part, segment)
    assert found == by_hash(plan, part, 1, 2)
    assert found[1][sum(equal)] == 2 * MOST


def test_a_carry_that_a_carry_makes() -> None:
    """Of the second limbs, whose sum without it just fits."""
    ending = 1 << 2
    first = replace(level((), covered=0, drop=0), opening=3)
    plan = of_levels([first, level((ending | 1, ending | 2), ending, ending)])
    (segment,) = segments(plan, 1, 2)
    counts = np.array([[MOST, MOST], [1, 0]], dtype=np.uint64)
    found = by_order(Part(np.array([1, 2], dtype=np.uint64), counts), segment)
    assert found[1] == {3: 1 << 2 * WORD}
