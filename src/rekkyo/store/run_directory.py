"""A run directory open for writing: manifest, index, lock and row files together.

    D/manifest.json    what the run is about; written last, when everything else is there
      index.sqlite     which shards are finished, what they gave, where their rows are
      rows-0.bin ...   rows, one file for each worker
      lock             held by the process that writes
      puzzle.toml      the puzzle, when it came from a file: that file, or puzzle.xcc, puzzle.xmpuzzle
      setup            the names of what a run that is being set up makes, until its manifest is there

The order that makes a crash harmless: rows to the disk, then the index that says that they are there. A run
is set up in an empty folder only. What a crash left of setting one up is deleted when `setup` is there and
names it; everything else in a folder was made by somebody else, or belongs to a run whose manifest is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rekkyo.engines.contract import Shard
from rekkyo.errors import BadRun
from rekkyo.store import index as indexing
from rekkyo.store.finished import Finished, Sums
from rekkyo.store.index import Index
from rekkyo.store.lock import Lock
from rekkyo.store.manifest import NAME as MANIFEST
from rekkyo.store.manifest import Manifest, read_manifest, sync_folder, write_durably, write_manifest
from rekkyo.store.rows import RowForm, RowWriter, row_file

LOCK = "lock"
SETUP = "setup"
SETUP_HEAD = "rekkyo sets up a run; until manifest.json is there, these files are its own:"
MAX_SETUP_BYTES = 4096
MADE_BY_SETUP = re.compile(
    r"setup|index\.sqlite(-wal|-shm|-journal)?|manifest\.json\.new|puzzle\.[a-z]+(\.new)?"
)
"""No other file is ever deleted, whatever a `setup` from elsewhere names."""


def holds_run(folder: Path) -> bool:
    """Whether a folder is the directory of a run."""
    return (folder / MANIFEST).is_file()


def row_form(manifest: Manifest) -> RowForm:
    """How the rows of a run are written."""
    return RowForm(manifest.row_length, manifest.row_bytes_per_value)


class RunDirectory:
    """One run, open for writing.

    sums: over the shards that are finished. notices: what was found wrong and mended when it was opened.
    """

    def __init__(self, folder: Path, lock: Lock, manifest: Manifest, index: Index) -> None:
        self.folder = folder
        self.manifest = manifest
        self.index = index
        self.sums = Sums(manifest.group_order)
        self.notices: list[str] = []
        self._lock = lock
        self._ends: dict[int, int] = {}
        self._writers: list[RowWriter] = []

    @staticmethod
    def create(
        folder: Path, manifest: Manifest, shards: Sequence[Shard], files: Mapping[str, bytes]
    ) -> RunDirectory:
        """Set a new run up. Raises BadRun when the folder holds something else."""
        _check_free(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadRun(f"{folder} cannot be made: {problem.strerror}") from None
        lock = Lock(folder / LOCK)
        lock.acquire()
        try:
            _check_free(folder)
            for name in _left_by_setup(folder):
                (folder / name).unlink()
            _begin_setup(folder, files)
            index = Index.create(folder / indexing.NAME, shards)
            for name, content in files.items():
                write_durably(folder / name, content)
            write_manifest(folder, manifest)
            _end_setup(folder)
            sync_folder(folder.resolve().parent)
        except BaseException:
            lock.release()
            raise
        return RunDirectory(folder, lock, manifest, index)

    @staticmethod
    def open(folder: Path) -> RunDirectory:
        """Open a run to go on with it: add up what is finished, cut torn tails off the row files.

        Raises BadRun, RunInUse, RunDamaged.
        """
        manifest = read_manifest(folder)
        lock = Lock(folder / LOCK)
        lock.acquire()
        try:
            run = RunDirectory(folder, lock, manifest, Index.open(folder / indexing.NAME, writing=True))
            _end_setup(folder)
            missing: list[Finished] = []
            run.sums.add(run._with_rows(missing))
            if missing:
                run._drop(missing)
            run._cut_tails()
        except BaseException:
            lock.release()
            raise
        return run

    def _with_rows(self, missing: list[Finished]) -> Iterator[Finished]:
        """The finished shards whose rows are all there; the others go to `missing`."""
        n_bytes = row_form(self.manifest).n_bytes
        sizes: dict[int, int] = {}
        for record in self.index.finished():
            if record.place is not None:
                number = record.place.file
                if number not in sizes:
                    path = row_file(self.folder, number)
                    sizes[number] = path.stat().st_size if path.is_file() else 0
                end = record.place.start + record.kept * n_bytes
                if end > sizes[number]:
                    missing.append(record)
                    continue
                self._ends[number] = max(end, self._ends.get(number, 0))
            yield record

    def _drop(self, missing: Sequence[Finished]) -> None:
        self.index.drop(record.shard for record in missing)
        files = sorted({row_file(self.folder, r.place.file).name for r in missing if r.place is not None})
        self.notices.append(
            f"{self.folder}: rows are missing at the end of {', '.join(files)}:"
            f" {count_of(len(missing), 'shard')} will be done again"
        )

    def _cut_tails(self) -> None:
        for path in sorted(self.folder.glob("rows-*.bin")):
            number = path.stem.removeprefix("rows-")
            if not number.isdecimal():
                continue
            surplus = path.stat().st_size - self._ends.get(int(number), 0)
            if surplus > 0:
                with path.open("r+b") as file:
                    file.truncate(self._ends.get(int(number), 0))
                what = f"{surplus} bytes at the end belong to no finished shard"
                self.notices.append(f"{path}: {what} and were cut off")

    def row_writer(self, number: int) -> RowWriter:
        """A writer of the row file of one worker."""
        writer = RowWriter(self.folder, number, row_form(self.manifest), self._ends.get(number, 0))
        self._writers.append(writer)
        sync_folder(self.folder)
        return writer

    def commit(self, records: Sequence[Finished], elapsed_s: float) -> None:
        """Make shards count as finished: their rows to the disk first, then their records."""
        files = {record.place.file for record in records if record.place is not None}
        for writer in self._writers:
            if writer.number in files:
                writer.sync()
        self.sums.add(self.index.commit(records, elapsed_s))

    def close(self) -> None:
        """Close all files and give the lock back."""
        for writer in self._writers:
            with suppress(OSError):
                writer.close()
        self.index.close()
        self._lock.release()


def _check_free(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BadRun(f"{folder} is not a directory; name a new one")
    if holds_run(folder):
        raise BadRun(f"{folder} holds a run already; go on with: rekkyo resume {folder}")
    foreign = sorted({path.name for path in folder.iterdir()} - {LOCK} - _left_by_setup(folder))
    if indexing.NAME in foreign:
        raise BadRun(
            f"{folder} holds {indexing.NAME} and no {MANIFEST}: it may be a run whose manifest is lost;"
            " put back a copy of that, or name a new directory"
        )
    if foreign:
        raise BadRun(f"{folder} is not empty and holds no run (there is {foreign[0]}); name a new directory")


def _begin_setup(folder: Path, files: Iterable[str]) -> None:
    """Say which files are made now. Not durably: if it is lost, what was made is refused, not deleted."""
    index = [indexing.NAME + ending for ending in ("", *indexing.COMPANIONS)]
    copies = [name for file in files for name in (file, f"{file}.new")]
    lines = [SETUP_HEAD, SETUP, *index, *copies, f"{MANIFEST}.new"]
    (folder / SETUP).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _end_setup(folder: Path) -> None:
    """From now on the index belongs to a run, even when its manifest is lost."""
    if SETUP in _left_by_setup(folder):
        (folder / SETUP).unlink()


def _left_by_setup(folder: Path) -> set[str]:
    """The names in a folder that a run left which was never completely set up."""
    try:
        with (folder / SETUP).open(encoding="utf-8", errors="replace") as file:
            head, *names = file.read(MAX_SETUP_BYTES).splitlines() or [""]
    except OSError:
        return set()
    if head != SETUP_HEAD:
        return set()
    made = {name for name in names if MADE_BY_SETUP.fullmatch(name)}
    return {path.name for path in folder.iterdir() if path.name in made and path.is_file()}


def count_of(number: int, what: str) -> str:
    """`1 shard`, `2 shards`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
