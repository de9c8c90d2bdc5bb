"""The status of a run, read from its directory during the run or later, and its checks.

The ledger lists each kind of evidence, its outcome, and the errors that it cannot detect.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rekkyo.engines.digest import Digest
from rekkyo.errors import RunDamaged
from rekkyo.html_tables import facts, seconds, table
from rekkyo.runs.puzzle_source import check_name
from rekkyo.safe_files import path_of
from rekkyo.search.progress import remaining_seconds
from rekkyo.store import index as indexing
from rekkyo.store.checkpoints import newest_checkpoint
from rekkyo.store.finished import Sums
from rekkyo.store.index import Checked, Index
from rekkyo.store.lock import is_held
from rekkyo.store.manifest import Manifest, read_manifest
from rekkyo.store.run_directory import LOCK
from rekkyo.store.sqlite import FIX
from rekkyo.wording import several

RUNNING, INTERRUPTED, FINISHED = "running", "interrupted", "finished"
FAILED = "FAILED"

ROWS_VALID, ROWS_DISTINCT, ORBITS_CLOSED = CHECKS_OF_ROWS = "rows valid", "rows distinct", "orbits closed"
RECOUNT = "recount by "
FACTS_OF_ROWS = {"passed": bool, "detail": str, "digest": str}
FACTS_OF_RECOUNT = {"run_total": str, "run_digest": str, "agrees": bool, "other_engine": bool, "detail": str}

NO_ORBITS = "no symmetry is known, or its group is too large to list"
MISSING_ORBIT = "a whole missing orbit: only a recount or a certificate finds it"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One line of the ledger.

    outcome: "passed", "FAILED", "not done" or "not possible". blind_to: errors that this check cannot detect.
    """

    check: str
    outcome: str
    detail: str
    blind_to: str


