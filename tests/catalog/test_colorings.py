"""Colourings of the catalog: published counts, the printed boards of Hip, symmetry, and bad words."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.catalog import index
from rekkyo.catalog.entry import table
from rekkyo.errors import BadInput, BadModel
from rekkyo.model.coloring import Coloring
from rekkyo.symmetry.group import close
from tests import naive_coloring as naive

BOARDS = (Path(__file__).parent.parent / "data" / "hip_boards.txt").read_text(encoding="utf-8")

MOST_LISTED = 5_000_000
MOST_POINTS = 7
LONG_WORDS = {"schur 4 44", "schur 4 45"}


def words_of(line: tuple[str, str]) -> str:
    name, *options = line[0].split()
    return " ".join([name, line[1], *(f"--{option}" for option in options)])


def is_long(words: str) -> bool:
    total = rk.puzzle(words).published.total or 0  # type: ignore[union-attr]
    return (
        words in LONG_WORDS
        or (words.startswith("ramsey") and int(words.rsplit(maxsplit=1)[-1]) > MOST_POINTS)
        or total > MOST_LISTED
    )


PUBLISHED = [words_of(line) for line in table("colorings")]
SHORT = [words for words in PUBLISHED if not is_long(words)]


@pytest.mark.parametrize("words", SHORT)
def test_published_counts(words: str) -> None:
    puzzle = rk.puzzle(words)
    found = rk.count(puzzle, workers=1)
    assert puzzle.published is not None
    assert puzzle.published.agrees_with(found.total, found.unique)


def test_most_published_counts_are_short() -> None:
    assert len(SHORT) > 110


@pytest.mark.long
@pytest.mark.parametrize(
    "words", ["ramsey 3 4 8", "ramsey 3 5 8", "schur 4 45", "rectangle-free 3 4 4", "rectangle-free 4 4 3"]
)
def test_published_counts_that_take_longer(words: str) -> None:
    test_published_counts(words)


@pytest.mark.long
def test_273_ways_to_colour_1_to_44_without_sums() -> None:
    """Recomputed by two engines."""
    puzzle = rk.puzzle("schur 4 44")
    assert rk.count(puzzle, up_to="exchange-colours").unique == 273
    counted = rk.count(puzzle, engine="coloring-counters", up_to="exchange-colours")
    assert (counted.total, counted.unique) == (6552, 273)


class TestHip:
    def test_the_24_printed_boards_are_exactly_ours(self) -> None:
        printed = {
            tuple("#.".index(mark) for mark in board.replace("\n", ""))
            for board in BOARDS.split("\n\n")
            for board in [board.strip()]
        }
        assert len(printed) == 24
        puzzle = rk.puzzle("hip 6")
        assert set(rk.solve(puzzle)) == printed
        assert {rk.board(puzzle, row) for row in rk.solve(puzzle)} == set(BOARDS.strip().split("\n\n"))

    @pytest.mark.parametrize(
        ("words", "total", "unique", "with_colors", "engine"),
        [
            pytest.param(
                *counts, engine, marks=[pytest.mark.second] * (engine == "csp-plain" and counts[0] >= "hip 6")
            )
            for counts in (
                ("hip 4 --any-balance", 5006, 634, 332),  # recomputed, by two programs
                ("hip 4", 2094, 266, 148),
                ("hip 6", 24, 4, 3),
                ("hip 6 --any-balance", 56, 8, 5),
                ("hip 5 --any-balance", 7120, 894, 447),
                ("hip 7", 0, 0, 0),
                ("hip 7 --any-balance", 0, 0, 0),
                ("hip 8 --any-balance", 0, 0, 0),
            )
            for engine in ("coloring-masks", "coloring-counters", "csp-plain")
            if (engine, counts[0]) != ("csp-plain", "hip 8 --any-balance")  # plain Python takes too long
        ],
    )
    def test_counts_by_engines_that_share_no_search(
        self, words: str, total: int, unique: int, with_colors: int, engine: str
    ) -> None:
        puzzle = rk.puzzle(words)
        both = rk.count(puzzle, engine=engine, workers=1)
        assert (both.total, both.unique) == (total, unique)
        assert (
            rk.count(puzzle, engine=engine, workers=1, up_to="symmetry,exchange-colours").unique
            == with_colors
        )

    @pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 2), (3, 2), (2, 5), (4, 4), (5, 3), (6, 6)])
    def test_squares_are_four_equal_sides_with_equal_diagonals(self, width: int, height: int) -> None:
        model = rk.puzzle(f"hip {width} {height}").model
        assert isinstance(model, Coloring)
        assert len(set(model.sets)) == len(model.sets)
        assert {frozenset(cells) for cells in model.sets} == naive.hip_squares(width, height)

    def test_105_squares_and_18_of_each_colour(self) -> None:
        model = rk.puzzle("hip 6").model
        assert isinstance(model, Coloring)
        assert (len(model.sets), model.bounds) == (105, ((18, 18), (18, 18)))
        assert rk.puzzle("hip 5 --colors 3").model.bounds == ((8, 9),) * 3  # type: ignore[attr-defined]

    def test_a_rectangle_lying_down_has_as_many(self) -> None:
        for colors in ("", " --colors 3"):
            assert (
                rk.count(rk.puzzle(f"hip 3 4{colors}")).total == rk.count(rk.puzzle(f"hip 4 3{colors}")).total
            )

    def test_from_python(self) -> None:
        assert rk.hip(6) == rk.puzzle("hip 6")
        assert rk.hip(4, 3, colors=3, any_balance=True) == rk.puzzle("hip 4 3 --colors 3 --any-balance")


@pytest.mark.parametrize(
    ("words", "order", "with_colors"),
    [
        ("hip 4", 8, 16),
        ("hip 3 4 --colors 3", 4, 24),
        ("rectangle-free 2 3 2", 12, 24),
        ("rectangle-free 3 3 3", 72, 432),
        ("van-der-waerden 3 3 7", 2, 4),
        ("van-der-waerden 3 4 7", 2, None),
        ("schur 3 7", 1, 6),
        ("sum-free 7", 1, None),
        ("ramsey 3 3 5", 120, 240),
        ("ramsey 3 4 5", 120, None),
    ],
)
def test_symmetry_keeps_the_solutions(words: str, order: int, with_colors: int | None) -> None:
    puzzle = rk.puzzle(words)
    rows = set(rk.solve(puzzle))
    generators = puzzle.generators + tuple(g for kind in puzzle.further for g in kind.generators)
    n_values = puzzle.model.row_shape.n_values
    for generator in generators:
        for row in rows:
            atoms = sorted(generator[cell * n_values + color] for cell, color in enumerate(row))
            assert tuple(atom % n_values for atom in atoms) in rows
    assert close(puzzle.model.row_shape, puzzle.generators).order == order
    assert [kind.word for kind in puzzle.further] == ["exchange-colours"] * (with_colors is not None)
    if with_colors is not None:
        assert close(puzzle.model.row_shape, generators).order == with_colors


@pytest.mark.parametrize(("s", "t", "n"), [(3, 3, 4), (3, 3, 5), (3, 4, 4), (2, 3, 4), (2, 2, 3)])
def test_ramsey_counts_graphs_up_to_isomorphism(s: int, t: int, n: int) -> None:
    def is_joined(graph: dict[tuple[int, int], int], points: tuple[int, ...], color: int) -> bool:
        return all(graph[line] == color for line in combinations(points, 2))

    kept = [
        graph
        for graph in naive.graphs(n)
        if not any(is_joined(graph, points, 0) for points in combinations(range(n), s))
        and not any(is_joined(graph, points, 1) for points in combinations(range(n), t))
    ]
    classes = {
        frozenset(
            frozenset((min(p[a], p[b]), max(p[a], p[b]), color) for (a, b), color in graph.items())
            for p in permutations(range(n))
        )
        for graph in kept
    }
    found = rk.count(rk.puzzle(f"ramsey {s} {t} {n}"))
    assert (found.total, found.unique) == (len(kept), len(classes))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("hip", "hip: W is missing (the width of the board); usage: hip W [H]"),
        ("hip 6 7 8", 'hip: "7" is one word too many; usage: hip W [H]'),
        ("hip 0", 'hip: W must be a whole number from 1 to 40, not "0"'),
        ("hip 6 99", 'hip: H must be a whole number from 1 to 40, not "99"'),
        ("hip 6 --colors 1", 'hip: K must be a whole number from 2 to 8, not "1"'),
        ("hip 6 --colors 0", 'hip: K must be a whole number from 2 to 8, not "0"'),
        ("hip 6 --colors 3 --colors 4", "hip: --colors is given twice; give it once"),
        ("rectangle-free 3 3 0", 'rectangle-free: K must be a whole number from 2 to 8, not "0"'),
        (
            "rectangle-free 40 40 2",
            "rectangle-free: 608400 sets are more than the 262144 that rekkyo takes on",
        ),
        ("ramsey 6 6 80", "ramsey: 601000400 sets are more than the 262144 that rekkyo takes on"),
        ("ramsey 1 3 5", 'ramsey: S must be a whole number from 2 to 12, not "1"'),
        ("schur 3 100000", 'schur: N must be a whole number from 1 to 1000, not "100000"'),
        ("van-der-waerden 1 3 9", 'van-der-waerden: K must be a whole number from 2 to 500, not "1"'),
    ],
)
def test_bad_words(words: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        index.puzzle(words)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize("arguments", [(0,), (41,), (6.0,), ("6",), (6, 0)])
def test_python_callers_get_refusals_too(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(BadModel, match="hip: a side of the board is a whole number from 1 to 40"):
        rk.hip(*arguments)
    with pytest.raises(BadModel, match="the number of colours is a whole number from 2 to 8, not 0"):
        rk.hip(6, colors=0)


def test_names_are_words_again() -> None:
    for words in [*PUBLISHED[:: len(PUBLISHED) // 20], "hip 3 4 --colors 3 --any-balance"]:
        assert rk.puzzle(rk.puzzle(words).name) == rk.puzzle(words)
