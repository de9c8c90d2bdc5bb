"""Docstrings of rekkyo as Sphinx wants them.

They are plain text: paragraphs, and lines such as `name: what it means` whose continuation is indented. Here
such a line becomes an item of a list, and what stands between backticks becomes code.
"""

from __future__ import annotations

import re
from typing import Any

NAMES = r"[a-z_]\w*(?:, [a-z_]\w*)*"
ITEM = re.compile(rf"^(?P<names>{NAMES}): (?P<text>.*)")
NEXT_ITEM = re.compile(rf"(?<=\.) (?=(?:{NAMES}: |Raises [A-Z]))")
"""Short items share a line: `blocked: squares that stay empty. given: squares that hold a queen.`"""


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _rewrite)
    return {"parallel_read_safe": True}


def _rewrite(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = marked_up(lines)


def marked_up(lines: list[str]) -> list[str]:
    """The lines as reStructuredText."""
    result: list[str] = []
    item: list[str] = []
    for line in [*lines, ""]:
        if item and (not line or ITEM.match(line) or line.startswith("Raises ")):
            result += _list_of(" ".join(item))
            item = []
        if ITEM.match(line) or (item and line):
            item.append(line.strip())
        else:
            result.append(_with_code(line.strip()))
    return result


def _list_of(text: str) -> list[str]:
    result = [""]
    for part in NEXT_ITEM.split(text):
        item = ITEM.match(part)
        if item is None:
            result += ["", _with_code(part), ""]
        else:
            names = ", ".join(f"**{_escaped(name)}**" for name in item["names"].split(", "))
            result.append(f"* {names}: {_with_code(item['text'])}")
    return [*result, ""]


def _with_code(text: str) -> str:
    parts = text.split("`")
    return "".join(f"``{part}``" if i % 2 and part else _escaped(part) for i, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_|])", r"\\\1", text)
