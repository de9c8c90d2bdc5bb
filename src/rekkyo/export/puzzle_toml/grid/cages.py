"""`[[cage]]`: regions with rules for their cells; in a drawing, each letter has its rules.

    sum 12          the sum of the values            different    no value twice
    squares 50      the sum of their squares         from 2468    each is one of these values
    product 24      the product of the values        even, odd    each value is even, or odd
    increasing      each value is greater than the one before
    palindrome      the values are the same in reverse order
    consecutive     different numbers that follow each other, in any order, such as 4 2 3
    consecutive 1   the same from 1 on: each of 1 to n once in n cells
    difference 2    of two cells, in either order    quotient 3   of two cells, in either order
Several rules are separated by commas. `each` has the rules of all cages; regions that are not drawn, and the
places of a pattern, have no other rules. `clues` is a short form for many letters of a drawing:
A 12+ B 2- C 24x D 3/ E 12, where a number alone is a sum and * means x. Letters of a drawing with a name,
which other clauses share, may have no rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise
from operator import add, mul

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import fix_for_name, in_short
from rekkyo.export.puzzle_toml.cells import ONLY_DRAWN, PATTERN_KEYS
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.regions import GROUP_KEYS, PATTERN, drawn_cells, is_drawing, read_groups
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import AllDifferent, Linear, Product, Regular, Table

REGIONS, CELLS, EACH, CLUES = "regions", "cells", "each", "clues"
CAGE_KEYS = (*GROUP_KEYS, EACH, CLUES)
FROM = "from"
_CLUE = re.compile(r"([0-9]{1,10})([-+*x/]?)")
_SHOWN_SIGN = {"-": "\u2212", "*": "\u00d7", "x": "\u00d7", "/": "\u00f7"}
_SHOWN_RULE = {
    "sum": "{}",
    "squares": "{} = \u03a3x\u00b2",
    "product": "{}\u00d7",
    "difference": "{}\u2212",
    "quotient": "{}\u00f7",
    "consecutive": "",
}
_RULE_OF_SIGN = {"": "sum", "+": "sum", "-": "difference", "*": "product", "x": "product", "/": "quotient"}


def read_cages(board: Board, table: TomlTable) -> None:
    """Add the constraints of a `[[cage]]` table. Raises BadFile."""
    # A table without regions goes to `_read_drawn`, which refuses it.
    if not {CELLS, PATTERN} & table.data.keys() and is_drawing(table.data.get(REGIONS, "")):
        _read_drawn(board, table)
        return
    table.check_keys((*GROUP_KEYS, EACH))
    if EACH not in table:
        table.refuse_table('these regions have no clue; write one such as each = "sum 12"')
    groups = read_groups(board, table)
    if CELLS not in table and len(set(chain.from_iterable(groups))) < sum(map(len, groups)):
        board.shown.leave_out(groups)
    for cells in groups:
        _rules(board, table, EACH, cells)


def _read_drawn(board: Board, table: TomlTable) -> None:
    table.refuse_keys(PATTERN_KEYS, ONLY_DRAWN)
    cages = drawn_cells(board, table.drawing(REGIONS))
    for key in table.names():
        if key not in CAGE_KEYS and key not in cages:
            fix = fix_for_name(in_short(key), [*CAGE_KEYS, *list(cages)[:50]])
            table.refuse(key, f'there is no cage "{in_short(key)}" in the drawing; {fix}')
    clued = _read_clues(board, table, cages) if CLUES in table else set()
    for mark, cells in cages.items():
        board.shown.cage(cells)
        for key in (mark, EACH):
            if key in table:
                _rules(board, table, key, cells)
    without = [mark for mark in cages if mark not in clued and not {mark, EACH} & table.data.keys()]
    is_shared = table.data[REGIONS] in board.drawn_regions
    if without and not (is_shared and len(without) < len(cages)):
        fix = f'write one such as {without[0]} = "sum 12", or draw its cells as "{FREE}"'
        table.refuse(REGIONS, f'cage "{without[0]}" has no clue; {fix}')


def _read_clues(board: Board, table: TomlTable, cages: dict[str, list[int]]) -> set[str]:
    """Add the constraints of short clues; returns the marks that have some."""
    words = [word for line in table.drawing(CLUES).words() for word in line]
    for word, clue in zip(words[::2], [*words[1::2], None], strict=False):
        if word.text not in cages:
            word.refuse(f'there is no cage "{in_short(word.text)}" in the drawing; write A 12+ B 3-')
        found = _CLUE.fullmatch(clue.text) if clue else None
        if found is None or int(found[1]) > LARGEST:
            said = f"clue of cage {word.text} is not a number up to {LARGEST}, alone or before + - x or /"
            (clue or word).refuse(f"the {said}; write A 12+ B 3-")
        _WITH_NUMBER[_RULE_OF_SIGN[found[2]]](board, table, CLUES, cages[word.text], int(found[1]))
        board.shown.cage(cages[word.text], found[1] + _SHOWN_SIGN.get(found[2], found[2]))
    return {word.text for word in words[::2]}


def _rules(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    for rule in table.text(key).split(","):
        word, _, rest = rule.strip().partition(" ")
        rest = rest.strip()
        if word in _ALONE and not rest:
            _ALONE[word](board, table, key, cells)
        elif word == FROM and rest:
            _from(board, table, key, rest, cells)
        elif word in _WITH_NUMBER and is_whole_number(rest) and abs(int(rest)) <= LARGEST:
            _WITH_NUMBER[word](board, table, key, cells, int(rest))
            board.shown.cage(cells, _SHOWN_RULE[word].format(rest))
        else:
            of_numbers = "sum 12, squares 50, product 24, difference 2, quotient 3, consecutive 1"
            known = f"{of_numbers}, {', '.join(_ALONE)} or from 2468"
            table.refuse_value(key, f'"{in_short(rule.strip())}" is not a rule of a cage; write {known}')


def _different(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    _check_number_of_values(board, table, key, cells, "all differ")
    if len(cells) > 1:
        board.add(table, AllDifferent(tuple(cells)))


def _check_number_of_values(board: Board, table: TomlTable, key: str, cells: list[int], what: str) -> None:
    n_values = len(board.values.numbers)
    if len(cells) > n_values:
        problem = f"{len(cells)} cells cannot {what} in {n_values} values; make the cage smaller"
        table.refuse_unless_member(problem, key)


def _increasing(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    _check_number_of_values(board, table, key, cells, "increase")
    for less, greater in pairwise(cells):
        board.add(table, Linear((1, -1), (less, greater), "<=", -1))
    board.shown.cage(cells, "<")


def _palindrome(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    for one, other in zip(cells[: len(cells) // 2], reversed(cells), strict=False):
        board.add(table, Linear((1, -1), (one, other), "=", 0))
    board.shown.line(cells)


def _from(board: Board, table: TomlTable, key: str, symbols: str, cells: list[int]) -> None:
    numbers = board.values.of_words(table, key, symbols)
    _restrict(board, table, key, cells, numbers)


def _restrict(board: Board, table: TomlTable, key: str, cells: list[int], numbers: Sequence[int]) -> None:
    for cell in cells:
        if not board.restrict(cell, numbers):
            name = list(board.cells.numbers)[cell]
            problem = f"cell {name} can have none of these values; look at what is given"
            board.add_never(table, problem, key)


def _parity(rule: str, board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    rest = 1 if rule == "odd" else 0
    _restrict(board, table, key, cells, [number for number in board.values.numbers if number % 2 == rest])
    board.shown.cage(cells, rule)


def _consecutive(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    """Different values whose greatest is n - 1 more than the least, for n cells.

    A hidden variable for the least would need fewer transitions, but engine csp-frontier refuses it.
    """
    n_cells, numbers = len(cells), board.values.numbers
    known = set(numbers)
    if not any(all(first + more in known for more in range(n_cells)) for first in numbers):
        table.refuse_value(key, f"there are no {n_cells} consecutive values; make the cage smaller")
    board.expect(table, 2 * n_cells**2 * len(numbers))
    board.shown.cage(cells, f"n\u2026n+{n_cells - 1}")
    if n_cells > 1:
        n_states, transitions, accepting = _range_automaton(numbers, n_cells)
        board.add(table, AllDifferent(tuple(cells)))
        board.add(table, Regular(tuple(cells), n_states, transitions, accepting), len(transitions))


def _consecutive_from(board: Board, table: TomlTable, key: str, cells: list[int], first: int) -> None:
    numbers = range(first, first + len(cells))
    if not set(numbers) <= set(board.values.numbers):
        problem = f"not all numbers from {first} to {numbers[-1]} are values; make the cage smaller"
        table.refuse_value(key, problem)
    _restrict(board, table, key, cells, numbers)
    _different(board, table, key, cells)


@lru_cache(64)
def _range_automaton(
    numbers: tuple[int, ...], size: int
) -> tuple[int, tuple[tuple[int, int, int], ...], tuple[int, ...]]:
    """An automaton whose states are the least and the greatest value so far, less than `size` apart."""
    known = set(numbers)
    ranges = [(low, high) for low in numbers for high in range(low, low + size) if high in known]
    state_of = {found: state for state, found in enumerate(ranges, 1)}
    moves = [(0, number, state_of[number, number]) for number in numbers]
    for (low, high), state in state_of.items():
        for number in range(high - size + 1, low + size):
            following = state_of.get((min(low, number), max(high, number)))
            if following is not None and number in known:
                moves.append((state, number, following))
    accepting = tuple(state for (low, high), state in state_of.items() if high - low == size - 1)
    return len(ranges) + 1, tuple(moves), accepting


def _sum(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    board.add(table, Linear((1,) * len(cells), tuple(cells), "=", number))


def _squares(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    squares = tuple(board.product(table, (cell, cell)) for cell in cells)
    board.add(table, Linear((1,) * len(cells), squares, "=", number))


def _product(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    board.add(table, Product(tuple(cells), board.hidden(table, range(number, number + 1))))


def _of_two(
    other: Callable[[int, int], int], board: Board, table: TomlTable, key: str, cells: list[int], number: int
) -> None:
    """One of two cells follows from the other cell and the number."""
    if len(cells) != 2:
        table.refuse(key, f"a difference or quotient is of two cells, but the cage has {len(cells)}")
    if other is add and number < 0:
        problem = f"a difference in either order is never {number}; write difference {-number}"
        board.add_never(table, problem, key)
        return
    known = set(board.values.numbers)
    pairs = [(a, other(a, number)) for a in known if other(a, number) in known]
    rows = tuple(sorted({*pairs, *((b, a) for a, b in pairs)}))
    board.add(table, Table(tuple(cells), rows), 2 * len(rows))


_ALONE: dict[str, Callable[[Board, TomlTable, str, list[int]], None]] = {
    "different": _different,
    "increasing": _increasing,
    "palindrome": _palindrome,
    "consecutive": _consecutive,
    "even": partial(_parity, "even"),
    "odd": partial(_parity, "odd"),
}
_WITH_NUMBER: dict[str, Callable[[Board, TomlTable, str, list[int], int], None]] = {
    "sum": _sum,
    "squares": _squares,
    "product": _product,
    "consecutive": _consecutive_from,
    "difference": partial(_of_two, add),
    "quotient": partial(_of_two, mul),
}
