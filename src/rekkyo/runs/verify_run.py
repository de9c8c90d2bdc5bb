"""Checking the stored rows of a run: each valid by the definition, all different, orbits closed.

* Valid: by `rekkyo.verify`, in plain Python; and a shard's rows must have the digest of its search. Shards
  with a block of a wrong checksum are damaged. An objective must have one value in all rows.
* Different: by sorted 128-bit hashes; rows with the same hash are compared. With more than MAX_HASHES rows
  the files are read several times, so that memory stays flat.
* Closed: each generator of the symmetry group must map the set of solutions to a set with the same digest. In
  a run of one row for each orbit, every row must be the least of its orbit.

Rows and records are not changed; only the outcome is recorded. `runs.repair` drops damaged shards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.digest import Digest, digest_of, row_hashes
from rekkyo.errors import BadRun, GroupTooLarge, RunDamaged, RunStopped
from rekkyo.model.csp.completion import with_best_value
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.runs.puzzle_source import puzzle_of
from rekkyo.runs.status import ORBITS_CLOSED, ROWS_DISTINCT, ROWS_VALID, status
from rekkyo.safe_files import path_of
from rekkyo.search.progress import Meter, Watcher, check_watch
from rekkyo.search.question import by_constraints, large_relation
from rekkyo.store.manifest import Manifest
from rekkyo.store.reader import RunReader, are_beyond
from rekkyo.store.run_directory import noting
from rekkyo.symmetry.group import close
from rekkyo.symmetry.large_survey import AnySurvey, LargeSurvey
from rekkyo.symmetry.orbits import OrbitSurvey, images_under
from rekkyo.verify import verify
from rekkyo.wording import several

MAX_HASHES = 1 << 24
MAX_PROBLEMS = 20
SLICE_ROWS = 256
"""Rows that are checked between two reports of progress."""


@dataclass(frozen=True, slots=True)
class RunCheck:
    """The result of a check.

    rows: checked. wrong: how many are no solutions. damaged: the numbers of damaged shards.
    not_noted: why the outcome was not recorded in the directory, which another process may write, or which
    may be read-only; None if it was.
    distinct: False if two rows are the same. Rows are not compared if a shard is damaged.
    closed: whether the rows are whole orbits, or each the least of its orbit; None if that was not checked.
    problems: the first few, a line each.
    """

    directory: str
    puzzle: str
    rows: int
    wrong: int
    damaged: tuple[int, ...]
    not_noted: str | None
    distinct: bool
    closed: bool | None
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong and not self.damaged and self.distinct and self.closed is not False


@dataclass(slots=True)
class _Findings:
    """What was found so far. puzzle: what rows are checked against.

    From the first valid row on, the objective of the puzzle must have the value that it has there.
    """

    puzzle: Puzzle
    n_rows: int = 0
    n_wrong: int = 0
    damaged: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


def verify_run(
    directory: str | os.PathLike[str], *, puzzle: Puzzle | None = None, watch: Watcher | None = None
) -> RunCheck:
    """Check all stored rows of the finished shards, and record the outcome in the directory.

    Raises BadRun if the run keeps no rows, RunUnreadable if rows cannot be read now, RunDamaged if the index
    cannot be read, Undecided if checking a row takes too long.
    """
    folder = path_of(directory)
    check_watch(watch)
    before = status(folder)
    with closing(RunReader(folder)) as reader:
        checked = puzzle_of(folder, reader.manifest, puzzle)
        # Orbits of an unfinished run need not be complete.
        closure = _closure(checked, reader.manifest) if before.is_complete else None
        findings = _Findings(checked)
        _check_shards(reader, closure, findings, watch)
        distinct = bool(findings.damaged) or _all_distinct(reader, findings)
    closed = None if closure is None or findings.damaged or closure.is_undecided else closure.holds(findings)
    return RunCheck(
        str(folder),
        before.puzzle,
        findings.n_rows,
        findings.n_wrong,
        tuple(findings.damaged),
        _recorded(folder, before.digest, findings, distinct, closed),
        distinct,
        closed,
        tuple(findings.problems),
    )


def _check_shards(
    reader: RunReader, closure: _Closure | None, findings: _Findings, watch: Watcher | None
) -> None:
    shards = list(reader.shards())
    meter = Meter(len(shards), 1)

    def check(rows: NDArray[Any]) -> None:
        _check_rows(rows, findings, meter, watch)
        if closure is not None and not are_beyond(rows, findings.puzzle):
            closure.add(rows)

    for shard, blocks in shards:
        problem = damage_of(reader, shard, blocks, check)
        if problem is not None:
            findings.damaged.append(shard)
            findings.note(problem)
        meter.finish_shard(0.0)


def damage_of(
    reader: RunReader, shard: int, blocks: Iterator[NDArray[Any]], read: Callable[[NDArray[Any]], object]
) -> str | None:
    """Damage of the stored rows of a shard, as opposed to wrong solutions.

    read: called with every block. Raises RunUnreadable.
    """
    digest = Digest()
    try:
        for rows in blocks:
            read(rows)
            digest += digest_of(rows)
    except RunDamaged as problem:
        return str(problem)
    if digest == reader.digest(shard):
        return None
    return f"shard {shard}: its rows do not have the digest of its search"


def _check_rows(rows: NDArray[Any], findings: _Findings, meter: Meter, watch: Watcher | None) -> None:
    for start in range(0, len(rows), SLICE_ROWS):
        values = rows[start : start + SLICE_ROWS].tolist()
        for row in values:
            wrong = verify(findings.puzzle, row)
            if wrong:
                findings.n_wrong += 1
                findings.note(f"solution {findings.n_rows}: {'; '.join(wrong[:3])}")
            elif findings.n_rows == findings.n_wrong:
                findings.puzzle = _with_value_in(findings.puzzle, row)
            findings.n_rows += 1
        meter.add(len(values), 0)
        if watch is not None:
            watch(meter.look())


def _with_value_in(puzzle: Puzzle, row: Sequence[int]) -> Puzzle:
    """The puzzle for solutions whose objective has the value that it has in a row. Raises Undecided."""
    model = puzzle.model
    return replace(puzzle, model=with_best_value(model, row)) if isinstance(model, Csp) else puzzle


class _Closure:
    """Checks, block by block, that the rows are whole orbits, or the least rows of orbits.

    is_undecided: whether comparing some row with its images takes too long, in a group too large to list.
    """

    def __init__(self, puzzle: Puzzle, survey: AnySurvey | None) -> None:
        self._shape = puzzle.model.row_shape
        self._generators = puzzle.generators if survey is None else ()
        self._survey = survey
        self._images = [Digest() for _ in self._generators]
        self._rows = Digest()
        self._n_not_least = 0
        self.is_undecided = False

    def add(self, rows: NDArray[Any]) -> None:
        self._rows += digest_of(rows)
        for number, generator in enumerate(self._generators):
            self._images[number] += digest_of(images_under(self._shape, generator, rows))
        if self._survey is not None and not self.is_undecided:
            try:
                self._n_not_least += int((self._survey.stabilizer_orders(rows) == 0).sum())
            except GroupTooLarge:
                self.is_undecided = True

    def holds(self, findings: _Findings) -> bool:
        """Whether the rows added are whole orbits, or the least rows of orbits; notes what is missing."""
        for number, digest in enumerate(self._images, 1):
            if digest != self._rows:
                which = f"symmetry {number} of {len(self._images)}"
                findings.note(f"the rows are not closed under {which}: some solutions lack an image")
        if self._n_not_least:
            findings.note(f"{several(self._n_not_least, 'row is', 'rows are')} not the least of the orbit")
        return self._n_not_least == 0 and all(digest == self._rows for digest in self._images)


def _closure(puzzle: Puzzle, manifest: Manifest) -> _Closure | None:
    """The check; None if one row was kept for each orbit of a group whose rows cannot be compared."""
    if manifest.up_to == "none":
        return _Closure(puzzle, None)
    relation, model = large_relation(puzzle, manifest.up_to), lower(puzzle.model)
    generators = puzzle.generators_up_to(manifest.up_to) if relation is None else relation.generators
    try:
        return _Closure(puzzle, OrbitSurvey(close(model.row_shape, generators or ())))
    except GroupTooLarge:
        large = by_constraints(model, generators, None)
        return None if large is None else _Closure(puzzle, LargeSurvey(large[2]))


def _all_distinct(reader: RunReader, findings: _Findings) -> bool:
    n_parts = -(-len(reader) // MAX_HASHES)
    is_distinct = True
    for part in range(n_parts):
        last, number_of = -1, dict[Row, int]()
        for one, other in _twins(reader, part, n_parts):
            if one != last:
                number_of = {reader.row(one): one}  # the first one with its hash
            last, first = other, number_of.setdefault(reader.row(other), other)
            if first != other:
                is_distinct = False
                findings.note(f"solutions {first} and {other} are the same")
    return is_distinct


def _twins(reader: RunReader, part: int, n_parts: int) -> Iterator[tuple[int, int]]:
    """Pairs of successive numbers of rows with the same hash, for one part of all hashes."""
    hashes, numbers = [], []
    first_number = 0
    for rows in reader.rows():
        these = row_hashes(rows)
        mine = np.flatnonzero(these[:, 0] % np.uint64(n_parts) == part)
        hashes.append(these[mine])
        numbers.append(mine + first_number)
        first_number += len(rows)
    if not hashes:
        return
    words, places = np.concatenate(hashes), np.concatenate(numbers)
    order = np.lexsort((words[:, 1], words[:, 0]))
    words, places = words[order], places[order]
    for twin in np.flatnonzero((words[1:] == words[:-1]).all(axis=1)).tolist():
        yield int(places[twin]), int(places[twin + 1])


def _recorded(
    folder: Path, digest: str | None, findings: _Findings, distinct: bool, closed: bool | None
) -> str | None:
    """Record the outcome in the directory; returns why that is not possible, or None."""
    rows, damaged = several(findings.n_rows, "row"), several(len(findings.damaged), "damaged shard")
    is_valid = not (findings.n_wrong or findings.damaged)
    outcomes = [(ROWS_VALID, is_valid, f"{rows}, {findings.n_wrong} wrong, {damaged}")]
    if not findings.damaged:
        outcomes.append((ROWS_DISTINCT, distinct, rows))
    if closed is not None:
        outcomes.append((ORBITS_CLOSED, closed, rows))
    try:
        with noting(folder) as index:
            for kind, passed, detail in outcomes:
                index.add_check(kind, {"passed": passed, "detail": detail, "digest": str(digest)})
    except (BadRun, RunStopped) as problem:
        return str(problem)
    return None
