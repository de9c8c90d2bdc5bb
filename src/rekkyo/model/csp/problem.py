"""Build a `Csp` step by step: variables first, then constraints, then the variables of a solution.

    problem = Problem()
    a, b, c = problem.variables(("a", "b", "c"), range(1, 10))
    problem.all_different((a, b, c))
    problem.linear((1, 1, -1), (a, b, c), "=", 0)
    puzzle = problem.puzzle("sum of two")

Every method adds one constraint; `rekkyo.model.csp.definition` defines its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from rekkyo.errors import BadInput, in_short
from rekkyo.model.checks import check_nested, check_size, check_type, listed
from rekkyo.model.csp.constraints import (
    AllDifferent,
    Areas,
    Circuit,
    Connected,
    Constraint,
    Count,
    GlobalCardinality,
    Linear,
    Product,
    Regular,
    Table,
    Variable,
)
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number

MAX_ASKED = 1 << 20
"""The most rows for which a predicate is called."""

HIDDEN = "~"
"""The prefix of the names of hidden variables."""


class Problem:
    """Variables and constraints, gathered until `model` or `puzzle` is called. Raises BadInput."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._domains: list[tuple[int, ...]] = []
        self._constraints: list[Constraint] = []
        self._objective: Objective | None = None

    def variable(self, name: str, domain: Iterable[int]) -> Variable:
        """A new variable; its number. domain: its values, in any order."""
        check_type("problem: the name of a variable is a text", name, str)
        rule = f"problem: the domain of {in_short(name)} holds whole numbers, such as range(1, 10)"
        if isinstance(domain, range):
            check_size("problem", len(domain), "values of a variable", 1 << 16)
        values = [whole_number(value) for value in listed(rule, domain)]
        check_nested(rule, values, (list, int))
        self._names.append(name)
        self._domains.append(tuple(sorted(set(values))))
        return len(self._names) - 1

    def variables(self, names: Iterable[str], domain: Iterable[int]) -> tuple[Variable, ...]:
        """New variables with one domain; their numbers, in order."""
        values = tuple(domain)
        return tuple(self.variable(name, values) for name in names)

    def hidden(self, domain: Iterable[int]) -> Variable:
        """A new variable with a generated name, which is part of a solution only if `solution` names it."""
        return self.variable(f"{HIDDEN}{len(self._names)}", domain)

    def domain(self, variable: Variable) -> tuple[int, ...]:
        """The values of a variable."""
        return self._domains[variable]

    def add(self, constraint: Constraint) -> None:
        """Add any constraint."""
        self._constraints.append(constraint)

    def all_different(self, variables: Sequence[Variable], excepted: Iterable[int] = ()) -> None:
        """No two have the same value, unless it is excepted."""
        self.add(AllDifferent(tuple(variables), tuple(excepted)))

    def linear(
        self, coefficients: Sequence[int], variables: Sequence[Variable], relation: str, constant: int
    ) -> None:
        """A weighted sum is "=", "!=", "<", "<=", ">" or ">=" a constant."""
        sign = -1 if relation in (">", ">=") else 1
        strict = relation in ("<", ">")
        plain = "<=" if relation in ("<", "<=", ">", ">=") else relation
        terms = tuple(sign * c for c in coefficients)
        self.add(Linear(terms, tuple(variables), plain, sign * constant - strict))

    def sum(self, variables: Sequence[Variable], relation: str, constant: int) -> None:
        """The sum is "=", "!=", "<", "<=", ">" or ">=" a constant."""
        self.linear((1,) * len(variables), variables, relation, constant)

    def table(self, variables: Sequence[Variable], rows: Iterable[Sequence[int]]) -> None:
        """The values, in order, are one of the rows."""
        self.add(Table(tuple(variables), tuple(map(tuple, rows))))

    def predicate(self, variables: Sequence[Variable], function: Callable[..., object]) -> None:
        """The function is true of the values. It is called now, once for each combination of values."""
        domains = [self._domains[variable] for variable in variables]
        n_rows = prod(map(len, domains))
        if n_rows > MAX_ASKED:
            raise BadInput(
                f"problem: the predicate would be called {n_rows} times, more than {MAX_ASKED}; take"
                " fewer variables or smaller domains"
            )
        self.table(variables, (row for row in product(*domains) if _asked(function, row)))

    def count(self, variables: Sequence[Variable], values: Iterable[int], times: Variable) -> None:
        """The number of variables with one of the values is the value of `times`."""
        self.add(Count(tuple(variables), tuple(values), times))

    def global_cardinality(
        self, variables: Sequence[Variable], bounds: Iterable[tuple[int, int, int]]
    ) -> None:
        """(value, low, high): from low to high of the variables have the value."""
        self.add(GlobalCardinality(tuple(variables), tuple(bounds)))

    def regular(
        self,
        variables: Sequence[Variable],
        n_states: int,
        transitions: Iterable[tuple[int, int, int]],
        accepting: Iterable[int],
    ) -> None:
        """The values are a word of an automaton; transitions are (state, value, next state), from state 0."""
        self.add(Regular(tuple(variables), n_states, tuple(transitions), tuple(accepting)))

    def product(self, factors: Sequence[Variable], result: Variable) -> None:
        """The product of the factors is the result."""
        self.add(Product(tuple(factors), result))

    def circuit(self, successors: Sequence[Variable], first: int = 0, *, subcircuit: bool = False) -> None:
        """Each variable is the next node, counted from `first`; together they make one cycle."""
        self.add(Circuit(tuple(successors), first, subcircuit))

    def connected(
        self, variables: Sequence[Variable], edges: Iterable[tuple[int, int]], values: Iterable[int]
    ) -> None:
        """The cells with one of the values are connected; edges are pairs of positions in `variables`."""
        self.add(Connected(tuple(variables), tuple(edges), tuple(values)))

    def areas(
        self,
        variables: Sequence[Variable],
        edges: Iterable[tuple[int, int]],
        sizes: Iterable[tuple[int, int, int]],
    ) -> None:
        """(value, low, high): each connected area of cells with the value has low to high cells."""
        self.add(Areas(tuple(variables), tuple(edges), tuple(sizes)))

    def maximize(self, variable: Variable) -> None:
        """Only solutions with the greatest value of the variable count."""
        self._objective = Objective(variable, maximize=True)

    def minimize(self, variable: Variable) -> None:
        """Only solutions with the least value of the variable count."""
        self._objective = Objective(variable, maximize=False)

    def model(self, solution: Sequence[Variable] | None = None, grid: tuple[int, int] | None = None) -> Csp:
        """The model. solution: the variables of a solution; by default all that have a name."""
        if solution is None:
            solution = [v for v, name in enumerate(self._names) if not name.startswith(HIDDEN)]
        return Csp(
            tuple(self._names),
            tuple(self._domains),
            tuple(self._constraints),
            tuple(solution),
            self._objective,
            grid,
        )

    def puzzle(self, name: str = "problem", title: str = "", **of_model: Any) -> Puzzle:
        """The model as a puzzle without symmetry; `rekkyo.with_own_symmetry` finds its symmetry."""
        model = self.model(**of_model)
        return Puzzle(
            name, model, title or f"{len(model.solution)} variables, {len(model.constraints)} constraints"
        )


def _asked(function: Callable[..., object], row: tuple[int, ...]) -> bool:
    """The result of a predicate of the user. Raises BadInput if it fails."""
    try:
        return bool(function(*row))
    except Exception as problem:
        what = in_short(f"{type(problem).__name__}: {problem}", 100)
        raise BadInput(f"problem: the predicate fails for {row}: {what}") from problem
