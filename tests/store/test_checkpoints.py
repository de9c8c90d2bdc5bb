"""The file of a checkpoint is as docs/run-format.md describes it, and is written when it is due."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo import safe_files
from rekkyo.engines.checkpoints import Saved
from rekkyo.errors import BadInput
from rekkyo.store import checkpoints
from rekkyo.store.checkpoints import (
    CHECKPOINT,
    INCOMPLETE,
    CheckpointFile,
    RunCheckpoints,
    drop_files,
    newest_checkpoint,
)

KEY = "0123456789abcdef" * 4
NUMBERS, WORDS = [3, 1 << 70, 0], [1, 1 << 63, 5]
ROOM = 1 << 20


def head(**changed: object) -> bytes:
    facts = {"format": 1, "key": KEY, "numbers": NUMBERS}
    return json.dumps(facts | changed).encode() + b"\n"


def sealed(first_line: bytes, words: list[int]) -> bytes:
    """A file of any content, with the right checksum."""
    content = first_line + b"".join(struct.pack("<Q", word) for word in words)
    return content + hashlib.sha256(content).digest()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def place(tmp_path: Path, said: list[str]) -> CheckpointFile:
    return CheckpointFile(tmp_path / "checkpoint.bin", KEY, 10, said.append)


def content(saved: Saved) -> tuple[list[int], list[int]]:
    return list(saved.numbers), saved.words.tolist()


class TestContent:
    def test_it_is_written_as_the_page_says(self, place: CheckpointFile, tmp_path: Path) -> None:
        """Arrays are written one after the other, also those with several columns and those that are a part
        of another.
        """
        both = np.array([[1, 0], [1 << 63, 0]], dtype=np.uint64)
        place.write(NUMBERS, [both[:, 0], np.array([[5]], dtype=np.uint64)])
        assert (tmp_path / "checkpoint.bin").read_bytes() == sealed(head(), WORDS)
        assert place.is_there

    def test_it_is_read_as_the_page_says(self, place: CheckpointFile, tmp_path: Path) -> None:
        (tmp_path / "checkpoint.bin").write_bytes(sealed(head(), WORDS))
        assert not place.is_there
        assert place.read(8 * len(WORDS), content) == (NUMBERS, WORDS)
        assert place.is_there

    def test_there_may_be_no_words(self, place: CheckpointFile, tmp_path: Path) -> None:
        (tmp_path / "checkpoint.bin").write_bytes(sealed(head(), []))
        assert place.read(0, content) == (NUMBERS, [])

    def test_nothing_is_said_where_there_is_none(self, place: CheckpointFile, said: list[str]) -> None:
        assert place.read(ROOM, content) is None
        assert (place.is_there, said) == (False, [])

    @pytest.mark.parametrize(
        ("written", "reason"),
        [
            pytest.param(b"", "it is not complete", id="empty"),
            pytest.param(sealed(head(), WORDS)[:-1], "it is not complete", id="shorter"),
            pytest.param(sealed(head(), WORDS) + b"\0", "it is not complete", id="longer"),
            pytest.param(sealed(head(), WORDS)[:-8], "it does not have its checksum", id="a word shorter"),
            pytest.param(sealed(head(), [*WORDS, 6]), "it takes too much memory", id="too large"),
            pytest.param(sealed(head(format=2), WORDS), "another format", id="format"),
            pytest.param(sealed(head(key=KEY[::-1]), WORDS), "another count", id="key"),
            pytest.param(sealed(head(numbers=None), WORDS), "another count", id="no numbers"),
            pytest.param(sealed(head(numbers=[1, -1]), WORDS), "another count", id="negative"),
            pytest.param(sealed(head(numbers=[1, True]), WORDS), "another count", id="truth"),
            pytest.param(sealed(head(numbers=[1, 2.0]), WORDS), "another count", id="float"),
            pytest.param(sealed(head(numbers={"1": 2}), WORDS), "another count", id="object"),
            pytest.param(sealed(b"[1, 2]\n", WORDS), "another format", id="a list"),
            pytest.param(sealed(b"{" + b" " * 5000 + head()[1:], WORDS), "", id="a long line"),
            pytest.param(sealed(b"[" * 4000 + b"\n", WORDS), "", id="a deep one"),
            pytest.param(sealed(b"format 1\n", WORDS), "", id="no JSON"),
        ],
    )
    def test_what_is_not_used(
        self, place: CheckpointFile, tmp_path: Path, said: list[str], written: bytes, reason: str
    ) -> None:
        path = tmp_path / "checkpoint.bin"
        path.write_bytes(written)
        room = 8 * len(WORDS) if reason == "it takes too much memory" else ROOM
        assert place.read(room, content) is None
        assert not place.is_there
        (line,) = said
        assert line.startswith(f"{path} is not used, and the count begins again: ")
        assert reason in line

    def test_a_file_that_cannot_be_read_is_not_used(
        self, place: CheckpointFile, said: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(path: Path) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(checkpoints, "open_file", fail)
        assert place.read(ROOM, content) is None
        assert [line.rpartition(": ")[2] for line in said] == ["Permission denied"]

    def test_what_does_not_fit_the_count_is_not_used(
        self, place: CheckpointFile, tmp_path: Path, said: list[str]
    ) -> None:
        def refuse(saved: Saved) -> None:
            raise ValueError("its size does not fit the plan")

        (tmp_path / "checkpoint.bin").write_bytes(sealed(head(), WORDS))
        place.read(ROOM, refuse)
        assert not place.is_there
        assert [line.rpartition(": ")[2] for line in said] == ["its size does not fit the plan"]

    def test_nothing_is_written_after_a_failure(
        self, place: CheckpointFile, tmp_path: Path, said: list[str]
    ) -> None:
        path = tmp_path / "checkpoint.bin"
        path.mkdir()
        place.write(NUMBERS, [])
        path.rmdir()
        place.write(NUMBERS, [])
        assert not path.exists()
        assert not place.is_there
        assert len(said) == 1

    def test_a_link_in_the_way_is_not_followed(
        self, place: CheckpointFile, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is not followed either if the system cannot refuse links, as Windows."""
        monkeypatch.setattr(safe_files, "O_NOFOLLOW", 0)
        (tmp_path / "checkpoint.bin.new").symlink_to(tmp_path / "outside")
        place.write(NUMBERS, [])
        assert not (tmp_path / "outside").exists()
        (line,) = said
        assert "cannot be written, so the count has no checkpoint: " in line


