"""Both kernels of engine `cover-bitset` are compiled before each of its tests."""

from __future__ import annotations

import pytest

from tests import naive_cover
from tests.engines.cover_bitset.covers import ENGINE, dominoes


@pytest.fixture(autouse=True)
def _narrow_frames() -> None:
    """Which kernel searches depends on what this process has compiled before."""
    ENGINE.compile_for_long(dominoes(2, 2))
    ENGINE.compile_for_long(naive_cover.TOY_MCC)
