"""Files that a user named for output: what is written, what is left alone, and what is refused."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, ReaderGone
from rekkyo.store.output_file import file_to_write, output_file, write_output
from tests.programs import in_shell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and permissions of POSIX")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def read_in_background(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    """Read a named pipe to its end. The list has the content when the thread has ended."""
    contents: list[bytes] = []
    reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()), daemon=True)
    reader.start()
    return reader, contents


class TestWhatIsWritten:
    def test_a_new_file_and_one_that_is_replaced(self, tmp_path: Path) -> None:
        for content in (b"first", b"second, longer", b"3"):
            write_output(tmp_path / "out", content)
            assert (tmp_path / "out").read_bytes() == content
        assert names_in(tmp_path) == ["out"]

    def test_a_failure_leaves_everything_as_it_was(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_bytes(b"earlier")
        with pytest.raises(KeyboardInterrupt), output_file(tmp_path / "out") as file:
            file.write(b"x" * 100_000)
            raise KeyboardInterrupt
        assert (tmp_path / "out").read_bytes() == b"earlier"
        assert names_in(tmp_path) == ["out"]

    @pytest.mark.parametrize("fails", ["fsync", "replace"])
    def test_a_failure_at_the_end_names_the_file(
        self, fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It named the draft, and nothing was synced: after a power cut a replaced file could be empty."""
        (tmp_path / "out").write_bytes(b"earlier")

        def failing(draft: object, *_: object) -> None:
            raise OSError(5, "Input/output error", *([draft] if fails == "replace" else []))

        monkeypatch.setattr(os, fails, failing)
        with pytest.raises(OSError, match="Input/output error") as seen:
            write_output(tmp_path / "out", b"later")
        assert seen.value.filename == str(tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == b"earlier"
        assert names_in(tmp_path) == ["out"]

    def test_permissions_are_those_that_open_gives(self, tmp_path: Path) -> None:
        (tmp_path / "opened").write_bytes(b"")
        write_output(tmp_path / "new", b"")
        assert mode_of(tmp_path / "new") == mode_of(tmp_path / "opened")
        (tmp_path / "new").chmod(0o600)
        write_output(tmp_path / "new", b"again")
        assert mode_of(tmp_path / "new") == 0o600

    @pytest.mark.parametrize("exists", [True, False])
    def test_a_link_stays_and_the_file_behind_it_is_written(self, exists: bool, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        target = tmp_path / "folder" / "file"
        if exists:
            target.write_bytes(b"earlier")
        (tmp_path / "link").symlink_to("folder/file")
        write_output(tmp_path / "link", b"new")
        assert (tmp_path / "link").is_symlink()
        assert target.read_bytes() == b"new"
        assert names_in(tmp_path / "folder") == ["file"]

    @pytest.mark.parametrize("through_link", [False, True])
    def test_a_pipe_is_written_and_stays(self, through_link: bool, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        (tmp_path / "link").symlink_to(pipe)
        reader, contents = read_in_background(pipe)
        write_output(tmp_path / "link" if through_link else pipe, b"content")
        reader.join()
        assert contents == [b"content"]
        assert pipe.is_fifo()
        assert names_in(tmp_path) == ["link", "pipe"]

    def test_a_reader_that_closes_the_pipe(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        with pytest.raises(ReaderGone, match=r"the reader of .*pipe closed it"), output_file(pipe) as file:
            os.close(reader)
            file.write(b"x" * 100_000)

    def test_an_open_file_is_written_where_it_is(self, tmp_path: Path) -> None:
        """As `/dev/stdout` is for a command whose output is added to a file."""
        path = tmp_path / "log"
        path.write_bytes(b"earlier, ")
        with path.open("ab", buffering=0) as log:
            name = f"/dev/fd/{log.fileno()}"
            (tmp_path / "stdout").symlink_to(name)
            write_output(name, b"by number, ")
            write_output(tmp_path / "stdout", b"by link, ")
            log.write(b"later")
        assert path.read_bytes() == b"earlier, by number, by link, later"


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("name", "complaint"),
        [
            ("folder", "is a folder; name a file in it"),
            ("nowhere/out", "there is no folder .*nowhere; make it"),
            ("file/out", "there is no folder"),
            ("read", "is the file that is read; name another one"),
            ("link-to-read", "is the file that is read; name another one"),
            ("hard-link-to-read", "is the file that is read; name another one"),
            ("loop", "is a link that leads back to itself; remove it"),
        ],
    )
    def test_before_anything_is_written(self, name: str, complaint: str, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "file").write_bytes(b"")
        (tmp_path / "read").write_bytes(b"the puzzle")
        (tmp_path / "link-to-read").symlink_to("read")
        (tmp_path / "hard-link-to-read").hardlink_to(tmp_path / "read")
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(BadInput, match=complaint):
            file_to_write(tmp_path / name, inputs=["no such file", "", tmp_path / "read"])

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everything")
    @pytest.mark.parametrize("is_folder", [True, False])
    def test_what_may_not_be_written(self, is_folder: bool, tmp_path: Path) -> None:
        (tmp_path / "out").write_bytes(b"")
        closed = tmp_path if is_folder else tmp_path / "out"
        closed.chmod(0o500)
        try:
            with pytest.raises(BadInput, match="the permission is missing; name another file"):
                file_to_write(tmp_path / "out")
        finally:
            closed.chmod(0o700)

    def test_files_of_a_run(self, tmp_path: Path) -> None:
        rk.run(rk.queens(4), tmp_path / "run")
        (tmp_path / "link").symlink_to("run/index.sqlite")
        for name in ("run/index.sqlite", "run/new.csv", "link"):
            with pytest.raises(BadInput, match="would be among the files of a run"):
                file_to_write(tmp_path / name)

    def test_other_folders_may_have_a_manifest(self, tmp_path: Path) -> None:
        (tmp_path / "manifest.json").write_text("{}")
        assert file_to_write(tmp_path / "out.svg") == (tmp_path / "out.svg").resolve()


def test_diagrams_are_written_in_this_way(tmp_path: Path) -> None:
    puzzle = rk.puzzle("dominoes 2 2")
    diagram = rk.diagram(puzzle)
    rk.save_diagram(diagram, tmp_path / "file", puzzle)
    os.mkfifo(tmp_path / "pipe")
    reader, contents = read_in_background(tmp_path / "pipe")
    rk.save_diagram(diagram, tmp_path / "pipe", puzzle)
    reader.join()
    assert contents == [(tmp_path / "file").read_bytes()]
    rk.run(rk.queens(4), tmp_path / "run")
    with pytest.raises(BadInput, match="among the files of a run"):
        rk.save_diagram(diagram, tmp_path / "run" / "index.sqlite", puzzle)


def test_a_number_that_no_open_file_has() -> None:
    """It was passed on, and did not fit into what the system takes."""
    with pytest.raises((OSError, BadInput)):
        write_output(Path(f"/dev/fd/{'9' * 20}"), b"rows")


def test_standard_output_by_name(tmp_path: Path) -> None:
    export = "rekkyo export queens 4 --to csv"
    commands = f"{export} > plain\n{export} -o /dev/stdout >> out\n{export} -o /dev/stdout | cat >> out"
    done = in_shell(commands, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "plain").read_text().endswith("\n1,3,0,2\n2,0,3,1\n")
    assert (tmp_path / "out").read_bytes() == (tmp_path / "plain").read_bytes() * 2
