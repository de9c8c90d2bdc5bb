"""Whether values of the variables of a solution can be completed to values of all variables.

Algorithm: a constraint with one unknown variable is evaluated for each value of that variable; a table, an
automaton and a diagram for all values at once. If one value is left, the variable gets it; if no variable has
just one value left, a value is guessed. Only the definitions of the constraints are used. Left out on
purpose: propagation, because this module checks engines that propagate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rekkyo.errors import Undecided
from rekkyo.model.csp.constraints import Constraint, Diagram, Regular, Table, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds, left_by

MAX_CHECKS = 1 << 20
"""The most evaluations of constraints; beyond them the answer is not known."""


def problems_of(model: Csp, row: Sequence[int]) -> list[str]:
    """The problems of a row of indices into `model.values`, one sentence each. Raises Undecided.

    The objective must have its best value if that is known.
    """
    values = [model.values[index] for index in row]
    named = list(zip(model.solution, values, strict=True))
    objective = model.objective
    if objective is not None and objective.best is not None:
        if dict(named).get(objective.variable, objective.best) != objective.best:
            return [f"{model.names[objective.variable]} is not {objective.best}, its best value"]
        named.append((objective.variable, objective.best))
    found = [
        f"{model.names[v]} = {value} is not in its domain"
        for v, value in named
        if value not in model.domains[v]
    ]
    if found:
        return found
    filling = _Filling(model, dict(named))
    broken = filling.broken()
    if broken:
        return [_problem_in_words(model, constraint) for constraint in broken[:5]]
    return [] if filling.complete() else ["the other variables can have no values"]


def with_best_value(model: Csp, row: Sequence[int] | None) -> Csp:
    """The model with the best value of its objective, from any row that has it; None if there is no solution.

    Raises Undecided.
    """
    objective = model.objective
    if objective is None or row is None:
        return replace(model, objective=None)
    for value in sorted(model.domains[objective.variable], reverse=objective.maximize):
        known = replace(model, objective=replace(objective, best=value))
        if not problems_of(known, row):
            return known
    return model


def _problem_in_words(model: Csp, constraint: Constraint) -> str:
    variables = dict.fromkeys(variables_of(constraint))
    names = [model.names[v] for v in variables]
    what = f"{type(constraint).__name__} of {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    objective = model.objective
    if objective is not None and objective.best is not None and objective.variable in variables:
        return f"{what} does not hold for the best value {objective.best}"
    return f"{what} does not hold"


@dataclass(frozen=True, slots=True)
class _Scopes:
    """The facts that are the same for every row of a model.

    n_open: for each constraint the number of its variables without a value. sum_open: the sum of their
    numbers, which is the variable if there is only one. around: for each variable the constraints in which
    it has no value. definitions: for each constraint the function that evaluates it.
    """

    n_open: tuple[int, ...]
    sum_open: tuple[int, ...]
    around: tuple[tuple[int, ...], ...]
    definitions: tuple[Callable[[Any, Sequence[int]], bool], ...]


@lru_cache(maxsize=1)
def _scopes(model: Csp, known: frozenset[Variable]) -> _Scopes:
    still_open = [set(variables_of(constraint)) - known for constraint in model.constraints]
    around: list[list[int]] = [[] for _ in model.names]
    for number, scope in enumerate(still_open):
        for v in scope:
            around[v].append(number)
    definition = {kind: holds.dispatch(kind) for kind in set(map(type, model.constraints))}
    definitions = tuple([definition[type(constraint)] for constraint in model.constraints])
    n_open, sum_open = (tuple(map(count, still_open)) for count in (len, sum))
    return _Scopes(n_open, sum_open, tuple(map(tuple, around)), definitions)


class _Filling:
    """A partial assignment, extended and reduced in place.

    All constraints without an open variable hold: the caller checks `broken` first, and `_possible` checks
    each constraint that a new value completes.
    """

    def __init__(self, model: Csp, known: dict[Variable, int]) -> None:
        self._model = model
        scopes = _scopes(model, frozenset(known))
        self._value = [known.get(v, 0) for v in range(len(model.names))]
        self._is_known = [v in known for v in range(len(model.names))]
        self._around, self._definitions = scopes.around, scopes.definitions
        self._n_open, self._sum_open = list(scopes.n_open), list(scopes.sum_open)
        self._waiting = [number for number, n_open in enumerate(self._n_open) if n_open == 1]
        self._given: list[Variable] = []
        self._checks_left = MAX_CHECKS

    def broken(self) -> list[Constraint]:
        """The constraints without an open variable that do not hold."""
        complete = [number for number, n_open in enumerate(self._n_open) if not n_open]
        return [self._model.constraints[number] for number in complete if not self.holds(number)]

    def holds(self, number: int) -> bool:
        """Whether a constraint holds, when all its variables have values."""
        self._checks_left -= 1
        return self._definitions[number](self._model.constraints[number], self._value)

    def complete(self) -> bool:
        """Whether all variables that have no value can get one. Raises Undecided."""
        guesses: list[tuple[int, Variable, Iterator[int]]] = []
        is_possible = self._settle()
        while self._checks_left > 0:
            if is_possible:
                v, values = self._next_guess()
                if v < 0:
                    return True
                guesses.append((len(self._given), v, iter(values)))
            elif not guesses:
                return False
            n_before, v, left = guesses[-1]
            self._take_back(n_before)
            value = next(left, None)
            if value is None:
                guesses.pop()
                is_possible = False
            else:
                self._give(v, value)
                is_possible = self._settle()
        raise Undecided(
            f"whether hidden variables can complete a solution is not known after {MAX_CHECKS} evaluations of"
            " their constraints; recount with another engine instead"
        )

    def _settle(self) -> bool:
        """Give values to variables that have only one left; False if a constraint leaves none."""
        while self._waiting and self._checks_left > 0:
            number = self._waiting.pop()
            if not self._n_open[number]:
                continue
            v = self._sum_open[number]
            values = self._possible(v)
            if not values:
                self._waiting.clear()
                return False
            if len(values) == 1:
                self._give(v, values[0])
        return True

    def _possible(self, v: Variable) -> Sequence[int]:
        """The values that constraints with no other open variable leave to it."""
        values: Sequence[int] = self._model.domains[v]
        value, n_open = self._value, self._n_open
        constraints, definitions = self._model.constraints, self._definitions
        before = value[v]
        for number in self._around[v]:
            if n_open[number] == 1:
                self._checks_left -= len(values)
                constraint, definition = constraints[number], definitions[number]
                if isinstance(constraint, Table | Regular | Diagram):
                    values = left_by(constraint, v, value, values)
                    continue
                left = []
                for x in values:
                    value[v] = x
                    if definition(constraint, value):
                        left.append(x)
                values = left
        value[v] = before
        return values

    def _next_guess(self) -> tuple[Variable, Sequence[int]]:
        """An open variable and its values; -1 if none is open.

        It is one of a constraint with as few open variables as possible, so that its values soon fail or
        decide others. A constraint with one open variable has left it the values that it has.
        """
        still_open = [v for v, is_known in enumerate(self._is_known) if not is_known]
        if not still_open:
            return -1, ()
        n_open, around, domains = self._n_open, self._around, self._model.domains
        fewest = [
            min((n_open[c] for c in around[v] if n_open[c] > 1), default=len(domains)) for v in still_open
        ]
        v = min(zip(fewest, still_open, strict=True), key=lambda pair: (pair[0], len(domains[pair[1]])))[1]
        return v, self._possible(v)

    def _give(self, v: Variable, value: int) -> None:
        self._value[v], self._is_known[v] = value, True
        self._given.append(v)
        n_open, sum_open = self._n_open, self._sum_open
        for number in self._around[v]:
            n_open[number] -= 1
            sum_open[number] -= v
            if n_open[number] == 1:
                self._waiting.append(number)

    def _take_back(self, n_before: int) -> None:
        """Keep the first `n_before` assigned variables, and unassign the others."""
        while len(self._given) > n_before:
            v = self._given.pop()
            self._is_known[v] = False
            for number in self._around[v]:
                self._n_open[number] += 1
                self._sum_open[number] += v
