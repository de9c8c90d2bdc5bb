"""Halves of sum figures: brute force under any cut, published counts, a second way, refusals."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.arrays import read_only
from rekkyo.catalog.entry import table
from rekkyo.engines.contract import Shard, Tally, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.sums.join import plan as planning
from rekkyo.engines.sums.join import slices
from rekkyo.engines.sums.join.cut import KEY_BITS, LEFT, OPEN, RIGHT, best_cut, cut_of, halves_of
from rekkyo.engines.sums.join.engine import SumJoin
from rekkyo.engines.sums.join.figure import Figure
from rekkyo.engines.sums.join.plan import JoinPlan, cases_of, plan_of
from rekkyo.engines.sums.join.table import Table
from rekkyo.errors import EngineRefuses
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.group import close
from tests.engines.figures import expected, small_figures
from tests.examples import examples

ENGINE = SumJoin()

TWO_TRIANGLES = SumFigure(
    tuple("abcdef"), tuple(range(1, 7)), (Line((0, 1, 2)), Line((2, 3, 4)), Line((4, 5, 0))), orders=((1, 3),)
)
"""Its common sum may be 9, 10, 11 or 12."""

SPARE = SumFigure(
    tuple("abcd"), (-7, -2, 0, 1, 3, 4, 8), (Line((0, 1)), Line((2, 3)), Line((0, 3), 1)), orders=((0, 3),)
)
"""More numbers than cells, negative ones, a given sum and an order."""


def total(plan: JoinPlan, n_shards: int = 1, engine: SumJoin = ENGINE) -> int:
    tallies = [engine.count(plan, shard, no_pause) for shard in engine.split(plan, n_shards)]
    return sum(tallies, Tally(0, 0)).total


def plan_by(model: SumFigure, labels: list[int], *, by_cases: bool) -> JoinPlan:
    """The plan in which each line is where the labels say; Hypothesis draws another example if a half is empty."""
    figure = Figure.of(model)
    cases = cases_of(figure) if by_cases else [(figure, 1)]
    cuts = [(one, cut_of(one, halves_of(one, labels[: len(one.lines)])), weight) for one, weight in cases]
    assume(all(cut.left and cut.right for _, cut, _ in cuts))
    return read_only(plan_of(figure, cuts))


MANY_SLICES = 1000
"""One random figure in a hundred has up to 10,000, which took half of the time of all figures."""

LABELS = st.lists(st.sampled_from([LEFT, RIGHT, OPEN]), min_size=6, max_size=6)


@pytest.mark.kernel
@given(model=small_figures(), labels=LABELS, by_cases=st.booleans(), n_shards=st.integers(1, 9))
def test_random_figures_cut_anyhow_agree_with_brute_force(
    model: SumFigure, labels: list[int], by_cases: bool, n_shards: int
) -> None:
    assert total(plan_by(model, labels, by_cases=by_cases), n_shards) == len(expected(model))


@pytest.mark.kernel
@given(model=small_figures(), labels=LABELS, grains=st.integers(-4000, 2000), n_cells=st.integers(1, 4))
def test_random_figures_in_many_slices_and_cases(
    model: SumFigure, labels: list[int], grains: int, n_cells: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "GRAINS_OF_A_SLICE", grains)
        patch.setattr(planning, "CELLS_OF_AN_ORBIT", n_cells)
        plan = plan_by(model, labels, by_cases=True)
        assume(sum(len(case.domains) for case in plan.cases) <= MANY_SLICES)
        assert total(plan, 5) == len(expected(model))


def fits_a_key(model: SumFigure) -> bool:
    """Whether all cells and lines fit; a third of the figures with numbers far apart do not."""
    figure = Figure.of(model)
    bits = [figure.distances[-1] + 1, len(figure.model.cells) * figure.bits_of_cell()]
    return sum(bits) + sum(map(figure.bits_of_line, range(len(figure.lines)))) <= KEY_BITS


@given(model=small_figures())
def test_random_figures_as_the_engine_cuts_them(model: SumFigure) -> None:
    assume(ENGINE.accepts(model))
    assert total(ENGINE.plan(model), 3) == len(expected(model))


@pytest.mark.kernel
@examples(30)
@given(model=small_figures(widest=40).filter(fits_a_key), labels=LABELS)
def test_numbers_far_apart(model: SumFigure, labels: list[int]) -> None:
    assert total(plan_by(model, labels, by_cases=True), 2) == len(expected(model))


@pytest.mark.kernel
def test_the_word_is_used_from_end_to_end() -> None:
    """Pairs whose sums lie below, at and above the middle of the word of free numbers."""
    lines = (Line((0, 1), 121), Line((2, 3), 63), Line((4, 5), 2))
    model = SumFigure(tuple("abcdef"), (0, 1, 2, 60, 61, 62), lines)
    figure = Figure.of(model)
    plan = plan_of(figure, [(figure, cut_of(figure, halves_of(figure, [LEFT, RIGHT, RIGHT])), 1)])
    assert total(read_only(plan)) == len(expected(model)) == 8


@pytest.mark.kernel
@pytest.mark.parametrize("model", [TWO_TRIANGLES, SPARE])
def test_figures_with_everything(model: SumFigure) -> None:
    assert total(ENGINE.plan(model), 4) == len(expected(model)) > 0


@pytest.mark.kernel
@pytest.mark.parametrize(("words", "counted"), [("magic-square 3", 8), ("magic-star 6", 960)])
def test_small_figures_of_the_catalog(words: str, counted: int) -> None:
    assert total(ENGINE.plan(rk.puzzle(words).model), 3) == counted


FALLS_INTO_HALVES = [
    (puzzle, parameter)
    for puzzle, parameter in table("magic")
    if puzzle == "magic-star" or (parameter in {"3", "4"} and puzzle.endswith("square"))
]


@pytest.mark.parametrize(("puzzle", "parameter"), FALLS_INTO_HALVES)
def test_published_counts(puzzle: str, parameter: str) -> None:
    known = table("magic")[puzzle, parameter]
    count = rk.count(rk.puzzle(f"{puzzle} {parameter}"), engine="sum-join", workers=2)
    assert (count.total, count.unique) == (known.total, known.unique)


@pytest.mark.parametrize(
    "n", [9, 10, pytest.param(11, marks=pytest.mark.long), pytest.param(12, marks=pytest.mark.long)]
)
def test_stars_are_counted_as_by_search(n: int) -> None:
    joined, searched = (
        rk.count(rk.puzzle(f"magic-star {n}"), engine=name) for name in ("sum-join", "sum-lines")
    )
    assert (joined.total, joined.unique) == (searched.total, searched.unique)
    assert joined.nodes < searched.nodes


@pytest.mark.long
def test_stars_beyond_search_are_counted_alike_under_other_cuts() -> None:
    """Without cases the halves are others: other cells are shared, and no symmetry is used."""
    model = rk.puzzle("magic-star 12").model
    assert isinstance(model, SumFigure)
    figure = Figure.of(model)
    assert total(read_only(plan_of(figure, [(figure, best_cut(figure), 1)])), 64) == 9526320


@pytest.mark.parametrize(("words", "n_grains"), [("semimagic-square 4", 2000), ("magic-star 9", 2500)])
def test_slices_by_what_the_left_half_has_of_open_lines(
    words: str, n_grains: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = rk.puzzle(words).model
    assert isinstance(model, SumFigure)
    whole = planning.make_plan(model)
    monkeypatch.setattr(slices, "GRAINS_OF_A_SLICE", n_grains)
    plan = planning.make_plan(model)
    assert any(case.sliced for case in plan.cases)
    assert sum(len(case.domains) for case in plan.cases) > 100
    assert plan.expected_keys < whole.expected_keys / 100
    assert total(read_only(plan), 7) == total(read_only(whole))


def test_cuts_are_those_one_would_make_by_hand() -> None:
    """Arcs of a star that share few cells, and the upper and lower rows of a square with open columns."""
    star = Figure.of(rk.puzzle("magic-star 12").model)  # type: ignore[arg-type]
    for figure, _ in cases_of(star):
        cut = best_cut(figure)
        assert {len(cut.left), len(cut.right)} <= {9, 11}
        assert len(cut.shared) + len(cut.open_lines) <= 5
    square = Figure.of(rk.puzzle("semimagic-square 4").model)  # type: ignore[arg-type]
    cut = best_cut(square)
    assert len(cut.left) == len(cut.right) == 8
    assert not cut.shared
    assert len(cut.open_lines) == 4


def test_the_same_plan_every_time() -> None:
    model = rk.puzzle("magic-star 9").model
    one, other = (planning.make_plan(model) for _ in range(2))  # type: ignore[arg-type]
    assert one.expected_nodes == other.expected_nodes
    for case, same in zip(one.cases, other.cases, strict=True):
        for halves in ((case.left, same.left), (case.right, same.right)):
            assert all(np.array_equal(*pair) for pair in zip(*halves, strict=True))  # type: ignore[arg-type]
        assert np.array_equal(case.domains, same.domains)


def test_nodes_are_about_those_that_were_expected() -> None:
    plan = ENGINE.plan(rk.puzzle("magic-star 10").model)
    nodes = sum(ENGINE.count(plan, shard, no_pause).nodes for shard in ENGINE.split(plan, 4))
    assert plan.expected_nodes / 4 < nodes < plan.expected_nodes * 2


def test_what_cannot_be_left_unchanged_and_what_is_not_counted() -> None:
    puzzle = rk.puzzle("magic-star 6")
    plan = ENGINE.plan(puzzle.model)
    by_complement = rk.count(puzzle, engine="sum-join", up_to="complement")
    assert (by_complement.total, by_complement.unique) == (960, None)
    assert by_complement.left_out is not None
    for element in close(puzzle.model.row_shape, puzzle.generators).elements[1:]:
        assert ENGINE.count_fixed(plan, tuple(element.tolist()), no_pause, ALONE) == Tally(0, 0)


def test_a_contradiction_needs_no_search() -> None:
    model = replace(TWO_TRIANGLES, lines=(*TWO_TRIANGLES.lines, Line((0, 1), 100)))
    assert ENGINE.split(ENGINE.plan(model), 4) == ()


@pytest.mark.kernel
@settings(max_examples=20)
@example([(1500, 64), (1500, 64), (4000, 20)], 1)
@given(
    st.lists(st.tuples(st.integers(0, 5000), st.sampled_from([3, 20, 64])), max_size=4),
    st.integers(0, 1 << 32),
)
def test_a_table_counts_keys(blocks: list[tuple[int, int]], seed: int) -> None:
    """Blocks of so many keys of so many bits; the table grows from 2,048 keys on."""
    rng = random.Random(seed)  # Hypothesis refuses to draw thousands of keys
    found = Table(1 << 22)
    counts = Counter[int]()
    with wrapping():
        for n_keys, n_bits in blocks:
            keys = [rng.getrandbits(n_bits) for _ in range(n_keys)]
            found.insert(np.array(keys, dtype=np.uint64))
            counts.update(keys)
        wanted = sorted({*counts, 77, 2**63 + 5})
        assert found.look_up(np.array(wanted, dtype=np.uint64)) == sum(counts.values())
        assert found.n_keys == len(counts)
        found.clear()
        assert found.look_up(np.array(wanted, dtype=np.uint64)) == 0


def test_refusals() -> None:
    for words in ("magic-square 5", "magic-hexagon 3", "magic-cube 3", "magic-star 20"):
        with pytest.raises(EngineRefuses, match=r"engine sum-join (finds no two halves|would fill)"):
            ENGINE.plan(rk.puzzle(words).model)
    wide = SumFigure(("a", "b"), (1, 64), (Line((0, 1)),))
    with pytest.raises(EngineRefuses, match="numbers at most 62 apart; these go from 1 to 64"):
        ENGINE.plan(wide)
    many = SumFigure(
        tuple("abcdefgh"), tuple(range(8)), tuple(Line((k // 8, k % 8)) for k in range(64) if k % 9) * 2
    )
    with pytest.raises(EngineRefuses, match="at most 64 lines, not 112"):
        ENGINE.plan(many)
    with pytest.raises(EngineRefuses, match="counts sum figures only"):
        ENGINE.plan(Queens(4))
    small = SumJoin(most_bytes=1 << 16)
    with pytest.raises(
        EngineRefuses, match=r"needs more than .* MB for the halves of one slice; .* REKKYO_MEMORY"
    ):
        total(small.plan(rk.puzzle("magic-star 9").model), engine=small)


def test_slices_are_shared_out() -> None:
    plan = ENGINE.plan(rk.puzzle("magic-star 10").model)
    n_slices = sum(len(case.domains) for case in plan.cases)
    whole = ENGINE.count(plan, Shard(0, (0, 1)), no_pause)
    for n_shards in (1, 7, 1000):
        shards = ENGINE.split(plan, n_shards)
        assert len(shards) == min(n_shards, n_slices)
        assert sum((ENGINE.count(plan, shard, no_pause) for shard in shards), Tally(0, 0)) == whole
