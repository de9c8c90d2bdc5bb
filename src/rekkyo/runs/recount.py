"""Recounting a run: its shards searched again, all or a random part, by another engine where there is one.

All: the other engine makes a run of its own, in a directory inside the first one, so that it survives a crash
too; its shards are others, so what is compared is the whole: total, unique and digest.

A part: each chosen shard is put as a model of its own (`Engine.submodel`: its decisions become given queens
or given options), and the other engine searches that; count, digest and orbits must be those of the shard.
Where the decisions of a shard cannot be said in a model, the engine of the run does the same shard again,
which finds faults of the computer but not of the program. The answer says which way was taken.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rekkyo.engines import registry
from rekkyo.engines.contract import Block, ListingEngine, Rows, Shard
from rekkyo.errors import BadInput, BadRun
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.row import Layout, RowShape
from rekkyo.runs.shard_work import Aim, Bench
from rekkyo.runs.status import RECOUNT, RunStatus, status
from rekkyo.runs.stored import aim_of, bench_of, run
from rekkyo.search.cutting import scattered
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import Search, prepare_model
from rekkyo.search.threads import StopSign, carry_out_each, number_of_workers
from rekkyo.store.index import Finished, Recounted
from rekkyo.store.run_directory import RunDirectory

SUBMODEL = "as models of their own"
SAME_SHARD = "the same shards again"


@dataclass(frozen=True, slots=True)
class Recount:
    """What a recount found.

    engines: who recounted, and in which way. shards: how many of the run were recounted. differing: those
    that came out different (empty for a recount of the whole, where only `agrees` is known).
    other_engine: whether it was an engine other than that of the run, everywhere.
    """

    directory: str
    engines: tuple[str, ...]
    shards: int
    of_shards: int
    agrees: bool
    differing: tuple[int, ...]
    other_engine: bool
    detail: str


def recount(
    directory: str | os.PathLike[str],
    *,
    fraction: float | None = None,
    seed: int = 1,
    engine: str | None = None,
    puzzle: Puzzle | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    watch: Watcher | None = None,
) -> Recount:
    """Search a run again and compare, and note the outcome in its directory.

    fraction: of the finished shards, chosen at random by the seed; None for the whole run, which must be
    finished. engine: who recounts; by default one that shares no search code with the engine of the run.
    executor: for a recount of the whole. Raises BadInput, RunDamaged, RunStopped.
    """
    number_of_workers(workers)
    folder = Path(directory)
    before = status(folder)
    if fraction is not None:
        return _recount_part(folder, fraction, seed, engine, puzzle, workers, watch)
    if not before.is_complete:
        raise BadRun(
            f"{folder} is not finished ({before.shards_done} of {before.shards} shards); go on with:"
            f" rekkyo resume {folder}; or recount a part of what is done with --fraction"
        )
    return _recount_all(folder, before, engine, puzzle, workers, executor, watch)


def _recount_all(
    folder: Path,
    before: RunStatus,
    engine: str | None,
    puzzle: Puzzle | None,
    workers: int | None,
    executor: Executor | None,
    watch: Watcher | None,
) -> Recount:
    with closing(RunDirectory.open(folder)) as opened:
        aim = aim_of(folder, opened.manifest, puzzle)
    other = _other_engine(aim, lower(aim.puzzle.model), engine)
    again = run(
        aim.puzzle,
        folder / f"recount-{other}",
        engine=other,
        up_to=aim.up_to,
        count_only=True,
        workers=workers,
        executor=executor,
        watch=watch,
    )
    pairs: list[tuple[str, object, object]]
    pairs = [("total", before.total, again.total), ("unique", before.unique, again.unique)]
    pairs += [("digest", before.digest, again.digest)]
    compared = [(what, one, two) for what, one, two in pairs if one is not None and two is not None]
    wrong = [f"{what} {one} against {two}" for what, one, two in compared if one != two]
    same = ", ".join(what for what, one, two in compared if one == two)
    detail = f"{'; '.join(wrong)} differ" if wrong else f"{same} are the same"
    if other == aim.engine:
        detail += "; by the same engine, because there is no other"
    facts = {
        "run_total": str(before.total),
        "run_digest": str(before.digest),
        "agrees": not wrong,
        "other_engine": other != aim.engine,
        "detail": detail,
    }
    with closing(RunDirectory.open(folder)) as opened:
        opened.index.add_check(RECOUNT + other, facts)
    return Recount(
        str(folder), (other,), before.shards, before.shards, not wrong, (), other != aim.engine, detail
    )


def _other_engine(aim: Aim, model: Model, name: str | None) -> str:
    """The engine to recount with: the one that was named, else one that is not the run's."""
    if name is not None:
        registry.engine_named(name).check(model)
        return name
    others = [
        engine
        for engine in registry.engines_for(model)
        if isinstance(engine, ListingEngine) and engine.name != aim.engine
    ]
    preferred = [engine for engine in others if engine.pays_off(model)] or others
    return preferred[0].name if preferred else aim.engine


