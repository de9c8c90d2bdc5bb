"""Where solutions to draw or export come from: a run, or a puzzle that is searched now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rekkyo.ask.solve import solve, solve_blocks
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.runs.puzzle_source import puzzle_of
from rekkyo.store.manifest import read_manifest
from rekkyo.store.reader import RunReader


def puzzle_of_run(directory: str | os.PathLike[str]) -> Puzzle:
    """The puzzle that a run is about. Raises BadRun."""
    folder = Path(directory)
    return puzzle_of(folder, read_manifest(folder))


def rows_of_run(directory: str | os.PathLike[str], start: int, count: int) -> list[Row]:
    """`count` stored solutions from `start` on, fewer at the end. Raises BadInput when there is none."""
    with RunReader(Path(directory)) as reader:
        if not 0 <= start < len(reader):
            raise BadInput(f"{directory} has solutions 0 to {len(reader) - 1}, no solution {start}")
        return [tuple(row) for block in reader.rows(start, start + count) for row in block.tolist()]


def rows_of_puzzle(puzzle: Puzzle, start: int, count: int, *, up_to: str = "none") -> list[Row]:
    """`count` solutions from `start` on, in the order in which `solve` lists them. Raises BadInput."""
    if start < 0:
        raise BadInput(f"solutions are numbered from 0, not {start}")
    rows = list(islice(solve(puzzle, up_to=up_to, limit=start + count), start, None))
    if not rows:
        raise BadInput(f"{puzzle.name} has no solution {start}; they are numbered from 0")
    return rows


def blocks_of_puzzle(puzzle: Puzzle, *, up_to: str = "none") -> Iterator[NDArray[Any]]:
    """All solutions in blocks."""
    with closing(solve_blocks(puzzle, up_to=up_to)) as blocks:
        yield from blocks
