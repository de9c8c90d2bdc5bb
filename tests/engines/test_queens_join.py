"""The join engine finds published totals, and agrees with brute force and with naive versions of its kernels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.engines.queens.join import blocked as joining
from rekkyo.engines.queens.join.blocked import MAX_BLOCKED_N, is_blocked_alike
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.engines.queens.join.plan import MAX_N
from rekkyo.errors import CountsDisagree, EngineRefuses
from rekkyo.model.queens import Queens
from tests import made_once as st
from tests.engines.listing_contract import list_all
from tests.naive import queens_solutions, square_symmetries

# OEIS A000170, A032522, A033148, each from n = 1.
TOTALS = [
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2680,
    14200,
    73712,
    365596,
    2279184,
    14772512,
    95815104,
    666090624,
]
HALF_TURN = [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184, 144620, 375664]
QUARTER_TURN = [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328, 3264]

engine = QueensJoin()


def count_all(n: int, at_least: int = 1) -> Tally:
    plan = engine.plan(Queens(n))
    shards = engine.split(plan, at_least)
    return engine.finish(plan, sum((engine.count(plan, shard, no_pause) for shard in shards), Tally(0, 0)))


def count_fixed(n: int, symmetry: tuple[int, ...]) -> Tally | None:
    return engine.count_fixed(engine.plan(Queens(n)), symmetry, no_pause, ALONE)


def atoms(n: int, move) -> tuple[int, ...]:
    images = [move((row, column)) for row in range(n) for column in range(n)]
    return tuple(row * n + column for row, column in images)


def turned(n: int, quarters: int) -> tuple[int, ...]:
    return atoms(n, square_symmetries(n)[quarters])


class TestTotals:
    @pytest.mark.kernel
    @pytest.mark.parametrize("n", range(1, 9))
    def test_small(self, n):
        assert count_all(n).total == TOTALS[n - 1]

    @pytest.mark.parametrize("n", range(9, 14))
    def test_published(self, n):
        assert count_all(n).total == TOTALS[n - 1]

    @pytest.mark.long
    @pytest.mark.parametrize("n", range(14, 19))
    def test_published_large(self, n):
        assert count_all(n).total == TOTALS[n - 1]

    def test_reports_work(self):
        assert count_all(10).nodes > 1000


class TestShards:
    @pytest.mark.kernel
    @pytest.mark.parametrize("n", [1, 2, 5, 6, 7])
    @pytest.mark.parametrize("at_least", [1, 2, 3, 100])
    def test_sum_is_independent_of_the_split(self, n, at_least):
        assert count_all(n, at_least) == count_all(n)

    @pytest.mark.parametrize("n", [11, 12, 13])
    @pytest.mark.parametrize("at_least", [2, 7, 36, 64, 101])
    def test_sum_is_independent_of_the_split_larger(self, n, at_least):
        assert count_all(n, at_least) == count_all(n)

    def test_numbered_and_enough(self):
        plan = engine.plan(Queens(12))
        shards = engine.split(plan, 10)
        assert [shard.index for shard in shards] == list(range(10))
        assert engine.split(plan, 10) == shards

    def test_never_more_than_row_sets(self):
        plan = engine.plan(Queens(4))
        assert 1 <= len(engine.split(plan, 1000)) <= len(plan.board.started) + len(plan.board.flagged)

    def test_large_boards_are_cut_finely(self):
        assert len(engine.split(engine.plan(Queens(18)), 1)) >= 4

    @pytest.mark.parametrize(("n", "parts", "spread"), [(14, 2, 1.1), (15, 4, 1.05), (16, 4, 1.1)])
    def test_shards_are_alike(self, n, parts, spread):
        plan = engine.plan(Queens(n))
        nodes = [engine.count(plan, shard, no_pause).nodes for shard in engine.split(plan, parts)]
        assert max(nodes) < spread * min(nodes)

    def test_threads(self):
        plan = engine.plan(Queens(14))
        shards = engine.split(plan, 16)
        with ThreadPoolExecutor(2) as workers:
            tallies = list(workers.map(lambda shard: engine.count(plan, shard, no_pause), shards))
        assert tallies == [engine.count(plan, shard, no_pause) for shard in shards]
        assert engine.finish(plan, sum(tallies, Tally(0, 0))).total == TOTALS[13]


class TestFixed:
    @pytest.mark.parametrize("n", range(1, 15))
    def test_half_turn(self, n):
        assert count_fixed(n, turned(n, 2)).total == HALF_TURN[n - 1]

    @pytest.mark.parametrize("n", range(1, 14))
    @pytest.mark.parametrize("quarters", [1, 3])
    def test_quarter_turn(self, n, quarters):
        assert count_fixed(n, turned(n, quarters)).total == QUARTER_TURN[n - 1]

    @pytest.mark.long
    def test_turns_large(self):
        for n in range(14, 22):
            assert count_fixed(n, turned(n, 2)).total == HALF_TURN[n - 1]
            assert count_fixed(n, turned(n, 1)).total == QUARTER_TURN[n - 1]

    @pytest.mark.kernel
    @pytest.mark.parametrize("n", range(1, 8))
    def test_against_brute_force(self, n):
        solutions = [{(r, c) for r, c in enumerate(row)} for row in queens_solutions(n)]
        for move in square_symmetries(n)[1:]:
            unchanged = sum({move(square) for square in solution} == solution for solution in solutions)
            assert count_fixed(n, atoms(n, move)).total == unchanged

    def test_identity_is_the_total(self):
        assert count_fixed(6, tuple(range(36))) is None

    def test_other_permutations_are_not_offered(self):
        swapped = (1, 0, *range(2, 36))
        assert count_fixed(6, swapped) is None
        assert count_fixed(6, (0, 1)) is None

    def test_burnside(self):
        n = 8
        fixed = [count_fixed(n, atoms(n, move)) for move in square_symmetries(n)[1:]]
        assert (count_all(n).total + sum(tally.total for tally in fixed)) // 8 == 12


@st.composite
def blocked_boards(draw):
    """Boards with blocked squares, given queens, or both."""
    n = draw(st.integers(1, 6))
    squares = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    blocked = draw(st.frozensets(squares, max_size=6))
    given = draw(st.frozensets(squares, max_size=2)) - blocked
    return Queens(n, blocked=blocked if blocked or given else frozenset({(0, 0)}), given=given)


def count_joined(model):
    plan = engine.plan(model)
    return sum((engine.count(plan, shard, no_pause) for shard in engine.split(plan, 1)), Tally(0, 0)).total


class TestBlockedBoards:
    @pytest.mark.kernel
    @given(model=blocked_boards())
    def test_against_the_definition(self, model):
        expected = len(queens_solutions(model.n, model.blocked, model.given))
        assert count_joined(model) == expected

    @pytest.mark.parametrize("n", [10, 11, 12])
    def test_one_square_blocked_or_given_is_every_solution(self, n):
        """The lists of halves are long, and the number of solutions is published."""
        square = frozenset({(n // 3, 1)})
        blocked, there = Queens(n, blocked=square), Queens(n, given=square)
        assert count_joined(blocked) + count_joined(there) == TOTALS[n - 1]

    def test_threads_share_no_array_that_is_used_again(self, monkeypatch):
        """A list has up to five parts of 300 halves. Each of four threads may put one more than MOST_SPARE."""
        monkeypatch.setattr(joining, "PART_HALVES", 300)
        monkeypatch.setattr(joining, "MOST_SPARE", 3)
        monkeypatch.setattr(joining, "_spare", [])
        model = Queens(10, blocked=frozenset({(0, 1), (4, 4)}))
        plan, expected = engine.plan(model), len(list_all(QueensBitmap(), model, 1, 1000, 1 << 20))
        with ThreadPoolExecutor(4) as workers:
            for _ in range(5):
                tallies = workers.map(
                    lambda shard: engine.count(plan, shard, no_pause), engine.split(plan, 1)
                )
                assert sum(tally.total for tally in tallies) == expected
        assert 3 <= len(joining._spare) < 3 + 4

    def test_against_row_by_row(self):
        model = Queens(12, blocked=frozenset({(0, 0), (3, 5), (7, 2), (9, 11)}))
        assert count_joined(model) == len(list_all(QueensBitmap(), model, 1, 4096, 1 << 30))

    def test_reports_work(self):
        """The nodes are those above the last rows of halves, the halves, and pairs of them."""
        plan = engine.plan(Queens(8, blocked=frozenset({(0, 0)})))
        tallies = [engine.count(plan, shard, no_pause) for shard in engine.split(plan, 1)]
        assert sum(tallies, Tally(0, 0)) == Tally(88, 3077)

    @pytest.mark.parametrize(
        ("squares", "is_alike"),
        [
            ([], False),
            ([(0, 1)], False),
            ([(0, 0)], True),
            ([(0, 1), (0, 4)], True),
            ([(0, 1), (5, 1)], True),
            ([(0, 1), (5, 4)], True),
            ([(0, 1), (1, 5), (5, 4), (4, 0)], True),
            ([(0, 1), (4, 5)], True),
        ],
    )
    def test_boards_that_some_symmetry_keeps(self, squares, is_alike):
        for model in (Queens(6, blocked=frozenset(squares)), Queens(6, given=frozenset(squares))):
            assert is_blocked_alike(model) is is_alike


class TestRefusals:
    def test_only_flat_boards(self):
        with pytest.raises(EngineRefuses, match="queens-join counts only flat boards, not the torus"):
            engine.plan(Queens(8, toroidal=True))

    def test_blocked_squares_on_large_boards(self):
        assert engine.accepts(Queens(MAX_BLOCKED_N, blocked=frozenset({(0, 0)})))
        with pytest.raises(EngineRefuses, match="blocked squares or given queens up to 16x16"):
            engine.plan(Queens(MAX_BLOCKED_N + 1, given=frozenset({(0, 0)})))

    def test_too_large(self):
        assert engine.accepts(Queens(MAX_N))
        with pytest.raises(EngineRefuses, match=f"up to {MAX_N}x{MAX_N}"):
            engine.plan(Queens(MAX_N + 1))

    def test_other_models(self):
        class Other:
            row_shape = Queens(1).row_shape

        assert engine.refusal(Other()) == "counts queens models only"

    def test_inexact_total(self):
        plan = engine.plan(Queens(4))
        with pytest.raises(CountsDisagree, match="not a multiple of 3"):
            engine.finish(plan, Tally(7, 0))


def test_quadrants_are_joined_from_13_rows_on_once_that_is_compiled() -> None:
    QueensJoin().compile(Queens(13))
    assert [QueensJoin().pays_off(Queens(n)) for n in (12, 13)] == [False, True]
    found = rk.count(rk.puzzle("queens 13"))
    assert (found.engine, found.total, found.unique) == ("queens-join", 73712, 9233)  # OEIS A000170, A002562


def test_symmetric_boards_are_joined_for_a_total_alone() -> None:
    """Their orbits need the rows of the solutions."""
    puzzle = rk.puzzle("queens 12 --blocked 0,0")
    QueensJoin().compile(puzzle.model)
    alone, both = rk.count(puzzle, up_to="none"), rk.count(puzzle)
    assert (alone.engine, both.engine) == ("queens-join", "queens-bitmap")
    assert alone.total == both.total


def test_halves_are_chosen_from_12_rows_on_once_they_are_compiled() -> None:
    """The totals are those of the search row by row."""
    assert not QueensJoin().pays_off(Queens(12))
    blocked, given = Queens(12, blocked=frozenset({(0, 0), (5, 6)})), Queens(12, given=frozenset({(0, 1)}))
    QueensJoin().compile(blocked)
    assert QueensJoin().pays_off(blocked)
    assert not QueensJoin().pays_off(given)
    found = rk.count(rk.Puzzle("blocked", blocked, ""), up_to="none")
    again = rk.count(rk.Puzzle("blocked", blocked, ""), engine="queens-bitmap", up_to="none")
    assert (found.engine, found.total) == ("queens-join", again.total)
