"""Arrays that several engines make."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def int64(numbers: Iterable[int]) -> NDArray[np.int64]:
    """The numbers as an array."""
    return np.fromiter(numbers, dtype=np.int64)
