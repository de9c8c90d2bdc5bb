"""Words that are not used here: `python -m tests.plain_words` names the file and line of each use.

CONTRIBUTING.md lists the words, in the lines `words: use instead` of its section "Words". They are looked for in
all text that git tracks, in every form that the list gives; a name such as `carry_on` is one word, so it is not
found by its parts. Words that a line break divides are found too.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = ROOT / "CONTRIBUTING.md"
LOOKED_AT = ("src", "tests", "docs", "benchmarks", "examples", "hatch_build.py", "*.md")
"""For git: a folder, a file, or files of the uppermost folder."""

ENDINGS = (".py", ".pyi", ".md", ".toml", ".js", ".ts", ".html", ".ipynb")
BUILT = "/built/"
EXCEPT = (
    "CONTRIBUTING.md",
    "tests/plain_words.py",
    "tests/test_plain_words.py",
    "src/rekkyo/runs/check_count.py",
)
"""The list and its check; and a file of which published certificates have a copy that is compared."""

GAP = r"(?:\s|#|\*)+"
"""Between the words of a phrase: spaces, or a line break with the mark of a comment."""


def unused_words(text: str) -> dict[str, str]:
    """Each word or phrase of the list, with what to say instead."""
    section = text.partition("## Words")[2].partition("\n## ")[0]
    lines = re.findall(r"(?m)^- (`.+`): (.+)$", section)
    return {word: instead for words, instead in lines for word in re.findall("`(.+?)`", words)}


def uses(text: str, words: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The line, from 1, of every use of one of the words, and the word."""
    folded = text.casefold()  # looking for its parts first takes a tenth of the time
    for word in words:
        if not all(part.casefold() in folded for part in word.split()):
            continue
        for found in re.finditer(rf"\b{GAP.join(map(re.escape, word.split()))}\b", text, re.IGNORECASE):
            yield text.count("\n", 0, found.start()) + 1, word


def main() -> int:
    """Print the uses; the exit code says whether there is one."""
    listing = LIST.read_text(encoding="utf-8")
    words, n_uses = unused_words(listing), 0
    files = subprocess.check_output(["git", "ls-files", *LOOKED_AT], cwd=ROOT, encoding="utf-8").splitlines()
    for name in files:
        if not name.endswith(ENDINGS) or BUILT in name or name in EXCEPT:
            continue
        for line, word in sorted(uses((ROOT / name).read_text(encoding="utf-8"), words)):
            n_uses += 1
            print(f'{name}:{line}: "{word}"; {words[word]}')
    return min(n_uses, 1)


if __name__ == "__main__":
    sys.exit(main())
