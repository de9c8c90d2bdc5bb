"""`[[cage]]`: regions that are drawn, and for each letter of the drawing what holds of its cells.

    sum 12          the sum of the values            different    no value twice
    product 24      their product                    from 2468    each is one of these values
    difference 2    of two cells, either way round   quotient 3   of two cells, either way round
Several are separated by commas. `each` holds for all cages of the drawing.
"""

from __future__ import annotations

from collections.abc import Callable

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import in_short, mend_for_name
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import NO_CELL, Board
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import AllDifferent, Linear, Product, Table

REGIONS, EACH = CAGE_KEYS = ("regions", "each")
DIFFERENT, FROM = "different", "from"


def read_cages(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    drawing = table.drawing(REGIONS)
    board.check_lines(drawing)
    cages = board.cells.regions(drawing, NO_CELL)
    for key in table.names():
        if key not in CAGE_KEYS and key not in cages:
            mend = mend_for_name(in_short(key), [*CAGE_KEYS, *list(cages)[:50]])
            table.refuse(key, f'there is no cage "{in_short(key)}" in the drawing; {mend}')
    for mark, cells in cages.items():
        for key in (mark, EACH):
            if key in table:
                _rules(board, table, key, cells)
        if mark not in table and EACH not in table:
            table.refuse(REGIONS, f'nothing is said of cage "{mark}"; write {mark} = "sum 12", or the like')


def _rules(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    for rule in table.text(key).split(","):
        word, _, rest = rule.strip().partition(" ")
        rest = rest.strip()
        if word == DIFFERENT and not rest:
            _different(board, table, key, cells)
        elif word == FROM and rest:
            _from(board, table, key, rest, cells)
        elif word in _WITH_NUMBER and is_whole_number(rest) and abs(int(rest)) <= LARGEST:
            _WITH_NUMBER[word](board, table, key, cells, int(rest))
        else:
            known = "sum 12, product 24, difference 2, quotient 3, different or from 2468"
            table.refuse_value(key, f'"{in_short(rule.strip())}" is no rule of a cage; write {known}')


def _different(board: Board, table: TomlTable, key: str, cells: list[int]) -> None:
    n_values = len(board.values.numbers)
    if len(cells) > n_values:
        table.refuse(key, f"{len(cells)} cells cannot all differ in {n_values} values; make the cage smaller")
    if len(cells) > 1:
        board.add(table, AllDifferent(tuple(cells)))


def _from(board: Board, table: TomlTable, key: str, symbols: str, cells: list[int]) -> None:
    numbers = board.values.of_symbols(table, key, symbols.replace(" ", ""))
    for cell in cells:
        if not board.restrict(cell, numbers):
            name = list(board.cells.numbers)[cell]
            table.refuse_value(key, f"cell {name} can have none of these values; look at what is given")


def _sum(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    board.add(table, Linear((1,) * len(cells), tuple(cells), "=", number))


def _product(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    board.add(table, Product(tuple(cells), board.hidden(table, number, number)))


def _difference(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    numbers = board.values.numbers
    pairs = [(a, a + number) for a in numbers if a + number in set(numbers)]
    _either_way(board, table, key, cells, pairs)


def _quotient(board: Board, table: TomlTable, key: str, cells: list[int], number: int) -> None:
    numbers = board.values.numbers
    pairs = [(a, a * number) for a in numbers if a * number in set(numbers)]
    _either_way(board, table, key, cells, pairs)


def _either_way(
    board: Board, table: TomlTable, key: str, cells: list[int], pairs: list[tuple[int, int]]
) -> None:
    if len(cells) != 2:
        table.refuse(key, f"a difference or quotient is of two cells, but the cage has {len(cells)}")
    rows = tuple(sorted({*pairs, *((b, a) for a, b in pairs)}))
    board.add(table, Table(tuple(cells), rows), 2 * len(rows))


_WITH_NUMBER: dict[str, Callable[[Board, TomlTable, str, list[int], int], None]] = {
    "sum": _sum,
    "product": _product,
    "difference": _difference,
    "quotient": _quotient,
}
