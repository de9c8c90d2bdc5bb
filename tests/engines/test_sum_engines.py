"""Both engines for sum figures: the contract, brute force, published counts, representatives."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.entry import table
from rekkyo.catalog.index import entry as catalog_entry
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine, Room, no_pause
from rekkyo.engines.sums.cells.engine import SumCells
from rekkyo.engines.sums.lines import order
from rekkyo.engines.sums.lines.engine import SumLines
from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.group import close
from tests import naive_sums
from tests.engines.figures import expected, small_figures
from tests.engines.listing_contract import ListingContract, list_all

ENGINES: list[ListingEngine[Any, Any]] = [SumLines(), SumCells()]


def named(count: int) -> tuple[str, ...]:
    return tuple(f"c{k}" for k in range(count))


TRIANGLE = SumFigure(named(6), tuple(range(1, 7)), (Line((0, 1, 2)), Line((2, 3, 4)), Line((4, 5, 0))))
"""Its common sum may be 9, 10, 11 or 12."""

SPARE = SumFigure(
    named(4), (-7, -2, 0, 1, 3, 4, 8), (Line((0, 1)), Line((2, 3)), Line((0, 3), 1)), orders=((0, 3),)
)
"""More numbers than cells, negative ones, a given sum and an order."""


class FigureContract(ListingContract):
    models: ClassVar[list[Model]] = [rk.puzzle("magic-square 3").model, TRIANGLE, SPARE]


class TestLinesContract(FigureContract):
    engine = SumLines()


class TestCellsContract(FigureContract):
    engine = SumCells()


@pytest.mark.kernel
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("model", [TRIANGLE, SPARE])
def test_lists_what_brute_force_finds(engine: ListingEngine[Any, Any], model: SumFigure) -> None:
    rows = list_all(engine, model, 4, 7, 1000)
    assert sorted(rows) == expected(model)
    assert len(rows) > 0


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@given(model=small_figures())
def test_random_figures_agree_with_brute_force(engine: ListingEngine[Any, Any], model: SumFigure) -> None:
    assert sorted(list_all(engine, model, 5, 10, 1000)) == expected(model)


@given(model=small_figures(widest=10**9))
def test_numbers_far_apart_are_searched_by_lines_of_cells(model: SumFigure) -> None:
    assert sorted(list_all(SumCells(), model, 5, 10, 1000)) == expected(model)


@given(model=small_figures(widest=63))
def test_the_widest_numbers_of_one_word(model: SumFigure) -> None:
    if SumLines().accepts(model):
        assert sorted(list_all(SumLines(), model, 2, 10, 1000)) == expected(model)


def test_the_word_is_used_from_end_to_end() -> None:
    """Numbers 0 and 63 in the same line as x + y, x - y and a forced cell."""
    numbers = (-31, -30, 0, 31, 32)
    model = SumFigure(named(4), numbers, (Line((0, 1), 1), Line((2, 3), 1), Line((0, 2)), Line((1, 3))))
    assert numbers[-1] - numbers[0] == 63
    assert sorted(list_all(SumLines(), model, 1, 10, 1000)) == expected(model)
    everything = SumFigure(named(3), numbers, (Line((0, 1)), Line((1, 2))), orders=((0, 1),))
    assert sorted(list_all(SumLines(), everything, 1, 10, 1000)) == expected(everything)


@given(model=small_figures())
def test_equations_that_are_left_out_lose_and_add_nothing(model: SumFigure) -> None:
    """With hardly any equation allowed, complete lines are checked instead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "MAX_COEFFICIENTS", 2)
        assert sorted(list_all(SumLines(), model, 5, 10, 1000)) == expected(model)


PUBLISHED = [
    (puzzle, parameter)
    for puzzle, parameter in table("magic")
    if (puzzle, parameter) not in {("magic-square", "5"), ("magic-square", "6"), ("semimagic-square", "5")}
]
SLOW_BY_CELLS = {("semimagic-square", "4"), ("associative-square", "5")}
OUT_OF_REACH_BY_CELLS = ("pandiagonal-square", "5")


@pytest.mark.parametrize(("puzzle", "parameter"), PUBLISHED)
def test_published_counts(puzzle: str, parameter: str) -> None:
    known = table("magic")[puzzle, parameter]
    count = rk.count(rk.puzzle(f"{puzzle} {parameter}"), engine="sum-lines")
    assert (count.total, count.unique) == (known.total, known.unique)


@pytest.mark.parametrize(
    ("puzzle", "parameter"),
    [
        pytest.param(*key, marks=[pytest.mark.long] * (key in SLOW_BY_CELLS))
        for key in PUBLISHED
        if key != OUT_OF_REACH_BY_CELLS
    ],
)
def test_the_second_way_finds_the_same_set(puzzle: str, parameter: str) -> None:
    p = rk.puzzle(f"{puzzle} {parameter}")
    first, second = (rk.count(p, engine=engine.name, digest=True) for engine in ENGINES)
    assert (first.total, first.unique, first.digest) == (second.total, second.unique, second.digest)


