"""Blocks of items that can be exchanged: found in covers that have them, and used by counts."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given

from rekkyo.engines.contract import WHOLE, Tally, no_pause
from rekkyo.engines.covers.frontier import plan as planning
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.frontier.found_exchanges import found_families
from rekkyo.engines.covers.frontier.levels import make_levels
from rekkyo.engines.covers.frontier.plan import exchanged_after, make_plan
from rekkyo.engines.crew import ALONE
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.plan import plan_of
from rekkyo.engines.frontier.trial import Trial
from rekkyo.model.exact_cover import ExactCover, Item, Option
from rekkyo.search.threads import crew
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND
from tests import made_once as st
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.test_frontier_checkpoints import InMemory, Interrupted, stopping_after

ENGINE = CoverFrontier()


def counted(model: ExactCover, *, finds: bool) -> Tally:
    """The count of a walk, with exchanges from the first level on or without any."""
    plan = make_plan(model)
    if finds:
        families = found_families(model, plan.levels.level_of, ABOUT_A_SECOND)
        plan = plan_of(model, plan.levels, exchanged_after(plan.levels, families))
    return ENGINE.count(plan, WHOLE, no_pause)


def moved(option: Option, onto: dict[Item, Item]) -> Option:
    return tuple(sorted((onto.get(item, item), color) for item, color in option))


@st.composite
def alike_in_blocks(draw: st.DrawFn) -> ExactCover:
    """Blocks of which any two can be exchanged, other items, and options of several of them.

    Items have bounds, and secondary items have colours.
    """
    n_blocks, n_primary = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    bounds = draw(st.lists(st.sampled_from([(1, 1), (0, 1), (1, 2)]), min_size=n_primary, max_size=n_primary))
    other_bounds = draw(st.lists(st.sampled_from([(1, 1), (0, 2)]), max_size=2))
    has_color = draw(st.booleans())
    names = [f"{block}{k}" for block in range(n_blocks) for k in range(n_primary)]
    others = [f"other {k}" for k in range(len(other_bounds))]
    primary = (*names, *others)
    secondary = [f"colour {block}" for block in range(n_blocks)] if has_color else []
    uses = st.tuples(st.sampled_from(range(len(primary) + len(secondary))), st.integers(0, 2))
    options: set[Option] = set()
    for some in draw(st.lists(st.lists(uses, min_size=1, max_size=3), min_size=1, max_size=3)):
        option = {item: color if item >= len(primary) else 0 for item, color in some}
        if min(option) < len(primary):
            options |= {
                moved(tuple(option.items()), onto)
                for order in permutations(range(n_blocks))
                for onto in [in_order(order, n_primary, len(primary) if has_color else None)]
            }
    shuffled = draw(st.permutations(sorted(options)))
    return ExactCover(primary, tuple(secondary), tuple(shuffled), bounds=(*bounds * n_blocks, *other_bounds))


def in_order(order: tuple[int, ...], n_primary: int, colors_at: int | None) -> dict[Item, Item]:
    """Where blocks in another order have their items."""
    onto = {
        n_primary * block + k: n_primary * to + k for block, to in enumerate(order) for k in range(n_primary)
    }
    if colors_at is not None:
        onto |= {colors_at + block: colors_at + to for block, to in enumerate(order)}
    return onto


@pytest.mark.kernel
@given(model=alike_in_blocks())
def test_covers_with_blocks_that_are_alike(model: ExactCover) -> None:
    if len(model.options) <= 14:
        assert counted(model, finds=True).total == len(naive_cover.solutions(model))
    assert counted(model, finds=True).total == counted(model, finds=False).total


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_any_cover(model: ExactCover) -> None:
    assert counted(model, finds=True).total == len(naive_cover.solutions(model))


@given(model=alike_in_blocks())
def test_what_is_found_keeps_the_options(model: ExactCover) -> None:
    """The check of declared exchanges accepts the families that are found."""
    for family in found_families(model, make_levels(model).level_of, ABOUT_A_SECOND):
        for one, other in family.broken:
            replace(model, exchanges=((family.blocks[one], family.blocks[other]),))


def test_the_rows_columns_and_symbols_of_a_latin_square() -> None:
    """OEIS A002860: 161,280 squares of order 5."""
    model = replace(cover("latin-square 5"), exchanges=())
    families = found_families(model, make_levels(model).level_of, ABOUT_A_SECOND)
    assert [(len(family.blocks), len(family.blocks[0])) for family in families[:3]] == [(5, 10)] * 3
    assert all(len(family.broken) == 10 for family in families[:3])  # any two of five
    alone, together = counted(model, finds=False), counted(model, finds=True)
    assert alone.total == together.total == 161_280
    assert 500 * together.nodes < alone.nodes


def test_the_reflections_of_a_board() -> None:
    """OEIS A004003: 12,988,816 tilings. Half of the states after a row are reflections of the others."""
    alone, together = (counted(cover("dominoes 8 8"), finds=finds) for finds in (False, True))
    assert alone.total == together.total == 12_988_816
    assert 1.5 * together.nodes < alone.nodes


def test_bounds_are_not_exchanged() -> None:
    """Items of the same options, once exactly and at most once."""
    options = (((0, 0), (1, 0)), ((2, 0), (3, 0)))
    model = ExactCover(("a", "b", "c", "d"), (), options, bounds=((1, 1), (0, 2), (0, 2), (1, 1)))
    (family,) = found_families(model, (0, 1), ABOUT_A_SECOND)
    assert {*zip(*family.blocks, strict=True)} == {(0, 3), (1, 2)}


def test_colors_stay_as_they_are() -> None:
    """Exchanging a and b would take colour 1 of s to colour 2. With t it takes each colour to itself."""
    changed = ((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 0), (1, 0))
    assert found_families(ExactCover(("a", "b"), ("s",), changed), (0, 0, 0), ABOUT_A_SECOND) == []
    kept = ((0, 0), (2, 1)), ((0, 0), (2, 2), (3, 2)), ((1, 0), (3, 1)), ((1, 0), (2, 2), (3, 2))
    model = ExactCover(("a", "b"), ("s", "t"), kept)
    (family,) = found_families(model, (0, 0, 1, 1), ABOUT_A_SECOND)
    assert {*zip(*family.blocks, strict=True)} == {(0, 1), (2, 3)}


def test_equal_options_exchange_no_items() -> None:
    """Then there would be a family of empty blocks, of the few that are looked at."""
    options = (((0, 0),), ((0, 0),))
    assert found_families(ExactCover(("a",), (), options), (0, 0), ABOUT_A_SECOND) == []


@pytest.mark.kernel
def test_an_exchange_of_more_than_two_blocks_says_nothing_about_two() -> None:
    """That of a with b and c with d keeps other levels than that of a with b alone."""
    pairs = [((1, 0), (2, 0)), ((0, 0), (3, 0)), ((0, 0), (2, 0)), ((1, 0), (3, 0))]
    alone: list[Option] = [((3, 0),), ((3, 0),), ((2, 0),), ((2, 0),)]
    options = (*pairs[:3], *alone[:3], pairs[3], alone[3])
    model = ExactCover(tuple("abcd"), (), options, bounds=((1, 2), (1, 2), (0, 2), (0, 2)))
    assert counted(model, finds=True).total == len(naive_cover.solutions(model)) == 39


@pytest.mark.kernel
def test_blocks_of_more_than_a_word_are_not_exchanged() -> None:
    """x takes a block or its first item, y a first item, and z the others of a block."""
    blocks = [tuple(range(3 + 65 * block, 3 + 65 * (block + 1))) for block in range(2)]
    options: list[Option] = []
    for block in blocks:
        uses = tuple((item, 0) for item in block)
        options += [((0, 0), *uses), ((0, 0), uses[0]), ((1, 0), uses[0]), ((2, 0), *uses[1:])]
    names = tuple(f"{item}" for item in range(130))
    model = ExactCover(tuple("xyz"), names, tuple(options), exchanges=(tuple(blocks),))
    assert counted(model, finds=False).total == len(naive_cover.solutions(model)) == 6


@pytest.fixture
def finds_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks look for exchanges after 1,024 nodes."""
    monkeypatch.setattr(planning, "LEAST_NODES", 1 << 10)
    monkeypatch.setattr(planning, "NODES_OF_USE", 1)
    monkeypatch.setattr(planning, "WORK_OF_NODE", ABOUT_A_SECOND >> 10)