@dataclass(frozen=True, slots=True)
class RunStatus:
    """Counts of the finished shards, and the progress of the run.

    total, unique: so far, unless the state is "finished"; None while they are not known.
    optimum: the best value of the puzzle's objective, which all rows have.
    digest: of the rows of the run: all solutions, or, if `up_to` is not "none", one for each orbit.
    checkpoint: when the newest checkpoint of a count that is not finished was written; None if there is none.
    """

    directory: str
    puzzle: str
    engine: str
    up_to: str
    state: str
    total: int | None
    unique: int | None
    optimum: int | None
    digest: str | None
    shards: int
    shards_done: int
    rows_stored: int
    nodes: int
    elapsed_s: float
    remaining_s: tuple[float, float] | None
    workers: int
    created: str
    checkpoint: str | None
    evidence: tuple[Evidence, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every shard is finished, and the counts are known."""
        return self.state == FINISHED

    def _repr_html_(self) -> str:
        left = "" if self.remaining_s is None else " to ".join(map(seconds, self.remaining_s))
        numbers = [
            ("state", f"{self.state}: {self.shards_done:,} of {several(self.shards, 'shard')}"),
            ("solutions", self.total),
            ("orbits", self.unique),
            ("best value", self.optimum),
            ("rows stored", self.rows_stored),
            ("engine", self.engine),
            ("time", seconds(self.elapsed_s)),
            ("time left", "" if self.is_complete else left),
        ]
        ledger = [(one.check, one.outcome, one.detail, one.blind_to) for one in self.evidence]
        head = ("check", "outcome", "detail", "cannot see")
        return facts(f"{self.directory}: {self.puzzle}", numbers) + table("What was checked", head, ledger)


def status(directory: str | os.PathLike[str]) -> RunStatus:
    """Read the status of a run. Raises BadRun, RunInUse, RunUnreadable, RunDamaged."""
    folder = path_of(directory)
    manifest = read_manifest(folder)
    check_name(folder, manifest)
    with (
        closing(Index.open(folder / indexing.NAME, manifest.n_shards, writing=False)) as index,
        index.snapshot(),
    ):
        sums = Sums(manifest.group_order)
        sums.add(index.finished())
        return status_of(folder, manifest, index, sums)


def status_of(folder: Path, manifest: Manifest, index: Index, sums: Sums) -> RunStatus:
    """The status of an open run."""
    total, unique = totals(manifest, index, sums)
    n_done = len(sums.done)
    workers = index.last_workers()
    is_finished = n_done == manifest.n_shards and total is not None
    unfinished = RUNNING if not is_finished and is_held(folder / LOCK) else INTERRUPTED
    return RunStatus(
        directory=str(folder),
        puzzle=manifest.puzzle,
        engine=manifest.engine,
        up_to=manifest.up_to,
        state=FINISHED if is_finished else unfinished,
        total=total,
        unique=unique,
        optimum=manifest.optimum,
        digest=digest_of_run(manifest, sums),
        shards=manifest.n_shards,
        shards_done=n_done,
        rows_stored=sums.kept if manifest.keeps_rows else 0,
        nodes=sums.nodes,
        elapsed_s=index.elapsed_s(),
        remaining_s=remaining_seconds(sums.seconds, manifest.n_shards, max(1, workers)),
        workers=workers,
        created=manifest.created,
        checkpoint=newest_checkpoint(folder),
        evidence=tuple(_ledger(manifest, index, sums, total, unique)),
    )


def digest_of_run(manifest: Manifest, sums: Sums) -> str | None:
    """The digest of the rows of the run so far; None if its engine does not list."""
    return None if manifest.weighted else str(sums.digest or Digest())


def totals(manifest: Manifest, index: Index, sums: Sums) -> tuple[int | None, int | None]:
    """Total and unique over the finished shards, as far as they are known."""
    if manifest.weighted:
        kept = index.outcome_of(sums.found)
        return (None, None) if kept is None else (kept.total, kept.unique)
    if manifest.group_order is None:
        return sums.found, None
    return sums.found if manifest.up_to == "none" else sums.ledger.total, sums.ledger.unique


def _ledger(
    manifest: Manifest, index: Index, sums: Sums, total: int | None, unique: int | None
) -> Iterator[Evidence]:
    is_complete = len(sums.done) == manifest.n_shards
    checks = _checks(index)
    digest = str(digest_of_run(manifest, sums))
    no_rows = None if manifest.keeps_rows else "the run keeps no rows"
    no_orbits = None if manifest.group_order else NO_ORBITS
    for kind, name, impossible, blind_to in (
        (ROWS_VALID, "every row valid", no_rows, "rows that are missing"),
        (ROWS_DISTINCT, "rows distinct", no_rows, "rows that are missing"),
        (ORBITS_CLOSED, "orbits closed", no_rows or no_orbits, MISSING_ORBIT),
    ):
        yield _of_rows(checks.get(kind), name, digest, impossible, blind_to)
    if manifest.weighted and is_complete:
        yield _burnside(manifest, index, sums)
    else:
        yield _orbit_identity(manifest, sums, is_complete)
    yield _recounted_shards(manifest, index)
    for kind, check in checks.items():
        if kind.startswith(RECOUNT):
            yield _whole_recount(kind, check, digest, total)
    how = "rekkyo certify PUZZLE writes one, into a folder of its own"
    yield Evidence("certificate", "not done", how, "an error in the model")
    yield _published(manifest, total, unique, is_complete)


def _checks(index: Index) -> dict[str, Checked]:
    """The checks in the index. Raises RunDamaged for an invalid one."""
    checks = index.checks()
    for kind, check in checks.items():
        wanted = FACTS_OF_RECOUNT if kind.startswith(RECOUNT) else FACTS_OF_ROWS
        is_known = kind.startswith(RECOUNT) or kind in CHECKS_OF_ROWS
        if not is_known or {name: type(value) for name, value in check.facts.items()} != wanted:
            raise RunDamaged(f"{indexing.NAME} is damaged: a check cannot be read; {FIX}")
    return checks


def _of_rows(
    check: Checked | None, name: str, digest: str, impossible: str | None, blind_to: str
) -> Evidence:
    if impossible:
        return Evidence(name, "not possible", impossible, blind_to)
    if check is None or check.facts["digest"] != digest:
        stale = "" if check is None else "; an earlier check was of other rows"
        return Evidence(name, "not done", f"rekkyo verify does it{stale}", blind_to)
    return _outcome(check.facts["passed"], name, f"{check.facts['detail']}, {check.at}", blind_to)


def _orbit_identity(manifest: Manifest, sums: Sums, is_complete: bool) -> Evidence:
    name, blind_to = "orbit identity", MISSING_ORBIT
    if manifest.group_order is None:
        return Evidence(name, "not possible", NO_ORBITS, blind_to)
    if not is_complete:
        return Evidence(name, "not done", "it holds over all shards, and some are not finished", blind_to)
    held, found = sums.ledger.total, sums.found
    passed = held >= found if manifest.only_representatives else held == found
    orbits, verb = several(sums.ledger.unique, "orbit"), "holds" if sums.ledger.unique == 1 else "hold"
    detail = f"{orbits} under a group of {manifest.group_order} {verb} {several(held, 'solution')}"
    if manifest.only_representatives:
        detail += "; the engine looked for representatives only, so nothing else was counted"
        return Evidence(name, "not possible" if passed else FAILED, detail, blind_to)
    return _outcome(passed, name, f"{detail}; found: {found:,}", blind_to)


def _burnside(manifest: Manifest, index: Index, sums: Sums) -> Evidence:
    """Burnside's lemma, computed from the numbers stored at the end of the run."""
    name, order, kept = "Burnside comes out even", manifest.group_order, index.outcome_of(sums.found)
    if kept is None:
        return Evidence(name, "not done", "rekkyo resume does it", MISSING_ORBIT)
    if order is None or kept.fixed is None or kept.unique is None:
        return Evidence(name, "not possible", "no orbits were counted", MISSING_ORBIT)
    passed = kept.total + kept.fixed == kept.unique * order
    detail = f"{kept.total:,} solutions and {kept.fixed:,} fixed by symmetries, a group of {order:,}"
    return _outcome(passed, name, detail, MISSING_ORBIT)


def _recounted_shards(manifest: Manifest, index: Index) -> Evidence:
    recounts = index.recounts()
    blind_to = "a shard that the plan itself lacks; errors in shards not recounted"
    if not recounts:
        return Evidence("shards recounted", "not done", "rekkyo recount --fraction does it", blind_to)
    ways = sorted({f"by {recount.engine} ({recount.way})" for recount in recounts})
    shards = {recount.shard for recount in recounts}
    detail = f"{len(shards):,} of {several(manifest.n_shards, 'shard')}, {'; '.join(ways)}"
    wrong = sorted({recount.shard for recount in recounts if not recount.agrees})
    if wrong:
        detail += f"; shards that differ: {', '.join(map(str, wrong[:10]))}"
    return _outcome(not wrong, "shards recounted", detail, blind_to)


def _whole_recount(kind: str, check: Checked, digest: str, total: int | None) -> Evidence:
    facts = check.facts
    blind_to = "an error in the model" if facts["other_engine"] else "an error in the engine or in the model"
    if facts["run_total"] != str(total) or facts["run_digest"] != digest:
        return Evidence(kind, "not done", "an earlier recount was of other shards", blind_to)
    return _outcome(facts["agrees"], kind, f"{facts['detail']}, {check.at}", blind_to)


def _published(manifest: Manifest, total: int | None, unique: int | None, is_complete: bool) -> Evidence:
    name, blind_to = "published count", "errors that the publication shares; which solutions they are"
    known = manifest.published
    if known is None:
        return Evidence(name, "not possible", "none is known", blind_to)
    if manifest.up_to != "none":
        known = known.up_to(manifest.up_to)
    counts = {"total": known.total, "unique": known.unique}
    numbers = [f"{what} {number}" for what, number in counts.items() if number is not None]
    detail = f"{', '.join(numbers)} ({known.source})"
    if not is_complete or total is None:
        return Evidence(name, "not done", f"{detail}; the run is not finished", blind_to)
    compared = known.compared(total, unique)
    if not compared:
        return Evidence(name, "not possible", f"{detail}; the run does not give this number", blind_to)
    return _outcome(all(compared.values()), name, detail, blind_to)


def _outcome(passed: Any, name: str, detail: str, blind_to: str) -> Evidence:
    return Evidence(name, "passed" if passed else FAILED, detail, blind_to)
