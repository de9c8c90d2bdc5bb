"""Designs of the catalog: published counts, and rows checked by the definition of the design."""

from __future__ import annotations

from itertools import combinations

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower


def blocks_of(puzzle: rk.Puzzle, row: tuple[int, ...]) -> list[list[str]]:
    """For each chosen option the names of its pairs."""
    model = lower(puzzle.model)
    assert isinstance(model, ExactCover)
    return [[model.item_name(item) for item, _ in model.options[option]] for option in row]


class TestSteinerTriples:
    @pytest.mark.parametrize(
        ("n", "total", "unique"),
        [(3, 1, 1), (4, 0, 0), (7, 30, 1), (9, 840, 1), (11, 0, 0), (13, 1197504000, 2)],
    )
    def test_published_counts(self, n: int, total: int, unique: int) -> None:
        """OEIS A030128 and A030129: there are some for 1 and 3 modulo 6 alone."""
        found = rk.count(rk.puzzle(f"steiner-triples {n}"))
        assert (found.total, found.unique) == (total, unique)

    @pytest.mark.long
    def test_fifteen_points(self) -> None:
        """F. N. Cole, L. D. Cummings, H. S. White, 1917: 80 systems. R. A. Mathon, K. T. Phelps, A. Rosa, 1983:
        the orders of their groups.
        """
        table = rk.orbits(rk.puzzle("steiner-triples 15"))
        assert (table.total, table.unique) == (60281712691200, 80)
        orders = {each.stabilizer: each.orbits for each in table.classes}
        assert (orders[1], orders[2], orders[3], orders[4], orders[168], orders[20160]) == (
            36,
            6,
            12,
            8,
            1,
            1,
        )

    def test_each_pair_is_in_one_triple(self) -> None:
        puzzle = rk.puzzle("steiner-triples 9")
        (row,) = rk.solve(puzzle, up_to="symmetry")
        pairs = [frozenset(name.split("-")) for block in blocks_of(puzzle, row) for name in block]
        assert sorted(map(sorted, pairs)) == sorted(
            [str(a), str(b)] for a, b in combinations(range(1, 10), 2)
        )
        assert all(
            len({point for name in block for point in name.split("-")}) == 3
            for block in blocks_of(puzzle, row)
        )


class TestOneFactorizations:
    @pytest.mark.parametrize(
        ("n", "total", "unique"), [(2, 1, 1), (4, 1, 1), (6, 6, 1), (8, 6240, 6), (10, 1225566720, 396)]
    )
    def test_published_counts(self, n: int, total: int, unique: int) -> None:
        """OEIS A000438 and A000474; order 10: E. N. Gelling, 1973."""
        found = rk.count(rk.puzzle(f"one-factorizations {n}"))
        assert (found.total, found.unique) == (total, unique)

    def test_every_player_plays_in_every_round(self) -> None:
        puzzle = rk.puzzle("one-factorizations 8")
        rows = list(rk.solve(puzzle, up_to="symmetry"))
        assert len(rows) == 6
        for row in rows:
            assert len(row) == 7
            for block in blocks_of(puzzle, row):
                assert sorted(point for name in block for point in name.split("-")) == list("12345678")

    def test_an_odd_number_of_players(self) -> None:
        with pytest.raises(BadInput, match="N must be even, not 7; of 7 players one is left over"):
            rk.puzzle("one-factorizations 7")
