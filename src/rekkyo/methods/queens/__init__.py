"""The ladder for n queens: seven techniques in two forms each, every technique based on the one before.

    brute force            checks only complete boards
    backtracking           checks each queen when it is placed
    placement flags        stores the attacked lines
    bitmap                 finds all free squares of a row in one step
    mirror                 finds half of the solutions
    symmetry elimination   finds one of each orbit
    carry chain            uses symmetry on the border, before the search

The rows are those of `rekkyo.model.queens`: position = row of the board, value = column.

The pictures here are for study; `rekkyo.render` makes better ones. They follow the programs of the N-Queens
series at suzukiiichiro.github.io (2023): in the three methods before the bitmap, number k of the row is the
queen of column k (`transposed`), from the bitmap on that of row k. A transposed solution is a solution, so
the set of all pictures is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.methods.ladder import Method
from rekkyo.methods.queens import bitmap, carry_chain, mirror, placement_flags, row_by_row
from rekkyo.methods.queens import symmetry_elimination as elimination

RUNGS = (row_by_row, placement_flags, bitmap, mirror, elimination, carry_chain)
QUEENS_METHODS: tuple[Method, ...] = tuple(method for rung in RUNGS for method in rung.METHODS)


def numbered_board(number: int, row: Sequence[int], transposed: bool) -> str:
    """Running number, row and framed board; it ends with a newline, so that printing leaves an empty line."""
    values = " ".join(str(value) for value in row)
    return f"{number}\n {values}\n{framed_board(row, transposed)}\n"


def framed_board(row: Sequence[int], transposed: bool) -> str:
    """The board with a frame around every square and an O for each queen."""
    queens = {(value, k) if transposed else (k, value) for k, value in enumerate(row)}
    n = len(row)
    frame = "+-" * n + "+"
    lines = [frame]
    for r in range(n):
        squares = ("O" if (r, c) in queens else " " for c in range(n))
        lines += [f"|{'|'.join(squares)}|", frame]
    return "\n".join(lines)
