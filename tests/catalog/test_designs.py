"""Designs of the catalog: published counts, and rows checked by the definition of the design."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.obstacles import obstacles


def blocks_of(puzzle: rk.Puzzle, row: tuple[int, ...]) -> list[list[str]]:
    """For each chosen option the names of its pairs."""
    model = lower(puzzle.model)
    assert isinstance(model, ExactCover)
    return [[model.item_name(item) for item, _ in model.options[option]] for option in row]


def names_of_points(points: Iterable[int]) -> str:
    return "-".join(str(point + 1) for point in sorted(points))


class TestBlockDesigns:
    @pytest.mark.parametrize(
        ("words", "total", "unique"),
        [
            ("2 6 3 2", 12, 1),
            ("2 8 4 3", 6150, 4),
            ("2 9 3 2", 1929816, 13),
            ("2 10 4 2", 231840, 3),
            ("3 8 4 1", 30, 1),
            ("4 11 5 1", 5040, 1),
            ("2 6 3 4 --repeated", 73, 4),
            ("2 7 3 2 --repeated", 465, 4),
            ("2 7 3 1", 30, 1),
            ("2 6 3 1", 0, 0),
            ("2 3 3 1", 1, 1),
            ("1 4 2 1", 3, 1),
        ],
    )
    def test_published_counts(self, words: str, total: int, unique: int) -> None:
        """Colbourn and Dinitz (2007), tables II.1 and II.4; totals of one class by the order of its group."""
        puzzle = rk.puzzle(f"block-designs {words}")
        found = rk.count(puzzle)
        assert (found.total, found.unique) == (total, unique)
        if puzzle.published is not None:
            assert puzzle.published.total in (None, total)
            assert puzzle.published.unique == unique

    @pytest.mark.parametrize("repeated", [False, True])
    def test_by_definition(self, repeated: bool) -> None:
        """All multisets of the pairs of four points, each of which is in two of them: by brute force."""
        pairs = list(combinations(range(4), 2))
        puzzle = rk.puzzle(f"block-designs 1 4 2 2{' --repeated' if repeated else ''}")
        expected = {
            times
            for times in product(range(3 if repeated else 2), repeat=6)
            if all(
                sum(n for n, pair in zip(times, pairs, strict=True) if point in pair) == 2
                for point in range(4)
            )
        }
        rows = list(rk.solve(puzzle))
        if not repeated:
            rows = [tuple(int(option in row) for option in range(6)) for row in rows]
        assert len(rows) == len(expected)
        assert {*rows} == expected

    def test_names(self) -> None:
        """An option lists the sets of its points, and a variable is named by the points of its block."""
        (row,) = rk.solve(rk.puzzle("block-designs 3 4 4 1"))
        assert blocks_of(rk.puzzle("block-designs 3 4 4 1"), row) == [["1-2-3", "1-2-4", "1-3-4", "2-3-4"]]
        model = rk.puzzle("block-designs 2 4 3 2 --repeated").model
        assert isinstance(model, rk.Csp)
        assert list(model.names) == [names_of_points(some) for some in combinations(range(4), 3)]

    def test_text(self) -> None:
        """A line for each block with its points; repeated blocks by the number of times."""
        fano = rk.puzzle("block-designs 2 7 3 1")
        (row,) = rk.solve(fano, up_to="symmetry")
        assert rk.board(fano, row) == "1 2 3\n1 4 5\n1 6 7\n2 4 6\n2 5 7\n3 4 7\n3 5 6"
        (row,) = rk.solve(rk.puzzle("block-designs 2 3 3 1"))
        assert rk.board(rk.puzzle("block-designs 2 3 3 1"), row) == "1 2 3"
        twice = rk.puzzle("block-designs 1 4 2 2 --repeated")
        assert rk.board(twice, (0, 1, 1, 1, 1, 0)) == "1: 1-3 1-4 2-3 2-4\n2:"
        rounds = rk.puzzle("one-factorizations 4")
        assert rk.board(rounds, next(rk.solve(rounds))).splitlines()[0] == "1-2 3-4"

    def test_one_reason_for_all_sets_that_are_in_too_few_blocks(self) -> None:
        assert obstacles(rk.puzzle("block-designs 2 4 3 3").model) == [
            'item "1-2" must be covered 3 times, but is in 2 options; the same is true of 5 other items'
        ]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ("2 9 1 1", "K must be from T to V, here from 2 to 9, not 1"),
            ("2 9 10 1", "K must be from T to V, here from 2 to 9, not 10"),
            (
                "2 30 15 1",
                "155117520 possible blocks with 105 sets of 2 points each are too many; at most 16384",
            ),
            ("2 20 3 16384 --repeated", "1140 possible blocks with 3 sets of 2 points each are too many"),
        ],
    )
    def test_what_is_no_design_or_too_large(self, words: str, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            rk.puzzle(f"block-designs {words}")


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
