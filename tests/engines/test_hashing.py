"""Places in hash tables: keys that differ in any few bits begin far from each other."""

from __future__ import annotations

import numpy as np
import pytest

from rekkyo.bits import ONE, SCATTER, ZERO
from rekkyo.engines.hashing import hashed, hashed_wide, place_by, share_by
from rekkyo.engines.limbs import wrapping
from tests.inner_kernels import from_python

BITS = 12
SIZE = 1 << BITS


@pytest.mark.kernel
@pytest.mark.parametrize("shift", range(0, 65 - BITS, 4))
def test_keys_that_differ_in_few_bits(shift: int) -> None:
    """A quarter of the table is filled; random keys would have 0.885 times as many places."""
    keys = np.arange(SIZE // 4, dtype=np.uint64) << np.uint64(shift)
    with wrapping():
        places = {int(from_python(place_by)(np.uint64(from_python(hashed)(key)), SIZE)) for key in keys}
    assert len(places) > 0.7 * len(keys)
    assert places <= set(range(SIZE))


@pytest.mark.kernel
@pytest.mark.parametrize("word", [0, 1])
def test_words_that_differ_in_their_highest_bits(word: int) -> None:
    states = np.zeros((256, 2), dtype=np.uint64)
    states[:, word] = np.arange(256, dtype=np.uint64) << np.uint64(56)
    with wrapping():
        hashes = [np.uint64(from_python(hashed_wide)(states, row)) for row in range(256)]
        places = {int(from_python(place_by)(mixed, SIZE)) for mixed in hashes}
    assert len(places) > 150


@pytest.mark.kernel
def test_a_table_of_two_places() -> None:
    with wrapping():
        assert {int(from_python(place_by)(SCATTER * key, 2)) for key in (ZERO, ONE)} == {0, 1}


@pytest.mark.kernel
@pytest.mark.parametrize("n_shares", [2, 3, 7])
def test_shares_are_even_and_each_of_them_fills_its_table(n_shares: int) -> None:
    keys = np.arange(SIZE, dtype=np.uint64)
    shares: list[list[int]] = [[] for _ in range(n_shares)]
    with wrapping():
        for key in keys:
            mixed = np.uint64(from_python(hashed)(key))
            shares[int(from_python(share_by)(mixed, n_shares))].append(
                int(from_python(place_by)(mixed, SIZE))
            )
    for places in shares:
        assert 0.8 * SIZE < n_shares * len(places) < 1.2 * SIZE
        assert len(set(places)) > 0.6 * len(places)
        halves = np.bincount(np.array(places) // (SIZE // 2), minlength=2)
        assert halves.min() > 0.4 * len(places)
