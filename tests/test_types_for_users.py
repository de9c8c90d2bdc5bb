"""What a user's own `mypy --strict` sees of the package: types of all results, and refusals of wrong use."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo import errors

pytestmark = pytest.mark.second

PROGRAMS = Path(__file__).parent / "data" / "typed"
CACHE = Path(__file__).parent.parent / ".mypy_cache" / "users"
MESSAGE = re.compile(r"misuses\.py:(\d+): error: .*\[([a-z-]+)\]")
REFUSED = re.compile(r"# refused: ([a-z -]+)$")


def mypy(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """As a user calls it: elsewhere, with no settings, on an installed rekkyo."""
    options = ["--strict", "--config-file=", "--no-pretty", "--no-error-summary", "--cache-dir", str(CACHE)]
    command = [sys.executable, "-m", "mypy", *options, str(PROGRAMS / program)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_every_result_has_the_type_that_is_said(tmp_path: Path) -> None:
    done = mypy("uses.py", tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_same_program_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(PROGRAMS / "uses.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_program_uses_the_public_names() -> None:
    text = (PROGRAMS / "uses.py").read_text(encoding="utf-8")
    used = set(re.findall(r"\brk\.(\w+)", text))
    diagrams = {"Diagram", "diagram", "load_diagram", "save_diagram"}
    others = {"from_cpmpy", "Packing", "Piece", "Queens", "export_puzzle", "__version__", *vars(errors)}
    assert set(rk.__all__) - used <= diagrams | others


def test_wrong_use_is_refused_where_it_stands(tmp_path: Path) -> None:
    text = (PROGRAMS / "misuses.py").read_text(encoding="utf-8")
    expected = {
        (number, code)
        for number, line in enumerate(text.splitlines(), start=1)
        for codes in REFUSED.findall(line)
        for code in codes.split()
    }
    done = mypy("misuses.py", tmp_path)
    assert {(int(number), code) for number, code in MESSAGE.findall(done.stdout)} == expected, done.stdout
    assert len({number for number, _ in expected}) == len(
        re.findall(r"^(rk\.|print|.* = rk\.)", text, re.MULTILINE)
    )
