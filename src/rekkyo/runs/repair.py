"""Repairing a run: shards with damaged rows are dropped, so that `resume` searches them again.

The search for damage changes nothing. Rows that cannot be read, because of a failing disk or a lack of
permission, are not damage: nothing is dropped then. A damaged index cannot be repaired.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rekkyo.errors import BadInput
from rekkyo.model.checks import check_nested, check_type, shown
from rekkyo.runs.status import CHECKS_OF_ROWS
from rekkyo.runs.verify_run import damage_of
from rekkyo.search.progress import Meter, Watcher, check_watch
from rekkyo.store.reader import RunReader
from rekkyo.store.run_directory import noting


@dataclass(frozen=True, slots=True)
class Damage:
    """Shards whose rows are not those of their search. rows: the number that they should have in total.

    problems: a line for each shard, in the order of `shards`.
    """

    shards: tuple[int, ...]
    rows: int
    problems: tuple[str, ...]


def find_damage(folder: Path, *, watch: Watcher | None) -> Damage:
    """Read all stored rows and say which shards are damaged. Raises BadRun, RunUnreadable, RunDamaged."""
    check_watch(watch)
    found: dict[int, str] = {}
    n_rows = 0
    with closing(RunReader(folder)) as reader:
        meter = Meter(len(reader.order), 1)
        for shard, blocks in reader.shards():
            problem = damage_of(reader, shard, blocks, lambda rows: meter.add(len(rows), 0))
            if problem is not None:
                found[shard] = problem
                n_rows += reader.size(shard)
            meter.finish_shard(0.0)
            if watch is not None:
                watch(meter.look())
    return Damage(tuple(found), n_rows, tuple(found.values()))


def drop_damage(folder: Path, damage: Damage) -> None:
    """Drop damaged shards, and what earlier checks of the rows have found.

    The rows of these shards are read once more: the damage may be that of another run, or may be repaired.
    Raises BadInput, RunInUse, RunUnreadable, RunDamaged, RunStopped.
    """
    rule = "the damage is what Run.damage returned"
    check_type(rule, damage, Damage)
    check_nested(rule, damage.shards, (tuple, int))
    with noting(folder) as index:
        with closing(RunReader(folder, first=damage.shards)) as reader:
            parts = islice(reader.shards(), len(damage.shards))
            damaged = {shard for shard, blocks in parts if damage_of(reader, shard, blocks, len) is not None}
        for shard in damage.shards:
            if shard not in damaged:
                raise BadInput(
                    f"{folder} has no damaged rows of shard {shown(shard)}; give what Run.damage returns now"
                )
        index.drop(damage.shards, CHECKS_OF_ROWS)
