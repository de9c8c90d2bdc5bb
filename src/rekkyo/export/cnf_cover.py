"""Exact covers and packings as formulas: variable o + 1 says that option o is chosen.

An item with colours gets a variable for each colour, which holds if and only if an option gives it that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rekkyo.errors import BadInput
from rekkyo.export.cnf import Clause, Cnf, Literal, cnf_of, count_between
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing

FEW = 6
"""So many literals exclude each other pair by pair; more are counted, with variables of their own."""

MAX_USES = 1 << 22


@cnf_of.register
def _cover(model: ExactCover) -> Cnf:
    n_options = len(model.options)
    n_uses = sum(map(len, model.options))
    if n_uses > MAX_USES:
        raise BadInput(f"a formula for {n_uses} items in options is too large; the limit is {MAX_USES}")
    by_color: list[dict[int, list[Literal]]] = [{} for _ in range(len(model.primary) + len(model.secondary))]
    for number, option in enumerate(model.options, start=1):
        for item, color in option:
            by_color[item].setdefault(color, []).append(number)
    n_variables = max(1, n_options)
    clauses: list[Clause] = []
    for item in range(len(model.primary)):
        low, high = model.bounds[item] if model.bounds else (1, 1)
        n_variables = _count(by_color[item].get(0, []), low, high, n_variables, clauses)
    for users in by_color[len(model.primary) :]:
        literals = list(users.get(0, []))
        for color in sorted(users.keys() - {0}):
            n_variables += 1
            literals.append(n_variables)
            clauses.append((-n_variables, *users[color]))
            clauses += [(-option, n_variables) for option in users[color]]
        n_variables = _count(literals, 0, 1, n_variables, clauses)
    meaning = "variable o + 1: option o is chosen"
    return Cnf(n_variables, tuple(clauses), tuple(range(1, n_options + 1)), meaning)


@cnf_of.register
def _packing(model: Packing) -> Cnf:
    return cnf_of(model.cover())


def _count(literals: Sequence[Literal], low: int, high: int, n_variables: int, clauses: list[Clause]) -> int:
    """Add clauses that between `low` and `high` of the literals hold; returns the new number of variables."""
    if low > len(literals):
        clauses += [(1,), (-1,)]
        return n_variables
    if len(literals) > FEW or high > 1:
        n_variables, more = count_between(literals, low, high, n_variables)
        clauses += more
        return n_variables
    if low:
        clauses.append(tuple(literals))
    clauses += [(-one, -other) for one, other in combinations(literals, 2)]
    return n_variables
