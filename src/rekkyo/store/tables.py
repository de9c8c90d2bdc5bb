"""The tables of an index. A row is accepted if it has its seal, and values of the right type.

The seal is the CRC-32 of the table's name and the row. It detects accidents. A forged row can have
the right seal, so the type of every value and the range of numbers, 0 to MOST, are checked. The reader of
a value checks the rest. The table `shards` has no seals, because the plan's hash in the manifest covers it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import Any

VERSION = 2
KINDS = {"INTEGER": int, "TEXT": str, "REAL": float, "BLOB": bytes}
MOST = 1 << 48
"""The greatest number in a row. Counts may be larger and are text, because SQLite's integers end at 2^63."""

TABLES: dict[str, dict[str, str]] = {
    "finished": {
        "shard": "INTEGER PRIMARY KEY",
        "found": "TEXT NOT NULL",
        "kept": "INTEGER NOT NULL",
        "nodes": "TEXT NOT NULL",
        "seconds": "REAL NOT NULL",
        "digest": "TEXT",
        "ledger": "TEXT",
        "file": "INTEGER",
        "start": "INTEGER",
        "checksums": "BLOB",
    },
    "sessions": {
        "session": "INTEGER PRIMARY KEY",
        "began": "TEXT NOT NULL",
        "elapsed_s": "REAL NOT NULL",
        "workers": "INTEGER NOT NULL",
        "executor": "TEXT NOT NULL",
    },
    "outcome": {
        "one": "INTEGER PRIMARY KEY",
        "found": "TEXT NOT NULL",
        "total": "TEXT NOT NULL",
        "fixed": "TEXT",
        "uniques": "TEXT",
    },
    "checks": {"kind": "TEXT PRIMARY KEY NOT NULL", "at": "TEXT NOT NULL", "facts": "TEXT NOT NULL"},
    "recounts": {
        "shard": "INTEGER NOT NULL",
        "engine": "TEXT NOT NULL",
        "way": "TEXT NOT NULL",
        "agrees": "INTEGER NOT NULL",
        "at": "TEXT NOT NULL",
    },
}

COLUMNS = {table: ", ".join(columns) for table, columns in TABLES.items()}

INSERT = {
    table: f"INTO {table} ({COLUMNS[table]}, seal) VALUES ({'?, ' * len(columns)}?)"
    for table, columns in TABLES.items()
}
"""The rest of a statement that begins with INSERT, INSERT OR REPLACE or INSERT OR IGNORE, for each table."""


def _allowed(declaration: str) -> tuple[type, ...]:
    """The types of the values of a column. None is allowed if nothing but the type is declared."""
    kind, _, more = declaration.partition(" ")
    return (KINDS[kind],) if more else (KINDS[kind], type(None))


_ALLOWED = {table: [*map(_allowed, columns.values())] for table, columns in TABLES.items()}


def schema() -> str:
    """All tables and the version, in SQL."""
    statements = [
        "CREATE TABLE shards (shard INTEGER PRIMARY KEY, prefix TEXT NOT NULL, nodes TEXT NOT NULL)"
    ]
    for table, columns in TABLES.items():
        declared = [f"{name} {kind}" for name, kind in columns.items()]
        last = ["PRIMARY KEY (shard, engine)"] if table == "recounts" else []
        statements.append(f"CREATE TABLE {table} ({', '.join([*declared, 'seal INTEGER NOT NULL', *last])})")
    return f"{'; '.join(statements)}; PRAGMA user_version={VERSION};"


READ_SCHEMA = "SELECT type, name, sql FROM sqlite_schema"


@cache
def tables_of_schema() -> frozenset[tuple[str, str, str | None]]:
    """The result of READ_SCHEMA for an index that rekkyo made."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(schema())
        return frozenset(made.execute(READ_SCHEMA))


def sealed(table: str, row: Sequence[Any]) -> tuple[Any, ...]:
    """A row with its seal at the end."""
    return (*row, _seal(table, row))


def complaint_about(table: str, row: Sequence[Any]) -> str | None:
    """The problem of a row with its seal at the end, or None."""
    values = row[:-1]
    if _seal(table, values) != row[-1]:
        return "has changed: it does not have its seal"
    for value, allowed in zip(values, _ALLOWED[table], strict=True):
        if type(value) not in allowed or (type(value) in (int, float) and not 0 <= value <= MOST):
            return "holds a value that cannot be there"
    return None


def _seal(table: str, row: Sequence[Any]) -> int:
    return zlib.crc32(repr((table, *row)).encode(errors="surrogatepass"))
