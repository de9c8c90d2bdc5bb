"""Models of CPMpy: as puzzles, and solved by the name "rekkyo" within CPMpy.

    puzzle = rekkyo.from_cpmpy(model)
    model.solveAll(solver="rekkyo", display=[x, y])

CPMpy flattens a model by its own transformations; only the variables that the model names make a solution.
CPMpy keeps a fixed list of solvers; importing this module appends one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from rekkyo import __version__
from rekkyo.ask.solve import solve
from rekkyo.errors import BadInput
from rekkyo.export.cpmpy_flat import STATEMENTS, SUMS, SUPPORTED, CpmpyWriter
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle

NAME = "rekkyo"


def from_cpmpy(model: Any, name: str = "cpmpy model") -> Puzzle:
    """The puzzle of a CPMpy model, with its objective, if any. Raises BadInput."""
    if not _is_installed():
        raise BadInput("CPMpy is not installed; install it: pip install 'rekkyo[cpmpy]'")
    if type(model).__module__.partition(".")[0] != "cpmpy" or not hasattr(model, "constraints"):
        raise BadInput(f"from_cpmpy takes a cpmpy.Model, not {type(model).__name__}")
    puzzle: Puzzle = _solver_class()(model).puzzle(name)
    return puzzle


def _is_installed() -> bool:
    return find_spec("cpmpy") is not None


def _solver_class() -> Any:
    """The class that CPMpy knows."""
    from cpmpy.solvers.utils import SolverLookup

    return SolverLookup.lookup(NAME)


def _register() -> None:
    from cpmpy.exceptions import NotSupportedError
    from cpmpy.expressions.variables import _NumVarImpl
    from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
    from cpmpy.solvers.utils import SolverLookup
    from cpmpy.transformations.comparison import only_numexpr_equality
    from cpmpy.transformations.decompose_global import decompose_in_tree, decompose_objective
    from cpmpy.transformations.flatten_model import flatten_constraint, get_or_make_var
    from cpmpy.transformations.get_variables import get_variables
    from cpmpy.transformations.negation import push_down_negation, push_down_negation_objective
    from cpmpy.transformations.normalize import toplevel_list
    from cpmpy.transformations.reification import reify_rewrite
    from cpmpy.transformations.safening import no_partial_functions, safen_objective

    class CPM_rekkyo(SolverInterface):  # type: ignore[misc] # noqa: N801 - CPMpy names its solvers so
        """rekkyo as a solver of CPMpy. Constraints are kept unchanged, and flattened by `puzzle`."""

        supported_global_constraints = SUPPORTED
        supported_reified_global_constraints = STATEMENTS | SUPPORTED.difference(
            {"circuit", "gcc", "inverse", "lex_less", "lex_lesseq", "regular"}
        )

        @staticmethod
        def supported() -> bool:
            """Whether it can be used: always."""
            return True

        @classmethod
        def version(cls) -> str:
            """The version of rekkyo."""
            return __version__

        def __init__(self, cpm_model: Any = None, subsolver: str | None = None) -> None:
            self._flat: list[Any] = []
            self._named: dict[Any, None] = {}
            self._objective: tuple[Any, bool] | None = None
            self._wanted: Any = None
            self.objective_value_: int | None = None
            super().__init__(name=NAME, cpm_model=cpm_model, subsolver=subsolver)

        def _name(self, expression: Any) -> None:
            found = get_variables(expression)
            self._named.update(dict.fromkeys(found))
            self.user_vars.update(found)

        def solver_var(self, cpm_var: Any) -> Any:
            """The variable itself, which becomes part of a solution."""
            if isinstance(cpm_var, _NumVarImpl):
                self._name(cpm_var)
            return cpm_var

        def transform(self, cpm_expr: Any) -> list[Any]:
            """Constraints in flat normal form, as CPMpy makes them."""
            flat = no_partial_functions(toplevel_list(cpm_expr))
            flat = push_down_negation(flat)
            flat = decompose_in_tree(
                flat,
                supported=self.supported_global_constraints,
                supported_reified=self.supported_reified_global_constraints,
                csemap=self._csemap,
            )
            flat = flatten_constraint(flat, csemap=self._csemap)
            flat = reify_rewrite(flat, supported=STATEMENTS | SUMS, csemap=self._csemap)
            made: list[Any] = only_numexpr_equality(flat, supported=SUMS, csemap=self._csemap)
            return made

        def add(self, cpm_expr: Any) -> CPM_rekkyo:
            """Add constraints; their variables are part of a solution."""
            self._name(cpm_expr)
            self._flat += self.transform(cpm_expr)
            return self

        __add__ = add

        def objective(self, expr: Any, minimize: bool = True) -> None:
            """Only solutions with the best value of the expression count."""
            self._name(expr)
            safe, constraints = safen_objective(expr)
            safe, decomposed = decompose_objective(
                push_down_negation_objective(safe),
                supported=self.supported_global_constraints,
                supported_reified=self.supported_reified_global_constraints,
                csemap=self._csemap,
            )
            variable, flat = get_or_make_var(safe)
            for part in (constraints, decomposed, flat):
                self._flat += self.transform(part)
            self._objective, self._wanted = (variable, minimize), expr

        def has_objective(self) -> bool:
            """Whether there is an expression to minimize or maximize."""
            return self._objective is not None

        def puzzle(self, name: str = NAME) -> Puzzle:
            """The puzzle of all added constraints. Raises BadInput."""
            writer = CpmpyWriter(variable.name for variable in self._named)
            for variable in self._named:
                writer.unknown(variable)
            for constraint in self._flat:
                writer.post(constraint)
            objective, minimize = self._objective or (None, True)
            atom = None if objective is None else writer.atom(objective)
            model = writer.model(list(self._named), atom, maximize=not minimize)
            sizes = f"{len(model.solution)} variables, {len(model.constraints)} constraints"
            return Puzzle(name, model, sizes)

        def solve(self, time_limit: float | None = None, **options: Any) -> bool:
            """Find one solution, a best one if there is an objective."""
            return self.solveAll(time_limit=time_limit, solution_limit=1, **options) > 0

        def solveAll(  # noqa: N802 - CPMpy names it so
            self,
            display: Any = None,
            time_limit: float | None = None,
            solution_limit: int | None = None,
            call_from_model: bool = False,
            **options: Any,
        ) -> int:
            """Find all solutions, or all best ones; returns their number. options: engine and workers."""
            if time_limit is not None:
                raise NotSupportedError("rekkyo has no limit of time; give solution_limit")
            started = time.perf_counter()
            puzzle = self.puzzle()
            n_found = 0
            self._clear()
            for row in solve(puzzle, limit=solution_limit, **options):
                self._show(puzzle.model, row)
                self.print_display(display)
                n_found += 1
            if n_found and self._wanted is not None:
                self.objective_value_ = int(self._wanted.value())
            self._set_status(n_found, solution_limit, time.perf_counter() - started)
            return n_found

        def _clear(self) -> None:
            self.objective_value_ = None
            for variable in self._named:
                variable.clear()

        def _show(self, model: Any, row: tuple[int, ...]) -> None:
            assert isinstance(model, Csp)
            # If no variable is named, the only one in a row is ours.
            for variable, place in zip(self._named, row, strict=False):
                value = model.values[place]
                variable._value = bool(value) if variable.is_bool() else value

        def _set_status(self, n_found: int, limit: int | None, seconds: float) -> None:
            self.cpm_status = SolverStatus(self.name)
            self.cpm_status.solve_time = seconds
            is_cut = limit is not None and n_found >= limit
            if not n_found:
                self.cpm_status.exitstatus = ExitStatus.UNSATISFIABLE
            elif is_cut and not self.has_objective():
                self.cpm_status.exitstatus = ExitStatus.FEASIBLE
            else:
                self.cpm_status.exitstatus = ExitStatus.OPTIMAL

    base_solvers: Callable[[], list[tuple[str, Any]]] = SolverLookup.base_solvers

    def with_rekkyo(_: type) -> list[tuple[str, Any]]:
        return [*base_solvers(), (NAME, CPM_rekkyo)]

    if all(name != NAME for name, _ in base_solvers()):
        SolverLookup.base_solvers = classmethod(with_rekkyo)


if _is_installed():
    _register()
