"""The index of a run: one SQLite file that says which shards are finished, and what each of them gave.

A shard is finished when its record is committed, after its rows are on the disk. Records are committed in
groups, some a second, because each waits for the disk: once with a write-ahead log and synchronous=FULL,
three times with a rollback journal. A commit survives kill -9 and a power cut; other processes may read
meanwhile. Every record has a checksum. Counts are text: SQLite's integers end at 2^63.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import Digest
from rekkyo.errors import CountsDisagree, RunDamaged, RunStopped
from rekkyo.store.finished import Finished, Place

NAME = "index.sqlite"
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite writes beside it."""

VERSION = 1
COLUMNS = "shard, found, kept, nodes, seconds, digest, ledger, file, start, checksums"

SCHEMA = """
CREATE TABLE shards (shard INTEGER PRIMARY KEY, prefix TEXT NOT NULL, nodes TEXT NOT NULL);
CREATE TABLE finished (
    shard INTEGER PRIMARY KEY, found TEXT NOT NULL, kept INTEGER NOT NULL, nodes TEXT NOT NULL,
    seconds REAL NOT NULL, digest TEXT, ledger TEXT, file INTEGER, start INTEGER, checksums BLOB,
    seal INTEGER NOT NULL);
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, began TEXT NOT NULL, elapsed_s REAL NOT NULL, workers INTEGER NOT NULL,
    executor TEXT NOT NULL);
CREATE TABLE outcome (one INTEGER PRIMARY KEY CHECK (one = 1), total TEXT NOT NULL, uniques TEXT);
CREATE TABLE checks (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, facts TEXT NOT NULL);
CREATE TABLE recounts (
    shard INTEGER NOT NULL, engine TEXT NOT NULL, way TEXT NOT NULL, agrees INTEGER NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (shard, engine));
"""


@dataclass(frozen=True, slots=True)
class Recounted:
    """A shard that was searched again: by which engine, in which way, and whether it gave the same."""

    shard: int
    engine: str
    way: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """Something that was checked about the whole run, and what came out."""

    kind: str
    at: str
    facts: dict[str, Any]


