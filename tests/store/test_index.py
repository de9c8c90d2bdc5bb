"""The index: shards count once, when they are committed, and a record that changed is not added up."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import Digest
from rekkyo.errors import (
    BadInput,
    BadRun,
    CountsDisagree,
    RunDamaged,
    RunInUse,
    RunStopped,
    RunUnreadable,
)
from rekkyo.store import sqlite
from rekkyo.store.finished import Finished, Place, Sums
from rekkyo.store.index import Index, Recounted, WeightedOutcome
from rekkyo.store.sqlite import told_apart
from rekkyo.store.tables import COLUMNS, INSERT, TABLES, sealed

SHARDS = tuple(Shard(i, (i, 3), 5 * i) for i in range(40))
RECORD = Finished(3, 12, 12, 100, 0.5, Digest(1, 2**64 - 1), {1: 1, 2: 1}, Place(0, 0, b"\1\2\3\4"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Index.create(tmp_path / "index.sqlite", SHARDS).close()
    return tmp_path / "index.sqlite"


def writing(path: Path) -> closing[Index]:
    return closing(Index.open(path, len(SHARDS), writing=True))


def finished(path: Path) -> list[Finished]:
    with closing(Index.open(path, len(SHARDS), writing=False)) as index:
        return list(index.finished())


def test_keeps_the_shards_of_the_plan(path: Path) -> None:
    with writing(path) as index:
        assert index.shards() == SHARDS


def test_keeps_what_shards_gave(path: Path) -> None:
    beyond_64_bits = RECORD._replace(
        shard=1, found=3 * 2**64, nodes=2**70, digest=None, ledger=None, place=None
    )
    with writing(path) as index:
        index.commit([RECORD, beyond_64_bits], 1.5)
    assert finished(path) == [beyond_64_bits, RECORD]


def test_a_shard_that_comes_back_twice_counts_once(path: Path) -> None:
    with writing(path) as index:
        assert index.commit([RECORD], 1.0) == [RECORD]
        again = RECORD._replace(seconds=9.0, place=Place(1, 64, b"\1\2\3\4"))
        assert index.commit([again, RECORD._replace(shard=4)], 1.0) == [RECORD._replace(shard=4)]
    assert finished(path) == [RECORD, RECORD._replace(shard=4)]


@pytest.mark.parametrize(
    "difference", [{"found": 13}, {"kept": 11}, {"digest": Digest(1, 1)}, {"ledger": {1: 1}}], ids=str
)
def test_a_shard_that_comes_back_different_is_an_error_and_changes_nothing(
    path: Path, difference: dict[str, Any]
) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
        with pytest.raises(CountsDisagree, match="shard 3 was returned twice with different solutions"):
            index.commit([RECORD._replace(shard=4), RECORD._replace(**difference)], 1.0)
    assert finished(path) == [RECORD]


def test_what_is_not_committed_is_not_seen(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
        index._db.execute("BEGIN")
        index._db.execute("DELETE FROM finished")
        assert finished(path) == [RECORD]


def test_sessions_add_up_and_the_last_one_had_the_workers(path: Path) -> None:
    for workers, elapsed_s in ((1, 2.5), (3, 1.5), (2, 4.0)):
        with writing(path) as index:
            index.begin_session(workers, "threads")
            index.commit([], elapsed_s)
            assert index.last_workers() == workers
    with closing(Index.open(path, len(SHARDS), writing=False)) as index:
        assert (index.elapsed_s(), index.last_workers()) == (8.0, 2)


def test_keeps_whether_recounts_agreed(path: Path) -> None:
    recounts = [Recounted(3, "other", "again", True), Recounted(4, "other", "again", False)]
    with writing(path) as index:
        index.add_recounts(recounts)
        assert index.recounts() == recounts


def test_each_commit_waits_for_the_disk(path: Path) -> None:
    """Otherwise a power cut takes the last commits from a write-ahead log."""
    with closing(Index.create(path.with_name("new.sqlite"), SHARDS)) as created, writing(path) as opened:
        for index in (created, opened):
            asked = [index._db.execute(f"PRAGMA {name}") for name in ("journal_mode", "synchronous")]
            assert [answer.fetchone()[0] for answer in asked] == ["wal", 2]


def test_a_closed_index_is_a_single_file_while_it_is_read_too(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
    with closing(Index.open(path, len(SHARDS), writing=False)) as index:
        assert list(index.finished()) == [RECORD]
        assert [file.name for file in path.parent.iterdir()] == ["index.sqlite"]


def test_a_snapshot_does_not_change_while_another_process_writes(path: Path) -> None:
    with (
        writing(path) as writer,
        closing(Index.open(path, len(SHARDS), writing=False)) as reader,
        reader.snapshot(),
    ):
        assert not list(reader.finished())
        writer.commit([RECORD], 1.0)
        assert not list(reader.finished())


def test_sums_are_python_ints_and_digests_add_up() -> None:
    sums = Sums(group_order=2)
    for shards in (range(3), range(3, 5)):
        sums.add(RECORD._replace(shard=i, found=2**63) for i in shards)
    assert (sums.found, sums.kept, sums.nodes) == (5 * 2**63, 60, 500)
    assert sums.digest == Digest(5, 2**64 - 5)
    assert (sums.ledger.unique, sums.ledger.total) == (10, 15)
    with pytest.raises(CountsDisagree, match="shard 3 was counted twice"):
        sums.add([RECORD])


def test_a_dropped_shard_is_unfinished_again(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD, RECORD._replace(shard=4)], 1.0)
        index.add_recounts([Recounted(3, "other", "again", True)])
        index.drop([3])
        assert [record.shard for record in index.finished()] == [4]
        assert index.recounts() == []


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, columns in TABLES.items() for column in columns]
)
def test_every_value_of_every_table_is_sealed(path: Path, table: str, column: str) -> None:
    fill(path)
    assert everything(path), "before the change it can be read"
    with closing(sqlite3.connect(path)) as database, database:
        (value,) = database.execute(f"SELECT {column} FROM {table}").fetchone()
        changed = value + 1 if isinstance(value, int | float) else value + value[:1]
        database.execute(f"UPDATE {table} SET {column} = ?", (changed,))
    with pytest.raises(RunDamaged, match=r"damaged|other shards than the manifest says"):
        everything(path)


def test_seals_are_part_of_the_format(path: Path) -> None:
    """With other ones, no earlier run could be read."""
    with writing(path) as index:
        index.set_outcome(WeightedOutcome(12, 92, None, 12))
        (seal,) = index._db.execute("SELECT seal FROM outcome").fetchone()
    assert seal == zlib.crc32(b"('outcome', 1, '12', '92', None, '12')")


def fill(path: Path) -> None:
    with writing(path) as index:
        index.begin_session(2, "threads")
        index.commit([RECORD], 1.0)
        index.set_outcome(WeightedOutcome(12, 92, 4, 12))
        index.add_check("rows valid", {"passed": True})
        index.add_recounts([Recounted(3, "other", "again", True)])


def everything(path: Path) -> tuple[object, ...]:
    with closing(Index.open(path, len(SHARDS), writing=False)) as index:
        return (
            [*index.finished()],
            index.elapsed_s(),
            index.last_workers(),
            index.outcome_of(12),
            index.checks(),
            index.recounts(),
        )


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("finished", "found", "many"),
        ("finished", "found", "-1"),
        ("finished", "kept", "12"),
        ("finished", "kept", -1),
        ("finished", "kept", 2**62),
        ("finished", "seconds", "long"),
        ("finished", "seconds", float("inf")),
        ("finished", "digest", "0" * 31),
        ("finished", "digest", "x" * 32),
        ("finished", "ledger", "[1]"),
        ("finished", "ledger", '{"0": 1}'),
        ("finished", "ledger", '{"1": "many"}'),
        ("finished", "ledger", '{"1": 1.5}'),
        ("finished", "ledger", '{"1": -1}'),
        ("finished", "ledger", "[" * 100_000),
        ("finished", "start", None),
        ("finished", "checksums", b"1"),
        ("finished", "checksums", "text"),
        ("sessions", "elapsed_s", -5.0),
        ("sessions", "workers", "two"),
        ("outcome", "total", "92.0"),
        ("outcome", "uniques", "twelve"),
        ("checks", "facts", "[1, 2]"),
        ("checks", "facts", "{"),
        ("recounts", "agrees", "yes"),
    ],
)
def test_a_value_that_cannot_be_there_is_damage_even_with_a_seal(
    path: Path, table: str, column: str, value: object
) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as database, database:
        row = list(database.execute(f"SELECT {COLUMNS[table]} FROM {table}").fetchone())
        row[list(TABLES[table]).index(column)] = value
        database.execute(f"DELETE FROM {table}")
        try:
            database.execute(f"INSERT {INSERT[table]}", sealed(table, row))
        except sqlite3.IntegrityError:
            return  # SQLite itself refuses it
    with pytest.raises(RunDamaged):
        everything(path)


def test_a_value_that_is_longer_than_any_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE finished SET checksums = zeroblob(200000)")
    monkeypatch.setattr(sqlite, "MOST_BYTES", 100_000)
    with pytest.raises(RunDamaged, match="too big"):
        finished(path)


@pytest.mark.parametrize("numbers", [[-1], [40], [10**9]])
def test_a_finished_shard_that_the_plan_lacks_is_damage(path: Path, numbers: list[int]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for number in numbers:
            row = (number, "0", 0, "0", 0.0, None, None, None, None, None)
            database.execute(f"INSERT {INSERT['finished']}", sealed("finished", row))
    with pytest.raises(RunDamaged, match="other shards than the manifest says"):
        everything(path)


@pytest.mark.parametrize("n_shards", [0, 1, 39, 41, 10**7])
def test_a_number_of_shards_that_is_not_there_is_damage(path: Path, n_shards: int) -> None:
    with pytest.raises(RunDamaged, match="other shards than the manifest says"):
        Index.open(path, n_shards, writing=False)


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


def test_an_index_that_cannot_be_written_is_one_line_with_the_mend(path: Path) -> None:
    with writing(path) as index:
        index._db.execute("PRAGMA query_only=1")
        with pytest.raises(RunUnreadable, match=r"cannot be written .*; see whether you may write it"):
            index.commit([RECORD], 1.0)
    assert finished(path) == []


def test_a_full_disk_is_no_damage_where_sqlite_writes_in_order_to_read(path: Path) -> None:
    """As after a crash, when it goes through the log again."""
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    with pytest.raises(RunStopped, match="see whether the disk is full"), told_apart(path, writing=False):
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
        told_apart(path, writing=is_writing),
    ):
        raise refused
