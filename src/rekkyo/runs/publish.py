"""Writes a bundle from finished runs, their recounts and certificates of the same puzzles.

Every run is read with its checks (seals, sums, Burnside's lemma) and every certificate is checked; runs of
one puzzle must agree. `bundle.py` describes a bundle.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from rekkyo.ask.orbits import orbits
from rekkyo.ask.solve import solve
from rekkyo.ask.symmetric import symmetric_solutions
from rekkyo.catalog.entry import is_whole_number
from rekkyo.engines.contract import CountingEngine
from rekkyo.engines.registry import engines_for, share_search_code
from rekkyo.errors import BadInput, BadRun, CountsDisagree, EngineRefuses, GroupTooLarge, in_shell
from rekkyo.model.checks import check_type, listed, refuse
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.bundle import (
    CERTIFICATE,
    CHECKERS,
    MOST_BYTES,
    Bundle,
    OrbitTable,
    Picture,
    Term,
    Way,
    read_facts,
)
from rekkyo.runs.bundle_files import (
    asked_up_to,
    derived_files,
    orbit_kinds,
    puzzle_of_term,
    size_of,
    with_sums,
)
from rekkyo.runs.certificate import FACTS, CountCertificate
from rekkyo.runs.certificate_folder import check_unused, drafted
from rekkyo.runs.check_certificate import check_certificate, facts_of
from rekkyo.runs.puzzle_source import file_of, readings_of, why_given
from rekkyo.runs.status import FAILED, status
from rekkyo.safe_files import naming, open_file, path_of
from rekkyo.store import index as indexing
from rekkyo.store.index import Index
from rekkyo.store.manifest import Source, read_manifest
from rekkyo.store.model_hash import model_hash
from rekkyo.store.run_directory import holds_run
from rekkyo.wording import several

MOST_LISTED = 20_000
"""The most solutions of a term that are listed for the table of its orbits, and again in its check."""

MOST_CERTIFICATE_BYTES = MOST_BYTES // 4


@dataclass(frozen=True, slots=True)
class _Part:
    """The content of one folder: a term with one way, and the folder, which may hold the puzzle's file."""

    term: Term
    folder: Path


def publish(
    folders: Sequence[str | os.PathLike[str]], out: str | Path, *, statement: str, known: str = ""
) -> Bundle:
    """Write a bundle of finished runs, with their recounts, and of certificates, into a new folder.

    statement: what is counted, in a sentence. known: earlier results of others, with place and date.
    Raises BadInput, BadRun, RunDamaged; CountsDisagree if a check of a run failed, or two ways differ.
    """
    check_unused(out)
    for what, text in (("statement", statement), ("known", known)):
        check_type(f"bundle: {what} is a text", text, str)
        if not " ".join(text.split()).isprintable():
            raise BadInput(f"bundle: {what} has a character that cannot be printed; leave it out")
    if not statement.strip():
        raise BadInput("say in a sentence what is counted, with --statement")
    rule = "bundle: the folders are a list of directories of runs and certificates"
    if isinstance(folders, (str, os.PathLike)):
        refuse(rule, folders)
    parts = [part for folder in listed(rule, folders) for part in _parts(path_of(folder))]
    if not parts:
        raise BadInput("name the directories of finished runs")
    _check_one_symmetry(parts)
    terms = _terms(parts)
    certificate = _small_certificate(parts)
    with drafted(out) as draft:
        for name, content in _puzzle_files(parts).items():
            (draft / name).write_bytes(content)
        bundle = Bundle(" ".join(statement.split()), " ".join(known.split()), terms, None, None)
        puzzles = [puzzle_of_term(term, draft) for term in terms]
        terms = tuple(map(_with_symmetric_ones_again, terms, puzzles))
        bundle = replace(
            bundle, terms=terms, orbits=_orbits(terms, puzzles), picture=_picture(terms, puzzles)
        )
        files = {path.name: path.read_bytes() for path in draft.iterdir()}
        files |= derived_files(bundle, draft)
        read_facts(files["bundle.json"])
        if certificate is not None:
            (draft / CERTIFICATE).mkdir()
            for path in sorted(certificate.iterdir()):
                with naming(path):
                    files[f"{CERTIFICATE}/{path.name}"] = path.read_bytes()
        files = with_sums(files)
        for name, content in files.items():
            (draft / name).write_bytes(content)
        n_bytes = sum(map(len, files.values()))
        if n_bytes > MOST_BYTES:
            what = f"the bundle would have {n_bytes:,} bytes, more than {MOST_BYTES:,}"
            raise BadInput(f"{what}; leave something out")
    return bundle


