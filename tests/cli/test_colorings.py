"""Colourings from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import rekkyo


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("hip 6", "total 24, unique 4 up to rotation and reflection"),
        ("hip 6 --any-balance", "total 56, unique 8 up to rotation and reflection"),
        ("hip 4 --any-balance", "total 5006, unique 634 up to rotation and reflection"),
        ("hip 4 --any-balance --up-to symmetry,exchange-colours", "total 5006, unique 332"),
        ("hip 7", "total 0, unique 0 up to rotation and reflection"),
        ("hip 3 4 --colors 3", "total 32598, unique 8220 up to rotation and reflection"),
        ("ramsey 3 4 6", "total 2812, unique 15"),
        ("ramsey 3 4 9", "total 0, unique 0"),  # of a group that is too large to list
        ("schur 3 13 --up-to exchange-colours", "total 18, unique 3"),
        ("rectangle-free 3 3 2", "total 156, unique 6"),
    ],
)
def test_counts(words: str, line: str) -> None:
    assert rekkyo("count", *words.split()).stdout == line + "\n"


@pytest.mark.parametrize("words", ["hip 4", "van-der-waerden 4 4 34", "ramsey 3 4 7"])
def test_three_engines_find_the_same_set(words: str) -> None:
    digests = {
        json.loads(
            rekkyo(
                "count", *words.split(), "--digest", "--json", "--up-to", "none", "--engine", engine
            ).stdout
        )["digest"]
        for engine in ("coloring-masks", "coloring-counters", "csp-plain")
    }
    assert len(digests) == 1


def test_boards_and_compact_text_can_be_checked() -> None:
    listed = rekkyo("solve", "hip", "6", "--format", "compact").stdout
    assert set(listed) == {"#", ".", "\n"}
    assert (
        rekkyo("verify", "hip", "6", given=listed).stdout
        == "24 solutions checked: all valid, all different\n"
    )
    board = rekkyo("solve", "hip", "2", "--limit", "1", "--format", "board").stdout
    assert sorted(board.split()) == ["##", ".."] or len(board.split()) == 2


def test_one_board_of_each_orbit_is_listed() -> None:
    listed = rekkyo("solve", "hip", "6", "--up-to", "symmetry,exchange-colours").stdout.splitlines()
    assert len(listed) == 3
    assert all(line.startswith("0 ") for line in listed)


def test_dimacs() -> None:
    text = rekkyo("info", "hip", "6", "--any-balance", "--dimacs").stdout
    assert "\np cnf 36 210\n" in text
    ruler = Path(__file__).parents[2] / "examples" / "golomb-ruler.toml"
    assert rekkyo("info", ruler, "--dimacs", ok=False).stderr.count("\n") == 1


def test_the_methods_tell_their_steps() -> None:
    told = rekkyo("methods", "hip", "4", "--method", "joining", "--form", "iterative").stdout
    assert " 4:         2094          266" in told
    assert "3x3 boards without a square of one colour: 248" in told


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("hip 6 --colors 0", "K must be a whole number from 2 to 8"),
        ("ramsey 6 6 80", "sets are more than"),
        ("hip 6 --engine queens-bitmap", "engine queens-bitmap searches queens models only"),
    ],
)
def test_bad_input_is_one_line(words: str, complaint: str) -> None:
    done = rekkyo("count", *words.split(), ok=False)
    assert complaint in done.stderr
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
