"""The different values of an array are those that NumPy finds, in order."""

import numpy as np
import pytest

from rekkyo.arrays import different


@pytest.mark.parametrize("values", [[], [7], [3, 3, 3], [5, 2, 2**63, 5, 0, 2]])
def test_different_values_in_order(values: list[int]) -> None:
    array = np.array(values, dtype=np.uint64)
    found = different(array)
    assert found.tolist() == np.unique(array).tolist()
    assert found.dtype == array.dtype
