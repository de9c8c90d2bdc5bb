"""Checking a bundle. Its content is not executed or trusted, links are not followed, and nothing is changed.

All files are read once, at most `MOST_BYTES` in total, and only the copies are checked. Files that are
derived from the facts are derived again and compared. Then terms are counted again, in every recorded way,
the quick ones first, up to a limit of time; for the others the recorded time is reported.

This check cannot detect an error in the puzzle's file or its statement, or in counts that are not repeated.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from rekkyo.ask.count import Count, count
from rekkyo.ask.orbits import orbits
from rekkyo.ask.symmetric import symmetric_solutions
from rekkyo.engines.contract import CountingEngine, ListingEngine
from rekkyo.engines.registry import engine_named
from rekkyo.errors import FAILURES, BadInput, GroupTooLarge, NeedsMemory, RekkyoError, in_short
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs import bundle_files
from rekkyo.runs.bundle import CERTIFICATE, CHECKERS, FACTS, MOST_BYTES, SUMS, Bundle, Term, Way, read_facts
from rekkyo.runs.certificate import COUNT_PARTS, PARTS, CountCertificate, checked_limit
from rekkyo.runs.certificate import FACTS as CERTIFICATE_FACTS
from rekkyo.runs.certify import NoSolver, ProofTooLong, certify
from rekkyo.runs.certify_count import certify_count
from rekkyo.runs.check_certificate import MOST_SHOWN, Check, check_certificate, done_in_order, facts_of
from rekkyo.runs.inspection import NotDone, Wrong
from rekkyo.runs.puzzle_source import FILES, file_of
from rekkyo.safe_files import naming, open_file, path_of
from rekkyo.search.progress import Progress, Watcher
from rekkyo.search.question import ask
from rekkyo.verify import verify
from rekkyo.wording import several

MOST_FILES = 64
TOO_LONG = "it takes much longer here than is said"
TOO_LARGE = "it takes more memory than there is here"


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """The checks, in order. n_left, left_s: the counts that were not repeated, and their recorded seconds."""

    folder: str
    statement: str
    checks: tuple[Check, ...]
    n_left: int
    left_s: float

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.passed is not False for check in self.checks)


def check_bundle(folder: str | os.PathLike[str], *, limit_s: float = 60.0) -> BundleCheck:
    """Check a bundle, and count again the terms whose recorded times add up to at most the limit.

    Counts that take much longer than recorded are stopped. Raises BadInput if the folder holds no bundle, and
    OSError if the disk fails.
    """
    limit_s = checked_limit(limit_s)
    path = path_of(folder)
    shown = in_short(str(path), MOST_SHOWN)
    try:
        with naming(path):
            files = _read(path)
        bundle = read_facts(files[FACTS])
    except OSError as problem:
        if problem.errno in FAILURES:
            raise
        raise BadInput(f"{shown} holds no bundle: {problem.strerror}") from None
    except (BadInput, Wrong) as problem:
        raise BadInput(f"{shown} holds no bundle that can be checked: {problem}") from None
    with tempfile.TemporaryDirectory(prefix="rekkyo-") as copies:
        checking = _Checking(bundle, files, Path(copies), limit_s)
        checks = tuple(done_in_order(checking.steps(), copies + os.sep))
    statement, left_s = in_short(bundle.statement, MOST_SHOWN), round(checking.left_s, 3)
    return BundleCheck(str(folder), statement, checks, checking.n_left, left_s)


def _read(folder: Path) -> dict[str, bytes]:
    """The plain files of a bundle, those of its certificate too. Raises Wrong, BadInput, OSError."""
    names = [FACTS, *(name for name in _names_in(folder) if name != FACTS)]
    if CERTIFICATE in names:
        names.remove(CERTIFICATE)
        if not stat.S_ISDIR((folder / CERTIFICATE).lstat().st_mode):
            raise Wrong(f"{CERTIFICATE} is not a folder")
        names += [f"{CERTIFICATE}/{name}" for name in _names_in(folder / CERTIFICATE)]
    files, n_left = {}, MOST_BYTES
    for name in names:
        with open_file(folder / name) as file:
            files[name] = file.read(n_left + 1)
        n_left -= len(files[name])
        if n_left < 0:
            raise Wrong(f"it has more than {MOST_BYTES:,} bytes")
    return files


def _names_in(folder: Path) -> list[str]:
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in islice(entries, MOST_FILES + 1))
    if len(names) > MOST_FILES:
        raise Wrong(f"it has more than {MOST_FILES} files")
    return names


class _Checking:
    """The checks, in an order in which each may use the results of earlier ones."""

    def __init__(self, bundle: Bundle, files: dict[str, bytes], copies: Path, limit_s: float) -> None:
        self._bundle, self._files, self._copies = bundle, files, copies
        self._limit_s, self._planned_s, self._spent_s = limit_s, 0.0, 0.0
        self._puzzles: list[Puzzle] = []
        self.n_left, self.left_s = 0, 0.0

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """Names of the checks, and functions that return a detail or raise Wrong."""
        steps: list[tuple[str, Callable[[], str]]] = [
            ("files", self._check_names),
            ("puzzles", self._find_puzzles),
            ("content", self._check_content),
            ("ways", self._check_ways),
            ("picture", self._check_picture),
            ("certificate", self._check_certificate),
        ]
        if any(term.fixed_by for term in self._bundle.terms):
            steps.append(("symmetric solutions", self._check_symmetric))
        quick_first = sorted(self._bundle.terms, key=lambda term: max(way.seconds for way in term.ways))
        steps += [(term.source.text, partial(self._repeat, term)) for term in quick_first]
        return [*steps, ("orbits", self._check_orbits)]

    def _check_names(self) -> str:
        """The puzzle's file must exist. It and the files of the certificate are copied for later checks."""
        own = {name for term in self._bundle.terms if (name := file_of(term.source)) is not None}
        if missing := sorted(own - self._files.keys()):
            raise Wrong(f"{missing[0]} is missing")
        for name in self._files.keys() & {*own, *_OF_CERTIFICATE}:
            (self._copies / name).parent.mkdir(exist_ok=True)
            (self._copies / name).write_bytes(self._files[name])
        return f"{several(len(self._files), 'file')}, {sum(map(len, self._files.values())):,} bytes"

    def _find_puzzles(self) -> str:
        """Each term must name a puzzle with its hash."""
        if len({term.model_hash for term in self._bundle.terms}) != len(self._bundle.terms):
            raise Wrong("a term appears twice")
        self._puzzles = [bundle_files.puzzle_of_term(term, self._copies) for term in self._bundle.terms]
        return f"{several(len(self._puzzles), 'puzzle')}, with the hashes that {FACTS} says"

    def _check_content(self) -> str:
        """The derived files must equal those that are derived here, and all files must have their hashes."""
        made = bundle_files.derived_files(self._bundle, self._copies)
        *first, last = sorted(made.keys() - {FACTS})
        kept = [path for path in self._copies.rglob("*") if path.is_file()]
        made |= {path.relative_to(self._copies).as_posix(): path.read_bytes() for path in kept}
        made = bundle_files.with_sums(made)
        if unknown := sorted(self._files.keys() - made.keys()):
            raise Wrong(f"{unknown[0]} does not belong there")
        for name in sorted(made, key=lambda name: name == SUMS):
            if self._files.get(name) != made[name]:
                raise Wrong(f"{name} {'was changed' if name in self._files else 'is missing'}")
        return f"{', '.join(first)} and {last} follow from {FACTS}; all have the hashes in {SUMS}"

    def _check_ways(self) -> str:
        """The numbers of each term must be consistent, and its ways are counted."""
        for term, puzzle in zip(self._bundle.terms, self._puzzles, strict=True):
            for way in term.ways:
                if way.by not in CHECKERS:
                    engine_named(way.by)
                elif way.orbits:
                    raise Wrong(f"{term.source.text}: a certificate counts no orbits")
            for name in term.fixed_by:
                engine_named(name)
            if problem := _contradiction(term) or _wrong_order(term, puzzle):
                raise Wrong(f"{term.source.text}: {problem}")
            known = puzzle.published and puzzle.published.up_to(bundle_files.asked_up_to(term))
            if known and not known.agrees_with(term.total, term.unique):
                raise Wrong(f"{term.source.text}: {known.source} has another count")
        return f"{several(len(self._puzzles), 'term')}, {self._bundle.counted_twice}"

    def _check_picture(self) -> str:
        """The solution in the picture must satisfy the definition."""
        picture = self._bundle.picture
        if picture is None:
            raise NotDone("there is none")
        if wrong := verify(self._puzzles[picture.term], picture.row):
            raise Wrong(wrong[0])
        return f"a solution of {self._bundle.terms[picture.term].source.text}, by the definition"

    def _check_certificate(self) -> str:
        """The certificate must pass `rekkyo certify --check`, and prove one of the terms."""
        folder = self._copies / CERTIFICATE
        if not folder.is_dir():
            raise NotDone("there is none")
        facts = facts_of(folder)
        totals = {term.source: term.total for term in self._bundle.terms}
        if totals.get(facts.source) != facts.certificate.total:
            raise Wrong("it is of none of the terms")
        name = file_of(facts.source)
        if name is not None and self._files.get(f"{CERTIFICATE}/{name}") != self._files[name]:
            raise Wrong(f"its {name} is another one")
        found = check_certificate(folder, limit_s=self._limit_s)
        if wrong := [check for check in found.checks if check.passed is False]:
            raise Wrong(f"{wrong[0].what}: {wrong[0].detail}")
        total = several(found.total, "solution")
        return f"{facts.source.text} has {total}, proved by {facts.certificate.checker}"

    def _repeat(self, term: Term) -> str:
        """Count a term again in every way that the limit of time allows, the fastest first.

        The answer names the ways in the order of the bundle, which does not depend on measured times.
        """
        done: dict[str, bool] = {}  # and whether the orbits were counted
        left: list[Way] = []
        why: dict[str, str] = {}
        for way in sorted(term.ways, key=lambda way: (way.by in CHECKERS, way.seconds)):
            is_too_long = self._planned_s + way.seconds > self._limit_s or self._spent_s > 2 * self._limit_s
            if is_too_long or (left and way.by in CHECKERS):  # a certificate of a count cannot be stopped
                left.append(way)
                continue
            self._planned_s += way.seconds
            try:
                done[way.by] = self._count_again(term, way)
            except (NotDone, NeedsMemory, MemoryError) as problem:
                left.append(way)
                why[way.by] = f" ({problem if isinstance(problem, NotDone) else TOO_LARGE})"
        self.n_left += len(left)
        self.left_s += sum(way.seconds for way in left)
        rest = "; ".join(
            f"not by {way.by}, which took {way.seconds:.3g} s{why.get(way.by, '')}" for way in left
        )
        if not done:
            raise NotDone(rest)
        names = [name for name in dict.fromkeys(way.by for way in term.ways) if name in done]
        of_orbits = [name for name in names if done[name]]
        unique = f", {term.unique} up to {bundle_files.asked_up_to(term)}" if of_orbits else ""
        if unique and of_orbits != names:
            unique += f" (by {' and by '.join(of_orbits)} only)"
        again = f"{term.total}{unique}, counted again by {' and by '.join(names)}"
        return f"{again}; {rest}" if rest else again

    def _count_again(self, term: Term, way: Way) -> bool:
        """Count a term again in one way; returns whether that also counted the orbits."""
        puzzle = self._puzzles[self._bundle.terms.index(term)]
        found: dict[str, int | str | None]
        if way.by in CHECKERS:
            found = {"total": self._certified_again(puzzle, way)}
        else:
            engine = engine_named(way.by)
            # With a group too large to list, `csp` also searches models that it does not list.
            hashes = term.digest is not None and isinstance(engine, ListingEngine)
            hashes = hashes and engine.accepts(lower(puzzle.model))
            counted = self._counted(puzzle, way.by, bundle_files.asked_in(term, way), hashes)
            found = {"total": counted.total, "unique": counted.unique, "digest": counted.digest}
            if way.orbits and counted.unique is None:
                raise Wrong(f"{way.by} counts no orbits")
        for what, number in found.items():
            if number is not None and number != getattr(term, what):
                raise Wrong(f"{way.by} counts {what} {number}, not {getattr(term, what)}")
        return found.get("unique") is not None

    def _counted(self, puzzle: Puzzle, engine: str, up_to: str, hashes: bool) -> Count:
        """A count; without a digest if the group is too large for one."""
        again = partial(count, puzzle, engine=engine, up_to=up_to, watch=self._watch())
        with suppress(GroupTooLarge):
            return again(digest=hashes)
        return again()  # a digest needs a list of all solutions

    def _certified_again(self, puzzle: Puzzle, way: Way) -> int:
        """The total in a new certificate. Its time is all that it takes, also if the list is not finished."""
        folder = Path(tempfile.mkdtemp(dir=self._copies))
        started, before_s = time.perf_counter(), self._spent_s
        try:
            if way.by == CountCertificate.checker:
                return certify_count(puzzle, folder).total
            return certify(puzzle, folder, limit_s=2 * self._limit_s, watch=self._watch()).total
        except NoSolver:
            raise NotDone("no SAT solver is installed") from None
        except ProofTooLong:
            raise NotDone(TOO_LONG) from None
        finally:
            self._spent_s = before_s + time.perf_counter() - started

    def _watch(self) -> Watcher:
        """Stops a count once all counts have taken twice the limit, without compiling.

        The seconds of a report begin anew with each stage of a count.
        """
        latest_s = 0.0

        def watch(progress: Progress) -> None:
            nonlocal latest_s
            is_new = progress.elapsed_s < latest_s
            self._spent_s += progress.elapsed_s - (0.0 if is_new else latest_s)
            latest_s = progress.elapsed_s
            if self._spent_s > 2 * self._limit_s:
                raise NotDone(TOO_LONG)

        return watch

    def _check_symmetric(self) -> str:
        """Count symmetric solutions again by the recorded engines, if the second way counts no orbits.

        Folded boards are small. A count that takes longer than the limit is stopped; this time does not count
        towards the limit of the other counts.
        """
        n_terms, stop_at, names = 0, time.monotonic() + self._limit_s, set[str]()

        def pause() -> None:
            if time.monotonic() > stop_at:
                raise NotDone(TOO_LONG)

        for term, puzzle in zip(self._bundle.terms, self._puzzles, strict=True):
            for name in term.fixed_by:
                up_to = bundle_files.asked_up_to(term)
                found = symmetric_solutions(puzzle, name, up_to, pause)
                if found is None and isinstance(engine_named(name), CountingEngine):
                    raise NotDone(f"{name} cannot count those of {term.source.text} here")
                if found != term.fixed:
                    raise Wrong(f"{term.source.text}: {name} counts {found}, not {term.fixed}")
                n_terms += 1
                names.add(name)
        return f"those of {several(n_terms, 'term')}, by {' and by '.join(sorted(names))}"

    def _check_orbits(self) -> str:
        """The table of orbits, and the counts, of one term must be those from a list of its solutions."""
        table = self._bundle.orbits
        if table is None:
            raise NotDone("there is no table")
        term = self._bundle.terms[table.term]
        up_to = bundle_files.asked_up_to(term)
        found = orbits(self._puzzles[table.term], up_to=up_to, watch=self._watch())
        if (found.total, found.unique) != (term.total, term.unique):
            counted = f"{several(found.total, 'solution')}, {found.unique} up to {up_to}"
            raise Wrong(f"{term.source.text} has {counted}, by a list")
        if bundle_files.orbit_kinds(found) != table.kinds:
            raise Wrong(f"{term.source.text} has another table of orbits")
        return f"the table of {term.source.text}, from a list of its solutions"


