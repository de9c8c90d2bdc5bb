"""Clauses of other notations: what the message says to write instead is read."""

from __future__ import annotations

import re

import pytest

from rekkyo.export.puzzle_toml.grid.clues import OF_VIEWS
from rekkyo.export.puzzle_toml.grid.reader import INSTEAD
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import (
    THREE,
    text_of,
)

PEARLS = "[[strokes]]\nconnected = true\npearls = '''\n*..\n...\n...'''"


@pytest.mark.parametrize("fix", INSTEAD.values(), ids=INSTEAD)
def test_what_is_to_be_written_instead_of_a_clause_is_read(fix: str) -> None:
    """Some clauses need another key, too: cells of a cage, clues at an edge, or a pattern."""
    for way in re.split(r", or (?=\[\[)", fix.partition(";")[0]):
        found = re.search(r"\[\[(\w+)\]\]", way)
        assert found
        keys = dict(re.findall(r'(\w+) = ("[^"]*")', way))
        if found[1] == "cage":
            keys |= {"regions": r'"AAA\n...\n..."'} if "A" in keys else {"cells": '"0,0 0,1"'} | keys
        elif found[1] == "different" and not keys:
            keys["pattern"] = '"##"'
        elif found[1] == "lines":
            clue = keys["clue"].strip('"')
            keys["left" if clue in OF_VIEWS else "rows"] = '"?, ?, ?"'
            keys |= {"value": "1"} if clue in ("runs", "count", "between") else {}
        elif found[1] == "strokes":
            assert re.findall(r'"(\w+)"', way) == ["pearls"]
            read_toml(text_of(THREE, '"\u2500\u2502\u250c\u2510\u2514\u2518-"', PEARLS), "mine.toml")
            continue
        elif found[1] == "count":
            assert re.findall(r'"(\w+)"', way) == ["runs"]
            keys |= {"value": "1", "runs": "'''\n. . .\n. 1,2 .\n. . .'''"}
        lines = "\n".join(f"{key} = {value}" for key, value in keys.items())
        read_toml(text_of(THREE, '"1..9"', f"[[{found[1]}]]\n{lines}"), "mine.toml")