def _parts(folder: Path) -> Iterator[_Part]:
    if holds_run(folder):
        manifest = read_manifest(folder)
        yield _of_run(folder, manifest.source)
        for inside in sorted(folder.glob("recount-*")):
            if holds_run(inside) and not inside.is_symlink() and status(inside).is_complete:
                again = _of_run(inside, manifest.source)
                if again.term.model_hash != manifest.model_hash:
                    raise BadRun(f"{inside} is not a recount of {folder}; remove it")
                yield replace(again, folder=folder)
    elif (folder / FACTS).is_file():
        yield _of_certificate(folder)
    else:
        raise BadRun(f"{folder} holds neither a run nor a certificate; begin one with: rekkyo run")


def _of_run(folder: Path, source: Source) -> _Part:
    """source: of the puzzle; a recount has that of the run that contains it."""
    manifest, found = read_manifest(folder), status(folder)
    if not found.is_complete or found.total is None:
        raise BadRun(
            f"{folder} is not finished ({found.shards_done} of {several(found.shards, 'shard')});"
            f" go on with: rekkyo resume {in_shell(folder)}"
        )
    for check in found.evidence:
        if check.outcome == FAILED:
            raise CountsDisagree(f"{folder}: {check.check}: {FAILED}, {check.detail}; it is not published")
    if source.kind == "given":
        problem = f"{folder} is a run of {manifest.puzzle}, which {why_given(manifest.puzzle)}"
        raise BadRun(f"{problem}; publish runs of files, or of words of the catalog")
    fixed = None
    if manifest.weighted:
        with closing(Index.open(folder / indexing.NAME, manifest.n_shards, writing=False)) as index:
            kept = index.outcome_of(sum(record.found for record in index.finished()))
            fixed = None if kept is None else kept.fixed
    seconds, versions = round(found.elapsed_s, 3), dict(manifest.versions)
    way = Way(
        by=manifest.engine,
        orbits=found.unique is not None,
        nodes=found.nodes,
        seconds=seconds,
        plan_version=manifest.plan_version,
        created=manifest.created,
        versions=versions,
    )
    term = Term(
        source=source,
        title=manifest.title,
        model_hash=manifest.model_hash,
        up_to=manifest.up_to,
        group_order=manifest.group_order,
        total=found.total,
        unique=found.unique,
        fixed=fixed,
        fixed_by=(),
        digest=found.digest if manifest.up_to == "none" else None,
        ways=(way,),
    )
    return _Part(term, folder)


def _of_certificate(folder: Path) -> _Part:
    facts = facts_of(folder)
    checked = check_certificate(folder)
    wrong = [f"{check.what}: {check.detail}" for check in checked.checks if check.passed is False]
    if wrong:
        raise BadInput(f"{folder}: {wrong[0]}")
    found = facts.certificate
    puzzle = readings_of(folder, facts.source)[0]
    if isinstance(found, CountCertificate):
        nodes, seconds = found.n_nodes, found.write_s + found.check_s
    else:
        nodes, seconds = found.n_steps, found.prove_s + found.elaborate_s
    term = Term(
        source=facts.source,
        title=puzzle.title,
        model_hash=model_hash(puzzle),
        up_to="none",
        group_order=None,
        total=found.total,
        unique=None,
        fixed=None,
        fixed_by=(),
        digest=None,
        ways=(Way(found.checker, False, nodes, round(seconds, 3), plan_version=0, created="", versions={}),),
    )
    return _Part(term, folder)


def _check_one_symmetry(parts: Sequence[_Part]) -> None:
    """Raise BadInput if orbits are counted up to different symmetries."""
    words = {asked_up_to(part.term): part.folder for part in parts if part.term.unique is not None}
    if len(words) > 1:
        where = " and ".join(f"{folder} up to {word}" for word, folder in words.items())
        raise BadInput(f"orbits are counted up to different symmetries, in {where}; publish them apart")


