"""The base of engines that list solutions along a diagram of all of them, which has no dead ends.

Rows are in the order of `Diagram`, so solution number k of `kth` is row k. A shard is a range of these
numbers, so shards are about equal. The diagram takes memory that a search does not need, so these engines
are used only by name, and for long lists where merging is far faster than a search (`search/listing.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.engines.diagram.diagram import Diagram, Walk
from rekkyo.engines.memory import WithMemory
from rekkyo.engines.prefixes import no_such_shard, ranges


@dataclass(slots=True)
class Cursor:
    """A place in the diagram, and the number of solutions that are left in the shard."""

    walk: Walk | None
    left: int


class DiagramEngine(WithMemory, ListingEngine[Diagram, Cursor]):
    """Lists all solutions from their diagram, in its order. An engine adds how the diagram is made."""

    plan_version = 1

    def split(self, plan: Diagram, at_least: int) -> tuple[Shard, ...]:
        """Shards are ranges of solution numbers."""
        return ranges(plan.count, at_least)

    def plan_facts(self, plan: Diagram) -> object:
        """The order, which gives each number its solution, and the count; the rest follows from the model."""
        return plan.order, plan.count

    def start(self, plan: Diagram, shard: Shard) -> Cursor:
        """A cursor at the first number of the range."""
        if len(shard.prefix) != 2 or not 0 <= shard.prefix[0] <= shard.prefix[1] <= plan.count:
            raise no_such_shard(self.name, shard.prefix)
        first, end = shard.prefix
        return Cursor(Walk(plan, first) if first < end else None, end - first)

    def advance(self, plan: Diagram, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is a solution written."""
        n_rows = min(cursor.left, len(room.rows), budget)
        if cursor.walk is not None and n_rows:
            cursor.walk.write(room.rows, n_rows)
            cursor.left -= n_rows
        unfinished = Status.BUFFER_FULL if n_rows == len(room.rows) else Status.OUT_OF_BUDGET
        return Advance(unfinished if cursor.left else Status.DONE, n_rows, n_rows)
