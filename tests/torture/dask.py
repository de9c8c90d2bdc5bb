"""Workers and schedulers of Dask that are killed while a run is searched: the result is the same."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

from tests.runs.runs_as_programs import begin, has_begun, rekkyo, result_of, wait_for
from tests.runs.test_on_dask import cluster

WORDS = ("run", "queens", "13", "--shards", "1024")


def case(dice: random.Random, folder: Path) -> str:
    """One run during which somebody is killed; then it is finished without Dask."""
    shutil.rmtree(folder / "run", ignore_errors=True)
    victim = dice.choice(("a worker", "all workers", "the scheduler", "the client"))
    with cluster(2) as (address, (scheduler, *workers)):
        process = begin(*WORDS, "--dask", address, "--out", folder / "run")
        wait_for(lambda: has_begun(folder / "run"))
        victims: dict[str, list[Any]] = {
            "a worker": workers[:1],
            "all workers": workers,
            "the scheduler": [scheduler],
            "the client": [process],
        }
        for each in victims[victim]:
            each.kill()
        _, complaint = process.communicate(timeout=300)
    assert "Traceback" not in complaint, complaint
    code, _, complaint = rekkyo(*WORDS, "--out", folder / "run")
    assert code == 0, complaint
    assert result_of(folder / "run") == expected(folder)
    return f"{victim} killed, exit code {process.returncode}"


def expected(folder: Path) -> tuple[Any, ...]:
    if not (folder / "whole").is_dir():
        assert rekkyo(*WORDS, "--out", folder / "whole")[0] == 0
    return result_of(folder / "whole")
