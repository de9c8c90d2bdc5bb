"""What a finished shard gave, and the sum over finished shards: counts, nodes, digest, orbits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rekkyo.engines.digest import Digest
from rekkyo.errors import CountsDisagree
from rekkyo.symmetry.orbits import OrbitLedger


@dataclass(frozen=True, slots=True)
class Place:
    """Where the rows of a shard lie: file number, first byte, and a checksum for each block of them."""

    file: int
    start: int
    checksums: bytes


class Finished(NamedTuple):
    """What one shard gave.

    found: solutions met (weighted, for an engine whose shards weigh). kept: rows that are the answer: all
    solutions, or one for each orbit. digest: of the rows kept. ledger: orbits met, by the order of their
    stabilizer.
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
        """Whether the same shard gave the same solutions again."""
        mine = (self.shard, self.found, self.kept, self.digest, self.ledger)
        return mine == (other.shard, other.found, other.kept, other.digest, other.ledger)


@dataclass(slots=True)
class Sums:
    """What the finished shards give together. Python ints: no overflow.

    group_order: of the symmetry whose orbits are counted; None when they are not.
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
        """Add finished shards, none of which is in the sum yet. Runs of 100,000 shards wait for this loop."""
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
