"""An index for tests, with 40 shards and a record."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from rekkyo.engines.contract import Shard
from rekkyo.engines.digest import Digest
from rekkyo.store.finished import Finished, Place
from rekkyo.store.index import Index

SHARDS = tuple(Shard(i, (i, 3), 5 * i) for i in range(40))
RECORD = Finished(3, 12, 12, 100, 0.5, Digest(1, 2**64 - 1), {1: 1, 2: 1}, Place(0, 0, b"\1\2\3\4"))


def writing(path: Path) -> closing[Index]:
    return closing(Index.open(path, len(SHARDS), writing=True))


def finished(path: Path) -> list[Finished]:
    with closing(Index.open(path, len(SHARDS), writing=False)) as index:
        return list(index.finished())
