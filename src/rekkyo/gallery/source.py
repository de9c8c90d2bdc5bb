"""Sources of the gallery's rows: a run, which may still grow, or the solutions of a small puzzle."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray

from rekkyo.ask.count import count
from rekkyo.ask.solve import solve_blocks
from rekkyo.engines.contract import joined
from rekkyo.errors import BadInput
from rekkyo.gallery.question import read_number
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.sources import puzzle_of_run
from rekkyo.runs.status import status
from rekkyo.store.reader import RunReader

MAX_LISTED = 200_000
"""The most solutions of a puzzle that are kept in memory; more need a run."""

STATUS = ("state", "total", "unique", "digest", "shards", "shards_done", "remaining_s")
"""The fields of `rekkyo.runs.status.RunStatus` that the gallery shows."""


class RunSource:
    """The rows of a run.

    While the run grows, new rows come last, and links name the shard and the row in it. After its end, rows
    have the numbers of `draw --solution` and `export`. `version` is increased when numbers change. `key`
    identifies the run, for data that a browser stores.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._folder = Path(directory)
        self.puzzle = puzzle_of_run(self._folder)
        self._reader = RunReader(self._folder, puzzle=self.puzzle)
        self.up_to = self._reader.manifest.up_to
        self.key = f"{self._reader.manifest.puzzle}, {self._reader.manifest.created}"
        self.version = 0
        self._shards_done = -1
        self._n_readers = 0
        self._facts: dict[str, Any] = {}
        self.refresh()

    def __len__(self) -> int:
        return len(self._reader)

    def rows(self, start: int, stop: int) -> NDArray[Any]:
        """Rows start ... stop - 1: uint[n_rows, length], C-contiguous."""
        return joined(self.puzzle.model.row_shape, self._reader.rows(start, stop))

    def refresh(self) -> dict[str, Any]:
        """Read new rows; returns facts about the search. A finished run is read once.

        The facts are read after the rows, so that there are never more rows than the total.
        """
        if self._facts.get("state") == "finished":
            return self._facts
        now = status(self._folder)
        if now.is_complete and self._n_readers:
            return self._facts
        if now.shards_done != self._shards_done:
            before = now
            self._open(() if before.is_complete else self._reader.order)
            self._shards_done = before.shards_done
            now = status(self._folder)
            if now.is_complete and not before.is_complete:
                if not self._n_readers:
                    return self.refresh()
                now = replace(now, state=before.state)
        self._facts = {name: getattr(now, name) for name in STATUS}
        return self._facts

    @contextmanager
    def numbers_kept(self) -> Iterator[None]:
        """Keep the numbers of rows in the block; a run that finishes is still treated as growing."""
        self._n_readers += 1
        try:
            yield
        finally:
            self._n_readers -= 1

    def _open(self, first: Sequence[int]) -> None:
        before = self._reader.order
        self._reader.close()
        self._reader = RunReader(self._folder, first=first, puzzle=self.puzzle)
        if self._reader.order[: len(before)] != before:
            self.version += 1

    def name(self, number: int) -> str:
        """The name of a solution in links: its number, or, in an unfinished run, shard and number in it."""
        if self._facts.get("state") == "finished":
            return str(number)
        return "{}-{}".format(*self._reader.place(number))

    def number(self, name: str) -> int:
        """The current number of a solution, by either kind of name. Raises BadInput."""
        shard, dash, within = name.partition("-")
        if not dash:
            return read_number("a solution", name)
        return self._reader.number(read_number("a shard", shard), read_number("a solution of it", within))


class ListedSource:
    """All solutions of a puzzle with few solutions. Raises BadInput for many."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.up_to = "none"
        self.key = puzzle.name
        self.version = 0
        with closing(solve_blocks(puzzle, limit=MAX_LISTED + 1)) as blocks:
            self._rows = joined(puzzle.model.row_shape, blocks)
        if len(self._rows) > MAX_LISTED:
            raise BadInput(
                f"{puzzle.name} has more than {MAX_LISTED} solutions; keep them first:"
                f" rekkyo run {puzzle.name} --out D"
            )
        found = count(puzzle)
        self._facts = {"state": "finished", "total": found.total, "unique": found.unique, "digest": None}

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, start: int, stop: int) -> NDArray[Any]:
        """Rows start ... stop - 1: uint[n_rows, length], C-contiguous."""
        return self._rows[start:stop]

    def refresh(self) -> dict[str, Any]:
        """The facts about the search, which never change."""
        return self._facts

    def numbers_kept(self) -> AbstractContextManager[None]:
        """Does nothing, because the numbers never change."""
        return nullcontext()

    def name(self, number: int) -> str:
        """The name of a solution in links: its number."""
        return str(number)

    def number(self, name: str) -> int:
        """The number of a solution by its name. Raises BadInput."""
        return read_number("a solution", name)


Source: TypeAlias = RunSource | ListedSource
