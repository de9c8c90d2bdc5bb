"""Polynomials of variables with whole numbers as factors, for files whose sums have products in them."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

Monomial: TypeAlias = tuple[int, ...]
"""The variables that are multiplied, in order, each as often as it is a factor; () is a number alone."""

Polynomial: TypeAlias = Counter[Monomial]
"""The factor of each monomial."""

MAX_PRODUCTS, MAX_CELLS = 1 << 14, 32
"""The most products of two monomials that are added up, and the most variables in one."""


def is_too_long(one: Polynomial, other: Polynomial) -> bool:
    """Whether their product is too long to be multiplied out."""
    n_cells = sum(max(map(len, factor), default=0) for factor in (one, other))
    return n_cells > MAX_CELLS or len(one) * len(other) > MAX_PRODUCTS


def product_of(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product, multiplied out."""
    found: Polynomial = Counter()
    for ones, factor in one.items():
        for others, times in other.items():
            found[tuple(sorted(ones + others))] += factor * times
    return found
