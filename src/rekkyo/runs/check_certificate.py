"""Checking a certificate: everything in it except README.txt is computed again.

The files are copied into a temporary folder, never through a link, and only the copies are checked, so that
the certificate is not changed, and cannot change during the check. The puzzle comes from the words of the
catalog or from the copied file. The proof is checked by `lrat.py`, and by the foreign checkers that are
installed.

This check cannot detect an error in the model, or in the code that writes it as a formula.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rekkyo.errors import FAILURES, BadInput, EngineRefuses, in_short
from rekkyo.model.puzzle import Puzzle, check_puzzle
from rekkyo.runs.certificate import FACTS, CountCertificate, Facts, checked_limit, read_facts
from rekkyo.runs.certificate_folder import NoProof
from rekkyo.runs.inspect_count import CountInspection
from rekkyo.runs.inspect_list import ListInspection
from rekkyo.runs.inspection import NotDone, Wrong
from rekkyo.runs.lrat import NotProved
from rekkyo.runs.puzzle_source import why_given
from rekkyo.safe_files import naming, open_file, path_of

MOST_FACTS_BYTES = 1 << 20
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Check:
    """One check. passed: None if it was not done. detail: a line about it."""

    what: str
    passed: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """The checks, in order. total: the number of solutions in the certificate."""

    folder: str
    puzzle: str
    total: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.passed is not False for check in self.checks)


def check_certificate(
    folder: str | os.PathLike[str], *, puzzle: Puzzle | None = None, limit_s: float = 600.0
) -> CertificateCheck:
    """Check a certificate, and change nothing in its folder.

    puzzle: needed only if it was built in Python. limit_s: the longest that each foreign checker may take.
    Raises BadInput if the folder holds no certificate, or the puzzle is needed; OSError if the system fails,
    as a full disk does, because that says nothing about the certificate.
    """
    limit_s = checked_limit(limit_s)
    if puzzle is not None:
        check_puzzle(puzzle)
    path = path_of(folder)
    shown = in_short(str(path), MOST_SHOWN)
    facts, is_sealed = _facts_and_seal(path, shown)
    if puzzle is None and facts.source.kind == "given":
        raise BadInput(
            f"{shown}: this puzzle {why_given(facts.certificate.puzzle)}; check it there with:"
            f" rekkyo.check_certificate({shown!r}, puzzle=...)"
        )
    with tempfile.TemporaryDirectory(prefix="rekkyo-") as copies, naming(Path(copies)):
        kind = CountInspection if isinstance(facts.certificate, CountCertificate) else ListInspection
        inspection = kind(path, Path(copies), facts, is_sealed, puzzle, limit_s)
        checks = tuple(done_in_order(inspection.steps(), copies + os.sep))
    name = in_short(facts.certificate.puzzle, MOST_SHOWN)
    return CertificateCheck(str(folder), name, facts.certificate.total, checks)


def facts_of(folder: Path) -> Facts:
    """The facts of a certificate, without a check. Raises BadInput."""
    return _facts_and_seal(folder, in_short(str(folder), MOST_SHOWN))[0]


def _facts_and_seal(folder: Path, shown: str) -> tuple[Facts, bool]:
    try:
        with naming(folder / FACTS), open_file(folder / FACTS) as file:
            return read_facts(file.read(MOST_FACTS_BYTES), str(folder))
    except OSError as problem:
        if problem.errno in FAILURES:
            raise
        why = f"{FACTS}: {problem.strerror}"
    except BadInput as problem:
        why = str(problem)
    raise BadInput(f"{shown} holds no certificate: {why}")


def done_in_order(steps: list[tuple[str, Callable[[], str]]], private: str) -> Iterator[Check]:
    """The outcomes. After a failure no further check is done, except after a failure of the hashes.

    Raises OSError if the system fails.
    """
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
    except NotDone as reason:
        return Check(what, None, str(reason))
    except (Wrong, NotProved, NoProof, BadInput, EngineRefuses) as problem:
        return Check(what, False, str(problem))
    except OSError as problem:
        if problem.errno in FAILURES:
            raise
        return Check(what, False, f"{Path(problem.filename or '').name}: {problem.strerror}")
    except MemoryError:
        return Check(what, False, "takes more memory than there is")
