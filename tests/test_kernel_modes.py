"""Every kernel runs in three ways: compiled (all tests), as plain Python, and compiled with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_kernels_also_pass(switch: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-m", "kernel", "-p", "no:cacheprovider", str(TESTS)]
    done = subprocess.run(
        command, env=os.environ | {switch: "1"}, cwd=TESTS.parent, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
