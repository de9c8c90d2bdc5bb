"""The gallery as files, for any web host: the same page, which filters by itself instead of asking a server.

index.html, assets/             as the server has them
puzzle.json, status.json        what does not change
atoms/0.json ...                drawn atoms
rows/0.json ...                 ROWS_IN_FILE solutions each
representatives.json            the numbers of those that are
group.json                      the symmetries, as permutations of atoms, when they are few
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.facts import ATOMS_IN_PART, atoms_part, puzzle_facts
from rekkyo.gallery.question import Question

MAX_SOLUTIONS = 100_000
ROWS_IN_FILE = 1000
MAX_GROUP_NUMBERS = 1 << 20


def write_site(collection: Collection, out: Path, assets: dict[str, bytes]) -> int:
    """Write all files into a new or empty folder; returns how many solutions it shows. Raises BadInput."""
    n_rows = len(collection.source)
    if n_rows > MAX_SOLUTIONS:
        raise BadInput(
            f"a static gallery holds at most {MAX_SOLUTIONS:,} solutions, not {n_rows:,}; serve it instead"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} is there already and not an empty folder; name a new one")
    for folder in ("assets", "atoms", "rows"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name, content in assets.items():
        if name == "index.html":
            (out / name).write_bytes(content.replace(b'content="live"', b'content="static"'))
        else:
            (out / "assets" / name).write_bytes(content)
    facts = puzzle_facts(collection) | {"rows": n_rows, "rows_in_file": ROWS_IN_FILE}
    _write(out / "puzzle.json", facts | {"has_group": _has_small_group(collection)})
    _write(out / "status.json", collection.source.refresh() | {"rows": n_rows, "version": 0})
    for part in range(-(-facts["n_atoms"] // ATOMS_IN_PART)):
        _write(out / "atoms" / f"{part}.json", atoms_part(collection, part))
    for number, start in enumerate(range(0, max(1, n_rows), ROWS_IN_FILE)):
        stop = min(start + ROWS_IN_FILE, n_rows)
        rows = [row for block in collection.source.rows(start, stop) for row in block.tolist()]
        _write(out / "rows" / f"{number}.json", rows)
    if collection.has_representatives:
        question = Question(only="representatives")
        for _ in collection.scan(question):
            pass
        _write(out / "representatives.json", collection.numbers(question, 0, n_rows).tolist())
    if collection.survey is not None and _has_small_group(collection):
        _write(out / "group.json", collection.survey.group.elements.tolist())
    return n_rows


def _has_small_group(collection: Collection) -> bool:
    return collection.survey is not None and collection.survey.group.elements.size <= MAX_GROUP_NUMBERS


def _write(path: Path, facts: Any) -> None:
    path.write_bytes(json.dumps(facts, separators=(",", ":")).encode())
