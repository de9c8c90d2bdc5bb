"""The set of solutions that pass a filter, as one bit for each solution, with a search for the k-th one.

    bits    | block 0: 4096 bits | block 1 | ...      512 bytes each, the first bit of a byte is its highest
    before  number of ones before each block: the k-th one, from 0, is in the last block with before <= k

A hundred million solutions take 12.5 MB. An array of the numbers of those that pass would take up to 400 MB.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096
ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1).astype(np.int64)
"""The number of ones in each byte."""


class Bits:
    """A bit for each solution scanned so far; masks of later solutions are appended."""

    def __init__(self) -> None:
        self.n_seen = 0
        self._bytes = np.zeros(BLOCK // 8, dtype=np.uint8)

    @property
    def n_bytes(self) -> int:
        """The bytes of memory in use."""
        return self._bytes.nbytes

    def add(self, mask: NDArray[np.bool_]) -> None:
        """Append the bits of the next solutions."""
        start, n_begun = divmod(self.n_seen, 8)
        begun = np.unpackbits(self._bytes[start : start + 1])[:n_begun]
        packed = np.packbits(np.concatenate((begun, mask)))
        self.n_seen += len(mask)
        if start + len(packed) >= len(self._bytes):
            self._bytes = np.concatenate((self._bytes, np.zeros(start + len(packed), dtype=np.uint8)))
        self._bytes[start : start + len(packed)] = packed

    def packed(self) -> NDArray[np.uint8]:
        """uint8[n_seen / 8, rounded up]; bits beyond the last solution are 0."""
        return self._bytes[: -(-self.n_seen // 8)]


class Selection:
    """An immutable set of solutions from packed bits. Bits after the last solution are ignored."""

    def __init__(self, packed: NDArray[np.uint8], n_seen: int) -> None:
        self.n_seen = n_seen
        n_blocks = -(-n_seen // BLOCK)
        self._bits = np.zeros(n_blocks * BLOCK // 8, dtype=np.uint8)
        self._bits[: len(packed)] = packed
        if n_seen % 8:
            self._bits[n_seen // 8] &= 0xFF << (8 - n_seen % 8) & 0xFF
        counts = ONES[self._bits].reshape(n_blocks, BLOCK // 8).sum(axis=1)
        self._before = np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).astype(np.int64)

    def __len__(self) -> int:
        return int(self._before[-1])

    def mask(self, start: int, stop: int) -> NDArray[np.bool_]:
        """For each of the solutions start ... stop - 1 whether it passes."""
        bits = np.unpackbits(self._bits[start // 8 : -(-stop // 8)])
        return bits[start % 8 : start % 8 + stop - start].astype(bool)

    def pick(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the solutions with these ranks among those that pass."""
        blocks = np.searchsorted(self._before, ranks, side="right") - 1
        indices = np.empty(ranks.size, dtype=np.int64)
        for block in np.unique(blocks).tolist():
            ones = np.flatnonzero(self.mask(block * BLOCK, (block + 1) * BLOCK))
            here = blocks == block
            indices[here] = block * BLOCK + ones[ranks[here] - self._before[block]]
        return indices

    def rank(self, number: int) -> int | None:
        """The number of passing solutions before a solution; None if it does not pass itself."""
        if not 0 <= number < self.n_seen:
            return None
        block, within = divmod(number, BLOCK)
        bits = self.mask(block * BLOCK, (block + 1) * BLOCK)
        return int(self._before[block]) + int(bits[:within].sum()) if bits[within] else None
