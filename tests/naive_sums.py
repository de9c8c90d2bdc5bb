"""Brute force for sum figures, written for the tests: every way to put numbers into cells, by the definition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def figure_solutions(
    n_cells: int,
    numbers: Sequence[int],
    lines: Sequence[tuple[Sequence[int], int | None]],
    orders: Iterable[tuple[int, int]] = (),
    given: Iterable[tuple[int, int]] = (),
) -> list[tuple[int, ...]]:
    """All rows (index of the number in each cell), in lexicographic order.

    lines: cells, and their sum or None for the sum that all such lines have in common. A line, an order or a given
    number is looked at as soon as its last cell has a number.
    """
    orders, given = tuple(orders), tuple(given)
    rows: list[tuple[int, ...]] = [()]
    for cell in range(n_cells):
        whole = [(cells, wanted) for cells, wanted in lines if max(cells, default=0) <= cell]
        is_new = any(max(cells, default=0) == cell for cells, _ in whole)
        ordered = [pair for pair in orders if max(pair) == cell]
        held = {number for at, number in given if at == cell}
        choices = [index for index, number in enumerate(numbers) if held <= {number}]
        longer = ((*row, index) for row in rows for index in choices if index not in row)
        rows = [
            row
            for row in longer
            if all(numbers[row[less]] < numbers[row[greater]] for less, greater in ordered)
            and (not is_new or sums_are_right([numbers[index] for index in row], whole))
        ]
    return rows


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
