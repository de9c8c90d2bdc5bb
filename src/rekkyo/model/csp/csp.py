"""Model: variables with finite domains of whole numbers, and constraints between them.

A row has one position for each variable in `solution`, in that order (layout BY_POSITION); its value is the
index of the variable's value among `values`, all values of these variables in increasing order. Two
assignments that agree on `solution` are one solution; the other variables are hidden. Source: the constraint
satisfaction problem of the textbooks (Rossi, van Beek and Walsh, Handbook of Constraint Programming, 2006),
with projection as in model counting. Left out on purpose: continuous and set variables, and domains with more
than a few ten thousand values.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from rekkyo.errors import BadModel, in_short
from rekkyo.model.checks import check_nested, check_size, check_type, check_whole, refuse, repeated
from rekkyo.model.csp.constraints import (
    CONSTRAINTS,
    LARGEST,
    Constraint,
    Linear,
    Reified,
    Table,
    Variable,
    variables_of,
)
from rekkyo.model.row import Layout, RowShape
from rekkyo.wording import several

MAX_VARIABLES = 1 << 16
MAX_SPAN = 1 << 16
"""Difference of the greatest and least value of a variable."""

MAX_VALUES = 1 << 22
"""Values of all domains together."""

MAX_CONSTRAINTS = 1 << 18


@dataclass(frozen=True, slots=True)
class Objective:
    """Only solutions with the greatest, or the least, value of a variable count.

    best: that value, once it is known.
    """

    variable: Variable
    maximize: bool
    best: int | None = None


@dataclass(frozen=True, slots=True)
class Csp:
    """A constraint satisfaction problem.

    names: of the variables, different from each other. domains: for each variable its values, increasing.
    solution: the variables that make a solution; all variables when it is empty.
    grid: (rows, columns) when the variables of the solution are the squares of a board, row by row; it
        changes how solutions are drawn, never what a solution is.
    values: all values of the variables in `solution`, increasing; derived.
    Raises BadModel.
    """

    names: tuple[str, ...]
    domains: tuple[tuple[int, ...], ...]
    constraints: tuple[Constraint, ...] = ()
    solution: tuple[Variable, ...] = ()
    objective: Objective | None = None
    grid: tuple[int, int] | None = None
    values: tuple[int, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        _check_names(self.names)
        self._check_domains()
        self._check_solution()
        check_nested("csp: constraints are a tuple of constraints", self.constraints, (tuple, object))
        check_size("csp", len(self.constraints), "constraints", MAX_CONSTRAINTS)
        largest = [max(abs(domain[0]), abs(domain[-1])) for domain in self.domains]
        if not self._are_constraints_valid():
            for constraint in self.constraints:
                self._check_constraint(constraint)
        for constraint in self.constraints:
            inner = constraint.constraint if isinstance(constraint, Reified) else constraint
            if isinstance(inner, Linear):
                _check_terms(inner, largest)
        if self.objective is not None:
            check_type("csp: the objective is an Objective", self.objective, Objective)
            self._check_variable("the objective", self.objective.variable)
        if self.grid is not None:
            rule = f"csp: the grid (rows, columns) has {len(self.solution)} squares"
            check_nested(rule, (self.grid,), (tuple, tuple, int), 2)
            if self.grid[0] < 1 or self.grid[0] * self.grid[1] != len(self.solution):
                refuse(rule, self.grid)
        domains = {self.domains[variable] for variable in self.solution}
        object.__setattr__(self, "values", tuple(sorted(set().union(*domains))))

    def __hash__(self) -> int:
        """Of some fields only: caches use the hash, and that of all constraints takes a millisecond."""
        return hash((self.names, self.solution, len(self.constraints)))

    @property
    def constraints_with_best(self) -> tuple[Constraint, ...]:
        """The constraints, and one that gives the objective its best value if that value is known."""
        if self.objective is None or self.objective.best is None:
            return self.constraints
        return *self.constraints, Table((self.objective.variable,), ((self.objective.best,),))

    @property
    def with_best_required(self) -> Csp:
        """The same solutions without an objective, if its best value is known; else the problem itself."""
        if self.objective is None or self.objective.best is None:
            return self
        return replace(self, objective=None, constraints=self.constraints_with_best)

    def with_domains(self, domains: Sequence[tuple[int, ...]]) -> Csp:
        """The problem with narrower domains, whose rows have the same values. Nothing is checked again."""
        narrower = copy(self)
        object.__setattr__(narrower, "domains", tuple(domains))
        return narrower

    @property
    def solution_with_objective(self) -> tuple[Variable, ...]:
        """The variables of the solution, and that of the objective, if there is one."""
        objective = () if self.objective is None else (self.objective.variable,)
        return tuple(dict.fromkeys((*self.solution, *objective)))

    def _check_domains(self) -> None:
        rule = "csp: domains are a tuple with a tuple of whole numbers for each variable"
        check_nested(rule, self.domains, (tuple, tuple, int))
        if len(self.domains) != len(self.names):
            raise BadModel(
                f"csp: {len(self.domains)} domains for {several(len(self.names), 'variable')};"
                " give one for each"
            )
        check_size("csp", sum(map(len, self.domains)), "values in domains", MAX_VALUES)
        for domain in dict.fromkeys(self.domains):
            name = in_short(self.names[self.domains.index(domain)])
            if not domain:
                raise BadModel(f"csp: variable {name} has no values; give it one at least")
            check_whole(f"csp: a value of variable {name}", domain[0], -LARGEST, LARGEST)
            check_whole(f"csp: a value of variable {name}", domain[-1], -LARGEST, LARGEST)
            for before, after in pairwise(domain):
                if before >= after:
                    raise BadModel(
                        f"csp: the values of {name} must increase, but {after} comes after {before}"
                    )
            if domain[-1] - domain[0] >= MAX_SPAN:
                raise BadModel(
                    f"csp: the values of {name} go from {domain[0]} to {domain[-1]}; rekkyo takes on domains"
                    f" that span at most {MAX_SPAN} numbers"
                )

    def _check_solution(self) -> None:
        check_nested("csp: the solution is a tuple of variables", self.solution, (tuple, int))
        if not self.solution:
            object.__setattr__(self, "solution", tuple(range(len(self.names))))
        for variable in self.solution:
            self._check_variable("the solution", variable)
        if len(set(self.solution)) < len(self.solution):
            raise BadModel("csp: the solution names a variable twice; name it once")

    def _are_constraints_valid(self) -> bool:
        """Whether `_check_constraint` accepts all constraints. To check them together takes less time."""
        if not set(map(type, self.constraints)).issubset(CONSTRAINTS):
            return False
        named = list(chain.from_iterable(map(variables_of, self.constraints)))
        return not named or (
            set(map(type, named)) == {int} and 0 <= min(named) <= max(named) < len(self.names)
        )

    def _check_constraint(self, constraint: object) -> None:
        if not isinstance(constraint, CONSTRAINTS):
            refuse("csp: a constraint is one of Table, AllDifferent, Linear and so on", constraint)
        for variable in variables_of(constraint):
            self._check_variable(type(constraint).__name__, variable)

    def _check_variable(self, what: str, variable: Variable) -> None:
        if type(variable) is not int or not 0 <= variable < len(self.names):
            refuse(f"csp: {what} names variables from 0 to {len(self.names) - 1}", variable)

    @property
    def size_in_words(self) -> str:
        """How many variables and constraints it has, for a title."""
        parts = several(len(self.solution), "variable"), several(len(self.constraints), "constraint")
        return ", ".join(parts)

    @property
    def row_shape(self) -> RowShape:
        """A row has a position for each variable of the solution, and a value for each of `values`."""
        return RowShape(len(self.solution), len(self.values), Layout.BY_POSITION)

    @property
    def row_meaning(self) -> str:
        """Positions are variables, and values are the places of their values in `values`."""
        names = " ".join(self.names[variable] for variable in self.solution[:20])
        more = " ..." if len(self.solution) > 20 else ""
        low, high = self.values[0], self.values[-1]
        if high - low == len(self.values) - 1:
            value = f"its value minus {low}" if low > 0 else f"its value plus {-low}" if low else "its value"
        else:
            value = "which of the values it has, from 0, least first"
        return f"position: variable, in the order {in_short(names, 200)}{more}; value: {value}"


def _check_terms(linear: Linear, largest: Sequence[int]) -> None:
    """Refuse a sum that may be too large. largest: for each variable its greatest absolute value."""
    terms = zip(linear.coefficients, linear.variables, strict=True)
    most = sum(abs(c) * largest[v] for c, v in terms)
    if most + abs(linear.constant) >= 1 << 62:
        raise BadModel("csp: the terms of a linear constraint add up to more than 62 bits; make them smaller")


def _check_names(names: object) -> None:
    rule = "csp: the names are a tuple of texts, none empty"
    check_nested(rule, names, (tuple, str))
    assert isinstance(names, tuple)
    if not names or "" in names:
        refuse(rule, names)
    check_size("csp", len(names), "variables", MAX_VARIABLES)
    if (twice := repeated(names)) is not None:
        raise BadModel(f'csp: two variables are named "{in_short(twice)}"')
