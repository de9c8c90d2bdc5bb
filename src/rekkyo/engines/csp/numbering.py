"""The numbers of values in rows: value x of a solution is written as its place among all values."""

from __future__ import annotations

from typing import Any

from rekkyo.engines.bisecting import first_at_least
from rekkyo.jit import inner_kernel


@inner_kernel
def number_of(values: Any, value: Any) -> Any:
    """The place of a value among values; the first look finds it if no value is left out below.

    values : int64[], increasing, among them `value`; for another one the place is wrong.

    A table for all numbers between the least and the greatest is no faster. It has 8 GB for domains such as
    {0, 1} and {10^9}.
    """
    place = value - values[0]
    if place < values.shape[0] and values[place] == value:
        return place
    return first_at_least(values, value)
