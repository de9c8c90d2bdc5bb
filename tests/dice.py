"""What random models are drawn from: sizes and a seed from Hypothesis, and all else from dice of this seed.

If Hypothesis drew each number of a model, that would take 5 to 12 ms for each model, and often more than all that a
property does with it. Of a property that fails it finds the least sizes; the rest of such a model is random.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

SEEDS = st.integers(0, (1 << 24) - 1)
"""Any is as probable as the others. In a larger range, Hypothesis mostly takes numbers of 8 or 16 bits."""


def sizes_between(low: int, high: int) -> st.SearchStrategy[int]:
    """More often the larger ones. The integers of Hypothesis are more often small."""
    return st.sampled_from([*range(low, high + 1), *range((low + high) // 2 + 1, high + 1)])


def several(dice: Random, low: int, high: int, one: Callable[[], T]) -> tuple[T, ...]:
    """From `low` to `high` times what one draw gives."""
    return tuple(one() for _ in range(dice.randint(low, high)))
