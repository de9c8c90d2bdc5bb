"""A run as an object: all operations on a directory with a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing
from typing import IO

from rekkyo.ask.diagram import Stats
from rekkyo.ask.sample import Samples, checked_number
from rekkyo.errors import BadInput
from rekkyo.export.header import Header
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.exporting import export_run
from rekkyo.runs.recount import Recount, recount_all, recount_part
from rekkyo.runs.repair import Damage, drop_damage, find_damage
from rekkyo.runs.sources import puzzle_of_run, sample_run, stats_of_run
from rekkyo.runs.status import RunStatus, status
from rekkyo.runs.stored import Where, check_say, go_on, question_of, search_of
from rekkyo.runs.verify_run import RunCheck, verify_run
from rekkyo.safe_files import path_of
from rekkyo.search.progress import Watcher
from rekkyo.search.question import checked_seed
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.store.reader import RunReader
from rekkyo.store.run_directory import RunDirectory


class Run:
    """The run in a directory. `rekkyo.run` begins one.

    puzzle: needed only for a run of a puzzle that was built in Python, which is not stored in the directory.
    Nothing is read before a method is called; every method may raise BadRun.
    """

    def __init__(self, directory: str | os.PathLike[str], *, puzzle: Puzzle | None = None) -> None:
        self.directory = path_of(directory)
        self._puzzle = puzzle

    def __repr__(self) -> str:
        return f"Run({str(self.directory)!r})"

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the run. Raises BadRun if another one was given."""
        return puzzle_of_run(self.directory, self._puzzle)

    def status(self) -> RunStatus:
        """The progress of the run, its counts, and its checks. Raises RunDamaged."""
        return status(self.directory)

    def resume(
        self,
        *,
        workers: int | None = None,
        executor: Executor | None = None,
        watch: Watcher | None = None,
        say: Callable[[str], None] | None = None,
        sizes: Sizes = DEFAULT_SIZES,
    ) -> RunStatus:
        """Continue the run, which any process may have begun; parameters and errors: as `rekkyo.run`."""
        where = Where(workers, executor, watch)
        check_say(say)
        with closing(RunDirectory.open(self.directory)) as opened:
            question = question_of(self.directory, opened.manifest, self._puzzle, sizes, where.here)
            return go_on(opened, search_of(opened, question, watch), where, say)

    def recount(
        self,
        *,
        fraction: float | None = None,
        seed: int = 1,
        engine: str | None = None,
        workers: int | None = None,
        executor: Executor | None = None,
        watch: Watcher | None = None,
        sizes: Sizes = DEFAULT_SIZES,
    ) -> Recount:
        """Search the run again, by another engine if there is one, and record the outcome.

        fraction: of the finished shards, chosen at random by the seed; None for the whole run, which must be
        finished. engine: by default another one that lists, or counts, as that of the run does; the result
        tells whether it shares no search code, and why it was taken if not the first one in the registry.
        executor: for a recount of the whole run. Raises BadInput, RunDamaged, RunStopped.
        """
        if fraction is None:
            return recount_all(self.directory, engine, self._puzzle, workers, executor, watch, sizes)
        if executor is not None:
            raise BadInput(
                "an executor recounts the whole run; leave out either the executor or the fraction"
            )
        return recount_part(self.directory, fraction, seed, engine, self._puzzle, workers, watch, sizes)

    def verify(self, *, watch: Watcher | None = None) -> RunCheck:
        """Check every stored row, and record the outcome; nothing else is changed. Raises RunDamaged."""
        return verify_run(self.directory, puzzle=self._puzzle, watch=watch)

    def damage(self, *, watch: Watcher | None = None) -> Damage:
        """The shards whose stored rows are damaged; nothing is changed. Raises RunDamaged."""
        return find_damage(self.directory, watch=watch)

    def repair(self, damage: Damage) -> None:
        """Drop damaged shards, so that `resume` searches them again. Raises BadInput for others."""
        drop_damage(self.directory, damage)

    def export(self, to: str, out: str | os.PathLike[str] | IO[bytes]) -> Header:
        """Write the stored rows in a format: csv, jsonl, npy, parquet, xcc, dimacs, mzn, xmpuzzle, bfile
        or text."""
        return export_run(self.directory, to, out, self._puzzle)

    def sample(self, number: int = 1, *, seed: int = 0) -> Samples:
        """Draw `number` independent samples from the stored rows of the finished run."""
        checked_seed(seed)  # before the puzzle is made, which may take long
        checked_number(number, 1, self.directory)
        return sample_run(self.puzzle, self.directory, number, seed=seed)

    def stats(self) -> Stats:
        """The number of stored rows of the finished run with each value in each place."""
        return stats_of_run(self.puzzle, self.directory)

    def rows(self) -> RunReader:
        """The stored rows as a sequence; close it, or use it in `with`. Raises RunDamaged."""
        return RunReader(self.directory, puzzle=self._puzzle_if_known())

    def _puzzle_if_known(self) -> Puzzle | None:
        try:
            return self.puzzle
        except BadInput:
            if self._puzzle is not None:
                raise
            return None

    def _repr_html_(self) -> str:
        return self.status()._repr_html_()
