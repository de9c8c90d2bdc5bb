"""Diagrams: against the definition, numbers to solutions and back, conditions, and the listing engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog import index
from rekkyo.engines import contract
from rekkyo.engines.contract import Shard
from rekkyo.engines.covers.diagram.engine import CoverDiagram
from rekkyo.engines.csp.diagram.engine import CspDiagram
from rekkyo.engines.diagram.diagram import Diagram, Walk
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.diagram.from_rows import diagram_of_rows
from rekkyo.errors import BadInput, BadSolution, EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Clause
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.verify import violations
from tests import naive_cover, naive_csp
from tests.engines.csp_counted import MODELS
from tests.engines.listing_contract import ListingContract, list_all

DOMINOES = naive_cover.fillings(4, 4, naive_cover.DOMINOES)


class TestCovers(ListingContract):
    engine = CoverDiagram()
    models: ClassVar[list[Model]] = [naive_cover.langford(4), DOMINOES, naive_cover.TOY_MCC]


class TestConstraints(ListingContract):
    engine = CspDiagram()
    models: ClassVar[list[Model]] = [
        Coloring(4, 3, patterns=(((0, 0), (1, 0)), ((1, 1), (2, 1)))),
        lower(rk.puzzle("magic-square 3").model),
        Csp(("a", "b"), ((0, 3), (1, 2, 5)), (Clause(((0, 3, True), (1, 2, True))),), (0, 1)),
    ]


def options_of(model: ExactCover, row: tuple[int, ...]) -> set[int]:
    return {option for option in row if option < len(model.options)}


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_holds_what_the_definition_says(model: ExactCover) -> None:
    diagram = diagram_of(model)
    rows = naive_cover.solutions(model)
    assert diagram.count == len(rows)
    assert sorted(diagram) == rows
    assert [diagram.kth(k) for k in range(len(rows))] == list(diagram)
    assert [diagram.rank(row) for row in diagram] == list(range(len(rows)))
    uses = Counter(option for row in rows for option in options_of(model, row))
    assert diagram.uses() == tuple(uses[option] for option in range(model.row_shape.n_atoms))
    if diagram.is_lexicographic:
        assert list(diagram) == rows


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_listed_solutions_of_a_cover_make_the_same_diagram(model: ExactCover) -> None:
    assert diagram_of_rows(model, naive_cover.solutions(model)) == diagram_of(model)


@pytest.mark.kernel
@pytest.mark.parametrize("model", [Queens(6), Queens(3), naive_cover.langford(4), DOMINOES])
def test_listed_solutions_make_the_same_diagram(model: Queens | ExactCover) -> None:
    drawn = diagram_of(model)
    assert diagram_of_rows(model, reversed(list(drawn))) == drawn


@pytest.mark.kernel
@given(model=MODELS)
def test_listed_solutions_of_a_problem_are_in_lexicographic_order(model: Csp) -> None:
    rows = sorted(naive_csp.solutions(model))
    drawn = diagram_of_rows(model, reversed(rows))
    assert list(drawn) == rows
    assert [drawn.rank(row) for row in rows] == list(range(len(rows)))


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_no_node_is_there_twice(model: ExactCover) -> None:
    nodes = diagram_of(model).nodes[2:]  # the first two are the ends, which have nothing below them
    assert len(np.unique(nodes, axis=0)) == len(nodes)


@pytest.mark.kernel
@given(model=naive_cover.models(), data=st.data())
def test_conditions_and_what_two_diagrams_share(model: ExactCover, data: st.DataObject) -> None:
    options = st.sets(st.integers(0, model.row_shape.n_atoms - 1), max_size=4)
    taken, left_out, some = data.draw(options), data.draw(options), data.draw(options)
    low = data.draw(st.integers(0, 3))
    high = low + data.draw(st.integers(0, 3))
    whole = diagram_of(model)
    rows = naive_cover.solutions(model)

    def chosen(row: tuple[int, ...]) -> set[int]:
        return options_of(model, row)

    restricted = whole.restrict(taken=taken, left_out=left_out)
    assert sorted(restricted) == [r for r in rows if taken <= chosen(r) and not left_out & chosen(r)]
    counted = whole.restrict(times=[(some, low, high)])
    assert sorted(counted) == [r for r in rows if low <= len(some & chosen(r)) <= high]
    both = restricted & counted
    assert sorted(both) == sorted(set(restricted) & set(counted))
    assert both == counted & restricted
    assert hash(both) == hash(counted & restricted)
    assert whole & whole == whole


def test_diagrams_of_equal_sets_are_equal_however_they_were_made() -> None:
    whole = diagram_of(DOMINOES)
    one_way = whole.restrict(taken=[0]).restrict(left_out=[5])
    other_way = whole.restrict(left_out=[5], times=[([0], 1, 1)])
    assert one_way == other_way
    assert one_way != whole
    assert whole != 3


def test_upright_dominoes_of_all_tilings_of_8x8() -> None:
    """Their distribution has the total as its sum, and only even numbers of them occur."""
    puzzle = index.puzzle("dominoes 8 8")
    model = lower(puzzle.model)
    assert isinstance(model, ExactCover)
    whole = diagram_of(model)
    upright = [number for number, option in enumerate(model.options) if option[1][0] - option[0][0] == 8]
    counts = [whole.restrict(times=[(upright, k, k)]).count for k in range(33)]
    assert sum(counts) == 12988816
    assert not any(counts[1::2])
    assert counts == counts[::-1]


@pytest.mark.parametrize(
    "words", ["queens 6", "dominoes 4 5", "langford 7", "latin-square 4", "polyominoes 4 4 5 --any-number"]
)
def test_order_is_that_of_the_listing_engine_of_the_same_name(words: str) -> None:
    model = lower(index.puzzle(words).model)
    diagram = diagram_of(model)
    if isinstance(model, Queens):
        rows = [tuple(row) for row in list(diagram)]
        assert rows == sorted(rows)
        return
    assert list_all(CoverDiagram(), model, 7, 10, 100) == list(diagram)


def test_order_is_lexicographic_where_options_are_numbered_by_their_first_item() -> None:
    for words in ("dominoes 6 6", "latin-square 4", "langford 7", "queens 6"):
        diagram = diagram_of(lower(index.puzzle(words).model))
        assert diagram.is_lexicographic
        assert list(diagram) == sorted(diagram)


@pytest.mark.parametrize("words", ["dominoes 16 16", "aztec-diamond 8", "queens 12"])
def test_numbers_and_solutions_of_large_diagrams(words: str) -> None:
    model = lower(index.puzzle(words).model)
    diagram = diagram_of(model)
    rng = random.Random(5)
    for k in [0, diagram.count - 1, *(rng.randrange(diagram.count) for _ in range(30))]:
        row = diagram.kth(k)
        assert not violations(model, row)
        assert diagram.rank(row) == k
        assert row in diagram


def test_queens_12_by_exact_cover() -> None:
    assert diagram_of(Queens(12)).count == 14200  # OEIS A000170


def test_samples_are_fair() -> None:
    """Chi-square over the 36 tilings of 4x4 and the 40 solutions of queens 7; fixed seeds."""
    for model, limit in ((DOMINOES, 66.6), (Queens(7), 72.1)):  # 0.999 quantiles for 35 and 39 degrees
        diagram = diagram_of(model)
        rng = random.Random(20)
        n = 200 * diagram.count
        seen = Counter(diagram.sample(rng) for _ in range(n))
        assert set(seen) == set(diagram)
        assert sum((times - 200) ** 2 / 200 for times in seen.values()) < limit


def test_no_solution_and_the_empty_solution() -> None:
    none = diagram_of(ExactCover(("a", "b"), (), (((0, 0),),)))
    assert (none.count, list(none), none.uses()) == (0, [], (0,))
    with pytest.raises(BadInput, match="there is no solution to sample"):
        none.sample(1)
    with pytest.raises(BadInput, match="no solution number 0; there is none at all"):
        none.kth(0)
    nothing = diagram_of(ExactCover(("a",), (), (((0, 0),),), ((0, 1),)))
    assert list(nothing) == [(0,), (1,)]
    assert list(nothing.restrict(left_out=[0])) == [(1,)]
    assert (none & none).count == 0


@pytest.mark.parametrize("k", [-1, 36, 10**40, "3", 1.5, None, True])
def test_wrong_numbers_are_refused(k: object) -> None:
    with pytest.raises(BadInput, match=r"there is no solution number .*; they are numbered from 0 to 35"):
        diagram_of(DOMINOES).kth(k)  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [(), (0, 1), tuple(range(8)), (99,) * 8, (0, 0), ("a",), (24,) * 8])
def test_rows_that_are_no_solutions_have_no_rank(row: tuple[int, ...]) -> None:
    with pytest.raises(BadSolution, match="not one of the solutions"):
        diagram_of(DOMINOES).rank(row)
    assert row not in diagram_of(DOMINOES)


def test_a_board_on_which_no_queen_can_stand() -> None:
    """As a cover it has no options, and rows have one atom nevertheless."""
    assert list(rk.diagram(rk.queens(1, blocked=[(0, 0)]))) == []


@pytest.mark.parametrize("row", [(6, 0, 2), (0, 6, 2), (6, 6, 0)])
def test_fillers_are_at_the_end_of_a_row(row: tuple[int, ...]) -> None:
    matchings = rk.diagram(rk.graph(named="cycle 6").matchings())
    assert tuple(sorted(row)) in matchings
    assert row not in matchings


def test_wrong_conditions_are_refused() -> None:
    diagram = diagram_of(DOMINOES)
    with pytest.raises(BadInput, match="a condition names 99, but atoms go from 0 to 23"):
        diagram.restrict(taken=[99])
    with pytest.raises(BadInput, match="0 <= low <= high"):
        diagram.restrict(times=[([1], 3, 2)])
    with pytest.raises(BadInput, match="same options in the same order"):
        diagram & diagram_of(naive_cover.langford(4))


@pytest.mark.parametrize("names", [(*range(23), 24), (-1, *range(1, 24)), range(23)])
def test_each_atom_gets_a_name_of_the_shape(names: Sequence[int]) -> None:
    diagram = diagram_of(DOMINOES)
    assert diagram.renamed(diagram.shape, range(24)) == diagram
    with pytest.raises(BadInput, match="atoms names each atom by a whole number below 24, not "):
        diagram.renamed(diagram.shape, names)


def test_conditions_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is on the 24 atoms times what may be counted: up to 3 of them, one too many, and none."""
    diagram = diagram_of(DOMINOES)
    monkeypatch.setattr("rekkyo.engines.diagram.diagram.MAX_CONDITION_NODES", 24 * 5)
    assert diagram.restrict(times=[(range(3), 0, 9)]).count == diagram.count
    with pytest.raises(BadInput, match="a condition of up to 4 of 24 atoms is too large; name fewer atoms"):
        diagram.restrict(times=[(range(4), 0, 9)])


