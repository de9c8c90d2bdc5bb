"""What would go wrong on Windows alone, seen here: line ends in text files."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parent.parent / "src" / "rekkyo").rglob("*.py"))


def text_written_without_newline(source: str) -> list[int]:
    """Lines that write a text file and leave to the system what ends a line."""
    if not re.search(r"\b(open|write_text)\b", source):
        return []  # reading a source into a tree takes ten times as long as searching its text
    found = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, (ast.Attribute, ast.Name)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
            modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
            opens = name == "open" and any(
                isinstance(mode, str) and set(mode) <= set("rwax+t") and set(mode) & set("wax+")
                for mode in modes
            )
            if (opens or name == "write_text") and not any(word.arg == "newline" for word in call.keywords):
                found.append(call.lineno)
    return found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('path.write_text("a")', [1]),
        ('\npath.open("w", encoding="utf-8")', [2]),
        ('open("file", "r+")', [1]),
        ('path.open("wb"); path.open(); path.open("r"); path.write_text("a", newline="")', []),
    ],
)
def test_the_search_finds_what_it_is_for(source: str, lines: list[int]) -> None:
    assert text_written_without_newline(source) == lines


def test_text_files_end_their_lines_the_same_way_everywhere() -> None:
    found = {
        str(path): lines
        for path in SOURCES
        if (lines := text_written_without_newline(path.read_text(encoding="utf-8")))
    }
    assert found == {}
