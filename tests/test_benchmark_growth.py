"""Picture, table and sentences of the growth are what was saved, counts agree, and every family is there."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import rekkyo as rk
from rekkyo.catalog.index import ENTRIES
from rekkyo.model.puzzle import Published
from tests.benchmark_modules import benchmark_module
from tests.pages import ROOT

RESULTS = ROOT / "benchmarks" / "results"
SERIES = benchmark_module("growth/series.py").SERIES
REPORT = benchmark_module("growth/report.py")
PICTURE = benchmark_module("growth/picture.py")


@cache
def name_and_published(words: str) -> tuple[str, Published | None]:
    puzzle = rk.puzzle(words)
    return puzzle.name, puzzle.published


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return dict(json.loads((RESULTS / "growth.json").read_text(encoding="utf-8")))


def family_of(result: dict[str, Any], name: str) -> dict[str, Any]:
    return next(family for family in result["families"] if family["family"] == name)


def test_every_family_of_the_catalog_has_a_series_and_was_counted(result: dict[str, Any]) -> None:
    names = [entry.name for entry in ENTRIES]
    assert [series.family for series in SERIES] == names
    assert [family["family"] for family in result["families"]] == names
    for family in result["families"]:
        assert family["steps"], family["family"]
        assert family["ended"] != "failed", family["family"]


@pytest.mark.second
def test_all_puzzles_of_the_series_are_in_the_catalog() -> None:
    for series in SERIES:
        assert len({at for _, at, _ in series.steps}) == len(series.steps)
        for _, _, words in series.steps:
            assert name_and_published(words)[0].split(maxsplit=1)[0] in (series.family, "tetrasticks")


@pytest.mark.second
def test_everybody_counted_the_same_and_what_was_published(result: dict[str, Any]) -> None:
    assert REPORT.disagreements(result) == []
    n_published = sum(step["published"] is True for _, step in REPORT.every_step(result))
    assert n_published >= 40
    for family, step in REPORT.every_step(result):
        _, published = name_and_published(step["words"])
        assert (published is None) == (step["published"] is None)
        if published is not None and published.total is not None:
            assert int(step["one"]["total"]) == published.total, (family["family"], step["label"])


@pytest.mark.parametrize("key", ["total", "unique", "nodes"])
def test_a_difference_between_one_worker_and_two_is_told(result: dict[str, Any], key: str) -> None:
    changed = copy.deepcopy(result)
    family_of(changed, "soma")["steps"][0]["two"][key] = 1
    (line,) = REPORT.disagreements(changed)
    assert line.startswith("soma soma: TWO WORKERS COUNT [")


def test_nodes_may_differ_where_no_orbits_are_counted(result: dict[str, Any]) -> None:
    changed = copy.deepcopy(result)
    step = family_of(changed, "sum-free")["steps"][0]
    step["one"]["unique"] = step["two"]["unique"] = None
    step["two"]["nodes"] += 1
    assert REPORT.disagreements(changed) == []
    step["two"]["total"] = "1"
    assert len(REPORT.disagreements(changed)) == 1


def test_a_count_that_is_not_the_published_one_is_told(result: dict[str, Any]) -> None:
    changed = copy.deepcopy(result)
    family_of(changed, "soma")["steps"][0]["published"] = False
    assert REPORT.disagreements(changed) == ["soma soma: 11520 IS NOT THE PUBLISHED COUNT"]


def test_the_slope_is_the_factor_of_one_step() -> None:
    def step(at: int, cpu_s: float, engine: str = "one") -> dict[str, Any]:
        return {"at": at, "engine": engine, "one": {"cpu_s": cpu_s, "nodes": 10**at}}

    family = {"grows": True, "steps": [step(2, 7.0, "other"), step(4, 0.01), step(6, 0.04), step(8, 0.16)]}
    assert REPORT.slope(family, "cpu_s") == pytest.approx(2)
    assert REPORT.slope(family, "nodes") == pytest.approx(10)
    assert REPORT.slope(family | {"grows": False}, "nodes") is None
    assert REPORT.slope(family | {"steps": family["steps"][:3]}, "nodes") is None


def test_the_picture_is_made_of_the_saved_numbers(result: dict[str, Any]) -> None:
    drawn = (RESULTS / "growth.svg").read_text(encoding="utf-8")
    assert drawn == PICTURE.drawing(result)
    texts = {element.text for element in ET.fromstring(drawn).iter() if element.tag.endswith("text")}
    for family in result["families"]:
        steps = family["steps"]
        assert (family["family"] if len(steps) > 1 else steps[0]["words"]) in texts
    assert "prefers-color-scheme:dark" in drawn


def test_a_slower_count_is_drawn_higher(result: dict[str, Any]) -> None:
    changed = copy.deepcopy(result)
    family_of(changed, "queens")["steps"][-1]["one"]["wall_s"] *= 2
    before, after = (PICTURE.drawing(one).split(">queens<")[1].split("</g>")[0] for one in (result, changed))
    assert before != after


def test_the_page_says_what_was_saved(result: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "growth.md").read_text(encoding="utf-8")
    for name, text in (("table", REPORT.table(result)), ("sentences", REPORT.sentences(result))):
        assert f"<!-- {name} of benchmarks/growth -->\n{text}<!-- end of {name} -->" in page


def test_one_family_is_counted_in_a_process_of_its_own() -> None:
    script = ROOT / "benchmarks" / "growth" / "one.py"
    command = [sys.executable, script, "magic-hexagon", "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["one"]["total"] for step in steps] == ["1", "0", "12"], done.stderr
    assert [step["two"]["nodes"] for step in steps] == [step["one"]["nodes"] for step in steps]
    assert steps[-1]["published"] is True
    measured = [step[workers] for step in steps for workers in ("one", "two")]
    # On a busy machine the clock of CPU time may not have moved: it ticks in steps of 4 ms.
    assert all(each["wall_s"] > 0 <= each["cpu_s"] for each in measured)


def test_a_family_ends_above_the_limit_or_where_a_count_lasts_too_long() -> None:
    script = ROOT / "benchmarks" / "growth" / "one.py"
    done = subprocess.run(
        [sys.executable, script, "aztec-diamond", "0.002"], capture_output=True, text=True, timeout=100
    )
    *steps, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["label"] for step in steps] == [str(n + 1) for n in range(len(steps))]
    assert len(steps) < 6
    assert "over 0.012 s" in last.get("given_up", "") or last["one"]["wall_s"] > 0.002
