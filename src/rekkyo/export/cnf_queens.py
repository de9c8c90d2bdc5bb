"""Queens as a formula: variable n * row + column + 1 says that a queen stands there.

Written from the rules alone, without the exact cover that an engine searches, so that a certificate does not
rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rekkyo.export.cnf import Clause, Cnf, cnf_of
from rekkyo.model.queens import Queens


@cnf_of.register
def _queens(model: Queens) -> Cnf:
    n = model.n
    clauses: list[Clause] = []
    for line in [*_rows(n), *_columns(n)]:
        clauses.append(tuple(line))
        clauses += [(-one, -other) for one, other in combinations(line, 2)]
    for line in _diagonals(n, toroidal=model.toroidal):
        clauses += [(-one, -other) for one, other in combinations(line, 2)]
    clauses += [(-_variable(n, *square),) for square in sorted(model.blocked)]
    clauses += [(_variable(n, *square),) for square in sorted(model.given)]
    meaning = f"variable {n} * row + column + 1: a queen stands there, rows and columns from 0"
    return Cnf(n * n, tuple(clauses), tuple(range(1, n * n + 1)), meaning)


def _variable(n: int, row: int, column: int) -> int:
    return n * row + column + 1


def _rows(n: int) -> Iterator[list[int]]:
    yield from ([_variable(n, row, column) for column in range(n)] for row in range(n))


def _columns(n: int) -> Iterator[list[int]]:
    yield from ([_variable(n, row, column) for row in range(n)] for column in range(n))


def _diagonals(n: int, *, toroidal: bool) -> Iterator[list[int]]:
    lines: dict[tuple[bool, int], list[int]] = {}
    for row in range(n):
        for column in range(n):
            for rising, number in ((True, row + column), (False, row - column)):
                line = lines.setdefault((rising, number % n if toroidal else number), [])
                line.append(_variable(n, row, column))
    yield from lines.values()
