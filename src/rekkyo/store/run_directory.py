"""A run directory open for writing: manifest, index, lock and row files together.

    D/manifest.json    what the run is about; written last, when everything else is there
      index.sqlite     which shards are finished, what they gave, where their rows are
      rows-0.bin ...   rows, one file for each worker
      checkpoint-KEY.bin  the state of a count that cannot be cut into shards
      lock             held by the process that writes
      puzzle.*         the puzzle, when it came from a file: puzzle.toml, puzzle.xcc and so on
      setup            the names of the files of a set-up, until the manifest is there

A crash is harmless because rows are synced to the disk before their records are written to the index. A run
is set up in an empty folder only. Files that a crash left during the set-up are deleted if `setup` exists and
names them; every other file in a folder is foreign, or belongs to a run whose manifest is lost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG

from rekkyo.engines.contract import Shard
from rekkyo.errors import BadRun, RunDamaged, RunStopped, RunUnreadable, in_shell
from rekkyo.safe_files import check_plain, naming, open_file
from rekkyo.store import index as indexing
from rekkyo.store.checkpoints import CHECKPOINT, INCOMPLETE, drop_files, newest_checkpoint
from rekkyo.store.finished import Finished, Sums
from rekkyo.store.index import Index
from rekkyo.store.lock import Lock, is_lock
from rekkyo.store.manifest import NAME as MANIFEST
from rekkyo.store.manifest import Manifest, read_manifest, sync_folder, write_durably, write_manifest
from rekkyo.store.rows import RowForm, RowWriter, row_file
from rekkyo.store.sqlite import COMPANIONS

LOCK = "lock"
SETUP = "setup"
SETUP_HEAD = "rekkyo sets up a run; until manifest.json is there, these files are its own:"
MAX_SETUP_BYTES = 4096
MADE_BY_SETUP = re.compile(
    r"setup|index\.sqlite(-wal|-shm|-journal)?|manifest\.json\.new|puzzle\.[a-z]+(\.new)?"
)
"""No other file is ever deleted, even if a foreign `setup` names it."""


def holds_run(folder: Path) -> bool:
    """Whether a folder is the directory of a run."""
    return (folder / MANIFEST).is_file()


def row_form(manifest: Manifest) -> RowForm:
    """The form of the rows of a run."""
    return RowForm(manifest.row_length, manifest.row_bytes_per_value)


class RunDirectory:
    """One run, open for writing.

    sums: over the finished shards. notices: lines about bytes that were cut off when the run was resumed.
    """

    def __init__(
        self,
        folder: Path,
        lock: Lock,
        manifest: Manifest,
        index: Index,
        created: tuple[Sequence[Path], Sequence[str]] = ((), ()),
    ) -> None:
        """created: the folders that `create` made, innermost first, and its copies of files."""
        self.folder = folder
        self.manifest = manifest
        self.index = index
        self.sums = Sums(manifest.group_order)
        self.notices: list[str] = []
        self._lock = lock
        self._created = created
        self._ends: dict[int, int] = {}
        self._writers: list[RowWriter] = []

    @staticmethod
    def create(
        folder: Path, manifest: Manifest, shards: Sequence[Shard], files: Mapping[str, bytes]
    ) -> RunDirectory:
        """Set up a new run. Raises BadRun if the folder holds something else."""
        _check_free(folder)
        real = Path(os.path.realpath(folder))  # `resolve` raises RuntimeError for a link to itself
        made = [each for each in (real, *real.parents) if not each.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadRun(f"{folder} cannot be made: {problem.strerror}; name another directory") from None
        lock = Lock(folder / LOCK)
        lock.acquire()
        try:
            _check_free(folder)
            for name in _left_by_setup(folder):
                (folder / name).unlink()
            _begin_setup(folder, files)
            index = Index.create(folder / indexing.NAME, shards)
            for name, content in files.items():
                write_durably(folder / name, [content])
            write_manifest(folder, manifest)
            _end_setup(folder)
            for each in dict.fromkeys((*real.parents[:1], *(each.parent for each in made))):
                sync_folder(each)
        except BaseException:
            lock.release()
            raise
        return RunDirectory(folder, lock, manifest, index, (made, list(files)))

    def take_back(self) -> None:
        """Delete what `create` made, and close the run, unless it has found something."""
        made, files = self._created
        if self.sums.done or newest_checkpoint(self.folder) is not None:
            return
        _begin_setup(self.folder, files)  # a crash leaves no more than an incomplete set-up
        (self.folder / MANIFEST).unlink()
        names = {row_file(self.folder, writer.number).name for writer in self._writers}
        self.close()
        for name in (*names, *sorted(_left_by_setup(self.folder)), LOCK):
            (self.folder / name).unlink()
        with suppress(OSError):  # something else is there by now
            for each in made:
                each.rmdir()

    @staticmethod
    def open(folder: Path) -> RunDirectory:
        """Open a run to resume it, and sum the finished shards. Rows are not changed.

        Raises BadRun, RunInUse, RunUnreadable, RunDamaged.
        """
        manifest = read_manifest(folder)
        with ExitStack() as undo:
            lock, index = _locked(folder, manifest, undo)
            run = RunDirectory(folder, lock, manifest, index)
            run.sums.add(run._with_rows())
            undo.pop_all()
        return run

    def _with_rows(self) -> Iterator[Finished]:
        """The finished shards. Notes where row files end. Raises RunDamaged if rows of one are missing."""
        sizes: dict[int, int] = {}
        for record in self.index.finished():
            if record.place is not None and record.kept:
                path = row_file(self.folder, record.place.file)
                end = record.place.start + record.kept * row_form(self.manifest).n_bytes
                if record.place.file not in sizes:
                    sizes[record.place.file] = size_of(path)
                if end > sizes[record.place.file]:
                    raise RunDamaged(
                        f"{path} ends too early: rows of shard {record.shard} are missing; put back a copy of"
                        f" it, or see what would have to be done again: rekkyo repair {in_shell(self.folder)}"
                    )
                self._ends[record.place.file] = max(end, self._ends.get(record.place.file, 0))
            yield record

    def begin_writing(self) -> None:
        """End the set-up of the run. Remove what a crash left: incomplete files and ends of row files."""
        _end_setup(self.folder)
        drop_files(self.folder, INCOMPLETE)
        for path in sorted(self.folder.glob("rows-*.bin")):
            number = path.stem.removeprefix("rows-")
            is_number = number.isascii() and number.isdecimal()
            if not is_number or path != row_file(self.folder, int(number)):
                continue  # rows-00.bin is a foreign file
            end = self._ends.get(int(number), 0)
            surplus = size_of(path) - end
            if surplus > 0:
                with naming(path), open_file(path, "r+b") as file:
                    file.truncate(end)
                what = f"{surplus} bytes at the end belong to no finished shard"
                self.notices.append(f"{path}: {what} and were cut off")

    def row_writer(self, number: int) -> RowWriter:
        """A writer of the row file of one worker."""
        writer = RowWriter(self.folder, number, row_form(self.manifest), self._ends.get(number, 0))
        self._writers.append(writer)
        sync_folder(self.folder)
        return writer

    def commit(self, records: Sequence[Finished], elapsed_s: float) -> None:
        """Commit finished shards: first sync their rows to the disk, then write their records."""
        files = {record.place.file for record in records if record.place is not None}
        for writer in self._writers:
            if writer.number in files:
                writer.sync()
        self.sums.add(self.index.commit(records, elapsed_s))

    def drop_checkpoints(self) -> None:
        """Delete checkpoints, when the results are committed."""
        drop_files(self.folder, CHECKPOINT)

    def check_still_there(self) -> None:
        """Raise RunStopped if files of the run were deleted or replaced while it was written."""
        self.index.check_still_there()
        if not holds_run(self.folder):
            raise RunStopped(
                f"{self.folder / MANIFEST} was deleted while the run was being written; put it back"
            )

    def close(self) -> None:
        """Close all files and release the lock."""
        while self._writers:
            with suppress(OSError):
                self._writers.pop().close()
        self.index.close()
        self._lock.release()


@contextmanager
def noting(folder: Path) -> Iterator[Index]:
    """The index of a run, open only to record checks. Raises RunInUse, RunUnreadable, RunDamaged."""
    with ExitStack() as undo:
        yield _locked(folder, read_manifest(folder), undo)[1]


def _locked(folder: Path, manifest: Manifest, undo: ExitStack) -> tuple[Lock, Index]:
    """The lock of a run and its index, to write; `undo` closes both."""
    lock = Lock(folder / LOCK)
    lock.acquire()
    undo.callback(lock.release)
    index = Index.open(folder / indexing.NAME, manifest.n_shards, writing=True)
    undo.callback(index.close)
    return lock, index


def size_of(path: Path) -> int:
    """The bytes of a row file; 0 if there is none. Raises RunUnreadable, and BadRun for a link."""
    check_plain(path)
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError as problem:
        raise RunUnreadable(f"{path} cannot be read: {problem.strerror}; nothing was changed") from None


def _check_free(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BadRun(f"{folder} is not a directory; name a new one")
    if holds_run(folder):
        raise BadRun(f"{folder} holds a run already; go on with: rekkyo resume {in_shell(folder)}")
    own = _left_by_setup(folder) | ({LOCK} if is_lock(folder / LOCK) else set())
    foreign = sorted({path.name for path in folder.iterdir()} - own)
    if indexing.NAME in foreign:
        raise BadRun(
            f"{folder} holds {indexing.NAME} and no {MANIFEST}: it may be a run whose manifest is lost;"
            " put back a copy of that, or name a new directory"
        )
    if foreign:
        raise BadRun(f"{folder} is not empty and holds no run (there is {foreign[0]}); name a new directory")


def _begin_setup(folder: Path, files: Iterable[str]) -> None:
    """Write the names of the files of the set-up, not durably: if they are lost, the folder is refused."""
    index = [indexing.NAME + ending for ending in ("", *COMPANIONS)]
    copies = [name for file in files for name in (file, f"{file}.new")]
    lines = [SETUP_HEAD, SETUP, *index, *copies, f"{MANIFEST}.new"]
    with naming(folder / SETUP), open_file(folder / SETUP, "xb") as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def _end_setup(folder: Path) -> None:
    """Delete `setup`: from now on the index belongs to a run, even if its manifest is lost."""
    if SETUP in _left_by_setup(folder):
        (folder / SETUP).unlink()


def _left_by_setup(folder: Path) -> set[str]:
    """The names of the files that an incomplete set-up left in a folder.

    `setup` may be incomplete or empty after a crash or on a full disk. It is rekkyo's own if a lock is there.
    """
    if not is_lock(folder / LOCK):
        return set()
    try:
        with open_file(folder / SETUP) as file:
            head, *names = file.read(MAX_SETUP_BYTES).decode(errors="replace").splitlines() or [""]
    except (OSError, BadRun):
        return set()
    if head != SETUP_HEAD and (names or not SETUP_HEAD.startswith(head)):
        return set()
    made = {SETUP, *filter(MADE_BY_SETUP.fullmatch, names)}
    return {path.name for path in folder.iterdir() if path.name in made and S_ISREG(path.lstat().st_mode)}
