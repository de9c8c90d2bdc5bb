"""Settings for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Noise where memory was not written yet or was taken back; read when the first array is made.
os.environ["REKKYO_POISON"] = "1"

# The first example of a property compiles kernels; and the machine may be busy.
settings.register_profile("rekkyo", deadline=None, max_examples=60, derandomize=bool(os.environ.get("CI")))
settings.load_profile("rekkyo")

# What tests compare on standard error must not depend on what was compiled before.
os.environ["REKKYO_QUIET"] = "1"


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help texts must not depend on the window that the tests run in."""
    monkeypatch.setenv("COLUMNS", "100")
