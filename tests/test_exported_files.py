"""Files that exports write: each whole or not at all, and files of others are not replaced."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle


def test_only_the_named_file_is_written(tmp_path: Path) -> None:
    """Files whose names only begin in the same way are the user's, and a link there leads elsewhere."""
    (tmp_path / "victim").write_text("precious")
    for name in ("b.csv.part.json", "b.csv.json", "b.csv.new"):
        (tmp_path / name).write_text("precious")
    (tmp_path / "b.csv.part").symlink_to("victim")
    before = {path: path.read_text() for path in tmp_path.iterdir()}
    rk.export_puzzle(rk.queens(4), "csv", tmp_path / "b.csv")
    with pytest.raises(BadInput, match="b-file needs a puzzle with one size"):
        rk.export_puzzle(rk.puzzle("soma"), "bfile", tmp_path / "b.csv")
    (tmp_path / "b.csv").unlink()
    assert {path: path.read_text() for path in tmp_path.iterdir()} == before


def test_a_foreign_file_is_not_replaced_by_the_header_of_an_array(tmp_path: Path) -> None:
    header = tmp_path / "data.json"

    def refused() -> None:
        with pytest.raises(BadInput, match=r"data\.json: the header .* another file has this name; move it"):
            rk.export_puzzle(rk.queens(4), "npy", tmp_path / "data")
        assert not (tmp_path / "data").exists()

    for content in (b'{"mine": 1}', b"[" * 100_000, b"\xff", b""):
        header.write_bytes(content)
        refused()
        assert header.read_bytes() == content
    rk.export_puzzle(rk.queens(4), "npy", tmp_path / "other")
    header.unlink()
    header.symlink_to("other.json")
    refused()
    header.unlink()
    header.mkdir()
    refused()


def test_the_header_of_an_earlier_array_is_replaced(tmp_path: Path) -> None:
    for n in (4, 6):
        rk.export_puzzle(rk.queens(n), "npy", tmp_path / "data")
    assert np.load(tmp_path / "data").shape == (4, 6)
    assert json.loads((tmp_path / "data.json").read_text())["puzzle"] == "queens 6"


def test_an_array_and_its_header_are_on_the_disk_before_either_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header was replaced first, so that a full disk could leave it beside an earlier array."""
    rk.export_puzzle(rk.queens(4), "npy", tmp_path / "data")
    done: list[str] = []
    sync, put = os.fsync, os.replace

    def fsync(number: int) -> None:
        done.append("sync")
        sync(number)

    def put_in_place(draft: Path, path: Path) -> None:
        done.append(path.name)
        put(draft, path)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", put_in_place)
    rk.export_puzzle(rk.queens(6), "npy", tmp_path / "data")
    assert done == ["sync", "sync", "data", "data.json"]


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("has_links", [True, False])
def test_an_array_whose_header_cannot_be_replaced(
    exists: bool, has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new array was left beside the header of an earlier one."""
    if exists:
        rk.export_puzzle(rk.queens(4), "npy", tmp_path / "data")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    put = os.replace

    def put_in_place(draft: Path, path: Path) -> None:
        if path.name == "data.json":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(draft))
        put(draft, path)

    def no_links(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "replace", put_in_place)
    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(OSError, match=r"data\.json") as failed:
        rk.export_puzzle(rk.queens(6), "npy", tmp_path / "data")
    assert failed.value.errno == errno.EIO
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert after.keys() == before.keys()
    assert after == before or (exists and not has_links)


def test_the_file_of_the_puzzle_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "my cover.xcc"
    path.write_text("A B\nA B\n")
    (tmp_path / "blocked").write_text("0,0")
    for puzzle, out in (
        (rk.puzzle_from_file(path), path),
        (Puzzle(f"queens 4 {tmp_path / 'blocked'}", rk.queens(4).model, ""), tmp_path / "blocked"),
    ):
        with pytest.raises(BadInput, match="is the file that is read; name another one for output"):
            rk.export_puzzle(puzzle, "csv", out)


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes of POSIX")
def test_what_is_written_from_its_end_needs_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for to in ("npy", "parquet"):
        with pytest.raises(BadInput, match=f"{to} cannot be written into a pipe; name a file with -o"):
            rk.export_puzzle(rk.queens(4), to, tmp_path / "pipe")


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="b-file needs a puzzle with one size"):
        rk.export_puzzle(rk.puzzle("soma"), "bfile", tmp_path / "soma.txt")
    assert list(tmp_path.iterdir()) == []
