"""How the directory of a run is made: beside other files, after a crash, and of two at once."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

import rekkyo as rk
from rekkyo.errors import BadRun
from rekkyo.model.exact_cover import ExactCover
from rekkyo.safe_files import open_file
from rekkyo.store import manifest, run_directory
from rekkyo.store.index import Index
from rekkyo.store.lock import Lock
from rekkyo.store.manifest import write_durably
from tests import naive
from tests.runs.test_stored import rows_of


def own_cover() -> rk.Puzzle:
    """A puzzle that a run keeps as a file."""
    return rk.Puzzle("mine", ExactCover(("a",), (), (((0, 0),),)), "mine")


class TestCreating:
    def test_a_directory_with_other_files_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("mine")
        with pytest.raises(BadRun, match=r"is not empty and holds no run \(there is thesis\.tex\)"):
            rk.run(rk.queens(6), tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]

    @pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be synced")
    def test_the_names_of_all_new_folders_are_made_durable(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        synced: list[Path] = []
        monkeypatch.setattr(run_directory, "sync_folder", synced.append)
        rk.run(rk.queens(6), tmp_path / "a" / "b" / "run", workers=1)
        holding = [each for each in synced if each.name != "run"]
        assert holding == [tmp_path / "a" / "b", tmp_path / "a", tmp_path]

    @pytest.mark.parametrize("name", ["loop", "loop/run", "to-nothing"])
    def test_a_link_that_leads_nowhere_is_refused(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path / "to-nothing").symlink_to("nothing")
        with pytest.raises(BadRun, match=r"cannot be made: .*; name another directory"):
            rk.run(rk.queens(6), tmp_path / name)

    def test_of_two_that_begin_at_once_the_second_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        acquire = Lock.acquire

        def after_another(lock: Lock) -> None:
            monkeypatch.undo()
            rk.run(rk.queens(6), tmp_path)
            acquire(lock)

        monkeypatch.setattr(Lock, "acquire", after_another)
        with pytest.raises(BadRun, match="holds a run already"):
            rk.run(rk.queens(5), tmp_path)
        assert not (tmp_path / "setup").exists()
        assert rk.Run(tmp_path).resume().total == 4

    def test_ctrl_c_when_the_manifest_has_got_its_name_is_not_an_error_of_the_disk(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replace_it = Path.replace

        def replace_and_interrupt(path: Path, target: Path) -> None:
            replace_it(path, target)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Path, "replace", replace_and_interrupt)
            rk.run(rk.queens(6), tmp_path / "run")
        assert rk.Run(tmp_path / "run").resume().total == 4

    def test_ctrl_c_when_a_file_is_opened_leaves_none_in_the_way(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The next checkpoint could not be written."""

        def open_and_interrupt(path: Path, mode: str) -> IO[bytes]:
            open_file(path, mode).close()
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(manifest, "open_file", open_and_interrupt)
            write_durably(tmp_path / "checkpoint", [b"states"])
        write_durably(tmp_path / "checkpoint", [b"states"])
        assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]

    def test_another_file_in_the_place_of_a_draft_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / "checkpoint.new").write_text("mine")
        with pytest.raises(FileExistsError):
            write_durably(tmp_path / "checkpoint", [b"states"])
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("checkpoint.new", "mine")]

    def test_a_name_that_is_not_text_is_kept(self, tmp_path: Path) -> None:
        """As of a puzzle file whose name is in another encoding."""
        name = os.fsdecode(b"mine\xe9.xcc")
        assert rk.run(replace(own_cover(), name=name), tmp_path).puzzle == name
        assert rk.Run(tmp_path).resume().puzzle == name

    def test_a_file_in_the_way_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "run").write_text("")
        with pytest.raises(BadRun, match="is not a directory"):
            rk.run(rk.queens(6), tmp_path / "run")

    def test_what_a_crash_before_the_manifest_left_is_no_obstacle(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(run_directory, "write_manifest", crash)
            rk.run(own_cover(), tmp_path)
        (tmp_path / "manifest.json.new").write_bytes(b"{")
        (tmp_path / "index.sqlite-wal").write_bytes(b"left over")
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {
            "lock",
            "setup",
            "index.sqlite",
            "index.sqlite-wal",
            "manifest.json.new",
            "puzzle.xcc",
        }
        assert rk.run(rk.queens(6), tmp_path).total == 4
        assert rows_of(tmp_path) == naive.queens_solutions(6)
        assert {path.name for path in tmp_path.iterdir()} == {
            "lock",
            "index.sqlite",
            "manifest.json",
            "rows-0.bin",
            *(path.name for path in tmp_path.glob("rows-*.bin")),
        }

    @pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.9])
    def test_a_set_up_of_which_a_part_was_written_is_no_obstacle(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
    ) -> None:
        """The disk is full, or the process is killed."""

        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Index, "create", crash)
            rk.run(rk.queens(6), tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {"lock", "setup"}
        os.truncate(tmp_path / "setup", int(share * (tmp_path / "setup").stat().st_size))
        assert rk.run(rk.queens(6), tmp_path).total == 4
        assert not (tmp_path / "setup").exists()

    @pytest.mark.parametrize(
        "files", [{"setup": ""}, {"setup": "mine"}, {"setup": "\nlock\n"}, {"lock": "mine"}]
    )
    def test_other_files_with_these_names_are_left_alone(self, tmp_path: Path, files: dict[str, str]) -> None:
        for name, content in files.items():
            (tmp_path / name).write_text(content)
        with pytest.raises(BadRun, match=f"holds no run \\(there is {min(files)}\\)"):
            rk.run(rk.queens(5), tmp_path)
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files

    @pytest.mark.parametrize(
        "name",
        ["notes.new", "puzzle.docx", "puzzle.toml", "index.sqlite-wal", "rows-0.bin", "manifest.json.new"],
    )
    def test_nothing_is_deleted_that_no_set_up_names(self, name: str, tmp_path: Path) -> None:
        (tmp_path / name).write_text("mine")
        with pytest.raises(BadRun, match="is not empty and holds no run"):
            rk.run(rk.queens(5), tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == [name]
        assert (tmp_path / name).read_text() == "mine"

    @pytest.mark.parametrize(
        "name", ["thesis.tex", "../thesis.tex", "rows-0.bin", "notes.new", "manifest.json.bak"]
    )
    def test_nothing_else_is_deleted_whatever_a_set_up_names(self, name: str, tmp_path: Path) -> None:
        """A `setup` may come from elsewhere."""
        folder = tmp_path / "run"
        folder.mkdir()
        (folder / name).write_text("mine")
        (folder / "setup").write_text(f"{run_directory.SETUP_HEAD}\nsetup\n{name}\n")
        with suppress(BadRun):
            rk.run(rk.queens(5), folder)
        assert (folder / name).read_text() == "mine"

    def test_a_link_that_a_set_up_names_is_neither_followed_nor_deleted(self, tmp_path: Path) -> None:
        folder = tmp_path / "run"
        folder.mkdir()
        (tmp_path / "mine").write_text("mine")
        (folder / "puzzle.toml").symlink_to(tmp_path / "mine")
        (folder / "setup").write_text(f"{run_directory.SETUP_HEAD}\nsetup\npuzzle.toml\n")
        with pytest.raises(BadRun, match=r"holds no run \(there is puzzle\.toml\)"):
            rk.run(rk.queens(5), folder)
        assert (folder / "puzzle.toml").read_text() == "mine"

    def test_a_run_whose_manifest_is_lost_keeps_its_index(self, folder: Path) -> None:
        manifest = (folder / "manifest.json").read_bytes()
        before = rk.Run(folder).status()
        (folder / "manifest.json").unlink()
        with pytest.raises(BadRun, match=r"holds index\.sqlite and no manifest\.json: .* put back a copy"):
            rk.run(rk.queens(5), folder)
        (folder / "manifest.json").write_bytes(manifest)
        assert rk.Run(folder).status() == before

    def test_a_set_up_that_crashed_at_its_very_end_is_a_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(run_directory, "_end_setup", lambda folder: None)
            rk.run(rk.queens(6), tmp_path)
        assert (tmp_path / "setup").is_file()
        assert rk.Run(tmp_path).resume().total == 4
        assert not (tmp_path / "setup").exists(), "or a lost manifest would have the index deleted"
