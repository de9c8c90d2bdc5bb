"""Rows as CSV, JSON Lines, NumPy's npy and Parquet, written as a stream.

    csv       comments with the header, column names, a line for each row; an unused position is empty, or ""
              in rows of length one
    jsonl     an object with the header, then a list for each row, without unused positions
    npy       one array uint[n_rows, length]; the header goes to another file
    parquet   a column for each position, the header as metadata; unused positions are null

Unused positions occur in covers whose solutions have different numbers of options.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from rekkyo.arrays import read_only_view
from rekkyo.engines.contract import Rows, row_dtype
from rekkyo.errors import BadInput, escaped
from rekkyo.export.header import Header, column_names
from rekkyo.export.kernel import write_rows
from rekkyo.export.text import csv_filler
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout

BATCH_ROWS = 1 << 16
PARQUET_ROWS = 1 << 18

_FORMULA = re.compile(r"[,;]\s*[=+@-]")


def write_csv(puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """Write CSV with comments; `#` begins a comment."""
    for part in csv_parts(puzzle, header, batched(blocks, BATCH_ROWS)):
        out.write(part)


def csv_parts(puzzle: Puzzle, header: Header, blocks: Iterable[Rows]) -> Iterator[bytes | memoryview]:
    """The text of CSV: the head, then that of each block, which the next one overwrites."""
    lines = [*map(_csv_comment, header.texts()), ",".join(column_names(puzzle))]
    yield "".join(f"{line}\n" for line in lines).encode()
    filler = csv_filler(puzzle.model.row_shape).encode()
    write = RowText(puzzle, b"", b"\n", filler=filler, skips_filler=False)
    yield from map(write, blocks)


def _csv_comment(text: str) -> str:
    """A comment; in quotation marks if a part of a name would be a formula for a spreadsheet."""
    comment = f"# {text}"
    return '"' + comment.replace('"', '""') + '"' if _FORMULA.search(comment) else comment


def write_jsonl(puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """Write JSON Lines; the first line is the header."""
    out.write(json.dumps(header.facts()).encode() + b"\n")
    write = RowText(puzzle, b"[", b"]\n", skips_filler=True)
    for rows in batched(blocks, BATCH_ROWS):
        out.write(write(rows))


class RowText:
    """Makes the text of blocks of rows; keeps one buffer. filler: the text of an unused position."""

    def __init__(
        self, puzzle: Puzzle, opening: bytes, closing: bytes, *, skips_filler: bool, filler: bytes = b""
    ) -> None:
        shape = puzzle.model.row_shape
        texts = [str(value).encode() for value in range(shape.n_values)]
        texts += [filler] * (shape.n_symbols - shape.n_values)
        packed = np.array(texts, dtype=bytes)
        self._table = packed.view(np.uint8).reshape(len(texts), packed.itemsize)
        self._sizes = np.array([len(text) for text in texts], dtype=np.int64)
        self._ends = np.frombuffer(opening, dtype=np.uint8), np.frombuffer(closing, dtype=np.uint8)
        self._skips_filler = skips_filler
        self._row_bytes = shape.length * (packed.itemsize + 1) + len(opening) + len(closing)
        self._buffer = np.empty(0, dtype=np.uint8)

    def __call__(self, rows: Rows) -> memoryview:
        """The text, in a buffer that the next call overwrites."""
        needed = rows.shape[0] * self._row_bytes
        if self._buffer.size < needed:
            self._buffer = np.empty(needed, dtype=np.uint8)
        size = write_rows(
            read_only_view(rows), self._table, self._sizes, *self._ends, self._skips_filler, self._buffer
        )
        return self._buffer[:size].data


def write_npy(
    puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes], header_out: IO[bytes]
) -> None:
    """Write one array, and the header as JSON. out: is rewound at the end, to write the number of rows."""
    shape = puzzle.model.row_shape
    dtype = np.dtype(row_dtype(shape.n_symbols)).newbyteorder("<")
    n_rows = 0
    write_npy_header(out, dtype, (0, shape.length))
    for rows in batched(blocks, BATCH_ROWS):
        out.write(np.ascontiguousarray(rows, dtype=dtype).data)
        n_rows += rows.shape[0]
    out.seek(0)
    write_npy_header(out, dtype, (n_rows, shape.length))
    facts = header.facts() | {"rows": n_rows}
    header_out.write(json.dumps(facts, indent=2).encode() + b"\n")


def write_npy_header(out: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, int]) -> None:
    """Write the header; NumPy leaves room in it for any number of rows, so that it can be replaced."""
    facts = {"descr": npy_format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    npy_format.write_array_header_1_0(out, facts)


def write_parquet(puzzle: Puzzle, header: Header, blocks: Iterable[Rows], out: IO[bytes]) -> None:
    """Write Parquet. Raises BadInput without pyarrow."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise BadInput(
            "Parquet needs the extra package: pip install 'rekkyo[parquet]'; or export csv"
        ) from None
    shape = puzzle.model.row_shape
    kind = pa.from_numpy_dtype(np.dtype(row_dtype(shape.n_symbols)))
    filler = shape.n_values if shape.layout is Layout.BY_OPTION else None
    facts = {f"rekkyo.{key}": escaped(str(value)) for key, value in header.facts().items()}
    schema = pa.schema([(name, kind) for name in column_names(puzzle)], metadata=facts)
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for rows in batched(blocks, PARQUET_ROWS):
            columns = np.ascontiguousarray(rows.T)
            arrays = [pa.array(c, mask=None if filler is None else c == filler) for c in columns]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def batched(blocks: Iterable[Rows], n_rows: int) -> Iterator[NDArray[Any]]:
    """The same rows in blocks of `n_rows` or more; small blocks are joined, and none is divided."""
    kept: list[Rows] = []
    size = 0
    for block in blocks:
        kept.append(block)
        size += block.shape[0]
        if size >= n_rows:
            yield np.concatenate(kept) if len(kept) > 1 else kept[0]
            kept, size = [], 0
    if kept:
        yield np.concatenate(kept) if len(kept) > 1 else kept[0]
