"""The first checks of every certificate, of its files and its puzzle, and what later checks share."""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, ClassVar, TypeAlias

from rekkyo.errors import FAILURES, BadInput
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.certificate import FACTS, MOST_BYTES, SUMS, Facts, sums_text
from rekkyo.runs.puzzle_source import file_of, is_name_of, readings_of
from rekkyo.safe_files import naming, open_file

MOST_LINE_BYTES = 1 << 26
PIECE_BYTES = 1 << 20

Step: TypeAlias = tuple[str, Callable[[], str]]
"""The name of a check, and the function that does it."""


class Wrong(Exception):
    """A check failed; the message says why, in a line."""


class NotDone(Exception):
    """A check was not done; the message says why, in a line."""


class Inspection(ABC):
    """The checks of a certificate, in order; each may use the results of earlier ones.

    parts: the files that its kind of certificate has. puzzle: set by `find_puzzle`.
    """

    parts: ClassVar[tuple[str, ...]]
    puzzle: Puzzle

    def __init__(
        self, folder: Path, copies: Path, facts: Facts, is_sealed: bool, given: Puzzle | None, limit_s: float
    ) -> None:
        self._folder, self._copies, self._facts, self._is_sealed = folder, copies, facts, is_sealed
        self._given, self._limit_s = given, limit_s
        self._title = facts.certificate.puzzle

    def steps(self) -> list[Step]:
        """The checks: each has a name, and a function that returns a detail or raises Wrong or NotDone."""
        return [("files", self.check_files), ("puzzle", self.find_puzzle), *self.further_steps()]

    @abstractmethod
    def further_steps(self) -> list[Step]:
        """The checks after those of the files and the puzzle."""

    def check_files(self) -> str:
        """Copy all files. Each must exist, belong to the certificate, and have its hash."""
        file = file_of(self._facts.source)
        expected = {*self.parts} if file is None else {*self.parts, file}
        with os.scandir(self._folder) as entries:
            there = {entry.name for entry in islice(entries, len(expected) + 3)}
        wrong = [f"{name} does not belong there" for name in sorted(there - expected - {FACTS, SUMS})]
        hashes = {}
        for name in sorted(expected | {FACTS, SUMS}):
            try:
                hashes[name] = _copy(self._folder / name, self._copies / name)
            except OSError as problem:
                if problem.errno in FAILURES:
                    raise
                wrong.append(f"{name}: {problem.strerror}")
            except (BadInput, Wrong) as problem:
                wrong.append(str(problem))
        known = self._facts.files
        wrong += [
            f"{name} was changed"
            for name in sorted(expected & hashes.keys())
            if hashes[name] != known.get(name)
        ]
        wrong += [f"{FACTS} was changed"] * (not self._is_sealed or known.keys() != expected)
        if SUMS in hashes:
            del hashes[SUMS]
            wrong += [f"{SUMS} does not fit"] * (not self._holds(SUMS, sums_text(hashes)))
        if wrong:
            raise Wrong("; ".join(wrong))
        return f"{len(expected) + 2} files, with the hashes that {FACTS} and {SUMS} say"

    def find_puzzle(self) -> str:
        """Find the puzzle that the certificate names, or take the given one; two of them must be the same."""
        source = self._facts.source
        readings = readings_of(self._copies, source)
        if self._given is not None:
            if readings and lower(readings[0].model) != lower(self._given.model):
                raise Wrong(f"{self._title} is another puzzle than the one that was given")
            readings = (self._given,)
        if not readings or not is_name_of(source, self._title):
            raise Wrong(f"{FACTS} names {self._title}, but its source is {source.kind} {source.text}")
        self.puzzle = readings[0]
        return self._title if source.kind == "catalog" else f"{self._title}, {source.text or 'given again'}"

    def _expect_numbers(self, found: Mapping[str, int]) -> str:
        for name, number in found.items():
            stated = getattr(self._facts.certificate, name)
            if stated != number:
                raise Wrong(f'"{name}" is {number}, not {stated}')
        return f"those in {FACTS}, as computed again"

    def _lines(self, name: str) -> Iterator[bytes]:
        with (self._copies / name).open("rb") as file:
            yield from iter(partial(file.readline, MOST_LINE_BYTES), b"")

    def _expect(self, name: str, content: bytes, what: str) -> None:
        if not self._holds(name, content):
            raise Wrong(f"it is not {what}")

    def _holds(self, name: str, content: bytes) -> bool:
        """Whether a copied file has this content; a file of another size is not read."""
        path = self._copies / name
        return path.stat().st_size == len(content) and path.read_bytes() == content


def _copy(source: Path, target: Path) -> str:
    """Copy a file of the folder, and return its SHA-256."""
    digest, n_bytes = hashlib.sha256(), 0
    with open_file(source) as file, naming(target), target.open("wb") as copy:
        for piece in _pieces(file, source):
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise Wrong(f"{source.name} has more than {MOST_BYTES:,} bytes")
            digest.update(piece)
            copy.write(piece)
    return digest.hexdigest()


def _pieces(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """The content of a file. Raises OSError that names it."""
    with naming(path):
        yield from iter(partial(file.read, PIECE_BYTES), b"")
