"""`rekkyo sample`, `rekkyo stats`, `rekkyo solve --kth`, and counts that are too large to list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.export.xcc import write_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from tests.naive_cover import side_by_side
from tests.programs import rekkyo


def test_count_says_that_it_does_not_list() -> None:
    done = rekkyo("count", "dominoes", "16", "16")
    assert (
        done.stdout
        == "total 2444888770250892795802079170816, unique 305611096281378760240051639364 up to rotation and reflection\n"
    )
    assert "cover-frontier" in done.stderr
    assert "counted by merging equal states, without listing" in done.stderr


def test_count_of_a_model_in_parts_says_how(tmp_path: Path) -> None:
    """Two sudokus have 12,650 solutions each. All pairs are counted, and pairs up to the exchange of the two."""
    clues = ".9......14......2..7....5....74..2......8......9..6....6...41......71354..49..67."
    sudoku = lower(rk.puzzle(f"sudoku {clues}").model)
    assert isinstance(sudoku, ExactCover)
    (tmp_path / "two.xcc").write_text(write_xcc(side_by_side(sudoku, 2)))
    done = rekkyo("count", str(tmp_path / "two.xcc"))
    assert done.stdout == f"total {12650**2}, unique {12650 * 12651 // 2}\n"
    assert "counted by caching the counts of equal parts, without listing" in done.stderr


def test_sample_prints_solutions() -> None:
    done = rekkyo("sample", "queens", "8", "--number", "10", "--seed", "1")
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    assert all(sorted(line.split()) == list("01234567") for line in lines)
    assert "10 samples of 92 solutions, from a diagram" in done.stderr
    assert rekkyo("sample", "queens", "8", "--number", "10", "--seed", "1").stdout == done.stdout
    facts = json.loads(rekkyo("sample", "queens", "8", "--number", "10", "--seed", "1", "--json").stdout)
    assert [" ".join(map(str, row)) for row in facts["rows"]] == lines


def test_a_stored_run_is_sampled(tmp_path: Path) -> None:
    folder = str(tmp_path / "q6")
    rekkyo("run", "queens", "6", "--out", folder)
    done = rekkyo("sample", folder, "--number", "3", "--format", "compact")
    assert len(done.stdout.split()) == 3
    assert set(done.stdout.split()) <= {"246135", "362514", "415263", "531642"}
    assert "3 samples of 4 solutions, from the rows of the run" in done.stderr
    for option, value in (("--engine", "queens-bitmap"), ("--workers", "1")):
        done = rekkyo("sample", folder, option, value)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert f"leave out {option}, which is for a search" in done.stderr


def test_a_run_up_to_a_symmetry_says_that_its_rows_are_of_orbits(tmp_path: Path) -> None:
    """Its two rows are not all solutions; there are four."""
    folder = str(tmp_path / "q6")
    rekkyo("run", "queens", "6", "--out", folder, "--up-to", "rotations")
    rows = "of 2 solutions, from the rows of the run, one for each orbit up to rotations, in "
    assert f"queens 6: 3 samples {rows}" in rekkyo("sample", folder, "--number", "3").stderr
    assert f"queens 6: shares in percent {rows}" in rekkyo("stats", folder).stderr


def test_kth_is_the_line_of_the_listing() -> None:
    lines = rekkyo("solve", "dominoes", "4", "6").stdout.splitlines()
    assert rekkyo("solve", "dominoes", "4", "6", "--kth", "100").stdout == lines[100] + "\n"
    assert len(rekkyo("solve", "dominoes", "8", "8", "--kth", "1000000").stdout.split()) == 32


GOLOMB = str(Path(__file__).parents[2] / "examples" / "golomb-ruler.toml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", "dominoes", "4", "4", "--kth", "36"), "there is no solution number 36"),
        (("solve", "dominoes", "4", "4", "--kth", "1", "--limit", "3"), "leave out the other options"),
        # A diagram of this one would take minutes.
        (("solve", "queens", "16", "--kth", "-1"), "solutions are numbered from 0, not -1"),
        (("solve", "queens", "16", "--kth", "1", "--workers", "2"), "leave out the other options"),
        (("sample", "queens", "3"), "there is no solution to sample"),
        (("sample", "queens", "4", "--number", "-2"), "a whole number from 0"),
    ],
)
def test_refusals_are_one_line(words: tuple[str, ...], message: str) -> None:
    done = rekkyo(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_diagrams_of_the_best_solutions() -> None:
    listed = rekkyo("solve", GOLOMB).stdout.splitlines()
    one_by_one = [rekkyo("solve", GOLOMB, "--kth", str(k)).stdout.strip() for k in range(len(listed))]
    assert sorted(one_by_one) == sorted(listed)
    shown = rekkyo("stats", GOLOMB)
    assert (shown.returncode, f"of {len(listed)} solutions" in shown.stderr) == (0, True)


def test_stats_draw_shares() -> None:
    done = rekkyo("stats", "queens", "4")
    assert done.stdout.splitlines()[:2] == ["queen", "  0.0  50.0  50.0   0.0     @@@@"]
    facts = json.loads(rekkyo("stats", "dominoes", "2", "2", "--json").stdout)
    assert facts["total"] == 2
    assert [heat["counts"] for heat in facts["heats"]] == [dict.fromkeys(["0,0", "0,1", "1,0", "1,1"], 1)] * 2
    facts = json.loads(rekkyo("stats", "langford", "3", "--json").stdout)
    assert [heat["name"] for heat in facts["heats"]] == ["1", "2", "3"]
    magic = json.loads(rekkyo("stats", "magic-square", "3", "--json").stdout)  # no corner is 1
    assert [heat["name"] for heat in magic["heats"]] == list("123456789")
    assert "asked" not in facts
    places = [heat["counts"].values() for heat in facts["heats"]]
    assert list(map(sum, zip(*places, strict=True))) == [2] * 6  # one pairing, read both ways
    lines = rekkyo("stats", "langford", "3").stdout.splitlines()
    assert lines[:3] == ["1", "place 1    0.00 %  0", "place 2   50.00 %  1"]


@pytest.mark.parametrize(
    ("name", "text", "total"),
    [
        ("empty.xcc", "0:1|a | s\n", 1),
        ("empty.toml", 'kind = "graph"\nedges = "a"\nfind = "matchings"', 1),
        ("none.toml", 'kind = "words"\nboard = "#"\nwords = "AB"', 0),
    ],
)
def test_puzzles_without_anything_to_choose(tmp_path: Path, name: str, text: str, total: int) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert json.loads(rekkyo("stats", file, "--json", ok=True).stdout)["total"] == total
    assert rekkyo("stats", file, ok=True).stdout == f"total {total}\n"
    rekkyo("draw", file, "-o", tmp_path / "drawn.svg", ok=True)


def test_stats_without_a_solution() -> None:
    assert rekkyo("stats", "queens", "3", ok=True).stdout == "total 0\n"


def test_stats_of_every_kind_of_puzzle_and_of_a_run(tmp_path: Path) -> None:
    for words in (["magic-square", "3"], ["hip", "2"], ["latin-square", "2"], ["schur", "2", "4"]):
        assert rekkyo("stats", *words, ok=True).stdout
    rekkyo("run", "queens", "5", "--out", tmp_path / "q5", ok=True)
    assert rekkyo("stats", tmp_path / "q5", ok=True).stdout == rekkyo("stats", "queens", "5").stdout
