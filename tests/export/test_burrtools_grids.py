"""Puzzles of prisms, cut cubes, and tetrahedra and octahedra in files of BurrTools, counted in three ways.

The last puzzle of prisms is flat. The files in `tests/data/burrtools` are boards that were cut at random. The numbers of assemblies in them were
found by BurrTools itself (its program burrTxt, commit b72a71d).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.export.burrtools import read_burrtools
from rekkyo.export.burrtools_write import write_burrtools
from rekkyo.model.lattices import PRISM, RHOMBIC, TETRA_OCTA, TRIANGLE
from rekkyo.model.packing import Packing
from tests import naive_grids
from tests.export.burrtools_texts import puzzle_text, voxel

DATA = Path(__file__).parents[1] / "data" / "burrtools"
FILES = {"prisms": PRISM, "cut-cubes": RHOMBIC, "tetrahedra-and-octahedra": TETRA_OCTA}
ONE_AT_MOST = '<shape id="0" min="0" max="1"/>'
PROBLEMS = [(name, number) for name in FILES for number in range(1, 7)]


@pytest.mark.parametrize(("name", "number"), PROBLEMS)
def test_counts_are_those_of_burrtools_and_of_brute_force(name: str, number: int) -> None:
    path = DATA / f"{name}.xmpuzzle"
    puzzle = rk.puzzle_from_file(path, number)
    assert isinstance(puzzle.model, Packing)
    assert puzzle.model.lattice == (TRIANGLE if (name, number) == ("prisms", 6) else FILES[name])
    task = list(naive_grids.tasks(path.read_text()))[number - 1]
    wanted = task.assemblies()
    result = rk.count(puzzle)
    assert (result.total, result.unique) == (len(wanted), task.different(wanted))
    assert result.unique == task.claimed > 1


def written_and_read(puzzle: rk.Puzzle) -> rk.Puzzle:
    return with_own_symmetry(read_burrtools(write_burrtools(puzzle).encode(), "written"))[0]


@pytest.mark.parametrize(("name", "number"), PROBLEMS)
def test_what_is_written_has_the_same_solutions(name: str, number: int) -> None:
    puzzle = rk.puzzle_from_file(DATA / f"{name}.xmpuzzle", number)
    again = written_and_read(puzzle)
    assert isinstance(puzzle.model, Packing)
    assert isinstance(again.model, Packing)
    assert again.model.lattice == puzzle.model.lattice
    assert len(again.model.placements()) == len(puzzle.model.placements())
    assert (rk.count(again).total, rk.count(again).unique) == (
        rk.count(puzzle).total,
        rk.count(puzzle).unique,
    )


def test_flat_prisms_are_triangles_that_may_be_turned_over() -> None:
    hexiamonds = rk.puzzle("hexiamonds 6 6")
    again = written_and_read(hexiamonds)
    assert isinstance(again.model, Packing)
    assert (again.model.lattice, again.model.reflections) == (TRIANGLE, True)
    assert (rk.count(again).total, rk.count(again).unique) == (624, 156)


@pytest.mark.parametrize(("tower", "n_places"), [((1, 1, 2, "##"), 8), ((2, 1, 2, "##_#"), 8 * 2 * 2)])
def test_prisms_are_turned_over_but_never_laid_on_a_side(
    tower: tuple[int, int, int, str], n_places: int
) -> None:
    """In a box of two layers of eight triangles, which touch along eight sides: each end may be up or down."""
    text = puzzle_text(
        [voxel(*tower, "tower"), voxel(5, 2, 2, "####__####" * 2, "box").replace("#", "+")],
        ONE_AT_MOST,
        1,
        grid="1",
    )
    puzzle = read_burrtools(text, "p.xmpuzzle")
    assert isinstance(puzzle.model, Packing)
    assert puzzle.model.lattice == PRISM
    assert rk.count(puzzle, up_to="none").total == 1 + n_places


def test_a_solution_as_text_begins_with_a_whole_cube() -> None:
    """Layers side by side, in which each cube has 3 x 3 places, so that its cells can be recognized."""
    puzzle = rk.puzzle_from_file(DATA / "tetrahedra-and-octahedra.xmpuzzle", 3)
    assert rk.board(puzzle, next(rk.solve(puzzle))).split("\n") == [
        ".... .... .... ....",
        ".... .... .... ....",
        ".... .... ..bb ..aa",
        ".... .... ..b. ..a.",
    ]


def test_a_solution_of_prisms_as_text() -> None:
    """Layers side by side; whether a triangle points up or down depends on its line and column."""
    puzzle = rk.puzzle_from_file(DATA / "prisms.xmpuzzle", 3)
    drawing = rk.board(puzzle, next(rk.solve(puzzle)))
    assert [line.split() for line in drawing.split("\n")] == [
        [*"......", *".J....", *"......"],
        [*"......", ".", "J", "K1", *"...", *"......"],
        [*".....", "K1", *".....", "K2", *"......"],
        [*"......", *".....", "K1", *"......"],
    ]
