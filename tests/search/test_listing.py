"""Lists along a diagram that nobody named: where merging is far faster, and each way to ask for them."""

from __future__ import annotations

from itertools import combinations, islice
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.frontier import engine as frontier
from rekkyo.engines.csp.diagram.engine import CspDiagram
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.search import listing, merging, optimum, race
from rekkyo.search.cutting import Cut, by_length, for_run
from rekkyo.search.listing import prepare_list
from rekkyo.search.probes import Probes
from rekkyo.search.question import Question, ask
from rekkyo.search.search import Cutting, prepare
from tests import naive_csp
from tests.csp_strategies import models
from tests.engines.csp_counted import countable

EXAMPLES = Path(__file__).parents[2] / "examples"
TINY = rk.Sizes(moment_nodes=1, shards=8, shards_if_short=2)
"""Searches of some hundred nodes are not over when they are cut, and count as long with `all_long`."""


@pytest.fixture
def all_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "SIZES", TINY)


def bishops(n: int) -> Puzzle:
    """2n - 2 bishops do not attack each other, in 2^n ways (Yaglom and Yaglom, problem 42).

    Where n is even, a search is short, because some diagonals must have a bishop (`full_groups`).
    """
    return rk.puzzle_from_file(EXAMPLES / "bishops.toml", n)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Model]:
    """The models of which a diagram was made as an engine's plan."""
    made: list[Model] = []
    make_plan = CspDiagram.make_plan

    def noting(engine: CspDiagram, model: Csp) -> object:
        if model is not CspDiagram.smallest:
            made.append(model)
        return make_plan(engine, model)

    monkeypatch.setattr(CspDiagram, "make_plan", noting)
    return made


@pytest.fixture
def always_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "compared_with_merging", lambda *_: Tally(1, 1))


