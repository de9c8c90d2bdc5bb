"""The table of held-out work is what was saved, counts agree, and our programs in C count right. Nothing is measured."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from tests import naive, naive_cover
from tests.benchmark_modules import benchmark_module
from tests.pages import ROOT

QUESTIONS = benchmark_module("held_out/questions.py")
MASKS = benchmark_module("held_out/masks.py")
TABLE = benchmark_module("held_out/table.py")
FOLDER = ROOT / "benchmarks" / "held_out"


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    text = (ROOT / "benchmarks" / "results" / "held_out.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def row_of(result: dict[str, Any], name: str) -> dict[str, Any]:
    return next(row for row in result["rows"] if row["question"] == name)


def test_every_question_was_answered_by_us_and_by_a_peer(result: dict[str, Any]) -> None:
    assert [row["question"] for row in result["rows"]] == [one.name for one in QUESTIONS.QUESTIONS]
    for question, row in zip(QUESTIONS.QUESTIONS, result["rows"], strict=True):
        assert (row["bar"], row["in_us"]) == (question.bar, question.in_us)
        assert row["answers"]["rekkyo"]["cpu_s"] > 0
        assert len(row["answers"]) >= 2, question.name


def test_everybody_counted_the_same_and_what_was_published(result: dict[str, Any]) -> None:
    assert TABLE.disagreements(result) == []
    published = {one.name: one.puzzle.published for one in QUESTIONS.QUESTIONS}
    expected = {name: found.total for name, found in published.items() if found and found.total is not None}
    # OEIS A008404
    expected |= {f"Costas {n} as a cover": total for n, total in ((8, 444), (9, 760), (10, 2160))}
    assert len(expected) >= 9
    for name, total in expected.items():
        assert TABLE.counts(row_of(result, name)) == {str(total)}, name


def test_the_page_says_what_was_saved(result: dict[str, Any]) -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert TABLE.BEGIN + TABLE.table(result) + TABLE.END in page


def test_a_different_count_is_told_and_so_is_an_answer_that_is_missing(result: dict[str, Any]) -> None:
    changed = copy.deepcopy(result)
    row_of(changed, "Langford 11")["answers"]["xcover"]["count"] = "35583"
    row_of(changed, "Conway's 5x5x5")["answers"]["rekkyo"] = {"failed": "MemoryError"}
    conway, langford = TABLE.disagreements(changed)
    assert conway == "Conway's 5x5x5: rekkyo failed, MemoryError"
    assert langford == "Langford 11: DIFFERENT COUNTS ['35583', '35584']"


def made_up(ours_s: float, peer: dict[str, Any], *, in_us: bool = False) -> dict[str, Any]:
    answers = {"rekkyo": {"count": "1", "cpu_s": ours_s}, "slow": {"over_limit": True}, "peer": peer}
    row = {"question": "work", "bar": 50 if in_us else 4, "in_us": in_us, "answers": answers}
    return {"limit_s": 30, "rows": [row]}


@pytest.mark.parametrize(
    ("ours_s", "peer", "cells", "lost"),
    [
        (2.0, {"count": "1", "cpu_s": 8.0}, "2.00 s | peer 8.00 s, slow > 30 s | 4.0 | 4 | yes |", False),
        (2.0, {"count": "1", "cpu_s": 7.8}, "2.00 s | peer 7.80 s, slow > 30 s | 3.9 | 4 | no |", False),
        (2.0, {"count": "1", "cpu_s": 1.0}, "2.00 s | peer 1.00 s, slow > 30 s | 0.5 | 4 | no |", True),
        (2.0, {"over_limit": True}, "2.00 s | slow > 30 s, peer > 30 s | > 15.0 | 4 | yes |", False),
        (40.0, {"over_limit": True}, "40.00 s | slow > 30 s, peer > 30 s | > 0.75 | 4 | no |", False),
    ],
)
def test_a_bar_is_met_from_its_ratio_on(ours_s: float, peer: dict[str, Any], cells: str, lost: bool) -> None:
    told = made_up(ours_s, peer)
    assert f"| work | 1 | {cells}\n" in TABLE.table(told)
    assert TABLE.losses(told) == (["work"] if lost else [])


def test_what_only_a_peer_answers_in_time_is_lost() -> None:
    told = made_up(2.0, {"count": "1", "cpu_s": 29.0})
    told["rows"][0]["answers"]["rekkyo"] = {"over_limit": True}
    assert "| work | 1 | > 30 s | peer 29.00 s, slow > 30 s | - | 4 | no |\n" in TABLE.table(told)
    assert TABLE.losses(told) == ["work"]
    told["rows"][0]["answers"]["peer"] = {"over_limit": True}
    assert TABLE.losses(told) == []


@pytest.mark.parametrize(("ours_s", "met"), [(50e-6, "yes"), (51e-6, "no")])
def test_a_bar_in_microseconds_is_ours_alone(ours_s: float, met: str) -> None:
    told = made_up(ours_s, {"count": "1", "cpu_s": 1e-6}, in_us=True)
    assert f"| 50 µs | {met} |" in TABLE.table(told)


def test_what_a_peer_answers_faster_is_named_in_the_readme(result: dict[str, Any]) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    section = page.split("## When something else is the better tool")[1].split("\n## ")[0]
    for name in TABLE.losses(result):
        assert name.split(",")[0].removesuffix(" as a cover") in " ".join(section.split()), name


def test_models_made_for_it_have_the_solutions_of_the_definition() -> None:
    for n, total in ((3, 4), (4, 12), (5, 40), (6, 116)):
        assert rk.count(QUESTIONS.costas(n), up_to="none").total == total  # OEIS A008404
    for n in (3, 4, 5, 6):
        series = (
            notes
            for notes in permutations(range(n))
            if len({abs(a - b) for a, b in pairwise(notes)}) == n - 1
        )
        assert rk.count(QUESTIONS.all_interval(n), up_to="none").total == len(list(series))
    assert rk.count(QUESTIONS.rectangles(3, 3), up_to="none").total == by_hand(3, 3)
    assert rk.count(QUESTIONS.rectangles(4, 4), up_to="none").total == by_hand(4, 4)


def by_hand(width: int, height: int) -> int:
    """Fills the first free cell with every rectangle whose shape is not used yet."""

    def fill(free: frozenset[tuple[int, int]], used: frozenset[tuple[int, int]]) -> int:
        if not free:
            return 1
        top, left = min(free)
        found = 0
        for h in range(1, height - top + 1):
            for w in range(1, width - left + 1):
                cells = {(top + y, left + x) for y in range(h) for x in range(w)}
                shape = (min(w, h), max(w, h))
                if cells <= free and shape not in used:
                    found += fill(free - cells, used | {shape})
        return found

    return fill(frozenset((y, x) for y in range(height) for x in range(width)), frozenset())


def test_a_small_cover_in_another_order_has_as_many_solutions() -> None:
    for seed in range(5):
        one, other = (QUESTIONS.small_cover(seed, order) for order in (0, 1))
        assert one.model != other.model
        assert rk.count(one).total == rk.count(other).total
        assert [len(puzzle.model.options) for puzzle in (one, other)] == [20, 20]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("programs")
    for name in ("queens", "masks"):
        subprocess.run(
            ["cc", "-O1", "-Wall", "-Werror", "-o", folder / name, FOLDER / f"{name}.c"], check=True
        )
    return folder


def told(command: list[Path | str], text: str = "") -> int:
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=100, check=True)
    return int(done.stdout.split()[0])


@pytest.mark.parametrize("blocked", [(), ((0, 1), (3, 4), (3, 0), (5, 5))])
def test_the_bitmap_in_c_counts_by_the_definition(
    programs: Path, blocked: tuple[tuple[int, int], ...]
) -> None:
    masks = [str(sum(1 << column for row, column in blocked if row == wanted)) for wanted in range(6)]
    expected = len(list(naive.queens_solutions(6, blocked=frozenset(blocked))))
    assert told([programs / "queens", "6", *masks]) == expected


@st.composite
def counted_covers(draw: st.DrawFn) -> ExactCover:
    """Items that are needed once, pieces that are used several times, and items that may stay free."""
    n_cells, n_pieces, n_secondary = (draw(st.integers(1, most)) for most in (5, 3, 2))
    low = [draw(st.integers(0, 2)) for _ in range(n_pieces)]
    bounds = [(1, 1)] * n_cells + [(few, max(1, few) + draw(st.integers(0, 1))) for few in low]
    primary = tuple(f"{k}" for k in range(n_cells + n_pieces))
    first = len(primary)
    options = set()
    for _ in range(draw(st.integers(1, 11))):
        cells = draw(st.sets(st.integers(0, n_cells - 1), min_size=1, max_size=3))
        piece = draw(st.integers(n_cells, first - 1))
        beside = draw(st.sets(st.integers(first, first + n_secondary - 1), max_size=1))
        options.add(tuple((item, 0) for item in sorted({*cells, piece, *beside})))
    names = tuple(f"s{k}" for k in range(n_secondary))
    return ExactCover(primary, names, tuple(sorted(options)), tuple(bounds))


@settings(max_examples=40, deadline=None)
@given(model=counted_covers())
def test_the_masks_in_c_count_by_the_definition(programs: Path, model: ExactCover) -> None:
    text = MASKS.numbers_for_masks(model)
    assert text is not None
    assert told([programs / "masks"], text) == len(naive_cover.solutions(model))


def test_masks_refuse_colours_and_what_does_not_fit() -> None:
    assert MASKS.numbers_for_masks(QUESTIONS.costas(4).model) is None
    assert MASKS.numbers_for_masks(lower(rk.puzzle("sudoku").model)) is None
