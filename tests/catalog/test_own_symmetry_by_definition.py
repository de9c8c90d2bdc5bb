"""Symmetry that nobody declared: what is found is all that keeps the model, by definition."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.catalog.own_symmetry import own_symmetry, with_own_symmetry
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry import model_graphs
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests import naive_cover


def said_by_items(model: ExactCover) -> set[tuple[Hashable, frozenset[frozenset[int]]]]:
    """What items demand: a number of options out of a set, or that two options do not go together."""
    n_primary = len(model.primary)
    using = [
        {number: dict(option)[item] for number, option in enumerate(model.options) if item in dict(option)}
        for item in range(n_primary + len(model.secondary))
    ]
    demands = {
        ((low, min(high, len(options))), frozenset({frozenset(options)}))
        for (low, high), options in zip(
            map(model.bounds_of, range(n_primary)), using[:n_primary], strict=True
        )
        if low or high < len(options)
    }
    conflicts = {
        frozenset(
            frozenset(pair)
            for pair in combinations(options, 2)
            if not options[pair[0]] or options[pair[0]] != options[pair[1]]
        )
        for options in using[n_primary:]
    }
    return demands | {("conflicts", pairs) for pairs in conflicts if pairs}


def naive_symmetries(model: ExactCover) -> set[AtomPermutation]:
    """All permutations of the options after which the items, together, say the same."""

    def moved(move: tuple[int, ...], options: frozenset[int]) -> frozenset[int]:
        return frozenset(move[option] for option in options)

    said = said_by_items(model)
    return {
        move
        for move in permutations(range(len(model.options)))
        if {(kind, frozenset(moved(move, options) for options in sets)) for kind, sets in said} == said
    }


@given(naive_cover.models(max_options=6))
def test_covers_against_all_permutations_of_options(model: ExactCover) -> None:
    found = own_symmetry(model)
    elements = set(map(tuple, close(model.row_shape, found.generators).elements.tolist()))
    assert elements == (naive_symmetries(model) if model.options else {(0,)})
    rows = set(naive_cover.solutions(model))
    if rows:
        survey = OrbitSurvey(close(model.row_shape, found.generators))
        assert {image for row in rows for image in survey.orbit(row)} == rows


def test_a_limit_on_times_that_cannot_be_exceeded_tells_no_items_apart() -> None:
    """a may be covered up to nine times and b once, but each has one option; c is covered in any case."""
    model = ExactCover(("a", "b", "c"), (), (((0, 0),), ((1, 0),), ((2, 0),)), ((0, 9), (0, 1), (1, 1)))
    puzzle, found = with_own_symmetry(Puzzle("mine", model, "A cover with a limit"))
    assert (found.order, rk.count(puzzle).total, rk.count(puzzle).unique) == (2, 4, 3)


def naive_symmetries_of_coloring(model: Coloring) -> set[AtomPermutation]:
    """The permutations of cells and of colours that keep what the model says, as permutations of atoms."""

    def said(cells: Sequence[int], colors: Sequence[int]) -> Hashable:
        return (
            {(cells[cell], colors[color]) for cell, color in model.fixed},
            {frozenset(cells[cell] for cell in one) for one in model.sets},
            {frozenset((cells[cell], colors[color]) for cell, color in one) for one in model.patterns},
            {colors[color]: bounds for color, bounds in enumerate(model.bounds)},
        )

    n_cells, n_colors = range(model.n_cells), range(model.n_colors)
    return {
        tuple(cells[cell] * len(colors) + colors[color] for cell in n_cells for color in n_colors)
        for cells in permutations(n_cells)
        for colors in permutations(n_colors)
        if said(cells, colors) == said(n_cells, n_colors)
    }


TWO_PAIRS = Coloring(4, 2, patterns=(((0, 0), (1, 1)), ((2, 0), (3, 1))))


@pytest.mark.parametrize(
    ("model", "n"),
    [
        (TWO_PAIRS, 4),  # the pairs exchanged, and both turned with the colours
        (replace(TWO_PAIRS, bounds=((0, 2), (0, 4))), 2),
        (Coloring(4, 2, sets=((0, 1, 2, 3),), fixed=((0, 0), (1, 0))), 4),
        (Coloring(4, 2, sets=((0, 1, 2, 3),), fixed=((0, 0), (1, 1))), 4),
    ],
)
def test_colourings_against_all_permutations_of_cells_and_colours(model: Coloring, n: int) -> None:
    found = model_graphs.coloring_graph(model, exchange=True).automorphisms()
    assert found is not None
    generators = [model_graphs.coloring_atoms(model, one) for one in found.generators]
    elements = set(map(tuple, close(model.row_shape, generators).elements.tolist()))
    assert elements == naive_symmetries_of_coloring(model)
    assert len(elements) == n


@pytest.mark.parametrize(
    ("numbers", "lines", "numbers_given", "n"),
    [
        (range(1, 7), [Line((0, 1, 2, 3), 14)], {(0, 5), (1, 6)}, 2),  # c and d exchanged
        (range(1, 7), [Line((0, 1), 5), Line((2, 3), 6)], {}, 2 * 2),  # in each line
        (range(1, 7), [Line((0, 1), 5), Line((2, 3), 5)], {}, 2 * 2 * 2),
        (range(1, 7), [Line((0, 1), 5), Line((2, 3), 9)], {}, 2 * 2 * 2),  # with the complement
        ((1, 2, 3, 5), [Line((0, 1)), Line((2, 3))], {}, 2 * 2 * 2),  # 1 + 5 - 3 is none of the numbers
        ((1, 2, 4, 5), [Line((0, 1)), Line((2, 3))], {}, 2 * 2 * 2 * 2),
    ],
)
def test_four_cells_with_sums(
    numbers: Iterable[int], lines: list[Line], numbers_given: Iterable[tuple[int, int]], n: int
) -> None:
    model = SumFigure(tuple("abcd"), tuple(numbers), tuple(lines), given=frozenset(numbers_given))
    found = model_graphs.figure_graph(model, complement=True).automorphisms()
    assert found is not None
    generators = [model_graphs.figure_atoms(model, one) for one in found.generators]
    assert close(model.row_shape, generators).order == n
