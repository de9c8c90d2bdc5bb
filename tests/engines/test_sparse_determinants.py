"""Recorded eliminations of sparse matrices: by fractions, by the band, and where they are chosen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.determinants import determinant
from rekkyo.engines.determinants.banded import Banded
from rekkyo.engines.determinants.determinant import determinant_by, eliminations
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.determinants.sparse import Recorded, Singular, recorded
from rekkyo.engines.determinants.sparse_kernel import LANES
from rekkyo.engines.remainders import greatest_primes
from tests.engines.test_determinants import by_fractions, size_by

NO_LIMIT = 1e9

ResultT = TypeVar("ResultT")


def matrix_of(rows: list[list[int]]) -> Matrix:
    """The matrix with all numbers that are not 0."""
    n = len(rows)
    return Matrix.of(
        range(n), range(n), [(i, j, rows[i][j]) for i in range(n) for j in range(n) if rows[i][j]]
    )


def sparse_rows(n: int, rng: random.Random) -> list[list[int]]:
    """Rows of which about every third number is not 0."""
    return [[rng.choice((0, 0, 0, 0, 1, -1, 2)) for _ in range(n)] for _ in range(n)]


@pytest.mark.kernel
@given(n=st.integers(0, 7), seed=st.integers(0, 1 << 32))
def test_determinants_of_sparse_matrices(n: int, seed: int) -> None:
    rows = sparse_rows(n, random.Random(seed))
    matrix = matrix_of(rows)
    elimination = recorded(matrix, NO_LIMIT, no_pause)
    expected = abs(by_fractions(rows))
    if elimination is None:
        assert expected == 0, "a row of numbers that cancel out modulo the prime"
    else:
        assert size_by(elimination, matrix) == expected
        assert isinstance(elimination, Recorded) or expected == 0


@pytest.mark.kernel
def test_all_primes_get_the_same_sign() -> None:
    """There are more than one pass of primes, the last of which does not fill its lanes."""
    rng, n = random.Random(5), 24
    rows = [[rng.choice((0, 0, 0, 1 << 40, 7 - (1 << 39))) for _ in range(n)] for _ in range(n)]
    matrix = matrix_of(rows)
    elimination, expected = recorded(matrix, NO_LIMIT, no_pause), by_fractions(rows)
    assert isinstance(elimination, Recorded)
    primes = greatest_primes(31 * 2 * LANES)[: LANES + 3]
    found = [
        *(elimination.remainders(primes[:LANES]) or ()),
        *(elimination.remainders(primes[LANES:]) or ()),
    ]
    assert expected
    assert found in ([expected % prime for prime in primes], [-expected % prime for prime in primes])
    assert size_by(elimination, matrix) == abs(expected)


class Crew:
    """Three workers, one after the other. n_tasks: of each call."""

    n_workers = 3

    def __init__(self) -> None:
        self.n_tasks: list[int] = []

    def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
        self.n_tasks.append(len(tasks))
        return [task() for task in tasks]


def test_workers_share_the_passes() -> None:
    """A bound of 1,240 bits takes 41 primes with the 31 bits more, in three passes of 16 primes."""
    matrix = matrix_of([[1 << 62 if i == j else 0 for j in range(20)] for i in range(20)])
    elimination, crew = recorded(matrix, NO_LIMIT, no_pause), Crew()
    assert isinstance(elimination, Recorded)
    found = determinant_by(elimination, matrix, no_pause, crew)
    assert found is not None
    assert found[0] == 1 << 1240
    assert crew.n_tasks == [3]


@pytest.mark.kernel
def test_a_pivot_of_0_modulo_a_prime_finds_nothing() -> None:
    """7 modulo 7. The numbers modulo the other prime are not used either."""
    matrix = matrix_of([[7, 1], [0, 1]])
    elimination = recorded(matrix, NO_LIMIT, no_pause)
    assert isinstance(elimination, Recorded)
    assert elimination.remainders([11]) in ([7], [4])
    assert elimination.remainders([11, 7]) is None


@pytest.mark.kernel
def test_the_band_follows_where_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def none_found(self: Recorded, primes: object) -> None:
        tried.append(primes)

    monkeypatch.setattr(determinant, "NS_OF_BAND", 1e9)
    monkeypatch.setattr(Recorded, "remainders", none_found)
    assert rk.count(rk.puzzle("dominoes 4 4"), engine="cover-determinant", up_to="none").total == 36
    assert tried


def test_a_row_without_numbers_has_the_determinant_0() -> None:
    """The second row loses its only number to the first one, which is as short."""
    matrix = matrix_of([[1, 0, 0], [1, 0, 0], [1, 1, 1]])
    elimination = recorded(matrix, NO_LIMIT, no_pause)
    assert isinstance(elimination, Singular)
    assert size_by(elimination, matrix) == 0


def test_a_row_of_cancelled_numbers_is_left_to_the_band() -> None:
    matrix = matrix_of([[1, 1], [1, 1]])
    assert recorded(matrix, NO_LIMIT, no_pause) is None
    assert size_by(Banded(matrix), matrix) == 0


def test_gives_up_above_the_most_targets() -> None:
    rng, n = random.Random(1), 12
    matrix = matrix_of([[rng.randrange(1, 9) for _ in range(n)] for _ in range(n)])
    n_targets = sum(k * k for k in range(n))  # of a full matrix
    assert isinstance(recorded(matrix, n_targets, no_pause), Recorded)
    assert recorded(matrix, n_targets - n * n, no_pause) is None


def test_can_be_stopped_while_it_is_recorded() -> None:
    class Stop(Exception):
        pass

    def pause() -> None:
        raise Stop

    with pytest.raises(Stop):
        recorded(matrix_of([[1]]), NO_LIMIT, pause)


def laplacian(n: int, edges: list[tuple[int, int]]) -> Matrix:
    """That of a graph without its vertex 0: the determinant is the number of spanning trees (Kirchhoff)."""
    entries = Counter({(v, v, 0): 0 for v in range(1, n)})
    degrees = Counter(vertex for edge in edges for vertex in edge)
    pairs = [(a, b, -1) for edge in edges if 0 not in edge for a, b in (edge, edge[::-1])]
    entries = [*((v, v, degrees[v]) for v in range(1, n)), *pairs]
    return Matrix.of(range(1, n), range(1, n), entries)


def spider(n_legs: int) -> list[tuple[int, int]]:
    """Triangles that share the vertex 1: each has 3 spanning trees. Vertex 0 is a leaf."""
    legs = [[(1, v), (1, v + 1), (v, v + 1)] for v in range(2, 2 + 2 * n_legs, 2)]
    return [(0, 1), *(edge for leg in legs for edge in leg)]


def test_is_chosen_where_the_band_is_wide() -> None:
    n_legs = 600
    matrix = laplacian(2 + 2 * n_legs, spider(n_legs))
    first, *others = eliminations(matrix, no_pause)
    assert isinstance(first, Recorded)
    assert [type(other) for other in others] == [Banded]
    assert size_by(first, matrix) == 3**n_legs
    assert len(first.steps.targets) <= 6 * n_legs
    assert first.n_bytes == 4 * LANES * first.n_slots < Banded(matrix).n_bytes / 10


def test_is_not_chosen_for_narrow_bands_and_small_matrices() -> None:
    for n in (4, 2000):
        matrix = laplacian(n, [*pairwise(range(n)), (0, n - 1)])
        assert [type(some) for some in eliminations(matrix, no_pause)] == [Banded]
        if n == 4:
            assert size_by(Banded(matrix), matrix) == 4


def test_spanning_trees_of_a_graph_with_a_wide_band() -> None:
    """The engine agrees with the formula for triangles that share a vertex."""
    edges = "\n".join(f"v{a} v{b}" for a, b in spider(300))
    text = f'kind = "graph"\nfind = "spanning-trees"\nedges = """\n{edges}\n"""\n'
    puzzle = rk.puzzle_from_text(text, "spider")
    for workers in (1, 2):
        assert rk.count(puzzle, engine="csp-determinant", up_to="none", workers=workers).total == 3**300
