"""The clues of Tapa: the lengths of the runs of a value in the circle of squares around a square.

The board is drawn again with a word for each square: "2,3" is a run of two and a run of three cells, in any
order, with a gap between them; "?" is a run of any length, "0" no run, and "." no clue. Squares without a
cell are gaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from rekkyo.export.puzzle_toml.document import Table, Word
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.kinds_of_cells import Indicators, add_by_kind
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.wording import several

RUNS = "runs"
CIRCLE: tuple[Square, ...] = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
ANY, NONE = "?", "0"


def read_runs(board: Board, table: Table, values: tuple[int, ...]) -> None:
    """Add a constraint for each clue: the cells around it with one of the values form such runs."""
    drawing = table.drawing(RUNS)
    rows = list(drawing.words())
    indicators: Indicators = {}
    n_rows, n_columns = board.extent
    if len(rows) != n_rows:
        have = several(len(rows), "line")
        drawing.refuse_whole(f"the drawing has {have}, but the board has {n_rows}; write all of them")
    for row, words in enumerate(rows):
        if len(words) != n_columns:
            have = several(len(words), "word")
            words[0].refuse(
                f'the line has {have}, but the board has {n_columns} columns; write "." for no clue'
            )
        for column, word in enumerate(words):
            if word.text != FREE:
                _add_clue(board, table, values, (row, column), word, indicators)


def _add_clue(
    board: Board, table: Table, values: tuple[int, ...], square: Square, word: Word, indicators: Indicators
) -> None:
    lengths = [] if word.text == NONE else word.text.split(",")
    if not set(lengths) <= {ANY, *"12345678"}:
        word.refuse(f'"{word.text}" is not a clue; write lengths from 1 to 8, such as 1,3, "?" for any, or 0')
    around = [board.cells.on((square[0] + down, square[1] + across)) for down, across in CIRCLE]
    cells = list(dict.fromkeys(cell for cell in around if cell is not None))

    def fits(kinds: Sequence[bool]) -> bool:
        kind_of = dict(zip(cells, kinds, strict=True))
        return _has_runs([cell is not None and kind_of[cell] for cell in around], lengths)

    if not any(map(fits, product((False, True), repeat=len(cells)))):
        word.refuse(f"runs of {word.text} do not fit into {several(len(cells), 'cell')} around; take less")
    if cells and not add_by_kind(board, table, cells, values, fits, indicators):
        problem = f"runs of {word.text} around {square[0]},{square[1]} do not fit the values that are given"
        board.add_never(table, problem, RUNS)
    board.shown.number_at(square, word.text.replace(",", " "))


def _has_runs(circle: Sequence[bool], lengths: Sequence[str]) -> bool:
    """Whether the runs of a circle are those of a clue: digits, or ANY."""
    text = "".join(".#"[is_in] for is_in in circle)
    gap = max(text.find("."), 0)
    found = [len(run) for run in (text[gap:] + text[:gap]).split(".") if run]
    known = Counter(length for length in lengths if length != ANY)
    return len(found) == len(lengths) and known <= Counter(map(str, found))
