"""Automata that read a line of cells from one end: its runs, sums between two values, and what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.board import Board

NO_RUN = (0,)
"""The clue of a line without a run."""

BEFORE, DONE = 0, 1
"""States of automata that await a value: it has not been read; nothing is awaited any more."""


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


@lru_cache(256)
def between_automaton(
    inner: tuple[int, ...], ends: tuple[int, ...], wanted: int, bounds: tuple[int, int]
) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """An automaton whose states are the second end, which is awaited, and the sum since the first one.

    bounds: of sums from which the wanted one can be reached.
    """
    numbers = {(end, 0): state for state, end in enumerate(ends, 2)}
    moves = [(state, value, state) for state in (BEFORE, DONE) for value in inner]
    moves += [(BEFORE, first, numbers[second, 0]) for first, second in zip(ends, ends[::-1], strict=True)]
    waiting = list(numbers)
    while waiting:
        end, total = waiting.pop()
        state = numbers[end, total]
        if total == wanted:
            moves.append((state, end, DONE))
        for value in inner:
            more = (end, total + value)
            if not bounds[0] <= total + value <= bounds[1]:
                continue
            if more not in numbers:
                numbers[more] = len(numbers) + 2
                waiting.append(more)
            moves.append((state, value, numbers[more]))
    return len(numbers) + 2, tuple(moves)


@lru_cache(256)
def visible_automaton(
    numbers: tuple[int, ...], weights: tuple[int, ...], most: int, unseen: tuple[int, ...]
) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """An automaton; in state h * (most + 1) + seen, h values are not greater than the greatest so far.

    seen: the weights of the cells that were greater than all before them; more than `most` is a dead end.
    """
    n_states = (len(numbers) + 1) * (most + 1)
    moves = [(state, other, state) for state in range(n_states) for other in unseen]
    for greatest in range(len(numbers) + 1):
        for seen in range(most + 1):
            state = greatest * (most + 1) + seen
            for height, (number, weight) in enumerate(zip(numbers, weights, strict=True), 1):
                if height <= greatest:
                    moves.append((state, number, state))
                elif seen + weight <= most:
                    moves.append((state, number, height * (most + 1) + seen + weight))
    return n_states, tuple(moves)


@lru_cache(256)
def x_sum_automaton(
    numbers: tuple[int, ...], n_cells: int, wanted: int
) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """An automaton whose states are how many cells are still added up, and the sum so far.

    The first cell says how many are added up, itself among them. numbers: from 0.
    """
    state_of = {(0, wanted): DONE}
    moves = [(DONE, number, DONE) for number in numbers]
    waiting = [(BEFORE, number, max(number - 1, 0), number) for number in numbers if number <= n_cells]
    while waiting:
        state, number, n_left, total = waiting.pop()
        if total > wanted or (n_left == 0 and total < wanted):
            continue
        if (n_left, total) not in state_of:
            state_of[n_left, total] = following = len(state_of) + 1
            waiting += [(following, more, n_left - 1, total + more) for more in numbers]
        moves.append((state, number, state_of[n_left, total]))
    return len(state_of) + 1, tuple(moves)


def with_gaps(board: Board, table: Table, parts: Sequence[Sequence[int]], no_cell: int) -> tuple[int, ...]:
    """The cells of the parts of a line, with a hidden variable for the missing cells between two of them."""
    read = list(parts[0])
    for part in parts[1:]:
        read += [board.hidden(table, range(no_cell, no_cell + 1)), *part]
    return tuple(read)
