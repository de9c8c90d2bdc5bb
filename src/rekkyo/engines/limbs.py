"""Whole numbers of any size inside kernels: rows of 64-bit limbs, the lowest first.

An array `uint64[n, n_limbs]` holds n numbers below 2^(64 n_limbs). No sum overflows unseen: adding tells the
carry out of the highest limb, and the caller takes one limb more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np

from rekkyo.bits import HALF, LOW_HALF, ONE, ZERO, Word, Words
from rekkyo.jit import inner_kernel, interruptible, kernel

Limbs: TypeAlias = Words


@contextmanager
def wrapping() -> Iterator[None]:
    """A context for kernels that add and scatter modulo 2^64 and return arrays: see `interruptible`.

    Without the compiler, NumPy would warn of the overflow.
    """
    with np.errstate(over="ignore"), interruptible():
        yield


@inner_kernel
def add_to(sums: Limbs, index: int, numbers: Limbs, other: int) -> Word:
    """Add number `other` of an array to number `index` of another one; returns the carry out of it."""
    carry = ZERO
    for limb in range(numbers.shape[1]):
        addend = numbers[other, limb]
        partial = sums[index, limb] + addend
        total = partial + carry
        sums[index, limb] = total
        carry = ONE if partial < addend or total < partial else ZERO
    return carry


@kernel
def sum_all(numbers: Limbs, total: Words) -> None:
    """Set `total` to the sum of all numbers, limb by limb; `add_to` took ten times the instructions.

    total : uint64[n_limbs + 1 or more], out.
    """
    carry = ZERO
    for limb in range(numbers.shape[1]):
        low, above = carry, ZERO
        for index in range(numbers.shape[0]):
            low += numbers[index, limb]
            if low < numbers[index, limb]:
                above += ONE
        total[limb], carry = low, above
    total[numbers.shape[1]] = carry


def widened(numbers: Limbs) -> Limbs:
    """The same numbers with one limb more."""
    return with_limbs(numbers, numbers.shape[1] + 1)


def with_limbs(numbers: Limbs, n_limbs: int) -> Limbs:
    """The same numbers with `n_limbs` limbs, which is at least the number that they have."""
    return np.pad(numbers, ((0, 0), (0, n_limbs - numbers.shape[1])))


def total_of(numbers: Limbs) -> int:
    """The sum of all numbers as an int. Sums of columns by NumPy took four times as long."""
    total = np.zeros(numbers.shape[1] + 1, dtype=np.uint64)
    with wrapping():
        sum_all(np.ascontiguousarray(numbers), total)
    return to_int(total)


def to_ints(numbers: Limbs) -> list[int]:
    """All rows as ints."""
    text, size = numbers.astype("<u8").tobytes(), 8 * numbers.shape[1]
    return [int.from_bytes(text[place : place + size], "little") for place in range(0, len(text), size)]


def to_int(number: Limbs) -> int:
    """One row as an int. number: uint64[n_limbs]."""
    return int.from_bytes(number.astype("<u8").tobytes(), "little")


@inner_kernel
def add_product(sums: Limbs, index: int, left: Limbs, one: int, right: Limbs, other: int) -> None:
    """Add the product of two numbers to a third one; what does not fit its limbs is lost."""
    n_halves = 2 * sums.shape[1]
    for i in range(n_halves):
        factor = _half(left, one, i)
        if factor == ZERO:
            continue
        carry = ZERO
        for j in range(n_halves - i):
            # At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
            total = factor * _half(right, other, j) + _half(sums, index, i + j) + carry
            carry = total >> HALF
            limb = (i + j) >> 1
            if (i + j) & 1:
                sums[index, limb] = (sums[index, limb] & LOW_HALF) | (total & LOW_HALF) << HALF
            else:
                sums[index, limb] = (sums[index, limb] & ~LOW_HALF) | (total & LOW_HALF)


@inner_kernel
def _half(numbers: Limbs, index: int, half: int) -> Word:
    limb: Word = numbers[index, half >> 1]
    return limb >> HALF if half & 1 else limb & LOW_HALF
