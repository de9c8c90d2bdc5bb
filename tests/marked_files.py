"""Which files can have a test with a marker, from their text: `pytest -m MARKER` need not import the others."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

IMPORT = re.compile(r"^from (tests[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def wanted_marker(expression: str) -> str | None:
    """The marker that every selected test has; None if that cannot be said of this value of `-m`."""
    found = re.fullmatch(r"(\w+)(?: and [^()]*)?", expression)
    return found[1] if found and found[1] != "not" and " or " not in expression else None


@cache
def markers_in(path: Path) -> frozenset[str]:
    """The markers that a file names, or a module of the tests from which it may inherit tests."""
    waiting, texts = [path], dict[Path, str]()
    while waiting:
        at = waiting.pop()
        if at not in texts:
            texts[at] = at.read_text(encoding="utf-8")
            for module, names in IMPORT.findall(texts[at]):
                place = ROOT.joinpath(*module.split("."))
                files = (place, *(place / name for name in re.findall(r"\w+", names)))
                waiting += [file.with_suffix(".py") for file in files if file.with_suffix(".py").is_file()]
    return frozenset(re.findall(r"\bmark\.(\w+)", "".join(texts.values())))
