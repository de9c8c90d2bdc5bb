"""The index: shards count once, when they are committed, and a record that changed is not added up."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rekkyo.store.sums import Sums

from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import Digest
from rekkyo.errors import CountsDisagree, RunDamaged, RunStopped
from rekkyo.store.index import Finished, Index, Recounted
from rekkyo.store.rows import Place

SHARDS = tuple(Shard(i, (i, 3), 5 * i) for i in range(40))
RECORD = Finished(3, 12, 12, 100, 0.5, Digest(1, 2**64 - 1), {1: 1, 2: 1}, Place(0, 0, b"\1\2\3\4"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Index.create(tmp_path / "index.sqlite", SHARDS).close()
    return tmp_path / "index.sqlite"


def writing(path: Path) -> closing[Index]:
    return closing(Index.open(path, writing=True))


def finished(path: Path) -> list[Finished]:
    with closing(Index.open(path, writing=False)) as index:
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


def test_a_shard_that_comes_back_different_is_an_error_and_changes_nothing(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
        with pytest.raises(CountsDisagree, match="shard 3 came back twice with different solutions"):
            index.commit([RECORD._replace(shard=4), RECORD._replace(found=13)], 1.0)
    assert finished(path) == [RECORD]


def test_what_is_not_committed_is_not_seen(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
        index._db.execute("BEGIN")
        index._db.execute("DELETE FROM finished")
        assert finished(path) == [RECORD]


def test_sums_are_python_ints_and_digests_add_up() -> None:
    sums = Sums(group_order=2)
    sums.add(RECORD._replace(shard=i, found=2**63) for i in range(5))
    assert (sums.found, sums.kept, sums.nodes) == (5 * 2**63, 60, 500)
    assert sums.digest == Digest(5, 2**64 - 5)
    assert (sums.ledger.unique, sums.ledger.total) == (10, 15)


def test_a_dropped_shard_is_unfinished_again(path: Path) -> None:
    with writing(path) as index:
        index.commit([RECORD, RECORD._replace(shard=4)], 1.0)
        index.add_recounts([Recounted(3, "other", "again", True)])
        index.drop([3])
        assert [record.shard for record in index.finished()] == [4]
        assert index.recounts() == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("found", "13"), ("kept", 13), ("digest", "0" * 32), ("start", 1), ("checksums", b"1")],
)
def test_a_record_that_changed_is_noticed(path: Path, column: str, value: object) -> None:
    with writing(path) as index:
        index.commit([RECORD], 1.0)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE finished SET {column} = ?", (value,))
    with pytest.raises(RunDamaged, match="the record of shard 3 has changed"):
        finished(path)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_truncated_index_is_noticed(path: Path, share: float) -> None:
    with writing(path) as index:
        index.begin_session(1, "threads")
        index.commit([RECORD._replace(shard=i) for i in range(40)], 1.0)
    os.truncate(path, int(path.stat().st_size * share))
    with pytest.raises(RunDamaged, match=r"index\.sqlite is (damaged|empty|not the index)"):
        finished(path)


def test_a_missing_index_is_noticed_and_not_made_anew(path: Path) -> None:
    path.unlink()
    with pytest.raises(RunDamaged, match=r"index\.sqlite is missing"):
        Index.open(path, writing=True)
    assert not path.exists()


def test_an_index_that_cannot_be_written_is_one_line_with_the_mend(path: Path) -> None:
    with writing(path) as index:
        index._db.execute("PRAGMA query_only=1")
        with pytest.raises(
            RunStopped, match=r"cannot be written .*; see whether the disk is full.*rekkyo resume"
        ):
            index.commit([RECORD], 1.0)
    assert finished(path) == []
