"""A run survives an edit of the sources: its plan hash is the same everywhere, until a plan version is raised."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Advance, Shard
from rekkyo.engines.facts import add_facts
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.engines.registry import all_engines
from rekkyo.errors import BadRun
from rekkyo.kernel_switches import IS_COMPILED
from rekkyo.store.run_directory import RunDirectory
from tests import plans

SOURCES = Path(rk.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.mark.kernel
@pytest.mark.skipif(
    not IS_COMPILED, reason="another test asks the same uncompiled, with another seed of hashes"
)
def test_an_engine_whose_plans_or_shards_changed_has_a_raised_plan_version() -> None:
    """Fix it as the line says, then: python -m tests.plans --write."""
    before, now = plans.remembered(), plans.plans_now()
    assert plans.complaints(before, now) == []
    assert not plans.is_incomplete(before, now)


def test_every_engine_has_questions() -> None:
    assert sorted(plans.QUESTIONS) == sorted(engine.name for engine in all_engines())
    assert all(len(questions) >= 2 for questions in plans.QUESTIONS.values())


@pytest.mark.second
def test_plans_depend_on_no_seed_of_hashes_no_compiler_and_no_cache() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.plans"],
        env=os.environ | {"PYTHONHASHSEED": "1", "NUMBA_DISABLE_JIT": "1", "REKKYO_CACHE_DIR": os.devnull},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def queens_plans() -> dict[str, str]:
    return plans.hashes_of("queens-bitmap", "queens 6")


class TestWhatIsNoticed:
    """By what is remembered of an engine."""

    def test_other_shards(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = queens_plans()
        split = QueensBitmap.split

        def backwards(self: QueensBitmap, *arguments: Any) -> tuple[Shard, ...]:
            shards = split(self, *arguments)
            return tuple(Shard(s.index, t.prefix) for s, t in zip(shards, shards[::-1], strict=True))

        monkeypatch.setattr(QueensBitmap, "split", backwards)
        assert queens_plans()["plan"] != before["plan"]

    def test_another_order_of_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = plans.hashes_of("queens-bitmap", "queens 7 | symmetry")
        advance = QueensBitmap.advance

        def backwards(self: QueensBitmap, plan: Any, cursor: Any, room: Any, budget: int) -> Advance:
            done = advance(self, plan, cursor, room, budget)
            room.rows[: done.found] = room.rows[: done.found][::-1].copy()
            return done

        monkeypatch.setattr(QueensBitmap, "advance", backwards)
        after = plans.hashes_of("queens-bitmap", "queens 7 | symmetry")
        assert after["plan"] == before["plan"]
        assert after["shards"] != before["shards"]

    def test_another_array_of_the_plan(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = queens_plans()
        monkeypatch.setattr(QueensBitmap, "plan_facts", lambda _, plan: (plan.allowed + np.uint64(1),))
        assert queens_plans()["plan"] != before["plan"]


def one_engine(version: int, **hashes: str) -> plans.Plans:
    return {"e": {"version": version, "questions": {words: {"plan": h} for words, h in hashes.items()}}}


@pytest.mark.parametrize(
    ("now", "complaint"),
    [
        (one_engine(2, q="old"), None),
        (one_engine(2, q="new"), "the plan of 'q' changed; raise plan_version to 3"),
        (one_engine(3, q="new"), None),
        (one_engine(1, q="old"), "plan version 1 is older than 2"),
        (one_engine(2, q="old", another="x"), None),
    ],
    ids=["the same", "changed", "raised", "lowered", "one question more"],
)
def test_a_hash_is_rewritten_only_under_a_raised_version(
    now: plans.Plans,
    complaint: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = one_engine(2, q="old")
    path = tmp_path / "plans.json"
    path.write_text(json.dumps(before), encoding="utf-8")
    monkeypatch.setattr(plans, "PLANS", path)
    monkeypatch.setattr(plans, "IS_COMPILED", True)
    monkeypatch.setattr(plans, "plans_now", lambda: now)
    assert plans.main(["--write"]) == (1 if complaint else 0)
    assert capsys.readouterr().out == (f"e: {complaint}\n" if complaint else "")
    assert plans.remembered() == (before if complaint else now)


class TestGoingOn:
    def test_a_run_begun_by_older_sources_goes_on(self, tmp_path: Path) -> None:
        older = shutil.copytree(SOURCES, tmp_path / "older" / "rekkyo")
        for source in (older / "engines").rglob("engine.py"):
            with source.open("a", encoding="utf-8", newline="\n") as file:
                file.write("# as it was then\n")
        begin = "import sys, rekkyo as rk; rk.run(rk.queens(6), sys.argv[1]); print(rk.__file__)"
        done = subprocess.run(
            [sys.executable, "-c", begin, str(tmp_path / "run")],
            env=os.environ | {"PYTHONPATH": str(older.parent)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.stdout.strip() == str(older / "__init__.py"), done.stderr
        with closing(RunDirectory.open(tmp_path / "run")) as run:
            run.index.drop(range(10))
        status = rk.Run(tmp_path / "run").resume()
        assert (status.total, status.state) == (4, "finished")

    def test_a_raised_plan_version_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        rk.run(rk.queens(7), tmp_path)
        monkeypatch.setattr(QueensBitmap, "plan_version", QueensBitmap.plan_version + 1)
        with pytest.raises(BadRun, match="engine queens-bitmap had plan version 1 and has 2 now") as refused:
            rk.Run(tmp_path).resume()
        assert "\n" not in str(refused.value)


def hash_of(value: Any) -> str:
    digest = sha256()
    add_facts(digest, value)
    return digest.hexdigest()


class TestHashOfFacts:
    def test_arrays_of_any_width_and_byte_order_are_alike(self) -> None:
        kinds = ("<i2", "<i4", ">i4", "<i8", np.intp)
        assert len({hash_of(np.array([-1, 2], kind)) for kind in kinds}) == 1
        every_other = np.array([-1, 0, 2, 0])[::2]
        assert hash_of(every_other) == hash_of(np.array([-1, 2]))
        assert hash_of(np.uint64(7)) == hash_of(7)

    def test_what_differs_has_another_hash(self) -> None:
        values = [
            np.zeros((2, 3), np.uint8),
            np.zeros((3, 2), np.uint8),
            np.zeros(6, np.uint8),
            np.zeros(6, np.int8),
            np.zeros(6, np.bool_),
            np.zeros((0, 4), np.uint64),
            np.zeros(0, np.uint64),
            ((1,), (2,)),
            ((1, 2), ()),
            (1, 2),
            ((np.zeros(1, np.int8),), 0),
            (np.zeros(1, np.int8), (0,)),
            range(3),
            1 << 70,
            "1",
            None,
        ]
        assert len({hash_of(value) for value in values}) == len(values)

    @pytest.mark.parametrize(
        "value", [np.zeros(2), np.array(["a"]), {1: 2}, 1.5, object()], ids=lambda value: type(value).__name__
    )
    def test_what_may_differ_between_computers_has_none(self, value: Any) -> None:
        with pytest.raises(TypeError, match="has no hash that is the same everywhere"):
            hash_of(value)
