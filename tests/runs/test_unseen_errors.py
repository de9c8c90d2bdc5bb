"""The formulas of docs/clusters.md for what a recount leaves unseen, against runs with planted errors."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.store.tables import COLUMNS, INSERT, sealed

PAGE = Path(__file__).parents[2] / "docs" / "clusters.md"
SEEDS = range(50)


@pytest.fixture(scope="module")
def formulas() -> dict[str, Callable[..., float]]:
    """The two functions that the page shows."""
    (code,) = re.findall(
        r"```python\n(from math import comb.*?)\nfor fraction", PAGE.read_text("utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def plant(run: Path, shards: list[int]) -> None:
    """Make the counts of some shards wrong, sealed as if they had been found so."""
    with closing(sqlite3.connect(run / "index.sqlite", isolation_level=None)) as index:
        columns = COLUMNS["finished"].split(", ")
        for shard in shards:
            found = index.execute(f"SELECT {COLUMNS['finished']} FROM finished WHERE shard = ?", (shard,))
            row = zip(columns, found.fetchone(), strict=True)
            changed = [str(int(value) + 1) if name == "found" else value for name, value in row]
            index.execute(f"INSERT OR REPLACE {INSERT['finished']}", sealed("finished", changed))


def is_within_noise(hits: int, draws: int, chance: float) -> bool:
    return abs(hits / draws - chance) <= 4 * sqrt(chance * (1 - chance) / draws)


@pytest.mark.parametrize(("n_wrong", "fraction"), [(3, 0.25), (2, 0.5)])
def test_a_recount_misses_planted_errors_as_often_as_the_formula_says(
    formulas: dict[str, Callable[..., float]], tmp_path: Path, n_wrong: int, fraction: float
) -> None:
    found = rk.run(rk.queens(6), tmp_path / "run", engine="queens-bitmap", workers=1, shards=12)
    plant(tmp_path / "run", random.Random(n_wrong).sample(range(found.shards), n_wrong))
    run = rk.Run(tmp_path / "run")
    recounts = [run.recount(fraction=fraction, seed=seed, workers=1) for seed in SEEDS]
    missed = sum(recount.agrees for recount in recounts)
    chance = formulas["unseen"](found.shards, n_wrong, recounts[0].shards)
    assert recounts[0].shards == round(fraction * found.shards)
    assert 0 < missed < len(SEEDS)
    assert is_within_noise(missed, len(SEEDS), chance)


@pytest.mark.parametrize("same_fault", [0.0, 0.2, 1.0])
def test_faults_that_come_twice_and_unknown_rates(
    formulas: dict[str, Callable[..., float]], same_fault: float
) -> None:
    """Shards that go wrong by themselves, recounted by somebody who may go wrong in the same way."""
    rng = random.Random(7)
    n_shards, p, n_again, draws = 60, 0.03, 15, 20_000
    passed = unseen = 0
    expected = 0.0
    for _ in range(draws):
        wrong = {shard for shard in range(n_shards) if rng.random() < p}
        again = rng.sample(range(n_shards), n_again)
        is_seen = any(shard in wrong and rng.random() >= same_fault for shard in again)
        passed += bool(wrong) and not is_seen
        unseen += not is_seen
        expected += formulas["unseen"](n_shards, len(wrong), n_again, same_fault)
    assert is_within_noise(unseen, draws, min(expected / draws, 1 - 1e-9))
    chance = formulas["passes_though_wrong"](n_shards, p, n_again, same_fault)
    assert is_within_noise(passed, draws, chance)
