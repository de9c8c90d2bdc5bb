"""Twenty-four tasks of users, each as files: how long the files are, and what they count, in two ways.

Lines are those that are neither empty nor a comment. The second way of each count is in `second_ways.py`: a program
that shares nothing with the package, another engine, or a published number that the file holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import rekkyo as rk
from rekkyo.model.packing import Packing
from tests import naive_packing
from tests.export.second_ways import EXAMPLES, check_counts


class File(NamedTuple):
    """An example, and the totals of some of its members; of a file that is not a family the member is ""."""

    name: str
    totals: dict[str, int]
    is_long: bool = False


TASKS: dict[str, list[File]] = {
    "calendar puzzle for all 366 dates": [File("calendar", {"oct 6": 7, "jan 25": 216, "feb 29": 64})],
    "12 polyspheres on 5x11": [File("polyspheres-5x11", {"": 371020}, is_long=True)],
    "a pyramid of balls": [File("ball-pyramid", {"": 128})],
    "tetrominoes, each twice, one-sided": [File("tetrominoes-twice-one-sided", {"": 41264})],
    "Conway's 5x5x5": [File("conway-5x5x5", {"": 27456}, is_long=True)],
    "Slothouber-Graatsma": [File("slothouber-graatsma", {"": 8})],
    "a burr saved by BurrTools": [],
    "6x6 edge matching with border": [File("edge-matching-6x6", {"": 4})],
    "MacMahon's triangles": [File("macmahon-triangles", {"": 11853792}, is_long=True)],
    "9x9 sudoku as X, jigsaw, killer and anti-knight": [
        File("sudoku-x", {"": 1}),
        File("jigsaw-sudoku", {"": 1}),
        File("killer-sudoku", {"": 1}),
        File("anti-knight-sudoku", {"": 1}),
    ],
    "KenKen 6x6": [File("kenken-6x6", {"": 1})],
    "Kakuro": [File("kakuro", {"": 1})],
    "a 15x15 nonogram": [File("nonogram", {"": 1})],
    "word squares from a list": [File("word-square", {"": 14})],
    "Costas arrays": [File("costas", {"": 116})],
    "shortest Golomb rulers": [File("golomb-ruler", {"": 4})],
    "orthogonal Latin squares": [File("orthogonal-latin-squares", {"": 6912})],
    "maximum knights, kings, bishops, peaceable queens": [
        File("knights", {"4": 6, "5": 1}),
        File("kings", {"5": 1, "6": 3600}),
        File("bishops", {"4": 16, "5": 32}),
        File("peaceable-queens", {"4": 112, "5": 18}),
    ],
    "minimum queen domination": [File("queen-domination", {"4": 12, "5": 186})],
    "graphs: Petersen and grids": [
        File("petersen", {"colorings": 120, "independent-sets": 76, "matchings": 332, "cycles": 0}),
        File(
            "grid-graphs",
            {"colorings 3": 246, "independent-sets 4": 1234, "matchings 3": 131, "cycles 4": 6},
        ),
    ],
    "bimagic, most-perfect and prime magic squares": [
        File("bimagic-square", {"": 1}),
        File("bimagic-order-4", {"": 0}),
        File("most-perfect-square", {"": 384}),
        File("prime-magic-square", {"": 8}),
    ],
    "Skolem sequences": [File("skolem", {"": 10})],
    "sum-free sets by size": [File("sum-free-sets", {"6 3": 5, "12 4": 121, "12 6": 3})],
    "L-tromino tilings with a hole": [File("l-tromino-hole", {"2": 4, "4": 16, "5": 128, "6": 162})],
}
FILES = [file for files in TASKS.values() for file in files]
FILES_OF_TASKS = {f"{file.name}.toml" for file in FILES}


def path_of(file: File) -> Path:
    return EXAMPLES / f"{file.name}.toml"


def n_lines(file: File) -> int:
    lines = path_of(file).read_text(encoding="utf-8").split("\n")
    return sum(bool(line.strip()) and not line.startswith("#") for line in lines)


def test_twenty_tasks_of_twenty_four_have_twenty_lines_or_fewer() -> None:
    assert len(TASKS) == 24
    short = [task for task, files in TASKS.items() if files and all(n_lines(file) <= 20 for file in files)]
    assert set(TASKS) - set(short) == {
        "a burr saved by BurrTools",
        "9x9 sudoku as X, jigsaw, killer and anti-knight",
    }


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.name, marks=pytest.mark.long if file.is_long else pytest.mark.second)
        for file in FILES
    ],
)
def test_a_task_is_counted_in_two_ways(file: File) -> None:
    for values, total in file.totals.items():
        assert check_counts(path_of(file), *values.split()) == total


@pytest.mark.second
@pytest.mark.parametrize(("problem", "total"), [(1, 336), (2, 72)])
def test_a_burr_with_two_problems_and_cells_that_may_stay_empty(problem: int, total: int) -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "burr.xmpuzzle", problem)
    model = puzzle.model
    assert isinstance(model, Packing)
    assert len(model.optional) == 32
    assert rk.count(puzzle, up_to="none").total == total
    pieces = [
        naive_packing.places_in_space(model.board, sorted(piece.cells), reflections=False)
        for piece in model.pieces
    ]
    assert naive_packing.assemblies(model.board - model.optional, pieces) == total
