"""Checking a certificate: everything in it is computed again, whoever made it, but for README.txt.

The files are copied into a folder of our own, never through a link, and only the copies are looked at: so
nothing is changed there, and nothing changes meanwhile. The puzzle comes from the words of the catalog or
from the copied file. The proof is checked by `lrat.py`, and by those foreign checkers that are installed.

What this cannot see: an error in the model, or in the code that writes it as a formula.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import IO

import numpy as np

from rekkyo.errors import BadInput, in_short
from rekkyo.export.cnf import Cnf
from rekkyo.export.formulas import cnf_of
from rekkyo.export.read import read_lines
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.runs.certificate import (
    FACTS,
    MOST_BYTES,
    MOST_SOLUTIONS,
    PARTS,
    SUMS,
    Facts,
    check_limit,
    read_facts,
    sums_text,
)
from rekkyo.runs.certify import dimacs_bytes, rows_text, with_best, with_rows_blocked
from rekkyo.runs.lrat import NotProved, check_lrat, read_dimacs
from rekkyo.runs.puzzle_source import file_of, readings_of
from rekkyo.safe_files import open_file
from rekkyo.symmetry.orbits import images_under
from rekkyo.verify import verify

MOST_LINE_BYTES = 1 << 26
PIECE_BYTES = 1 << 20
MOST_FACTS_BYTES = 1 << 20
MOST_SHOWN = 200

FOREIGN = {
    "drat-trim": ("proof.drat", "s VERIFIED"),
    "lrat-check": ("proof.lrat", "c VERIFIED"),
    "cake_lpr": ("proof.lrat", "s VERIFIED UNSAT"),
}
"""Checkers by other people: the proof that they read, and the line that they print."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked. passed: None when it was not done. detail: a line about it."""

    what: str
    passed: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """What was checked, in order. total: the solutions that the certificate speaks of."""

    folder: str
    puzzle: str
    total: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.passed is not False for check in self.checks)


class _Wrong(Exception):
    """What is wrong, in a line."""


class _NotDone(Exception):
    """Why something is not checked, in a line."""


def check_certificate(
    folder: str | os.PathLike[str], *, puzzle: Puzzle | None = None, limit_s: float = 600.0
) -> CertificateCheck:
    """Check a certificate, and change nothing in its folder.

    puzzle: needed only when it was built in Python. limit_s: the longest that each foreign checker may take.
    Raises BadInput when the folder holds no certificate, or the puzzle is needed.
    """
    check_limit(limit_s)
    shown = in_short(str(folder), MOST_SHOWN)
    facts, is_sealed = _read_facts(Path(folder), shown)
    if puzzle is None and facts.source.kind == "given":
        raise BadInput(
            f"{shown}: this puzzle was built in Python; check it there with:"
            f" rekkyo.check_certificate({shown!r}, puzzle=...)"
        )
    with tempfile.TemporaryDirectory(prefix="rekkyo-") as copies:
        inspection = _Inspection(Path(folder), Path(copies), facts, is_sealed, puzzle, limit_s)
        checks = tuple(_done_in_order(inspection.steps(), copies + os.sep))
    name = in_short(facts.certificate.puzzle, MOST_SHOWN)
    return CertificateCheck(str(folder), name, facts.certificate.total, checks)


def _read_facts(folder: Path, shown: str) -> tuple[Facts, bool]:
    try:
        with open_file(folder / FACTS) as file:
            return read_facts(file.read(MOST_FACTS_BYTES), str(folder))
    except OSError as problem:
        why = f"{FACTS}: {problem.strerror}"
    except BadInput as problem:
        why = str(problem)
    except ValueError:  # a null character in the name
        why = "that is no name of a folder"
    raise BadInput(f"{shown} holds no certificate: {why}")


def _done_in_order(steps: list[tuple[str, Callable[[], str]]], private: str) -> Iterator[Check]:
    """The outcomes. After a failure nothing more is done, but for one of the hashes, which says little."""
    has_failed = False
    for what, step in steps:
        if has_failed:
            yield Check(what, None, "not done after that")
            continue
        outcome = _outcome(what, step)
        has_failed = outcome.passed is False and what != "files"
        detail = " ".join(outcome.detail.replace(private, "").split())
        yield Check(what, outcome.passed, in_short(detail, MOST_SHOWN))


