"""Row files: only fixed-width rows, in append-only files, one for each worker.

    rows-0.bin   | shard 17: row row row ... | shard 4: row row | shard 40: ... | (torn tail)
                 values little-endian, `row_bytes_per_value` bytes each, `row_length` values a row

The rows of a shard are contiguous, in the order in which they were found. The index has their place and a
checksum (CRC-32) for every BLOCK_ROWS rows of a shard, so that one row can be read and checked without the
rest. Bytes after the last finished shard of a file are cut off when the run is resumed.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import row_dtype
from rekkyo.errors import RunDamaged, RunUnreadable
from rekkyo.model.row import RowShape
from rekkyo.safe_files import is_still, naming, open_file, open_plain
from rekkyo.store.finished import Place

BLOCK_ROWS = 4096
CHECKSUM = np.dtype("<u4")


@dataclass(frozen=True, slots=True)
class RowForm:
    """The form of a row: `length` values of `width` bytes each."""

    length: int
    width: int

    @staticmethod
    def of(shape: RowShape) -> RowForm:
        """The form of the rows of a model."""
        return RowForm(shape.length, row_dtype(shape.n_symbols)().itemsize)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of a value: little-endian, unsigned."""
        return np.dtype(f"<u{self.width}")

    @property
    def n_bytes(self) -> int:
        """The bytes of one row."""
        return self.length * self.width


def row_file(folder: Path, number: int) -> Path:
    """The row file of a worker."""
    return folder / f"rows-{number}.bin"


class RowWriter:
    """Appends the rows of one shard after the other to one file. Used by one thread at a time."""

    def __init__(self, folder: Path, number: int, form: RowForm, end: int) -> None:
        self.number = number
        self.form = form
        self._path = row_file(folder, number)
        self._descriptor = open_plain(self._path, os.O_RDWR | os.O_CREAT)
        os.lseek(self._descriptor, end, os.SEEK_SET)
        self._end = end
        self._start = end
        self._checksums: list[int] = []
        self._n_in_block = 0
        self._checksum = 0

    def begin(self) -> None:
        """Begin a shard. The rows of an unfinished shard are overwritten."""
        if self._end != self._start:
            os.lseek(self._descriptor, self._start, os.SEEK_SET)
            self._end = self._start
        self._checksums, self._n_in_block, self._checksum = [], 0, 0

    def write(self, rows: NDArray[Any]) -> None:
        """Write rows of the shard: uint[n_rows, length]. Raises OSError that names the file."""
        self.write_bytes(np.ascontiguousarray(rows, dtype=self.form.dtype).tobytes())

    def write_bytes(self, content: bytes) -> None:
        """Write rows of the shard that are already in the form of the file."""
        left = memoryview(content)
        self._add_checksums(left)
        with naming(self._path):
            while left:
                n_written = os.write(self._descriptor, left)
                self._end += n_written
                left = left[n_written:]

    def _add_checksums(self, content: memoryview) -> None:
        block_bytes = BLOCK_ROWS * self.form.n_bytes
        while content:
            piece = content[: block_bytes - self._n_in_block]
            self._checksum = zlib.crc32(piece, self._checksum)
            self._n_in_block += len(piece)
            content = content[len(piece) :]
            if self._n_in_block == block_bytes:
                self._close_block()

    def _close_block(self) -> None:
        self._checksums.append(self._checksum)
        self._n_in_block, self._checksum = 0, 0

    def finish(self) -> Place:
        """End the shard. Its rows are safe only after `sync`."""
        if self._n_in_block:
            self._close_block()
        place = Place(self.number, self._start, np.array(self._checksums, dtype=CHECKSUM).tobytes())
        self._start = self._end
        return place

    def sync(self) -> None:
        """Sync everything to the disk. Raises OSError that names the file."""
        with naming(self._path):
            if not is_still(self._path, os.fstat(self._descriptor)):
                raise FileNotFoundError(errno.ENOENT, "the file was deleted or replaced")
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def read_rows(
    folder: Path, form: RowForm, shard: int, place: Place, n_rows: int, first: int, stop: int
) -> Iterator[NDArray[Any]]:
    """Rows first ... stop - 1 of a shard that has n_rows, in blocks, checked.

    Raises RunDamaged if they do not have their checksums, RunUnreadable if the system cannot read them.
    """
    path = row_file(folder, place.file)
    sums = np.frombuffer(place.checksums, dtype=CHECKSUM)
    try:
        with open_file(path) as file:
            n_there = os.fstat(file.fileno()).st_size
            if place.start + n_rows * form.n_bytes > n_there:
                raise RunDamaged(
                    f"{path} ends too early, after {n_there} bytes: rows of shard {shard} are missing"
                )
            for block in range(first // BLOCK_ROWS, -(-stop // BLOCK_ROWS)):
                block_first = block * BLOCK_ROWS
                block_stop = min(n_rows, block_first + BLOCK_ROWS)
                offset = place.start + block_first * form.n_bytes
                file.seek(offset)
                content = file.read((block_stop - block_first) * form.n_bytes)
                _check_block(path, shard, offset, content, int(sums[block]))
                rows = np.frombuffer(content, dtype=form.dtype).reshape(-1, form.length)
                yield rows[max(0, first - block_first) : stop - block_first]
    except FileNotFoundError:
        raise RunDamaged(f"{path} is missing, and with it the rows of shard {shard}") from None
    except OSError as problem:
        raise RunUnreadable(f"{path} cannot be read: {problem.strerror}; nothing was changed") from None


def _check_block(path: Path, shard: int, offset: int, content: bytes, checksum: int) -> None:
    if zlib.crc32(content) != checksum:
        raise RunDamaged(
            f"{path} is damaged: bytes {offset} to {offset + len(content) - 1}, rows of shard {shard},"
            " do not have their checksum"
        )
