"""`rekkyo estimate` from outside."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_commands import rekkyo


def test_a_small_search_is_exact() -> None:
    done = rekkyo("estimate", "queens", "6")
    assert done.stdout == "total 4, exact: the search is so small that it was done in full\n"
    assert "queens 6: queens-bitmap, searched in full, seed 1" in done.stderr


@pytest.mark.parametrize("command", ["count", "estimate"])
def test_a_search_of_one_node(command: str) -> None:
    done = rekkyo(command, "queens", "1")
    assert "1 node" in done.stderr
    assert "1 nodes" not in done.stderr


def test_a_seed_repeats_an_estimate() -> None:
    """Queens 16: 14,772,512 (OEIS A000170)."""
    words = ("estimate", "queens", "16", "--draws", "20000", "--seed", "3", "--json")
    first, second = (json.loads(rekkyo(*words).stdout) for _ in range(2))
    for found in (first, second):
        del found["seconds"], found["elapsed_s"]
    assert first == second
    assert first["n_draws"] >= 20000
    assert first["total"]["low"] <= 14_772_512 <= first["total"]["high"]
    assert first["unique"]["value"] == pytest.approx(first["total"]["value"] / 8)
    assert first["confidence"] == 0.95


def test_intervals_are_printed() -> None:
    done = rekkyo("estimate", "queens", "16", "--seconds", "0.2", "--workers", "1")
    assert done.stdout.startswith("total 1.")
    assert "; unique about 1." in done.stdout
    assert "intervals of 95%; the whole search:" in done.stderr
    assert "with 1 worker" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("queens", "8", "--seconds", "0"), "the seconds must be a number above 0"),
        (("queens", "8", "--draws", "0"), "the draws must be a whole number from 2 to"),
        (("queens", "8", "--draws", "9", "--seconds", "5"), "leave out --seconds"),
        (("queens", "8", "--seed", "x"), "'x' is not a valid integer"),
        (("queens", "16", "--engine", "queens-join"), "queens-join counts without listing"),
    ],
)
def test_bad_words_are_one_line_and_exit_code_2(words: tuple[str, ...], message: str) -> None:
    done = rekkyo("estimate", *words, ok=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
