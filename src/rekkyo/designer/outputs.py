"""A puzzle of the design page in the formats of the field, and as pictures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable

from rekkyo.ask.solve import solve
from rekkyo.designer.answers import Job, Say, puzzle_of
from rekkyo.errors import BadInput, fix_for_name
from rekkyo.export.burrtools_write import write_burrtools
from rekkyo.export.minizinc_write import write_minizinc
from rekkyo.export.puzzle_files import write_dimacs, write_puzzle
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.pdf import pdf
from rekkyo.render.png import png
from rekkyo.render.svg.drawing import Svg, pages_to_print, sheet, svg

ON_SHEET, COLUMNS = 20, 4


def _sheet(puzzle: Puzzle) -> Svg:
    rows = list(solve(puzzle, limit=ON_SHEET + 1))
    total = len(rows) if len(rows) <= ON_SHEET else None
    return sheet(puzzle, rows[:ON_SHEET], columns=COLUMNS, theme="light", total=total)


FORMATS: dict[str, tuple[str, Callable[[Puzzle], str | bytes]]] = {
    "xcc": ("text/plain", write_puzzle),
    "dimacs": ("text/plain", write_dimacs),
    "mzn": ("text/plain", write_minizinc),
    "xmpuzzle": ("application/xml", write_burrtools),
    "svg": ("image/svg+xml", lambda puzzle: svg(puzzle, theme="light")),
    "sheet.svg": ("image/svg+xml", _sheet),
    "png": ("image/png", lambda puzzle: png(_sheet(puzzle))),
    "pdf": ("application/pdf", lambda puzzle: pdf(pages_to_print(puzzle, _sheet(puzzle)), on_a4=True)),
}


def export(job: Job, say: Say) -> None:
    """A file for the page to download."""
    name = str(job.get("form"))
    if name not in FORMATS:
        raise BadInput(f"there is no such format; {fix_for_name(name[:20], tuple(FORMATS))}")
    kind, write = FORMATS[name]
    content = write(puzzle_of(str(job["text"]), job))
    raw = content if isinstance(content, bytes) else content.encode()
    say({"stage": "file", "name": f"puzzle.{name}", "kind": kind, "base64": b64encode(raw).decode()})