@pytest.mark.kernel
def test_weights_are_not_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option that covers a twice is not alike one that covers b once: only the second (a) and both (b) do."""
    for name, number in (("LEAST_NODES", 1), ("NODES_OF_USE", 0), ("WORK_OF_NODE", ABOUT_A_SECOND)):
        monkeypatch.setattr(planning, name, number)
    options = (((0, 0), (2, 0)), ((1, 0), (2, 0)), ((0, 0),), ((1, 0),))
    model = ExactCover(tuple("abc"), (), options, bounds=((2, 2), (2, 2), (0, 2)))
    plan = make_plan(model, weights={(2, 0): 2})
    assert ENGINE.count(plan, WHOLE, no_pause).total == 1


@pytest.mark.usefixtures("finds_soon")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("most_bytes", [1 << 17, 1 << 28])
def test_long_walks_find_exchanges(workers: int, most_bytes: int) -> None:
    """Whatever the number of workers, and in slices. OEIS A002860: 161,280 squares of order 5."""
    plan = make_plan(replace(cover("latin-square 5"), exchanges=()))
    with crew(workers) as together:
        engine = CoverFrontier(most_bytes=most_bytes)
        tally = engine.count_together(plan, WHOLE, no_pause, together)
    assert tally.total == 161_280
    assert tally.nodes < 4_000  # of 111,260


@pytest.mark.kernel
@pytest.mark.usefixtures("finds_soon")
@pytest.mark.parametrize(("least_nodes", "most_bytes"), [(100, 4096), (150, 3000), (500, 8192)])
def test_exchanges_that_are_found_within_a_slice(least_nodes: int, most_bytes: int) -> None:
    """A slice goes on from its own states. Walked from the first level again, it counted others', too."""
    plan = make_plan(replace(cover("latin-square 4"), exchanges=()))
    late = plan.late
    assert late is not None
    plan = replace(plan, late=late._replace(least_nodes=least_nodes))
    sliced = CoverFrontier(most_bytes=most_bytes).count(plan, WHOLE, no_pause)
    assert sliced.total == 576
    alone = CoverFrontier(most_bytes=most_bytes).count(replace(plan, late=None), WHOLE, no_pause)
    assert sliced.nodes < alone.nodes


