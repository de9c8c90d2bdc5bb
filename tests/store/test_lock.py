"""A lock allows one writer, and it ends with its process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rekkyo.errors import RunInUse
from rekkyo.store.lock import Lock, is_held
from tests.programs import Program

HOLD = """
import sys, time
from pathlib import Path
from rekkyo.store.lock import Lock
Lock.keep = lock = Lock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


def test_a_second_one_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    lock.acquire()
    with pytest.raises(RunInUse, match=f"{tmp_path} is being written by process {os.getpid()} on "):
        Lock(tmp_path / "lock").acquire()
    assert is_held(tmp_path / "lock")
    lock.release()
    assert not is_held(tmp_path / "lock")
    Lock(tmp_path / "lock").acquire()


def test_that_of_a_run_that_may_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run of another user, which was being written, was reported as interrupted."""
    lock = Lock(tmp_path / "lock")
    lock.acquire()
    open_it = os.open

    def only_to_read(path: Path, flags: int, *mode: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise PermissionError
        return open_it(path, flags, *mode)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", only_to_read)
        assert is_held(tmp_path / "lock")
        lock.release()
        assert not is_held(tmp_path / "lock")


def test_it_dies_with_its_owner(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
    with Program(command, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "held\n"
        with pytest.raises(RunInUse, match=f"process {owner.pid}"):
            Lock(tmp_path / "lock").acquire()
        owner.kill()
    lock = Lock(tmp_path / "lock")
    lock.acquire()
    lock.release()


FORK = """
import os, sys, time
from pathlib import Path
from rekkyo.store.lock import Lock
lock = Lock(Path(sys.argv[1]))
lock.acquire()
child = os.fork()
if child == 0:
    time.sleep(60)
print(child, flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_children_do_not_keep_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORK, str(tmp_path / "lock")]
    with Program(command, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        owner.wait(20)
        try:
            Lock(tmp_path / "lock").acquire()
        finally:
            os.kill(child, 9)


def test_nothing_is_held_where_there_is_no_lock(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "lock")
    assert not (tmp_path / "lock").exists()


def test_a_full_disk_does_not_keep_it_from_being_held_and_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    lock = Lock(tmp_path / "lock")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        lock.acquire()
    with pytest.raises(RunInUse, match=f"{tmp_path} is being written by another process"):
        Lock(tmp_path / "lock").acquire()
    lock.release()
    assert not is_held(tmp_path / "lock")
