"""The facts of a bundle: counts that others can check, in a plain folder.

    bundle.json     the facts: what is counted, each term, and every way in which it was counted
    puzzle.*        the puzzle's file, if it has one
    b-total.txt     the terms as a b-file, if sizes are consecutive; b-unique.txt: up to symmetry
    picture.svg     one solution
    certificate/    a certificate of one term, if there is a small one
    README.md, CITATION.cff, SHA256SUMS

`publish.py` writes a bundle, `check_bundle.py` checks it; docs/bundles.md describes the format. Every file
except bundle.json, puzzle.* and certificate/ is derived from the facts, and derived again when a bundle is
checked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations

from rekkyo.engines.registry import share_search_code
from rekkyo.errors import BadInput
from rekkyo.runs.bfiles import MAX_DIGITS
from rekkyo.runs.certificate import Certificate, CountCertificate
from rekkyo.store.json_facts import Names, parsed, read_fields, sealed, types_of, wrong_in
from rekkyo.store.manifest import Source

FORMAT = 1
FACTS = "bundle.json"
SUMS = "SHA256SUMS"
CERTIFICATE = "certificate"
MOST_BYTES = 2 << 20
"""The most bytes in all files together."""

CHECKERS = (CountCertificate.checker, Certificate.checker)
"""The checkers that prove a count, in plain Python that shares no code with any engine."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a term was counted.

    by: an engine, or one of CHECKERS for a certificate. orbits: whether it counted orbits, too; a certificate
    counts none. nodes: of the search, or of the diagram. seconds: of the run, or of writing and checking the
    certificate. plan_version, created, versions: of the run; 0 and empty for a certificate.
    """

    by: str
    orbits: bool
    nodes: int
    seconds: float
    plan_version: int
    created: str
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Term:
    """One count. source, title, model_hash, up_to, group_order: as in the manifest of a run.

    fixed: solutions that the symmetries other than the identity leave unchanged, in total, if Burnside's
    lemma was used. fixed_by: engines that counted these again, if the second way to the total counts no
    orbits.
    digest: of the set of all solutions, if they were listed.
    """

    source: Source
    title: str
    model_hash: str
    up_to: str
    group_order: int | None
    total: int
    unique: int | None
    fixed: int | None
    fixed_by: tuple[str, ...]
    digest: str | None
    ways: tuple[Way, ...]

    @property
    def is_counted_twice(self) -> bool:
        """Whether two of its ways share no search code."""
        return _are_two_ways({way.by for way in self.ways})

    @property
    def has_orbits_counted_twice(self) -> bool:
        """As `is_counted_twice`, for `unique`: both the total and, if used, the terms of Burnside's lemma."""
        by_orbits = {way.by for way in self.ways if way.orbits}
        return self.is_counted_twice and bool(by_orbits) and _are_two_ways({*by_orbits, *self.fixed_by})


@dataclass(frozen=True, slots=True)
class OrbitKind:
    """Orbits with the same symmetry, up to conjugation. stabilizer: its order. solutions: in these orbits."""

    stabilizer: int
    orbits: int
    solutions: int


@dataclass(frozen=True, slots=True)
class OrbitTable:
    """The orbits of one term by their symmetry, from a list of its solutions. term: its index."""

    term: int
    kinds: tuple[OrbitKind, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The solution in picture.svg. term: its index."""

    term: int
    row: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """The facts of a bundle. statement: what is counted, in a sentence. known: earlier results of others."""

    statement: str
    known: str
    terms: tuple[Term, ...]
    orbits: OrbitTable | None
    picture: Picture | None

    @property
    def counted_twice(self) -> str:
        """How many terms are counted twice, and how many with their orbits, in words."""
        totals = sum(term.is_counted_twice for term in self.terms)
        orbits = sum(term.has_orbits_counted_twice for term in self.terms)
        return f"{totals} counted in two ways that share no search code, {orbits} of them with their orbits"


def _are_two_ways(names: set[str]) -> bool:
    return any(
        {one, other} & {*CHECKERS} or not share_search_code(one, other)
        for one, other in combinations(names, 2)
    )


def facts_text(bundle: Bundle) -> bytes:
    """The content of bundle.json, seal included."""
    return sealed({"format": FORMAT, **asdict(bundle)}, indent=1)


def read_facts(content: bytes) -> Bundle:
    """The facts, after a check of their seal, types and values. Raises BadInput."""
    known = parsed(content, FACTS, FORMAT)
    bundle = Bundle(**read_fields(types_of(Bundle), known, wrong_in(FACTS), _is_sound))
    if facts_text(bundle) != content:
        raise BadInput(f"{FACTS} was changed: it does not have its seal; put back a copy of it")
    if not all(term.ways for term in bundle.terms) or not bundle.terms:
        raise BadInput(f"{FACTS} has no term, or one without a count")
    for place in (bundle.orbits, bundle.picture):
        if place is not None and not 0 <= place.term < len(bundle.terms):
            raise BadInput(f"{FACTS} names a term that it does not have")
    return bundle


def _is_sound(_names: Names, value: str | float) -> bool:
    return value.isprintable() if isinstance(value, str) else 0 <= value < 10**MAX_DIGITS
