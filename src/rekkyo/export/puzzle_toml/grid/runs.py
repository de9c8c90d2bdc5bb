"""Automata for the runs of cells that have some values: their lengths, and their sums as in Japanese sums."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.board import Board

NO_RUN = (0,)
"""The clue of a line without a run."""


@lru_cache(256)
def run_sums_automaton(
    sums: Sequence[int | None], inside: tuple[int, ...], outside: tuple[int, ...]
) -> tuple[int, tuple[tuple[int, int, int], ...], tuple[int, ...]]:
    """Number of states, transitions, and states in which a line may end.

    sums: of the runs, in order, from 1; None is any. inside: the values of runs, from 1. outside: the others.
    The first state of a run is before it; the others are the sum so far, or one state if any sum will do.
    """
    if sums == NO_RUN:
        sums = ()
    moves = [(0, value, 0) for value in outside]
    first, accepting = 0, [0] if not sums else []
    for wanted in sums:
        n_inside = 1 if wanted is None else wanted
        last = first + n_inside
        for passed in range(n_inside + 1):
            for value in inside:
                reached = last if wanted is None else first + passed + value
                if reached <= last:
                    moves.append((first + passed, value, reached))
        moves += [(last, value, last + 1) for value in outside]
        moves += [(last + 1, value, last + 1) for value in outside]
        accepting = [last, last + 1]
        first = last + 1
    return first + 1, tuple(moves), tuple(accepting)


@lru_cache(256)
def runs_automaton(
    runs: tuple[tuple[int, tuple[int, ...], bool], ...], outside: tuple[int, ...]
) -> tuple[tuple[int, int, int], ...]:
    """An automaton whose states count the passed cells of runs, and the gaps between them.

    runs: length, values, and whether a gap must follow.
    """
    moves = []
    state = 0
    for length, inside, gap in runs:
        moves += [(state, number, state) for number in outside]
        for _ in range(length):
            moves += [(state, number, state + 1) for number in inside]
            state += 1
        if gap:
            moves += [(state, number, state + 1) for number in outside]
            state += 1
    moves += [(state, number, state) for number in outside]
    return tuple(moves)


def with_gaps(board: Board, table: Table, parts: Sequence[Sequence[int]], no_cell: int) -> tuple[int, ...]:
    """The cells of the parts of a line, with a hidden variable for the missing cells between two of them."""
    read = list(parts[0])
    for part in parts[1:]:
        read += [board.hidden(table, range(no_cell, no_cell + 1)), *part]
    return tuple(read)