_OF_CERTIFICATE = {
    f"{CERTIFICATE}/{name}" for name in (*PARTS, *COUNT_PARTS, *FILES, CERTIFICATE_FACTS, SUMS)
}


def _wrong_order(term: Term, puzzle: Puzzle) -> str | None:
    """Whether the group has another order, as far as it is known without a search."""
    for way in [way for way in term.ways if way.orbits]:
        with suppress(RekkyoError):  # as for a group that is too large for a search by this engine
            question = ask(puzzle, engine=way.by, up_to=bundle_files.asked_up_to(term), takes_large=True)
            group = question.counted_group or question.group
            if group is not None and group.order != term.group_order:
                return f"the symmetry group has order {group.order}, not {in_short(str(term.group_order))}"
            return None
    return None


def _contradiction(term: Term) -> str | None:
    """A contradiction between the numbers of a term, or None."""
    if term.fixed_by and term.fixed is None:
        return "its symmetric solutions were counted again, but are not there"
    of_orbits = [way.by for way in term.ways if way.orbits]
    if term.unique is None:
        of_them = "a way that counts orbits" if of_orbits else "symmetric solutions"
        return f"it has {of_them}, but no orbits" if of_orbits or term.fixed is not None else None
    order = term.group_order or 1
    if not term.total <= term.unique * order or term.unique > term.total:
        return f"{term.unique} orbits of a group of {order} do not hold {term.total} solutions"
    if all(term.fixed is None and isinstance(engine_named(by), CountingEngine) for by in of_orbits):
        return f"no way counts its {several(term.unique, 'orbit')}"
    if term.fixed is not None and term.total + term.fixed != term.unique * order:
        return "Burnside's lemma does not come out"
    return None
