"""What a power cut leaves of a run: a name or a record only of what is on the disk before."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.runs import stored
from rekkyo.store import run_directory
from rekkyo.store.finished import Finished
from rekkyo.store.index import Index
from rekkyo.store.manifest import Manifest, write_durably, write_manifest
from rekkyo.store.rows import row_file
from tests.store.test_creating import own_cover


class Disk:
    """What a power cut would leave: the bytes of files and the names in folders that were synced."""

    def __init__(self) -> None:
        self._n_bytes: dict[int, int] = {}
        self._names: dict[int, list[str]] = {}

    def sync(self, descriptor: int) -> None:
        facts = os.fstat(descriptor)
        if stat.S_ISDIR(facts.st_mode):
            self._names[facts.st_ino] = os.listdir(descriptor)
        else:
            self._n_bytes[facts.st_ino] = facts.st_size

    def n_bytes(self, path: Path) -> int:
        return self._n_bytes.get(path.stat().st_ino, 0)

    def has_name(self, path: Path) -> bool:
        return path.name in self._names.get(path.parent.stat().st_ino, [])


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be synced")
class TestPowerCut:
    @pytest.fixture
    def disk(self, monkeypatch: pytest.MonkeyPatch) -> Disk:
        disk = Disk()
        monkeypatch.setattr(os, "fsync", disk.sync)
        return disk

    @pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1)])
    def test_rows_and_their_names_are_safe_before_they_are_recorded_once(
        self, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, executor: Executor | None
    ) -> None:
        commit, n_rows = Index.commit, 0

        def checked(index: Index, records: Sequence[Finished], elapsed_s: float) -> list[Finished]:
            nonlocal n_rows
            for record in records:
                assert record.place is not None
                path = row_file(tmp_path / "run", record.place.file)
                assert disk.n_bytes(path) >= record.place.start + 8 * record.kept
                assert disk.has_name(path)
                n_rows += record.kept
            return commit(index, records, elapsed_s)

        monkeypatch.setattr(Index, "commit", checked)
        monkeypatch.setattr(stored, "COMMIT_EVERY_S", 0.0)
        rk.run(rk.queens(8), tmp_path / "run", workers=2, executor=executor)
        assert n_rows == 92

    def test_a_file_is_safe_before_it_has_its_name_and_the_name_after_that(
        self, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rename = Path.replace

        def checked(path: Path, target: Path) -> None:
            assert disk.n_bytes(path) == len(b"first second")
            rename(path, target)

        monkeypatch.setattr(Path, "replace", checked)
        write_durably(tmp_path / "file", [b"first ", b"second"])
        assert disk.n_bytes(tmp_path / "file") == len(b"first second")
        assert disk.has_name(tmp_path / "file")

    def test_the_manifest_comes_when_everything_else_is_safe(
        self, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def checked(folder: Path, manifest: Manifest) -> None:
            assert Index.open(folder / "index.sqlite", manifest.n_shards, writing=False).shards()
            assert disk.n_bytes(folder / "puzzle.xcc") > 0
            assert disk.has_name(folder / "puzzle.xcc")
            assert disk.has_name(folder / "index.sqlite")
            write_manifest(folder, manifest)

        monkeypatch.setattr(run_directory, "write_manifest", checked)
        assert rk.run(own_cover(), tmp_path / "run").total == 1
