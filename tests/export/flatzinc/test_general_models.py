"""The models of the benchmark of general puzzles, in small: published totals, by two engines."""

from __future__ import annotations

from pathlib import Path

import pytest

import rekkyo as rk
from tests.general_models import FLAT, LARGER, MODELS, SMALL, Small, text_of

ALL = (*SMALL, *LARGER)


def test_every_committed_flatzinc_is_asked() -> None:
    assert sorted(small.model for small in ALL) == sorted(path.stem for path in FLAT.glob("*.fzn"))
    assert {small.model for small in ALL} <= {path.stem for path in MODELS.glob("*.mzn")}
    assert len(ALL) >= 30


@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
@pytest.mark.parametrize("small", SMALL, ids=lambda small: small.model)
def test_the_total_in_small(small: Small, engine: str) -> None:
    puzzle = rk.puzzle_from_file(FLAT / f"{small.model}.fzn")
    assert rk.count(puzzle, engine=engine, up_to="none").total == small.total


@pytest.mark.parametrize("small", LARGER, ids=lambda small: small.model)
def test_the_total_of_a_larger_one(small: Small) -> None:
    assert rk.count(rk.puzzle_from_file(FLAT / f"{small.model}.fzn"), up_to="none").total == small.total


@pytest.mark.minizinc
@pytest.mark.parametrize("small", ALL, ids=lambda small: small.model)
def test_the_flatzinc_is_that_of_the_model(small: Small, tmp_path: Path) -> None:
    model = tmp_path / f"{small.model}.mzn"
    model.write_text(text_of(small), "utf-8")
    assert rk.count(rk.puzzle_from_file(model), up_to="none").total == small.total
