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
from rekkyo.methods.queens import backtracking, brute_force
from rekkyo.methods.queens.bitmap import Mask, all_columns, column_of
from rekkyo.methods.queens.carry_chain import Position, border_lines, lowest_free, next_squares
from rekkyo.methods.queens.placement_flags import Flags
from rekkyo.methods.queens.symmetry import eight_images
from rekkyo.methods.queens.symmetry_elimination import corner_cases, edge_cases, orbit_size_if_least
from rekkyo.model.row import Row

Kind: TypeAlias = Literal["place", "clash", "lift", "found", "reject"]


class Step(NamedTuple):
    """row, column: of the square, or -1 where the step is about the whole board."""

    kind: Kind
    row: int = -1
    column: int = -1
    weight: int = 0


Steps: TypeAlias = Generator[Step, bool | None, None]
"""Whoever sends True after a `place` does not want to see what is below it: the `lift` comes next."""
Weigh: TypeAlias = Callable[[Row], int]
"""What a complete board stands for; 0 if another one stands for it."""


def steps(method_name: str, n: int) -> Steps:
    """The walk of a method on an n x n board. Raises BadInput."""
    if method_name not in _WALKS:
        raise BadInput(f'there are no steps of "{method_name}"; {mend_for_name(method_name, list(_WALKS))}')
    if type(n) is not int or n < 1:
        raise BadInput(f"the size of the board must be a whole number from 1, not {n!r}")
    return _WALKS[method_name](n)


def _brute_force(n: int) -> Steps:
    board = [0] * n

    def walk(row: int) -> Steps:
        if row == n:
            yield Step("found", weight=1) if brute_force.is_solution(board) else Step("reject")
            return
        for column in range(n):
            board[row] = column
            if not (yield Step("place", row, column)):
                yield from walk(row + 1)
            yield Step("lift", row, column)

    return walk(0)


def _backtracking(n: int) -> Steps:
    board = [0] * n

    def walk(row: int) -> Steps:
        if row == n:
            yield Step("found", weight=1)
            return
        for column in range(n):
            board[row] = column
            if not backtracking.is_safe(board, row):
                yield Step("clash", row, column)
                continue
            if not (yield Step("place", row, column)):
                yield from walk(row + 1)
            board[row] = column
            yield Step("lift", row, column)

    return walk(0)


def _placement_flags(n: int) -> Steps:
    flags = Flags(n)

    def walk(row: int) -> Steps:
        if row == n:
            yield Step("found", weight=1)
            return
        for column in range(n):
            if not flags.is_free(row, column):
                yield Step("clash", row, column)
                continue
            flags.set(row, column, taken=True)
            if not (yield Step("place", row, column)):
                yield from walk(row + 1)
            flags.set(row, column, taken=False)
            yield Step("lift", row, column)

    return walk(0)


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


def _bitmap(n: int) -> Steps:
    return _fill([all_columns(n)] * n, lambda _: 1)


def _mirror(n: int) -> Steps:
    if n == 1:
        yield from _fill([all_columns(1)], lambda _: 1)
        return
    left_half, everywhere = all_columns(n // 2), all_columns(n)
    yield from _fill([left_half] + [everywhere] * (n - 1), lambda _: 2)
    if n % 2:
        yield from _fill([1 << n // 2, left_half] + [everywhere] * (n - 2), lambda _: 2)


def _symmetry_elimination(n: int) -> Steps:
    if n == 1:
        yield from _fill([all_columns(1)], lambda _: 1)
        return
    for open_columns in corner_cases(n):
        yield from _fill(open_columns, lambda _: 8)
    for open_columns in edge_cases(n):
        yield from _fill(open_columns, orbit_size_if_least)


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
    "brute-force": _brute_force,
    "backtracking": _backtracking,
    "placement-flags": _placement_flags,
    "bitmap": _bitmap,
    "mirror": _mirror,
    "symmetry-elimination": _symmetry_elimination,
    "carry-chain": _carry_chain,
}
