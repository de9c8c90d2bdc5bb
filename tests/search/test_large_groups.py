"""Searches for representatives under groups that are not listed, compared with searches that list them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, CountsDisagree, EngineRefuses, GroupTooLarge
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.fold import sum_shard
from rekkyo.store.finished import Finished
from rekkyo.symmetry import group as groups
from rekkyo.symmetry.group import close
from rekkyo.symmetry.large_group import large_group_of_cover
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.fuzz.models import draw_truth
from tests.fuzz.oracle import Truth
from tests.test_large_sets import any_edges, renaming

PUZZLES = [
    ("queens 7", "symmetry"),
    ("hip 4", "symmetry"),
    ("hip 4", "exchange-colours"),
    ("schur 3 12", "exchange-colours"),
    ("van-der-waerden 3 3 8", "exchange-colours"),
    ("ramsey 3 4 6", "symmetry"),
    ("ramsey 3 3 5", "exchange-colours"),
    ("rectangle-free 3 4 2", "symmetry"),
    ("rectangle-free 3 3 3", "exchange-colours"),
    ("magic-square 4", "exchanges"),
    ("magic-star 6", "complement"),
    ("semimagic-square 3", "exchanges"),
    ("dominoes 4 5", "symmetry"),
    ("langford 7", "symmetry"),
]


@pytest.fixture
def no_lists(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No group is listed, however small."""
    monkeypatch.setattr(groups, "MAX_LISTED_ATOMS", 1)
    groups._close.cache_clear()
    yield
    groups._close.cache_clear()