@pytest.mark.usefixtures("all_long")
def test_a_long_list_is_drawn(drawn: list[Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless an engine is named, or it is to end early and a first solution is found soon."""
    puzzle = bishops(7)
    rows = list(rk.solve(puzzle, sizes=TINY))
    assert (len(rows), len(drawn)) == (2**7, 1)
    searched = list(rk.solve(puzzle, engine="csp"))
    assert sorted(searched) == sorted(rows)
    assert list(rk.solve(puzzle, limit=3, sizes=TINY)) == rows[:3]
    assert len(drawn) == 2
    monkeypatch.setattr(listing, "SOON", 1 << 20)
    assert list(rk.solve(puzzle, limit=3, sizes=TINY)) == searched[:3]
    assert len(drawn) == 2


def dominoes(n: int) -> Puzzle:
    """On a board without two opposite corners, which have one colour, so there are none; n is even.

    They are counted, which hides from the engines that colour boards that this is one.
    """
    cells = [(r, c) for r in range(n) for c in range(n) if (r, c) not in {(0, 0), (n - 1, n - 1)}]
    pairs = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    options = tuple((*((cells.index(cell), 0) for cell in pair), (len(cells), 0)) for pair in pairs)
    bounds = (*((1, 1) for _ in cells), (0, len(cells)))
    model = ExactCover((*map(str, cells), "dominoes"), (), options, bounds)
    return Puzzle("board", model, "A board without two corners")


@pytest.mark.usefixtures("all_long")
def test_a_search_that_finds_nothing_soon() -> None:
    """Merging knows at once that there is nothing to find; a search of 12x12 takes years."""
    assert list(rk.solve(dominoes(12), limit=1, sizes=TINY)) == []
    assert rk.count(dominoes(12), digest=True, sizes=TINY).engine == "cover-diagram"


@pytest.mark.usefixtures("all_long")
@pytest.mark.parametrize("workers", [1, 3])
def test_the_order_depends_neither_on_workers_nor_on_a_limit(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = rk.graph(named="grid 5 5").colorings(3)
    searched = list(rk.solve(puzzle, limit=50, sizes=TINY))
    assert searched == list(rk.solve(puzzle, limit=50, engine="coloring-masks"))
    assert searched == list(islice(rk.solve(puzzle, workers=workers, sizes=TINY), 50))
    monkeypatch.setattr(listing, "SOON", 0)
    listed = list(rk.solve(puzzle, limit=50, workers=workers, sizes=TINY))
    assert listed == list(rk.solve(puzzle, limit=50, engine="csp-diagram"))
    assert listed == list(islice(rk.solve(puzzle, workers=workers, sizes=TINY), 50))


@pytest.mark.parametrize("workers", [1, 2])
def test_the_choice_does_not_depend_on_how_a_search_is_divided(workers: int) -> None:
    """The search finds a solution in its first moments, but not in as many as `TINY` has there."""
    search = prepare(asked(bishops(7), workers, TINY), by_length)
    assert not search.is_over
    assert listing._finds_soon(search)
    for sizes in (TINY, listing.SIZES):
        raced = listing._alone(prepare(asked(bishops(7), workers, sizes), by_length), by_length).question
        assert (raced.workers, raced.sizes) == (1, listing.SIZES)


@pytest.mark.usefixtures("always_faster")
def test_each_way_to_visit_them(drawn: list[Model], tmp_path: Path) -> None:
    puzzle = bishops(4)
    searched = rk.count(puzzle, engine="csp", digest=True)
    assert (searched.total, searched.optimum, drawn) == (2**4, 6, [])
    counted = rk.count(puzzle, digest=True)
    assert (counted.engine, counted.total, counted.unique, counted.digest, counted.optimum) == (
        "csp-diagram",
        searched.total,
        searched.unique,
        searched.digest,
        searched.optimum,
    )
    orbits = rk.orbits(puzzle)
    assert (orbits.engine, orbits.total, orbits.unique) == ("csp-diagram", 2**4, searched.unique)
    assert orbits.optimum == 6
    least = sorted(rk.solve(puzzle, up_to="symmetry", engine="csp"))
    assert sorted(rk.solve(puzzle, up_to="symmetry")) == least
    for name, up_to, n_rows in (("all", "none", 2**4), ("orbits", "symmetry", searched.unique)):
        status = rk.run(puzzle, tmp_path / name, up_to=up_to)
        assert (status.engine, status.rows_stored, status.optimum) == ("csp-diagram", n_rows, 6)
        assert rk.Run(tmp_path / name).resume().is_complete
        again = rk.Run(tmp_path / name).recount()
        assert (again.agrees, again.engines, again.other_engine) == (True, ("csp",), True)
        assert rk.Run(tmp_path / name).verify().problems == ()
    assert rk.Run(tmp_path / "all").status().digest == searched.digest
    assert len(drawn) == 3 + 2 * 2  # for each run also when it is resumed


def test_the_engine_by_its_name() -> None:
    """It finds the best value by merging, too."""
    for n in (2, 5):
        found = rk.count(bishops(n), engine="csp-diagram", workers=2)
        assert (found.optimum, found.total, found.engine) == (2 * n - 2, 2**n, "csp-diagram")


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_random_problems(data: st.DataObject) -> None:
    without = countable(data.draw(models()))
    variable = data.draw(st.integers(0, len(without.names) - 1))
    model = Csp(
        without.names,
        without.domains,
        without.constraints,
        tuple(range(len(without.names))),
        Objective(variable, data.draw(st.booleans())),
    )
    rows = naive_csp.solutions(model)
    assert sorted(rk.solve(Puzzle("drawn", model, "drawn"), engine="csp-diagram")) == sorted(rows)


@pytest.mark.usefixtures("always_faster")
def test_a_diagram_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> object:
        raise rk.EngineRefuses("too large")

    monkeypatch.setattr(CspDiagram, "make_plan", refused)
    assert len(list(rk.solve(bishops(4)))) == 2**4


def test_a_named_engine_is_not_searched_for_a_first_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_finds_soon", lambda _: pytest.fail("it was"))
    assert len(list(rk.solve(rk.puzzle("queens 6"), engine="queens-bitmap"))) == 4


def _refuses(_: object) -> Cut:
    raise AssertionError("shards are not tried for many rows")


@pytest.mark.parametrize(("limit", "is_tried"), [(2, False), (rk.Sizes().block_rows + 1, True), (None, True)])
def test_a_short_list_does_not_look_for_shards_with_many_rows(
    limit: int | None, is_tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "to_stream", _refuses)
    rows = rk.solve(rk.queens(6), limit=limit)
    if is_tried:
        with pytest.raises(AssertionError, match="many rows"):
            next(rows)
    else:
        assert len(list(rows)) == 2


@pytest.mark.usefixtures("all_long")
@pytest.mark.parametrize(("workers", "cutting"), [(1, by_length), (2, by_length), (1, for_run), (2, for_run)])
def test_what_was_compared_is_not_searched_again(workers: int, cutting: Cutting) -> None:
    """Shards that were probed are known, for any workers, if the search is cut in the same way."""
    puzzle = rk.puzzle("langford 7")
    search = prepare_list(asked(puzzle, workers, TINY), cutting)
    assert search.engine.name == "cover-bitset"
    assert 0 < len(search.known) < len(search.shards)
    found = rk.count(puzzle, digest=True, workers=workers, sizes=TINY)
    assert found.digest == rk.count(puzzle, digest=True, engine="cover-cells").digest
    blocks = (block for shard in search.shards for block in search.blocks(shard, no_pause))
    searched = sum(shard.nodes for shard in search.shards) + sum(block.nodes for block in blocks)
    assert searched == found.nodes


def test_nothing_is_probed_where_the_cut_tells_that_a_search_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else 24 of its 256 shards were searched a second time."""
    puzzle = rk.puzzle("magic-star 7")
    search = prepare(asked(puzzle, 1, rk.Sizes()), by_length)
    assert search.known
    assert not search.is_over
    monkeypatch.setattr(Probes, "least_moments", lambda *_: pytest.fail("it was probed"))
    assert rk.count(puzzle, digest=True, workers=1).unique == 72


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_is_not_tried_as_a_whole(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has shards in any case, so all of a short search was done twice."""
    monkeypatch.setattr(CoverBitset, "tried", lambda *_: pytest.fail("it was"))
    search = prepare_list(asked(rk.puzzle("langford 8"), workers, rk.Sizes()), for_run)
    assert len(search.shards) > 1


def asked(puzzle: Puzzle, workers: int, sizes: rk.Sizes) -> Question:
    return ask(puzzle, engine=None, lists=True, every_solution=True, workers=workers, sizes=sizes)


@pytest.mark.usefixtures("all_long")
def test_few_representatives_are_searched(drawn: list[Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a diagram lists many solutions that the search leaves out."""
    monkeypatch.setattr(race, "IMAGES_IN_MOMENT", 0)
    unique = rk.count(bishops(7)).unique
    assert len(list(rk.solve(bishops(7), up_to="symmetry", sizes=TINY))) == unique
    assert drawn == []
    assert len(list(rk.solve(bishops(7), sizes=TINY))) == 2**7
    assert len(drawn) == 1
    every_solution = rk.count(bishops(7), digest=True, sizes=TINY)
    assert (every_solution.engine, every_solution.unique) == ("csp-diagram", unique)


@pytest.mark.usefixtures("all_long")
@pytest.mark.parametrize(("most_lost", "engine"), [(0.0, "cover-bitset"), (1e3, "cover-diagram")])
def test_neither_a_look_nor_what_is_likely_decides(
    most_lost: float, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look at this packing has counted it already, and any level would do as far as it is likely to go."""
    puzzle = rk.packing("#####\n#####\n#####\n#####", "AA BB CCC\nA  B  C", filled=False)
    monkeypatch.setattr(frontier, "is_loaded", lambda *_: True)
    monkeypatch.setattr(merging, "MOST_LIKELY", inf)
    monkeypatch.setattr(race, "MOST_LOST", most_lost)
    assert rk.count(puzzle, digest=True, sizes=TINY).engine == engine


@pytest.mark.parametrize("ask", [rk.orbits, lambda puzzle: list(rk.solve(puzzle)), rk.diagram])
def test_a_best_value_that_no_solution_has(ask: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(ask)
    monkeypatch.setattr(optimum, "_best", lambda *_: 7)
    with pytest.raises(rk.CountsDisagree, match="best value is 7, but no solution with it was found"):
        ask(bishops(4))
