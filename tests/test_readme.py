"""The README is executed: what it shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def console_examples() -> list[tuple[str, str]]:
    """(command, the output shown below it) for every `$` line of a console block."""
    examples = []
    for language, text in BLOCKS:
        if language == "console":
            for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                examples.append((command, output))
    return examples


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_commands_print_what_is_shown(command: str, output: str, tmp_path: Path) -> None:
    runnable = re.sub(r"\brekkyo\b", f"{sys.executable} -m rekkyo", command, count=command.count("rekkyo "))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(runnable, shell=True, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.stdout.rstrip() == output.rstrip(), done.stderr


@pytest.mark.parametrize("code", [text for language, text in BLOCKS if language == "python"])
def test_python_examples_run_and_print_what_their_comments_say(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.stderr == ""
    expected = [line.split("# ->")[1].strip() for line in code.splitlines() if "# ->" in line]
    assert done.stdout.splitlines() == expected


def test_there_are_examples_of_both_kinds() -> None:
    assert len(console_examples()) >= 3
    assert any(language == "python" for language, _ in BLOCKS)
