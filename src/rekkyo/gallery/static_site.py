"""The gallery as files, for any web host or opened from a folder; the page filters without a server.

index.html, assets/           as on the server
puzzle.js, status.js          the constant facts
atoms/0.js ...                drawn atoms, and their (spot, thing) pairs
looks/1-0.js ...              the same atoms in further looks, if they have several
rows/0.js ...                 some solutions each: their values as digits of base 64, without gaps
representatives.js            the numbers of the representatives
symmetric.js                  the numbers of the solutions that some symmetry leaves unchanged
kinds.js                      the facts for the palette
group.js                      the symmetries, as permutations of atoms, when they are few
search.html                   the page that plays the search, for a puzzle that is small enough

A page that was opened as a file may load scripts, but no JSON. So each file of facts is a script that adds
them to a map.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.ask.played import played_page
from rekkyo.errors import BadInput
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.facts import ATOMS_IN_PART, SOLID, atoms_part, kind_facts, look_part, puzzle_facts
from rekkyo.gallery.question import Question
from rekkyo.render.search_page import DIGITS
from rekkyo.runs.certificate_folder import drafted

MAX_SOLUTIONS = 1_000_000
FILE_CHARACTERS = 1 << 18
"""The digits in a file of rows, except for longer rows."""
MAX_GROUP_NUMBERS = 1 << 20


def write_site(collection: Collection, out: Path, assets: dict[str, bytes]) -> int:
    """Write all files into a new folder, or none; returns the number of solutions. Raises BadInput."""
    with drafted(out) as draft:
        return _write_all(collection, draft, assets)


def _write_all(collection: Collection, out: Path, assets: dict[str, bytes]) -> int:
    n_rows = len(collection.source)
    if n_rows > MAX_SOLUTIONS:
        raise BadInput(
            f"a static gallery holds at most {MAX_SOLUTIONS:,} solutions, not {n_rows:,}; serve it instead"
        )
    for folder in ("assets", "atoms", "looks", "rows"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name, content in assets.items():
        if name == "index.html":
            (out / name).write_text(_static_page(content.decode()), encoding="utf-8", newline="\n")
        elif name != SOLID or collection.painting.body:
            (out / "assets" / name).write_bytes(content)
    shape = collection.puzzle.model.row_shape
    n_digits = next(n for n in range(1, 9) if len(DIGITS) ** n >= shape.n_symbols)
    rows_in_file = max(1, FILE_CHARACTERS // (n_digits * max(1, shape.length)))
    facts = puzzle_facts(collection) | {
        "rows": n_rows,
        "rows_in_file": rows_in_file,
        "row_length": shape.length,
        "n_digits": n_digits,
        "has_group": _has_small_group(collection),
        "search": _write_search(collection, out),
        "galleries": [collection.puzzle.name],
        "gallery": 0,
    }
    _write(out, "puzzle", facts)
    _write(out, "kinds", kind_facts(collection))
    _write(out, "status", collection.source.refresh() | {"rows": n_rows, "version": 0})
    for part in range(-(-facts["n_atoms"] // ATOMS_IN_PART)):
        _write(out, f"atoms/{part}", atoms_part(collection, part))
        for look in range(1, collection.painting.most_looks):
            _write(out, f"looks/{look}-{part}", look_part(collection, look, part))
    for number, start in enumerate(range(0, max(1, n_rows), rows_in_file)):
        rows = collection.source.rows(start, min(start + rows_in_file, n_rows))
        _write(out, f"rows/{number}", _digits(rows, n_digits))
    kinds = {"representatives": collection.has_representatives, "symmetric": collection.has_symmetry}
    for kind in [kind for kind, is_there in kinds.items() if is_there]:
        question = Question(only=kind)
        for _ in collection.scan(question):
            pass
        _write(out, kind, collection.numbers(question, 0, n_rows).tolist())
    if collection.survey is not None and _has_small_group(collection):
        _write(out, "group", collection.survey.group.elements.tolist())
    return n_rows


def _digits(rows: NDArray[Any], n_digits: int) -> str:
    """The values of all rows, the highest digit of each first."""
    places = np.array([len(DIGITS) ** place for place in reversed(range(n_digits))], dtype=np.int64)
    digits = rows.astype(np.int64)[:, :, None] // places % len(DIGITS)
    return bytes(np.frombuffer(DIGITS.encode(), dtype=np.uint8)[digits]).decode()


def _write_search(collection: Collection, out: Path) -> str | None:
    """The name of the page that plays the search, if there is one."""
    try:
        page = played_page(collection.puzzle)
    except BadInput:
        return None
    (out / "search.html").write_text(page, encoding="utf-8", newline="\n")
    return "search.html"


def _has_small_group(collection: Collection) -> bool:
    return collection.survey is not None and collection.survey.group.elements.size <= MAX_GROUP_NUMBERS


def _write(out: Path, name: str, facts: Any) -> None:
    text = json.dumps(facts, separators=(",", ":"))
    script = f"(globalThis.rekkyoFacts ??= new Map()).set({json.dumps(name)},{text});\n"
    (out / f"{name}.js").write_text(script, encoding="utf-8", newline="\n")


def _static_page(page: str) -> str:
    """The page with `file:` in its policy, because a page opened as a file has no origin."""
    page = page.replace('content="live"', 'content="static"')
    page = page.replace("connect-src 'self'", "connect-src 'none'")
    return re.sub(r"(script|style|img)-src 'self'", r"\1-src 'self' file:", page)
