"""Recounting a run: its shards are searched again, all or a random part, by another engine if there is one.

All shards: the other engine makes a separate run, in a directory inside the first one. Its shards differ, so
only total, unique and digest are compared.

A part: each chosen shard becomes a model (`Engine.submodel`: its decisions become given queens or options),
which the other engine searches; count, digest and orbits must be those of the shard. If there is no such
model, the engine of the run searches the shard again, which finds faults of the computer but not of the
program.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rekkyo.engines import registry
from rekkyo.engines.contract import Block, CountingEngine, ListingEngine, Pause, Rows, Shard
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import BadRun, in_shell
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.row import ABOVE_0, Layout, RowShape, checked_real
from rekkyo.runs.recount_engines import Chosen, recounted
from rekkyo.runs.status import RECOUNT, RunStatus, status
from rekkyo.runs.stored import question_of, run, search_of
from rekkyo.search.cutting import Into, scattered
from rekkyo.search.fold import Fold, Report, sum_shard
from rekkyo.search.optimum import with_best
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.question import Question, checked_seed, number_of_workers
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import StopSign, do_all
from rekkyo.store.checkpoints import newest_checkpoint
from rekkyo.store.finished import Finished
from rekkyo.store.index import Recounted
from rekkyo.store.manifest import Manifest, read_manifest
from rekkyo.store.run_directory import RunDirectory, holds_run, noting
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.products import product_of
from rekkyo.wording import several

SUBMODEL = "as models of their own"
SAME_SHARD = "the same shards again"


@dataclass(frozen=True, slots=True)
class Recount:
    """The result of a recount.

    engines: that recounted. shards: the number of recounted shards. differing: shards with another result,
    for a recount of a part. other_engine: whether each shard was recounted by an engine that shares no search
    code with that of the run.
    """

    directory: str
    engines: tuple[str, ...]
    shards: int
    of_shards: int
    agrees: bool
    differing: tuple[int, ...]
    other_engine: bool
    detail: str


def recount_all(
    folder: Path,
    engine: str | None,
    puzzle: Puzzle | None,
    workers: int | None,
    executor: Executor | None,
    watch: Watcher | None,
    sizes: Sizes,
) -> Recount:
    """Recount a finished run by a separate run, and record the outcome in its directory."""
    before = status(folder)
    if not before.is_complete:
        raise BadRun(
            f"{folder} is not finished ({before.shards_done} of {before.shards} shards); go on with:"
            f" rekkyo resume {in_shell(folder)}; or recount a part of what is done with --fraction"
        )
    manifest = read_manifest(folder)
    question = question_of(folder, manifest, puzzle, sizes)
    again_by = partial(_again_by, question, manifest, before, workers=workers, executor=executor, watch=watch)
    return recounted(with_best(question, manifest.optimum), _others(question, engine), again_by, watch)


def _again_by(
    question: Question, manifest: Manifest, before: RunStatus, chosen: Chosen, **where: Any
) -> Recount:
    """The recount by an engine. manifest, before: of the run, and its outcome. Raises EngineRefuses."""
    folder, other = Path(before.directory), chosen.engine
    up_to = manifest.up_to if _knows_orbits(question, other) else "none"
    is_independent = not registry.share_search_code(other, manifest.engine)
    inside = folder / f"recount-{other}"
    if inside.is_symlink():
        raise BadRun(f"{inside} is a link, and rekkyo writes through none; delete it, then recount again")
    n_before = status(inside).shards_done if holds_run(inside) else 0
    has_checkpoint = newest_checkpoint(inside) is not None
    again = run(
        question.puzzle,
        inside,
        engine=other,
        up_to=up_to,
        count_only=True,
        sizes=question.sizes,
        **where,
    )
    numbers = ("total", "unique", "digest") if up_to == manifest.up_to else ("total",)
    pairs = [(what, getattr(before, what), getattr(again, what)) for what in numbers]
    compared = [(what, one, two) for what, one, two in pairs if one is not None and two is not None]
    wrong = [f"{what} {one} against {two}" for what, one, two in compared if one != two]
    same = ", ".join(what for what, _, _ in compared)
    are = "are" if len(compared) > 1 else "is"
    detail = f"{'; '.join(wrong)} differ" if wrong else f"{same} {are} the same"
    if chosen.why:
        detail += f"; {chosen.why}"
    if other == manifest.engine:
        detail += "; by the engine of the run"
    elif not is_independent:
        detail += f"; {other} shares search code with {manifest.engine}"
    if n_before:
        taken = f"{n_before} of {several(again.shards, 'shard')}"
        detail += f"; {taken} were taken from {inside.name}, which was there, and not searched again"
    if has_checkpoint:
        detail += f"; it went on from a checkpoint in {inside.name}, which was there"
    facts = {
        "run_total": str(before.total),
        "run_digest": str(before.digest),
        "agrees": not wrong,
        "other_engine": is_independent,
        "detail": detail,
    }
    with noting(folder) as index:
        index.add_check(RECOUNT + other, facts)
    return Recount(str(folder), (other,), before.shards, before.shards, not wrong, (), is_independent, detail)


def _others(question: Question, name: str | None) -> Sequence[AnyEngine]:
    """The engines to recount with, preferred ones first: only the named one if there is one."""
    if name is not None:
        named = registry.engine_named(name)
        if name != question.engine.name:
            named.check(question.model)
        return [named]
    if isinstance(question.group, LargeGroup):
        return [_counting_engine(question)]
    return registry.other_engines(question.model, question.engine) or [question.engine]


def _counting_engine(question: Question) -> AnyEngine:
    """The engine to recount what a large group has left of all solutions: others would have to list them."""
    model = lower(question.puzzle.model)
    others = registry.other_engines(model, question.engine)
    found = next((other for other in others if isinstance(other, CountingEngine)), None)
    if found is None:
        raise BadRun(f"no other engine counts {question.puzzle.name} without a list; name one with --engine")
    return found


def _knows_orbits(question: Question, engine: str) -> bool:
    """Whether another engine counts orbits in a run, too: of a group too large to list, few engines do."""
    group = question.group
    if not isinstance(group, LargeGroup) or engine == question.engine.name:
        return True
    counts = isinstance(registry.engine_named(engine), CountingEngine)
    return counts and product_of(group.generators) is not None


def recount_part(
    folder: Path,
    fraction: float,
    seed: int,
    engine: str | None,
    puzzle: Puzzle | None,
    workers: int | None,
    watch: Watcher | None,
    sizes: Sizes,
) -> Recount:
    """Recount some finished shards, and record the outcome in the directory of the run."""
    n_workers = number_of_workers(workers)
    seed = checked_seed(seed)
    named = None if engine is None else registry.engine_named(engine)
    fraction = checked_real("the fraction must be more than 0 and at most 1", fraction, ABOVE_0, 1)
    with closing(RunDirectory.open(folder)) as opened:
        question = question_of(folder, opened.manifest, puzzle, sizes, workers)
        search = search_of(opened, question, watch)
        own = search.engine.name
        if named is not None and named.name != own:
            registry.listing_engine_named(named.name, search.question.model).check(search.question.model)
        finished = [shard for shard in search.shards if shard.index in opened.sums.done]
        number = max(1, round(fraction * len(finished))) if finished else 0
        chosen = random.Random(seed).sample(finished, number)
        if not chosen and search.shards:
            raise BadRun(
                f"{folder} has no finished shard to recount; go on with: rekkyo resume {in_shell(folder)}"
            )
        recounts = _recount_shards(opened, search, chosen, engine, n_workers, watch)
        opened.index.add_recounts(recounts)
    differing = tuple(sorted(recount.shard for recount in recounts if not recount.agrees))
    ways = Counter((recount.engine, recount.way) for recount in recounts)
    detail = "; ".join(f"{n} by {name}, {way}" for (name, way), n in sorted(ways.items()))
    return Recount(
        str(folder),
        tuple(sorted({recount.engine for recount in recounts})),
        len(recounts),
        len(search.shards),
        not differing,
        differing,
        not any(registry.share_search_code(recount.engine, own) for recount in recounts),
        detail or "the plan has no shard: no solution is possible",
    )


def _recount_shards(
    opened: RunDirectory,
    search: Search,
    chosen: Sequence[Shard],
    engine: str | None,
    workers: int,
    watch: Watcher | None,
) -> list[Recounted]:
    records = {shard.index: opened.index.one(shard.index) for shard in chosen}
    meter = Meter(len(chosen), workers)
    folding = Fold(search)

    def work(shard: Shard, stop: StopSign) -> Recounted:
        name, way, again = _again(folding, shard, engine, stop.check, meter.add)
        record = records[shard.index]
        assert record is not None
        return Recounted(shard.index, name, way, again.agrees_with(record))

    recounts = do_all(scattered(chosen), work, workers, meter, watch)
    folding.finish()
    return recounts


def _again(
    folding: Fold, shard: Shard, engine: str | None, pause: Pause, report: Report
) -> tuple[str, str, Finished]:
    """The engine that searched a shard again, the way, and the result."""
    search, question = folding.search, folding.search.question
    own = search.engine
    sub = None
    if isinstance(own, ListingEngine) and not search.only_representatives and engine != own.name:
        sub = own.submodel(question.model, shard)
    name = own.name if sub is None else _engine_for_shard(question, sub, engine)
    if sub is None or name == own.name:
        return own.name, SAME_SHARD, sum_shard(folding, shard, pause, report)
    part = prepare(question.for_part(sub, registry.listing_engine_named(name)), Into(1))

    def blocks(_: Shard, pause: Pause) -> Iterator[Block]:
        for each in part.shards:
            for block in part.blocks(each, pause):
                yield replace(block, rows=_fitted(block.rows, search.shape))

    again = Fold(replace(search, other=blocks))
    record = sum_shard(again, shard, pause, report)
    again.finish()
    return name, SUBMODEL, record


def _engine_for_shard(question: Question, sub: Model, name: str | None) -> str:
    """The engine that lists the solutions of a shard: as for the whole run, if there is such a one."""
    own = question.engine
    others = registry.other_engines(sub, own) if name is None else [registry.listing_engine_named(name)]
    return next((e for e in others if isinstance(e, ListingEngine) and e.accepts(sub)), own).name


def _fitted(rows: Rows, shape: RowShape) -> Rows:
    """Rows with as many fillers at the end as the shape needs."""
    if shape.layout is Layout.BY_POSITION or rows.shape[1] == shape.length:
        return rows
    fitted: Rows = np.full((rows.shape[0], shape.length), shape.n_values, dtype=rows.dtype)
    common = min(rows.shape[1], shape.length)
    fitted[:, :common] = rows[:, :common]
    return fitted
