"""The index of a run: one SQLite file with the finished shards and their results.

A shard is finished when its record is committed, after its rows are on the disk. Records are committed in
groups, a few times a second, because each commit waits for the disk: once with a write-ahead log and
synchronous=FULL, three times with a rollback journal. A commit survives kill -9 and a power cut; other
processes may read at the same time. Every row of every table but `shards` has a seal (see `store.tables`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import Digest
from rekkyo.errors import CountsDisagree, RunDamaged, RunStopped, in_shell
from rekkyo.safe_files import check_plain, is_still, open_file
from rekkyo.store.finished import Finished, Place
from rekkyo.store.rows import BLOCK_ROWS, CHECKSUM
from rekkyo.store.sqlite import COMPANIONS, FIX, check_length, connect, translated_errors
from rekkyo.store.tables import (
    COLUMNS,
    INSERT,
    READ_SCHEMA,
    VERSION,
    complaint_about,
    schema,
    sealed,
    tables_of_schema,
)

NAME = "index.sqlite"


@dataclass(frozen=True, slots=True)
class Recounted:
    """A recounted shard: the engine, the way, and whether the result is the same."""

    shard: int
    engine: str
    way: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """A check of the whole run, and its outcome."""

    kind: str
    at: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WeightedOutcome:
    """The outcome of a run with weighted shards, whose counts need the final sum over all shards.

    found: the sum over the shards of the outcome. fixed: solutions that the symmetries other than the
    identity leave unchanged, in total; None, as `unique`, if orbits were not counted.
    """

    found: int
    total: int
    fixed: int | None
    unique: int | None


def _whole_numbers(prefix: Sequence[Any]) -> tuple[int, ...]:
    """The decisions of a shard, values of variables among them. Raises ValueError for other kinds."""
    if not all(type(number) is int for number in prefix):
        raise ValueError("not whole numbers")
    return tuple(prefix)


class Index:
    """An open index. One process writes (see `store.lock`), and any number of processes read."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._db = connection
        self._opened = path.lstat()
        self._is_writer = False
        self._session: tuple[int, str, int, str] | None = None

    @staticmethod
    def create(path: Path, shards: Sequence[Shard]) -> Index:
        """A new index with the shards of a plan.

        An incomplete index need not survive a crash: the write-ahead log begins later, which saves 1.3 ms.
        """
        with translated_errors(path, writing=True):
            open_file(path, "xb").close()
            index = Index(path, sqlite3.connect(path, isolation_level=None))
            index._db.execute("PRAGMA journal_mode=MEMORY")
            index._db.executescript(f"BEGIN; {schema()}")
            index._db.executemany(
                "INSERT INTO shards VALUES (?, ?, ?)",
                ((shard.index, str(list(shard.prefix)), str(shard.nodes)) for shard in shards),
            )
            index._db.execute("COMMIT")
            index._write_ahead()
        return index

    @staticmethod
    def open(path: Path, n_shards: int, *, writing: bool) -> Index:
        """The index of an existing run. Raises RunDamaged, RunUnreadable, RunInUse, BadRun."""
        for companion in ("", *COMPANIONS):
            check_plain(path.with_name(path.name + companion))
        if not path.is_file():
            raise RunDamaged(f"{path} is missing, and without it nothing is known about the run; {FIX}")
        if path.stat().st_size == 0:
            raise RunDamaged(f"{path} is empty; {FIX}")
        with translated_errors(path, writing=False):
            check_length(path)
            index = Index(path, connect(path, writing))
            try:
                index._check(n_shards)
                if writing:
                    with translated_errors(path, writing=True):
                        index._write_ahead()
            except BaseException:
                index._db.close()
                raise
        return index

    def _check(self, n_shards: int) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise RunDamaged(f"{self._path} is not the index of a run of version {VERSION}; {FIX}")
        # This comes before any table is read: SQLite would run triggers, views and computed columns in it.
        if set(self._db.execute(READ_SCHEMA)) != tables_of_schema():
            raise RunDamaged(f"{self._path} has other tables than rekkyo makes; {FIX}")
        complaints = [row[0] for row in self._db.execute("PRAGMA quick_check(1)")]
        if complaints != ["ok"]:
            raise RunDamaged(f"{self._path} is damaged ({' '.join(complaints[0].split())}); {FIX}")
        planned = (0, n_shards - 1) if n_shards else (None, None)
        if self._ends("shards") != planned or not _lie_in(*self._ends("finished"), n_shards):
            raise RunDamaged(f"{self._path} has other shards than the manifest says ({n_shards}); {FIX}")

    def _ends(self, table: str) -> tuple[Any, Any]:
        """The least and the greatest number of a shard in a table; None and None if it is empty."""
        first, last = self._db.execute(f"SELECT min(shard), max(shard) FROM {table}").fetchone()
        return first, last

    def _write_ahead(self) -> None:
        self._is_writer = True
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")

    def close(self) -> None:
        """Close the index; the last writer leaves a single file, which can be read in a read-only folder."""
        with suppress(sqlite3.Error):
            if self._is_writer:
                self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.close()

    def check_still_there(self) -> None:
        """Raise RunStopped if the file was deleted or replaced, because SQLite would write the old one."""
        if not is_still(self._path, self._opened):
            raise RunStopped(
                f"{self._path} was deleted or replaced while the run was written; what was found since is"
                f" lost; put the folder back and: rekkyo resume {in_shell(self._path.parent)}; or begin again"
            )

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Make all reads in the block consistent, even if another process writes."""
        with translated_errors(self._path, writing=False):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")

    def _rows(self, table: str, rest: str = "", values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a table, checked, without their seals. Raises RunDamaged."""
        with translated_errors(self._path, writing=False):
            for row in self._db.execute(f"SELECT {COLUMNS[table]}, seal FROM {table} {rest}", values):
                complaint = complaint_about(table, row)
                if complaint:
                    raise RunDamaged(f"{self._path} is damaged: a record of {table} {complaint}; {FIX}")
                yield row[:-1]

    def _put(self, table: str, row: Sequence[Any], verb: str = "INSERT OR REPLACE") -> int:
        """Write a row with its seal; returns the number of new rows."""
        return self._db.execute(f"{verb} {INSERT[table]}", sealed(table, row)).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.check_still_there()
        with translated_errors(self._path, writing=True):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
        self.check_still_there()

    def shards(self) -> tuple[Shard, ...]:
        """The shards; the caller must check them by the plan's hash. Raises RunDamaged."""
        with translated_errors(self._path, writing=False):
            rows = self._db.execute("SELECT shard, prefix, nodes FROM shards ORDER BY shard").fetchall()
        try:
            prefixes = json.loads(f"[{','.join(row[1] for row in rows)}]")  # one call is three times as fast
            return tuple(
                Shard(shard, _whole_numbers(prefix), int(nodes))
                for (shard, _, nodes), prefix in zip(rows, prefixes, strict=True)
            )
        except (ValueError, TypeError, RecursionError):
            raise RunDamaged(f"{self._path} is damaged: a shard cannot be read; {FIX}") from None

    def begin_session(self, workers: int, executor: str) -> None:
        """Record the beginning of a session of the run."""
        with self._transaction():
            (last,) = self._db.execute("SELECT coalesce(max(session), 0) FROM sessions").fetchone()
            self._session = (last + 1, now(), workers, executor)
            self._put("sessions", _session_row(self._session, 0.0))

    def elapsed_s(self) -> float:
        """The seconds of all sessions."""
        return sum((float(row[2]) for row in self._rows("sessions")), 0.0)

    def last_workers(self) -> int:
        """The number of workers of the last session; 0 before the first session."""
        for *_, workers, _ in self._rows("sessions", "ORDER BY session DESC LIMIT 1"):
            return int(workers)
        return 0

    def commit(self, records: Iterable[Finished], elapsed_s: float) -> list[Finished]:
        """Record finished shards durably; returns those that are new.

        A shard that is returned twice counts once. Raises CountsDisagree if the two results differ.
        """
        new = []
        with self._transaction():
            for record in records:
                if self._put("finished", _to_row(record), "INSERT OR IGNORE"):
                    new.append(record)
                    continue
                known = self.one(record.shard)
                assert known is not None
                if not known.agrees_with(record):
                    raise CountsDisagree(
                        f"{self._path}: shard {record.shard} was returned twice with different solutions"
                        f" ({known.found} and {record.found}); a worker is faulty: recount this run"
                    )
            if self._session:
                self._put("sessions", _session_row(self._session, elapsed_s))
        return new

    def drop(self, shards: Iterable[int], checks: Iterable[str] = ()) -> None:
        """Remove shards from the finished ones, and checks of these kinds, which were of their rows."""
        with self._transaction():
            numbers = [(shard,) for shard in shards]
            self._db.executemany("DELETE FROM finished WHERE shard = ?", numbers)
            self._db.executemany("DELETE FROM recounts WHERE shard = ?", numbers)
            self._db.executemany("DELETE FROM checks WHERE kind = ?", [(kind,) for kind in checks])
            self._db.execute("DELETE FROM outcome")

    def finished(self) -> Iterator[Finished]:
        """The finished shards in the order of the plan. Raises RunDamaged."""
        for row in self._rows("finished", "ORDER BY shard"):
            yield self._from_row(row)

    def one(self, shard: int) -> Finished | None:
        """A finished shard."""
        for row in self._rows("finished", "WHERE shard = ?", (shard,)):
            return self._from_row(row)
        return None

    def _from_row(self, row: Sequence[Any]) -> Finished:
        shard, found, kept, nodes, seconds, digest, ledger, file, start, checksums = row
        try:
            return Finished(
                shard,
                _count(found),
                kept,
                _count(nodes),
                seconds,
                None if digest is None else Digest.parse(digest),
                None if ledger is None else _read_ledger(ledger),
                None if file is None else _place(file, start, checksums, kept),
            )
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise RunDamaged(
                f"{self._path} is damaged: the record of shard {shard} cannot be read; {FIX}"
            ) from None

    def set_outcome(self, outcome: WeightedOutcome) -> None:
        """Store the outcome of all shards."""
        with self._transaction():
            numbers = (outcome.found, outcome.total, outcome.fixed, outcome.unique)
            self._put("outcome", (1, *(None if number is None else str(number) for number in numbers)))

    def outcome_of(self, found: int) -> WeightedOutcome | None:
        """The outcome from `set_outcome`, if it belongs to shards with this sum. Raises RunDamaged."""
        for _, made_from, total, fixed, unique in self._rows("outcome"):
            try:
                counts = [None if text is None else _count(text) for text in (fixed, unique)]
                kept = WeightedOutcome(_count(made_from), _count(total), *counts)
            except ValueError:
                raise RunDamaged(f"{self._path} is damaged: the outcome cannot be read; {FIX}") from None
            return kept if kept.found == found else None
        return None

    def add_check(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Store a check of the whole run; it replaces an earlier one of the same kind."""
        with self._transaction():
            self._put("checks", (kind, now(), json.dumps(dict(facts))))

    def checks(self) -> dict[str, Checked]:
        """The checks, by kind. Raises RunDamaged."""
        found = {}
        for kind, at, text in self._rows("checks", "ORDER BY at, kind"):
            try:
                facts = json.loads(text)
            except (ValueError, RecursionError):
                facts = None
            if not isinstance(facts, dict):
                raise RunDamaged(f"{self._path} is damaged: a check cannot be read; {FIX}")
            found[kind] = Checked(kind, at, facts)
        return found

    def add_recounts(self, recounts: Iterable[Recounted]) -> None:
        """Store recounts of shards."""
        with self._transaction():
            for each in recounts:
                self._put("recounts", (each.shard, each.engine, each.way, int(each.agrees), now()))

    def recounts(self) -> list[Recounted]:
        """The recounts of shards."""
        rows = self._rows("recounts", "ORDER BY shard")
        return [Recounted(shard, engine, way, bool(agrees)) for shard, engine, way, agrees, _ in rows]


def _lie_in(first: Any, last: Any, n_shards: int) -> bool:
    return first is None or (type(first) is type(last) is int and 0 <= first <= last < n_shards)


def _session_row(session: tuple[int, str, int, str], elapsed_s: float) -> tuple[Any, ...]:
    number, began, workers, executor = session
    return (number, began, elapsed_s, workers, executor)


def _to_row(record: Finished) -> tuple[Any, ...]:
    ledger, place = record.ledger, record.place
    return (
        record.shard,
        str(record.found),
        record.kept,
        str(record.nodes),
        record.seconds,
        None if record.digest is None else str(record.digest),
        None if ledger is None else _ledger_text(ledger),
        *((None, None, None) if place is None else (place.file, place.start, place.checksums)),
    )


def _place(file: int, start: Any, checksums: Any, kept: int) -> Place:
    """The place of rows. Raises ValueError, TypeError."""
    if type(start) is not int or len(checksums) != CHECKSUM.itemsize * -(-kept // BLOCK_ROWS):
        raise ValueError
    return Place(file, start, checksums)


def _count(text: str) -> int:
    """A number of solutions or nodes. Raises ValueError."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)


def _ledger_text(ledger: Mapping[int, int]) -> str:
    """JSON without `json.dumps`, which takes four times as long while all workers wait for a commit."""
    pairs = (f'"{order}": {number}' for order, number in sorted(ledger.items()))
    return "{" + ", ".join(pairs) + "}"


@lru_cache(maxsize=1 << 12)
def _read_ledger(text: str) -> Mapping[int, int]:
    ledger = {_count(order): number for order, number in json.loads(text).items()}
    if not all(order and type(number) is int and number >= 0 for order, number in ledger.items()):
        raise ValueError
    return ledger


def now() -> str:
    """The current time in the form of the files of a run."""
    return datetime.now(UTC).isoformat(timespec="seconds")
