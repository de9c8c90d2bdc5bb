"""Doing things with puzzles: counting, solving, runs. The only layer that starts threads or other processes.

`run` is here as well as in `rekkyo`: the package has the name of the function, and so `rekkyo.run` is the
function for everybody who writes `import rekkyo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rekkyo.run.stored import run as run
else:

    def run(*arguments: Any, **settings: Any) -> Any:
        """Carry out a whole search with a directory that survives a crash; see `rekkyo.run.stored.run`."""
        from rekkyo.run import stored

        return stored.run(*arguments, **settings)
