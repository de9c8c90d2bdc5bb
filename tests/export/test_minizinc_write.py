"""Puzzles as models in MiniZinc: the text, and what Gecode finds in it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.export.minizinc_write import write_minizinc
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from tests import csp_strategies, naive_csp

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_text_of_a_model() -> None:
    model = Csp(
        ("a", "b", "sum"),
        ((1, 2, 3), (1, 3), (2, 3, 4, 5, 6)),
        (
            c.AllDifferent((0, 1)),
            c.Linear((1, 1, -1), (0, 1, 2), "=", 0),
            c.Clause(((0, 1, True), (1, 3, False))),
        ),
        solution=(0, 1),
    )
    assert write_minizinc(rk.Puzzle("mine", model, "mine")).splitlines() == [
        f"% mine: {model.row_meaning}",
        "% hidden variables: 1; solutions that differ in them alone are one",
        'include "all_different.mzn";',
        "var 1..3: x0; % a",
        "var {1, 3}: x1; % b",
        "var 2..6: x2; % sum",
        "constraint all_different([x0, x1]);",
        "constraint 1*x0 + 1*x1 + -1*x2 = 0;",
        "constraint (x0 = 1) \\/ (x1 != 3);",
        "solve satisfy;",
        'output [show([x0, x1]), "\\n"];',
    ]


def test_what_cannot_be_written_is_refused_by_name() -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "nurikabe.toml")
    with pytest.raises(rk.BadInput, match="has no form in MiniZinc: constraint connected cannot be written"):
        write_minizinc(puzzle)


class NoValue(Exception):
    """MiniZinc printed `x2` instead of a number.

    Version 2.6.4 removes a variable that is a sum over itself: `bool2int(x = 4) + bool2int(x2 = 4) = x2`.
    """


def by_gecode(text: str, folder: Path) -> list[tuple[int, ...]]:
    """All solutions that MiniZinc shows. Raises NoValue."""
    path = folder / "model.mzn"
    path.write_text(text)
    command = ["minizinc", "--solver", "gecode", "-a", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, text + done.stderr
    parts = done.stdout.split("----------\n")[:-1]
    if any(map(str.isalpha, "".join(parts))):
        raise NoValue
    return [tuple(map(int, re.findall(r"-?[0-9]+", part))) for part in parts]


KINDS = [kind for kind in c.CONSTRAINTS if kind not in (c.Connected, c.Areas, c.Acyclic)]


@pytest.mark.minizinc
@pytest.mark.parametrize("kind", KINDS)
def test_gecode_finds_the_same_solutions_of_every_constraint(
    kind: type, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("models")

    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        model = replace(data.draw(csp_strategies.models(kinds=(kind,), max_variables=4)), objective=None)
        try:
            found = by_gecode(write_minizinc(rk.Puzzle("random", model, "random")), folder)
        except NoValue:
            reject()
        values = [tuple(model.values[v] for v in row) for row in naive_csp.solutions(model)]
        assert sorted(set(found)) == sorted(values)

    compare()


@pytest.mark.minizinc
@pytest.mark.parametrize(
    "name", ["queens 6", "hip 4", "magic-square 3", "langford 7", "pentominoes 3 20", "latin-square 4"]
)
def test_gecode_finds_the_same_solutions_of_puzzles(name: str, tmp_path: Path) -> None:
    puzzle = rk.puzzle(name)
    found = by_gecode(write_minizinc(puzzle), tmp_path)
    assert len(found) == len(set(found)) == rk.count(puzzle, up_to="none").total


@pytest.mark.minizinc
@pytest.mark.parametrize("name", ["kakuro", "nonogram", "word-square", "macmahon-cubes", "costas"])
def test_gecode_finds_the_same_solutions_of_files(name: str, tmp_path: Path) -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / f"{name}.toml")
    found = by_gecode(write_minizinc(puzzle), tmp_path)
    assert len(found) == len(set(found)) == rk.count(puzzle, up_to="none").total
