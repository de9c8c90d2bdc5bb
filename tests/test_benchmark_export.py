"""The benchmark of exports writes the rows of a run in every way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rekkyo as rk
from tests.benchmark_modules import benchmark_module

EXPORT = benchmark_module("export.py")


def test_a_small_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each action counts as a second."""

    def seconds(action: Callable[[], object]) -> float:
        action()
        return 1.0

    monkeypatch.setattr(EXPORT, "seconds", seconds)
    rk.run(rk.queens(6), tmp_path / "run")
    EXPORT.main(tmp_path / "run")
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "4 rows; reading and checking them 1.000 s"
    assert last == "npy from the run 1.000 s, 0 MB/s"
