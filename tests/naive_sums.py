"""Brute force for sum figures, written for the tests: every way to put numbers into cells, by the definition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations


def figure_solutions(
    n_cells: int,
    numbers: Sequence[int],
    lines: Sequence[tuple[Sequence[int], int | None]],
    orders: Iterable[tuple[int, int]] = (),
    given: Iterable[tuple[int, int]] = (),
) -> list[tuple[int, ...]]:
    """All rows (index of the number in each cell), in lexicographic order.

    lines: cells, and their sum or None for the sum that all such lines have in common.
    """
    orders, given = tuple(orders), tuple(given)
    return [
        row
        for row in permutations(range(len(numbers)), n_cells)
        if sums_are_right(held := [numbers[index] for index in row], lines)
        and all(held[less] < held[greater] for less, greater in orders)
        and all(held[cell] == number for cell, number in given)
    ]


def sums_are_right(held: Sequence[int], lines: Sequence[tuple[Sequence[int], int | None]]) -> bool:
    """held: the number in each cell. Looks no further than the first line that is wrong."""
    common = None
    for cells, wanted in lines:
        has = sum(map(held.__getitem__, cells))
        if wanted is None and common is None:
            common = has
        if has != (common if wanted is None else wanted):
            return False
    return True


def square_lines(n: int, *, diagonals: bool = True) -> list[tuple[list[int], None]]:
    """Rows, columns and, if wanted, the two diagonals of an n x n square."""
    lines = [[n * r + c for c in range(n)] for r in range(n)]
    lines += [[n * r + c for r in range(n)] for c in range(n)]
    if diagonals:
        lines += [[n * k + k for k in range(n)], [n * k + n - 1 - k for k in range(n)]]
    return [(line, None) for line in lines]


def orbit_representatives(
    rows: Iterable[tuple[int, ...]], moves: Sequence[Sequence[int]], order: Sequence[int]
) -> set[tuple[int, ...]]:
    """The least row of every orbit under cell permutations, compared cell by cell in the given order.

    moves: the whole group; moves[k][cell] is where the number of a cell goes.
    """
    kept = set()
    for row in rows:
        images = []
        for move in moves:
            image = [0] * len(row)
            for cell, target in enumerate(move):
                image[target] = row[cell]
            images.append([image[cell] for cell in order])
        if min(images) == [row[cell] for cell in order]:
            kept.add(row)
    return kept
