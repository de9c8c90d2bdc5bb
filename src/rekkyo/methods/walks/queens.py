"""Ways for queens: the methods of the ladder on a plain board, backtracking on any other."""

from __future__ import annotations

from rekkyo.methods.ladder import Method
from rekkyo.methods.queens.ladder import QUEENS_METHODS
from rekkyo.methods.queens.steps import steps
from rekkyo.methods.walks.walk import FOUND, Move, Moves, Way
from rekkyo.model.queens import Queens, Square


def queens_ways(model: Queens) -> tuple[Way, ...]:
    """All ways that a board allows."""
    if model.blocked or model.given or model.toroidal:
        return (_BACKTRACKING,)
    first_of_each = {method.name: method for method in reversed(QUEENS_METHODS)}
    return tuple(_way(method) for method in reversed(first_of_each.values()))


def _way(method: Method) -> Way:
    def walk(model: Queens) -> Moves:
        return _as_moves(method.name, model)

    return Way(method.name, method.title, method.explanation, walk)


def _as_moves(name: str, model: Queens) -> Moves:
    """The steps of a method as moves, with the queens that attack a square."""
    queens: list[Square] = []
    walk = steps(name, model.n)
    skip: bool | None = None
    while True:
        try:
            step = walk.send(skip)
        except StopIteration:
            return
        skip = None
        square = step.row, step.column
        if step.kind == "clash":
            yield _clash(model, queens, square)
        elif step.kind == "found":
            yield Move("found", weight=step.weight)
        elif step.kind == "reject":
            words = "Turned away: this board is no solution, or another one stands for it."
            yield Move("reject", words=words)
        elif step.kind == "place":
            queens.append(square)
            skip = yield Move("place", step.row * model.n + step.column)
        else:
            queens.pop()
            yield Move("lift", step.row * model.n + step.column)


def _clash(model: Queens, queens: list[Square], square: Square) -> Move:
    attackers = tuple(
        row * model.n + column for row, column in queens if _attack(model, (row, column), square)
    )
    return Move("clash", square[0] * model.n + square[1], attackers, "is attacked")


def _attack(model: Queens, one: Square, other: Square) -> bool:
    down, across = one[0] - other[0], one[1] - other[1]
    if model.toroidal:
        return not (
            down % model.n and across % model.n and (down - across) % model.n and (down + across) % model.n
        )
    return down == 0 or across == 0 or abs(down) == abs(across)


def _backtracking(model: Queens) -> Moves:
    queens: list[Square] = []
    columns_of = [_open_columns(model, row) for row in range(model.n)]

    def search(row: int) -> Moves:
        if row == model.n:
            yield FOUND
            return
        for column in columns_of[row]:
            square = row, column
            if any(_attack(model, queen, square) for queen in queens):
                yield _clash(model, queens, square)
                continue
            queens.append(square)
            if not (yield Move("place", row * model.n + column)):
                yield from search(row + 1)
            queens.pop()
            yield Move("lift", row * model.n + column)

    return search(0)


def _open_columns(model: Queens, row: int) -> list[int]:
    given = [column for place, column in model.given if place == row]
    if len(given) > 1:
        return []
    return given or [column for column in range(model.n) if (row, column) not in model.blocked]


_BACKTRACKING = Way(
    "backtracking",
    "Backtracking",
    "Puts a queen into each row in turn, on the squares that are open there and not attacked.",
    _backtracking,
)
