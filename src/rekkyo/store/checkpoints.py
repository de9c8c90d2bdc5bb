"""The checkpoints of a run: the state of a count that takes long and cannot be cut into shards.

    checkpoint-KEY.bin   a line of JSON: format, key, numbers | words, little-endian | SHA-256 of all before

The key is a hash of the plan of the run and of what is counted: a shard, or the solutions that one symmetry
leaves unchanged. So each count has a file, and a file of another plan is never read as its own. A
file that is not valid is ignored, with a line that says so. A file is replaced when the new one is durable,
and deleted when the result is committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, TypeVar

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.checkpoints import Saved
from rekkyo.engines.facts import add_facts
from rekkyo.errors import BadRun
from rekkyo.safe_files import open_file
from rekkyo.store.manifest import write_durably

ResultT = TypeVar("ResultT")

FORMAT = 1
MAX_HEAD_BYTES = 1 << 12
CHECKPOINT = re.compile(r"checkpoint-[0-9a-f]{16}\.bin")
INCOMPLETE = re.compile(CHECKPOINT.pattern + r"\.new")

CHEAP_S = 0.5
"""A checkpoint that takes longer to write is written less often. So writing takes at most a twentieth of the
time, if every_s is 10, the default."""

BYTES_PER_S = 1e8
"""The expected speed of a disk."""


class RunCheckpoints:
    """The checkpoints of a run. every_s: seconds between two. say: called with a line for an unused file."""

    def __init__(
        self, folder: Path, plan_hash: str, every_s: float, say: Callable[[str], object] | None
    ) -> None:
        self._folder, self._plan_hash, self._every_s = folder, plan_hash, every_s
        self._say = say or (lambda _: None)

    def of(self, facts: object) -> CheckpointFile:
        """The file of a count."""
        digest = hashlib.sha256(self._plan_hash.encode())
        add_facts(digest, facts)
        key = digest.hexdigest()
        return CheckpointFile(self._folder / f"checkpoint-{key[:16]}.bin", key, self._every_s, self._say)


class CheckpointFile:
    """One file. is_there: whether it was read or written."""

    def __init__(self, path: Path, key: str, every_s: float, say: Callable[[str], object]) -> None:
        self.is_there = False
        self._path, self._key, self._every_s, self._say = path, key, every_s, say
        self._began_s, self._took_s = time.monotonic(), 0.0
        self._is_writable = True

    def is_due(self, n_bytes: int) -> bool:
        """Whether the last one is old enough for the time that it took, or that n_bytes will take."""
        takes_s = max(self._took_s, n_bytes / BYTES_PER_S)
        wait_s = self._every_s * max(1.0, takes_s / CHEAP_S)
        return time.monotonic() >= self._began_s + wait_s

    def read(self, most_bytes: int, made: Callable[[Saved], ResultT]) -> ResultT | None:
        """The result of `made` for the content; None, and a line, if it is not valid."""
        try:
            with open_file(self._path) as file:
                result = made(self._content(file, most_bytes))
        except FileNotFoundError:
            return None
        except (OSError, BadRun, ValueError, RecursionError) as problem:
            self._say(f"{self._path} is not used, and the count begins again: {_reason(problem)}")
            return None
        self.is_there = True
        return result

    def _content(self, file: IO[bytes], most_bytes: int) -> Saved:
        """The checked content. Raises ValueError."""
        head = file.readline(MAX_HEAD_BYTES)
        digest = hashlib.sha256(head)
        n_bytes = os.fstat(file.fileno()).st_size - len(head) - digest.digest_size
        if n_bytes < 0 or n_bytes % 8:
            raise ValueError("it is not complete")
        if n_bytes > most_bytes:
            raise ValueError("it takes too much memory")
        words: Words = np.empty(n_bytes // 8, dtype="<u8")
        file.readinto(words.view(np.uint8))  # type: ignore[attr-defined]
        digest.update(words.view(np.uint8).data)
        if file.read(digest.digest_size + 1) != digest.digest():
            raise ValueError("it does not have its checksum")
        return Saved(_numbers(json.loads(head), self._key), words.astype(np.uint64, copy=False))

    def write(self, numbers: Sequence[int], arrays: Iterable[Words]) -> None:
        """Replace the file; after a failure, nothing is written any more."""
        started_s = time.monotonic()
        if not self._is_writable:
            return
        try:
            write_durably(self._path, self._pieces(numbers, arrays))
            self.is_there = True
        except (OSError, BadRun) as problem:
            self._is_writable = False
            self._say(f"{self._path} cannot be written, so the count has no checkpoint: {_reason(problem)}")
        self._began_s = time.monotonic()
        self._took_s = self._began_s - started_s

    def _pieces(self, numbers: Sequence[int], arrays: Iterable[Words]) -> Iterator[bytes | memoryview]:
        head = json.dumps({"format": FORMAT, "key": self._key, "numbers": list(numbers)}).encode() + b"\n"
        digest = hashlib.sha256(head)
        yield head
        for array in arrays:
            piece = np.ascontiguousarray(array, dtype="<u8").reshape(-1).view(np.uint8).data
            digest.update(piece)
            yield piece
        yield digest.digest()


def _numbers(facts: Any, key: str) -> tuple[int, ...]:
    """The numbers of a head. Raises ValueError."""
    if isinstance(facts, dict) and (facts.get("format"), facts.get("key")) == (FORMAT, key):
        numbers = facts.get("numbers")
        if isinstance(numbers, list) and all(type(each) is int and each >= 0 for each in numbers):
            return tuple(numbers)
    raise ValueError("it is of another format or another count")


def _reason(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)


def newest_checkpoint(folder: Path) -> str | None:
    """When the newest checkpoint of a run was written; None if there is none."""
    with suppress(OSError):
        facts = [path.lstat() for path in folder.iterdir() if CHECKPOINT.fullmatch(path.name)]
        written_s = max((fact.st_mtime for fact in facts if S_ISREG(fact.st_mode)), default=None)
        return None if written_s is None else datetime.fromtimestamp(written_s, UTC).isoformat("T", "seconds")
    return None


def drop_files(folder: Path, *names: re.Pattern[str]) -> None:
    """Delete the plain files of a folder with such names, as far as possible."""
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if any(name.fullmatch(path.name) for name in names) and S_ISREG(path.lstat().st_mode):
                path.unlink()