def test_what_two_diagrams_share_is_bounded_by_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    diagram = diagram_of(DOMINOES)
    upright = diagram.restrict(taken=[0])
    monkeypatch.setattr("rekkyo.engines.diagram.diagram.memory_bytes", lambda: 64)
    with pytest.raises(EngineRefuses, match="the diagram of all solutions takes more than"):
        diagram & upright


def test_memory_is_bounded() -> None:
    pentominoes = lower(index.puzzle("pentominoes 6 10").model)
    with pytest.raises(EngineRefuses, match=r"more than .* MB"):
        diagram_of(pentominoes, 1 << 20)
    with pytest.raises(EngineRefuses, match="the diagram of all solutions takes more than"):
        diagram_of(lower(index.puzzle("dominoes 8 8").model), 1 << 16)


@given(model=MODELS)
def test_diagrams_of_variables_and_constraints(model: Csp) -> None:
    rows = naive_csp.solutions(model)
    diagram = diagram_of(model)
    listed = list(diagram)
    assert sorted(listed) == rows
    assert diagram.count == len(rows)
    if diagram.is_lexicographic:
        assert listed == rows
    for k, row in enumerate(listed):
        assert diagram.kth(k) == row
        assert diagram.rank(row) == k


def test_solutions_beyond_all_lists() -> None:
    """A colouring in the middle of 40 million millions, found and numbered."""
    puzzle = rk.graph(named="grid 8 8").colorings(3)
    diagram = diagram_of(puzzle.model)
    assert diagram.count == 3 * 13574876544396  # OEIS A068253
    middle = diagram.kth(diagram.count // 2)
    assert rk.verify(puzzle, middle) == []
    assert diagram.rank(middle) == diagram.count // 2


def test_models_without_levels_have_no_diagram() -> None:
    best = Csp(("a",), ((0, 1),), objective=Objective(0, maximize=True))
    with pytest.raises(EngineRefuses, match="engine csp-frontier cannot optimize an objective"):
        diagram_of(best)
    loose = Csp(("a", "b"), ((0, 1), (0, 1)), (Clause(((0, 1, True), (1, 1, True))),), solution=(0,))
    with pytest.raises(EngineRefuses, match="cannot show of b"):
        diagram_of(loose)


@pytest.mark.parametrize(("n_options", "dtype"), [(2, np.uint8), (300, np.uint16)])
def test_kernels_are_compiled_for_rows_of_the_model(
    monkeypatch: pytest.MonkeyPatch, n_options: int, dtype: type
) -> None:
    """Else the first slice of a search takes as long as compiling."""
    monkeypatch.setattr(contract, "_begun", set())
    monkeypatch.setattr(Walk, "write", lambda walk, rows, n_rows: written.add(rows.dtype))
    written: set[np.dtype[np.unsignedinteger]] = set()
    CoverDiagram().compile(ExactCover(("a",), (), (((0, 0),),) * n_options))
    assert written == {np.dtype(dtype)}


def test_shards_of_other_plans_are_refused() -> None:
    engine = CoverDiagram()
    plan = engine.plan(DOMINOES)
    assert isinstance(plan, Diagram)
    with pytest.raises(EngineRefuses, match="engine cover-diagram has no shard"):
        engine.start(plan, Shard(0, (0, 37)))
