"""Every method of the queens ladder told step by step, for pictures and for teaching.

The walks here take the same decisions in the same order as the recursive forms, and say after each what
happened; `tests/methods/test_steps.py` holds the two against each other, node for node and solution for
solution.

    place    a queen is put down: a node
    clash    a square was looked at, and a queen there would be attacked
    lift     the last queen is taken up again
    found    the queens on the board are a solution, which stands for `weight` solutions
    reject   a board was looked at and turned away: it is no solution, or another one stands for it

Left out on purpose: the methods of other ladders.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rekkyo.errors import BadInput, mend_for_name
from rekkyo.methods.queens import bitmap, mirror, symmetry_elimination
from rekkyo.methods.queens.backtracking import is_safe
from rekkyo.methods.queens.bitmap import Cases, Mask, Weigh, column_of
from rekkyo.methods.queens.brute_force import is_solution
from rekkyo.methods.queens.carry_chain import Position, border_lines, lowest_free, next_squares
from rekkyo.methods.queens.symmetry import eight_images

Kind: TypeAlias = Literal["place", "clash", "lift", "found", "reject"]


class Step(NamedTuple):
    """row, column: of the square, or -1 where the step is about the whole board."""

    kind: Kind
    row: int = -1
    column: int = -1
    weight: int = 0


Steps: TypeAlias = Generator[Step, bool | None, None]
"""Whoever sends True after a `place` does not want to see what is below it: the `lift` comes next."""


def steps(method_name: str, n: int) -> Steps:
    """The walk of a method on an n x n board. Raises BadInput."""
    if method_name not in _WALKS:
        raise BadInput(f'there are no steps of "{method_name}"; {mend_for_name(method_name, list(_WALKS))}')
    if type(n) is not int or n < 1:
        raise BadInput(f"the size of the board must be a whole number from 1, not {n!r}")
    return _WALKS[method_name](n)


def _row_by_row(n: int, *, checks: bool) -> Steps:
    """Brute force, or with checks backtracking; placement flags take the same steps."""
    board = [0] * n

    def walk(row: int) -> Steps:
        if row == n:
            yield Step("found", weight=1) if checks or is_solution(board) else Step("reject")
            return
        for column in range(n):
            board[row] = column
            if checks and not is_safe(board, row):
                yield Step("clash", row, column)
                continue
            if not (yield Step("place", row, column)):
                yield from walk(row + 1)
            yield Step("lift", row, column)

    return walk(0)


def _case_by_case(cases: Cases) -> Steps:
    for open_columns, weigh in cases:
        yield from _fill(open_columns, weigh)


def _fill(open_columns: Sequence[Mask], weigh: Weigh) -> Steps:
    """The fill that the bitmap shares with the two methods after it: attacked squares are never looked at."""
    n = len(open_columns)
    board = [0] * n

    def walk(row: int, columns: Mask, to_right: Mask, to_left: Mask) -> Steps:
        if row == n:
            weight = weigh(tuple(board))
            yield Step("found", weight=weight) if weight else Step("reject")
            return
        free = open_columns[row] & ~(columns | to_right | to_left)
        while free:
            queen = free & -free
            free ^= queen
            board[row] = column_of(queen)
            if not (yield Step("place", row, board[row])):
                yield from walk(row + 1, columns | queen, (to_right | queen) << 1, (to_left | queen) >> 1)
            yield Step("lift", row, column_of(queen))

    return walk(0, 0, 0, 0)


def _carry_chain(n: int) -> Steps:
    lines = border_lines(n)

    def border(position: Position) -> Steps:
        squares = next_squares(position, lines)
        if squares is None:
            placed = tuple(sorted(position.queens))
            images = eight_images(placed, n)
            if min(images) < placed:
                yield Step("reject")
            else:
                yield from rest(position, position.open_rows(), len(set(images)))
            return
        for row, column in squares:
            if not (yield Step("place", row, column)):
                yield from border(position.with_queen(row, column))
            yield Step("lift", row, column)

    def rest(position: Position, open_rows: Sequence[int], weight: int) -> Steps:
        if not open_rows:
            yield Step("found", weight=weight)
            return
        row = open_rows[0]
        blocked = position.blocked_in(row)
        while (queen := lowest_free(blocked)) != 1 << n:
            blocked |= queen
            column = column_of(queen)
            if not (yield Step("place", row, column)):
                yield from rest(position.with_queen(row, column), open_rows[1:], weight)
            yield Step("lift", row, column)

    return border(Position(n))


_WALKS: dict[str, Callable[[int], Steps]] = {
    "brute-force": lambda n: _row_by_row(n, checks=False),
    "backtracking": lambda n: _row_by_row(n, checks=True),
    "placement-flags": lambda n: _row_by_row(n, checks=True),
    "bitmap": lambda n: _case_by_case(bitmap.cases(n)),
    "mirror": lambda n: _case_by_case(mirror.cases(n)),
    "symmetry-elimination": lambda n: _case_by_case(symmetry_elimination.cases(n)),
    "carry-chain": _carry_chain,
}
