"""The different values of an array are those that NumPy finds, in order; every array of a plan is read-only."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from rekkyo.arrays import different, read_only


@pytest.mark.parametrize("values", [[], [7], [3, 3, 3], [5, 2, 2**63, 5, 0, 2]])
def test_different_values_in_order(values: list[int]) -> None:
    array = np.array(values, dtype=np.uint64)
    found = different(array)
    assert found.tolist() == np.unique(array).tolist()
    assert found.dtype == array.dtype


class Numbered(NamedTuple):
    number: np.uint64
    array: NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    numbered: Numbered
    arrays: tuple[NDArray[np.float64], ...]


def test_arrays_beside_numbers_are_read_only() -> None:
    one, two, three = (np.zeros(size) for size in (1, 2, 0))
    plan = Plan(Numbered(np.uint64(1), one), (two, three))
    assert read_only(plan) is plan
    assert [array.flags.writeable for array in (one, two, three)] == [False] * 3
