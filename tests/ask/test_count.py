"""Counting: published numbers by every engine, two ways to unique, limits, digests, workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask.free import Part
from rekkyo.catalog.entry import table
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.engines.contract import ListingEngine, Tally
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.engines.registry import engines_for
from rekkyo.errors import BadInput, CountsDisagree, EngineRefuses, UnknownEngine
from rekkyo.export.cnf_file import read_cnf
from rekkyo.model.csp.constraints import AT_MOST, Linear
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from tests import naive

PUBLISHED = table("queens")


def long_from(first_long: int, sizes: range) -> list[object]:
    return [n if n < first_long else pytest.param(n, marks=pytest.mark.long) for n in sizes]


@pytest.mark.parametrize("n", long_from(13, range(1, 19)))
def test_queens_by_the_bitmap_engine(n: int) -> None:
    result = rk.count(rk.queens(n), engine="queens-bitmap")
    known = PUBLISHED["queens", str(n)]
    assert (result.total, result.unique, result.complete) == (known.total, known.unique, True)


@pytest.mark.parametrize("n", long_from(17, range(1, 21)))
def test_queens_by_the_joining_engine(n: int) -> None:
    result = rk.count(rk.queens(n), engine="queens-join")
    known = PUBLISHED["queens", str(n)]
    assert (result.total, result.unique, result.complete) == (known.total, known.unique, True)


@pytest.mark.parametrize(
    "n", [5, 7, 9, 11, 13, *(pytest.param(n, marks=pytest.mark.long) for n in (15, 17, 19))]
)
def test_toroidal_queens(n: int) -> None:
    result = rk.count(rk.queens(n, toroidal=True))
    assert result.total == PUBLISHED["queens toroidal", str(n)].total


@pytest.mark.parametrize("n", [4, 6, 7])
@pytest.mark.parametrize("toroidal", [False, True])
def test_unique_is_the_number_of_geometric_orbits(n: int, toroidal: bool) -> None:
    puzzle = rk.queens(n, toroidal=toroidal)
    rows = naive.queens_solutions(n, toroidal=toroidal)
    orbits = naive.orbits(rows, naive.square_symmetries(n, toroidal))
    result = rk.count(puzzle)
    assert (result.total, result.unique) == (len(rows), len(orbits))


@given(
    blocked=st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4),
    placed=st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=1),
)
def test_unique_with_blocked_and_given_squares(
    blocked: frozenset[tuple[int, int]], placed: frozenset[tuple[int, int]]
) -> None:
    placed -= blocked
    rows = naive.queens_solutions(6, blocked, placed)
    orbits = naive.orbits(rows, naive.keeping(naive.square_symmetries(6), blocked, placed))
    result = rk.count(rk.queens(6, blocked=blocked, given=placed))
    assert (result.total, result.unique) == (len(rows), len(orbits))


def test_given_queens_that_attack_each_other_are_no_error() -> None:
    result = rk.count(rk.queens(8, given=[(0, 0), (1, 1)]))
    assert (result.total, result.unique) == (0, 0)


class TestWithoutSymmetry:
    def test_unique_is_left_out(self) -> None:
        result = rk.count(rk.queens(8), up_to="none")
        assert (result.total, result.unique) == (92, None)

    def test_by_joining_too(self) -> None:
        result = rk.count(rk.queens(8), up_to="none", engine="queens-join")
        assert (result.total, result.unique) == (92, None)

    def test_other_words_are_refused(self) -> None:
        with pytest.raises(
            BadInput,
            match='up to "rotation" is not known for queens 8; use one of: symmetry, rotations, none',
        ):
            rk.count(rk.queens(8), up_to="rotation")


class TestLimit:
    @pytest.mark.parametrize("limit", [0, 1, 50, 91])
    def test_stops_there(self, limit: int) -> None:
        result = rk.count(rk.queens(8), limit=limit)
        assert (result.total, result.unique, result.complete) == (limit, None, False)

    def test_is_no_limit_when_it_is_not_reached(self) -> None:
        result = rk.count(rk.queens(8), limit=93)
        assert (result.total, result.complete) == (92, True)

    @pytest.mark.parametrize("limit", [-1, 1.5, "9"])
    def test_must_be_a_whole_number(self, limit: object) -> None:
        with pytest.raises(BadInput, match="the limit must be a whole number from 0"):
            rk.count(rk.queens(8), limit=limit)  # type: ignore[arg-type]

    def test_needs_an_engine_that_lists(self) -> None:
        with pytest.raises(
            EngineRefuses, match="queens-join counts without listing; to list, use one of: queens-bitmap"
        ):
            rk.count(rk.queens(8), limit=5, engine="queens-join")

    def test_ends_a_search_that_would_never_end(self) -> None:
        assert rk.count(rk.queens(24), limit=1000).total == 1000


class TestDigest:
    def test_is_the_same_whatever_the_number_of_workers(self) -> None:
        digests = {rk.count(rk.queens(8), digest=True, workers=workers).digest for workers in (1, 2, 5)}
        assert len(digests) == 1

    def test_tells_two_puzzles_apart(self) -> None:
        whole, fewer = (rk.count(rk.queens(8, blocked=b), digest=True).digest for b in ([], [(0, 0)]))
        assert whole != fewer

    def test_is_of_all_solutions_or_none(self) -> None:
        with pytest.raises(BadInput, match="a digest is of all solutions; leave out either"):
            rk.count(rk.queens(8), digest=True, limit=5)


class TestEngines:
    def test_unknown_names_are_refused_with_the_nearest(self) -> None:
        with pytest.raises(
            UnknownEngine, match=r'unknown engine "queens-jion"; did you mean "queens-join"\?'
        ):
            rk.count(rk.queens(8), engine="queens-jion")

    def test_an_engine_that_does_not_accept_the_model_says_why(self) -> None:
        with pytest.raises(EngineRefuses, match="engine queens-join counts only flat boards, not the torus"):
            rk.count(rk.queens(8, toroidal=True), engine="queens-join")
        with pytest.raises(EngineRefuses, match="with blocked squares or given queens up to 16x16"):
            rk.count(rk.queens(17, blocked=[(0, 0)]), engine="queens-join")

    def test_the_joining_engine_is_chosen_where_it_pays_off(self) -> None:
        assert rk.count(rk.queens(8)).engine == "queens-bitmap"
        assert rk.count(rk.queens(14)).engine == "queens-join"
        board = {"blocked": [(0, 1)], "given": [(k, (5 * k + 3) % 14) for k in range(3)]}
        assert rk.count(rk.queens(14, **board)).engine == "queens-bitmap"
        assert rk.count(rk.queens(14, blocked=[(0, 1)])).engine == "queens-join"

    def test_orbits_of_a_board_with_blocked_squares_are_not_lost(self) -> None:
        """Blocked corners keep all symmetry, for which the joining engine would have no rows."""
        corners = [(0, 0), (0, 13), (13, 0), (13, 13)]
        count = rk.count(rk.queens(14, blocked=corners))
        joined = rk.count(rk.queens(14, blocked=corners), engine="queens-join")
        assert (count.engine, joined.engine) == ("queens-bitmap", "queens-join")
        assert count.total == joined.total
        assert count.unique is not None
        assert joined.unique is None

    @pytest.mark.parametrize("workers", [0, -1, 1.0, 10**6])
    def test_the_number_of_workers_is_bounded(self, workers: object) -> None:
        with pytest.raises(BadInput, match="the number of workers must be 1 to 1024"):
            rk.count(rk.queens(8), workers=workers)  # type: ignore[arg-type]


ASKING: dict[str, Callable[[Any, Path], object]] = {
    "count": lambda what, _: rk.count(what),
    "count to a limit": lambda what, _: rk.count(what, limit=1),
    "solve": lambda what, _: next(rk.solve(what)),
    "solve_blocks": lambda what, _: next(rk.solve_blocks(what)),
    "orbits": lambda what, _: rk.orbits(what),
    "sample": lambda what, _: rk.sample(what),
    "estimate": lambda what, _: rk.estimate(what),
    "stats": lambda what, _: rk.stats(what),
    "diagram": lambda what, _: rk.diagram(what),
    "load_diagram": lambda what, folder: rk.load_diagram(folder / "none", what),
    "run": lambda what, folder: rk.run(what, folder / "run"),
}


@pytest.mark.parametrize("what", ["queens 8", rk.Queens(8), 8, None], ids=repr)
@pytest.mark.parametrize("name", ASKING)
def test_what_is_no_puzzle_is_refused(name: str, what: object, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a puzzle is expected, such as"):
        ASKING[name](what, tmp_path)
    assert list(tmp_path.iterdir()) == []


class TestDisagreement:
    """Faults put in on purpose: a wrong number must never come out as a result."""

    def test_a_group_that_is_not_the_puzzles_breaks_the_orbit_identity(self) -> None:
        puzzle = rk.queens(6, blocked=[(0, 1)])
        wrong = Puzzle(puzzle.name, puzzle.model, puzzle.title, rk.queens(6).generators)
        with pytest.raises(BadInput, match="generator 0 is not a symmetry"):
            rk.count(wrong)
        found = replace(wrong, symmetry_was_searched=True)  # and so not what a caller declared
        with pytest.raises(CountsDisagree, match="the orbits hold 0 solutions, but 3 were found"):
            rk.count(found)

    @pytest.mark.parametrize(
        ("fixed", "complaint"),
        [
            (1, "a symmetry of order 2 cannot leave 1 of 92 solutions unchanged"),
            (94, "a symmetry of order 2 cannot leave 94 of 92 solutions unchanged"),
            (2, "total 92 and 14 symmetric solutions do not fit a group of 8"),
        ],
    )
    def test_fixed_solutions_that_do_not_fit_the_total_are_reported(
        self, monkeypatch: pytest.MonkeyPatch, fixed: int, complaint: str
    ) -> None:
        monkeypatch.setattr(QueensJoin, "count_fixed", lambda *_: Tally(fixed, 0))
        with pytest.raises(CountsDisagree, match=complaint):
            rk.count(rk.queens(8), engine="queens-join")

    def test_an_engine_that_cannot_count_fixed_solutions_says_so(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(QueensJoin, "count_fixed", lambda *_: None)
        result = rk.count(rk.queens(8), engine="queens-join")
        assert (result.total, result.unique) == (92, None)
        assert result.left_out == "engine queens-join cannot count what a symmetry leaves unchanged here"


@pytest.mark.parametrize("n", [6, 12])
def test_watchers_see_the_search_and_an_end(n: int) -> None:
    seen: list[rk.Progress] = []
    result = rk.count(rk.queens(n), watch=seen.append, engine="queens-bitmap")
    assert seen[-1].shards_done == seen[-1].n_shards
    assert seen[-1].found == result.total
    assert seen[-1].nodes == result.nodes
    assert seen[-1].remaining_s == (0.0, 0.0)


@pytest.mark.parametrize(
    ("words", "total"),
    [
        # Brute force over all 3^16 colourings.
        ("hip 4 --colors 3 --any-balance", 21_388_062),
        # By `coloring-counters` without symmetry.
        ("van-der-waerden 4 5 26", 88_379),
    ],
)
def test_a_block_keeps_its_own_stabilizers(words: str, total: int) -> None:
    """Engines write the stabilizers of every slice into the same array; these searches have several slices."""
    puzzle = rk.puzzle(words)
    assert rk.count(puzzle).total == total


@pytest.mark.parametrize(
    "words", ["magic-star 6", "hip 6", "schur 3 13", "langford 8", "pentominoes 3 20", "queens 7"]
)
@pytest.mark.parametrize("workers", [1, 2])
def test_symmetry_helps_to_find_a_total_and_a_digest_sees_every_solution(words: str, workers: int) -> None:
    puzzle = rk.puzzle(words)
    for engine in engines_for(lower(puzzle.model)):
        if not isinstance(engine, ListingEngine) or engine.name in ("csp-plain", "csp-diagram"):
            continue
        how: dict[str, Any] = {"engine": engine.name, "workers": workers}
        total = rk.count(puzzle, up_to="none", **how)
        sorted_into_orbits = rk.count(puzzle, **how)
        every = rk.count(puzzle, up_to="none", digest=True, **how)
        assert (total.unique, every.unique) == (None, None)
        assert total.total == every.total == sorted_into_orbits.total
        assert total.nodes <= sorted_into_orbits.nodes <= every.nodes
        assert len(set(rk.solve(puzzle, up_to="none", **how))) == every.total


@pytest.mark.parametrize(
    ("words", "nodes"),
    [("schur 4 15", 16), ("hip 3 4 --colors 3 --any-balance", 4), ("semimagic-square 3", 10)],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_total_uses_symmetry_beyond_what_sorts(words: str, nodes: int, workers: int) -> None:
    """Colours exchanged, rows and columns exchanged: the total takes that many times fewer nodes."""
    puzzle = rk.puzzle(words)
    total = rk.count(puzzle, up_to="none", workers=workers)
    every = rk.count(puzzle, up_to="none", digest=True, workers=workers)
    assert total.total == every.total
    assert total.unique is None
    assert nodes * total.nodes < every.nodes


def test_a_total_of_constraints_takes_fewer_nodes_with_symmetry_and_other_engines_search_all() -> None:
    problem = rk.Problem()
    queens = problem.variables([f"row {r}" for r in range(8)], range(8))
    problem.all_different(queens)
    for one, other in combinations(range(8), 2):
        for step in (other - one, one - other):
            problem.linear((1, -1), (queens[one], queens[other]), "!=", step)
    puzzle = with_own_symmetry(problem.puzzle("queens 8"))[0]
    total = rk.count(puzzle, up_to="none", engine="csp")
    every = rk.count(puzzle, up_to="none", engine="csp", digest=True)
    assert (total.total, every.total) == (92, 92)
    assert 2 * total.nodes < every.nodes
    plain = rk.count(puzzle, up_to="none", engine="csp-plain")
    assert (plain.total, plain.unique) == (92, None)


def test_a_total_needs_no_symmetry_that_is_too_large_to_list() -> None:
    """All 12! exchanges of the values of one variable."""
    values = list(range(12))
    swap, turn = (1, 0, *values[2:]), (*values[1:], 0)
    model = Csp(("a",), (tuple(values),))
    puzzle = Puzzle("values", model, "any of 12 values", generators=(swap, turn))
    assert rk.count(puzzle, up_to="none").total == 12
    assert (rk.count(puzzle).total, rk.count(puzzle).unique) == (12, 1)


class TestFreeVariables:
    """Variables that no constraint names: all their values go with every solution of the others."""

    def test_are_not_searched(self) -> None:
        result = rk.count(Puzzle("f.cnf", read_cnf("p cnf 5000 1\n2 5000 0\n", "f.cnf"), "a formula"))
        assert (result.total, result.unique, result.up_to) == (3 << 4998, None, "symmetry")
        assert result.nodes < 100
        assert result.left_out == "no symmetry of f.cnf is known"

    @pytest.mark.parametrize("solution", [(), (0,), (1, 2), (0, 1, 3), (3, 4)])
    @pytest.mark.parametrize("objective", [None, Objective(1, maximize=True), Objective(3, maximize=False)])
    def test_total_is_that_of_an_engine_that_searches_all(
        self, solution: tuple[int, ...], objective: Objective | None
    ) -> None:
        domains = ((0, 1, 2), (0, 1, 2, 3), (5, 7), (0, 1, 2), (4,))
        model = Csp(tuple("abcde"), domains, (Linear((1, 1), (0, 3), AT_MOST, 2),), solution, objective)
        puzzle = Puzzle("free", model, "Free variables")
        found = rk.count(puzzle)
        named = rk.count(puzzle, engine="csp")
        assert (found.total, found.optimum) == (named.total, named.optimum)
        assert found.total == len(list(rk.solve(puzzle)))

    @pytest.mark.parametrize("n_free", [2, 3000])
    def test_progress_tells_what_is_found_of_all_variables(self, n_free: int) -> None:
        """6! times 36 solutions; nothing is told of more than a float holds."""
        problem = rk.Problem()
        problem.all_different(problem.variables("abcdef", range(6)))
        problem.variables(map(str, range(n_free)), range(6))
        told: list[rk.Progress] = []
        total = rk.count(problem.puzzle(), watch=told.append).total
        assert total == 720 * 6**n_free
        assert told[-1].found == (total if n_free == 2 else 0)

    def test_progress_tells_what_is_expected_of_all_variables(self) -> None:
        told: list[rk.Progress] = []
        part = rk.Progress(2, 5, 1, 2, 0.1, None, expected=(1.0, 3.0))
        Part(rk.queens(1), "none", 36).report(told.append, part)
        assert told == [replace(part, found=72, expected=(36.0, 108.0))]

    def test_are_part_of_orbits(self) -> None:
        puzzle, _ = with_own_symmetry(Puzzle("f.cnf", read_cnf("p cnf 3 1\n1 2 0\n", "f.cnf"), "a formula"))
        result = rk.count(puzzle)
        orbits = {
            frozenset(((a, b, c), (b, a, c), (a, b, 1 - c), (b, a, 1 - c))) for a, b, c in rk.solve(puzzle)
        }
        assert (result.total, result.unique) == (6, len(orbits))
