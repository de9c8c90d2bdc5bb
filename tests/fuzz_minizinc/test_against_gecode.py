"""A few random models; `python -m tests.fuzz_minizinc FIRST N` goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz_minizinc.comparing import compared

pytestmark = pytest.mark.minizinc


@pytest.mark.parametrize("seed", range(60))
def test_as_many_solutions_as_gecode(seed: int, tmp_path: Path) -> None:
    compared(seed, tmp_path)
