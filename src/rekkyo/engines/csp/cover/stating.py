"""Problems whose constraints are about different values, or about two variables each, as exact covers.

An option is a variable of the solution with one of its values. The items:

    a variable                                     primary: it has one value
    a value of an `all_different`                  primary if there are as many values as variables, else
                                                   secondary: no two variables have it
    a value of one variable, and those values of   secondary: of two options that use it, one is of each
    another one that a constraint rules out then   variable, or both are of the same and exclude each other

Values that lead to the same ruled-out values share one item. Variables with a single value that the solution
does not show, such as constants of a flattened model, are replaced by that value.
Source: Knuth, TAOCP 4B, section 7.2.2.1, for sudoku; the last kind of item is a biclique of conflicts.
Left out on purpose: constraints of three variables or more other than `all_different`. An automaton can be
stated by its states as colours of secondary items, but no cover engine propagates along it: a nonogram of
14 x 14 took more than 600 s, and 0.025 s with `csp`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from rekkyo.engines.contract import Rows, row_dtype
from rekkyo.engines.covers.bitset.engine import too_many_options
from rekkyo.model.csp.constraints import AllDifferent, Constraint, Linear, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds
from rekkyo.model.exact_cover import ExactCover, Use

MOST_PAIRS = 1 << 20
"""Pairs of values for which constraints of two variables are evaluated: about a second."""

Literal: TypeAlias = tuple[Variable, int]
"""A variable and one of its values."""

Excluding: TypeAlias = dict[tuple[int, ...], list[int]]
"""For some values of one variable, all values of another variable that rule out these and no others."""


class CannotState(Exception):
    """Why a problem is not stated as a cover, as the end of a sentence."""


def constants_of(csp: Csp) -> dict[Variable, int]:
    """The variables with a single value that the solution does not show, and that value."""
    shown = set(csp.solution)
    return {v: domain[0] for v, domain in enumerate(csp.domains) if v not in shown and len(domain) == 1}


def scopes_of(csp: Csp, constants: Mapping[Variable, int]) -> list[tuple[Constraint, tuple[Variable, ...]]]:
    """All constraints other than `all_different`, with the variables that they are about: two at most.

    Raises CannotState, before any item is made.
    """
    if csp.objective is not None:
        raise CannotState("cannot optimize an objective")
    shown = set(csp.solution)
    if len(shown) + len(constants) < len(csp.names):
        v = next(v for v in range(len(csp.names)) if v not in shown and v not in constants)
        raise CannotState(f"takes no hidden variables, such as {csp.names[v]}")
    found: list[tuple[Constraint, tuple[Variable, ...]]] = []
    for constraint in csp.constraints:
        if isinstance(constraint, AllDifferent):
            continue
        scope = open_variables(constraint, constants)
        if len(scope) > 2:
            kind = type(constraint).__name__
            few = "takes constraints of two variables, and all_different"
            raise CannotState(f"{few}, but {kind} has {len(scope)}")
        found.append((constraint, scope))
    return found


def open_variables(constraint: Constraint, constants: Mapping[Variable, int]) -> tuple[Variable, ...]:
    """The variables of a constraint that are not constants, each once."""
    return tuple(dict.fromkeys(v for v in variables_of(constraint) if v not in constants))


class Stating:
    """The items of a problem. primary, secondary: for each item the literals that use it.

    domains: values that are possible; those of variables that the solution does not show are left out.
    Raises CannotState.
    """

    def __init__(self, csp: Csp) -> None:
        self._constants = constants_of(csp)
        scopes = scopes_of(csp, self._constants)
        self.domains = {v: set(csp.domains[v]) for v in csp.solution}
        self.primary: list[list[Literal]] = []
        self.secondary: list[list[Literal]] = []
        self._pairs_left = MOST_PAIRS
        self._excluding: dict[object, Excluding] = {}
        for constraint, scope in scopes:
            if len(scope) < 2:
                self._restrict(constraint, scope)
        for different in csp.constraints:
            if isinstance(different, AllDifferent):
                self._different(different)
        for constraint, scope in scopes:
            if len(scope) == 2:
                self._two(constraint, *scope)

    def _restrict(self, constraint: Constraint, scope: tuple[Variable, ...]) -> None:
        """Remove the values of a variable for which a constraint does not hold."""
        if not scope:
            if not holds(constraint, self._constants):
                self.domains = {v: set() for v in self.domains}
            return
        (v,) = scope
        self.domains[v] = {x for x in self.domains[v] if holds(constraint, self._constants | {v: x})}

    def _different(self, constraint: AllDifferent) -> None:
        times = Counter(constraint.variables)
        scope = open_variables(constraint, self._constants)
        for v in scope:
            if times[v] > 1:
                self.domains[v] &= set(constraint.excepted)
        constants = [v for v in constraint.variables if v in self._constants]
        taken = Counter(self._constants[v] for v in constants)
        for x in constraint.excepted:
            taken.pop(x, None)
        for v in scope:
            self.domains[v] -= taken.keys()
        if any(n > 1 for n in taken.values()):
            self.domains = {v: set() for v in self.domains}
        values = sorted(set().union(*(self.domains[v] for v in scope)).difference(constraint.excepted))
        are_all_used = len(values) == len(scope) and not constraint.excepted
        for x in values:
            literals = [(v, x) for v in scope if x in self.domains[v]]
            if are_all_used:
                self.primary.append(literals)
            elif len(literals) > 1:
                self.secondary.append(literals)

    def _two(self, constraint: Constraint, one: Variable, other: Variable) -> None:
        """Items for the values of two variables that exclude each other."""
        self._pairs_left -= len(self.domains[one]) * len(self.domains[other])
        if self._pairs_left < 0:
            raise CannotState(f"evaluates constraints for at most {MOST_PAIRS} pairs of values")
        values = tuple(sorted(self.domains[one])), tuple(sorted(self.domains[other]))
        if isinstance(constraint, Linear) and constraint.variables == (one, other):
            # Most problems state few relations, each of many pairs of variables.
            relation = constraint.coefficients, constraint.relation, constraint.constant
            excluding = self._excluding.get((relation, values))
            if excluding is None:
                excluding = self._excluding[relation, values] = self._ruled_out(constraint, one, other)
        else:
            excluding = self._ruled_out(constraint, one, other)
        for excluded, some in excluding.items():
            self.secondary.append([*((one, x) for x in some), *((other, y) for y in excluded)])

    def _ruled_out(self, constraint: Constraint, one: Variable, other: Variable) -> Excluding:
        """For values of the other variable that a value rules out, all values that rule out just these."""
        evaluate = holds.dispatch(type(constraint))
        excluding: Excluding = defaultdict(list)
        value = dict(self._constants)
        for x in sorted(self.domains[one]):
            value[one] = x
            ruled_out = []
            for y in sorted(self.domains[other]):
                value[other] = y
                if not evaluate(constraint, value):
                    ruled_out.append(y)
            if ruled_out:
                excluding[tuple(ruled_out)].append(x)
        return excluding


def stated(csp: Csp) -> tuple[ExactCover, Rows]:
    """The exact cover, and for each option the number of its value in a row. Raises CannotState."""
    stating = Stating(csp)
    too_many = too_many_options(sum(len(stating.domains[v]) for v in csp.solution))
    if too_many is not None:  # refused here, because millions of options take minutes to make
        raise CannotState(too_many)
    literals = [(v, x) for v in csp.solution for x in sorted(stating.domains[v])]
    items: Iterable[list[Literal]] = (
        *([(v, x) for x in stating.domains[v]] for v in csp.solution),
        *stating.primary,
        *stating.secondary,
    )
    uses: dict[Literal, list[Use]] = {literal: [] for literal in literals}
    for item, users in enumerate(items):
        use = item, 0
        for literal in users:
            if literal in uses:
                uses[literal].append(use)
    n_primary = len(csp.solution) + len(stating.primary)
    cover = ExactCover(
        primary=tuple(f"p{item}" for item in range(n_primary)),
        secondary=tuple(f"s{item}" for item in range(len(stating.secondary))),
        options=tuple(map(tuple, uses.values())),
    )
    number = {x: number for number, x in enumerate(csp.values)}
    numbers = [number[x] for _, x in literals] or [0]
    return cover, np.array(numbers, dtype=row_dtype(csp.row_shape.n_symbols))
