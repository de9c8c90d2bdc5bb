"""`rekkyo growth`: a count of every size of a range."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rekkyo.ask.count import Count, count
from rekkyo.cli.main import rekkyo as commands
from rekkyo.cli.progress import Interrupted
from rekkyo.model.puzzle import Puzzle
from tests.cli.test_commands import rekkyo

KINGS = str(Path(__file__).parent.parent.parent / "examples" / "kings.toml")
FAMILY = """kind = "queens"
n = "{n}"
[family]
n = "1..8"
[published]
total = { 5 = 10, 6 = 5 }
source = "mine"
"""


def steps(*words: str, code: int = 0) -> list[dict[str, object]]:
    done = rekkyo("growth", *words, "--json", ok=False)
    assert done.returncode == code
    found: list[dict[str, object]] = json.loads(done.stdout)["steps"]
    return found


@pytest.mark.parametrize(
    ("words", "totals"),
    [
        (("queens", "4..8"), [2, 10, 4, 40, 92]),
        (("dominoes", "4", "1..4"), [1, 5, 11, 36]),
        ((KINGS, "1..4"), [1, 4, 1, 79]),
        ((KINGS, "--n", "1..4"), [1, 4, 1, 79]),
    ],
)
def test_counts(words: tuple[str, ...], totals: list[int]) -> None:
    assert [step["total"] for step in steps(*words)] == totals
    lines = rekkyo("growth", *words).stdout.splitlines()
    best = ["optimum"] if words[0] == KINGS else []
    assert lines[0].split() == ["n", "total", "unique", *best, "nodes", "seconds", "times", "engine"]
    assert [int(line.split()[1]) for line in lines[1:]] == totals
    if best:
        assert [int(line.split()[3]) for line in lines[1:]] == [1, 1, 4, 4]


@pytest.mark.parametrize("up_to", ["isotopy", "main-classes"])
def test_classes_of_latin_squares_from_order_1(up_to: str) -> None:
    """OEIS A040082 and A003090."""
    found = steps("latin-square", "1..4", "--up-to", up_to)
    assert [step["unique"] for step in found] == [1, 1, 1, 2]


def test_a_recurrence_that_all_counts_fit() -> None:
    """A000045 and A001224: dominoes on boards of two rows, in total and up to symmetry."""
    fibonacci = "a(n) = a(n-1) + a(n-2) (a conjecture: 4 terms determine it, 14 more fit it)"
    lines = rekkyo("growth", "dominoes", "2", "3..20").stdout.splitlines()[19:]
    assert lines[:3] == [
        f"total: {fibonacci}",
        "  generating function (3*x^3 + 2*x^4)/(1 - x - x^2)",
        "  expected next a(21) = 17711",
    ]
    unique = "a(n) = a(n-1) + 2*a(n-2) - a(n-3) - a(n-5) - a(n-6)"
    assert lines[3].startswith(f"unique: {unique} (")


def test_a_recurrence_in_json() -> None:
    found = json.loads(rekkyo("growth", "dominoes", "2", "1..8", "--up-to", "none", "--json").stdout)
    assert found["recurrences"] == {
        "total": {
            "coefficients": [1, 1],
            "begins": 3,
            "n_checked": 4,
            "generating_function": "(x + x^2)/(1 - x - x^2)",
        }
    }


def test_no_recurrence_of_counts_that_are_all_0() -> None:
    assert len(rekkyo("growth", "dominoes", "3", "1..1").stdout.splitlines()) == 2
    assert "a(n)" not in rekkyo("growth", "ramsey", "3", "3", "6..8").stdout


def test_what_a_count_takes() -> None:
    asked = ("--engine", "queens-cover", "--up-to", "rotations", "--workers", "1")
    (step,) = steps("queens", "6..6", *asked)
    told = [step[key] for key in ("engine", "up_to", "unique", "workers")]
    assert told == ["queens-cover", "rotations", 2, 1]


def test_it_ends_after_a_long_count() -> None:
    assert [step["n"] for step in steps("queens", "4..30", "--seconds", "1e-9")] == [4]


def test_an_interruption_names_the_size_that_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first count it said: before the search began."""

    def interrupted(puzzle: Puzzle, **asked: Any) -> Count:
        if puzzle.name == "queens 5":
            raise KeyboardInterrupt
        return count(puzzle, **asked)

    monkeypatch.setattr("rekkyo.ask.count.count", interrupted)
    with pytest.raises(Interrupted) as seen:
        commands.main(["growth", "queens", "4..6"], standalone_mode=False)
    assert seen.value.format_message() == "interrupted before the search of queens 5 began"


def test_a_count_that_differs_from_the_published_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(FAMILY)
    difference = "total 4 DIFFERS FROM the published 5 (mine)"
    assert [step["difference"] for step in steps(str(file), "5..7", code=1)] == [None, difference, None]
    done = rekkyo("growth", str(file), "5..7", ok=False)
    assert (done.returncode, done.stderr) == (1, f"{file} 6: {difference}\n")
    assert len(done.stdout.splitlines()) == 4


def test_without_symmetry_a_note_says_why() -> None:
    done = rekkyo("growth", "schur", "3", "13..13")
    assert done.stdout.split()[:6] == ["n", "total", "unique", "nodes", "seconds", "times"]
    assert "no symmetry" in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("queens", "8"), "one range of sizes is needed, such as queens 1..14"),
        (("queens", "4..2"), 'sizes are a range of whole numbers such as 1..14, not "4..2"'),
        (("queens", "1..5000"), "at most 1000 sizes are counted, not 1..5000"),
        (("queens", "4..5", "--seconds", "0"), "--seconds must be a number above 0, not 0.0"),
        (("queens", "4..5", "--seconds", "nan"), "--seconds must be a number above 0, not nan"),
        (("queens", "4..5", "--workers", "0"), "the number of workers must be 1 to 1024, not 0"),
        (("quens", "4..5"), 'unknown puzzle "quens"'),
        (
            ("tests", "4..5"),
            "tests holds no run: there is no manifest.json; the name of a puzzle file ends in",
        ),
        (("README.md", "4..5"), "README.md is not a puzzle file"),
    ],
)
def test_complaints(words: tuple[str, ...], complaint: str) -> None:
    done = rekkyo("growth", *words, ok=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"rekkyo: {complaint}")
    assert done.stderr.count("\n") == 1
