"""A 128-bit hash of a set of solutions that does not depend on their order.

Each row is hashed to two 64-bit words (multiply and shift, constants of splitmix64: Steele, Lea and Flood
2014); the digest of a set is the sum of its rows' words, each word modulo 2^64. So shards in any order,
workers in any number and different engines give the same digest for the same set. It guards against
mistakes, not against malice.

    128 bits:  | first word : 64 | second word : 64 |   as 32 hexadecimal digits
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only_view, unfilled
from rekkyo.bits import Words
from rekkyo.engines.limbs import wrapping
from rekkyo.jit import inner_kernel, kernel

WORD = 1 << 64
FIRST_SEED = np.uint64(0x9E3779B97F4A7C15)
SECOND_SEED = np.uint64(0xD1B54A32D192ED03)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True)
class Digest:
    """Sum of row hashes. Digests of disjoint sets add up."""

    first: int = 0
    second: int = 0

    def __add__(self, other: Digest) -> Digest:
        return Digest((self.first + other.first) % WORD, (self.second + other.second) % WORD)

    def __str__(self) -> str:
        return f"{self.first:016x}{self.second:016x}"

    @staticmethod
    def parse(text: str) -> Digest:
        """The digest that `str` wrote. Raises ValueError."""
        if len(text) != 32:
            raise ValueError(f"a digest has 32 digits, not {len(text)}")
        return Digest(int(text[:16], 16), int(text[16:32], 16))


def digest_of(rows: NDArray[Any]) -> Digest:
    """The digest of a block of rows. rows : uint[n_rows, length]; the dtype makes no difference."""
    sums = np.zeros(2, dtype=np.uint64)
    with wrapping():
        add_row_hashes(read_only_view(rows), sums)
    return Digest(int(sums[0]), int(sums[1]))


def row_hashes(rows: NDArray[Any]) -> Words:
    """The two hash words of every row: uint64[n_rows, 2]. rows : uint[n_rows, length]."""
    hashes = unfilled((rows.shape[0], 2), np.uint64)
    with wrapping():
        hash_rows(read_only_view(rows), hashes)
    return hashes


@kernel
def add_row_hashes(rows: NDArray[Any], sums: Words) -> None:
    """Add the two hash words of every row to `sums`, modulo 2^64.

    rows : uint[n_rows, length], in.   sums : uint64[2], in/out.
    """
    for index in range(rows.shape[0]):
        first, second = _hash_row(rows[index])
        sums[0] += first
        sums[1] += second


@kernel
def hash_rows(rows: NDArray[Any], hashes: Words) -> None:
    """Write the two hash words of every row.

    rows : uint[n_rows, length], in.   hashes : uint64[n_rows, 2], out.
    """
    for index in range(rows.shape[0]):
        hashes[index, 0], hashes[index, 1] = _hash_row(rows[index])


@inner_kernel
def _hash_row(row: NDArray[Any]) -> Any:
    """The two hash words of one row. row : uint[length], in."""
    first, second = FIRST_SEED, SECOND_SEED
    for position in range(row.shape[0]):
        value = np.uint64(row[position])
        first = (first ^ value) * FIRST_FACTOR
        first ^= first >> SHIFT
        second = (second ^ value) * SECOND_FACTOR
        second ^= second >> SHIFT
    return first * SECOND_FACTOR, second * FIRST_FACTOR
