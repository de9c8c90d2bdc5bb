"""The determinant of a band matrix modulo a prime, by Gaussian elimination.

Row i holds the columns i - below ... i + above + below, of which the last `below` are filled when rows are
exchanged, as in the band storage of LAPACK:

    below = 1, above = 2        . a b c +          row 0      . : outside the matrix
                                d a b c +          row 1      + : filled by exchanges
                                d a b c .          row 2
    place of column j in row i:  j - i + below

Numbers are kept in Montgomery form, x * 2^32 modulo the prime, because a product then takes three
multiplications of 32 bits and no division, and a loop over a row is done in vectors. Source: P. Montgomery,
"Modular multiplication without trial division" (1985).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rekkyo.jit import inlined_inner_kernel, kernel

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
NONE = np.uint64(0)


def constants_of(prime: int) -> tuple[int, int]:
    """2^32 modulo the prime, which is 1 in Montgomery form, and -1 / prime modulo 2^32."""
    return (1 << 32) % prime, -pow(prime, -1, 1 << 32) % (1 << 32)


def in_montgomery_form(numbers: NDArray[np.int64], primes: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers modulo the primes, by the rules of NumPy for arrays of different shapes."""
    return (numbers % primes << 32) % primes


@inlined_inner_kernel
def reduced(number: np.uint64, prime: np.uint64, inverse: np.uint64) -> np.uint64:
    """number / 2^32 modulo the prime, for a number below prime * 2^32. inverse: -1 / prime modulo 2^32."""
    rest = ((number & LOW) * inverse) & LOW
    found = (number + rest * prime) >> HALF
    return found - prime if found >= prime else found


@inlined_inner_kernel
def power(base: np.uint64, exponent: int, one: np.uint64, prime: np.uint64, inverse: np.uint64) -> np.uint64:
    """A power, in Montgomery form. one: 2^32 modulo the prime."""
    found = one
    while exponent > 0:
        if exponent & 1:
            found = reduced(found * base, prime, inverse)
        base = reduced(base * base, prime, inverse)
        exponent >>= 1
    return found


@kernel
def determinant(
    band: NDArray[np.uint32], below: int, one: np.uint64, prime: np.uint64, inverse: np.uint64
) -> np.uint64:
    """The determinant, from 0 to prime - 1.

    band : uint32[n, 2 * below + above + 1], in/out. See above; destroyed.
    one: 2^32 modulo the prime. inverse: -1 / prime modulo 2^32.
    """
    n, width = band.shape
    found = one
    for i in range(n):
        stop = min(n, i + below + 1)
        pivot_row = i
        while pivot_row < stop and band[pivot_row, i - pivot_row + below] == 0:
            pivot_row += 1
        if pivot_row == stop:
            return NONE
        if pivot_row > i:
            exchange(band, i, pivot_row, below)
            found = prime - found
        pivot = np.uint64(band[i, below])
        found = reduced(found * pivot, prime, inverse)
        factor = prime - power(pivot, int(prime) - 2, one, prime, inverse)
        for row in range(i + 1, stop):
            first = i - row + below
            if band[row, first]:
                times = reduced(np.uint64(band[row, first]) * factor, prime, inverse)
                target, source = band[row, first + 1 : first + width - below], band[i, below + 1 :]
                add_multiple(target, source, times, prime, inverse)
    return reduced(found, prime, inverse)


@inlined_inner_kernel
def add_multiple(
    target: NDArray[np.uint32],
    source: NDArray[np.uint32],
    times: np.uint64,
    prime: np.uint64,
    inverse: np.uint64,
) -> None:
    """Add a multiple of the source to the target, which is as long."""
    for j in range(len(target)):
        found = np.uint64(target[j]) + reduced(np.uint64(source[j]) * times, prime, inverse)
        target[j] = np.uint32(found - prime if found >= prime else found)


@inlined_inner_kernel
def exchange(band: NDArray[np.uint32], i: int, other: int, below: int) -> None:
    """Exchange two rows from column i on."""
    shift = other - i
    for place in range(below, band.shape[1]):
        number = band[i, place]
        band[i, place] = band[other, place - shift]
        band[other, place - shift] = number
