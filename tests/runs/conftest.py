"""What the tests of runs and certificates share."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from rekkyo.runs import certify
from tests import programs


@pytest.fixture(autouse=True)
def provers_are_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """`certify` starts Python twice, which takes a second; forked from the nursery they are the same programs."""

    def run(command: list[str], *, timeout: float = programs.TIMEOUT_S, **_: Any) -> Any:
        return programs.run(command, timeout_s=timeout)

    forking = SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)
    monkeypatch.setattr(certify, "subprocess", forking)
