"""Which modules mypy must check a second time, as on Windows: python -m tests.on_windows prints their paths.

They are those that import a module of the standard library whose types depend on the platform, such as `os`. Of the
others mypy reads the signatures alone (`--follow-imports silent`): many are kernels, and to check all took 36 s instead
of 14. On Windows `just types` checks every module.
"""

from __future__ import annotations

import re
from pathlib import Path

import mypy

SOURCES = Path(__file__).parents[1] / "src"
STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
EVERYWHERE = {"builtins", "encodings"}
"""Modules of which few types depend on the platform, and those are not used here."""


def names_that_differ() -> set[str]:
    """The modules of the standard library whose types depend on the platform."""
    stubs = (path for path in STUBS.rglob("*.pyi") if "sys.platform" in path.read_text(encoding="utf-8"))
    return {path.relative_to(STUBS).parts[0].removesuffix(".pyi") for path in stubs} - EVERYWHERE


def modules_that_differ() -> list[Path]:
    """The sources that import such a module."""
    names = "|".join(map(re.escape, sorted(names_that_differ())))
    imports = re.compile(rf"^\s*(?:import|from) (?:{names})\b", re.MULTILINE)
    return [
        path for path in sorted(SOURCES.rglob("*.py")) if imports.search(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    print(*(path.relative_to(Path.cwd()).as_posix() for path in modules_that_differ()))
