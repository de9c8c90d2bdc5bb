"""Models of CPMpy: as puzzles, and solved by the name "rekkyo" within CPMpy.

    puzzle = rekkyo.from_cpmpy(model)
    model.solveAll(solver="rekkyo", display=[x, y])

CPMpy flattens a model by its own transformations; only the variables that the model names make a solution.
CPMpy keeps a fixed list of solvers; importing this module appends one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from rekkyo.errors import BadInput, in_short
from rekkyo.model.puzzle import Puzzle


def from_cpmpy(model: Any, name: str = "cpmpy model") -> Puzzle:
    """The puzzle of a CPMpy model, with its objective, if any. Raises BadInput."""
    if not _is_installed():
        raise BadInput("CPMpy is not installed; install it: pip install 'rekkyo[cpmpy]'")
    from cpmpy import Model

    from rekkyo.ask.cpmpy_solver import CPM_rekkyo

    if not isinstance(model, Model):
        raise BadInput(f"from_cpmpy takes a cpmpy.Model, not {type(model).__name__}")
    try:
        solver = CPM_rekkyo(model)
    except Exception as problem:  # CPMpy's transformations raise errors of many types
        words = in_short(f"{type(problem).__name__}: {problem}", 200)
        raise BadInput(f"CPMpy cannot flatten this model: {words}") from problem
    return solver.puzzle(name)


def _is_installed() -> bool:
    return find_spec("cpmpy") is not None


def _register() -> None:
    from cpmpy.solvers.utils import SolverLookup

    from rekkyo.ask.cpmpy_solver import NAME, CPM_rekkyo

    base_solvers: Callable[[], list[tuple[str, Any]]] = SolverLookup.base_solvers

    def with_rekkyo(_: type) -> list[tuple[str, Any]]:
        return [*base_solvers(), (NAME, CPM_rekkyo)]

    if all(name != NAME for name, _ in base_solvers()):
        SolverLookup.base_solvers = classmethod(with_rekkyo)


if _is_installed():
    _register()
