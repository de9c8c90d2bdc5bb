"""Formulas in conjunctive normal form: the type, its text, and clauses that count literals.

Literals are counted as by C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints"
(2005), with equivalences instead of implications. The variable s(i, j) says that at least j of the first i
literals are true: it is s(i-1, j) or (x(i) and s(i-1, j-1)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from rekkyo.errors import BadInput, escaped

Literal: TypeAlias = int
"""A variable, numbered from 1, or its negation, with a minus sign."""

Clause: TypeAlias = tuple[Literal, ...]

PER_LINE = 20

FEW = 6
"""The most literals that exclude each other in pairs; more are counted, with additional variables."""

MAX_USES = 1 << 22
"""The most literals, items in options, or variables for counting, that are written or read."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula. projection: the variables of the solution. meaning: what these mean, in one line."""

    n_variables: int
    clauses: tuple[Clause, ...]
    projection: tuple[int, ...]
    meaning: str


def dimacs(cnf: Cnf, title: str) -> str:
    """The text in DIMACS form; the projection as `c p show … 0`, as GANAK, ApproxMC and others read it."""
    lines = [
        f"c {escaped(title)}",
        f"c {cnf.meaning}",
        f"p cnf {cnf.n_variables} {len(cnf.clauses)}",
    ]
    for start in range(0, len(cnf.projection), PER_LINE):
        shown = cnf.projection[start : start + PER_LINE]
        lines.append(f"c p show {' '.join(map(str, shown))} 0")
    lines += [" ".join(map(str, (*clause, 0))) for clause in cnf.clauses]
    return "\n".join(lines) + "\n"


def count_between(
    literals: Sequence[Literal], low: int, high: int, n_variables: int
) -> tuple[int, list[Clause]]:
    """The new number of variables, and clauses with new variables for `low` to `high` true literals."""
    n = len(literals)
    highest = min(n, high + 1)
    if n * highest > MAX_USES:
        raise BadInput(f"a formula with {n * highest} sums to count is too large; the limit is {MAX_USES}")
    clauses: list[Clause] = []

    def sums(i: int) -> Callable[[int], Literal]:
        return lambda j: n_variables + (i - 1) * highest + j

    for i, x in enumerate(literals, start=1):
        here, before = sums(i), sums(i - 1)
        for j in range(1, highest + 1):
            s = here(j)
            if j > i:
                clauses.append((-s,))
                continue
            enough = [] if i == 1 else [before(j)]
            almost = [before(j - 1)] if j > 1 else []
            clauses += [(-literal, s) for literal in enough]
            clauses.append((-x, *(-literal for literal in almost), s))
            clauses.append((-s, x, *enough))
            clauses += [(-s, literal, *enough) for literal in almost]
    last = sums(n)
    if low > 0:
        clauses.append((last(low),))
    if high < n:
        clauses.append((-last(high + 1),))
    return n_variables + n * highest, clauses


def count(literals: Sequence[Literal], low: int, high: int, n_variables: int, clauses: list[Clause]) -> int:
    """Add clauses for `low` to `high` true literals, and return the new number of variables. high: from 1.

    A few literals, of which at most one is true, exclude each other in pairs without new variables.
    """
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
