"""Samples of a stored run: fair, and of a run only."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.runs import run
from rekkyo.runs.sources import sample_run


def test_a_stored_run_is_sampled(tmp_path: Path) -> None:
    rk.run(rk.puzzle("queens 7"), tmp_path / "q7", workers=1)
    found = sample_run(rk.puzzle("queens 7"), tmp_path / "q7", 8000, seed=5)
    seen = Counter(found.rows)
    assert (found.total, found.how) == (40, "run")
    assert set(seen) == set(rk.solve(rk.puzzle("queens 7")))
    assert sum((times - 200) ** 2 / 200 for times in seen.values()) < 72.1  # 0.999 quantile, 39 degrees
    with pytest.raises(BadInput, match=r"is not a run|no run|manifest"):
        sample_run(rk.puzzle("queens 7"), tmp_path / "nowhere")


OTHERS = (rk.queens(6, toroidal=True), rk.queens(6).model, "queens 6")


@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_another_puzzle_with_rows_of_the_same_form_is_refused(tmp_path: Path, other: Any) -> None:
    rk.run(rk.queens(6), tmp_path / "q6")
    run = rk.Run(tmp_path / "q6", puzzle=other)
    for asked in (lambda: run.puzzle, run.stats, run.sample, run.rows, lambda: run.export("csv", BytesIO())):
        with pytest.raises(BadInput, match=r"is another one|a puzzle is expected"):
            asked()


def test_wrong_arguments_are_refused_before_the_puzzle_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "puzzle_of_run", None)
    wrong: dict[str, Any]
    for wrong in ({"number": -1}, {"seed": "five"}):
        with pytest.raises(rk.BadInput):
            rk.Run(tmp_path).sample(**wrong)
