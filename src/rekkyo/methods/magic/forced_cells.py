"""Forced cells: fill the lines one after the other; the sum determines the last cell of each line.

The order of the lines is such that they share cells: first row, rising diagonal, first column, second row,
second column, and so on. For n = 4, 8 cells are chosen and 8 are forced. A number that is forced twice must
be the same both times. Seven other orders of the lines took at least twice the nodes.
The engine `sum-lines` uses the same idea. Left out: combinations of lines that force a cell earlier, and sets
of numbers as bits.
"""

from __future__ import annotations

from dataclasses import dataclass

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Found, Method
from rekkyo.methods.magic.squares import Cells, as_row, magic_sum, square_lines


@dataclass(frozen=True, slots=True)
class Step:
    """The cell that is filled, and for each line that it completes the cells filled before."""

    cell: int
    completed: tuple[Cells, ...]


def steps_of(n: int) -> list[Step]:
    """All cells in the order in which they are filled."""
    lines = square_lines(n)
    rows, columns, diagonals = lines[:n], lines[n : 2 * n], lines[2 * n :]
    in_turn = [rows[0], diagonals[1], columns[0]]
    for row, column in zip(rows[1:], columns[1:], strict=True):
        in_turn += [row, column]
    order = list(dict.fromkeys(cell for line in in_turn for cell in line))
    return [
        Step(
            cell,
            tuple(
                tuple(other for other in line if other != cell)
                for line in lines
                if cell in line and set(line) <= set(order[: at + 1])
            ),
        )
        for at, cell in enumerate(order)
    ]


def numbers_for(step: Step, square: list[int], n: int) -> range:
    """The numbers to try: one if a line is completed, none if it is out of range or lines disagree."""
    if not step.completed:
        return range(1, n * n + 1)
    left = {magic_sum(n) - sum(square[cell] for cell in others) for others in step.completed}
    number = left.pop()
    return range(number, number + 1) if not left and 1 <= number <= n * n else range(0)


def search(n: int, found: Found) -> int:
    """The level of recursion is the step."""
    steps = steps_of(n)
    square = [0] * (n * n)
    free = [True] * (n * n + 1)

    def fill(level: int) -> int:
        if level == n * n:
            found(as_row(square), 1)
            return 0
        step = steps[level]
        nodes = 0
        for number in numbers_for(step, square, n):
            if free[number]:
                square[step.cell] = number
                free[number] = False
                nodes += 1 + fill(level + 1)
                free[number] = True
        return nodes

    return fill(0)


METHOD = Method(
    name="forced-cells",
    title="Cell by cell, with forced cells",
    explanation=(
        "Fills the lines one after the other; the magic sum determines the last cell of a line."
        " For n = 4 only 8 of the 16 cells are chosen, and wrong beginnings end early."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=4,
    first_found_up_to=5,
)
