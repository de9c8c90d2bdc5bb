"""The syntax of lines of a sum figure: `a b c`, `a b c = 15`, or an order `a < b < c`.

A line is a plain sum of cells, so words that look like other arithmetic are refused. Otherwise `a + b = 9`
would be a line of three cells, one of them named +.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import BadInput, in_short
from rekkyo.model.sum_figure import LARGEST_SUM

MAX_NAME = 40
_OPERATORS = frozenset("=<>!+*/^%&|×·÷−≠≤≥⁰¹²³⁴⁵⁶⁷⁸⁹")
_WHOLE = re.compile(r"-?[0-9]+")
_FACTOR = re.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_].*|\(.*)")


class BadLine(BadInput):
    """A line that cannot be read.

    column: of the wrong word in the line, from 0. without_place: the message without its beginning.
    """

    def __init__(self, column: int, problem: str) -> None:
        super().__init__(f"sum figure: {problem}")
        self.column, self.without_place = column, problem


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """cells: with columns, from 0. sum: the line's own sum. is_order: the cells are an order, least first."""

    cells: tuple[tuple[int, str], ...]
    sum: int | None = None
    is_order: bool = False


def read_line(text: str, drawn: Container[str] = ()) -> WrittenLine:
    """Parse a line. drawn: names in a drawing, which may look like formulas, such as 2a. Raises BadLine."""
    is_order = "<" in text
    left, equals, total = (text, "", "") if is_order else text.partition("=")
    if is_order and not all(len(part.split()) == 1 and "=" not in part for part in text.split("<")):
        raise BadLine(0, f'"{in_short(text)}" is not an order; write it as a < b, one cell on each side')
    total = total.removeprefix("=").strip()  # a sum may be written a b == 15
    if equals and not _WHOLE.fullmatch(total):
        raise BadLine(0, f'"{in_short(text)}" does not end with a whole number after "="; write a b = 10')
    if equals and not (is_whole_number(total) and -LARGEST_SUM <= int(total) <= LARGEST_SUM):
        raise BadLine(
            0, f"a sum is a whole number from {-LARGEST_SUM} to {LARGEST_SUM}, not {in_short(total)}"
        )
    cells = tuple((word.start(), word[0]) for word in re.finditer(r"[^\s<]+", left))
    for column, name in cells:
        is_alone = bool(equals) and len(cells) == 1
        problem = problem_of_name(name) or ("" if name in drawn else _problem_of_formula(name, is_alone))
        if problem:
            raise BadLine(column, problem)
    return WrittenLine(cells, int(total) if equals else None, is_order)


def problem_of_name(name: str) -> str:
    """The reason why a word cannot name a cell; empty if it can."""
    if _OPERATORS.intersection(name) or name.startswith("-") or name.endswith("-"):
        return _arithmetic(name)
    if not name.strip("."):
        return f'"{in_short(name)}" names no cell; leave spaces where there is none'
    if len(name) > MAX_NAME or not name.isprintable():
        return f'"{in_short(name)}" cannot name a cell; use 1 to {MAX_NAME} printable characters'
    return ""


def _problem_of_formula(name: str, is_alone: bool) -> str:
    """As `problem_of_name`, for a name that was not drawn. is_alone: the line has only this and a sum."""
    if (is_alone and "-" in name) or name.count("(") != name.count(")"):
        return _arithmetic(name)
    factor = _FACTOR.fullmatch(name)
    if factor is None:
        return ""
    if "(" in name:
        return _arithmetic(name)
    number, rest = in_short(factor[1]), in_short(factor[2])
    return (
        f'"{in_short(name)}" looks like {number} times {rest}, but a line has no factors;'
        f" name the cell {rest}{number}"
    )


def _arithmetic(name: str) -> str:
    return (
        f'"{in_short(name)}" cannot name a cell; a line is the sum of its cells, written a b = 10,'
        " without other signs, powers or factors"
    )