def _outcome(what: str, step: Callable[[], str]) -> Check:
    try:
        return Check(what, True, step())
    except _NotDone as reason:
        return Check(what, None, str(reason))
    except (_Wrong, NotProved, BadInput) as problem:
        return Check(what, False, str(problem))
    except OSError as problem:
        return Check(what, False, f"{Path(problem.filename or '').name}: {problem.strerror}")
    except MemoryError:
        return Check(what, False, "takes more memory than there is")


class _Inspection:
    """The checks, in an order in which each may use what the earlier ones have computed."""

    puzzle: Puzzle
    known: Puzzle
    cnf: Cnf
    rows: list[Row]
    n_steps: int

    def __init__(
        self, folder: Path, copies: Path, facts: Facts, is_sealed: bool, given: Puzzle | None, limit_s: float
    ) -> None:
        self._folder, self._copies, self._facts, self._is_sealed = folder, copies, facts, is_sealed
        self._given, self._limit_s = given, limit_s
        self._title = facts.certificate.puzzle

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """What is checked, and the functions that say how it went or raise what is wrong."""
        return [
            ("files", self.check_files),
            ("puzzle", self.find_puzzle),
            ("solutions.txt", self.check_solutions),
            ("formula.cnf", self.check_formula),
            ("symmetry", self.check_symmetry),
            ("blocked.cnf", self.check_blocked),
            ("proof", self.check_proof),
            ("numbers", self.check_numbers),
            *((f"proof by {name}", partial(self.ask_foreign, name)) for name in FOREIGN),
        ]

    def check_files(self) -> str:
        """Copy all files; each must be there, be known, and have its hash."""
        file = file_of(self._facts.source)
        expected = {*PARTS} if file is None else {*PARTS, file}
        with os.scandir(self._folder) as entries:
            there = {entry.name for entry in islice(entries, len(expected) + 3)}
        wrong = [f"{name} does not belong there" for name in sorted(there - expected - {FACTS, SUMS})]
        hashes, content = {}, b""
        for name in sorted(expected | {FACTS, SUMS}):
            try:
                hashes[name] = _copy(self._folder / name, self._copies / name)
            except OSError as problem:
                wrong.append(f"{name}: {problem.strerror}")
            except (BadInput, _Wrong) as problem:
                wrong.append(str(problem))
        known = self._facts.files
        wrong += [
            f"{name} was changed"
            for name in sorted(expected & hashes.keys())
            if hashes[name] != known.get(name)
        ]
        wrong += [f"{FACTS} was changed"] * (not self._is_sealed or known.keys() != expected)
        if SUMS in hashes:
            content = (self._copies / SUMS).read_bytes()
            del hashes[SUMS]
            wrong += [f"{SUMS} does not fit"] * (content != sums_text(hashes))
        if wrong:
            raise _Wrong("; ".join(wrong))
        return f"{len(expected) + 2} files, with the hashes that {FACTS} and {SUMS} say"

    def find_puzzle(self) -> str:
        """The puzzle that was given again, or that the certificate names."""
        source = self._facts.source
        readings = (self._given,) if self._given else readings_of(self._copies, source)
        if not readings or (source.kind == "catalog" and source.text != self._title):
            raise _Wrong(f"{FACTS} says of it: {source.kind} {source.text}")
        self.puzzle = readings[0]
        return self._title if source.kind == "catalog" else f"{self._title}, {source.text or 'given again'}"

    def check_solutions(self) -> str:
        """Every row valid and different, written as we write it, and as good as the first one."""
        shape = self.puzzle.model.row_shape
        self.rows, self.known = [], with_best(self.puzzle, ())
        with (self._copies / "solutions.txt").open("rb") as binary:
            text = io.TextIOWrapper(binary, "ascii", "replace", newline="\n")
            for line in islice(read_lines(self.puzzle, text), MOST_SOLUTIONS + 1):
                known = self.known if self.rows else self.puzzle
                problems = [line.problem] if line.row is None else verify(known, line.row)
                if problems or line.row is None:
                    raise _Wrong(f"line {line.number}: {problems[0]}")
                if not self.rows:
                    self.known = with_best(self.puzzle, [line.row])
                self.rows.append(line.row + (shape.n_values,) * (shape.length - len(line.row)))
        if len(self.rows) > MOST_SOLUTIONS:
            raise _Wrong(f"more than {MOST_SOLUTIONS:,} solutions")
        if len(set(self.rows)) < len(self.rows):
            raise _Wrong("a solution is there twice")
        self._expect("solutions.txt", rows_text(self.puzzle, self.rows), "as it is written")
        return f"{len(self.rows):,} solutions, all valid, all different"

    def check_formula(self) -> str:
        """It must be the formula that we write for the puzzle."""
        n_variables, clauses = read_dimacs(self._lines("formula.cnf"))
        self.cnf = cnf_of(self.known.model)
        self._expect("formula.cnf", dimacs_bytes(self.cnf, self._title), "the formula of this puzzle")
        return f"{n_variables:,} variables, {len(clauses):,} clauses, as computed again"

    def check_symmetry(self) -> str:
        """All images of the rows must be among them; the generators of the group are enough."""
        generators = self.puzzle.generators
        if not generators:
            raise _NotDone("none is known")
        shape = self.puzzle.model.row_shape
        values = np.array(self.rows, dtype=np.uint32).reshape(-1, shape.length)
        rows = {row.tobytes() for row in values}
        for number, generator in enumerate(generators, 1):
            if {row.tobytes() for row in images_under(shape, generator, values)} != rows:
                raise _Wrong(f"under symmetry {number} of {len(generators)} some solutions lack their image")
        return f"every image is there, under {len(generators)} generators of the group"

    def check_blocked(self) -> str:
        """It must be formula.cnf and a clause for each solution, in their order."""
        blocked = with_rows_blocked(self.cnf, self.puzzle, self.rows)
        self._expect(
            "blocked.cnf", dimacs_bytes(blocked, self._title), "formula.cnf with each solution ruled out"
        )
        return f"formula.cnf and {len(self.rows):,} clauses, one for each solution, as computed again"

    def check_proof(self) -> str:
        """By our own checker; and both proofs must have the same steps."""
        _, clauses = read_dimacs(self._lines("blocked.cnf"))
        steps = check_lrat(clauses, self._lines("proof.lrat"))
        self.n_steps = 0
        for step, line in zip_longest(steps, self._lines("proof.drat")):
            self.n_steps += 1
            if step != line:
                raise _Wrong(f"line {self.n_steps} of proof.drat is not the step of proof.lrat")
        return f"{self.n_steps:,} steps by rekkyo's own LRAT checker, in plain Python; the same in proof.drat"

    def check_numbers(self) -> str:
        """The numbers in certificate.json, but for seconds."""
        found = {
            "total": len(self.rows),
            "n_variables": self.cnf.n_variables,
            "n_clauses": len(self.cnf.clauses) + len(self.rows),
            "n_steps": self.n_steps,
            "proof_bytes": (self._copies / "proof.drat").stat().st_size,
            "lrat_bytes": (self._copies / "proof.lrat").stat().st_size,
        }
        for name, number in found.items():
            said = getattr(self._facts.certificate, name)
            if said != number:
                raise _Wrong(f'"{name}" is {number}, not {said}')
        return f"those in {FACTS}, as computed again"

    def ask_foreign(self, name: str) -> str:
        """Have somebody else's program check the proof."""
        program = shutil.which(name)
        if program is None or not Path(program).is_absolute():  # else it lies in the current folder
            raise _NotDone("not installed")
        proof, verdict = FOREIGN[name]
        try:
            done = subprocess.run(
                [program, "blocked.cnf", proof],
                cwd=self._copies,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self._limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _NotDone(f"not finished within {self._limit_s:g} s") from None
        lines = [line.strip() for line in done.stdout.splitlines()]
        if verdict not in lines:
            raise _Wrong(f"{proof} is not verified: {lines[-1] if lines else 'no output'}")
        return f"{proof} verified"

    def _lines(self, name: str) -> Iterator[bytes]:
        with (self._copies / name).open("rb") as file:
            while line := file.readline(MOST_LINE_BYTES):
                yield line

    def _expect(self, name: str, content: bytes, what: str) -> None:
        path = self._copies / name
        if path.stat().st_size != len(content) or path.read_bytes() != content:
            raise _Wrong(f"it is not {what}")


def _copy(source: Path, target: Path) -> str:
    """Copy a file of the folder, and return its SHA-256."""
    digest, n_bytes = hashlib.sha256(), 0
    with open_file(source) as file, target.open("wb") as copy:
        for piece in _pieces(file):
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise _Wrong(f"{source.name} has more than {MOST_BYTES:,} bytes")
            digest.update(piece)
            copy.write(piece)
    return digest.hexdigest()


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE_BYTES):
        yield piece
