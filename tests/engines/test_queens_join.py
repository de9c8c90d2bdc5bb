"""The join engine against published totals, brute force, and naive doubles of its kernels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.engines.queens.join import blocked as joining
from rekkyo.engines.queens.join import kernel_join as slicing
from rekkyo.engines.queens.join import lanes
from rekkyo.engines.queens.join.blocked import MAX_BLOCKED_N, is_blocked_alike
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.engines.queens.join.kernel_halves import mirror_keys, select_north, turn_keys
from rekkyo.engines.queens.join.kernel_join import MAX_LEVELS, JoinScratch, count_disjoint
from rekkyo.engines.queens.join.plan import MAX_N, SLACK, diagonals, make_masks, make_plan
from rekkyo.engines.queens.join.room import aligned_words
from rekkyo.errors import CountsDisagree, EngineRefuses
from rekkyo.model.queens import Queens
from tests.engines.listing_contract import list_all
from tests.inner_kernels import from_python
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
def blocked_boards(draw, largest=6):
    """Boards with blocked squares, given queens, or both."""
    n = draw(st.integers(1, largest))
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
        """Long lists of halves, whose number is published."""
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
        """Nodes above the last rows of halves, halves, and pairs of them."""
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


def padded(keys) -> np.ndarray:
    """The list with slack behind it; the slack is zero, which a kernel must not take for keys."""
    return np.concatenate([np.asarray(keys, np.uint64), np.zeros(SLACK, np.uint64)])


def random_keys(rng, n_keys: int, n_bits: int, density: float) -> np.ndarray:
    bits = rng.random((n_keys, n_bits)) < density
    return (bits * (1 << np.arange(n_bits, dtype=np.uint64))).sum(axis=1).astype(np.uint64)


def naive_count(left, right) -> int:
    right = np.asarray(right, np.uint64)
    return sum(int(((key & right) == 0).sum()) for key in left)


def join_scratch(n_left: int) -> JoinScratch:
    return JoinScratch(
        np.empty(n_left + SLACK, np.uint64),
        np.empty(n_left + SLACK, np.uint64),
        aligned_words(slicing.SLICE_WORDS),
        aligned_words(slicing.TABLE_WORDS),
        np.empty((MAX_LEVELS + 2, 5), np.uint64),
    )


def joined(left, right, n_bits: int, room: int = 5) -> tuple[int, int]:
    kept = np.concatenate([padded(right), np.zeros((room - 1) * len(right), np.uint64)])
    found, compared = from_python(count_disjoint)(
        padded(left),
        np.uint64(len(left)),
        kept,
        np.uint64(len(right)),
        np.uint64(n_bits),
        join_scratch(len(left)),
    )
    return int(found), int(compared)


def sliced(left, right, n_bits: int) -> int:
    room = aligned_words(slicing.SLICE_WORDS), aligned_words(slicing.TABLE_WORDS)
    return int(from_python(slicing.count_sliced)(part(left), part(right), np.uint64(n_bits), *room))


def direct(left, right) -> int:
    return int(from_python(slicing.count_direct)(part(left), part(right)))


def part(keys) -> slicing.Part:
    return slicing.Part(padded(keys), np.uint64(0), np.uint64(len(keys)))


SIZES = [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1025]


class TestJoinKernels:
    @pytest.mark.parametrize("n_left", SIZES)
    @pytest.mark.parametrize("n_right", SIZES)
    @pytest.mark.parametrize("n_bits", [2, 30, 34])
    def test_sizes_around_the_edges(self, n_left, n_right, n_bits):
        rng = np.random.default_rng(n_left * 10_000 + n_right)
        left = random_keys(rng, n_left, n_bits, 0.3)
        right = random_keys(rng, n_right, n_bits, 0.3)
        expected = naive_count(left, right)
        assert direct(left, right) == expected
        assert sliced(left, right, n_bits) == expected
        assert joined(left, right, n_bits)[0] == expected

    @pytest.mark.parametrize("n_bits", [0, 1, 5, 6, 7, 18, 19, 24, 25, 36, 37, 42, 43, 46, 48])
    def test_every_number_of_tables(self, n_bits):
        rng = np.random.default_rng(n_bits)
        left, right = random_keys(rng, 700, n_bits, 0.15), random_keys(rng, 300, n_bits, 0.15)
        assert sliced(left, right, n_bits) == naive_count(left, right)
        assert joined(left, right, n_bits)[0] == naive_count(left, right)

    @pytest.mark.kernel
    @pytest.mark.parametrize(("n_left", "n_right"), [(0, 3), (3, 0), (1, 1), (9, 5), (66, 3)])
    def test_tiny(self, n_left, n_right):
        rng = np.random.default_rng(n_left)
        left, right = random_keys(rng, n_left, 14, 0.3), random_keys(rng, n_right, 14, 0.3)
        assert direct(left, right) == naive_count(left, right)
        assert sliced(left, right, 14) == naive_count(left, right)
        assert joined(left, right, 14)[0] == naive_count(left, right)

    @given(
        st.integers(0, 3000),
        st.integers(0, 1500),
        st.integers(1, 46),
        st.floats(0.05, 0.7),
        st.integers(0, 2**32 - 1),
    )
    def test_any_lists(self, n_left, n_right, n_bits, density, seed):
        rng = np.random.default_rng(seed)
        left = random_keys(rng, n_left, n_bits, density)
        right = random_keys(rng, n_right, n_bits, density / 2)
        found, compared = joined(left, right, n_bits)
        assert found == naive_count(left, right)
        assert found <= compared <= n_left * n_right

    @pytest.mark.parametrize("room", [1, 2, 3])
    def test_splits_no_deeper_than_there_is_room(self, room):
        rng = np.random.default_rng(5)
        left, right = random_keys(rng, 9000, 30, 0.3), random_keys(rng, 900, 30, 0.1)
        assert joined(left, right, 30, room)[0] == naive_count(left, right)

    def test_the_sieve_leaves_out_pairs(self):
        rng = np.random.default_rng(6)
        left, right = random_keys(rng, 9000, 30, 0.5), random_keys(rng, 900, 30, 0.5)
        assert joined(left, right, 30)[1] < 9000 * 900 // 2

    def test_equal_keys_do_not_split_forever(self):
        keys = np.full(5000, 1, np.uint64)
        assert joined(keys, keys, 30)[0] == 0
        assert joined(keys, keys << np.uint64(1), 30)[0] == 25_000_000


class TestSlices:
    @pytest.mark.kernel
    def test_slices_are_transposed(self):
        rng = np.random.default_rng(3)
        keys = rng.integers(0, 2**64, 37, dtype=np.uint64)
        slices = aligned_words(slicing.SLICE_WORDS)
        from_python(slicing.slice_keys)(part(keys), np.uint64(64), slices)
        for bit in range(64):
            for i in range(37):
                word = int(slices[bit * lanes.N_WORDS + i % 8])
                assert word >> (i // 8) & 1 == int(keys[i]) >> bit & 1


class TestLayout:
    """The symmetries of a key against the squares that they move."""

    @pytest.mark.kernel
    @pytest.mark.parametrize("n", [2, 3, 6, 7, 8])
    def test_mirror_turn_and_flip(self, n):
        masks = make_masks(n)
        last = n - 1
        squares = [(row, column) for row in range(n) for column in range(n)]
        keys = padded([diagonals(n, row, column) for row, column in squares])
        n_keys = np.uint64(len(squares))
        mirrored, half_turned, flipped = keys.copy(), keys.copy(), keys.copy()
        from_python(mirror_keys)(mirrored, n_keys, masks)
        from_python(turn_keys)(half_turned, n_keys, masks)
        zero = np.uint64(0)
        assert from_python(select_north)(keys, masks, zero, n_keys, zero, flipped) == n_keys
        for i, (row, column) in enumerate(squares):
            assert mirrored[i] == diagonals(n, row, last - column)
            assert half_turned[i] == diagonals(n, last - row, last - column)
            assert flipped[i] == diagonals(n, last - row, column)

    @pytest.mark.parametrize("n", [4, 6, 8, 10])
    def test_quadrant_table_against_brute_force(self, n):
        plan = make_plan(n)
        side = n // 2
        bounds = plan.board.quadrants.bounds
        boards = [set()]
        for row in range(side):
            boards += [
                board | {(row, column)}
                for board in boards
                for column in range(side)
                if all(c != column and abs(c - column) != row - r for r, c in board)
            ]
        assert len(boards) == bounds[-1]
        rows, columns = {0, 1}, {0, side - 1}
        bucket = sum(1 << row for row in rows) << side | sum(1 << column for column in columns)
        expected = sorted(
            sum({diagonals(n, n - 1 - r, c) for r, c in board})
            if len(board) < 2
            else int(np.bitwise_or.reduce([diagonals(n, n - 1 - r, c) for r, c in board]))
            for board in boards
            if {r for r, _ in board} == rows and {c for _, c in board} == columns
        )
        keys = plan.board.quadrants.keys[bounds[bucket] : bounds[bucket + 1]] & ~plan.board.masks.columns
        assert sorted(int(key) for key in keys) == expected

    @pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 16, 17])
    def test_keys_fit(self, n):
        plan = make_plan(n)
        assert plan.board.n_bits + n % 2 + n // 2 <= 64


def test_quadrants_are_joined_from_13_rows_on_once_that_is_compiled() -> None:
    QueensJoin().compile(Queens(13))
    assert [QueensJoin().pays_off(Queens(n)) for n in (12, 13)] == [False, True]
    found = rk.count(rk.puzzle("queens 13"))
    assert (found.engine, found.total, found.unique) == ("queens-join", 73712, 9233)  # OEIS A000170, A002562


def test_symmetric_boards_are_joined_for_a_total_alone() -> None:
    """Their orbits need the rows."""
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
