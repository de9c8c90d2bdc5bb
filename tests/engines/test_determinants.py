"""Determinants modulo primes: elimination by fractions, the bound, and numbers from their remainders."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.determinants.band_kernel import determinant
from rekkyo.engines.determinants.banded import Banded
from rekkyo.engines.determinants.determinant import Elimination, determinant_by
from rekkyo.engines.determinants.engine import DeterminantPlan
from rekkyo.engines.determinants.matchings import CoverDeterminant
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.remainders import greatest_primes, number_with
from rekkyo.errors import CountsDisagree, NeedsMemory
from tests.engines.covers_counted import cover, total_of


def band_of(n: int, rng: random.Random) -> list[list[int]]:
    """A matrix with numbers near the diagonal, many of them 0."""
    below, above = rng.randrange(n + 1), rng.randrange(n + 1)
    return [
        [rng.choice((0, 0, 1, -1, 2)) if i - below <= j <= i + above else 0 for j in range(n)]
        for i in range(n)
    ]


def by_fractions(rows: list[list[int]]) -> int:
    """The determinant by Gaussian elimination."""
    left = [[Fraction(number) for number in row] for row in rows]
    found = Fraction(1)
    for i in range(len(left)):
        at = next((k for k in range(i, len(left)) if left[k][i]), None)
        if at is None:
            return 0
        if at > i:
            left[i], left[at], found = left[at], left[i], -found
        found *= left[i][i]
        for k in range(i + 1, len(left)):
            times = left[k][i] / left[i][i]
            left[k] = [a - times * b for a, b in zip(left[k], left[i], strict=True)]
    assert found.denominator == 1
    return int(found)


def size_by(elimination: Elimination, matrix: Matrix) -> int:
    """The absolute value of the determinant."""
    found = determinant_by(elimination, matrix, no_pause, ALONE)
    assert found is not None
    return found[0]


@pytest.mark.kernel
@given(n=st.integers(0, 7), seed=st.integers(0, 1 << 32))
def test_determinants(n: int, seed: int) -> None:
    rows = band_of(n, random.Random(seed))
    entries = [(i, j, rows[i][j]) for i in range(n) for j in range(n) if rows[i][j]]
    matrix = Matrix.of(range(n), range(n), entries)
    found = determinant_by(Banded(matrix), matrix, no_pause, ALONE)
    assert found is not None
    assert found[0] == abs(by_fractions(rows)) <= matrix.bound
    assert found[1] % max(1, n) == 0


@pytest.mark.kernel
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exchanged_rows_reach_far_beyond_the_band(seed: int) -> None:
    """The first number of a row is four places below the diagonal, and the last two places above it."""
    rng, n = random.Random(seed), 16
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j, number in ((i - 4, 1), (i + 1, rng.choice((0, 1, 2))), (i + 2, rng.choice((1, 2)))):
            if 0 <= j < n:
                rows[i][j] = number
    entries = [(i, j, rows[i][j]) for i in range(n) for j in range(n) if rows[i][j]]
    matrix = Matrix.of(range(n), range(n), entries)
    assert (matrix.below, matrix.above) == (4, 2)
    assert size_by(Banded(matrix), matrix) == abs(by_fractions(rows))


@pytest.mark.kernel
@pytest.mark.parametrize("prime", [3, 11])
def test_determinants_modulo_a_small_prime(prime: int) -> None:
    """A sum is often the prime itself then, and has to become 0."""
    one, rng = (1 << 32) % prime, random.Random(prime)
    constants = (one, prime, -pow(prime, -1, 1 << 32) % (1 << 32))
    for n, below, above, _ in product(range(1, 7), range(4), range(4), range(4)):
        rows = [[rng.randrange(prime) * (i - below <= j <= i + above) for j in range(n)] for i in range(n)]
        band = np.zeros((n, 2 * below + above + 1), dtype=np.uint32)
        for i, j in product(range(n), repeat=2):
            if rows[i][j]:
                band[i, j - i + below] = rows[i][j] * one % prime
        assert determinant(band, below, *map(np.uint64, constants)) == by_fractions(rows) % prime, rows


def test_primes_have_31_bits_more_than_the_bound() -> None:
    """The bound has 62 bits, and three primes 93."""
    matrix = Matrix.of([0], [0], [(0, 0, 1 << 61)])
    assert determinant_by(Banded(matrix), matrix, no_pause, ALONE) == (1 << 61, 4)


@pytest.mark.kernel
def test_exchanges_rows_that_begin_with_0() -> None:
    """The matrix (0 1 / 1 0) has the determinant -1."""
    prime = greatest_primes(1)[0]
    one = (1 << 32) % prime
    band = np.array([[0, 0, one, 0], [one, 0, 0, 0]], dtype=np.uint32)
    inverse = -pow(prime, -1, 1 << 32) % (1 << 32)
    assert determinant(band, 1, np.uint64(one), np.uint64(prime), np.uint64(inverse)) == prime - 1


def test_primes_are_the_greatest_of_31_bits() -> None:
    """2^31 - 1 is prime (Euler), and the next primes below are 2^31 - 19, -61, -69, -85, -99 (OEIS A013603 begins so)."""
    assert [(1 << 31) - prime for prime in greatest_primes(180)[:6]] == [1, 19, 61, 69, 85, 99]
    primes = greatest_primes(31 * 4000)
    assert primes[0] > primes[-1]
    assert len(set(primes)) == len(primes) > 4000 - 1
    assert all(pow(base, prime - 1, prime) == 1 for prime in primes[::50] for base in (2, 3, 5, 7))


@given(number=st.integers(0, 1 << 200))
def test_a_number_follows_from_its_remainders(number: int) -> None:
    primes = greatest_primes(200)
    assert number_with([number % prime for prime in primes], primes) == number


@pytest.mark.kernel
def test_a_wrong_remainder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number that the remainders make together is then above the bound."""
    of_prime = Banded._remainder
    last = greatest_primes(1)[0]

    def wrong(band: Banded, prime: int) -> int:
        return (of_prime(band, prime) + (prime == last)) % prime

    matrix = Matrix.of(range(2), range(2), [(0, 0, 5), (1, 1, 7)])
    assert size_by(Banded(matrix), matrix) == 35
    monkeypatch.setattr(Banded, "_remainder", wrong)
    with pytest.raises(CountsDisagree, match=r"a determinant is found to be [0-9]+, but is at most 35"):
        determinant_by(Banded(matrix), matrix, no_pause, ALONE)


def test_a_pfaffian_that_is_no_whole_number_is_noticed() -> None:
    engine, model = CoverDeterminant(), cover("dominoes 2 2")
    matrix = Matrix.of([0], [0], [(0, 0, 8)])
    with pytest.raises(CountsDisagree, match="the determinant 8 should be a square"):
        engine.count(DeterminantPlan(model, ((1, matrix),), is_square=True), WHOLE, no_pause)


def test_keeps_within_its_memory() -> None:
    model = cover("dominoes 20 20")
    engine = CoverDeterminant(most_bytes=1 << 14)
    with pytest.raises(NeedsMemory, match=r"engine cover-determinant needs .* MB here, and may use"):
        total_of(engine, model)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_share_the_primes(workers: int) -> None:
    found = rk.count(rk.puzzle("dominoes 20 20"), engine="cover-determinant", up_to="none", workers=workers)
    assert found.total == 1269984011256235834242602753102293934298576249856  # OEIS A004003


def test_can_be_stopped_between_primes() -> None:
    class Stop(Exception):
        pass

    def pause() -> None:
        raise Stop

    engine, model = CoverDeterminant(), cover("dominoes 4 4")
    with pytest.raises(Stop):
        engine.count(engine.plan(model), WHOLE, pause)
