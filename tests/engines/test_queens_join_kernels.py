"""The kernels of the join engine against naive doubles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.queens.join import kernel_join as slicing
from rekkyo.engines.queens.join import lanes
from rekkyo.engines.queens.join.kernel_halves import mirror_keys, select_north, turn_keys
from rekkyo.engines.queens.join.kernel_join import MAX_LEVELS, JoinScratch, count_disjoint
from rekkyo.engines.queens.join.plan import SLACK, diagonals, make_masks, make_plan
from rekkyo.engines.queens.join.room import aligned_words
from tests.inner_kernels import from_python


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


@pytest.mark.parametrize("mask", range(1 << lanes.N_WORDS))
def test_chosen_words_are_stored_without_gaps_and_nothing_behind_them(mask: int) -> None:
    without = [not mask >> word & 1 for word in range(lanes.N_WORDS)]
    some = [2 * word + (not chosen) for word, chosen in enumerate(without)]
    behind = [99] * 2 * SLACK
    keys = np.array(some + behind, dtype=np.uint64)
    end = from_python(slicing._filter)(keys, *map(np.uint64, (0, 8, 1)))
    chosen = [key for key in some if key % 2 == 0]
    assert (int(end), keys.tolist()) == (8 + len(chosen), some + chosen + behind[len(chosen) :])
