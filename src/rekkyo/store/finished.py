"""The result of a finished shard, and sums over finished shards: counts, nodes, digest, orbits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rekkyo.engines.digest import Digest
from rekkyo.errors import CountsDisagree
from rekkyo.symmetry.orbits import OrbitLedger


@dataclass(frozen=True, slots=True)
class Place:
    """The place of the rows of a shard: file number, first byte, and a checksum for each block."""

    file: int
    start: int
    checksums: bytes


class Finished(NamedTuple):
    """The result of one shard.

    found: the number of solutions (weighted, for an engine with weighted shards). kept: the number of rows of
    the answer: all solutions, or one for each orbit. digest: of these rows. ledger: the number of orbits, by
    the order of their stabilizer.
    """

    shard: int
    found: int
    kept: int
    nodes: int
    seconds: float
    digest: Digest | None
    ledger: Mapping[int, int] | None
    place: Place | None

    def agrees_with(self, other: Finished) -> bool:
        """Whether two results of a shard have the same solutions."""
        mine = (self.shard, self.found, self.kept, self.digest, self.ledger)
        return mine == (other.shard, other.found, other.kept, other.digest, other.ledger)


@dataclass(slots=True)
class Sums:
    """Sums over the finished shards, in Python ints, which do not overflow.

    group_order: of the symmetry whose orbits are counted; None if they are not counted.
    """

    group_order: int | None
    done: set[int] = field(default_factory=set)
    found: int = 0
    kept: int = 0
    nodes: int = 0
    digest: Digest | None = None
    ledger: OrbitLedger = field(init=False)
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger = OrbitLedger(self.group_order or 1)

    def add(self, records: Iterable[Finished]) -> None:
        """Add finished shards, none of which is in the sum yet. This loop must be fast for 100,000 shards."""
        first = second = 0
        is_hashed = False
        orbits = self.ledger.n_orbits
        for record in records:
            if record.shard in self.done:
                what = f"shard {record.shard} was counted twice"
                raise CountsDisagree(f"{what} (check: shards); please report this")
            self.done.add(record.shard)
            self.found += record.found
            self.kept += record.kept
            self.nodes += record.nodes
            self.seconds.append(record.seconds)
            if record.digest is not None:
                first += record.digest.first
                second += record.digest.second
                is_hashed = True
            if record.ledger is not None:
                for order, number in record.ledger.items():
                    orbits[order] = orbits.get(order, 0) + number
        if is_hashed:
            self.digest = (self.digest or Digest()) + Digest(first, second)
