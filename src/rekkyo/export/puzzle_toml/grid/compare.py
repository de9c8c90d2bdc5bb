"""`[[compare]]`: lines that compare sums of cells.

0,0 < 0,1 < 0,2         a chain of comparisons; also <=, =, !=, >= and >
0,0 0,1 0,2 = 1,2       several cells between relations are added up; 0,0 + 0,1 + 0,2 means the same
10*0,0 - 0,1 = 1,2      a cell may have a factor, and be subtracted
2,0 2,1 >= 15           numbers are constants
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.document import Word
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.values import LARGEST
from rekkyo.model.csp.constraints import Linear

COMPARE_KEYS = ("cells",)
RELATIONS = ("<", "<=", "=", "!=", ">=", ">")
BRACKETS = set("()|")
SIGNS = {"+": 1, "-": -1}
_TERM = r"[^\s<>=!+*-]+"
_WORD = re.compile(rf"[<>=!]+|[+-]|{_TERM}(?:\s*\*\s*{_TERM})*|\*")


class _Side(NamedTuple):
    """A side of a comparison: cells with their factors, and a number."""

    factors: Counter[int]
    number: int


def read_compare(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(COMPARE_KEYS)
    drawing = table.drawing("cells")
    if not drawing.text.strip():
        table.refuse_value("cells", "there is no line; write one, such as 0,0 < 0,1, or leave the clause out")
    for number, line in enumerate(drawing.lines()):
        words = [Word(drawing, number, found.start(), found[0]) for found in _WORD.finditer(line)]
        if words:
            _read_line(board, table, words)


def _read_line(board: Board, table: TomlTable, words: list[Word]) -> None:
    """Add the constraints of a line, one for each relation in it."""
    parts: list[list[Word]] = [[]]
    relations = []
    for word in words:
        if word.text[0] not in "<>=!":
            parts[-1].append(word)
            continue
        if word.text not in RELATIONS:
            word.refuse(f'"{in_short(word.text)}" is not a relation; take one of {" ".join(RELATIONS)}')
        if not parts[-1]:
            word.refuse(f'there are no cells before "{word.text}"; name some')
        relations.append(word.text)
        parts.append([])
    if not parts[-1]:
        words[-1].refuse(f'there are no cells after "{words[-1].text}"; name some, or a number')
    if not relations:
        words[0].refuse("there is no relation in this line; write 0,0 < 0,1 or 0,0 0,1 = 15")
    sides = [_side(board, part) for part in parts]
    for (left, right), relation in zip(pairwise(sides), relations, strict=True):
        factors = Counter(left.factors)
        factors.subtract(right.factors)
        if any(abs(factor) > LARGEST for factor in factors.values()):
            words[0].refuse(f"the factors of a cell add up to more than {LARGEST}; take smaller ones")
        board.add(table, _linear(factors, right.number - left.number, relation))
        _show(board, left, right, relation)


def _show(board: Board, left: _Side, right: _Side, relation: str) -> None:
    """Show a sign between two cells, or an arrow from a cell through the cells of its sum."""
    is_plain = all(factor == 1 for side in (left, right) for factor in side.factors.values())
    if left.number or right.number or not is_plain:
        return
    ones, others = list(left.factors), list(right.factors)
    if len(ones) == len(others) == 1:
        board.shown.sign(ones[0], others[0], relation)
    elif relation == "=" and len(others) == 1:
        board.shown.thread(others[0], ones)
    elif relation == "=" and len(ones) == 1:
        board.shown.thread(ones[0], others)


def _side(board: Board, words: list[Word]) -> _Side:
    """The sum of some words: terms, and signs before them."""
    factors: Counter[int] = Counter()
    number = 0
    sign = 0
    for word in words:
        if not sign and word.text in SIGNS:
            sign = SIGNS[word.text]
            continue
        cell, times = _term(board, word)
        if cell is None:
            number += (sign or 1) * times
        else:
            factors[cell] += (sign or 1) * times
        if times > LARGEST or abs(number) > LARGEST:
            word.refuse(f"the number is greater than {LARGEST}; take a smaller one")
        sign = 0
    if sign:
        words[-1].refuse(f'there is no cell after "{words[-1].text}"; name one, or a number')
    return _Side(factors, number)


def _term(board: Board, word: Word) -> tuple[int | None, int]:
    """A cell and its factor; or None and a number."""
    if word.text in SIGNS:
        word.refuse(f'"{word.text}" follows another sign; write one of them')
    if not BRACKETS.isdisjoint(word.text) and word.text not in board.cells.by_any_name:
        instead = 'multiply each cell; |a - b| = 1 is the rule "difference 1" of a [[cage]]'
        word.refuse(f'"{in_short(word.text)}": sums have no brackets and no absolute values; {instead}')
    *factors, name = word.text.split("*")
    if not factors:
        is_number = is_whole_number(name)
        return (None, int(name)) if is_number else (board.cells.number(word, name), 1)
    if len(factors) > 1 or not is_whole_number(factors[0].strip()) or not name:
        said = in_short(word.text)
        word.refuse(f'"{said}" is not a number, "*" and a cell; write a factor first, such as 10*0,0')
    return board.cells.number(word, name.strip()), int(factors[0])


def _linear(factors: Counter[int], number: int, relation: str) -> Linear:
    """A sum of cells with factors, compared with a number."""
    sign = -1 if relation in (">", ">=") else 1
    terms = sorted((cell, sign * factor) for cell, factor in factors.items() if factor)
    constant = sign * number - (relation in ("<", ">"))
    plain = relation if relation in ("=", "!=") else "<="
    return Linear(tuple(factor for _, factor in terms), tuple(cell for cell, _ in terms), plain, constant)
