"""Reads solution rows from lines of text, in the formats that `rekkyo.export.text` writes, except drawings.

The format of each line is detected: a line of symbols of the puzzle is compact, such as `[][` if `[` and `]`
are symbols. Of the others, one that begins with `[` is jsonl, one with `=` is the notation of the digits
puzzle, one with a comma is csv (`7,` is one number, `,` or `""` is none), and one with a space or a tab is
rows. If rows have length one, a line without these is a number if that is a value, else a symbol. Headings
that `export` writes are skipped: comments, column names and the first line of jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from rekkyo.errors import BadInput, BadSolution, in_short
from rekkyo.export.digits import DigitsNotation, has_notation
from rekkyo.export.header import column_names
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, Row

FORMATS = "rows, compact, csv or jsonl"
MAX_LINE_LENGTH = 1 << 20
MOST_SHOWN = 40
MAX_SKIPPED = 1 << 26
"""The most characters of a longer line that are skipped. More are not lines, and may have no end."""

HEADINGS = "# ", '"# ', '{"puzzle": '
"""How lines begin that `export` writes before the solutions. No solution begins so."""

PARQUET = "PAR1"
"""How files of parquet begin. A line may end before their first character 0, which text does not have."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a solution: its number from 1, and either the row or why it cannot be read."""

    number: int
    row: Row | None
    problem: str | None


def read_lines(puzzle: Puzzle, source: IO[str]) -> Iterator[Line]:
    """Read every line that is not empty. A line of more than MAX_LINE_LENGTH characters is a problem.

    If the first line cannot be read, its problem also names the formats.
    Raises BadInput for binary files, such as npy and parquet, and a line of more than MAX_SKIPPED characters.
    """
    column_line = ",".join(column_names(puzzle))
    number, fix = 0, f"; write solutions as {FORMATS}"
    while text := source.readline(MAX_LINE_LENGTH + 1):
        number += 1
        if number == 1 and ("\0" in text or text.startswith(PARQUET)):
            raise BadInput(f"the solutions are not lines of text; write them as {FORMATS}")
        if len(text) > MAX_LINE_LENGTH:
            yield Line(number, None, f"the line has more than {MAX_LINE_LENGTH} characters")
            for _ in range(0, MAX_SKIPPED, MAX_LINE_LENGTH):
                if not text or text.endswith("\n"):
                    break
                text = source.readline(MAX_LINE_LENGTH)
            else:
                raise BadInput(
                    f"line {number} has more than {MAX_SKIPPED} characters; write one solution a line"
                )
        elif (text := text.strip()) and not (text == column_line or text.startswith(HEADINGS)):
            try:
                line = Line(number, read_row(puzzle, text), None)
            except BadInput as problem:
                line = Line(number, None, f"{problem}{fix}")
            yield line
            fix = ""


def read_row(puzzle: Puzzle, text: str) -> Row:
    """The row in one line of text, without fillers. Raises BadInput, mostly BadSolution."""
    shape = puzzle.model.row_shape
    is_compact = shape.length > 1 and not text.strip(puzzle.symbols)
    row = (_read_symbols if is_compact else _read_values)(puzzle, text)
    if shape.layout is Layout.BY_OPTION:
        while row and row[-1] == shape.n_values:
            row = row[:-1]
    return row


def _read_values(puzzle: Puzzle, text: str) -> Row:
    if text.startswith("["):
        return _read_json(text)
    if "=" in text and has_notation(puzzle):
        return DigitsNotation(puzzle).read(text)
    if text == '""':
        return ()
    if "," in text:
        numbers = text.rstrip(",")
        return _read_numbers(numbers.split(",")) if numbers else ()
    if " " in text or "\t" in text or (puzzle.model.row_shape.length == 1 and _is_value(puzzle, text)):
        return _read_numbers(text.split())
    return _read_symbols(puzzle, text)


def _is_value(puzzle: Puzzle, text: str) -> bool:
    # Only 20 digits are converted: the line may have a million. `_read_numbers` refuses longer numbers.
    return text.isascii() and text.isdigit() and int(text[:20]) < puzzle.model.row_shape.n_symbols


def _read_json(text: str) -> Row:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise BadSolution(f"not a JSON list: {in_short(text, MOST_SHOWN)}") from None
    if not all(type(value) is int for value in values):
        raise BadSolution(f"not a list of whole numbers: {in_short(text, MOST_SHOWN)}")
    return tuple(values)


def _read_numbers(words: list[str]) -> Row:
    # Stripped once: `int` does not take every space that `strip` takes, such as U+001D.
    stripped = [word.strip() for word in words]
    for word in stripped:
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
            raise BadSolution(f'"{in_short(word, MOST_SHOWN)}" is not a whole number')
    return tuple(map(int, stripped))


def _read_symbols(puzzle: Puzzle, text: str) -> Row:
    row = tuple(puzzle.symbols.find(symbol) for symbol in text)
    if -1 in row:
        raise BadSolution(f'"{in_short(text[row.index(-1)])}" is not a symbol of {puzzle.name}')
    return row
