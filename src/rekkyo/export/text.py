"""Blocks of solution rows as lines of text.

    format    a line for queens 5      values
    rows      0 2 4 1 3                the values of the model
    csv       0,2,4,1,3                the same; no header, so that every line is a solution
    jsonl     [0,2,4,1,3]              the same
    compact   13524                    one symbol each: the puzzle's symbols, 1-9a-z… by default
    board     +-+-+-+-+-+ …            drawn, with an empty line after each
    digits    0=(0,8,1,1) …            for the digits puzzle only: piece by piece, as its source prints them

Algorithm: a table has the text of every value, padded with NUL bytes to one width; one look-up by a block of
rows and one pass that drops the NULs make the lines, 12 times (rows) to 60 times (compact) as fast as
str.join on every row of queens 12. If every value has one symbol, a compiled loop is another 12 to 40 times
faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Rows
from rekkyo.engines.symbols import two_runs, write_runs, write_symbols
from rekkyo.errors import BadInput, fix_for_name
from rekkyo.export.digits import DigitsNotation
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, RowShape
from rekkyo.render.board import board

Writer: TypeAlias = Callable[[Rows], bytes]
"""Makes the text of a block of rows."""


def writer(format_name: str, puzzle: Puzzle) -> Writer:
    """The writer of a format for the rows of a puzzle. Raises BadInput."""
    if format_name not in FORMATS:
        raise BadInput(f'unknown format "{format_name}"; {fix_for_name(format_name, list(FORMATS))}')
    return FORMATS[format_name](puzzle)


def _rows(puzzle: Puzzle) -> Writer:
    shape = puzzle.model.row_shape
    write = _without_fillers(shape, "", " ", "\n")
    if shape.layout is Layout.BY_POSITION:
        return write
    # `7` alone would be read as a symbol, unless rows have length one.
    return _with_short_rows_marked(write, shape, least=min(2, shape.length))


def _without_fillers(shape: RowShape, begin: str, between: str, end: str) -> Writer:
    """Writes the numbers of a row in decimal, without its fillers."""
    texts = _numbers(shape, filler="")
    later = [f"{between}{text}" if text else "" for text in texts]
    return _table_writer([f"{begin}{text}" for text in texts], later, end)


def _with_short_rows_marked(write: Writer, shape: RowShape, least: int) -> Writer:
    """End a row of fewer than `least` options with a comma. An empty line would be no solution."""

    def write_marked(rows: Rows) -> bytes:
        lines, is_short = write(rows), rows[:, least - 1] == shape.n_values
        if not is_short.any():
            return lines
        texts = zip(lines.splitlines(), is_short.tolist(), strict=True)
        return b"".join(text + (b",\n" if is_marked else b"\n") for text, is_marked in texts)

    return write_marked


def csv_filler(shape: RowShape) -> str:
    """The text of an unused position in CSV: empty, unless the line would be, which would be no solution."""
    return "" if shape.length > 1 else '""'


def _csv(puzzle: Puzzle) -> Writer:
    shape = puzzle.model.row_shape
    texts = _numbers(shape, filler=csv_filler(shape))
    return _table_writer(texts, [f",{text}" for text in texts], "\n")


def _jsonl(puzzle: Puzzle) -> Writer:
    return _without_fillers(puzzle.model.row_shape, "[", ",", "]\n")


def _compact(puzzle: Puzzle) -> Writer:
    shape = puzzle.model.row_shape
    if shape.n_values > len(puzzle.symbols):
        raise BadInput(
            f"compact has symbols for {len(puzzle.symbols)} values, but {puzzle.name} has {shape.n_values};"
            " use --format rows"
        )
    if shape.length == 1:
        raise BadInput(
            f"a compact line of one symbol would be read as a number of {puzzle.name}; use --format rows"
        )
    symbols = [*puzzle.symbols[: shape.n_values], *[""] * (shape.n_symbols - shape.n_values)]
    write = _table_writer(symbols, symbols, "\n")
    return write if shape.layout is Layout.BY_POSITION else _with_short_rows_marked(write, shape, least=1)


def _board(puzzle: Puzzle) -> Writer:
    return lambda rows: "".join(f"{board(puzzle, row)}\n\n" for row in rows.tolist()).encode()


def _digits(puzzle: Puzzle) -> Writer:
    notation = DigitsNotation(puzzle)
    return lambda rows: "".join(f"{notation.write(row)}\n" for row in rows.tolist()).encode()


FORMATS: dict[str, Callable[[Puzzle], Writer]] = {
    "rows": _rows,
    "compact": _compact,
    "board": _board,
    "csv": _csv,
    "jsonl": _jsonl,
    "digits": _digits,
}


def _numbers(shape: RowShape, filler: str) -> list[str]:
    """The decimal text of every number that can occur in a row."""
    texts = [str(value) for value in range(shape.n_values)]
    return [*texts, filler] if shape.layout is Layout.BY_OPTION else texts


def _table_writer(first: Sequence[str], later: Sequence[str], end: str) -> Writer:
    """Writes `first[v]` for the first value v of a row, `later[v]` for the others, then `end`."""
    first_table, later_table = _padded(first), _padded(later)
    if first == later and len(end) == 1 and {len(text.encode()) for text in first} == {1}:
        return _symbol_writer(first_table.ravel(), end)
    end_bytes = np.frombuffer(end.encode(), dtype=np.uint8)

    def write(rows: Rows) -> bytes:
        n_rows = rows.shape[0]
        parts = (
            first_table[rows[:, 0]],
            later_table[rows[:, 1:]].reshape(n_rows, (rows.shape[1] - 1) * later_table.shape[1]),
            np.broadcast_to(end_bytes, (n_rows, end_bytes.size)),
        )
        text = np.concatenate(parts, axis=1).ravel()
        return bytes(text[text != 0].tobytes())

    return write


def _symbol_writer(symbols: NDArray[np.uint8], end: str) -> Writer:
    """Writes `symbols[v]` for every value v of a row, then `end`."""
    runs, end_byte = two_runs(symbols), np.uint8(ord(end))

    def write(rows: Rows) -> bytes:
        text = np.empty((rows.shape[0], rows.shape[1] + 1), dtype=np.uint8)
        if runs is None:
            write_symbols(rows, symbols, end_byte, text)
        else:
            write_runs(rows, runs, end_byte, text)
        return text.tobytes()

    return write


def _padded(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8[n_texts, width]: the texts as bytes, padded with NUL."""
    table = np.array([text.encode() for text in texts], dtype=bytes)
    return table.view(np.uint8).reshape(len(texts), table.itemsize)
