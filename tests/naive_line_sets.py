"""Brute force for magic squares of order 5 with known rows and columns, written for the tests, by the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product


def transversals(rows: Sequence[frozenset[int]]) -> set[frozenset[int]]:
    """Every way to take one number of each row such that they sum to 65."""
    return {frozenset(numbers) for numbers in product(*rows) if sum(numbers) == 65}


def column_sets(rows: Sequence[frozenset[int]]) -> Iterator[tuple[frozenset[int], ...]]:
    """Every way to divide the numbers into five transversals, in the order of the first row's numbers."""

    def extend(columns: tuple[frozenset[int], ...]) -> Iterator[tuple[frozenset[int], ...]]:
        taken = frozenset().union(*columns)
        if len(columns) == 5:
            yield columns
            return
        number = min(rows[0] - taken)
        for column in every:
            if number in column and not column & taken:
                yield from extend((*columns, column))

    every = transversals(rows)
    yield from extend(())


def magic_arrangements(rows: Sequence[frozenset[int]], columns: Sequence[frozenset[int]]) -> int:
    """In how many orders of the rows and of the columns both diagonals of the square sum to 65.

    A diagonal meets every row in another column: diagonal[r] is the column in which it meets row r. The first
    one and the order of the rows settle the order of the columns, and so the second one.
    """
    grid = [[min(row & column) for column in columns] for row in rows]
    diagonals = {
        diagonal
        for diagonal in permutations(range(5))
        if sum(grid[row][column] for row, column in enumerate(diagonal)) == 65
    }
    return sum(
        tuple(first[opposite] for _, opposite in sorted(zip(down, reversed(down), strict=True))) in diagonals
        for first in diagonals
        for down in permutations(range(5))
    )
