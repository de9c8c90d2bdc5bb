"""The file of the index: locked, replaced, linked, changed in part, truncated or not there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rekkyo.errors import (
    BadInput,
    BadRun,
    RunDamaged,
    RunInUse,
    RunStopped,
    RunUnreadable,
)
from rekkyo.store.finished import Finished
from rekkyo.store.index import Index
from rekkyo.store.sqlite import translated_errors
from tests.store.indexes import RECORD, SHARDS, finished, writing


class TestErrorsAreToldApart:
    def test_locked_by_another_program(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REKKYO_WAIT_S", "0")
        with closing(sqlite3.connect(path, isolation_level=None)) as other, writing(path) as index:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(RunInUse, match=r"is locked by another program; wait .*REKKYO_WAIT_S"):
                index.commit([RECORD], 1.0)
        assert finished(path) == []

    def test_a_lock_without_a_log_keeps_readers_out_and_says_so(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REKKYO_WAIT_S", "0")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("PRAGMA journal_mode=DELETE")
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(RunInUse, match="is locked by another program"):
                finished(path)

    @pytest.mark.parametrize("wait", ["soon", "-1", "nan", "inf", "1e9"])
    def test_a_wait_that_is_no_number_of_seconds_is_refused(
        self, path: Path, wait: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REKKYO_WAIT_S", wait)
        with pytest.raises(BadInput, match="REKKYO_WAIT_S is a number of seconds from 0"):
            Index.open(path, len(SHARDS), writing=False)

    @pytest.mark.parametrize(
        ("code", "kind", "said"),
        [
            (sqlite3.SQLITE_BUSY, RunInUse, "locked by another program"),
            (sqlite3.SQLITE_FULL, RunStopped, "cannot be written .*see whether the disk is full"),
            (sqlite3.SQLITE_IOERR, RunStopped, "cannot be written"),
            (sqlite3.SQLITE_READONLY, RunUnreadable, "cannot be written .*see whether you may write it"),
            (sqlite3.SQLITE_CORRUPT, RunDamaged, "is damaged"),
        ],
    )
    def test_what_sqlite_says_while_it_writes(
        self, path: Path, code: int, kind: type[Exception], said: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(*_: object) -> int:
            problem = sqlite3.OperationalError("SQLite says so")
            problem.sqlite_errorcode = code
            raise problem

        with writing(path) as index, monkeypatch.context() as patch:
            patch.setattr(Index, "_put", fails)
            with pytest.raises(kind, match=said):
                index.commit([RECORD], 1.0)

    def test_an_index_that_was_replaced_is_not_written(self, path: Path) -> None:
        with writing(path) as index:
            path.rename(path.with_suffix(".old"))
            Index.create(path, SHARDS).close()
            with pytest.raises(RunStopped, match="was deleted or replaced while the run was written"):
                index.commit([RECORD], 1.0)

    def test_its_log_is_not_written_either(self, path: Path) -> None:
        """SQLite would take it for the log of the file that is there now."""
        with writing(path) as index:
            index.commit([RECORD], 1.0)
            before = path.with_name("index.sqlite-wal").read_bytes()
            path.with_name("copy").write_bytes(path.read_bytes())
            path.with_name("copy").replace(path)
            with pytest.raises(RunStopped, match="was deleted or replaced"):
                index.commit([RECORD._replace(shard=4)], 1.0)
            assert path.with_name("index.sqlite-wal").read_bytes() == before

    def test_an_index_that_vanishes_during_a_commit_has_not_committed(self, path: Path) -> None:
        def vanishing() -> Iterator[Finished]:
            path.unlink()
            yield RECORD

        with writing(path) as index, pytest.raises(RunStopped, match="was deleted or replaced"):
            index.commit(vanishing(), 1.0)

    @pytest.mark.parametrize("name", ["index.sqlite", "index.sqlite-wal", "index.sqlite-journal"])
    def test_a_link_is_not_followed(self, path: Path, name: str, tmp_path: Path) -> None:
        link = path.with_name(name)
        if link.exists():
            link.rename(tmp_path / "elsewhere")
        link.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(BadRun, match=f"{name} is a link or not a file"):
            Index.open(path, len(SHARDS), writing=True)


JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal begins, and how one ends that names another file."""


