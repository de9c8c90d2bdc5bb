"""A run that merges equal states continues from a checkpoint with the same result, and ignores a damaged one."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.frontier import walk as walking
from rekkyo.search.progress import Progress
from rekkyo.search.threads import StopSign
from rekkyo.store import checkpoints
from rekkyo.store.checkpoints import CHECKPOINT, CheckpointFile
from tests.programs import Program
from tests.runs.runs_as_programs import rekkyo
from tests.torture import kinds_of_change as by_bytes

pytestmark = pytest.mark.usefixtures("steps_of_one_level")

ALWAYS = rk.Sizes(checkpoint_s=0)

PUZZLES = {
    "one word": (rk.puzzle("dominoes 8 8"), "cover-frontier"),
    "exchanged blocks": (rk.puzzle("latin-square 5"), "cover-frontier"),
    "labels": (rk.graph(named="grid 6 6").cycles(), "csp-frontier"),
    "constraints": (rk.graph(named="grid 6 6").independent_sets(), "csp-frontier"),
    "several words": (rk.puzzle("hip 5"), "csp-frontier"),
    "colours": (rk.graph(named="grid 6 6").colorings(3), "csp-frontier"),
}


MOST_SESSIONS = 40
"""Each writes 20 checkpoints, and the counts of a puzzle write 315 at most."""


class Killed(BaseException):
    """An exception that ends a run where a test wants it."""


def facts(status: rk.RunStatus) -> tuple[object, ...]:
    return status.total, status.unique, status.nodes, status.state, status.shards_done


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("checkpoint"))


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The levels of the checkpoints that are written. A negative number in it counts up to a kill at zero."""
    original, levels = CheckpointFile.write, [0]

    def write(self: CheckpointFile, numbers: Any, arrays: Any) -> None:
        original(self, numbers, arrays)
        levels.append(numbers[0])
        levels[0] += 1
        if levels[0] == 0:
            levels[0] = -1  # also in what a kill would not do any more
            raise Killed

    monkeypatch.setattr(CheckpointFile, "write", write)
    return levels


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The levels from which counts continue."""
    original, levels = CheckpointFile.read, list[int]()

    def read(self: CheckpointFile, most_bytes: int, made: Any) -> Any:
        begun = original(self, most_bytes, made)
        levels.append(0 if begun is None else begun[1].level)
        return begun

    monkeypatch.setattr(CheckpointFile, "read", read)
    return levels


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", PUZZLES)
def test_killed_again_and_again(
    tmp_path: Path,
    name: str,
    workers: int,
    writes: list[int],
    reads: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run is killed in the count of all solutions, and in those that each symmetry leaves unchanged."""
    puzzle, engine = PUZZLES[name]
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 6)
    expected = rk.run(puzzle, tmp_path / "whole", engine=engine, count_only=True, workers=workers)
    assert (expected.unique is None) == (name == "exchanged blocks")  # whose group is too large to list
    assert writes == [0]
    told: list[str] = []
    folder = tmp_path / "run"
    reads.clear()
    for _ in range(MOST_SESSIONS):
        writes[0] = -20
        try:
            asked = {"engine": engine, "count_only": True, "workers": workers, "sizes": ALWAYS}
            status = rk.run(puzzle, folder, say=told.append, **asked)
            break
        except Killed:
            assert files_in(folder)
            assert rk.Run(folder).status().state == "interrupted"
    else:
        pytest.fail("no session goes on from where the one before was killed")
    assert facts(status) == facts(expected)
    assert ["unique is left out" in one for one in told] == [True] * (name == "exchanged blocks")
    assert facts(rk.Run(folder).status()) == facts(expected)
    assert max(reads) >= 20
    assert files_in(folder) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_with_steps_of_several_levels(
    tmp_path: Path, workers: int, writes: list[int], reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel walks through several levels while there are few states, as for users."""
    monkeypatch.setattr(walking, "MOST_LEVELS", 1 << 8)
    asked: dict[str, Any] = {"engine": "cover-frontier", "count_only": True, "workers": workers}
    writes[0] = -2
    with pytest.raises(Killed):
        rk.run(rk.puzzle("dominoes 14 14"), tmp_path / "run", sizes=ALWAYS, **asked)
    assert writes[2] > 1 + writes[1] > 2
    writes[0] = 0
    status = rk.Run(tmp_path / "run").resume(workers=workers, say=pytest.fail)
    assert max(reads) == writes[2]
    assert status.total == 112202208776036178000000  # OEIS A004003


CODE = """
import sys, time
import rekkyo as rk
from rekkyo.engines.frontier import walk
from rekkyo.store import checkpoints

walk.MOST_LEVELS = 1
original, n_written = checkpoints.CheckpointFile._pieces, 0

def pieces(self, numbers, arrays):
    global n_written
    n_written += 1
    for piece in original(self, numbers, arrays):
        yield piece
        if n_written == 40:
            print("writing", flush=True)
            time.sleep(600)

checkpoints.CheckpointFile._pieces = pieces
rk.run(rk.puzzle("dominoes 10 10"), sys.argv[1], engine="cover-frontier", count_only=True,
       sizes=rk.Sizes(checkpoint_s=0))
"""


def test_kill_9_while_a_checkpoint_is_written(tmp_path: Path, reads: list[int]) -> None:
    """The previous file is still there, and the incomplete one is removed. The count is OEIS A004003."""
    folder = tmp_path / "run"
    code = CODE.replace("sys.argv[1]", repr(str(folder)))
    with Program([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.kill()
    assert len(files_in(folder)) == 2
    assert files_in(folder)[1].endswith(".bin.new")
    for command in ("status", "verify", "repair"):
        code_, _, complaint = rekkyo(command, folder)
        assert code_ in (0, 2), complaint
        assert complaint.count("\n") <= 1
    assert len(files_in(folder)) == 2
    status = rk.Run(folder).resume(say=pytest.fail)
    assert reads[0] == 39
    whole = rk.run(rk.puzzle("dominoes 10 10"), tmp_path / "whole", engine="cover-frontier", count_only=True)
    assert facts(status) == facts(whole)
    assert status.total == 258584046368
    assert files_in(folder) == []


def test_ctrl_c_leaves_a_checkpoint(
    tmp_path: Path, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written although none is due."""
    reached, stopped = threading.Event(), threading.Event()
    levels = iter(range(30))
    show = StopSign.show

    def is_due(self: CheckpointFile, n_bytes: int) -> bool:
        if next(levels, None) is None:
            reached.set()
            stopped.wait()
        return False

    def show_and_tell(self: StopSign) -> None:
        show(self)
        stopped.set()

    def watch(progress: Progress) -> None:
        if reached.is_set():
            raise KeyboardInterrupt

    monkeypatch.setattr(CheckpointFile, "is_due", is_due)
    monkeypatch.setattr(StopSign, "show", show_and_tell)
    asked: dict[str, Any] = {"engine": "cover-frontier", "count_only": True}
    with pytest.raises(KeyboardInterrupt):
        rk.run(rk.puzzle("dominoes 8 8"), tmp_path / "run", watch=watch, **asked)
    assert len(files_in(tmp_path / "run")) == 1
    status = rk.Run(tmp_path / "run").resume(say=pytest.fail)
    assert reads[:2] == [0, 31]
    assert status.total == 12988816
    assert files_in(tmp_path / "run") == []


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was killed in the middle of its count."""
    folder = tmp_path_factory.mktemp("interrupted") / "run"
    return interrupt(folder, rk.puzzle("dominoes 8 8"))


def interrupt(folder: Path, puzzle: rk.Puzzle) -> Path:
    original, left = CheckpointFile.write, iter(range(30))

    def write(self: CheckpointFile, numbers: Any, arrays: Any) -> None:
        if next(left, None) is None:
            raise Killed
        original(self, numbers, arrays)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr(CheckpointFile, "write", write)
        rk.run(puzzle, folder, engine="cover-frontier", count_only=True, sizes=ALWAYS)
    assert len(files_in(folder)) == 1
    return folder


@pytest.fixture
def folder(interrupted: Path, tmp_path: Path) -> Path:
    shutil.copytree(interrupted, tmp_path / "run")
    return tmp_path / "run"


def checkpoint_in(folder: Path) -> Path:
    return folder / files_in(folder)[0]


def comes_to(folder: Path) -> list[str]:
    """Finish the run, which must have the right result; returns its messages."""
    said: list[str] = []
    status = rk.Run(folder).resume(say=said.append)
    assert (status.total, status.unique, status.nodes) == (12988816, 1629189, expected_nodes())
    return said


def expected_nodes() -> int:
    engine = rk.puzzle("dominoes 8 8")
    counted = rk.count(engine, engine="cover-frontier", up_to="none")
    assert counted.total == 12988816
    return counted.nodes


def test_a_good_one_is_used_and_nothing_said(folder: Path, reads: list[int]) -> None:
    assert comes_to(folder) == []
    assert reads[0] == 30


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "change",
    [change for change in dict.fromkeys(by_bytes.CHANGES) if change is not by_bytes.nothing_there],
    ids=lambda change: change.__name__,
)
def test_a_changed_one_is_ignored_with_a_line(
    folder: Path, tmp_path: Path, change: Callable[..., None], seed: int, reads: list[int]
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_bytes(b"not yours")
    path = checkpoint_in(folder)
    before, dice = path.read_bytes(), random.Random(seed)
    while path.is_file() and not path.is_symlink() and path.read_bytes() == before:
        change(dice, path, outside)
    said = comes_to(folder)
    assert reads[0] == 0
    assert len(said) == 1
    assert said[0].startswith(f"{path} is not used, and the count begins again: ")
    assert "\n" not in said[0]
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"mine": b"not yours"}


def test_a_recount_says_that_it_went_on_from_one(interrupted: Path, tmp_path: Path) -> None:
    """Another user may have put the checkpoint into the folder."""
    rk.run(rk.puzzle("dominoes 8 8"), tmp_path, engine="cover-memo", count_only=True)
    shutil.copytree(interrupted, tmp_path / "recount-cover-frontier")
    found = rk.Run(tmp_path).recount(engine="cover-frontier")
    assert found.agrees
    assert found.detail.endswith("; it went on from a checkpoint in recount-cover-frontier, which was there")


def test_the_status_says_that_there_is_one(folder: Path) -> None:
    os.utime(checkpoint_in(folder), (0, 86400))
    assert rk.Run(folder).status().checkpoint == "1970-01-02T00:00:00+00:00"
    _, output, _ = rekkyo("status", folder)
    assert "a count that is not finished has a checkpoint of 1970-01-02T00:00:00+00:00\ngo on with" in output
    comes_to(folder)
    assert rk.Run(folder).status().checkpoint is None
    assert "checkpoint" not in rekkyo("status", folder)[1]


def test_the_command_says_it_in_one_line(folder: Path) -> None:
    path = checkpoint_in(folder)
    os.truncate(path, 100)
    code, output, complaint = rekkyo("resume", folder)
    assert (code, output) == (0, "total 12988816, unique 1629189\n")
    lines = complaint.splitlines()
    assert lines[0] == f"{path} is not used, and the count begins again: it is not complete"
    assert len(lines) == 2  # the other one is the summary of every run


def test_one_that_is_larger_than_the_memory_is_not_read(folder: Path, reads: list[int]) -> None:
    path = checkpoint_in(folder)
    os.truncate(path, path.stat().st_size + (1 << 40))
    (line,) = comes_to(folder)
    assert line.endswith(": it takes too much memory")
    assert reads[0] == 0


def test_one_of_another_count_is_not_used(folder: Path, tmp_path: Path, reads: list[int]) -> None:
    """It has the right checksum and the name of the right count."""
    other = interrupt(tmp_path / "other", rk.puzzle("dominoes 8 9"))
    assert files_in(other) != files_in(folder)
    shutil.copy(checkpoint_in(other), checkpoint_in(folder))
    (line,) = comes_to(folder)
    assert line.endswith("it is of another format or another count")
    assert reads[0] == 0


def test_one_of_another_plan_of_the_run_is_not_even_opened(tmp_path: Path, reads: list[int]) -> None:
    """The same engine and puzzle, but other rows are kept, so the run is another one."""
    first = interrupt(tmp_path / "first", rk.puzzle("dominoes 8 8"))
    asked: dict[str, Any] = {"engine": "cover-frontier", "count_only": True}
    with pytest.raises(Killed), pytest.MonkeyPatch.context() as patch:
        patch.setattr(CheckpointFile, "write", lambda *_: (_ for _ in ()).throw(Killed))
        rk.run(rk.puzzle("dominoes 8 8"), tmp_path / "second", up_to="symmetry", sizes=ALWAYS, **asked)
    shutil.copy(checkpoint_in(first), tmp_path / "second")
    reads.clear()
    assert rk.Run(tmp_path / "second").resume(say=pytest.fail).total == 12988816
    assert reads[0] == 0


@pytest.mark.parametrize("fails", ["write", "link", "folder"])
def test_a_checkpoint_that_cannot_be_written_costs_a_line_and_no_count(
    tmp_path: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    asked: dict[str, Any] = {"engine": "cover-frontier", "count_only": True, "up_to": "none"}
    calls = []

    def full(path: Path, content: Any) -> None:
        calls.append(path)
        if fails == "write":
            raise OSError(28, "No space left on device")
        if fails == "link":
            path.with_name(path.name + ".new").symlink_to(tmp_path / "outside")
        else:
            path.mkdir()
        original(path, content)

    original = checkpoints.write_durably
    monkeypatch.setattr(checkpoints, "write_durably", full)
    status = rk.run(
        rk.puzzle("dominoes 8 8"), tmp_path / "run", say=said.append, sizes=ALWAYS, workers=1, **asked
    )
    assert status.total == 12988816
    assert len(said) == len(set(calls))
    assert all("cannot be written, so the count has no checkpoint: " in line for line in said)
    assert not (tmp_path / "outside").exists()


def test_an_executor_writes_none_of_its_shards(tmp_path: Path, writes: list[int]) -> None:
    """Only the process that holds the lock writes, and it counts nothing but what symmetries leave unchanged."""
    puzzle = rk.graph(edges=[(0, 1), (1, 2), (2, 4), (0, 3), (3, 5), (5, 6), (6, 7), (7, 8)]).colorings(3)
    with ThreadPoolExecutor(2) as pool:
        status = rk.run(
            puzzle, tmp_path / "run", engine="csp-frontier", count_only=True, executor=pool, sizes=ALWAYS
        )
    assert status.total == 3 * 2**8
    assert files_in(tmp_path / "run") == []
    assert (
        rk.run(puzzle, tmp_path / "here", engine="csp-frontier", count_only=True, sizes=ALWAYS).total == 768
    )
    assert len(writes) > 1


def test_names_of_checkpoints_are_not_those_of_other_files(folder: Path) -> None:
    """No other file is deleted with them."""
    assert CHECKPOINT.fullmatch(checkpoint_in(folder).name)
    mine = ["checkpoint-1.bin", "checkpoint-mine.bin", "my checkpoint-0123456789abcdef.bin", "notes.txt"]
    mine += [f"checkpoint-0123456789{ending}" for ending in ("abcdef0.bin", "mine00.bin", "abcdef.bin-new")]
    for name in mine:
        (folder / name).write_bytes(b"mine")
    stale = folder / "checkpoint-0123456789abcdef.bin"
    stale.write_bytes(b"of a run that was finished before it could delete it")
    assert comes_to(folder) == []
    assert not stale.exists()
    assert all((folder / name).read_bytes() == b"mine" for name in mine)
