"""Large numbers as their remainders modulo primes of 31 bits.

Products and sums of many remainders fit in 64 bits. The number itself follows from its remainders by the
Chinese remainder theorem if the product of the primes is greater.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

PRIME_BITS = 31
"""With primes of this size, the sum of 2^33 remainders fits in 64 bits."""

WINDOW = 1 << 16
"""Numbers of a sieve. About 3,000 of them are prime."""


@cache
def greatest_primes(bits: int) -> tuple[int, ...]:
    """The greatest primes below 2^31 whose product has more than the given number of bits, greatest first."""
    found: list[int] = []
    product, stop = 1, 1 << PRIME_BITS
    divisors = _sieved(0, isqrt(stop) + 1, range(2, isqrt(isqrt(stop)) + 1))[2:].tolist()
    while True:
        for prime in _sieved(stop - WINDOW, stop, divisors)[::-1].tolist():
            if product.bit_length() > bits:
                return tuple(found)
            found.append(prime)
            product *= prime
        stop -= WINDOW


def _sieved(first: int, stop: int, divisors: Iterable[int]) -> NDArray[np.int64]:
    """The numbers from `first` to `stop` (exclusive) that are no proper multiple of a divisor."""
    is_kept = np.ones(stop - first, dtype=np.bool_)
    for divisor in divisors:
        is_kept[max(2 * divisor, -(-first // divisor) * divisor) - first :: divisor] = False
    return np.flatnonzero(is_kept) + first


def number_with(remainders: Sequence[int], primes: Sequence[int]) -> int:
    """The least number with these remainders, by the Chinese remainder theorem."""
    whole = prod(primes)
    parts = ((whole // p) * (r * pow(whole // p, -1, p)) for r, p in zip(remainders, primes, strict=True))
    return sum(parts) % whole