class TestNewest:
    """The newest checkpoint of a directory is found by the times of the files."""

    NAMES = "checkpoint-00000000000000aa.bin", "checkpoint-00000000000000bb.bin"

    def test_of_several_files(self, tmp_path: Path) -> None:
        for days, name in enumerate((*self.NAMES, "checkpoint-mine.bin"), 1):
            (tmp_path / name).write_bytes(b"")
            os.utime(tmp_path / name, (0, 86400 * days))
        (tmp_path / "checkpoint-00000000000000cc.bin").mkdir()
        assert newest_checkpoint(tmp_path) == "1970-01-03T00:00:00+00:00"

    def test_of_none(self, tmp_path: Path) -> None:
        assert newest_checkpoint(tmp_path) is None
        assert newest_checkpoint(tmp_path / "not there") is None


def test_only_plain_files_are_dropped(tmp_path: Path) -> None:
    """Links and folders with such names stay. A directory that does not exist is no error."""
    plain, link, folder = (tmp_path / f"checkpoint-00000000000000{name}.bin" for name in ("aa", "bb", "cc"))
    outside = tmp_path / "notes.txt"
    outside.write_bytes(b"mine")
    for name in range(16):
        (tmp_path / f"checkpoint-000000000000000{name:x}.bin").write_bytes(b"")
    plain.write_bytes(b"")
    link.symlink_to(outside)
    folder.mkdir()
    drop_files(tmp_path, CHECKPOINT, INCOMPLETE)
    assert {*tmp_path.iterdir()} == {link, folder, outside}
    drop_files(tmp_path / "not there", CHECKPOINT)


class TestWhenOneIsDue:
    """The test sets the clock."""

    @pytest.fixture
    def now(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        clock = [1000.0]
        monkeypatch.setattr(checkpoints.time, "monotonic", lambda: clock[0])
        return clock

    def file(self, folder: Path, every_s: int) -> CheckpointFile:
        return RunCheckpoints(folder, "plan", every_s, None).of(("count", 1))

    def test_some_seconds_after_the_last_one(self, tmp_path: Path, now: list[float]) -> None:
        place = self.file(tmp_path, 10)
        due = []
        for now[0] in (1000.0, 1009.9, 1010.0):
            due.append(place.is_due(1000))
        place.write([1], [])
        for now[0] in (1010.0, 1019.9, 1020.0):
            due.append(place.is_due(1000))
        assert due == [False, False, True, False, False, True]

    def test_later_if_it_takes_long(self, tmp_path: Path, now: list[float]) -> None:
        """Writing takes at most a twentieth of the time, by the time that the last file took or that the
        bytes will take.
        """
        place = self.file(tmp_path, 10)

        def slowly() -> Iterator[Any]:
            now[0] += 3
            yield np.zeros(0, dtype=np.uint64)

        now[0] = 1000.0 + 20 * 2
        assert not place.is_due(200_000_001)
        assert place.is_due(200_000_000)
        place.write([1], slowly())
        for seconds, is_due in ((59.9, False), (60.0, True)):
            now[0] = 1043.0 + seconds
            assert place.is_due(1000) == is_due

    def test_always(self, tmp_path: Path, now: list[float]) -> None:
        place = self.file(tmp_path, 0)
        assert place.is_due(1 << 40)
        place.write([1], [])
        assert place.is_due(1 << 40)

    def test_the_seconds_are_checked(self) -> None:
        for wrong in (-1, 0.5, True):
            with pytest.raises(
                BadInput, match=f"checkpoint_s must be a whole number from 0 to .*, not {wrong}"
            ):
                rk.Sizes(checkpoint_s=wrong)  # type: ignore[arg-type]
