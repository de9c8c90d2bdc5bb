"""Instances in XCSP3 against their meaning in plain Python, for every assignment of the variables."""

from __future__ import annotations

import lzma
from itertools import product
from pathlib import Path
from random import Random

import pytest

import rekkyo as rk
from rekkyo.export.xcsp3 import expressions
from rekkyo.model.csp.csp import Csp
from tests.export.xcsp3.cases import CASES, DOMAIN, EXPRESSIONS, N_B, N_X, Meaning, declared

ASSIGNMENTS = [(x, b) for x in product(DOMAIN, repeat=N_X) for b in product((0, 1), repeat=N_B)]


def read(folder: Path, text: str) -> rk.Puzzle:
    path = folder / "case.xml"
    path.write_text(text, encoding="utf-8")
    return rk.puzzle_from_file(path)


def solutions(puzzle: rk.Puzzle, engine: str = "csp-plain") -> set[tuple[int, ...]]:
    model = puzzle.model
    assert isinstance(model, Csp)
    rows = [tuple(model.values[int(place)] for place in row) for row in rk.solve(puzzle, engine=engine)]
    assert len(set(rows)) == len(rows)
    return set(rows)


def by_definition(meaning: Meaning) -> set[tuple[int, ...]]:
    return {(*x, *b) for x, b in ASSIGNMENTS if meaning(x, b)}


@pytest.mark.parametrize("name", CASES)
def test_what_constraints_mean(name: str, tmp_path: Path) -> None:
    body, meaning = CASES[name]
    puzzle = read(tmp_path, declared(body))
    assert solutions(puzzle) == by_definition(meaning)
    assert rk.count(puzzle).total == len(by_definition(meaning))


@pytest.mark.parametrize("most", [0, expressions.MAX_TABLE], ids=["parts", "tables"])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_expressions_mean(text: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MAX_TABLE", most)
    puzzle = read(tmp_path, declared(f"<intension> {text} </intension>"))
    assert solutions(puzzle) == by_definition(EXPRESSIONS[text])
