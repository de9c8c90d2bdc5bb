"""Arrays that several engines make: integers, and the numbers of values in rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.csp.csp import Csp


def int64(numbers: Iterable[int]) -> NDArray[np.int64]:
    """The numbers as an array."""
    return np.fromiter(numbers, dtype=np.int64)


def numbers_of_values(model: Csp) -> NDArray[np.int64]:
    """numbers[0] is the least value of the solution minus 1; value x is numbers[x - numbers[0]] in a row."""
    least, greatest = model.values[0], model.values[-1]
    numbers = np.zeros(greatest - least + 2, dtype=np.int64)
    numbers[0] = least - 1
    numbers[np.array(model.values) - least + 1] = np.arange(len(model.values))
    return numbers
