"""Finds at which numbers some rows are in a source, by a scan in parts that compares hashes of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.gallery.index import SCAN_ROWS
from rekkyo.gallery.source import Source
from rekkyo.model.row import Row

ODD = 0x9E3779B97F4A7C15


class Lookup:
    """Finds rows in a source. wanted: whole rows, with fillers. numbers: of the rows found so far."""

    def __init__(self, source: Source, wanted: Sequence[Row]) -> None:
        self.numbers: dict[Row, int] = {}
        self._source = source
        self._n_seen = 0
        self._wanted = set(wanted)
        self._hashes = _hashes(np.array(wanted, dtype=source.rows(0, 0).dtype))

    def scan(self) -> Iterator[int]:
        """Scan rows until all are found or none is left; yields the number of scanned rows."""
        while self._n_seen < len(self._source) and len(self.numbers) < len(self._wanted):
            start = self._n_seen
            rows = self._source.rows(start, start + SCAN_ROWS)
            for k in np.flatnonzero(np.isin(_hashes(rows), self._hashes)).tolist():
                row = tuple(rows[k].tolist())
                if row in self._wanted:
                    self.numbers[row] = start + k
            self._n_seen = start + len(rows)
            yield self._n_seen


def _hashes(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """A hash uint64[n_rows] of each row of uint[n_rows, length], from the 64-bit words of the row."""
    n_bytes = rows.shape[1] * rows.dtype.itemsize
    padded = np.zeros((len(rows), -(-n_bytes // 8) * 8), dtype=np.uint8)
    padded[:, :n_bytes] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), n_bytes)
    words = padded.view(np.uint64)
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for k in range(words.shape[1]):
        hashes = (hashes ^ words[:, k]) * np.uint64(ODD)
        hashes ^= hashes >> np.uint64(29)
    return hashes
