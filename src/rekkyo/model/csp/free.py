"""Free variables of a problem: those that no constraint names. All their values go with every solution."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from math import prod

from rekkyo.model.csp.constraints import Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.renaming import renamed


def without_free(model: Csp) -> tuple[Csp, int] | None:
    """The problem without its free variables, and how many solutions each of its solutions stands for.

    None if there are none, except variables with one value. A solution keeps one variable at least.
    """
    named = _named(model)
    is_free = [variable not in named for variable in range(len(model.domains))]
    if all(len(domain) == 1 for domain, free in zip(model.domains, is_free, strict=True) if free):
        return None
    return _restricted(model, sorted(named)), times_of_free(model)


def times_of_free(model: Csp) -> int:
    """How many solutions each solution of the problem without free variables stands for."""
    named = _named(model)
    return prod(len(model.domains[variable]) for variable in model.solution if variable not in named)


def _named(model: Csp) -> set[Variable]:
    """The variables that are not free, and one of a solution of free ones."""
    named = set(chain.from_iterable(map(variables_of, model.constraints)))
    if model.objective is not None:
        named.add(model.objective.variable)
    if named.isdisjoint(model.solution):
        named.add(model.solution[0])
    return named


def _restricted(model: Csp, kept: list[Variable]) -> Csp:
    """The problem of some variables, which are all that constraints name."""
    numbers = {variable: number for number, variable in enumerate(kept)}
    objective = model.objective
    return Csp(
        names=tuple(model.names[variable] for variable in kept),
        domains=tuple(model.domains[variable] for variable in kept),
        constraints=tuple(renamed(constraint, numbers) for constraint in model.constraints),
        solution=tuple(numbers[variable] for variable in model.solution if variable in numbers),
        objective=objective and replace(objective, variable=numbers[objective.variable]),
    )
