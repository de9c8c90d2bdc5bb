"""Divide and conquer: first choose the set of numbers of each row, then their order in the row.

The rows of a magic square have the same sum. So choose n numbers with that sum for the first row, n of the
remaining ones for the second, and so on: a *candidate*. Then permute every row of a candidate in all ways and
check each full square. One problem of size n^2 becomes n problems of size n. The counts of the search space:

    splits      ways to distribute n^2 numbers over n rows: (n^2)! / (n!)^n   n = 3:  1680
    candidates  splits in which all rows have the magic sum                             12
    space       candidates x (n!)^n: the squares that are checked                     2592

Source: Ding and Liao, an exhaustive search for magic squares by divide and conquer (Guangzhou Civil Aviation
College), which has the table for n = 3. Left out: checking columns before the square is full.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations
from math import factorial

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Found, Method
from rekkyo.methods.magic.squares import as_row, is_magic, magic_sum

LARGEST_COUNTED = 5
"""The candidates of order 5 take seconds to count in this way, those of order 6 too much memory."""


def search(n: int, found: Found) -> int:
    """One level for the numbers of each row, then one for the order of each row."""
    chosen: list[tuple[int, ...]] = [()] * n
    arranged: list[tuple[int, ...]] = [()] * n

    def choose(row: int, left: tuple[int, ...]) -> int:
        if row == n:
            return arrange(0)
        nodes = 0
        for numbers in combinations(left, n):
            if sum(numbers) == magic_sum(n):
                chosen[row] = numbers
                nodes += 1 + choose(row + 1, tuple(number for number in left if number not in numbers))
        return nodes

    def arrange(row: int) -> int:
        if row == n:
            square = tuple(chain(*arranged))
            if is_magic(square, n):
                found(as_row(square), 1)
            return 0
        nodes = 0
        for order in permutations(chosen[row]):
            arranged[row] = order
            nodes += 1 + arrange(row + 1)
        return nodes

    return choose(0, tuple(range(1, n * n + 1)))


def search_space(n: int) -> dict[str, int | None]:
    """The three exact counts; None for a count that takes too long."""
    arrangements = factorial(n) ** n
    candidates = count_candidates(n) if n <= LARGEST_COUNTED else None
    return {
        "splits": factorial(n * n) // arrangements,
        "candidates": candidates,
        "space": None if candidates is None else candidates * arrangements,
    }


def count_candidates(n: int) -> int:
    """The number of candidates, without listing them.

    The row with the least remaining number can be any of n rows; so partitions into sets are counted, and
    multiplied by n!. The number of partitions depends only on the remaining numbers, so it is cached.
    """
    rows_with_least: list[list[int]] = [[] for _ in range(n * n)]
    for numbers in combinations(range(n * n), n):
        if sum(numbers) + n == magic_sum(n):
            rows_with_least[numbers[0]].append(sum(1 << number for number in numbers))

    @cache
    def partitions(left: int) -> int:
        if not left:
            return 1
        least = (left & -left).bit_length() - 1
        return sum(partitions(left ^ row) for row in rows_with_least[least] if row & left == row)

    return partitions((1 << n * n) - 1) * factorial(n)


METHOD = Method(
    name="divide-and-conquer",
    title="Divide and conquer",
    explanation=(
        "Distributes the numbers over rows with the magic sum, then permutes each row in all"
        " ways and checks the full squares: 2,592 of them for n = 3 instead of 362,880."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=3,
    search_space=search_space,
)
