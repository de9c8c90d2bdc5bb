"""Docstrings of rekkyo as Sphinx wants them.

They are plain text: paragraphs, and lines such as `name: what it means` whose continuation is indented. Here
such a line becomes an item of a list, and what stands between backticks becomes code.
"""

from __future__ import annotations

import re
from typing import Any

ITEM = re.compile(r"^(?P<names>[a-z_]\w*(?:, [a-z_]\w*)*): (?P<text>.*)")


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _rewrite)
    return {"parallel_read_safe": True}


def _rewrite(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = marked_up(lines)


def marked_up(lines: list[str]) -> list[str]:
    """The lines as reStructuredText."""
    result: list[str] = []
    in_item = False
    for line in lines:
        item = ITEM.match(line)
        if item:
            if not in_item:
                result.append("")
            names = ", ".join(f"**{_escaped(name)}**" for name in item["names"].split(", "))
            result.append(f"* {names}: {_with_code(item['text'])}")
            in_item = True
        elif in_item and line.startswith("Raises "):
            result += ["", _with_code(line)]
            in_item = False
        elif in_item and line:
            result.append(f"  {_with_code(line.strip())}")
        else:
            result.append(_with_code(line.strip()))
            in_item = False
    return result


def _with_code(text: str) -> str:
    parts = text.split("`")
    return "".join(f"``{part}``" if i % 2 and part else _escaped(part) for i, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_|])", r"\\\1", text)
