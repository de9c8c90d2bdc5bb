"""The files of a bundle that are derived from its facts, and the puzzle of a term."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from shlex import join

from rekkyo import __version__
from rekkyo.ask.orbits import Orbits
from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.drawing import svg
from rekkyo.runs.bfiles import bfile_lines
from rekkyo.runs.bundle import CHECKERS, FACTS, SUMS, Bundle, OrbitKind, Term, Way, facts_text
from rekkyo.runs.certificate import CountCertificate, sums_text
from rekkyo.runs.puzzle_source import readings_of
from rekkyo.store.model_hash import model_hash
from rekkyo.wording import several

README, CITATION, PICTURE = "README.md", "CITATION.cff", "picture.svg"
BFILES = {"b-total.txt": "total", "b-unique.txt": "unique"}


def derived_files(bundle: Bundle, copies: Path) -> dict[str, bytes]:
    """Every file that is derived from the facts, by its name. copies: the folder with the puzzle's file."""
    files = {FACTS: facts_text(bundle), README: _readme(bundle), CITATION: _citation(bundle)}
    for name, counted in BFILES.items():
        content = "".join(_bfile(bundle, counted))
        if content:
            files[name] = content.encode()
    if bundle.picture is not None:
        puzzle = puzzle_of_term(bundle.terms[bundle.picture.term], copies)
        files[PICTURE] = svg(puzzle, bundle.picture.row, theme="light").encode()
    return files


def with_sums(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, and SHA256SUMS of them."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return {**files, SUMS: sums_text(hashes)}


def puzzle_of_term(term: Term, copies: Path) -> Puzzle:
    """The puzzle of a term, after a check of its hash. Raises BadInput."""
    for puzzle in readings_of(copies, term.source):
        if model_hash(puzzle) == term.model_hash:
            return replace(puzzle, name=term.source.text, title=term.title)
    raise BadInput(f"{term.source.kind} {term.source.text} gives another puzzle than {FACTS} says")


def size_of(term: Term) -> tuple[str, ...]:
    """The words after the file or the name of the catalog, which distinguish the terms."""
    return tuple(term.source.text.split()[1:])


def command(term: Term, way: Way) -> str:
    """The command that counts a term again in one way, for the folder of the puzzle's file."""
    words = join(term.source.text.split())  # the same on every system, because bundles are compared
    if way.by in CHECKERS:
        option = " --count" if way.by == CountCertificate.checker else ""
        return f"rekkyo certify {words}{option} -o NEW_FOLDER"
    return f"rekkyo count {words} --engine {way.by} --up-to {asked_in(term, way)}"


def asked_in(term: Term, way: Way) -> str:
    """The `--up-to` of a count that gives the numbers of one way."""
    return asked_up_to(term) if way.orbits else "none"


def asked_up_to(term: Term) -> str:
    """The `--up-to` of a count that gives all numbers of the term."""
    return "symmetry" if term.up_to == "none" and term.unique is not None else term.up_to


def orbits_up_to(terms: Iterable[Term]) -> str:
    """The symmetry of all orbits that are counted, in the words of `--up-to`; of most bundles one."""
    return " or ".join(sorted({asked_up_to(term) for term in terms if term.unique is not None}))


def _bfile(bundle: Bundle, counted: str) -> Iterator[str]:
    """A b-file, if one word of the names increases by one and the others are constant; else nothing."""
    names = [term.source.text.split() for term in bundle.terms]
    columns = list(zip(*names, strict=True)) if len({*map(len, names)}) == 1 else []
    varying = [column for column in columns if len({*column}) > 1]
    terms = [getattr(term, counted) for term in bundle.terms]
    if len(varying) != 1 or None in terms or not all(map(is_whole_number, varying[0])):
        return
    numbers = [int(word) for word in varying[0]]
    if numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
        return
    which = f"up to {orbits_up_to(bundle.terms)}" if counted == "unique" else "all of them"
    comments = [bundle.statement, which]
    yield from bfile_lines(comments, zip(numbers, terms, strict=True))


def _readme(bundle: Bundle) -> bytes:
    lines = [f"# {bundle.statement}", ""]
    lines += [bundle.known, ""] if bundle.known else []
    up_to = orbits_up_to(bundle.terms) or "symmetry"
    lines += [f"| term | total | up to {up_to} | counted by |", "|---|---|---|---|"]
    for term in bundle.terms:
        ways = ", ".join(f"{way.by} ({way.seconds:.3g} s)" for way in term.ways)
        ways += "".join(f"; symmetric solutions by {name}" for name in term.fixed_by)
        once = "" if term.is_counted_twice else "; once only"
        unique = "" if term.unique is None else str(term.unique)
        unique += " (by one engine)" * (
            term.is_counted_twice and bool(unique) and not term.has_orbits_counted_twice
        )
        lines.append(f"| {term.source.text} | {term.total} | {unique} | {ways}{once} |")
    if bundle.orbits is not None:
        lines += ["", f"The orbits of {bundle.terms[bundle.orbits.term].source.text}, by their symmetry:", ""]
        lines += ["| order of the stabilizer | orbits | solutions |", "|---|---|---|"]
        for kind in bundle.orbits.kinds:
            lines.append(f"| {kind.stabilizer} | {kind.orbits} | {kind.solutions} |")
    last = bundle.terms[-1]
    lines += [
        "",
        "To check everything, and to count the smaller terms again (nothing here is changed):",
        "",
        "    rekkyo verify .",
        "",
        "To count the last term again:",
        "",
        *(f"    {command(last, way)}" for way in last.ways),
        "",
        f"`sha256sum -c {SUMS}` finds files that were changed by accident. docs/bundles.md of rekkyo tells",
        f"what is in {FACTS}. Whether a number is new is not said here.",
        "",
    ]
    return "\n".join(lines).encode()


def _citation(bundle: Bundle) -> bytes:
    title = f"{bundle.statement} ({several(len(bundle.terms), 'count')}, with evidence)"
    return f"""cff-version: 1.2.0
message: "If these numbers helped your work, please cite them as below."
title: {json.dumps(title, ensure_ascii=False)}
type: dataset
authors:
  - name: "The rekkyo authors"
license: MIT
references:
  - type: software
    title: "rekkyo: every solution of a combinatorial puzzle"
    version: {__version__}
    authors:
      - name: "The rekkyo authors"
""".encode()


def orbit_kinds(found: Orbits) -> tuple[OrbitKind, ...]:
    """The table of orbits in the form of a bundle, without the names of symmetries."""
    return tuple(OrbitKind(each.stabilizer, each.orbits, each.solutions) for each in found.classes)