def write_journal(path: Path, named: bytes = b"") -> None:
    """A journal of an unfinished change of the first page, laid out as in sqlite.org/fileformat2.html."""
    content = path.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    page, changed = content[:size], bytearray(content)
    changed[60:64] = b"\7\7\7\7"  # the user version
    path.write_bytes(changed)
    words = [1, 0, len(content) // size, 512, size]  # pages here, nonce, pages before, sector, page
    header = (JOURNAL + b"".join(word.to_bytes(4, "big") for word in words)).ljust(512, b"\0")
    checksum = sum(page[place] for place in range(size - 200, 0, -200))
    record = (1).to_bytes(4, "big") + page + checksum.to_bytes(4, "big")
    lock_page = (0x40000000 // size + 1).to_bytes(4, "big")
    name = lock_page + named + len(named).to_bytes(4, "big") + sum(named).to_bytes(4, "big") + JOURNAL
    path.with_name("index.sqlite-journal").write_bytes(header + record + (name if named else b""))


class TestUnfinishedChange:
    """A process that was killed while it closed the index leaves a journal, which SQLite undoes."""

    def test_is_undone_before_reading(self, path: Path) -> None:
        with writing(path) as index:
            index.commit([RECORD], 1.0)
        write_journal(path)
        assert finished(path) == [RECORD]
        assert not path.with_name("index.sqlite-journal").exists()

    def test_needs_a_folder_that_can_be_written(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_journal(path)
        monkeypatch.setattr(os, "access", lambda *_: False)
        with pytest.raises(RunUnreadable, match="was not closed by its writer"):
            finished(path)

    @pytest.mark.parametrize("writes", [False, True])
    def test_of_a_longer_index_is_refused(self, path: Path, writes: bool) -> None:
        """SQLite would make the index as long as that."""
        write_journal(path)
        journal = bytearray(path.with_name("index.sqlite-journal").read_bytes())
        journal[16:20] = (2_000_000_000).to_bytes(4, "big")
        path.with_name("index.sqlite-journal").write_bytes(journal)
        size = path.stat().st_size
        with pytest.raises(
            RunDamaged, match=r"index\.sqlite-journal is not of index\.sqlite, which is shorter"
        ):
            Index.open(path, len(SHARDS), writing=writes)
        assert path.stat().st_size == size

    @pytest.mark.parametrize("writes", [False, True])
    def test_that_names_another_file_is_refused(self, path: Path, tmp_path: Path, writes: bool) -> None:
        """SQLite would delete the file that is named as the journal of several databases."""
        precious = tmp_path / "precious.txt"
        precious.write_text("precious")
        write_journal(path, os.fsencode(precious))
        with pytest.raises(RunDamaged, match=r"index\.sqlite-journal is not from rekkyo: it names another"):
            Index.open(path, len(SHARDS), writing=writes)
        assert precious.exists()


@pytest.mark.parametrize("has_empty_log", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_truncated_index_is_noticed(path: Path, share: float, has_empty_log: bool) -> None:
    with writing(path) as index:
        index.begin_session(1, "threads")
        index.commit([RECORD._replace(shard=i) for i in range(40)], 1.0)
    os.truncate(path, int(path.stat().st_size * share))
    if has_empty_log:
        path.with_name("index.sqlite-wal").touch()
    with pytest.raises(RunDamaged, match=r"index\.sqlite is (damaged|empty|not the index)"):
        finished(path)


def test_an_index_whose_end_is_in_its_log_is_whole(path: Path) -> None:
    """As after a crash while SQLite copied the log into the file."""
    log = path.with_name("index.sqlite-wal")
    records = [RECORD._replace(shard=i, ledger=dict.fromkeys(range(1, 100), 1)) for i in range(40)]
    with writing(path) as index:
        index.commit(records, 1.0)
        logged = log.read_bytes()
    log.write_bytes(logged)
    os.truncate(path, path.stat().st_size // 2)
    assert finished(path) == records


def test_a_page_in_the_place_of_another_is_damage(path: Path) -> None:
    """Every record that can be read has its seal, but some are there twice, and others are missing."""
    long = RECORD._replace(ledger=dict.fromkeys(range(1, 100), 1))
    with writing(path) as index:
        index.commit([long._replace(shard=i) for i in range(40)], 1.0)
    content = path.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    pages = [content[start : start + size] for start in range(0, len(content), size)]
    one, other, *_ = [number for number, page in enumerate(pages) if str(RECORD.digest).encode() in page]
    pages[one] = pages[other]
    path.write_bytes(b"".join(pages))
    with pytest.raises(RunDamaged, match=r"index\.sqlite is damaged \("):
        Index.open(path, len(SHARDS), writing=False)


def test_an_index_with_a_log_is_not_read_without_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that cannot be written SQLite reads no log, and shards would be missing."""
    with writing(path) as index:
        index.commit([RECORD], 1.0)
        logged = path.with_name("index.sqlite-wal").read_bytes()
    path.with_name("index.sqlite-wal").write_bytes(logged)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(RunUnreadable, match="was not closed by its writer"):
        finished(path)


def test_a_missing_index_is_noticed_and_not_made_anew(path: Path) -> None:
    path.unlink()
    with pytest.raises(RunDamaged, match=r"index\.sqlite is missing"):
        Index.open(path, len(SHARDS), writing=True)
    assert not path.exists()


def test_an_index_that_cannot_be_written_is_one_line_with_the_fix(path: Path) -> None:
    with writing(path) as index:
        index._db.execute("PRAGMA query_only=1")
        with pytest.raises(RunUnreadable, match=r"cannot be written .*; see whether you may write it"):
            index.commit([RECORD], 1.0)
    assert finished(path) == []


def test_a_full_disk_is_no_damage_where_sqlite_writes_in_order_to_read(path: Path) -> None:
    """As after a crash, when it goes through the log again."""
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    with (
        pytest.raises(RunStopped, match="see whether the disk is full"),
        translated_errors(path, writing=False),
    ):
        raise full


@pytest.mark.parametrize("is_writing", [True, False])
def test_what_sqlite_cannot_open_beside_an_index_that_may_be_written_is_refused_by_the_system(
    path: Path, is_writing: bool
) -> None:
    """As the log on a disk without a free inode. SQLite says the same of a missing permission."""
    refused = sqlite3.OperationalError("unable to open database file")
    refused.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    with (
        pytest.raises(RunStopped, match="see whether the disk is full"),
        translated_errors(path, writing=is_writing),
    ):
        raise refused
