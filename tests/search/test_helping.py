"""Symmetry that is found while a total is counted: it saves work and changes no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.search.cutting import by_length
from rekkyo.search.helping import with_more_symmetry
from rekkyo.search.probes import Probes, probes_if_long
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes
from tests import csp_strategies, naive_coloring, naive_cover, naive_csp

EAGER = Sizes(moment_nodes=1, shards=8, shards_if_short=2, symmetry_size=1 << 40)
"""A symmetry is searched for in every search that takes more than a node."""

RELUCTANT = replace(EAGER, moment_nodes=1 << 40)


def rectangles(width: int, height: int) -> rk.ExactCover:
    """A board filled with rectangles of different shapes, as items and options that say nothing of a board."""
    shapes = sorted({(min(w, h), max(w, h)) for w in range(1, width + 1) for h in range(1, height + 1)})
    options = tuple(
        (*((width * (y + dy) + x + dx, 0) for dy in range(h) for dx in range(w)), (width * height + shape, 0))
        for shape, size in enumerate(shapes)
        for w, h in {size, size[::-1]}
        for y in range(height - h + 1)
        for x in range(width - w + 1)
    )
    cells = tuple(f"{x},{y}" for y in range(height) for x in range(width))
    return rk.ExactCover(cells, tuple(f"{a}x{b}" for a, b in shapes), options)


def puzzle_of(model: Model) -> rk.Puzzle:
    return rk.Puzzle("untold", model, "Nothing is said about its symmetry")


def total_of(model: Model, sizes: Sizes) -> rk.Count:
    return rk.count(puzzle_of(model), sizes=sizes, up_to="none")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
@pytest.mark.parametrize(("width", "height", "total"), [(4, 4, 269), (5, 5, 4489), (6, 6, 82981)])
def test_a_total_by_a_symmetry_that_nobody_told(
    width: int, height: int, total: int, up_to: str, workers: int
) -> None:
    """The totals are those of OEIS A360499."""
    puzzle = puzzle_of(rectangles(width, height))
    without, found = (
        rk.count(puzzle, engine="cover-bitset", sizes=sizes, up_to=up_to, workers=workers)
        for sizes in (RELUCTANT, EAGER)
    )
    assert (without.total, found.total) == (total, total)
    assert 2 * found.nodes < without.nodes
    assert (found.unique, found.up_to, found.left_out) == (None, without.up_to, without.left_out)


def prepared(puzzle: rk.Puzzle, sizes: Sizes = EAGER) -> Search:
    """Of a cover by the engine that lists it, even if a look at merging has counted it already."""
    engine = "cover-bitset" if isinstance(puzzle.model, ExactCover) else None
    return prepare(ask(puzzle, engine=engine, hands_on_rows=False, sizes=sizes), by_length)


def test_it_is_the_group_of_the_model() -> None:
    search = with_more_symmetry(prepared(puzzle_of(rectangles(4, 4))))
    assert search.group is not None
    assert (search.group.order, search.only_representatives, search.question.reports_orbits) == (
        8,
        True,
        False,
    )


def test_short_searches_stay_as_they_are() -> None:
    for search in (
        prepared(puzzle_of(rectangles(4, 4)), sizes=RELUCTANT),
        prepared(puzzle_of(rectangles(1, 1))),
    ):
        assert with_more_symmetry(search) is search


def test_what_is_known_is_not_searched_for() -> None:
    for puzzle in (
        rk.puzzle("pentominoes 3 20"),
        replace(puzzle_of(rectangles(4, 5)), symmetry_was_searched=True),
    ):
        search = prepared(puzzle)
        assert with_more_symmetry(search) is search


@pytest.mark.parametrize(
    ("words", "n_part", "order"), [("ramsey 3 4 7", 2, 5040), ("rectangle-free 4 4 3", 576, 1152)]
)
def test_a_part_of_a_large_group_helps_at_once_and_all_of_it_a_long_search(
    words: str, n_part: int, order: int
) -> None:
    puzzle = rk.puzzle(words)
    short, long = (prepared(puzzle, sizes=sizes) for sizes in (RELUCTANT, EAGER))
    groups = short.group, with_more_symmetry(short).group, with_more_symmetry(long).group
    assert [group and group.order for group in groups] == [n_part, n_part, order]
    totals = {rk.count(puzzle, up_to="none", sizes=sizes).total for sizes in (RELUCTANT, EAGER)}
    assert totals == {rk.count(puzzle, engine="csp-frontier", up_to="none").total}


def test_a_group_that_is_too_large_to_list_does_not_help() -> None:
    assert prepared(rk.puzzle("ramsey 3 4 9")).group is None


def test_a_model_without_symmetry_is_searched_as_it_is() -> None:
    model = rectangles(4, 5)
    lopsided = replace(model, options=model.options[1:])
    search = prepared(puzzle_of(lopsided))
    probes = Probes(search)
    assert with_more_symmetry(search, probes) is search
    assert probes_if_long(search, probes) is probes
    moments = sum(probe.moments for probe in probes._probes)
    assert 0 < probes.least_moments(0) == moments / len(probes._probes) * len(search.shards)  # they go on
    assert probes_if_long(prepared(puzzle_of(lopsided)), probes) is not probes
    assert total_of(lopsided, EAGER).total == total_of(lopsided, RELUCTANT).total


def test_digests_limits_and_lists_see_every_solution() -> None:
    puzzle = puzzle_of(rectangles(4, 5))
    total = rk.count(puzzle).total
    digest = rk.count(puzzle, digest=True)
    assert rk.count(puzzle, digest=True, sizes=EAGER).digest == digest.digest
    assert (digest.total, len(list(rk.solve(puzzle, sizes=EAGER)))) == (total, total)
    assert rk.count(puzzle, limit=total - 1, sizes=EAGER).total == total - 1


@settings(max_examples=60)
@given(model=naive_cover.models())
def test_covers(model: ExactCover) -> None:
    assert total_of(model, EAGER).total == len(naive_cover.solutions(model))


@settings(max_examples=60)
@given(model=naive_coloring.models())
def test_colourings(model: Coloring) -> None:
    assert total_of(model, EAGER).total == len(naive_coloring.solutions(model))


@settings(max_examples=40)
@given(model=csp_strategies.models(max_variables=6))
def test_constraints(model: Csp) -> None:
    model = replace(model, objective=None)
    assert total_of(model, EAGER).total == len(naive_csp.solutions(model))


def test_sums() -> None:
    figure = rk.puzzle("magic-star 6").model
    without, found = total_of(figure, RELUCTANT), total_of(figure, EAGER)
    assert (without.total, found.total) == (960, 960)  # 80 up to 12 symmetries, OEIS A200720
