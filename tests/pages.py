"""Code blocks of the Markdown pages, and how each kind of them is executed.

    console     the `$` lines, one after the other in a folder of their own; below each stands what it prints,
                but for times such as 0:00:01, which may be any
    sh          the whole block at once, in such a folder; it must end well
    python      a script in such a folder; `# -> …` at the end of a line is what that line prints
    toml        read as a puzzle file
    text        shown, not executed: outputs, drawings, layouts

A block after the line `<!-- not executed: WHY -->` is only looked at: Python must at least compile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import rekkyo as rk
from tests.programs import in_shell, python_script

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(
    r"(?P<excuse><!-- not executed: [^\n]+ -->\n)?(?:<!--[^\n]*-->\n)*"
    r"^(?P<fence>`{3,})(?P<language>[^\n]*)\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
TIME = re.compile(r"\b\d+:\d\d:\d\d\b")


@dataclass(frozen=True, slots=True)
class Block:
    """place: page and line, such as `docs/trust.md:12`."""

    place: str
    language: str
    text: str
    is_excused: bool


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, fence.start('fence')) + 1}",
            fence["language"],
            fence["text"],
            fence["excuse"] is not None,
        )
        for fence in FENCE.finditer(text)
    ]


def execute(block: Block, folder: Path) -> None:
    """Fails unless the block does what it shows."""
    for name in ("examples", "results"):
        (folder / name).symlink_to(ROOT / name)
    match block.language:
        case "console":
            for command, output in console_examples(block.text):
                done = in_shell(command, folder)
                printed, shown = (TIME.sub("0:00:00", text.rstrip()) for text in (done.stdout, output))
                assert printed == shown, f"{command}\n{printed}\n{done.stderr}"
        case "sh":
            done = in_shell(f"set -e\n{block.text}", folder)
            assert done.returncode == 0, done.stderr
        case "python":
            script = folder / "example.py"
            script.write_text(block.text, encoding="utf-8")
            done = python_script(script, folder)
            assert done.stderr == ""
            assert done.stdout.splitlines() == re.findall(r"# -> (.*)$", block.text, re.MULTILINE)
        case "toml":
            file = folder / "puzzle.toml"
            file.write_text(block.text, encoding="utf-8")
            rk.puzzle_from_file(file, *(("4",) if "[family]" in block.text else ()))


def console_examples(text: str) -> list[tuple[str, str]]:
    """(command, the output shown below it) for every `$` line."""
    parts = (example.partition("\n") for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])
    return [(command, output) for command, _, output in parts]
