"""Random clauses of puzzle files about values that are arrows, by following the arrows."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.grid_board import Board, Clause, Row, groups

ARROWS = dict(
    zip(
        "\u2191\u2197\u2192\u2198\u2193\u2199\u2190\u2196",
        ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
        strict=True,
    )
)


def arrows(board: Board) -> Clause:
    """Perhaps off the board, perhaps without circles, perhaps so many to each cell or to some cells."""
    rng = board.rng
    may_leave, has_no_loops = rng.random() < 0.5, rng.random() < 0.5
    text = "[[arrows]]\n"
    text += f"leave = {str(may_leave).lower()}\n" if may_leave or rng.random() < 0.2 else ""
    text += "loops = false\n" if has_no_loops else ""
    counted: list[int] = []
    allowed: Callable[[int], bool] = bool
    if rng.random() < 0.5:
        times, allowed = board.times(2)
        found, written = groups(board) if rng.random() < 0.5 else ([[*range(len(board.squares))]], "")
        text += f"into = {times}\n{written}"
        counted = [cell for group in found for cell in group]

    def holds(row: Row) -> bool:
        at: dict[int, int | None] = {}
        for cell, value in enumerate(row):
            step = ARROWS.get(board.symbols[board.numbers.index(value)])
            if step is not None:
                at[cell] = board.on(board.squares[cell][0] + step[0], board.squares[cell][1] + step[1])
        if None in at.values() and not may_leave:
            return False
        reached: set[int | None] = set(at.values())
        for _ in row:
            reached = {at.get(cell) for cell in reached if cell is not None}
        if has_no_loops and reached - {None}:
            return False
        return all(allowed(list(at.values()).count(cell)) for cell in counted)

    return text, holds
