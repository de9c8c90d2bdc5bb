"""The picture of one solution that the methods show: its running number, its row, and the framed board.

    1
     0 2 4 1 3
    +-+-+-+-+-+
    |O| | | | |
    +-+-+-+-+-+
    | | |O| | |
    ...

The layout follows the programs of the N-Queens series at suzukiiichiro.github.io (2023), and so does its
change of view: the three methods before the bitmap fill the board column by column, so there the number k of
the row is the queen of column k (`transposed`); from the bitmap on it is the queen of row k. Since a
transposed solution is a solution, the set of all pictures is the same.

This is the plain picture for study; `rekkyo.render` makes the handsome ones.
"""

from __future__ import annotations

from collections.abc import Sequence


def numbered_board(number: int, row: Sequence[int], transposed: bool) -> str:
    """The whole picture; it ends with a newline, so that printing it leaves an empty line below."""
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