class Index:
    """An open index. One process writes (see `store.lock`), any number read."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._db = connection
        self._session = 0

    @staticmethod
    def create(path: Path, shards: Sequence[Shard]) -> Index:
        """A new index with the shards of a plan.

        Until it is whole nothing needs saving: the write-ahead log begins after that, 1.3 ms cheaper.
        """
        index = Index(path, sqlite3.connect(path, isolation_level=None))
        with index._writing():
            index._db.execute("PRAGMA journal_mode=MEMORY")
            index._db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version={VERSION};")
            index._db.executemany(
                "INSERT INTO shards VALUES (?, ?, ?)",
                ((shard.index, str(list(shard.prefix)), str(shard.nodes)) for shard in shards),
            )
            index._db.execute("COMMIT")
            index._write_ahead()
        return index

    @staticmethod
    def open(path: Path, *, writing: bool) -> Index:
        """The index of a run that exists. Raises RunDamaged."""
        if not path.is_file():
            raise RunDamaged(f"{path} is missing, and without it nothing is known of the run; {MEND}")
        if path.stat().st_size == 0:
            raise RunDamaged(f"{path} is empty; {MEND}")
        _check_length(path)
        with _reading(path):
            index = Index(path, _connect(path, writing))
            (version,) = index._db.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise RunDamaged(f"{path} is not the index of a run of version {VERSION}; {MEND}")
            complaints = [row[0] for row in index._db.execute("PRAGMA quick_check(1)")]
            if complaints != ["ok"]:
                raise RunDamaged(f"{path} is damaged ({complaints[0]}); {MEND}")
            if writing:
                index._write_ahead()
        return index

    def _write_ahead(self) -> None:
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")

    def close(self) -> None:
        """Close it; a writer that is the last one leaves a single file behind, readable from anywhere."""
        with suppress(sqlite3.Error):
            if self._session:
                self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.close()

    def _rows(self, query: str) -> list[Any]:
        with _reading(self._path):
            return self._db.execute(query).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as problem:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise RunStopped(
                f"{self._path} cannot be written ({problem}); see whether the disk is full, then go on with:"
                f" rekkyo resume {self._path.parent}"
            ) from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def shards(self) -> tuple[Shard, ...]:
        """The shards of the plan."""
        rows = self._rows("SELECT shard, prefix, nodes FROM shards ORDER BY shard")
        try:
            prefixes = json.loads(f"[{','.join(row[1] for row in rows)}]")  # at once: three times as fast
            return tuple(
                Shard(shard, tuple(prefix), int(nodes))
                for (shard, _, nodes), prefix in zip(rows, prefixes, strict=True)
            )
        except (ValueError, TypeError):
            raise RunDamaged(f"{self._path} is damaged: a shard cannot be read; {MEND}") from None

    def begin_session(self, workers: int, executor: str) -> None:
        """Note that somebody goes on with the run."""
        insert = "INSERT INTO sessions (began, elapsed_s, workers, executor) VALUES (?, 0, ?, ?)"
        with self._transaction():
            self._session = self._db.execute(insert, (now(), workers, executor)).lastrowid or 0

    def elapsed_s(self) -> float:
        """The seconds of all sessions."""
        return float(self._rows("SELECT total(elapsed_s) FROM sessions")[0][0])

    def last_session(self) -> tuple[int, str]:
        """How many workers the last session had, and of which kind; (0, "") before the first."""
        last = self._rows("SELECT workers, executor FROM sessions ORDER BY session DESC LIMIT 1")
        return (int(last[0][0]), str(last[0][1])) if last else (0, "")

    def commit(self, records: Iterable[Finished], elapsed_s: float) -> list[Finished]:
        """Make shards count as finished, durably; returns those that are new.

        One that came back twice counts once. Raises CountsDisagree if it came back different.
        """
        new = []
        insert = f"INSERT INTO finished VALUES ({'?,' * 10}?) ON CONFLICT (shard) DO NOTHING"
        with self._transaction():
            for record in records:
                if self._db.execute(insert, _to_row(record)).rowcount:
                    new.append(record)
                    continue
                known = self._one(record.shard)
                assert known is not None
                if not known.agrees_with(record):
                    raise CountsDisagree(
                        f"{self._path}: shard {record.shard} came back twice with different solutions"
                        f" ({known.found} and {record.found}); a worker is faulty: recount this run"
                    )
            update = "UPDATE sessions SET elapsed_s = ? WHERE session = ?"
            self._db.execute(update, (elapsed_s, self._session))
        return new

    def drop(self, shards: Iterable[int]) -> None:
        """Have shards count as not finished."""
        with self._transaction():
            numbers = [(shard,) for shard in shards]
            self._db.executemany("DELETE FROM finished WHERE shard = ?", numbers)
            self._db.executemany("DELETE FROM recounts WHERE shard = ?", numbers)
            self._db.execute("DELETE FROM outcome")

    def finished(self) -> Iterator[Finished]:
        """The finished shards in the order of the plan. Raises RunDamaged."""
        with _reading(self._path):
            for row in self._db.execute(f"SELECT {COLUMNS}, seal FROM finished ORDER BY shard"):
                yield self._from_row(row)

    def one(self, shard: int) -> Finished | None:
        """A finished shard."""
        with _reading(self._path):
            return self._one(shard)

    def _one(self, shard: int) -> Finished | None:
        row = self._db.execute(f"SELECT {COLUMNS}, seal FROM finished WHERE shard = ?", (shard,)).fetchone()
        return None if row is None else self._from_row(row)

    def _from_row(self, row: tuple[Any, ...]) -> Finished:
        if _seal(row[:-1]) != row[-1]:
            raise RunDamaged(f"{self._path} is damaged: the record of shard {row[0]} has changed; {MEND}")
        shard, found, kept, nodes, seconds, digest, ledger, file, start, checksums, _ = row
        return Finished(
            shard,
            int(found),
            kept,
            int(nodes),
            seconds,
            None if digest is None else Digest.parse(digest),
            None if ledger is None else _read_ledger(ledger),
            None if file is None else Place(file, start, checksums),
        )

    def set_outcome(self, total: int, unique: int | None) -> None:
        """Keep what only all shards together give."""
        with self._transaction():
            row = (1, str(total), None if unique is None else str(unique))
            self._db.execute("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?)", row)

    def outcome(self) -> tuple[int, int | None] | None:
        """What `set_outcome` kept."""
        for total, unique in self._rows("SELECT total, uniques FROM outcome"):
            return int(total), None if unique is None else int(unique)
        return None

    def add_check(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Keep what a check of the whole run found; a newer one of the same kind replaces it."""
        with self._transaction():
            self._db.execute("DELETE FROM checks WHERE kind = ?", (kind,))
            row = (now(), kind, json.dumps(dict(facts)))
            self._db.execute("INSERT INTO checks (at, kind, facts) VALUES (?, ?, ?)", row)

    def checks(self) -> dict[str, Checked]:
        """The checks that were made, by kind."""
        rows = self._rows("SELECT kind, at, facts FROM checks")
        return {kind: Checked(kind, at, json.loads(facts)) for kind, at, facts in rows}

    def add_recounts(self, recounts: Iterable[Recounted]) -> None:
        """Keep which shards were recounted."""
        with self._transaction():
            rows = [(r.shard, r.engine, r.way, int(r.agrees), now()) for r in recounts]
            self._db.executemany("INSERT OR REPLACE INTO recounts VALUES (?, ?, ?, ?, ?)", rows)

    def recounts(self) -> list[Recounted]:
        """The shards that were recounted."""
        rows = self._rows("SELECT shard, engine, way, agrees FROM recounts ORDER BY shard")
        return [Recounted(shard, engine, way, bool(agrees)) for shard, engine, way, agrees in rows]


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as problem:
        raise RunDamaged(f"{path} is damaged or cannot be read ({problem}); {MEND}") from None


