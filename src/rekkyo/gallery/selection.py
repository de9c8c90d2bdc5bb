"""Which solutions pass a filter, as one bit for each, so that the k-th of them is found at once.

    bits    | block 0: 4096 bits | block 1 | ...      512 bytes each
    before  number of ones before each block: the k-th one is in the last block with before <= k

A hundred million solutions take 12.5 MB. An array with the numbers of those that pass would take up to 400.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096


class Selection:
    """Made from masks in order, then fixed."""

    def __init__(self, masks: Iterable[NDArray[np.bool_]]) -> None:
        packed: list[NDArray[np.uint8]] = []
        counts: list[int] = []
        rest = np.zeros(0, dtype=bool)
        for mask in masks:
            rest = np.concatenate((rest, mask))
            n_whole = rest.size // BLOCK * BLOCK
            if n_whole:
                _pack(rest[:n_whole], packed, counts)
                rest = rest[n_whole:]
        self.n_seen = sum(part.size for part in packed) * 8 + rest.size
        if rest.size:
            _pack(np.concatenate((rest, np.zeros(BLOCK - rest.size, dtype=bool))), packed, counts)
        self._bits = np.concatenate(packed) if packed else np.zeros(0, dtype=np.uint8)
        self._before = np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).astype(np.int64)

    def __len__(self) -> int:
        return int(self._before[-1])

    @property
    def n_bytes(self) -> int:
        """Memory that it holds."""
        return self._bits.nbytes + self._before.nbytes

    def pick(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the solutions with these ranks among those that pass."""
        blocks = np.searchsorted(self._before, ranks, side="right") - 1
        indices = np.empty(ranks.size, dtype=np.int64)
        for block in np.unique(blocks).tolist():
            start = block * BLOCK // 8
            ones = np.flatnonzero(np.unpackbits(self._bits[start : start + BLOCK // 8]))
            here = blocks == block
            indices[here] = block * BLOCK + ones[ranks[here] - self._before[block]]
        return indices

    def rank(self, number: int) -> int | None:
        """How many that pass come before a solution; None if it does not pass itself."""
        block, within = divmod(number, BLOCK)
        if not 0 <= number < self.n_seen:
            return None
        start = block * BLOCK // 8
        bits = np.unpackbits(self._bits[start : start + BLOCK // 8])
        return int(self._before[block]) + int(bits[:within].sum()) if bits[within] else None


def _pack(mask: NDArray[np.bool_], packed: list[NDArray[np.uint8]], counts: list[int]) -> None:
    packed.append(np.packbits(mask))
    counts.extend(mask.reshape(-1, BLOCK).sum(axis=1).tolist())
