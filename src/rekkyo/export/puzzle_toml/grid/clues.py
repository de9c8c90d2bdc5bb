"""`[[lines]]`: clues at the edge of the board, one for each of its rows or columns.

    rows, columns               clues for runs, sum, count and between
    left, right, top, bottom    clues for the others, for an observer on this side
    clue    runs: the lengths of the runs of cells with `value`, in order; 0 means no run. 3a is a run of a
            alone, which needs no gap before one of b. A run ends where the board has no cell
            sum: the sum of each run of two or more cells of the board; of a whole row, its sum. With `value`,
            of each run of cells with these values; 0 means no run
            count: the number of cells with `value`
            between: the sum of the cells between the two values that `value` names, by default the least and
            the greatest; a line with a clue has each of them once. If it names one, a line has that twice
            visible: the number of cells that are greater than all before them, also across missing ones and
            those without one of `value`, by default all
            visible sum: the sum of these cells
            first: the first value that is one of `value`, by default of all but the least
            x-sum: the sum of the first cells, as many as the value of the first one
            numbered room: the value of the cell whose number is the value of the first one
Clues are separated by commas or line ends, or a list, in which [3, 1] is 3 1; "?" means no clue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple, NoReturn, TypeAlias

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.automata import (
    BEFORE,
    DONE,
    NO_RUN,
    between_automaton,
    run_sums_automaton,
    runs_automaton,
    visible_automaton,
    with_gaps,
    x_sum_automaton,
)
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import add_times
from rekkyo.export.puzzle_toml.grid.regions import runs_of, stretches_of
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import Clause, Linear, Regular
from rekkyo.wording import several

OF_LINES = ("runs", "sum", "count", "between")
OF_VIEWS = ("visible", "visible sum", "first", "x-sum", "numbered room")
CLUES = (*OF_LINES, *OF_VIEWS)
RUNS, SUM, COUNT, BETWEEN, VISIBLE, VISIBLE_SUM, FIRST, X_SUM, ROOM = CLUES
ALONG = ("rows", "columns")
FROM_EDGE = ("left", "right", "top", "bottom")
CLUES_INSTEAD = {
    "sandwich": f'write clue = "{BETWEEN}"',
    "doppelblock": f'write clue = "{BETWEEN}" and the value of black cells',
    "numbered rooms": f'write clue = "{ROOM}"',
    "nonogram": f'write clue = "{RUNS}"',
    **dict.fromkeys(("skyscraper", "skyscrapers"), f'write clue = "{VISIBLE}"'),
    **dict.fromkeys(("x-sums", "xsum", "xsums"), f'write clue = "{X_SUM}"'),
}
"""What to write for clues that are named after a puzzle."""
LINE_KEYS = ("clue", "value", *ALONG, *FROM_EDGE)
UNKNOWN = "?"
_EMPTY = ("-", "_")
"""Characters that stand for an empty cell, so that nobody counts them by default."""

_NO_WORD = ","
"""A text that is not a clue, in place of an entry that is neither a text nor a number up to LARGEST."""

_BETWEEN_CLUES = re.compile(r",\s*|\n")
_NUMBER = re.compile(r"(-?[0-9]{1,10}|\?)([^0-9]?)")
_ACROSS = ("rows", "left", "right")
_BACKWARDS = ("right", "bottom")
_SIDE = {"rows": "left", "columns": "top"} | {side: side for side in FROM_EDGE}


_Numbers: TypeAlias = tuple[tuple[int | None, ...], tuple[str, ...]]
"""The numbers of a clue, and the value after each; see `_Clue`."""


class _Clue(NamedTuple):
    """A clue and its line.

    text: at the edge of the board. numbers: None is unknown; of `first` the value. symbols: the value after
    each number, or "". axis: 1 along a row, 0 down.
    """

    key: str
    place: int
    text: str
    numbers: tuple[int | None, ...]
    symbols: tuple[str, ...]
    cells: list[int]
    axis: int


def read_lines(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(LINE_KEYS)
    if "clue" not in table:
        table.refuse_table(f'"clue" is missing; write clue = "{RUNS}", or another of {", ".join(CLUES)}')
    clue = table.choice("clue", CLUES, CLUES_INSTEAD)
    keys, others = (FROM_EDGE, ALONG) if clue in OF_VIEWS else (ALONG, FROM_EDGE)
    table.refuse_keys(others, f'clue = "{clue}" has {", ".join(keys)}, and no "{{key}}"')
    if not any(key in table for key in keys):
        table.refuse_table(f"there are no clues; write at least one of {', '.join(keys)}")
    values = _values(board, table, clue)
    for key in keys:
        for found in _clues(board, table, key, values) if key in table else ():
            if found.numbers != (None,):
                if clue in OF_VIEWS and not found.cells:
                    _refuse_clue(table, found, f'is for a line without cells; write "{UNKNOWN}"')
                _ADD[clue](board, table, found, values)
                board.shown.beside(_SIDE[key], found.place, found.text)


def _values(board: Board, table: Table, clue: str) -> tuple[int, ...]:
    """The values of a clause: those that are counted, or two that others lie between."""
    if clue in (X_SUM, ROOM):
        table.refuse_keys(("value",), f'clue = "{clue}" counts all cells; leave "{{key}}" out')
    if "value" in table:
        values = board.values.read(table, "value")
        if clue == BETWEEN and len(values) > 2:
            problem = (
                f'"{BETWEEN}" has two values, not {len(values)}; write two of them, or one that comes twice'
            )
            table.refuse_value("value", problem)
        return values
    numbers = board.values.numbers
    if clue == BETWEEN:
        if len(numbers) < 2:
            table.refuse("clue", f'"{BETWEEN}" needs two values, but the file has only one')
        return numbers[0], numbers[-1]
    if clue in (RUNS, COUNT, FIRST) and board.values.symbols[-1:] in _EMPTY:
        last = f'the last value, "{board.values.symbols[-1]}", and that looks empty'
        table.refuse("clue", f'"{clue}" would be of {last}; write "value", such as value = "#"')
    if clue in (VISIBLE, VISIBLE_SUM, X_SUM, ROOM):
        return numbers
    return numbers[1:] if clue == FIRST else numbers[-1:]


def _clues(board: Board, table: Table, key: str, values: tuple[int, ...]) -> list[_Clue]:
    """The clues of a key, each with its cells in the order of view."""
    found = table.data[key]
    if type(found) is str:
        parts = _BETWEEN_CLUES.split(found.strip())
    else:
        parts = table.value(key, list, 'clues, such as "3, 1 1, ?"')
    across = key in _ACROSS
    wanted = board.extent[0 if across else 1]
    if len(parts) != wanted:
        lines = "rows" if across else "columns"
        n_after = 0 if across else board.n_columns_drawn - wanted
        no_clues = f", and none for the {n_after} after them, which have no cells" if n_after else ""
        problem = f"{several(len(parts), 'clue')} for the {wanted} {lines} of the board; give one for each"
        table.refuse_value(key, f"{problem}{no_clues}, separated by commas or line ends")
    lines_of_cells: list[list[int]] = [[] for _ in range(wanted)]
    for cell, square in enumerate(board.squares):
        lines_of_cells[square[0 if across else 1]].append(cell)
    clues = []
    for place, (part, cells) in enumerate(zip(parts, lines_of_cells, strict=True)):
        words = map(_word, part if type(part) is list else [part])
        text = " ".join(" ".join(words).split())
        if table.data["clue"] in (FIRST, ROOM):
            numbers, symbols = _value(board, table, key, place, text, values)
        else:
            numbers, symbols = _numbers(table, key, place, text)
        inwards = cells[::-1] if key in _BACKWARDS else cells
        clues.append(_Clue(key, place, text, numbers, symbols, inwards, int(across)))
    return clues


def _word(item: object) -> str:
    """An entry of a list of clues, or of a list of the numbers of one clue, as a text."""
    if type(item) is str:
        return item
    return str(item) if type(item) is int and abs(item) <= LARGEST else _NO_WORD


def _value(board: Board, table: Table, key: str, place: int, text: str, values: tuple[int, ...]) -> _Numbers:
    """The value that a clue names."""
    value = None if text == UNKNOWN else board.values.of_word(text)
    if text != UNKNOWN and value not in values:
        known = f'is none of the values that can be first; write one of them, or "{UNKNOWN}"'
        table.refuse_value(key, f'clue {place + 1} of "{key}" {known}', place)
    return (value,), ("",)


def _numbers(table: Table, key: str, place: int, text: str) -> _Numbers:
    """The numbers of one clue, and the values after them."""
    words = [_NUMBER.fullmatch(word) for word in text.split()]
    found = [word for word in words if word and (word[1] == UNKNOWN or abs(int(word[1])) <= LARGEST)]
    if not found or len(found) < len(words) or any(word[2] and table.data["clue"] != RUNS for word in found):
        said = f'clue {place + 1} of "{key}" is not a clue; write numbers, or "{UNKNOWN}" for none'
        table.refuse_value(key, said, place)
    numbers = tuple(None if word[1] == UNKNOWN else int(word[1]) for word in found)
    return numbers, tuple(word[2] for word in found)


def _refuse_clue(table: Table, clue: _Clue, problem: str) -> NoReturn:
    table.refuse_value(clue.key, f'clue {clue.place + 1} of "{clue.key}" {problem}', clue.place)


def _known(table: Table, clue: _Clue, least: int) -> list[int]:
    """The numbers of a clue; refuses an unknown number and a number below `least`."""
    known = [number for number in clue.numbers if number is not None and number >= least]
    if len(known) < len(clue.numbers):
        _refuse_clue(table, clue, f"has numbers from {least}, all of them known; or it is a lone {UNKNOWN}")
    return known


def _one_number(table: Table, clue: _Clue, least: int = 0) -> int:
    known = _known(table, clue, least)
    if len(known) > 1:
        _refuse_clue(table, clue, f"has {len(known)} numbers; give one")
    return known[0]


def _check_from_0(table: Table, values: tuple[int, ...]) -> None:
    """Refuse negative values, which would make sums less again."""
    if values[0] < 0:
        table.refuse("clue", f'"{table.data["clue"]}" is for values from 0; take other values')


def _runs(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    if clue.numbers == NO_RUN and any(clue.symbols):
        _refuse_clue(table, clue, "is a run of no cells; write 0 alone for a line without runs")
    lengths = [] if clue.numbers == NO_RUN else _known(table, clue, 1)
    of_runs = [_values_of_run(board, table, clue, symbol, values) for symbol in clue.symbols[: len(lengths)]]
    gaps = [not set(run).isdisjoint(following) for run, following in pairwise(of_runs)]
    parts = stretches_of(board, clue.cells, clue.axis)
    needed = sum(lengths) + sum(gaps)
    if not _have_room(lengths, gaps, [len(part) for part in parts]):
        in_parts = f" in {len(parts)} parts" if len(parts) > 1 else ""
        _refuse_clue(
            table, clue, f"needs {several(needed, 'cell')}, but there are {len(clue.cells)}{in_parts}"
        )
    if not clue.cells:
        return
    numbers = board.values.numbers
    board.expect(table, 2 * (needed + 1) * len(numbers))
    outside = tuple(number for number in numbers if number not in values)
    no_cell = outside[0] if outside else numbers[-1] + 1
    read = with_gaps(board, table, parts, no_cell)
    transitions = runs_automaton(
        tuple(zip(lengths, of_runs, [*gaps, False], strict=False)), outside or (no_cell,)
    )
    board.add(table, Regular(read, needed + 1, transitions, (needed,)), len(transitions))


def _have_room(lengths: Sequence[int], gaps: Sequence[bool], room: Sequence[int]) -> bool:
    """Whether runs fit, in order, into parts of a line. gaps: between runs, whether a cell must separate."""
    part, used = 0, 0
    for length, gap_before in zip(lengths, [False, *gaps], strict=False):
        if used:
            used += gap_before
        while part < len(room) and used + length > room[part]:
            part, used = part + 1, 0
        used += length
    return part < len(room) or not lengths


def _values_of_run(
    board: Board, table: Table, clue: _Clue, symbol: str, values: tuple[int, ...]
) -> tuple[int, ...]:
    """The values that the cells of a run may have: all values of runs, or the named one."""
    if not symbol:
        return values
    number = board.values.number_of.get(symbol)
    if number not in values:
        problem = f'has a run of "{symbol}", which is not among the values of "value"'
        _refuse_clue(table, clue, f'{problem}; write all of them there, such as value = "ab"')
    return (number,)


def _sum(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    if "value" in table:
        _sums_of_values(board, table, clue, values)
        return
    runs = runs_of(board, clue.cells, clue.axis)
    if len(runs) != len(clue.numbers):
        has = f"has {several(len(clue.numbers), 'sum')}, but its line {several(len(runs), 'run')}"
        _refuse_clue(table, clue, f"{has} of two or more cells")
    for run, number in zip(runs, clue.numbers, strict=True):
        if number is not None:
            board.add(table, Linear((1,) * len(run), tuple(run), "=", number))


def _sums_of_values(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    """Add a constraint: the sums of the runs of cells with these values, in order."""
    if values[0] < 1:
        table.refuse_value("value", f"{values[0]} changes no sum of a run, or lessens it; name values from 1")
    least = [1 if number is None else number for number in clue.numbers]
    if clue.numbers != NO_RUN and min(least) < 1:
        _refuse_clue(table, clue, "has sums from 1, or is a lone 0 for no run")
    if sum(least) > len(clue.cells) * values[-1]:
        _refuse_clue(table, clue, f"has greater sums than {several(len(clue.cells), 'cell')} can have")
    if not clue.cells:
        return
    numbers = board.values.numbers
    board.expect(table, 2 * (sum(least) + 2) * len(numbers))
    outside = tuple(number for number in numbers if number not in values)
    no_cell = outside[0] if outside else numbers[-1] + 1
    read = with_gaps(board, table, stretches_of(board, clue.cells, clue.axis), no_cell)
    n_states, transitions, accepting = run_sums_automaton(clue.numbers, values, outside or (no_cell,))
    board.add(table, Regular(read, n_states, transitions, accepting), len(transitions))


def _count(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    number = _one_number(table, clue)
    if number > len(clue.cells):
        _refuse_clue(table, clue, f"is {number}, but its line has {several(len(clue.cells), 'cell')}")
    add_times(board, table, clue.cells, values, (number,))


def _between(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    number = _one_number(table, clue, -LARGEST)
    n_between = len(clue.cells) - 2
    if n_between < 0:
        _refuse_clue(table, clue, f"needs two cells, but its line has {several(len(clue.cells), 'cell')}")
    inner = [value for value in board.values.numbers if value not in values]
    low, high = n_between * min([0, *inner]), n_between * max([0, *inner])
    if not low <= number <= high:
        _refuse_clue(
            table, clue, f"is {number}, but the sum of {several(n_between, 'cell')} is from {low} to {high}"
        )
    n_sums = min(high, number - low) - max(low, number - high) + 1
    # Each sum is in two states; the factor 8 also keeps the states below the most that an automaton may have.
    board.expect(table, 8 * n_sums * len(board.values.numbers))
    n_states, transitions = between_automaton(tuple(inner), values, number, (number - high, number - low))
    board.add(table, Regular(tuple(clue.cells), n_states, transitions, (DONE,)), len(transitions))


def _visible(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    number, n_cells = _one_number(table, clue), len(clue.cells)
    least = int(values == board.values.numbers)
    if not least <= number <= n_cells:
        can_show = f"at least {least} and at most {n_cells}" if least < n_cells else str(n_cells)
        _refuse_clue(table, clue, f"is {number}, but its line of {several(n_cells, 'cell')} shows {can_show}")
    _add_seen(board, table, clue.cells, values, (1,) * len(values), number)


def _visible_sum(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    _check_from_0(table, values)
    number, most = _one_number(table, clue), sum(values[-len(clue.cells) :])
    if number > most:
        _refuse_clue(table, clue, f"is {number}, but {several(len(clue.cells), 'cell')} show at most {most}")
    _add_seen(board, table, clue.cells, values, values, number)


def _add_seen(
    board: Board,
    table: Table,
    cells: list[int],
    values: tuple[int, ...],
    weights: tuple[int, ...],
    number: int,
) -> None:
    """Add a constraint: the weights of the cells that are greater than all before them have this sum.

    values: the others are seen through. weights: of the values.
    """
    numbers = board.values.numbers
    board.expect(table, (number + 1) * (len(values) + 1) * len(numbers))
    unseen = tuple(other for other in numbers if other not in values)
    n_states, transitions = visible_automaton(values, weights, number, unseen)
    accepting = tuple(range(number, n_states, number + 1))
    board.add(table, Regular(tuple(cells), n_states, transitions, accepting), len(transitions))


def _first(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    numbers = board.values.numbers
    moves = [(BEFORE, number, BEFORE) for number in numbers if number not in values]
    moves += [(BEFORE, number, DONE) for number in numbers if number in clue.numbers]
    moves += [(DONE, number, DONE) for number in numbers]
    board.add(table, Regular(tuple(clue.cells), 2, tuple(moves), (DONE,)), len(moves))


def _x_sum(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    _check_from_0(table, values)
    number = _one_number(table, clue)
    if number > len(clue.cells) * values[-1]:
        _refuse_clue(table, clue, f"is {number}, but its line has {several(len(clue.cells), 'cell')}")
    board.expect(table, (len(clue.cells) * (number + 1) + 2) * len(values))
    n_states, transitions = x_sum_automaton(values, len(clue.cells), number)
    board.add(table, Regular(tuple(clue.cells), n_states, transitions, (DONE,)), len(transitions))


def _numbered_room(board: Board, table: Table, clue: _Clue, values: tuple[int, ...]) -> None:
    """The first cell has the number of a cell, which has the value of the clue."""
    (number,) = clue.numbers
    assert number is not None
    if not board.restrict(clue.cells[0], range(1, len(clue.cells) + 1)):
        _refuse_clue(table, clue, "is for a line whose first cell can have the number of one of its cells")
    first = clue.cells[0]
    for place, cell in enumerate(clue.cells, 1):
        board.add(table, Clause(((first, place, False), (cell, number, True))))


_ADD: dict[str, Callable[[Board, Table, _Clue, tuple[int, ...]], None]] = {
    RUNS: _runs,
    SUM: _sum,
    COUNT: _count,
    BETWEEN: _between,
    VISIBLE: _visible,
    VISIBLE_SUM: _visible_sum,
    FIRST: _first,
    X_SUM: _x_sum,
    ROOM: _numbered_room,
}
