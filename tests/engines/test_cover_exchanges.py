"""Blocks of items that can be exchanged: stated or found in covers that have them, and used by counts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from unittest import mock

import pytest
from hypothesis import example, given

from rekkyo.engines.contract import WHOLE, Tally, no_pause
from rekkyo.engines.covers.frontier import levels as ordering
from rekkyo.engines.covers.frontier import plan as planning
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.frontier.found_exchanges import FoundExchanges
from rekkyo.engines.covers.frontier.levels import make_levels
from rekkyo.engines.covers.frontier.plan import exchanged_after, make_plan
from rekkyo.engines.crew import ALONE
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.plan import plan_of
from rekkyo.engines.frontier.trial import Trial
from rekkyo.errors import BadModel
from rekkyo.model.exact_cover import ExactCover, Item, Option
from rekkyo.search.threads import crew
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND
from tests import made_once as st
from tests import naive_cover
from tests.engines.covers_counted import cover, total_of
from tests.engines.test_frontier_checkpoints import InMemory, Interrupted, stopping_after
from tests.examples import examples

ENGINE = CoverFrontier()


def counted(model: ExactCover, *, finds: bool) -> Tally:
    """The count of a walk, with exchanges from the first level on or without any."""
    plan = make_plan(model)
    if finds:
        families = FoundExchanges(model, ABOUT_A_SECOND).families(plan.levels.level_of)
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
    for family in FoundExchanges(model, ABOUT_A_SECOND).families(make_levels(model).level_of):
        for one, other in family.broken:
            replace(model, exchanges=((family.blocks[one], family.blocks[other]),))


def test_the_rows_columns_and_symbols_of_a_latin_square() -> None:
    """OEIS A002860: 161,280 squares of order 5."""
    model = replace(cover("latin-square 5"), exchanges=())
    families = FoundExchanges(model, ABOUT_A_SECOND).families(make_levels(model).level_of)
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
    (family,) = FoundExchanges(model, ABOUT_A_SECOND).families((0, 1))
    assert {*zip(*family.blocks, strict=True)} == {(0, 3), (1, 2)}


def test_colors_stay_as_they_are() -> None:
    """Exchanging a and b would take colour 1 of s to colour 2. With t it takes each colour to itself."""
    changed = ((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 0), (1, 0))
    assert FoundExchanges(ExactCover(("a", "b"), ("s",), changed), ABOUT_A_SECOND).families((0, 0, 0)) == []
    kept = ((0, 0), (2, 1)), ((0, 0), (2, 2), (3, 2)), ((1, 0), (3, 1)), ((1, 0), (2, 2), (3, 2))
    model = ExactCover(("a", "b"), ("s", "t"), kept)
    (family,) = FoundExchanges(model, ABOUT_A_SECOND).families((0, 0, 1, 1))
    assert {*zip(*family.blocks, strict=True)} == {(0, 1), (2, 3)}


def test_equal_options_exchange_no_items() -> None:
    """Then there would be a family of empty blocks, of the few that are looked at."""
    options = (((0, 0),), ((0, 0),))
    assert FoundExchanges(ExactCover(("a",), (), options), ABOUT_A_SECOND).families((0, 0)) == []


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
@pytest.mark.parametrize("changes_order", [False, True])
@pytest.mark.parametrize(("least_nodes", "most_bytes"), [(100, 4096), (150, 3000), (500, 8192)])
def test_exchanges_that_are_found_within_a_slice(
    least_nodes: int, most_bytes: int, changes_order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slice goes on from its own states, in its own order.

    Walked from the first level again, it counted others', too.
    """
    if changes_order:
        monkeypatch.setattr(planning, "LEAST_SAVED", 1e-9)
        monkeypatch.setattr(planning, "FAR_MORE", 1e9)
    plan = make_plan(replace(cover("latin-square 4"), exchanges=()))
    late = plan.late
    assert late is not None
    plan = replace(plan, late=late._replace(least_nodes=least_nodes))
    sliced = CoverFrontier(most_bytes=most_bytes).count(plan, WHOLE, no_pause)
    assert sliced.total == 576
    alone = CoverFrontier(most_bytes=most_bytes).count(replace(plan, late=None), WHOLE, no_pause)
    assert (sliced.nodes == alone.nodes) if changes_order else (sliced.nodes < alone.nodes)


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


def test_a_trial_knows_all_levels_after_exchanges_are_found() -> None:
    """Exchanges of two blocks leave the levels so far as they are: they are not walked again."""
    plan = make_plan(cover("dominoes 10 10"))
    assert plan.late is not None
    trial = Trial(replace(plan, late=plan.late._replace(least_nodes=2_000)), 1 << 26)
    while trial.step():
        assert len(trial._passed.nodes) == trial.front.level
        assert trial.ways == sum(trial._passed.ways)
    assert trial.tally is not None
    assert trial.tally.nodes < ENGINE.count(plan, WHOLE, no_pause).nodes


def test_a_search_that_is_abandoned_finds_nothing() -> None:
    model = cover("latin-square 5")
    assert FoundExchanges(model, 1).families(make_levels(model).level_of) == []


MOST_OPTIONS = 12