def test_pandiagonal_squares_of_order_5_the_second_way_with_four_numbers_given() -> None:
    """All of them take that engine too long. These numbers are from a square, so there is one at least."""
    p = rk.puzzle("pandiagonal-square 5")
    row = next(rk.solve(p))
    given = [(p.model.numbers[row[cell]], p.model.cells[cell]) for cell in (0, 1, 2, 5)]  # type: ignore[attr-defined]
    part = catalog_entry("pandiagonal-square").build(5, given=given)
    first, second = (rk.count(part, engine=engine.name, digest=True) for engine in ENGINES)
    assert (first.total, first.digest) == (second.total, second.digest)
    assert first.total > 0


@pytest.mark.parametrize("words", ["magic-square 4", "magic-star 6", "magic-cube 3", "associative-square 4"])
@pytest.mark.parametrize("up_to", ["symmetry", "complement"])
def test_a_search_for_representatives_counts_the_same_with_less_work(words: str, up_to: str) -> None:
    p = rk.puzzle(words)
    by_all = rk.count(p, engine="sum-lines", up_to=up_to, digest=True)
    by_some = rk.count(p, engine="sum-lines", up_to=up_to)
    assert (by_some.total, by_some.unique) == (by_all.total, by_all.unique)
    assert by_some.nodes < by_all.nodes / 2


def test_representatives_alone_are_looked_for_only_where_symmetry_moves_cells_alone() -> None:
    p = rk.puzzle("magic-square 3")
    complement = p.further[0].generators[-1:]
    assert SumLines().plan_for_representatives(p.model, close(p.model.row_shape, complement)) is None
    assert SumLines().plan_for_representatives(p.model, close(p.model.row_shape, p.generators)) is not None


@given(model=small_figures(), data=st.data())
def test_representatives_agree_with_brute_force(model: SumFigure, data: st.DataObject) -> None:
    """A random permutation of cells, and all lines that it makes of the figure's, so that it is a symmetry."""
    n_cells = len(model.cells)
    move = data.draw(st.permutations(range(n_cells)))
    moves = _powers(move)
    lines = {(frozenset(g[c] for c in line.cells), line.sum) for line in model.lines for g in moves}
    symmetric = SumFigure(
        model.cells, model.numbers, tuple(Line(tuple(sorted(c)), s) for c, s in sorted(lines, key=repr))
    )
    n_values = len(model.numbers)
    generator = tuple(target * n_values + value for target in move for value in range(n_values))
    group = close(symmetric.row_shape, (generator,))
    engine = SumLines()
    plan = engine.plan_for_representatives(symmetric, group)
    if plan is None:
        assert len(moves) == 1
        return
    found = [row for shard in engine.split(plan, 3) for row in _rows(engine, plan, symmetric, shard)]
    assert max(Counter(found).values(), default=1) == 1
    order = engine.comparing_order(plan)
    assert order is not None
    assert set(found) == naive_sums.orbit_representatives(expected(symmetric), moves, order)


def _powers(move: list[int]) -> list[tuple[int, ...]]:
    powers = [tuple(range(len(move)))]
    while (following := tuple(move[cell] for cell in powers[-1])) != powers[0]:
        powers.append(following)
    return powers


def _rows(engine: SumLines, plan: Any, model: SumFigure, shard: Any) -> list[tuple[int, ...]]:
    blocks = engine.blocks(plan, shard, Room.of(model.row_shape, 5000), 1 << 40, no_pause)
    return [tuple(row) for block in blocks for row in block.rows.tolist()]


def test_a_contradiction_needs_no_search() -> None:
    """Figures that would take for ever: sums out of reach, a total that cannot be shared out, a circle."""
    for lines, orders in [
        ([Line(tuple(range(40)), 5)], []),
        ([Line(tuple(range(20))), Line(tuple(range(20, 40))), Line((0,))], []),
        ([Line((0, 1))], [(3, 4), (4, 5), (5, 3)]),
    ]:
        model = SumFigure(named(40), tuple(range(1, 41)), tuple(lines), tuple(orders))
        assert list_all(SumLines(), model, 5, 10, 1000) == []
    assert rk.count(rk.puzzle("magic-hexagon 5"), engine="sum-cells").total == 0


def test_refusals_name_the_engine_and_the_reason() -> None:
    wide = SumFigure(("a", "b"), (1, 65), (Line((0, 1)),))
    with pytest.raises(
        EngineRefuses, match="sum-lines needs numbers at most 63 apart; these go from 1 to 65"
    ):
        SumLines().plan(wide)
    assert registry.listing_engine(wide).name == "sum-cells"
    for engine in ENGINES:
        with pytest.raises(EngineRefuses, match="searches sum figures only"):
            engine.plan(Queens(4))
