"""OR-Tools CP-SAT: a `Csp` constraint by constraint, and all its solutions with one worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Any

from ortools.sat.python import cp_model

from rekkyo.engines.csp.frontier.determined import determinants
from rekkyo.model.csp.constraints import (
    AT_MOST,
    EQUAL,
    AllDifferent,
    Circuit,
    Clause,
    Count,
    Element,
    GlobalCardinality,
    Inverse,
    LexLess,
    Linear,
    Product,
    Regular,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp


def counter(model: Csp) -> Callable[[], int]:
    """What counts the solutions; the model is built before.

    CP-SAT lists a solution once for each value of a hidden variable that it does not determine. If there may
    be such variables, different solutions are counted (`still_life`: 48, listed 22,080 times).
    """
    translation = _Translation(model)
    shown = translation.of(model.solution)
    n_hidden = len(model.domains) - len(model.solution)
    is_determined = len(determinants(model)) == n_hidden

    class Counter(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.n_listed = 0
            self.different: set[tuple[int, ...]] = set()

        def on_solution_callback(self) -> None:
            self.n_listed += 1
            if not is_determined:
                self.different.add(tuple(map(self.value, shown)))

    def count() -> int:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        seen = Counter()
        solver.solve(translation.made, seen)
        return seen.n_listed if is_determined else len(seen.different)

    return count


class _Translation:
    """made: the model of CP-SAT. Truth values of "variable = value" are made once."""

    def __init__(self, model: Csp) -> None:
        self.made = cp_model.CpModel()
        self._domains = model.domains
        self._variables = [self._variable(domain) for domain in model.domains]
        self._literals: dict[tuple[int, int], Any] = {}
        for constraint in model.constraints:
            self.post(constraint)

    def _variable(self, domain: Sequence[int]) -> Any:
        if domain == (0, 1):
            return self.made.new_bool_var("")
        return self.made.new_int_var_from_domain(cp_model.Domain.from_values(domain), "")

    def of(self, numbers: Sequence[int]) -> list[Any]:
        """The variables of CP-SAT for variables of the model."""
        return [self._variables[number] for number in numbers]

    def literal(self, number: int, value: int) -> Any:
        """True just when a variable has a value."""
        variable = self._variables[number]
        if self._domains[number] == (0, 1):
            return variable if value == 1 else ~variable if value == 0 else self.made.new_constant(0)
        if (number, value) not in self._literals:
            literal = self.made.new_bool_var("")
            self.made.add(variable == value).only_enforce_if(literal)
            self.made.add(variable != value).only_enforce_if(~literal)
            self._literals[number, value] = literal
        return self._literals[number, value]

    @singledispatchmethod
    def post(self, constraint: Any) -> None:
        raise NotImplementedError(f"{type(constraint).__name__} in CP-SAT")

    @post.register
    def _(self, constraint: Table) -> None:
        add = self.made.add_allowed_assignments if constraint.allowed else self.made.add_forbidden_assignments
        add(self.of(constraint.variables), constraint.rows)

    @post.register
    def _(self, constraint: AllDifferent) -> None:
        if constraint.excepted:
            raise NotImplementedError("all_different except a value in CP-SAT")
        self.made.add_all_different(self.of(constraint.variables))

    @post.register
    def _(self, constraint: Linear) -> None:
        self.made.add(self._relation(constraint, constraint.relation))

    def _relation(self, constraint: Linear, relation: str) -> Any:
        total = cp_model.LinearExpr.weighted_sum(self.of(constraint.variables), list(constraint.coefficients))
        if relation == EQUAL:
            return total == constraint.constant
        return total <= constraint.constant if relation == AT_MOST else total != constraint.constant

    @post.register
    def _(self, constraint: Count) -> None:
        self.made.add(
            self._times(constraint.variables, constraint.values) == self._variables[constraint.times]
        )

    def _times(self, variables: Sequence[int], values: Sequence[int]) -> Any:
        return sum(self.literal(v, value) for v in variables for value in values if value in self._domains[v])

    @post.register
    def _(self, constraint: GlobalCardinality) -> None:
        for value, low, high in constraint.bounds:
            self.made.add_linear_constraint(self._times(constraint.variables, (value,)), low, high)

    @post.register
    def _(self, constraint: Regular) -> None:
        variables, accepting = self.of(constraint.variables), list(constraint.accepting)
        self.made.add_automaton(variables, 0, accepting, list(constraint.transitions))

    @post.register
    def _(self, constraint: Element) -> None:
        index = self._variables[constraint.index] - constraint.first
        self.made.add_element(index, self.of(constraint.array), self._variables[constraint.result])

    @post.register
    def _(self, constraint: Inverse) -> None:
        sides = ([self._less(v, constraint.first) for v in side] for side in (constraint.f, constraint.g))
        self.made.add_inverse(*sides)

    def _less(self, number: int, by: int) -> Any:
        """A variable less a number, as a variable, because an inverse takes no expressions."""
        if by == 0:
            return self._variables[number]
        less = self._variable(tuple(value - by for value in self._domains[number]))
        self.made.add(less == self._variables[number] - by)
        return less

    @post.register
    def _(self, constraint: Product) -> None:
        self.made.add_multiplication_equality(self._variables[constraint.result], self.of(constraint.factors))

    @post.register
    def _(self, constraint: Circuit) -> None:
        arcs = [
            (node, value - constraint.first, self.literal(v, value))
            for node, v in enumerate(constraint.successors)
            for value in self._domains[v]
            if 0 <= value - constraint.first < len(constraint.successors)
            and (constraint.subcircuit or value - constraint.first != node)
        ]
        self.made.add_circuit(arcs)

    @post.register
    def _(self, constraint: LexLess) -> None:
        """equal: whether the words agree up to here."""
        equal = self.made.new_constant(1)
        pairs = list(zip(self.of(constraint.lesser), self.of(constraint.greater), strict=True))
        for place, (one, other) in enumerate(pairs):
            is_last = place == len(pairs) - 1
            bound = one < other if is_last and constraint.strict else one <= other
            self.made.add(bound).only_enforce_if(equal)
            if not is_last:
                after = self.made.new_bool_var("")
                self.made.add_implication(after, equal)
                self.made.add(one == other).only_enforce_if(after)
                self.made.add(one != other).only_enforce_if(equal, ~after)
                equal = after

    @post.register
    def _(self, constraint: Clause) -> None:
        self.made.add_bool_or(self._disjuncts(constraint))

    def _disjuncts(self, clause: Clause) -> list[Any]:
        return [
            self.literal(v, value) if holds else ~self.literal(v, value)
            for v, value, holds in clause.literals
        ]

    @post.register
    def _(self, constraint: Reified) -> None:
        truth, inner = self._variables[constraint.truth], constraint.constraint
        if isinstance(inner, Clause):
            literals = self._disjuncts(inner)
            self.made.add_bool_or(literals).only_enforce_if(truth)
            self.made.add_bool_and([~literal for literal in literals]).only_enforce_if(~truth)
        elif isinstance(inner, Linear):
            self._reify(inner, truth)
        elif isinstance(inner, Table):
            self.made.add_allowed_assignments(self.of(inner.variables), inner.rows).only_enforce_if(truth)
            self.made.add_forbidden_assignments(self.of(inner.variables), inner.rows).only_enforce_if(~truth)
        else:
            raise NotImplementedError("a reified all_different in CP-SAT")

    def _reify(self, inner: Linear, truth: Any) -> None:
        total = cp_model.LinearExpr.weighted_sum(self.of(inner.variables), list(inner.coefficients))
        constant = inner.constant
        if inner.relation == AT_MOST:
            holds, fails = total <= constant, total > constant
        elif inner.relation == EQUAL:
            holds, fails = total == constant, total != constant
        else:
            holds, fails = total != constant, total == constant
        self.made.add(holds).only_enforce_if(truth)
        self.made.add(fails).only_enforce_if(~truth)
