"""Make anew what follows from the facts of every bundle here, and the table in docs/results.md.

    python results/remake.py

For when a drawing or a text of rekkyo has changed. Facts, puzzle files and certificates stay as they are: new
facts come from runs, by `rekkyo publish`.
"""

from __future__ import annotations

import re
from pathlib import Path

from rekkyo.runs.bundle import FACTS, SUMS, Bundle, Term, read_facts
from rekkyo.runs.bundle_files import derived_files, with_sums

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "results.md"
BUNDLES = tuple(sorted(path.parent for path in HERE.glob(f"*/{FACTS}")))


def files_of(folder: Path) -> dict[str, bytes]:
    """What the files of a bundle should be."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    del files[SUMS]
    return with_sums(files | derived_files(read_facts(files[FACTS]), folder))


def page() -> str:
    """What the page should be: what is written by hand, and the table."""
    table = [_row(folder.name, read_facts((folder / FACTS).read_bytes())) for folder in BUNDLES]
    head = ["| bundle | what is counted | terms | the last of them | counted by |", "|---|---|---|---|---|"]
    parts = [f"**{name}.** {known}" for name, known in _known()]
    text = PAGE.read_text(encoding="utf-8")
    text = _between(text, "table", "\n".join([*head, *table]))
    return _between(text, "known", "\n\n".join(parts))


def _row(name: str, bundle: Bundle) -> str:
    last = max(bundle.terms, key=lambda term: term.total)
    twice = sum(term.is_counted_twice for term in bundle.terms)
    cells = (
        f"[{name}](../results/{name}/README.md)",
        bundle.statement,
        _said(twice, len(bundle.terms)),
        _number(last),
        _by(last),
    )
    return f"| {' | '.join(cells)} |"


def _said(twice: int, of: int) -> str:
    return f"{of}" if twice == of else f"{of}, of which {twice} in two ways"


def _number(term: Term) -> str:
    unique = "" if term.unique is None else f"; up to symmetry {term.unique:,}"
    return f"`{term.source.text}`: {term.total:,}{unique}"


def _by(term: Term) -> str:
    return ", ".join(f"{way.by} {way.seconds:.3g} s" for way in term.ways)


def _known() -> list[tuple[str, str]]:
    return [(folder.name, read_facts((folder / FACTS).read_bytes()).known) for folder in BUNDLES]


def _between(text: str, name: str, inside: str) -> str:
    marks = (f"<!-- {name} of results/remake.py -->", f"<!-- end of {name} -->")
    pattern = re.compile(f"{re.escape(marks[0])}\n.*?{re.escape(marks[1])}", re.DOTALL)
    return pattern.sub(lambda _: f"{marks[0]}\n{inside}\n{marks[1]}", text)


if __name__ == "__main__":
    for folder in BUNDLES:
        for name, content in files_of(folder).items():
            (folder / name).write_bytes(content)
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
