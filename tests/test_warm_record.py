"""The record of a complete `warm`: believed only if it and every kernel that it names are ours and intact."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rekkyo.kernel_cache import CACHE_VARIABLE, Places, write_sealed
from rekkyo.kernel_levels import LEVELS
from rekkyo.warm import processes, record
from rekkyo.warm.jobs import Job
from rekkyo.warm.processes import warm
from rekkyo.warm.record import RECORD_SUFFIX, Warmed, keep_record, recorded
from tests.programs import python_code

FILES = tuple(f"engines.small.kernel.{name}-{'0' * 16}-{'a' * 16}.kernel" for name in ("halved", "doubled"))
JOBS = (Warmed("first", 2, 0, 1.0, 1.5, FILES[:1]), Warmed("second", 0, 0, 0.0, 0.1, FILES[1:]))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, with a record of two jobs of one kernel each. There are none in the package."""
    use(Places(tmp_path), monkeypatch)
    for name in FILES:
        write_sealed(tmp_path / name, b"code")
    keep_record(JOBS)
    return tmp_path


def use(places: Places | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "places_of_kernels", lambda: places)


def test_every_job_is_as_before_and_nothing_is_compiled(folder: Path) -> None:
    found = recorded()
    assert found is not None
    assert [(job.name, job.n_functions, job.n_shipped) for job in found] == [
        ("first", 0, 0),
        ("second", 0, 0),
    ]


def the_record(folder: Path) -> Path:
    (path,) = folder.glob(f"*{RECORD_SUFFIX}")
    return path


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("change", ["gone", "one byte", "writable", "a link"])
def test_a_changed_file_makes_the_record_useless(folder: Path, which: int, change: str) -> None:
    path = (the_record(folder), *(folder / name for name in FILES))[which]
    content = path.read_bytes()
    if change == "writable":
        path.chmod(0o666)
    else:
        path.unlink()
    if change == "one byte":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    if change == "a link":
        other = folder / "other"
        other.write_bytes(content)
        path.symlink_to(other)
    assert recorded() is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'"first"',
        b"\xff",
        json.dumps({"first": ["../../outside.kernel"]}).encode(),
        json.dumps({"first": [FILES[0], 7]}).encode(),
        json.dumps({"first": 7}).encode(),
    ],
)
def test_a_sealed_file_that_is_no_record(folder: Path, content: bytes) -> None:
    write_sealed(folder.parent / "outside.kernel", b"code")
    write_sealed(the_record(folder), content)
    assert recorded() is None


def test_a_record_of_other_sources_is_not_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_all_sources", lambda: "other")
    assert recorded() is None
    keep_record(JOBS)
    assert recorded() is not None
    assert len(list(folder.glob(f"*{RECORD_SUFFIX}"))) == 2


def test_a_record_of_another_processor_is_not_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record.config, "CPU_NAME", "x86-64-v2")
    assert recorded() is None


def test_the_record_of_the_package_is_that_of_the_level(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path_factory.mktemp("own")
    use(Places(own, folder, LEVELS[0]), monkeypatch)
    assert recorded() is None, "a record of this processor is not one of the level"
    name = record._name_for(LEVELS[0].cpu, LEVELS[0].features)
    the_record(folder).rename(folder / name)
    found = recorded()
    assert found is not None
    assert [job.n_shipped for job in found] == [1, 1]
    write_sealed(own / FILES[0], b"newer code")
    found = recorded()
    assert found is not None
    assert [job.n_shipped for job in found] == [0, 1]
    use(Places(own, folder, LEVELS[1]), monkeypatch)
    assert recorded() is None


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    use(None, monkeypatch)
    keep_record(JOBS)
    assert recorded() is None


def test_only_a_complete_warm_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(Places(tmp_path), monkeypatch)
    monkeypatch.setattr(processes, "all_jobs", lambda: (Job("first", int), Job("second", int)))
    warming = warm(1)
    next(warming)
    next(warming)
    warming.close()
    assert recorded() is None
    assert len(list(warm(1))) == 2
    found = recorded()
    assert found is not None
    assert [replace(job, elapsed_s=0.0) for job in found] == [
        Warmed("first", 0, 0, 0.0, 0.0),
        Warmed("second", 0, 0, 0.0, 0.0),
    ]


WARM_ONE = """
import sys
import numpy as np
from rekkyo.engines.digest import row_hashes
from rekkyo.warm import processes
from rekkyo.warm.jobs import Job
processes.all_jobs = lambda: (Job("rows", lambda: row_hashes(np.zeros((1, 2), dtype=np.uint8))),)
from rekkyo.cli.main import main
sys.argv = ["rekkyo", "warm"]
main()
"""


def test_the_command_checks_files_the_second_time(tmp_path: Path) -> None:
    def said() -> str:
        return python_code(WARM_ONE, env=os.environ | {CACHE_VARIABLE: str(tmp_path)})

    assert "rows               compiled in" in said()
    assert said().startswith("rows               compiled before\n0.0 s of compiling; kept in ")
    # A kernel that Python calls: code of `_hash_row` is linked into it, so a lost file of that is not missed.
    kernel = min(tmp_path.glob("*/engines.digest.hash_rows-*.kernel"))
    kernel.unlink()
    assert "rows               compiled in" in said()
    assert kernel.is_file()
