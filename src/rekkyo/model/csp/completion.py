"""Whether values of the variables of a solution can be completed to values of all variables.

Algorithm: a constraint of which one variable is unknown leaves to it the values for which it holds; when no
constraint has just one unknown variable, a value is guessed. Nothing but the definitions of the constraints
is used. Left out on purpose: every kind of propagation, which is what engines do and this checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.csp.constraints import Constraint, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds

MAX_CHECKS = 1 << 20
"""Questions to a constraint, after which the values are taken to have no completion."""


def problems_of(model: Csp, row: Sequence[int]) -> list[str]:
    """What is wrong with a row of indices into `model.values`, one sentence each."""
    values = [model.values[index] for index in row]
    named = list(zip(model.solution, values, strict=True))
    found = [
        f"{model.names[v]} = {value} is not in its domain"
        for v, value in named
        if value not in model.domains[v]
    ]
    if found:
        return found
    filling = _Filling(model, dict(named))
    broken = [c for c in model.constraints if filling.open_of(c) == [] and not filling.holds(c)]
    if broken:
        return [f"{_said(model, constraint)} does not hold" for constraint in broken[:5]]
    return [] if filling.complete() else ["the other variables can have no values"]


def _said(model: Csp, constraint: Constraint) -> str:
    names = [model.names[v] for v in dict.fromkeys(variables_of(constraint))]
    return f"{type(constraint).__name__} of {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"


class _Filling:
    """Values of variables, which become more and fewer."""

    def __init__(self, model: Csp, known: dict[Variable, int]) -> None:
        self._model = model
        self._value = [known.get(v, 0) for v in range(len(model.names))]
        self._is_known = [v in known for v in range(len(model.names))]
        self._around: dict[Variable, list[Constraint]] = {}
        self._checks_left = MAX_CHECKS
        for constraint in model.constraints:
            for v in set(variables_of(constraint)):
                self._around.setdefault(v, []).append(constraint)

    def open_of(self, constraint: Constraint) -> list[Variable]:
        """The variables without a value."""
        return [v for v in dict.fromkeys(variables_of(constraint)) if not self._is_known[v]]

    def holds(self, constraint: Constraint) -> bool:
        """Whether it holds, when all its variables have values."""
        self._checks_left -= 1
        return holds(constraint, self._value)

    def complete(self) -> bool:
        """Whether all variables that have no value can get one. Those that do are then left with it."""
        v = next((v for v, known in enumerate(self._is_known) if not known), None)
        if v is None:
            return True
        deciding = [c for c in self._model.constraints if len(self.open_of(c)) == 1]
        if deciding:
            v = self.open_of(min(deciding, key=lambda c: len(self._model.domains[self.open_of(c)[0]])))[0]
        for value in self._model.domains[v]:
            if self._checks_left <= 0:
                return False
            self._value[v], self._is_known[v] = value, True
            whole = [c for c in self._around.get(v, ()) if not self.open_of(c)]
            if all(map(self.holds, whole)) and self.complete():
                return True
            self._is_known[v] = False
        return False
