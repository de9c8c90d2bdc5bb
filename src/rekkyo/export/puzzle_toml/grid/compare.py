"""`[[compare]]`: lines that compare sums of cells.

0,0 < 0,1 < 0,2         a chain; also <=, =, !=, >= and >
0,0 0,1 0,2 = 1,2       several cells between relations are added up
2,0 2,1 >= 15           numbers are constants
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Drawing, Word
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import Linear

COMPARE_KEYS = ("cells",)
RELATIONS = ("<", "<=", "=", "!=", ">=", ">")
_WORD = re.compile(r"[<>=!]+|[^\s<>=!]+")


class _Side(NamedTuple):
    """A side of a comparison: cells, repeated as often as they are added, and a number."""

    cells: Counter[int]
    number: int


def read_compare(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(COMPARE_KEYS)
    drawing = table.drawing("cells")
    for number, line in enumerate(drawing.lines()):
        words = [Word(drawing, number, found.start(), found[0]) for found in _WORD.finditer(line)]
        if words:
            _line(board, table, drawing, words)


def _line(board: Board, table: TomlTable, drawing: Drawing, words: list[Word]) -> None:
    sides, relations = [_Side(Counter(), 0)], []
    is_empty = True
    for word in words:
        if word.text[0] not in "<>=!":
            sides[-1] = _more(board, sides[-1], word)
            is_empty = False
            continue
        if word.text not in RELATIONS:
            word.refuse(f'"{in_short(word.text)}" is not a relation; take one of {" ".join(RELATIONS)}')
        if is_empty:
            word.refuse(f'before "{word.text}" there are no cells; name some')
        relations.append(word.text)
        sides.append(_Side(Counter(), 0))
        is_empty = True
    if is_empty:
        words[-1].refuse(f'behind "{words[-1].text}" there are no cells; name some, or a number')
    if not relations:
        words[0].refuse("the line compares nothing; write 0,0 < 0,1 or 0,0 0,1 = 15")
    for (left, right), relation in zip(pairwise(sides), relations, strict=True):
        board.add(table, _linear(left, right, relation))
        _show(board, left, right, relation)


def _show(board: Board, left: _Side, right: _Side, relation: str) -> None:
    """Show a sign between two cells, or an arrow from a cell through the cells of its sum."""
    if left.number or right.number:
        return
    ones, others = list(left.cells.elements()), list(right.cells.elements())
    if len(ones) == len(others) == 1:
        board.shown.sign(ones[0], others[0], relation)
    elif relation == "=" and len(others) == 1:
        board.shown.thread(others[0], ones)
    elif relation == "=" and len(ones) == 1:
        board.shown.thread(ones[0], others)


def _more(board: Board, side: _Side, word: Word) -> _Side:
    """A side with a further cell or number."""
    if not is_whole_number(word.text):
        side.cells[board.cells.number(word, word.text)] += 1
        return side
    number = side.number + int(word.text)
    if abs(number) > LARGEST:
        word.refuse(f"a number beyond {LARGEST}; take a smaller one")
    return side._replace(number=number)


def _linear(left: _Side, right: _Side, relation: str) -> Linear:
    sign = -1 if relation in (">", ">=") else 1
    coefficients = Counter(left.cells)
    coefficients.subtract(right.cells)
    terms = sorted((cell, sign * times) for cell, times in coefficients.items() if times)
    constant = sign * (right.number - left.number) - (relation in ("<", ">"))
    plain = relation if relation in ("=", "!=") else "<="
    return Linear(tuple(times for _, times in terms), tuple(cell for cell, _ in terms), plain, constant)
