"""Catalog: sudoku grids that complete given clues.

Option: a digit in a cell; by cell from the upper left, then by digit. The cell of a clue has one option only.
Items: each cell is filled, and each digit is in each row, column and box: 324 in all.
Left out on purpose: symmetries. Those of the empty grid are 3,359,232 moves times 9! relabellings, too many
to list, and clues break nearly all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rekkyo.catalog.entry import Entry, Option
from rekkyo.catalog.published import published
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle

N_CELLS = 81
EMPTY = ".0"
FRAME = "|-+ \t\r\n"
"""Characters between the cells that a file may have."""

MAX_FILE = 1 << 12
"""The most bytes of a file with clues."""


def sudoku(*, clues: Sequence[str] = ()) -> Puzzle:
    """The grids that complete the clues: 81 characters, row by row, `.` or `0` for an empty cell.

    No clues at all mean the empty grid. Raises BadInput.
    """
    if len(clues) > 1:
        raise BadInput("sudoku: give the clues once")
    given = _checked(clues[0]) if clues else "." * N_CELLS
    n_clues = sum(clue not in EMPTY for clue in given)
    name = f"sudoku --clues {given}" if n_clues else "sudoku"
    title = f"Sudoku with {n_clues} clues" if n_clues else "All sudoku grids"
    return Puzzle(
        name, _cover(given), title, published=None if n_clues else published("covers", "sudoku", "-")
    )


def grid(model: ExactCover, row: Sequence[int]) -> str:
    """The 81 digits of a solution."""
    digits = ["."] * N_CELLS
    for number in row:
        (cell, _), (row_item, _), *_ = model.options[number]
        digits[cell] = model.item_name(row_item)[-1]
    return "".join(digits)


def _cover(given: str) -> ExactCover:
    lines = [f"{line}{n}={digit}" for line in "rcb" for n in range(1, 10) for digit in range(1, 10)]
    cells = [f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in range(N_CELLS)]
    options = []
    for cell, clue in enumerate(given):
        row, column = divmod(cell, 9)
        box = row // 3 * 3 + column // 3
        for digit in range(9):
            if clue in (".", str(digit + 1)):
                items = (cell, *(N_CELLS + 9 * line + digit for line in (row, 9 + column, 18 + box)))
                options.append(tuple((item, 0) for item in items))
    return ExactCover(primary=(*cells, *lines), options=tuple(options))


def _checked(clues: str) -> str:
    """Clues with `.` for every empty cell."""
    for place, clue in enumerate(clues):
        if not (clue in EMPTY or clue in "123456789"):
            raise BadInput(f'sudoku: clue {place + 1} is "{clue}"; use 1 to 9, and . or 0 for an empty cell')
    if len(clues) != N_CELLS:
        raise BadInput(f"sudoku: {len(clues)} cells instead of {N_CELLS}; use . or 0 for an empty cell")
    return clues.replace("0", ".")


def _read_clues(word: str) -> str:
    """Clues as they are, or out of the file of that name."""
    if len(word) == N_CELLS or all(clue in "123456789" + EMPTY for clue in word):
        return _checked(word)
    try:
        with Path(word).open("rb") as file:
            content = file.read(MAX_FILE + 1)
    except (OSError, ValueError):
        raise BadInput(f'sudoku: "{word}" is neither {N_CELLS} cells nor a file that can be read') from None
    if len(content) > MAX_FILE:
        raise BadInput(f'sudoku: the file "{word}" is longer than a grid of {N_CELLS} cells')
    return _checked("".join(character for character in content.decode("latin-1") if character not in FRAME))


ENTRY = Entry(
    name="sudoku",
    summary="the sudoku grids that complete given clues",
    source="Felgenhauer and Jarvis 2005; OEIS A107739",
    options=(
        Option(
            "--clues",
            "81 cells, row by row, . or 0 for an empty one, or a file that has them",
            "CLUES",
            _read_clues,
        ),
    ),
    build=sudoku,
    bare_option="--clues",
)
