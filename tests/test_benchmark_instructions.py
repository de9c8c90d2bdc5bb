"""The comparison of instruction counts with the baseline, and what the saved baseline holds. Nothing is measured."""

from __future__ import annotations

import copy
import json
import os
import platform
import subprocess
import sys
from typing import Any

import pytest

from rekkyo.engines.registry import all_engines
from tests.benchmark_modules import benchmark_module
from tests.pages import ROOT

COMPARE = benchmark_module("instructions/compare.py")
CASES = benchmark_module("instructions/cases.py")

MADE_UP = {
    "made_with": {"processor": "plain", "numba": "1.0"},
    "cases": {
        "fast search: queens 8": {"solutions": 92, "nodes": 1000, "instructions": 1_000_000},
        "slow search: soma": {"solutions": 11520, "nodes": 500, "instructions": 5_000_000},
    },
}


def changed(case: str = "fast search: queens 8", **numbers: int) -> dict[str, Any]:
    found = copy.deepcopy(MADE_UP)
    found["cases"][case].update(numbers)  # type: ignore[call-overload]
    return found


def verdict(found: dict[str, Any], *, most: float = 2.0, is_part: bool = False) -> Any:
    return COMPARE.compared(MADE_UP, found, most, is_part=is_part)


def test_the_same_numbers_say_nothing() -> None:
    assert verdict(copy.deepcopy(MADE_UP)) == COMPARE.Verdict((), ())


@pytest.mark.parametrize(
    ("instructions", "fails"), [(1_020_000, False), (1_020_001, True), (2_000_000, True)]
)
def test_more_than_two_percent_more_is_wrong(instructions: int, fails: bool) -> None:
    found = verdict(changed(instructions=instructions))
    assert bool(found.wrong) is fails
    if fails:
        assert found.wrong[0].startswith("fast search: queens 8: +")


def test_the_bound_can_be_moved() -> None:
    found = changed(instructions=1_040_000)
    assert verdict(found, most=5.0).wrong == ()
    assert verdict(found, most=3.0).wrong == ("fast search: queens 8: +4.0 % instructions, more than 3 %",)


def test_fewer_instructions_are_told_and_right() -> None:
    found = verdict(changed(instructions=500_000))
    assert found.wrong == ()
    assert found.told == (
        "fast search: queens 8: -50.0 % instructions; save the better baseline with --save",
    )


def test_other_solutions_are_wrong_and_other_nodes_are_told() -> None:
    found = verdict(changed("slow search: soma", solutions=11519, nodes=501))
    assert found.wrong == ("slow search: soma: 11,519 solutions instead of 11,520",)
    assert found.told == ("slow search: soma: 501 nodes instead of 500",)


def test_a_case_without_a_baseline_is_wrong() -> None:
    found = copy.deepcopy(MADE_UP)
    found["cases"]["new search: hip 5"] = {"solutions": 0, "nodes": 1, "instructions": 1}  # type: ignore[index]
    assert verdict(found).wrong == ("new search: hip 5: not in the baseline; save one with --save",)


def test_a_case_that_was_not_measured_is_wrong_unless_only_some_were_asked_for() -> None:
    found = copy.deepcopy(MADE_UP)
    del found["cases"]["slow search: soma"]  # type: ignore[attr-defined]
    assert verdict(found).wrong == ("slow search: soma: in the baseline, but not measured",)
    assert verdict(found, is_part=True).wrong == ()


def test_another_version_is_told() -> None:
    found = copy.deepcopy(MADE_UP) | {"made_with": {"processor": "plain", "numba": "2.0"}}
    assert verdict(found) == COMPARE.Verdict((), ("the baseline was made with numba 1.0, this with 2.0",))


def test_totals_are_read_from_a_dump_of_callgrind() -> None:
    dump = (
        "version: 1\ndesc: Trigger: Client Request: fast search: queens 8\nevents: Ir\n+1 2\ntotals: 1234\n"
    )
    assert COMPARE.totals(dump) == ("fast search: queens 8", 1234)
    for broken in ("", dump.replace("1234", "0"), dump.replace("Client Request", "Program termination")):
        with pytest.raises(ValueError, match="no dump of callgrind"):
            COMPARE.totals(broken)


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    text = (ROOT / "benchmarks" / "results" / "instructions.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_every_engine_has_a_case() -> None:
    assert {case.engine for case in CASES.CASES} == {engine.name for engine in all_engines()}
    assert {case.what for case in CASES.CASES} == set(CASES.WHATS)


def test_the_baseline_holds_every_case(saved: dict[str, Any]) -> None:
    assert list(saved["cases"]) == [case.name for case in CASES.CASES]
    assert {"processor", "python", "numba", "llvmlite", "valgrind"} <= set(saved["made_with"])


def test_whole_searches_of_the_baseline_found_what_was_published(saved: dict[str, Any]) -> None:
    held = 0
    for case in CASES.CASES:
        published = case.puzzle.published
        if published is None or case.shards != (1, 0, None):
            continue
        found = saved["cases"][case.name]["solutions"]
        if case.what in ("search", "digest") and published.total is not None:
            assert found == published.total, case.name
            held += 1
        elif case.what == "representatives" and None not in (published.total, published.unique):
            # A search by a pivot may meet several solutions of an orbit.
            most = published.total if case.engine == "cover-bitset" else published.unique
            assert published.unique <= found <= most, case.name
            held += 1
    assert held >= 10


def test_the_table_in_the_readme_is_the_baseline(saved: dict[str, Any]) -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert COMPARE.table(saved) in page


@pytest.mark.parametrize("case", ["queens-bitmap orbits: queens 12", "cover-diagram plan: dominoes 6 8"])
def test_a_case_can_be_carried_out_again_and_again(case: str, saved: dict[str, Any]) -> None:
    work = CASES.made_ready(next(one for one in CASES.CASES if one.name == case))
    first, second = work(), work()
    assert first == second
    assert [first.total, first.nodes] == [saved["cases"][case][key] for key in ("solutions", "nodes")]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="callgrind is asked in machine code of x86-64")
def test_what_runs_under_callgrind_runs_without_it() -> None:
    case = "sum-lines representatives: magic-square 4"
    script = ROOT / "benchmarks" / "instructions" / "counted.py"
    done = subprocess.run([sys.executable, script, case], capture_output=True, text=True, timeout=100)
    assert json.loads(done.stdout) == {"name": case, "solutions": 880, "nodes": 32949}, done.stderr


def test_without_valgrind_one_line_says_so() -> None:
    command = [sys.executable, ROOT / "benchmarks" / "instructions"]
    done = subprocess.run(command, env=os.environ | {"PATH": ""}, capture_output=True, text=True, timeout=100)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "valgrind is missing" in done.stderr or "x86-64" in done.stderr


def test_a_case_that_nobody_knows_is_refused() -> None:
    command = [sys.executable, ROOT / "benchmarks" / "instructions", "--only", "no-such-engine"]
    done = subprocess.run(command, env=os.environ | {"PATH": ""}, capture_output=True, text=True, timeout=100)
    assert done.returncode == 2
    assert done.stderr == "no case has no-such-engine in its name\n"
