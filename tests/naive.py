"""Brute force, written for the tests: definitions only, no code of rekkyo, no cleverness."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations, product

Row = tuple[int, ...]
Square = tuple[int, int]


def queens_solutions(
    n: int, blocked: Iterable[Square] = (), given: Iterable[Square] = (), toroidal: bool = False
) -> list[Row]:
    """All solutions in lexicographic order: every permutation, checked pair by pair."""
    blocked, given = set(blocked), set(given)

    def clash(row: Row, r1: int, r2: int) -> bool:
        down, across = r2 - r1, row[r2] - row[r1]
        if toroidal:
            return (down - across) % n == 0 or (down + across) % n == 0
        return abs(down) == abs(across)

    return [
        row
        for row in permutations(range(n))
        if not any(clash(row, r1, r2) for r2 in range(n) for r1 in range(r2))
        and not any((r, c) in blocked for r, c in enumerate(row))
        and all(row[r] == c for r, c in given)
    ]


def square_symmetries(n: int, toroidal: bool = False) -> list[Callable[[Square], Square]]:
    """The rotations and reflections of the square, and on a torus all shifts of them."""
    last = n - 1
    turns: list[Callable[[int, int], Square]] = [
        lambda r, c: (r, c),
        lambda r, c: (c, last - r),
        lambda r, c: (last - r, last - c),
        lambda r, c: (last - c, r),
        lambda r, c: (r, last - c),
        lambda r, c: (last - r, c),
        lambda r, c: (c, r),
        lambda r, c: (last - c, last - r),
    ]
    shifts = product(range(n), range(n)) if toroidal else [(0, 0)]

    def shifted(turn: Callable[[int, int], Square], down: int, across: int) -> Callable[[Square], Square]:
        def move(square: Square) -> Square:
            row, column = turn(*square)
            return (row + down) % n, (column + across) % n

        return move

    return [shifted(turn, *shift) for shift in shifts for turn in turns]


def keeping(
    moves: Iterable[Callable[[Square], Square]], *sets: Iterable[Square]
) -> list[Callable[[Square], Square]]:
    """The moves that map each set of squares onto itself."""
    fixed = [set(squares) for squares in sets]
    return [
        move for move in moves if all({move(square) for square in squares} == squares for squares in fixed)
    ]


def image(row: Row, move: Callable[[Square], Square]) -> Row:
    """A queens solution after a symmetry."""
    return tuple(column for _, column in sorted(move(square) for square in enumerate(row)))


def orbits(rows: Iterable[Row], moves: Iterable[Callable[[Square], Square]]) -> set[frozenset[Row]]:
    """The classes of rows that the moves turn into each other."""
    moves = list(moves)
    return {frozenset(image(row, move) for move in moves) for row in rows}