class TestEveryKindOfModel:
    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize(("words", "up_to"), PUZZLES)
    def test_counts_and_lists_are_those_with_a_list(
        self, words: str, up_to: str, workers: int, no_lists: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        puzzle = rk.puzzle(words)
        found = rk.count(puzzle, up_to=up_to, workers=workers)
        rows = list(rk.solve(puzzle, up_to=up_to, workers=workers))
        monkeypatch.undo()
        groups._close.cache_clear()
        listed = rk.count(puzzle, up_to=up_to)
        assert (found.total, found.unique, found.engine) == (listed.total, listed.unique, "csp")
        generators = puzzle.generators_up_to(up_to)
        survey = OrbitSurvey(close(lower(puzzle.model).row_shape, generators))
        assert len({survey.orbit(row)[0] for row in rows}) == len(rows) == listed.unique


class TestKnownNumbers:
    """Numbers of graphs: B. D. McKay, combinatorial data, Ramsey graphs."""

    @pytest.mark.parametrize(("vertices", "n_graphs"), [(9, 290), (12, 12), (13, 1), (14, 0)])
    def test_ramsey_graphs(self, vertices: int, n_graphs: int) -> None:
        puzzle = rk.puzzle(f"ramsey 3 5 {vertices}")
        found = rk.count(puzzle)
        assert (found.unique, found.engine) == (n_graphs, "csp")
        assert len(list(rk.solve(puzzle, up_to="symmetry"))) == n_graphs

    def test_a_total_by_merging(self) -> None:
        """The sizes of the orbits add up to what an engine counts that knows no symmetry."""
        puzzle = rk.puzzle("ramsey 3 5 9")
        assert rk.count(puzzle).total == rk.count(puzzle, engine="csp-frontier", up_to="none").total

    def test_orbits_by_the_order_of_the_stabilizer(self) -> None:
        table = rk.orbits(rk.puzzle("ramsey 3 5 12"))
        rows = [(each.symmetry, each.stabilizer, each.orbits) for each in table.classes]
        orders = [(2, 3), (4, 5), (8, 2), (16, 1), (48, 1)]
        assert rows == [(f"order {order}", order, n_orbits) for order, n_orbits in orders]
        assert (table.group, table.unique, table.total) == (factorial(12), 12, 1476921600)
        assert table.total == sum(each.solutions for each in table.classes)

    @pytest.mark.parametrize(("n", "total", "unique"), [(5, 161280, 2), (6, 812851200, 17)])
    def test_latin_squares_as_grids(self, n: int, total: int, unique: int) -> None:
        """With rows, columns and values permuted and transposed: OEIS A002860, and the types of B. D. McKay,
        A. Meynert, W. Myrvold, Small Latin squares, quasigroups, and loops (2007).
        """
        problem = rk.Problem()
        cells = problem.variables([f"{row}{column}" for row in range(n) for column in range(n)], range(n))
        for k in range(n):
            problem.all_different(cells[k::n])
            problem.all_different(cells[k * n : k * n + n])
        puzzle, _ = rk.with_own_symmetry(problem.puzzle())
        found = rk.count(puzzle, up_to="constraints")
        assert (found.total, found.unique, found.engine) == (total, unique, "csp")
        table = rk.orbits(puzzle, up_to="constraints")
        assert (table.total, table.unique) == (total, unique)

    @pytest.mark.parametrize(("n_points", "total", "unique"), [(7, 30, 1), (9, 840, 1), (13, 1197504000, 2)])
    def test_steiner_triple_systems(self, n_points: int, total: int, unique: int) -> None:
        """A cover: each pair of points is in one triple. OEIS A030128 and A030129."""
        puzzle = rk.puzzle(f"steiner-triples {n_points}")
        found = rk.count(puzzle)
        assert (found.total, found.unique) == (total, unique)
        assert len(list(rk.solve(puzzle, up_to="symmetry"))) == unique
        assert (found.engine == "csp") == (n_points > 7)

    @pytest.mark.parametrize(("up_to", "unique"), [("isotopy", 22), ("main-classes", 12)])
    def test_classes_of_latin_squares(self, up_to: str, unique: int) -> None:
        """Order 6: OEIS A002860, A040082 and A003090."""
        puzzle = rk.puzzle("latin-square 6")
        table = rk.orbits(puzzle, up_to=up_to)
        assert (table.total, table.unique, table.engine) == (812851200, unique, "csp")
        assert len(list(rk.solve(puzzle, up_to=up_to))) == unique

    def test_graphs_without_a_triangle(self) -> None:
        """Nine vertices: OEIS A006785."""
        problem = rk.Problem()
        edge = {pair: problem.variable(str(pair), (0, 1)) for pair in combinations(range(9), 2)}
        for triangle in combinations(range(9), 3):
            problem.sum([edge[pair] for pair in combinations(triangle, 2)], "<=", 2)
        graphs, _ = rk.with_own_symmetry(problem.puzzle())
        found = rk.count(graphs, up_to="constraints")
        assert (found.total, found.unique) == (246348115, 1897)

    def test_graphs_without_symmetry_have_a_class_of_their_own(self) -> None:
        first = rk.orbits(rk.puzzle("ramsey 3 5 9")).classes[0]
        assert (first.symmetry, first.stabilizer, first.orbits) == ("no symmetry", 1, 77)


class TestTotalsAlone:
    """A group helps to find a total although nobody asks for classes."""

    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize(
        ("words", "total"), [("ramsey 3 5 13", 119750400), ("steiner-triples 13", 1197504000)]
    )
    def test_by_the_symmetry_of_the_catalog(self, words: str, total: int, workers: int) -> None:
        found = rk.count(rk.puzzle(words), up_to="none", workers=workers)
        assert (found.total, found.unique, found.left_out, found.engine) == (total, None, None, "csp")

    def test_by_symmetry_that_was_found(self) -> None:
        """It is asked for by --up-to constraints, and the total uses it in any case."""
        cover = lower(rk.puzzle("steiner-triples 13").model)
        puzzle, _ = rk.with_own_symmetry(Puzzle("triples", cover, "triples"))
        found = rk.count(puzzle)
        assert (found.total, found.unique, found.engine) == (1197504000, None, "csp")
        assert "used only on request, with --up-to constraints" in str(found.left_out)
        assert rk.count(puzzle, up_to="constraints").unique == 2

    @pytest.mark.parametrize("asked", [{"digest": True}, {"engine": "coloring-masks"}, {"limit": 10**9}])
    def test_other_questions_meet_every_solution(self, asked: dict[str, Any]) -> None:
        found = rk.count(rk.puzzle("ramsey 3 4 8"), up_to="none", **asked)
        assert (found.total, found.engine) == (17640, "coloring-masks")


class TestCombinations:
    def test_a_limit_of_representatives(self) -> None:
        puzzle = rk.puzzle("ramsey 3 5 9")
        every = list(rk.solve(puzzle, up_to="symmetry"))
        assert list(rk.solve(puzzle, up_to="symmetry", limit=7, workers=1)) == every[:7]

    def test_the_order_depends_neither_on_workers_nor_on_sizes(self) -> None:
        puzzle = rk.puzzle("ramsey 3 5 10")
        lists = [
            list(rk.solve(puzzle, up_to="symmetry", workers=workers, sizes=sizes))
            for workers, sizes in [(1, rk.Sizes()), (3, rk.Sizes(shards=64, block_rows=3, slice_nodes=50))]
        ]
        assert len(lists[0]) == 313
        assert lists[0] == lists[1]

    @pytest.mark.parametrize("shards", [1, 8])
    def test_sets_are_listed_in_the_order_of_comparison(self, shards: int, no_lists: None) -> None:
        """The 34 graphs with 5 vertices: an option is chosen before it is left out, so least sets come first."""
        cover = any_edges(5)
        orders = (1, 0, 2, 3, 4), (1, 2, 3, 4, 0)
        generators = tuple(renaming(list(combinations(range(5), 2)), order) for order in orders)
        puzzle = Puzzle("graphs", cover, "graphs", generators=generators)
        cut = {"shards_if_short": shards, "moment_nodes": 1, "short_moments": 1, "stream_nodes": 1}
        sizes = rk.Sizes(shards=shards, shards_to_stream=shards, block_rows=3, slice_nodes=5, **cut)
        rows = np.array(list(rk.solve(puzzle, up_to="symmetry", workers=1, sizes=sizes)))
        group = large_group_of_cover(cover, generators)
        assert group is not None
        places = np.argsort([*group.compared, len(cover.options)])  # the filler comes last
        in_order = np.sort(places[rows], axis=1).tolist()
        assert len(in_order) == 34
        assert in_order == sorted(in_order)

    def test_an_engine_that_is_named_lists_all_solutions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(groups, "MAX_LISTED_ATOMS", 1 << 10)
        groups._close.cache_clear()
        found = rk.count(rk.puzzle("ramsey 3 4 8"), engine="coloring-masks")
        assert (found.engine, found.total, found.unique) == ("coloring-masks", 17640, 3)

    def test_the_search_by_constraints_is_named(self) -> None:
        """It is accepted for a colouring only with a group that is too large to list."""
        puzzle = rk.puzzle("ramsey 3 5 9")
        assert rk.count(puzzle, engine="csp").unique == 290
        for up_to, words in (("symmetry", "hip 4"), ("none", "ramsey 3 5 9")):
            with pytest.raises(EngineRefuses, match="searches constraint satisfaction problems only"):
                rk.count(rk.puzzle(words), engine="csp", up_to=up_to)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_best_solutions(self, workers: int) -> None:
        """The most ones in a row of 20 without three in places that are congruent modulo 10: all of them."""
        problem = rk.Problem()
        cells = problem.variables([f"x{i}" for i in range(20)], (0, 1))
        total = problem.variable("total", range(21))
        problem.linear([1] * 20 + [-1], [*cells, total], "=", 0)
        problem.linear([1] * 20, cells, "<=", 12)
        problem.maximize(total)
        swaps = tuple(
            tuple(
                atom for i in (*range(k), k + 1, k, *range(k + 2, 21)) for atom in range(21 * i, 21 * i + 21)
            )
            for k in range(19)
        )
        found = rk.count(replace(problem.puzzle(), generators=swaps), workers=workers)
        assert (found.total, found.unique, found.optimum) == (comb(20, 12), 1, 12)

    def test_a_total_alone_needs_no_comparison_with_images(self) -> None:
        """Rooks on 8x8 that do not attack each other (OEIS A002720); the group has 3,251,404,800 elements.

        A row has so many images of its own that comparing it with them is stopped.
        """
        puzzle = rk.graph(named="rook 8 8").independent_sets()
        assert rk.count(puzzle, up_to="none").total == 1441729
        named = rk.count(puzzle, engine="coloring-counters", up_to="none")
        assert (named.total, named.engine) == (1441729, "coloring-counters")
        with pytest.raises(GroupTooLarge, match=r'without it: --up-to none \(in Python up_to="none"\)$'):
            rk.count(puzzle, up_to="constraints")

    def test_a_symmetry_that_is_declared_wrongly_hides_no_solution(self) -> None:
        """Of 20 cells the first is 1 or the second is 2, and a cell with 0 comes before both."""
        problem = rk.Problem()
        cells = problem.variables([f"x{i}" for i in range(20)], (0, 1, 2))
        problem.linear([1] * 20, cells, "<=", 6)
        problem.clause([(cells[0], 1, True), (cells[1], 2, True)])
        orders = [(*range(k), k + 1, k, *range(k + 2, 20)) for k in range(19)]
        swaps = tuple(tuple(3 * i + v for i in order for v in range(3)) for order in orders)
        puzzle = replace(problem.puzzle(), generators=swaps)
        for ask in (rk.count, rk.orbits, lambda one: list(rk.solve(one, up_to="symmetry"))):
            with pytest.raises(BadInput, match="generator 0 is not a symmetry"):
                ask(puzzle)
        assert list(rk.solve(puzzle, up_to="symmetry", limit=0)) == []

    def test_lost_orbits_are_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def losing(*arguments: Any) -> Finished:
            finished = sum_shard(*arguments)
            assert finished.ledger is not None
            finished.ledger.clear()
            return finished

        monkeypatch.setattr(import_module("rekkyo.ask.orbits"), "sum_shard", losing)
        with pytest.raises(CountsDisagree, match=r"the orbits hold 0 solutions, but \d+ were found"):
            rk.orbits(rk.puzzle("ramsey 3 5 9"))

    def test_a_row_that_is_not_least_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rekkyo.search.checks.lesser_image", lambda group, row: row)
        with pytest.raises(CountsDisagree, match=r"was given as the least of its orbit.*check: stabilizer"):
            rk.count(rk.puzzle("ramsey 3 5 9"))


def random_problems() -> list[Truth]:
    """Random models with symmetry, and their solutions by brute force."""
    drawn = (draw_truth(random.Random(seed), f"random {seed}") for seed in range(150))
    return [truth for truth in drawn if truth.puzzle.generators]


class TestRandomModels:
    @pytest.mark.parametrize("truth", random_problems(), ids=lambda truth: truth.puzzle.name)
    def test_counts_lists_and_orbits_are_those_of_brute_force(
        self, truth: Truth, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        puzzle, shape = truth.puzzle, truth.puzzle.model.row_shape
        group = close(shape, puzzle.generators)
        listed = OrbitSurvey(group)
        least = {listed.orbit(row)[0] for row in truth.rows}
        draw = random.Random(puzzle.name)
        for part in ("least", "least_set"):
            looks = draw.choice([0, 3, 50, 1000])
            monkeypatch.setattr(f"rekkyo.engines.csp.propagating.{part}.MOST_LOOKS", looks)
        monkeypatch.setattr(groups, "MAX_LISTED_ATOMS", max(64, group.order * shape.n_atoms - 1))
        groups._close.cache_clear()
        sizes = draw.choice([rk.Sizes(), rk.Sizes(shards=8, block_rows=3, slice_nodes=50)])
        found = rk.count(puzzle, sizes=sizes)
        rows = list(rk.solve(puzzle, up_to="symmetry", sizes=sizes))
        table = rk.orbits(puzzle, sizes=sizes)
        groups._close.cache_clear()
        assert (found.total, found.unique) == (table.total, table.unique) == (len(truth.rows), len(least))
        assert (len(rows), {listed.orbit(row)[0] for row in rows}) == (len(least), least)
