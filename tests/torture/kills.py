"""Processes of ten kinds of runs, ended at random moments: what is finished stays, and the result is the same.

A run is killed outright, meets a file system that is full, or has so little memory that it fails somewhere.
Afterwards it is gone on with until it is finished: counts, digest and every row must be those of a run that
nobody disturbed.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import rekkyo as rk
from tests.runs.runs_as_programs import begin, facts, result_of, wait_for

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = (
    "queens 14",
    "queens 13 --up-to symmetry --shards 2000",
    "queens 15 --count-only --engine queens-bitmap",
    "queens 17 --count-only --engine queens-join",
    "queens 11 --engine queens-cover --shards 2000",
    "pentominoes 6 10",
    "langford 8 --engine cover-cells",
    "hip 5 --any-balance --engine coloring-counters",
    "magic-square 4",
    f"{EXAMPLES / 'soma.toml'}",
)
ROUNDS = 3
"""A run is disturbed at most so often."""

MIB = 1 << 20


def case(dice: random.Random, folder: Path) -> str:
    """One run, disturbed and finished. Returns what happened to it."""
    words = dice.choice(KINDS).split()
    expected, elapsed_s = undisturbed(" ".join(words), folder)
    run = folder / "run"
    way = dice.choice((killed, killed, killed, on_a_full_disk, with_little_memory))
    shutil.rmtree(run, ignore_errors=True)
    moments = [way(dice, words, run, elapsed_s) for _ in range(dice.randint(1, ROUNDS))]
    code, _, complaint = finish(begin("run", *words, "--out", run))
    assert code == 0, complaint
    assert result(run) == expected, f"{words} came to something else"
    return f"{way.__name__}, {max(moments)}"


def killed(dice: random.Random, words: list[str], run: Path, elapsed_s: float) -> str:
    process = begin("run", *words, "--out", run)
    if dice.random() < 0.8:
        wait_for(lambda: (run / "manifest.json").is_file() or process.poll() is not None)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=dice.uniform(0, 1.1 * elapsed_s))
    process.kill()
    process.communicate()
    return moment(run)


def on_a_full_disk(dice: random.Random, words: list[str], run: Path, elapsed_s: float) -> str:
    """No file may grow beyond a limit, which is what a full disk looks like to a program."""
    limit = round(10 ** dice.uniform(3, 6.5))
    return limited(words, run, resource.RLIMIT_FSIZE, limit)


def with_little_memory(dice: random.Random, words: list[str], run: Path, elapsed_s: float) -> str:
    return limited(words, run, resource.RLIMIT_AS, dice.randint(300, 2500) * MIB)


def limited(words: list[str], run: Path, what: int, limit: int) -> str:
    def with_limit() -> None:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # Python would write and use incomplete files
        resource.setrlimit(what, (limit, limit))

    process = begin("run", *words, "--out", run, preexec_fn=with_limit)
    code, _, complaint = finish(process)
    if what == resource.RLIMIT_FSIZE:
        assert code in (0, 2, 3), complaint
        assert "Traceback" not in complaint, complaint
    return moment(run)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    output, complaint = process.communicate(timeout=600)
    return process.returncode, output, complaint


def moment(run: Path) -> str:
    """Where a run was when it ended; what it says of itself must not contradict that."""
    if not (run / "manifest.json").is_file():
        return "before it was a run"
    now = facts(run)
    assert now["state"] in ("interrupted", "finished")
    assert (now["state"] == "finished") == (now["shards_done"] == now["shards"])
    return (
        "at the end"
        if now["state"] == "finished"
        else "halfway"
        if now["shards_done"]
        else "at the beginning"
    )


@cache
def undisturbed(words: str, folder: Path) -> tuple[tuple[Any, ...], float]:
    """What a run comes to, and the seconds of its search."""
    whole = folder / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    code, _, complaint = finish(begin("run", *words.split(), "--out", whole))
    assert code == 0, complaint
    return result(whole), facts(whole)["elapsed_s"]


def result(run: Path) -> tuple[Any, ...]:
    """Everything that must not depend on how a run went."""
    if facts(run)["rows_stored"]:
        assert rk.Run(run).verify().passed
        return result_of(run)
    known = facts(run)
    return tuple(
        known[key] for key in ("state", "total", "unique", "digest", "nodes", "shards", "shards_done")
    )
