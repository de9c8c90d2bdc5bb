"""The sum over finished shards: counts, nodes, digest, orbits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rekkyo.engines.digest import Digest
from rekkyo.store.index import Finished
from rekkyo.symmetry.orbits import OrbitLedger


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
            assert record.shard not in self.done
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
