"""Shows the examples in a command's help as code; sphinx-click makes line blocks of them."""

from __future__ import annotations

from sphinx.application import Sphinx

LINE = "| "


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("sphinx-click-process-description", _as_code)
    return {"parallel_read_safe": True}


def _as_code(_app: Sphinx, _context: object, lines: list[str]) -> None:
    found: list[str] = []
    for line in lines:
        if line.startswith(LINE):
            if not (found and found[-1].startswith("   ")):
                found += ["::", ""]
            found.append("   " + line.removeprefix(LINE))
        else:
            found.append(line)
    lines[:] = found