MEND = "put back a copy of it, or begin the run again in a new directory"


def _check_length(path: Path) -> None:
    """Raise RunDamaged when pages are missing at the end: SQLite itself takes them for empty ones.

    Bytes 16 to 17 of the file are the size of a page, 28 to 31 the number of pages. A write-ahead log beside
    the file may still hold the last ones.
    """
    log = path.with_name(path.name + "-wal")
    if log.is_file() and log.stat().st_size:
        return
    with path.open("rb") as file:
        header = file.read(100)
    page_size = int.from_bytes(header[16:18], "big")
    n_pages = int.from_bytes(header[28:32], "big")
    if path.stat().st_size < n_pages * (65536 if page_size == 1 else page_size):
        raise RunDamaged(f"{path} is damaged: its end is missing; {MEND}")


def _connect(path: Path, writing: bool) -> sqlite3.Connection:
    name = f"file:{quote(os.fsencode(path.resolve()))}"  # bytes: a name need not be text
    connection = sqlite3.connect(f"{name}?mode={'rw' if writing else 'ro'}", uri=True, isolation_level=None)
    if not writing:
        try:
            connection.execute("PRAGMA user_version")
        except sqlite3.OperationalError:  # a write-ahead log in a folder that cannot be written
            connection.close()
            connection = sqlite3.connect(f"{name}?immutable=1", uri=True, isolation_level=None)
    return connection


def _to_row(record: Finished) -> tuple[Any, ...]:
    ledger, place = record.ledger, record.place
    row = (
        record.shard,
        str(record.found),
        record.kept,
        str(record.nodes),
        record.seconds,
        None if record.digest is None else str(record.digest),
        None if ledger is None else _ledger_text(ledger),
        *((None, None, None) if place is None else (place.file, place.start, place.checksums)),
    )
    return (*row, _seal(row))


def _ledger_text(ledger: Mapping[int, int]) -> str:
    """JSON, made by hand: `json.dumps` takes four times as long, and everybody waits for a commit."""
    pairs = (f'"{order}": {number}' for order, number in sorted(ledger.items()))
    return "{" + ", ".join(pairs) + "}"


@lru_cache(maxsize=1 << 12)
def _read_ledger(text: str) -> Mapping[int, int]:
    return {int(order): number for order, number in json.loads(text).items()}


def _seal(row: tuple[Any, ...]) -> int:
    return zlib.crc32(repr(row).encode())


def now() -> str:
    """The time as the files of a run say it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
