"""The picture in the README and the tables of the benchmarks are what the saved measurements say."""

from __future__ import annotations

import json
import runpy
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.pages import ROOT

RESULTS = ROOT / "benchmarks" / "results"
REPORT = runpy.run_path(str(ROOT / "benchmarks" / "side_by_side" / "report.py"))
PUBLISHED = {"queens 8": 92, "queens 10": 724, "soma": 11520, "pentominoes 3 20": 8, "magic-square 4": 7040}
"""OEIS A000170; Conway and Guy; Haselgrove and Haselgrove; Frenicle de Bessy, eight times 880."""


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    saved: dict[str, Any] = json.loads((RESULTS / "side_by_side.json").read_text(encoding="utf-8"))
    return saved


def test_everybody_counted_the_same(result: dict[str, Any]) -> None:
    assert len(result["rows"]) >= 10
    assert REPORT["disagreements"](result) == []
    found = {row["puzzle"]: int(next(iter(REPORT["counts"](row)))) for row in result["rows"]}
    assert {puzzle: found[puzzle] for puzzle in PUBLISHED} == PUBLISHED


def test_a_different_count_is_told(result: dict[str, Any]) -> None:
    row = {"puzzle": "queens 8", "answers": {"one": {"count": "92"}, "other": {"count": "91"}}}
    told = REPORT["disagreements"]({**result, "rows": [row]})
    assert told == ["queens 8: DIFFERENT COUNTS ['91', '92']"]


def test_the_picture_is_made_of_the_saved_numbers(result: dict[str, Any]) -> None:
    drawn = (RESULTS / "side_by_side.svg").read_text(encoding="utf-8")
    assert drawn == REPORT["drawing"](result)
    ET.fromstring(drawn)
    assert "prefers-color-scheme:dark" in drawn


def test_the_tables_in_the_readme_are_the_saved_ones(result: dict[str, Any]) -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert REPORT["tables"](result) in page


def test_a_peer_measured_later_is_compared_with_our_time_beside_it(result: dict[str, Any]) -> None:
    answers = {
        "rekkyo list": {"cpu_s": 1.0},
        "one": {"cpu_s": 8.0},
        "later": {"cpu_s": 8.0, "against_s": 2.0},
    }
    found = REPORT["ratios"]({"by": "rekkyo list", "answers": answers}, ["rekkyo list"])
    assert found == {"later": 4.0, "one": 8.0}


def test_a_peer_that_is_not_installed_is_named_below_the_tables(result: dict[str, Any]) -> None:
    assert result["left_out"] == {}
    name, needs = "MiniZinc + Gecode", "what pip cannot install"
    rows = [
        {**row, "answers": {who: told for who, told in row["answers"].items() if who != name}}
        for row in result["rows"]
    ]
    without = REPORT["tables"]({**result, "rows": rows, "left_out": {name: needs}})
    assert without.endswith(f"{name} is left out: it needs {needs}.\n")
    assert without.count(name) == 1
