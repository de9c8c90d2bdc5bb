"""Make a finished run look as it did before some of its shards were finished."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def _with_hidden(folder: Path) -> Iterator[sqlite3.Connection]:
    """The index of a run, and beside its folder a database for what is hidden."""
    beside = folder.with_name(f"{folder.name}-hidden.sqlite")
    with closing(sqlite3.connect(folder / "index.sqlite")) as index:
        index.execute("ATTACH ? AS beside", (str(beside),))
        with index:
            index.execute("CREATE TABLE IF NOT EXISTS beside.hidden AS SELECT * FROM finished WHERE 0")
            yield index


def hide_shards(folder: Path, shards: Iterable[int]) -> None:
    """Take these shards out of the run's index, and keep what it said about them."""
    with _with_hidden(folder) as index:
        for shard in shards:
            index.execute("INSERT INTO hidden SELECT * FROM finished WHERE shard = ?", (shard,))
            index.execute("DELETE FROM finished WHERE shard = ?", (shard,))


def show_shard(folder: Path, shard: int | None = None) -> None:
    """Put this hidden shard back into the index, or the first hidden one."""
    with _with_hidden(folder) as index:
        if shard is None:
            (shard,) = index.execute("SELECT min(shard) FROM hidden").fetchone()
        index.execute("INSERT INTO finished SELECT * FROM hidden WHERE shard = ?", (shard,))
        index.execute("DELETE FROM hidden WHERE shard = ?", (shard,))
