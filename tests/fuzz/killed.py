"""A run in a process of its own that ends like a killed one, before or after some commit."""

from __future__ import annotations

import base64
import os
import pickle
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import rekkyo as rk
from rekkyo.model.puzzle import Puzzle
from tests.fuzz.ways import Way, sizes_of
from tests.programs import run

KILLED = 9


def begin_and_kill(puzzle: Puzzle, way: Way, folder: Path) -> None:
    """Begin the run of a way; its process is gone after some commits, if there are so many."""
    asked = base64.b64encode(pickle.dumps((puzzle, way))).decode()
    command = [sys.executable, "-m", "tests.fuzz.killed", folder]
    done = run(command, asked, cwd=Path(__file__).parents[2])
    assert done.returncode in (0, KILLED), done.stderr[-2000:]


def main() -> None:
    """The process that is killed: at an even commit before it, at an odd one after it."""
    from rekkyo.runs import stored
    from rekkyo.store.run_directory import RunDirectory

    puzzle, way = pickle.loads(base64.b64decode(sys.stdin.read()))
    real, left = RunDirectory.commit, way.stop_after or 0

    def commit(*arguments: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 and way.seed % 2:
            real(*arguments)
        if left < 0:
            os._exit(KILLED)
        real(*arguments)

    with mock.patch.object(RunDirectory, "commit", commit), mock.patch.object(stored, "COMMIT_EVERY_S", 0.0):
        rk.run(
            puzzle,
            sys.argv[1],
            engine=way.engine,
            workers=way.workers,
            up_to=way.up_to,
            shards=way.shards,
            sizes=sizes_of(way),
        )


if __name__ == "__main__":
    main()
