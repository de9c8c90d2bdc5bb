"""The facts of a certificate, and the hashes of its files.

certificate.json has the SHA-256 of every part and, as its seal, of its own other lines. SHA256SUMS has the
hashes of all files in the form of `sha256sum -c`. Neither protects against a forger who writes all files
again; therefore `check_certificate.py` computes everything again.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import get_type_hints

from rekkyo.model.row import ABOVE_0, checked_real
from rekkyo.store.json_facts import parsed, read_fields, sealed, wrong_in
from rekkyo.store.manifest import Source

FORMAT = 1
COUNT = "count"
"""The kind of a certificate of a count; a certificate of a list has no kind."""

FACTS, SUMS = "certificate.json", "SHA256SUMS"
PARTS = ("README.txt", "blocked.cnf", "formula.cnf", "proof.drat", "proof.lrat", "solutions.txt")
COUNT_PARTS = ("README.txt", "check_count.py", "diagram.nnf", "problem.opb")

MOST_SOLUTIONS = 200_000
MOST_BYTES = 1 << 32
"""The most bytes of one file."""

MOST_WAIT_S = 2_000_000
"""The longest wait for another program, 23 days: systems wait for at most 2^31 milliseconds."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The facts of a certificate of a list.

    n_variables, n_clauses: of blocked.cnf. n_steps: lines of proof.drat. proof_bytes, lrat_bytes: of the two
    proofs. prove_s, elaborate_s: seconds of the solver, and for the hints of the LRAT proof. checker: the
    program that proves the count.
    """

    puzzle: str
    folder: str
    total: int
    n_variables: int
    n_clauses: int
    n_steps: int
    proof_bytes: int
    lrat_bytes: int
    prove_s: float
    elaborate_s: float
    solver: str
    checker = "lrat.py"


@dataclass(frozen=True, slots=True)
class CountCertificate:
    """The facts of a certificate of a count.

    n_variables, n_constraints: of problem.opb. n_nodes, diagram_bytes: of diagram.nnf. write_s, check_s:
    seconds of writing and of checking it. checker: as above.
    """

    puzzle: str
    folder: str
    total: int
    n_variables: int
    n_constraints: int
    n_nodes: int
    diagram_bytes: int
    write_s: float
    check_s: float
    checker = "check_count.py"


@dataclass(frozen=True, slots=True)
class Facts:
    """certificate.json. files: the SHA-256 of each part, by its name."""

    certificate: Certificate | CountCertificate
    source: Source
    files: dict[str, str]


def facts_text(facts: Facts) -> bytes:
    """The content of certificate.json."""
    kind = {"kind": COUNT} if isinstance(facts.certificate, CountCertificate) else {}
    known = {"format": FORMAT, **kind, **asdict(facts.certificate), "source": asdict(facts.source)}
    del known["folder"]
    return sealed({**known, "files": dict(sorted(facts.files.items()))}, indent=2)


def read_facts(content: bytes, folder: str) -> tuple[Facts, bool]:
    """The facts, and whether the text is exactly their serialisation, with the seal. Raises BadInput."""
    known = parsed(content, FACTS, FORMAT)
    kind: type[Certificate | CountCertificate]
    kind = CountCertificate if known.get("kind") == COUNT else Certificate
    hints = get_type_hints(kind) | {"source": Source, "files": dict[str, str]}
    known = read_fields(hints, known | {"folder": folder}, wrong_in(FACTS))
    facts = Facts(source=known.pop("source"), files=known.pop("files"), certificate=kind(**known))
    return facts, facts_text(facts) == content


def checked_limit(limit_s: float) -> float:
    """The limit. Raises BadInput unless it is a finite number of seconds above 0."""
    rule = "the limit must be a finite number of seconds above 0"
    return checked_real(rule, limit_s, ABOVE_0, sys.float_info.max)


def sums_text(files: Mapping[str, str]) -> bytes:
    """The content of SHA256SUMS."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items())).encode("utf-8", "replace")
