"""Remove hidden variables that restrict nothing, with the only constraint that names them.

MiniZinc makes a partial function total, and leaves variables that nothing asks for, such as the truth value
of `k = a + b`. If such a variable has a fitting value whatever values the others have, its constraint always
holds. Dropping one constraint may leave other variables that nothing else names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import prod

from rekkyo.model.csp import constraints as c

MOST_ROWS = 1 << 10
"""Rows of a table that is looked at, at most."""


def without_dangling(
    constraints: Sequence[c.Constraint], domains: Sequence[set[int]], asked_for: Iterable[c.Variable]
) -> tuple[list[c.Constraint], list[c.Variable]]:
    """Constraints that are equivalent for all other variables, and the variables that were removed."""
    n_named = Counter(chain.from_iterable(map(c.variables_of, constraints)))
    hidden = set(n_named).difference(asked_for)
    waiting = [v for v in sorted(hidden) if n_named[v] == 1]
    if not waiting:
        return list(constraints), []
    users: dict[c.Variable, set[int]] = {v: set() for v in hidden}
    for number, constraint in enumerate(constraints):
        for v in hidden.intersection(c.variables_of(constraint)):
            users[v].add(number)
    removed: list[c.Variable] = []
    dropped: set[int] = set()
    while waiting:
        v = waiting.pop()
        if len(users[v]) == 1 and _fits_always(constraints[min(users[v])], v, domains):
            number = users[v].pop()
            removed.append(v)
            dropped.add(number)
            for other in sorted(hidden.intersection(c.variables_of(constraints[number]))):
                users[other].discard(number)
                if len(users[other]) == 1:
                    waiting.append(other)
    return [one for number, one in enumerate(constraints) if number not in dropped], removed


def _fits_always(constraint: c.Constraint, v: c.Variable, domains: Sequence[set[int]]) -> bool:
    """Whether the variable has a value that fits, whatever values the others have."""
    match constraint:
        case c.Reified(inner, truth):
            return truth == v and v not in c.variables_of(inner) and domains[v] >= {0, 1}
        case c.Linear(coefficients, variables, relation, constant):
            own = [k for k, u in zip(coefficients, variables, strict=True) if u == v]
            if relation != c.EQUAL or own not in ([1], [-1]):
                return False
            ends = [
                sorted((k * min(domains[u]), k * max(domains[u])))
                for k, u in zip(coefficients, variables, strict=True)
                if u != v and domains[u]
            ]
            low, high = (own[0] * (constant - sum(end[side] for end in ends)) for side in (1, 0))
            return domains[v].issuperset(range(min(low, high), max(low, high) + 1))
        case c.Table(variables, rows, True):
            others = sorted(set(variables) - {v})
            n_rows = prod(len(domains[u]) for u in others)
            if len(rows) > MOST_ROWS or n_rows > len(rows) or len(set(variables)) < len(variables):
                return False
            at = {u: place for place, u in enumerate(variables)}
            named = (v, *others)
            fitting = [row for row in rows if all(row[at[u]] in domains[u] for u in named)]
            return len({tuple(row[at[u]] for u in others) for row in fitting}) == n_rows
    return False
