"""The picture of one solution that the methods show: its running number and the board, `#` for colour 0."""

from __future__ import annotations

from collections.abc import Sequence


def numbered_board(number: int, row: Sequence[int], transposed: bool) -> str:
    """The whole picture; it ends with a newline, so that printing it leaves an empty line below."""
    n = round(len(row) ** 0.5)
    lines = ["".join("#."[color] for color in row[start : start + n]) for start in range(0, n * n, n)]
    return "\n".join([str(number), *lines]) + "\n"