def test_exchanges_change_no_count() -> None:
    square = cover("latin-square 4")
    plain = ExactCover(square.primary, (), square.options)
    assert total_of(ENGINE, square) == total_of(ENGINE, plain) == 576
    plan = ENGINE.plan(square)
    assert ENGINE.count(plan, WHOLE, no_pause).nodes < ENGINE.count(ENGINE.plan(plain), WHOLE, no_pause).nodes


KINDS = ((1, 1), (1, 1), (0, 1), (0, 2), (1, 2), None, None)
"""How often an item is covered; None for a secondary item."""


@st.composite
def covers_with_exchanges(draw: st.DrawFn) -> ExactCover:
    """Families of blocks that can be exchanged, and other items. With each option come its images."""
    shapes = draw(st.lists(st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]), min_size=1, max_size=2))
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    kind_of: list[tuple[int, int] | None] = [(1, 1), *rng.choices(KINDS, k=rng.randint(0, 1))]
    families: list[list[range]] = []
    for n_blocks, size in shapes:
        first = len(kind_of)
        families.append([range(first + at, first + size * n_blocks, n_blocks) for at in range(n_blocks)])
        kind_of += [kind for kind in rng.choices(KINDS, k=size) for _ in range(n_blocks)]
    primary = [item for item, kind in enumerate(kind_of) if kind]
    secondary = [item for item, kind in enumerate(kind_of) if not kind]
    number_of = {item: number for number, item in enumerate((*primary, *secondary))}
    options: list[tuple[tuple[int, int], ...]] = []
    for _ in range(8):
        some = {rng.choice(primary), *rng.sample(range(len(kind_of)), rng.randint(0, 2))}
        option = [(item, 0 if kind_of[item] else rng.randint(0, 3)) for item in sorted(some)]
        images = dict.fromkeys(
            tuple(sorted((number_of[by.get(item, item)], color) for item, color in option))
            for by in renamings(families)
        )
        if len(options) + len(images) <= MOST_OPTIONS:
            options += images
    rng.shuffle(options)
    return ExactCover(
        tuple(map(str, primary)),
        tuple(map(str, secondary)),
        tuple(options),
        tuple(kind for kind in kind_of if kind),
        exchanges=tuple(
            tuple(tuple(number_of[item] for item in block) for block in family) for family in families
        ),
    )


def renamings(families: Sequence[Sequence[Sequence[int]]]) -> Iterator[dict[int, int]]:
    """What happens to the items when the blocks of each family are permuted."""
    for orders in product(*map(permutations, families)):
        yield {
            item: image
            for family, order in zip(families, orders, strict=True)
            for block, other in zip(family, order, strict=True)
            for item, image in zip(block, other, strict=True)
        }


EQUAL_OPTIONS = ExactCover(
    ("x", "a", "b"),
    (),
    tuple(
        tuple((item, 0) for item in items)
        for items in ((0, 1), (0, 1, 2), (2,), (1, 2), (1,), (1,), (0, 2), (2,), (1,), (2,), (0,), (0,))
    ),
    ((1, 1), (0, 2), (0, 2)),
    exchanges=(((1,), (2,)),),
)
"""Options of a alone and of b alone, three each, which are decided at different levels."""


@pytest.mark.kernel
@examples(100)
@given(model=covers_with_exchanges())
@example(model=EQUAL_OPTIONS)
def test_blocks_that_can_be_exchanged(model: ExactCover) -> None:
    assert total_of(ENGINE, model) == len(naive_cover.solutions(model))


@pytest.mark.kernel
@examples(100)
@given(model=covers_with_exchanges())
def test_bits_that_several_items_take_one_after_the_other(model: ExactCover) -> None:
    """As where they do not fit around a word: a bit of a block may be another item's before or later."""
    without = mock.Mock(return_value=None)
    with mock.patch.multiple(ordering, laid_by_begin=without, laid_by_end=without):
        assert total_of(ENGINE, model) == len(naive_cover.solutions(model))


@pytest.mark.kernel
@pytest.mark.parametrize("n_idle", [0, 60])
def test_exchanges_in_one_word_and_in_several(n_idle: int) -> None:
    """A Latin square beside items that are remembered from the first option to the last one."""
    square = cover("latin-square 3")
    n = len(square.primary)
    idle = range(n, n + n_idle)
    options = (
        *square.options,
        *(((item, 0),) for item in idle),
        *([((0, 0), *((item, 0) for item in idle))] if n_idle else []),
    )
    model = ExactCover(
        (*square.primary, *map(str, idle)),
        (),
        options,
        exchanges=(square.exchanges[1],) if n_idle else square.exchanges,
    )
    without = ExactCover(model.primary, (), options)
    assert total_of(ENGINE, model) == total_of(ENGINE, without)


@pytest.mark.parametrize(
    ("exchanges", "reason"),
    [
        ((((0,), (2,)),), 'the blocks of "a" and "c" cannot be exchanged'),
        ((((0,), (1, 2)),), "have the same number of items"),
        ((((0,), (0,)),), "all different"),
    ],
)
def test_exchanges_that_are_none_are_refused(
    exchanges: tuple[tuple[tuple[int, ...], ...], ...], reason: str
) -> None:
    with pytest.raises(BadModel, match=reason):
        ExactCover(("a", "b", "c"), (), (((0, 0),), ((1, 0),), ((1, 0), (2, 0))), exchanges=exchanges)