def _terms(parts: Sequence[_Part]) -> tuple[Term, ...]:
    """One term for each puzzle, with all of its ways, by size. Raises CountsDisagree."""
    terms: dict[str, Term] = {}
    for part in parts:
        other = part.term
        known = terms.setdefault(other.model_hash, other)
        if known is other:
            continue
        for what in ("total", "unique", "fixed", "digest", "group_order"):
            pair = {getattr(known, what), getattr(other, what)} - {None}
            if len(pair) > 1:
                values = " and ".join(map(str, pair))
                raise CountsDisagree(f"{known.source.text}: {what} is {values}; please report it")
        first, second = (known, other) if other.group_order is None else (other, known)
        merged = {
            what: getattr(second if getattr(first, what) is None else first, what)
            for what in ("unique", "fixed", "digest", "group_order")
        }
        terms[known.model_hash] = replace(first, ways=(*known.ways, *other.ways), **merged)
    return tuple(sorted(terms.values(), key=_by_size))


def _by_size(term: Term) -> list[tuple[int, str]]:
    return [(int(word), "") if is_whole_number(word) else (0, word) for word in size_of(term)]


def _puzzle_files(parts: Sequence[_Part]) -> dict[str, bytes]:
    """The puzzle's file, the same in all folders. Raises BadInput."""
    files: dict[str, bytes] = {}
    for part in parts:
        name = file_of(part.term.source)
        if name is None:
            continue
        with naming(part.folder / name), open_file(part.folder / name) as file:
            content = file.read(MOST_BYTES + 1)
        if files.setdefault(name, content) != content:
            raise BadInput(f"{part.folder} was begun with another {name}; publish what one file gives")
    return files


def _with_symmetric_ones_again(term: Term, puzzle: Puzzle) -> Term:
    """The term, with its symmetric solutions counted again if its second way counts no orbits."""
    if term.fixed is None or term.has_orbits_counted_twice or not term.is_counted_twice:
        return term
    first = next(way.by for way in term.ways if way.by not in CHECKERS)
    for engine in engines_for(lower(puzzle.model)):
        if isinstance(engine, CountingEngine) and not share_search_code(engine.name, first):
            found = symmetric_solutions(puzzle, engine.name, asked_up_to(term))
            if found not in (None, term.fixed):
                counts = f"{first} and {engine.name} count {term.fixed} and {found} symmetric solutions"
                raise CountsDisagree(f"{term.source.text}: {counts}; please report it")
            if found is not None:
                return replace(term, fixed_by=(engine.name,))
    return term


def _orbits(terms: Sequence[Term], puzzles: Sequence[Puzzle]) -> OrbitTable | None:
    """The orbits of the greatest term that can be listed quickly."""
    for place in reversed(range(len(terms))):
        if 0 < terms[place].total <= MOST_LISTED and terms[place].unique is not None:
            try:
                found = orbits(puzzles[place], up_to=asked_up_to(terms[place]))
                return OrbitTable(place, orbit_kinds(found))
            except (EngineRefuses, GroupTooLarge):
                return None
    return None


def _picture(terms: Sequence[Term], puzzles: Sequence[Puzzle]) -> Picture | None:
    """The middle solution of the greatest term that can be listed quickly, or the first of another term."""
    for place in reversed(range(len(terms))):
        if 0 < terms[place].total <= MOST_LISTED:
            row = next(islice(solve(puzzles[place]), terms[place].total // 2, None), None)
            if row is None:
                name, total = terms[place].source.text, terms[place].total
                problem = f"it is said to have {several(total, 'solution')}, and fewer are found"
                raise CountsDisagree(f"{name}: {problem}; please report it")
            return Picture(place, tuple(map(int, row)))
    return None


def _small_certificate(parts: Sequence[_Part]) -> Path | None:
    """The largest certificate that fits into a bundle."""
    sizes = {
        part.folder: sum(path.stat().st_size for path in part.folder.iterdir())
        for part in parts
        if part.term.ways[0].by in CHECKERS
    }
    fitting = [folder for folder, size in sizes.items() if size <= MOST_CERTIFICATE_BYTES]
    return max(fitting, key=lambda folder: sizes[folder], default=None)