@pytest.mark.usefixtures("finds_soon")
@pytest.mark.parametrize("n_pauses", range(1, 25, 3))
def test_a_count_goes_on_from_fronts_with_exchanges_and_without(
    n_pauses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it was interrupted, also while it walks the first levels again."""
    monkeypatch.setattr(walking, "MOST_LEVELS", 1)
    model = replace(cover("latin-square 5"), exchanges=())
    place = InMemory(0)
    with pytest.raises(Interrupted):
        ENGINE.count_together(make_plan(model), WHOLE, stopping_after(n_pauses), ALONE, place)
    tally = ENGINE.count_together(make_plan(model), WHOLE, no_pause, ALONE, place)
    assert tally.total == 161_280
    assert tally.nodes < 10_000  # of 111,260


@pytest.mark.kernel
@pytest.mark.usefixtures("finds_soon")
def test_exchanges_begin_after_the_same_level_wherever_steps_end() -> None:
    """Level by level, many levels at once, and in a trial that goes on with other bounds."""
    plan = make_plan(replace(cover("latin-square 4"), exchanges=()))
    late = plan.late
    assert late is not None
    plan = replace(plan, late=late._replace(least_nodes=200))
    whole = ENGINE.count(plan, WHOLE, no_pause)
    assert whole.total == 576
    assert whole.nodes < ENGINE.count(replace(plan, late=None), WHOLE, no_pause).nodes
    for n_nodes in (0, 50, 150, 250):
        trial = Trial(replace(plan), 1 << 26)
        while trial.nodes <= n_nodes and trial.step(Bounds(nodes=n_nodes)):
            pass
        other = trial.going_on(1 << 27, ALONE)
        while other.step(Bounds()):
            pass
        assert other.tally == whole


def test_a_search_that_is_abandoned_finds_nothing() -> None:
    model = cover("latin-square 5")
    assert found_families(model, make_levels(model).level_of, 1) == []
