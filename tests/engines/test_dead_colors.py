"""`cover-bitset` rules out colours that an open item cannot give, and loses no solution."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product
from typing import ClassVar

import pytest
from hypothesis import example, given

from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.covers.bitset import engine as engine_module
from rekkyo.engines.covers.bitset.asks import GIVEN, MOST_ASKERS, NOBODY
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import Asks
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import Model
from tests import made_once as st
from tests import naive_cover
from tests.engines.listing_contract import ListingContract, list_all


class Looking(CoverBitset):
    """An engine that looks for dead colours in small models, too."""

    least_options_to_look = 0


class NotLooking(CoverBitset):
    """An engine that never looks for dead colours."""

    least_options_to_look = 1 << 30


def costas(n: int) -> ExactCover:
    """Each pair of columns gives both their heights and uses up a vector. All pairs ask for both columns."""
    pairs = list(combinations(range(n), 2))
    vectors = list(product(range(1, n), range(1 - n, n)))
    first, column = len(pairs) + n, len(pairs)
    options = tuple(
        ((pair, 0), (column + a, i + 1), (column + b, j + 1), (first + vectors.index((b - a, j - i)), 0))
        for pair, (a, b) in enumerate(pairs)
        for i, j in permutations(range(n), 2)
    )
    names = [
        f"{kind} {number}"
        for kind, them in (("p", pairs), ("c", range(n)), ("v", vectors))
        for number in them
    ]
    return ExactCover(tuple(names[: len(pairs)]), tuple(names[len(pairs) :]), options)


def all_interval(n: int) -> ExactCover:
    """Places coloured by notes, notes by places. The greatest interval asks for the outer notes."""
    place, note = 2 * (n - 1), 3 * n - 2
    options = tuple(
        (
            (k, 0),
            (n - 2 + abs(a - b), 0),
            (place + k, a + 1),
            (place + k + 1, b + 1),
            (note + a, k + 1),
            (note + b, k + 2),
        )
        for k in range(n - 1)
        for a, b in permutations(range(n), 2)
    )
    names = [f"i{number}" for number in range(2 * (n - 1) + 2 * n)]
    return ExactCover(tuple(names[:place]), tuple(names[place:]), options)


def wheel(n_spokes: int, n_colors: int) -> ExactCover:
    """All items ask for the one hub."""
    options = tuple(
        ((spoke, 0), (n_spokes, color)) for spoke in range(n_spokes) for color in range(1, n_colors + 1)
    )
    return ExactCover(tuple(f"i{spoke}" for spoke in range(n_spokes)), ("hub",), options)


def half_a_wheel(n_spokes: int) -> ExactCover:
    """Half the items give the hub colours 1 and 2, the others 2 and 3."""
    options = tuple(
        ((spoke, 0), (n_spokes, color))
        for spoke in range(n_spokes)
        for color in (1 + spoke % 2, 2 + spoke % 2)
    )
    return ExactCover(tuple(f"i{spoke}" for spoke in range(n_spokes)), ("hub",), options)


def searched(engine: CoverBitset, model: ExactCover) -> tuple[list[list[int]], int]:
    """The rows and the number of nodes of one shard."""
    plan = engine.plan(model)
    (shard,) = engine.split(plan, 1)
    blocks = list(engine.blocks(plan, shard, Room.of(model.row_shape, 50), 100, no_pause))
    return [row for block in blocks for row in block.rows.tolist()], sum(block.nodes for block in blocks)


class TestContract(ListingContract):
    engine = Looking()
    models: ClassVar[list[Model]] = [costas(4), all_interval(5), half_a_wheel(5)]


@st.composite
def asking_models(draw: st.DrawFn) -> ExactCover:
    """Three or four items ask for one or two secondary items, and one more item may give colours."""
    n_asking, n_hubs = draw(st.integers(3, 4)), draw(st.integers(1, 2))
    color = st.integers(1, 3)
    hubs = [n_asking + 1 + hub for hub in range(n_hubs)]
    options: list[Option] = [
        ((item, 0), *((hub, draw(color)) for hub in hubs))
        for item in range(n_asking)
        for _ in range(draw(st.integers(1, 3)))
    ]
    for _ in range(draw(st.integers(1, 3))):
        given_to = draw(st.sets(st.sampled_from(hubs)))
        options.append(((n_asking, 0), *((hub, draw(st.integers(0, 3))) for hub in sorted(given_to))))
    names = [f"i{item}" for item in range(n_asking + 1 + n_hubs)]
    return ExactCover(tuple(names[: n_asking + 1]), tuple(names[n_asking + 1 :]), tuple(options))


@given(model=naive_cover.models() | asking_models(), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
@example(model=half_a_wheel(4), budget=1, n_rows=1)
def test_lists_what_the_definition_says(model: ExactCover, budget: int, n_rows: int) -> None:
    """The search lists the same solutions in the same order when it is cut and paused."""
    whole = list_all(Looking(), model, 1, 1000, 1 << 20)
    assert sorted(whole) == naive_cover.solutions(model)
    assert list_all(Looking(), model, 9, n_rows, budget) == whole


@pytest.mark.parametrize(("n", "total"), [(4, 12), (5, 40), (6, 116), (7, 200), (8, 444)])
def test_costas_arrays(n: int, total: int) -> None:
    """The counts are OEIS A008404. The search takes far fewer nodes than without looking."""
    model = costas(n)
    rows, nodes = searched(Looking(), model)
    expected, all_nodes = searched(NotLooking(), model)
    assert len(rows) == total
    assert sorted(rows) == sorted(expected)
    assert nodes < 0.8 * all_nodes


def test_models_with_many_options_are_looked_at_unasked() -> None:
    assert searched(CoverBitset(), costas(7)) == searched(NotLooking(), costas(7))
    assert searched(CoverBitset(), costas(8)) == searched(Looking(), costas(8))


@pytest.mark.parametrize(("n", "total"), [(5, 8), (6, 24), (7, 32), (8, 40), (9, 120)])
def test_an_item_asks_only_until_it_is_covered(n: int, total: int) -> None:
    """All-interval series (OEIS A141599): notes may have any place once the greatest interval is covered."""
    assert len(searched(Looking(), all_interval(n))[0]) == total


@pytest.mark.kernel
def test_narrow_frames_change_neither_order_nor_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    Looking().compile_for_long(costas(3))
    expected = searched(Looking(), costas(5))
    monkeypatch.setattr(engine_module, "is_loaded", lambda _: False)
    assert searched(Looking(), costas(5)) == expected


def test_the_kernel_for_small_covers_is_compiled_once() -> None:
    """Numba compiles again for arrays that are read-only in a plan."""
    assert not any(array.flags.writeable for array in NOBODY)


class TestWhoAsks:
    @staticmethod
    def asks(model: ExactCover) -> Asks:
        return Looking().plan(model).tables.asks

    @classmethod
    def askers(cls, model: ExactCover) -> set[int]:
        """The different sets of askers, as bits."""
        return {int(bits - GIVEN) for bits in cls.asks(model).bits}

    def test_the_pairs_of_columns_ask_for_both(self) -> None:
        """In Costas arrays of order 4, three pairs ask for each column, and each of 72 options has two
        colours.
        """
        asks = self.asks(costas(4))
        assert len(asks.classes) == 16
        assert asks.starts.tolist() == list(range(0, 2 * 72 + 1, 2))
        assert self.askers(costas(4)) == {1, 2, 4}

    def test_three_items_are_enough(self) -> None:
        assert self.askers(wheel(3, 2)) == {1, 2, 4}
        assert not len(self.asks(wheel(2, 2)).starts)

    @pytest.mark.parametrize("without", [((3, 0),), ((3, 0), (4, 0))])
    def test_an_item_with_an_option_that_gives_no_colour_does_not_ask(self, without: Option) -> None:
        """The options that give a colour are stored, because they can be dead."""
        model = wheel(4, 2)
        assert self.askers(model) == {1, 2, 4, 8}
        assert self.askers(replace(model, options=(*model.options, without))) == {0, 1, 2, 4}

    def test_an_item_that_may_be_covered_twice_does_not_ask(self) -> None:
        assert self.askers(replace(wheel(4, 2), bounds=((1, 2), *[(1, 1)] * 3))) == {0, 1, 2, 4}

    @pytest.mark.parametrize("n_spokes", [MOST_ASKERS, MOST_ASKERS + 1, MOST_ASKERS + 9])
    def test_more_askers_than_bits(self, n_spokes: int) -> None:
        """Askers without a bit are ignored, and every colour is found."""
        assert len(searched(Looking(), wheel(n_spokes, 3))[0]) == 3
        assert len(searched(Looking(), half_a_wheel(n_spokes))[0]) == 1
