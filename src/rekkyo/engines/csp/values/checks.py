"""Check constraints by their definitions, for many assignments at once.

A constraint with few combinations of values has a table, which is made by evaluating its definition for each
combination. Some kinds of constraints are computed for any number of combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, singledispatch
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds

Columns: TypeAlias = Mapping[Variable, NDArray[np.int64]]
"""For each variable, and for each assignment, the index of its value in its domain."""

Check: TypeAlias = Callable[[Columns], NDArray[np.bool_]]
"""Whether the constraint holds, for each assignment."""

MOST_ASKED = 1 << 12
"""Combinations of values for which a definition is evaluated, at most."""

MOST_TABLES = 1 << 10
"""Tables that are kept: counting what a symmetry leaves unchanged needs those of the model again."""


def check_of(model: Csp, constraint: Constraint) -> Check | None:
    """The check of a constraint; None if it has too many combinations and its kind is not computed.

    A table is made when it is first used: whether there is a check is asked for every model.
    """
    variables = tuple(dict.fromkeys(variables_of(constraint)))
    if prod(len(model.domains[v]) for v in variables) > MOST_ASKED:
        if type(constraint) not in _holds.registry:
            return None
        domains = {v: np.array(model.domains[v], dtype=np.int64) for v in variables}
        return lambda at: _holds(constraint, lambda v: domains[v][at[v]])
    table = cache(lambda: _table(constraint, variables, tuple(model.domains[v] for v in variables)))
    return lambda columns: table()[tuple(columns[v] for v in variables) or (0,)]


@lru_cache(maxsize=MOST_TABLES)
def _table(
    constraint: Constraint, variables: tuple[Variable, ...], domains: tuple[tuple[int, ...], ...]
) -> NDArray[np.bool_]:
    """Whether the constraint holds, for each combination of values."""
    definition = holds.dispatch(type(constraint))
    found = [definition(constraint, dict(zip(variables, row, strict=True))) for row in product(*domains)]
    return read_only(np.array(found, dtype=np.bool_).reshape(tuple(map(len, domains)) or (1,)))


Held: TypeAlias = Callable[[Variable], NDArray[np.int64]]
"""The value of a variable in each assignment."""


@singledispatch
def _holds(constraint: Constraint, held: Held) -> Any:
    """Whether a constraint holds, for each assignment; only for kinds that are registered."""
    raise TypeError(type(constraint).__name__)


@_holds.register
def _linear(constraint: c.Linear, held: Held) -> Any:
    terms = zip(constraint.coefficients, constraint.variables, strict=True)
    total = sum(factor * held(v) for factor, v in terms) - np.int64(constraint.constant)
    compare = {c.EQUAL: np.equal, c.NOT_EQUAL: np.not_equal, c.AT_MOST: np.less_equal}
    return compare[constraint.relation](total, 0)


@_holds.register
def _all_different(constraint: c.AllDifferent, held: Held) -> Any:
    values = np.sort(np.stack([held(v) for v in constraint.variables]), axis=0)
    twice = (values[1:] == values[:-1]) & ~np.isin(values[1:], constraint.excepted)
    return ~twice.any(axis=0)


@_holds.register
def _count(constraint: c.Count, held: Held) -> Any:
    values = np.stack([held(v) for v in constraint.variables])
    return np.isin(values, constraint.values).sum(axis=0) == held(constraint.times)


@_holds.register
def _global_cardinality(constraint: c.GlobalCardinality, held: Held) -> Any:
    values = np.stack([held(v) for v in constraint.variables])
    found = np.ones(values.shape[1], dtype=np.bool_)
    for value, low, high in constraint.bounds:
        times = (values == value).sum(axis=0)
        found &= (low <= times) & (times <= high)
    return found


@_holds.register
def _clause(constraint: c.Clause, held: Held) -> Any:
    return np.logical_or.reduce([(held(v) == x) == sign for v, x, sign in constraint.literals])
