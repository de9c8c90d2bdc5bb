"""Choco, through pychoco: a `Csp` constraint by constraint, and all its solutions by the smallest domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Any

from pychoco.model import Model
from pychoco.objects.automaton.finite_automaton import FiniteAutomaton

from rekkyo.model.csp.constraints import (
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
    """What counts the solutions; the model is built before."""
    translation = _Translation(model)
    solver = translation.made.get_solver()
    solver.set_min_dom_lb_search(*translation.of(model.solution))

    def count() -> int:
        found = 0
        while solver.solve():
            found += 1
        return found

    return count


class _Translation:
    """made: the model of Choco. Truth values of "variable = value" are made once."""

    def __init__(self, model: Csp) -> None:
        self.made = Model()
        self._domains = model.domains
        self._variables = [self._variable(domain) for domain in model.domains]
        self._literals: dict[tuple[int, int], Any] = {}
        for constraint in model.constraints:
            self.post(constraint)

    def _variable(self, domain: Sequence[int]) -> Any:
        if domain == (0, 1):
            return self.made.boolvar()
        if len(domain) == domain[-1] - domain[0] + 1:
            return self.made.intvar(domain[0], domain[-1])
        return self.made.intvar(list(domain))

    def of(self, numbers: Sequence[int]) -> list[Any]:
        return [self._variables[number] for number in numbers]

    def literal(self, number: int, value: int) -> Any:
        """True just when a variable has a value."""
        if self._domains[number] == (0, 1) and value == 1:
            return self._variables[number]
        if (number, value) not in self._literals:
            literal = self.made.boolvar()
            self.made.reify_x_eq_y(self._variables[number], value, literal)
            self._literals[number, value] = literal
        return self._literals[number, value]

    @singledispatchmethod
    def post(self, constraint: Any) -> None:
        raise NotImplementedError(f"{type(constraint).__name__} in Choco")

    @post.register
    def _(self, constraint: Table) -> None:
        rows = [list(row) for row in constraint.rows]
        self.made.table(self.of(constraint.variables), rows, constraint.allowed).post()

    @post.register
    def _(self, constraint: AllDifferent) -> None:
        if constraint.excepted == (0,):
            self.made.all_different_except_0(self.of(constraint.variables)).post()
        elif constraint.excepted:
            raise NotImplementedError("all_different except a value in Choco")
        else:
            self.made.all_different(self.of(constraint.variables), "DEFAULT").post()

    @post.register
    def _(self, constraint: Linear) -> None:
        self._linear(constraint).post()

    def _linear(self, constraint: Linear) -> Any:
        variables, coefficients = self.of(constraint.variables), list(constraint.coefficients)
        return self.made.scalar(variables, coefficients, constraint.relation, constraint.constant)

    @post.register
    def _(self, constraint: Count) -> None:
        variables, times = self.of(constraint.variables), self._variables[constraint.times]
        if len(constraint.values) == 1:
            self.made.count(constraint.values[0], variables, times).post()
        else:
            self.made.among(times, variables, list(constraint.values)).post()

    @post.register
    def _(self, constraint: GlobalCardinality) -> None:
        values = [value for value, _, _ in constraint.bounds]
        times = [self.made.intvar(low, high) for _, low, high in constraint.bounds]
        self.made.global_cardinality(self.of(constraint.variables), values, times).post()

    @post.register
    def _(self, constraint: Regular) -> None:
        automaton = FiniteAutomaton()
        states = [automaton.add_state() for _ in range(constraint.n_states)]
        for state, value, after in constraint.transitions:
            automaton.add_transition(states[state], states[after], value)
        automaton.set_initial_state(states[0])
        automaton.set_final(*(states[state] for state in constraint.accepting))
        self.made.regular(self.of(constraint.variables), automaton).post()

    @post.register
    def _(self, constraint: Element) -> None:
        index, result = self._variables[constraint.index], self._variables[constraint.result]
        self.made.element(result, self.of(constraint.array), index, constraint.first).post()

    @post.register
    def _(self, constraint: Inverse) -> None:
        f, g, first = self.of(constraint.f), self.of(constraint.g), constraint.first
        self.made.inverse_channeling(f, g, first, first).post()

    @post.register
    def _(self, constraint: Product) -> None:
        *factors, last = self.of(constraint.factors)
        if len(factors) != 1:
            raise NotImplementedError("a product of other than two factors in Choco")
        self.made.times(factors[0], last, self._variables[constraint.result]).post()

    @post.register
    def _(self, constraint: Circuit) -> None:
        successors = self.of(constraint.successors)
        if constraint.subcircuit:
            length = self.made.intvar(0, len(successors))
            self.made.sub_circuit(successors, constraint.first, length).post()
        else:
            self.made.circuit(successors, constraint.first).post()

    @post.register
    def _(self, constraint: LexLess) -> None:
        less = self.made.lex_less if constraint.strict else self.made.lex_less_eq
        less(self.of(constraint.lesser), self.of(constraint.greater)).post()

    @post.register
    def _(self, constraint: Clause) -> None:
        yes, no = self._disjuncts(constraint)
        self.made.add_clauses(yes, no)

    def _disjuncts(self, clause: Clause) -> tuple[list[Any], list[Any]]:
        """Those of which one is to be true, and those of which one may be false instead."""
        sides: tuple[list[Any], list[Any]] = ([], [])
        for v, value, holds in clause.literals:
            if self._domains[v] == (0, 1):
                sides[holds != (value == 1)].append(self._variables[v])
            else:
                sides[not holds].append(self.literal(v, value))
        return sides

    @post.register
    def _(self, constraint: Reified) -> None:
        truth, inner = self._variables[constraint.truth], constraint.constraint
        if isinstance(inner, Linear) and inner.coefficients == (1,) and inner.relation == EQUAL:
            self.made.reify_x_eq_y(self._variables[inner.variables[0]], inner.constant, truth)
        elif isinstance(inner, Linear):
            self._linear(inner).reify_with(truth)
        elif isinstance(inner, Clause):
            yes, no = self._disjuncts(inner)
            disjuncts = [*yes, *(variable.bool_not() for variable in no)]
            self.made.add_clauses_bool_or_array_eq_var(disjuncts, truth)
        elif isinstance(inner, Table):
            rows = [list(row) for row in inner.rows]
            self.made.table(self.of(inner.variables), rows, inner.allowed).reify_with(truth)
        else:
            self.made.all_different(self.of(inner.variables), "DEFAULT").reify_with(truth)
