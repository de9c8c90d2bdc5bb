"""Solutions to draw, export or sample: from a run, or from a puzzle that is searched now."""

from __future__ import annotations

import os
import random
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np

from rekkyo.ask.diagram import Stats
from rekkyo.ask.sample import Samples, checked_number
from rekkyo.ask.solve import solve
from rekkyo.errors import BadInput, BadRun
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.runs.puzzle_source import puzzle_of
from rekkyo.runs.status import status
from rekkyo.safe_files import path_of
from rekkyo.search.question import checked_seed
from rekkyo.store.manifest import read_manifest
from rekkyo.store.reader import RunReader, no_such_solution
from rekkyo.symmetry.atoms import uses_in


def puzzle_of_run(directory: str | os.PathLike[str], given: Puzzle | None = None) -> Puzzle:
    """The puzzle of a run, given again or from its source. Raises BadRun, also if another one is given."""
    folder = path_of(directory)
    return puzzle_of(folder, read_manifest(folder), given)


def rows_in_words(directory: str | os.PathLike[str]) -> str:
    """What the rows of a run are. Raises BadRun."""
    up_to = read_manifest(path_of(directory)).up_to
    return "the rows of the run" + ("" if up_to == "none" else f", one for each orbit up to {up_to}")


def rows_of_run(
    puzzle: Puzzle, directory: str | os.PathLike[str], start: int, count: int
) -> tuple[list[Row], int]:
    """`count` stored solutions from `start` on, fewer at the end, and the number of all.

    Raises BadInput if there is none.
    """
    with RunReader(path_of(directory), puzzle=puzzle) as reader:
        if not 0 <= start < len(reader):
            raise no_such_solution(directory, len(reader), start)
        blocks = reader.rows(start, start + count)
        return [tuple(row) for block in blocks for row in block.tolist()], len(reader)


def rows_of_puzzle(puzzle: Puzzle, start: int, count: int, *, up_to: str) -> list[Row]:
    """`count` solutions from `start` on, in the order in which `solve` lists them. Raises BadInput."""
    if start < 0:
        raise BadInput(f"solutions are numbered from 0, not {start}")
    rows: list[Row] = []
    if start <= sys.maxsize:  # islice takes no greater number
        rows += islice(solve(puzzle, up_to=up_to, limit=start + count), start, None)
    if not rows:
        which = f"has no solution {start}; they are numbered from 0" if start else "has no solution at all"
        raise BadInput(f"{puzzle.name} {which}")
    return rows


def sample_run(puzzle: Puzzle, directory: str | Path, number: int = 1, *, seed: int = 0) -> Samples:
    """Draw independent samples from the stored rows of a finished run. Raises BadInput, BadRun.

    A run up to a symmetry keeps a row for each orbit, and those are drawn.
    """
    seed = checked_seed(seed)
    checked_number(number, 1, directory)
    _check_is_complete(directory, "no sample of it is fair")
    started = time.perf_counter()
    with RunReader(directory, puzzle=puzzle) as reader:
        rng = random.Random(seed)
        numbers = [rng.randrange(len(reader)) for _ in range(checked_number(number, len(reader), directory))]
        rows = tuple(map(reader.row, numbers))
        elapsed_s = time.perf_counter() - started
        return Samples(str(directory), len(reader), rows, "run", seed, elapsed_s)


def stats_of_run(puzzle: Puzzle, directory: str | Path) -> Stats:
    """Count the stored rows of a finished run with each atom. Raises BadRun.

    A run up to a symmetry keeps a row for each orbit, and those are counted.
    """
    _check_is_complete(directory, "its rows are only a part")
    started = time.perf_counter()
    shape = puzzle.model.row_shape
    uses = np.zeros(shape.n_atoms, dtype=np.int64)
    with RunReader(directory, puzzle=puzzle) as reader:
        for block in reader.rows():
            uses += uses_in(shape, block)
        total = len(reader)
    return Stats(str(directory), total, tuple(uses.tolist()), 0, time.perf_counter() - started, puzzle)


def _check_is_complete(directory: str | Path, otherwise: str) -> None:
    if not status(directory).is_complete:
        raise BadRun(f"{directory}: the run is not finished, so {otherwise}; go on with resume")
