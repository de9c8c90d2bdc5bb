"""Doing things with puzzles: counting, solving, runs. The only layer that starts threads or other processes.

`run` is here as well as in `rekkyo`: the package has the name of the function, and so `rekkyo.run` is the
function for everybody who writes `import rekkyo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from rekkyo.model.puzzle import Puzzle
    from rekkyo.run.status import RunStatus
    from rekkyo.run.stored import run as run
else:

    def run(puzzle: Puzzle, directory: str | os.PathLike[str], **settings: Any) -> RunStatus:
        """Carry out a whole search with a directory that survives a crash; see `rekkyo.run.stored.run`."""
        from rekkyo.run import stored

        return stored.run(puzzle, directory, **settings)
