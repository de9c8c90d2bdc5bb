"""What an earlier commit is compared by. Nothing is measured."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.benchmark_modules import benchmark_module
from tests.pages import ROOT

SINCE = benchmark_module("since/__main__.py")


class Played:
    """A version that gives prepared answers, the last one again and again."""

    def __init__(self, *seconds: float, total: str = "92") -> None:
        self.answers = [{"total": total, "engine": "one", "nodes": 8, "s": each} for each in seconds]

    def answer(self, _name: str, _kind: str, _most_s: float) -> dict[str, Any]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def compared(before: Played, now: Played) -> Any:
    return SINCE.compare((before, now), "queens 8", "total", 0.002, 3.0)


def test_the_least_times_are_compared() -> None:
    found = compared(Played(0.5, 0.2, 0.3), Played(0.6, 0.9, 0.4))
    assert found.ratio == pytest.approx(2.0)
    assert found.line() == " 2.00  queens 8, total: 0.2 s one 8 -> 0.4 s one 8"
    assert SINCE.summary([found], 1.15) == "1 questions: median ratio 2.00, 1 above 1.15. All totals agree."


def test_another_total_is_seen() -> None:
    found = compared(Played(0.1), Played(0.1, total="93"))
    assert found.differs
    assert SINCE.summary([found], 1.15).endswith("0 above 1.15; 1 totals differ.")


def test_what_is_short_or_long_or_failed_is_left_out() -> None:
    assert compared(Played(0.001), Played(0.0019)) is None
    assert compared(Played(0.001), Played(0.0021)) is not None
    assert compared(Played(3.1), Played(1.0)) is None
    failed = Played(0.1)
    failed.answers = [{"failed": "refused"}]
    assert compared(failed, Played(0.1)) is None
    assert SINCE.summary([], 1.15) == "Nothing was compared."


@pytest.mark.second
def test_a_version_answers() -> None:
    script = str(ROOT / "benchmarks" / "since" / "answers.py")
    asked = "\n".join(f"0 {kind} 60" for kind in SINCE.KINDS)
    done = subprocess.run([sys.executable, script], input=asked, capture_output=True, text=True, check=True)
    names, *answers = map(json.loads, done.stdout.splitlines())
    assert names[0] == "queens 10"
    assert [answer["total"] for answer in answers] == ["724"] * 3
    asked = f"{names.index('dominoes 12 12')} digest 0.01"
    done = subprocess.run([sys.executable, script], input=asked, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[1]) == {"failed": "it takes too long"}
