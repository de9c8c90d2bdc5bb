"""The digest: the same for the same set in any order, different for different sets."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.digest import WORD, Digest, digest_of, row_hashes
from tests import naive

pytestmark = pytest.mark.kernel

ROWS = naive.queens_solutions(7)
rows_of_three = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=20, unique=True)


def digest(rows: list[tuple[int, ...]], dtype: type = np.uint8) -> Digest:
    return digest_of(np.array(rows, dtype=dtype).reshape(len(rows), -1))


def test_known_value() -> None:
    """Pins the definition: stored digests must mean the same in every version."""
    assert str(digest([(0, 2, 4, 1, 3)])) == "2c4aa9e602a68e68c64c044b0dd41345"
    assert str(Digest()) == "0" * 32


def test_the_hashes_of_the_rows_add_up_to_the_digest() -> None:
    hashes = row_hashes(np.array(ROWS, dtype=np.uint8)).tolist()
    assert Digest(*(sum(words) % WORD for words in zip(*hashes, strict=True))) == digest(ROWS)


def test_order_and_dtype_make_no_difference() -> None:
    shuffled = random.Random(1).sample(ROWS, len(ROWS))
    assert digest(ROWS) == digest(shuffled) == digest(shuffled, np.uint16) == digest(ROWS, np.uint32)


@given(rows=rows_of_three, cut=st.integers(0, 20))
def test_digests_of_parts_add_up(rows: list[tuple[int, ...]], cut: int) -> None:
    parts = [part for part in (rows[:cut], rows[cut:]) if part]
    assert sum((digest(part) for part in parts), Digest()) == digest(rows)


@given(rows=rows_of_three, data=st.data())
def test_one_value_changed_changes_the_digest(rows: list[tuple[int, ...]], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, 2))
    changed = [list(values) for values in rows]
    changed[row][column] = (changed[row][column] + data.draw(st.integers(1, 255))) % 256
    assert digest([tuple(values) for values in changed]) != digest(rows)


def test_a_row_more_or_less_or_twice_changes_the_digest() -> None:
    seen = {str(digest(rows)) for rows in (ROWS, ROWS[1:], ROWS[:-1], [*ROWS, ROWS[0]])}
    assert len(seen) == 4


def test_leading_zeros_are_not_lost() -> None:
    assert digest([(0, 0, 1)]) != digest([(0, 1)])
