"""The ladder for magic squares: four techniques, each recursive.

brute force           checks every order of the numbers
divide and conquer    checks squares whose rows have the magic sum
forced cells          fills squares line by line, and chooses only cells that no line determines
line sets             chooses sets of numbers for lines, and orders them at the end
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.methods.magic import brute_force, divide_and_conquer, forced_cells, line_sets

MAGIC_METHODS = (brute_force.METHOD, divide_and_conquer.METHOD, forced_cells.METHOD, line_sets.METHOD)


def numbered_square(number: int, row: Sequence[int], transposed: bool) -> str:
    """The running number and the square; it ends with a newline, so that printing leaves an empty line."""
    n = round(len(row) ** 0.5)
    width = len(str(n * n))
    lines = (" ".join(f"{value + 1:{width}}" for value in row[n * r : n * r + n]) for r in range(n))
    return "\n".join([str(number), *lines, ""])
