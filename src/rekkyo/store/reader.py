"""Reading the rows of a run, during the run or later, with random access.

Canonical order: shards in the order of the plan, and within a shard the order in which the engine lists it.
A reader of an unfinished run sees the shards that are finished when it is opened. A shard that finishes later
shifts the rows of the shards after it, unless `first` fixes the order of shards. The shard of a row and its
number in the shard never change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import index as index_of
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.digest import Digest
from rekkyo.errors import BadInput, BadRun, RunDamaged
from rekkyo.html_tables import table
from rekkyo.model.checks import check_nested, check_type, check_whole, listed, shown
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, Row, whole_number
from rekkyo.model.solution import solutions_of
from rekkyo.safe_files import path_of
from rekkyo.store import index as indexing
from rekkyo.store.index import Index
from rekkyo.store.manifest import Manifest, read_manifest
from rekkyo.store.model_hash import model_hash
from rekkyo.store.rows import RowForm, read_rows
from rekkyo.store.run_directory import row_form
from rekkyo.wording import several

MAX_ROWS = 1 << 48
MOST_SHOWN = 20
"""The number of rows shown in a notebook."""


class RunReader:
    """The stored rows of the finished shards. Raises BadRun if the run keeps none, BadInput, RunDamaged.

    A sequence of rows; a slice of it is an array uint[n_rows, length], and so is `numpy.asarray` of all rows.
    first: shards whose rows come before those of all others, in this order. puzzle: that of the run, for
    rows that refer to it and draw themselves, and for Arrow; another one is refused.
    With it, a value that no row of the puzzle has is RunDamaged: a stranger can write rows with the right
    checksums, and kernels do not check values again.
    """

    def __init__(
        self, folder: str | Path, *, first: Sequence[int] = (), puzzle: Puzzle | None = None
    ) -> None:
        self._folder = path_of(folder)
        self._place = self._folder.absolute()  # rows are read later, when the current folder may be another
        self._puzzle = puzzle
        self._made: Callable[[Iterable[int]], Row] = tuple if puzzle is None else solutions_of(puzzle)
        self.manifest: Manifest = read_manifest(self._folder)
        if not self.manifest.keeps_rows:
            raise BadRun(f"{folder} keeps counts only, no rows; begin the run without --count-only")
        self._form = row_form(self.manifest)
        if puzzle is not None and not self._is_of(puzzle):
            raise BadInput(
                f"{folder} is a run of {self.manifest.puzzle}, which differs from the {puzzle.name} given;"
                " give the puzzle of the run"
            )
        before = _checked_shards(first)
        self._index = Index.open(self._folder / indexing.NAME, self.manifest.n_shards, writing=False)
        sizes_of = {record.shard: record.kept for record in self._index.finished() if record.kept}
        if sum(sizes_of.values()) > MAX_ROWS:
            raise RunDamaged(f"{folder} is damaged: it cannot hold more than {MAX_ROWS:,} rows")
        before = [shard for shard in dict.fromkeys(before) if shard in sizes_of]
        self._shards = before + sorted(sizes_of.keys() - set(before))
        sizes = [sizes_of[shard] for shard in self._shards]
        self._firsts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
        """firsts[i]: the number of rows before shards[i]; the last entry is the number of all rows."""

    def _is_of(self, puzzle: Puzzle) -> bool:
        """Whether the rows are of this puzzle. The form is compared too: the manifest may be a stranger's."""
        is_same = model_hash(puzzle) == self.manifest.model_hash
        return is_same and self._form == RowForm.of(puzzle.model.row_shape)

    def __len__(self) -> int:
        return int(self._firsts[-1])

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> NDArray[Any]: ...

    def __getitem__(self, place: int | slice) -> Row | NDArray[Any]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step != 1:
                return np.array([self.row(k) for k in range(start, stop, step)], self.dtype).reshape(
                    -1, self._form.length
                )
            return self._array(start, stop)
        k = index_of(place)
        if not -len(self) <= k < len(self):
            raise IndexError(f"{self._folder} has {several(len(self), 'row')}, no row {k}")
        return self.row(k % len(self))

    def __iter__(self) -> Iterator[Row]:
        for block in self.rows():
            yield from map(self._made, block.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        rows = self._array(0, len(self))
        return rows if dtype is None else rows.astype(dtype, copy=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """All rows for programs that read Arrow, a column for each position as in Parquet. Needs pyarrow.

        Raises BadInput without a puzzle: only its model says which numbers are fillers.
        """
        if self._puzzle is None:
            raise BadInput(
                f"{self._folder}: Arrow needs the puzzle, which says what the columns are; use"
                f" rekkyo.Run({str(self._folder)!r}).rows(), or give puzzle=..."
            )
        import pyarrow as pa

        kind, shape = pa.from_numpy_dtype(self.dtype), self._puzzle.model.row_shape
        filler = shape.n_values if shape.layout is Layout.BY_OPTION else None
        letter = "p" if filler is None else "o"
        schema = pa.schema([(f"{letter}{position}", kind) for position in range(self._form.length)])

        def columns_of(block: NDArray[Any]) -> list[Any]:
            columns = np.ascontiguousarray(block.T)
            return [pa.array(column, mask=None if filler is None else column == filler) for column in columns]

        batches = (pa.record_batch(columns_of(block), schema=schema) for block in self.rows())
        return pa.RecordBatchReader.from_batches(schema, batches).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<RunReader of {several(len(self), 'row')} of {self.manifest.puzzle} in {self._folder}>"

    def _repr_html_(self) -> str:
        title = f"{self._folder}: {several(len(self), 'row')} of {self.manifest.puzzle}"
        rows = [(k, *self.row(k)) for k in range(min(MOST_SHOWN, len(self)))]
        return table(title, ("", *map(str, range(self._form.length))), rows)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the rows."""
        return np.dtype(self._form.dtype)

    def __enter__(self) -> RunReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def order(self) -> tuple[int, ...]:
        """The shards that have rows, in the order of the rows."""
        return tuple(self._shards)

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def row(self, k: int) -> Row:
        """Solution k in canonical order, from 0. Reads one block of rows. Raises BadInput."""
        k = self._checked(k)
        for block in self.rows(k, k + 1):
            return self._made(block[0].tolist())
        raise AssertionError

    def _array(self, start: int, stop: int) -> NDArray[Any]:
        blocks = list(self.rows(start, max(start, stop)))
        return np.concatenate(blocks) if blocks else np.empty((0, self._form.length), self.dtype)

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[NDArray[Any]]:
        """Solutions start ... stop - 1 in canonical order, as blocks uint[n_rows, length], never empty.

        Raises BadInput.
        """
        start, stop = whole_number(start), whole_number(len(self) if stop is None else stop)
        for number in (start, stop):
            check_type("solutions are numbered by whole numbers", number, int)
        stop = min(stop, len(self))
        if start < 0:
            raise BadInput(f"solutions are numbered from 0, not {shown(start)}")
        number = int(np.searchsorted(self._firsts, start, side="right")) - 1
        while start < stop:
            first, end = int(self._firsts[number]), int(self._firsts[number + 1])
            shard_stop = min(stop, end)
            yield from self._rows_of(number, start - first, shard_stop - first)
            start, number = shard_stop, number + 1

    def place(self, k: int) -> tuple[int, int]:
        """The shard of solution k, and its number in the shard from 0. Raises BadInput."""
        k = self._checked(k)
        number = int(np.searchsorted(self._firsts, k, side="right")) - 1
        return self._shards[number], k - int(self._firsts[number])

    def number(self, shard: int, within: int) -> int:
        """The number of the solution with this place. Raises BadInput."""
        shard, within = whole_number(shard), whole_number(within)
        if type(within) is int and 0 <= within < self._size(shard):
            return int(self._firsts[self._shards.index(shard)]) + within
        raise BadInput(f"{self._folder} has no solution {shown(shard)}-{shown(within)}, or not yet")

    def size(self, shard: int) -> int:
        """The number of rows of a shard. Raises BadInput if it has none, or is not finished."""
        n_rows = self._size(whole_number(shard))
        if not n_rows:
            raise BadInput(f"{self._folder} has no rows of shard {shown(shard)}, or not yet")
        return n_rows

    def _size(self, shard: Any) -> int:
        if type(shard) is not int or shard not in self._shards:
            return 0
        number = self._shards.index(shard)
        return int(self._firsts[number + 1] - self._firsts[number])

    def _checked(self, k: Any) -> int:
        """The number of a solution. Raises BadInput."""
        k = whole_number(k)
        if type(k) is not int or not 0 <= k < len(self):
            raise no_such_solution(self._folder, len(self), k)
        return k

    def digest(self, shard: int) -> Digest | None:
        """The digest from the search of a shard; None if it is not finished. Raises BadInput."""
        shard = whole_number(shard)
        check_whole("the number of a shard", shard, 0, max(0, self.manifest.n_shards - 1))
        record = self._index.one(shard)
        return None if record is None else record.digest

    def shards(self) -> Iterator[tuple[int, Iterator[NDArray[Any]]]]:
        """Every shard that has rows, and its blocks of rows."""
        for number, shard in enumerate(self._shards):
            yield shard, self._rows_of(number, 0, int(self._firsts[number + 1] - self._firsts[number]))

    def _rows_of(self, number: int, start: int, stop: int) -> Iterator[NDArray[Any]]:
        record = self._index.one(self._shards[number])
        if record is None or record.place is None:
            raise BadRun(f"{self._folder} changed while it was read: shard {self._shards[number]} is gone")
        place, size = record.place, record.kept
        for rows in read_rows(self._place, self._form, record.shard, place, size, start, stop):
            if self._puzzle is not None and are_beyond(rows, self._puzzle):
                what = f"rows of shard {record.shard} have values that {self._puzzle.name} does not have"
                raise RunDamaged(f"{self._folder} is damaged: {what}")
            yield rows


Sequence.register(RunReader)


def _checked_shards(first: Any) -> list[int]:
    rule = "first is a list of shards, whole numbers"
    return check_nested(rule, [whole_number(shard) for shard in listed(rule, first)], (list, int))


def are_beyond(rows: NDArray[Any], puzzle: Puzzle) -> bool:
    """Whether some value is in no row of the puzzle."""
    return bool(rows.max(initial=0) >= puzzle.model.row_shape.n_symbols)


def no_such_solution(directory: str | os.PathLike[str], n_solutions: int, k: int) -> BadInput:
    """The exception for a number that no stored solution has."""
    numbers = f"solutions 0 to {n_solutions - 1}" if n_solutions else "no solutions"
    return BadInput(f"{directory} has {numbers}; there is no solution {shown(k)}")
