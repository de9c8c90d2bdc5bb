"""Ways for queens: the methods of the ladder on a plain board, backtracking on any other.

The walks make the same decisions in the same order as the recursive forms of the methods;
`tests/methods/test_walks.py` compares the two, node by node and solution by solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rekkyo.methods.queens import QUEENS_METHODS, bitmap, mirror, symmetry_elimination
from rekkyo.methods.queens.bitmap import Cases, Mask, Weigh, column_of
from rekkyo.methods.queens.carry_chain import (
    Position,
    border_lines,
    lowest_free,
    next_squares,
    orbit_size_if_least,
)
from rekkyo.methods.queens.row_by_row import is_solution
from rekkyo.methods.walks.walk import FOUND, Move, Moves, Way
from rekkyo.model.queens import Queens, Square

REJECT = Move("reject", words="Rejected: this board is not a solution, or another one represents it.")


def queens_ways(model: Queens) -> tuple[Way, ...]:
    """All ways that a board allows."""
    if model.blocked or model.given or model.toroidal:
        return (_BACKTRACKING,)
    return tuple(
        Way(method.name, method.title, method.explanation, _WALKS[method.name])
        for method in QUEENS_METHODS
        if method.form == "recursive"
    )


def _row_by_row(model: Queens, *, checks: bool) -> Moves:
    """Brute force, or with checks backtracking; placement flags make the same decisions."""
    n = model.n
    queens: list[Square] = []
    columns_of = [_open_columns(model, row) for row in range(n)]

    def search(row: int) -> Moves:
        if row == n:
            yield FOUND if checks or is_solution([column for _, column in queens]) else REJECT
            return
        for column in columns_of[row]:
            square, atom = (row, column), row * n + column
            attackers = tuple(r * n + c for r, c in queens if checks and _attack(model, (r, c), square))
            if attackers:
                yield Move("clash", atom, attackers, "is attacked")
                continue
            queens.append(square)
            if not (yield Move("place", atom)):
                yield from search(row + 1)
            queens.pop()
            yield Move("lift", atom)

    return search(0)


def _open_columns(model: Queens, row: int) -> list[int]:
    given = [column for place, column in model.given if place == row]
    if len(given) > 1:
        return []
    return given or [column for column in range(model.n) if (row, column) not in model.blocked]


def _attack(model: Queens, one: Square, other: Square) -> bool:
    down, across = one[0] - other[0], one[1] - other[1]
    if model.toroidal:
        return not (
            down % model.n and across % model.n and (down - across) % model.n and (down + across) % model.n
        )
    return down == 0 or across == 0 or abs(down) == abs(across)


def _case_by_case(cases: Cases) -> Moves:
    for open_columns, weigh in cases:
        yield from _fill(open_columns, weigh)


def _fill(open_columns: Sequence[Mask], weigh: Weigh) -> Moves:
    """The fill of the bitmap and the two methods after it, which never visits attacked squares."""
    n = len(open_columns)
    board = [0] * n

    def walk(row: int, columns: Mask, to_right: Mask, to_left: Mask) -> Moves:
        if row == n:
            weight = weigh(tuple(board))
            yield Move("found", weight=weight) if weight else REJECT
            return
        free = open_columns[row] & ~(columns | to_right | to_left)
        while free:
            queen = free & -free
            free ^= queen
            board[row] = column_of(queen)
            atom = row * n + board[row]
            if not (yield Move("place", atom)):
                yield from walk(row + 1, columns | queen, (to_right | queen) << 1, (to_left | queen) >> 1)
            yield Move("lift", atom)

    return walk(0, 0, 0, 0)


def _carry_chain(n: int) -> Moves:
    lines = border_lines(n)

    def border(position: Position) -> Moves:
        squares = next_squares(position, lines)
        if squares is None:
            weight = orbit_size_if_least(position)
            if weight:
                yield from rest(position, position.open_rows(), weight)
            else:
                yield REJECT
            return
        for row, column in squares:
            if not (yield Move("place", row * n + column)):
                yield from border(position.with_queen(row, column))
            yield Move("lift", row * n + column)

    def rest(position: Position, open_rows: Sequence[int], weight: int) -> Moves:
        if not open_rows:
            yield Move("found", weight=weight)
            return
        row = open_rows[0]
        blocked = position.blocked_in(row)
        while (queen := lowest_free(blocked)) != 1 << n:
            blocked |= queen
            column = column_of(queen)
            if not (yield Move("place", row * n + column)):
                yield from rest(position.with_queen(row, column), open_rows[1:], weight)
            yield Move("lift", row * n + column)

    return border(Position(n))


_WALKS: dict[str, Callable[[Queens], Moves]] = {
    "brute-force": lambda model: _row_by_row(model, checks=False),
    "backtracking": lambda model: _row_by_row(model, checks=True),
    "placement-flags": lambda model: _row_by_row(model, checks=True),
    "bitmap": lambda model: _case_by_case(bitmap.cases(model.n)),
    "mirror": lambda model: _case_by_case(mirror.cases(model.n)),
    "symmetry-elimination": lambda model: _case_by_case(symmetry_elimination.cases(model.n)),
    "carry-chain": lambda model: _carry_chain(model.n),
}

_BACKTRACKING = Way(
    "backtracking",
    "Backtracking",
    "Puts a queen into each row in turn, on the squares that are open there and not attacked.",
    _WALKS["backtracking"],
)
