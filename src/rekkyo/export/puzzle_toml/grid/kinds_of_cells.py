"""A rule for some cells that depends only on whether each has one of some values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.model.csp.constraints import Table, Variable

MOST_ROWS = 1 << 10
"""The most combinations of values that are tried for a table. Beyond it, the table has hidden variables."""

Indicators: TypeAlias = dict[Variable, Variable]
"""The hidden variables of cells, 1 if a cell has one of the values; of all rules for the same values."""


def add_by_kind(
    board: Board,
    table: TomlTable,
    cells: Sequence[Variable],
    values: tuple[int, ...],
    fits: Callable[[Sequence[bool]], bool],
    indicators: Indicators,
) -> bool:
    """Add the table of what fits; whether anything does. fits: takes whether each cell has such a value."""
    variables, kinds = list(cells), values
    if prod(len(board.domains[v]) for v in variables) > MOST_ROWS:
        variables, kinds = [_indicator(board, table, v, values, indicators) for v in variables], (1,)
    rows = tuple(
        row
        for row in product(*(board.domains[v] for v in variables))
        if fits([value in kinds for value in row])
    )
    board.add(table, Table(tuple(variables), rows), len(rows) * len(variables))
    return bool(rows)


def _indicator(
    board: Board, table: TomlTable, cell: Variable, values: tuple[int, ...], indicators: Indicators
) -> Variable:
    if cell not in indicators:
        indicators[cell] = board.hidden(table, range(2))
        rows = tuple((value, int(value in values)) for value in board.domains[cell])
        board.add(table, Table((cell, indicators[cell]), rows), 2 * len(rows))
    return indicators[cell]