def _recount_part(
    folder: Path,
    fraction: float,
    seed: int,
    engine: str | None,
    puzzle: Puzzle | None,
    workers: int | None,
    watch: Watcher | None,
) -> Recount:
    if not 0 < fraction <= 1:
        raise BadInput(f"the fraction must be more than 0 and at most 1, not {fraction}")
    with closing(RunDirectory.open(folder)) as opened:
        bench = bench_of(opened, aim_of(folder, opened.manifest, puzzle))
        if engine is not None and engine != bench.aim.engine:
            registry.listing_engine_named(engine).check(lower(bench.aim.puzzle.model))
        chosen = _choose(bench, opened.sums.done, fraction, seed)
        if not chosen:
            raise BadRun(f"{folder} has no finished shard to recount; go on with: rekkyo resume {folder}")
        recounts = _recount_shards(opened, bench, chosen, engine, number_of_workers(workers), watch)
        opened.index.add_recounts(recounts)
    differing = tuple(sorted(recount.shard for recount in recounts if not recount.agrees))
    ways = Counter((recount.engine, recount.way) for recount in recounts)
    detail = "; ".join(f"{number} by {name}, {way}" for (name, way), number in sorted(ways.items()))
    return Recount(
        str(folder),
        tuple(sorted({recount.engine for recount in recounts})),
        len(recounts),
        len(bench.shards),
        not differing,
        differing,
        all(recount.engine != bench.aim.engine for recount in recounts),
        detail,
    )


def _choose(bench: Bench, done: set[int], fraction: float, seed: int) -> list[Shard]:
    finished = [shard for shard in bench.shards if shard.index in done]
    number = max(1, round(fraction * len(finished))) if finished else 0
    return random.Random(seed).sample(finished, number)


def _recount_shards(
    opened: RunDirectory,
    bench: Bench,
    chosen: Sequence[Shard],
    engine: str | None,
    workers: int,
    watch: Watcher | None,
) -> list[Recounted]:
    records = {shard.index: opened.index.one(shard.index) for shard in chosen}
    meter = Meter(len(chosen), workers)

    def work(shard: Shard, stop: StopSign, _: int) -> Recounted:
        name, way, again = _again(bench, shard, engine, stop, meter)
        record = records[shard.index]
        assert record is not None
        return Recounted(shard.index, name, way, again.agrees_with(record))

    groups = carry_out_each(scattered(chosen), work, workers, meter, watch)
    with closing(groups):
        return [recount for group in groups for recount in group]


def _again(
    bench: Bench, shard: Shard, engine: str | None, stop: StopSign, meter: Meter
) -> tuple[str, str, Finished]:
    """The engine that did a shard again, in which way, and what it gave."""
    aim = bench.aim
    model = lower(aim.puzzle.model)
    sub = None
    if bench.search is not None and not bench.only_representatives and engine != aim.engine:
        sub = bench.search.engine.submodel(model, shard)
    name = aim.engine if sub is None else _engine_for_shard(aim, sub, engine)
    if sub is None or name == aim.engine:
        return aim.engine, SAME_SHARD, bench.carry_out(shard, stop, lambda _: None, meter.add)
    search = prepare_model(aim.puzzle, sub, registry.listing_engine_named(name))
    blocks = _blocks(search, aim.puzzle.model.row_shape, stop)
    return name, SUBMODEL, bench.list_blocks(blocks, shard, lambda _: None, meter.add)


def _engine_for_shard(aim: Aim, sub: Model, name: str | None) -> str:
    if name is None:
        return _other_engine(aim, sub, None)
    return (
        registry.listing_engine_named(name).name if registry.engine_named(name).accepts(sub) else aim.engine
    )


def _blocks(search: Search, shape: RowShape, stop: StopSign) -> Iterator[Block]:
    """All solutions of a submodel, as rows of the model itself."""
    for shard in search.shards:
        for block in search.blocks(shard, stop):
            yield replace(block, rows=_fitted(block.rows, shape))


def _fitted(rows: Rows, shape: RowShape) -> Rows:
    """Rows with as many fillers at the end as the shape wants."""
    if shape.layout is Layout.BY_POSITION or rows.shape[1] == shape.length:
        return rows
    fitted: Rows = np.full((rows.shape[0], shape.length), shape.n_values, dtype=rows.dtype)
    common = min(rows.shape[1], shape.length)
    fitted[:, :common] = rows[:, :common]
    return fitted
