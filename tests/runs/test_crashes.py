"""Processes that are killed at any moment: nothing finished is lost, nothing unfinished is counted."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from tests.programs import Program
from tests.runs.runs_as_programs import begin, facts, has_begun, outcome, rekkyo, result_of, wait_for

WORDS = ("queens", "13", "--workers", "2", "--shards", "1024")

KILLED_AFTER_ITS_FIRST_SHARD = """
import os, signal
from rekkyo.cli.main import main
from rekkyo.runs import stored
from rekkyo.store.run_directory import RunDirectory

commit = RunDirectory.commit
def commit_one_and_die(run, records, elapsed_s):
    commit(run, records[:1], elapsed_s)
    os.kill(os.getpid(), signal.SIGKILL)

stored.COMMIT_EVERY_S = 0.0
RunDirectory.commit = commit_one_and_die
main()
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ...]:
    """What the run comes to."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    assert rekkyo("run", *WORDS, "--out", folder)[0] == 0
    result = result_of(folder)
    assert result[:3] == ("finished", 73712, 9233)
    return result


def reaches(folder: Path, share: float) -> Callable[[], bool]:
    """Whether at least so many of a run's shards are finished; share 0: whether there is a run."""

    def has_reached() -> bool:
        if not (folder / "manifest.json").is_file():
            return False
        now = rk.Run(folder).status()
        return now.shards_done >= share * now.shards

    return has_reached


def kill_and_resume(
    process: subprocess.Popen[str], words: tuple[str, ...], folder: Path, expected: tuple[Any, ...]
) -> bool:
    """Whether the process was killed between its first and its last shard."""
    process.kill()
    process.communicate()
    was_halfway = False
    if (folder / "manifest.json").is_file():
        halfway = facts(folder)
        was_halfway = 0 < halfway["shards_done"] < halfway["shards"]
        assert halfway["state"] == (
            "finished" if halfway["shards_done"] == halfway["shards"] else "interrupted"
        )
    # The command that began the run also goes on with it, and with one that was never set up.
    code, _, complaint = rekkyo("run", *words, "--out", folder)
    assert code == 0, complaint
    assert result_of(folder) == expected
    return was_halfway


def test_kill_9_at_some_moments(tmp_path: Path, undisturbed: tuple[Any, ...]) -> None:
    for number, share in enumerate((0.0, 0.3, 0.8)):
        process = begin("run", *WORDS, "--out", tmp_path / str(number))
        wait_for(reaches(tmp_path / str(number), share))
        kill_and_resume(process, WORDS, tmp_path / str(number), undisturbed)


@pytest.mark.long
def test_kill_9_at_fifty_random_moments(tmp_path: Path) -> None:
    """At random shares of the shards, ten of them before there are any: queens 15, 2,279,184 rows."""
    words = ("queens", "15", "--workers", "2", "--shards", "4096")
    assert rekkyo("run", *words, "--out", tmp_path / "whole")[0] == 0
    expected = result_of(tmp_path / "whole")
    assert expected[:3] == ("finished", 2279184, 285053)
    dice = random.Random(2024)
    halfway = []
    for number in range(50):
        folder = tmp_path / str(number)
        process = begin("run", *words, "--out", folder)
        wait_for(reaches(folder, dice.uniform(0.0, 1.0) if number >= 10 else 0.0))
        halfway.append(kill_and_resume(process, words, folder, expected))
        shutil.rmtree(folder)
    assert sum(halfway) >= 10, f"only {sum(halfway)} kills fell between the first shard and the last"


def test_kill_9_in_the_middle_then_resume(tmp_path: Path) -> None:
    """Killed with one finished shard and rows of others, and resumed with another number of workers."""
    folder = tmp_path / "run"
    words = ("run", "queens", "14", "--workers", "2", "--shards", "1024", "--out", folder)
    code, _, complaint = outcome(
        Program(
            [sys.executable, "-c", KILLED_AFTER_ITS_FIRST_SHARD, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    )
    assert code == -signal.SIGKILL, complaint
    halfway = facts(folder)
    assert (halfway["shards_done"], halfway["state"]) == (1, "interrupted")
    code, output, complaint = rekkyo("resume", folder, "--workers", "3")
    assert (code, output.split(", digest")[0]) == (0, "total 365596, unique 45752"), complaint
    assert rekkyo("run", "queens", "14", "--out", tmp_path / "whole")[0] == 0
    # The number of shards differs, the solutions and their order do not.
    assert result_of(folder)[-1] == result_of(tmp_path / "whole")[-1]


@pytest.mark.usefixtures("signals_as_in_a_terminal")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_stop_it_and_say_how_to_go_on(tmp_path: Path, sign: signal.Signals) -> None:
    folder = tmp_path / "run"
    process = begin("run", "queens", "17", "--out", folder)
    wait_for(lambda: has_begun(folder))
    process.send_signal(sign)
    code, output, complaint = outcome(process)
    assert (code, output) == (128 + sign, "")
    assert complaint.startswith("rekkyo: interrupted after ")
    assert complaint.endswith(f"finished shards are safe; go on with: rekkyo resume {folder}\n")
    stopped = facts(folder)
    assert stopped["state"] == "interrupted"
    assert 0 < stopped["shards_done"] < stopped["shards"]


def test_status_looks_at_a_run_under_way_and_a_second_writer_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begin("run", "queens", "17", "--out", folder, "--count-only")
    wait_for(lambda: has_begun(folder))
    code, output, complaint = rekkyo("status", folder, "--json")
    first = json.loads(output)
    assert (code, complaint) == (0, "")
    assert first["state"] == "running"
    assert {"total", "unique", "digest", "shards", "shards_done", "elapsed_s", "state"} <= first.keys()
    wait_for(lambda: rk.Run(folder).status().shards_done > first["shards_done"])
    for words in (("resume", folder), ("run", "queens", "17", "--count-only", "--out", folder)):
        code, _, complaint = rekkyo(*words)
        assert code == 2
        assert complaint.startswith(f"rekkyo: {folder} is being written by process {process.pid} on ")
    process.kill()
    process.communicate()
    assert facts(folder)["state"] == "interrupted"
