"""The index: shards count once, when they are committed, and a record that changed is not added up."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rekkyo.engines.digest import Digest
from rekkyo.errors import (
    CountsDisagree,
    RunDamaged,
)
from rekkyo.store import sqlite
from rekkyo.store.finished import Place, Sums
from rekkyo.store.index import Index, Recounted, WeightedOutcome
from rekkyo.store.tables import COLUMNS, INSERT, TABLES, sealed
from tests.store.indexes import RECORD, SHARDS, finished, writing


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
