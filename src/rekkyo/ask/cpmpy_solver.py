"""The solver "rekkyo" of CPMpy: the class that CPMpy finds by its name. CPMpy must be installed.

`cpmpy.py` imports this module, and adds the class to the solvers that CPMpy knows.
"""

from __future__ import annotations

import time
from typing import Any

from cpmpy.exceptions import NotSupportedError
from cpmpy.expressions.variables import _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
from cpmpy.transformations.comparison import only_numexpr_equality
from cpmpy.transformations.decompose_global import decompose_in_tree, decompose_objective
from cpmpy.transformations.flatten_model import flatten_constraint, get_or_make_var
from cpmpy.transformations.get_variables import get_variables
from cpmpy.transformations.negation import push_down_negation, push_down_negation_objective
from cpmpy.transformations.normalize import toplevel_list
from cpmpy.transformations.reification import reify_rewrite
from cpmpy.transformations.safening import no_partial_functions, safen_objective

from rekkyo import __version__
from rekkyo.ask.solve import solve
from rekkyo.export.cpmpy_flat import FUNCTION_NAMES, STATEMENTS, SUMS, SUPPORTED, CpmpyWriter
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle

NAME = "rekkyo"

PARTIAL = frozenset({"div", "mod", "element", "nd_element"})
"""Functions that are not defined for all arguments."""


class CPM_rekkyo(SolverInterface):  # type: ignore[misc] # noqa: N801 - CPMpy names its solvers so
    """rekkyo as a solver of CPMpy. Constraints are kept unchanged, and flattened by `puzzle`."""

    supported_global_constraints = SUPPORTED
    supported_reified_global_constraints = STATEMENTS | FUNCTION_NAMES

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
        # A decomposition may drop an argument, and with it a division by zero that nothing else refuses.
        flat = no_partial_functions(toplevel_list(cpm_expr), safen_toplevel=PARTIAL)
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
        objective, minimize = self._objective or (None, True)
        variables = dict.fromkeys([*self._named, *get_variables([*self._flat, objective])])
        writer = CpmpyWriter(list(variables), len(self._named), self._flat)
        model = writer.model(objective, maximize=not minimize)
        return Puzzle(name, model, model.size_in_words)

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
        if limit == 0:
            self.cpm_status.exitstatus = ExitStatus.UNKNOWN
        elif not n_found:
            self.cpm_status.exitstatus = ExitStatus.UNSATISFIABLE
        elif is_cut and not self.has_objective():
            self.cpm_status.exitstatus = ExitStatus.FEASIBLE
        else:
            self.cpm_status.exitstatus = ExitStatus.OPTIMAL
