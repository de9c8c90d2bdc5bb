"""What the tests of grids ask: what a clause means, by trying all fillings of a small board; and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

import pytest

from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.csp import Csp
from tests import naive_csp

Row: TypeAlias = tuple[int, ...]
Holds: TypeAlias = Callable[[Row], bool]
Case: TypeAlias = tuple[str, str, str, Holds]
"""Board, values, clauses, and whether they hold of the values of all cells."""

THREE = "...\n...\n..."
TWO = "..\n.."
HEAD = 'kind = "grid"\nvalues = "1..4"\nboard = "...."\n'


def text_of(board: str, values: str, clauses: str) -> str:
    return f'kind = "grid"\nvalues = {values}\nboard = """\n{board}\n"""\n{clauses}'


def model_of(text: str) -> Csp:
    model = read_toml(text, "mine.toml").model
    assert isinstance(model, Csp)
    return model


def fillings(text: str) -> set[Row]:
    """The values of the cells in every solution, by the oracle."""
    model = model_of(text)
    return {tuple(model.values[index] for index in row) for row in naive_csp.solutions(model)}


def complaint_about(text: str) -> str:
    with pytest.raises(BadInput) as refusal:
        read_toml(text, "mine.toml")
    return str(refusal.value)


def check_meaning(board: str, values: str, clauses: str, holds: Holds) -> None:
    """The solutions are the fillings of which the definition holds: some, and not all."""
    text = text_of(board, values, clauses)
    numbers = model_of(text_of(board, values, "")).values
    wanted = {row for row in product(numbers, repeat=board.count(".")) if holds(row)}
    assert 0 < len(wanted) < len(numbers) ** board.count(".")
    assert fillings(text) == wanted


def check_complaint(text: str, complaint: str) -> None:
    """The file is refused in one line that begins so."""
    said = complaint_about(text)
    assert said.startswith(f"mine.toml:{complaint}")
    assert "\n" not in said
    assert len(said) < 400


def lines_of(row: Row, n_columns: int) -> list[Row]:
    return [row[start : start + n_columns] for start in range(0, len(row), n_columns)]


def columns_of(row: Row, n_columns: int) -> list[Row]:
    return [row[column::n_columns] for column in range(n_columns)]


def differ(cells: Row) -> bool:
    return len(set(cells)) == len(cells)
