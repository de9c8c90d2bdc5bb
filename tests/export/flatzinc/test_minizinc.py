"""Models in MiniZinc: their FlatZinc, which is kept beside them, and what minizinc makes of them here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.flatzinc import minizinc
from rekkyo.export.flatzinc.solver_file import solver_text
from rekkyo.model.csp.csp import Csp
from tests.cli.test_commands import rekkyo

DATA = Path(__file__).parents[2] / "data" / "flatzinc"
TOTALS = {
    "choice": 15,
    "diagram": 6,
    "island": 218,
    "langford": 2,
    "magic": 8,
    "parts": 20,
    "picture": 1,
    "queens": 4,
    "ruler": 2,
    "tour": 12,
}
ENGINES = ("csp", "csp-plain")


def test_every_model_has_a_total() -> None:
    assert sorted(TOTALS) == sorted(path.stem for path in DATA.glob("*.fzn"))
    assert sorted(TOTALS) == sorted(path.stem for path in DATA.glob("models/*.mzn"))


SLOW = ("langford", "csp-plain")


@pytest.mark.parametrize(
    ("name", "engine"), [(name, e) for name in TOTALS for e in ENGINES if (name, e) != SLOW]
)
def test_flatzinc_of_a_model(name: str, engine: str) -> None:
    puzzle = rk.puzzle_from_file(DATA / f"{name}.fzn")
    found = rk.count(puzzle, engine=engine)
    assert found.total == TOTALS[name]
    assert found.unique is None or rk.orbits(puzzle, engine=engine).unique == found.unique
    assert found.optimum == (6 if name == "ruler" else None)
    for row in rk.solve(puzzle, engine=engine, limit=3):
        assert rk.verify(puzzle, row) == []


def test_names_and_the_grid_are_those_of_the_model() -> None:
    model = rk.puzzle_from_file(DATA / "magic.fzn").model
    assert isinstance(model, Csp)
    assert [model.names[v] for v in model.solution[:4]] == [
        "square[1,1]",
        "square[1,2]",
        "square[1,3]",
        "square[2,1]",
    ]
    assert model.grid == (3, 3)


def test_a_flattening_that_takes_too_long_or_writes_too_much_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "minizinc"
    program.write_text(f"#!{sys.executable}\nimport time\nprint('x' * 2000, flush=True)\ntime.sleep(60)\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(minizinc, "TIME_LIMIT_S", 0.2)
    with pytest.raises(BadInput, match=r"queens\.mzn: minizinc did not flatten it in 0\.2 seconds; make it"):
        rk.puzzle_from_file(DATA / "models" / "queens.mzn")
    monkeypatch.setattr(minizinc, "TIME_LIMIT_S", 60)
    monkeypatch.setattr(minizinc, "MAX_BYTES", 1000)
    with pytest.raises(BadInput, match=r"queens\.mzn: minizinc writes more than 1000 bytes; make it smaller"):
        rk.puzzle_from_file(DATA / "models" / "queens.mzn")


def files_of(name: str) -> list[str]:
    data = DATA / "models" / f"{name}.dzn"
    return [str(DATA / "models" / f"{name}.mzn"), *([str(data)] if data.exists() else [])]


@pytest.mark.minizinc
@pytest.mark.parametrize("name", TOTALS)
def test_a_model_is_flattened_and_counted(name: str) -> None:
    assert rk.count(rk.puzzle_from_file(*files_of(name))).total == TOTALS[name]


@pytest.mark.minizinc
def test_on_the_command_line(tmp_path: Path) -> None:
    assert rekkyo("count", *files_of("choice")).stdout == "total 15, unique 15\n"
    broken = tmp_path / "broken.mzn"
    broken.write_text("var 1..3: x;\nconstraint x = y;\n")
    refused = rekkyo("count", str(broken), ok=False)
    assert refused.returncode == 2
    assert "broken.mzn: minizinc says: Error: type error: undefined identifier `y'" in refused.stderr
    broken.write_text("var float: x;\n")
    refused = rekkyo("count", str(broken), ok=False)
    place = f"{broken}, flattened, line 1 of its FlatZinc, `var float: x:: output_var;`"
    assert refused.stderr.startswith(f"rekkyo: {place}: numbers with a point are not searched")
    missing = rekkyo("count", str(tmp_path / "none.mzn"), ok=False)
    assert "none.mzn does not exist or is not a file" in missing.stderr


@pytest.fixture
def solver(tmp_path: Path) -> Path:
    """The solver file, with a program that uses the sources that are tested."""
    program = tmp_path / "fzn-rekkyo"
    code = "from rekkyo.cli.fzn import start; start()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
    program.chmod(0o755)
    path = tmp_path / "rekkyo.msc"
    path.write_text(solver_text(str(program)))
    return path


def ask_minizinc(solver: Path, *words: str) -> str:
    command = ["minizinc", "--solver", str(solver), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout


@pytest.mark.minizinc
@pytest.mark.parametrize("name", TOTALS)
def test_minizinc_shows_what_rekkyo_finds(name: str, solver: Path) -> None:
    shown = ask_minizinc(solver, "-a", *files_of(name))
    assert shown.count("----------\n") == TOTALS[name]
    assert shown.endswith("==========\n")


@pytest.mark.minizinc
def test_minizinc_passes_options_on(solver: Path, tmp_path: Path) -> None:
    assert ask_minizinc(solver, "-n", "3", "-p", "2", *files_of("queens")).count("----------") == 3
    assert "%%%mzn-stat: solutions=1\n" in ask_minizinc(solver, "-s", *files_of("queens"))
    none = tmp_path / "none.mzn"
    none.write_text("var 1..3: x;\nvar 1..3: y;\nconstraint x * y = 5;\n")
    assert ask_minizinc(solver, "-a", str(none)) == "=====UNSATISFIABLE=====\n"


@pytest.mark.minizinc
def test_a_run_goes_on_without_the_model(tmp_path: Path) -> None:
    """The FlatZinc is kept in the run, so that neither the model nor minizinc is needed again."""
    model = tmp_path / "pair.mzn"
    model.write_text("int: n; array[1..2] of var 1..n: x; constraint x[1] < x[2];", encoding="utf-8")
    data = tmp_path / "four.dzn"
    data.write_text("n = 4;", encoding="utf-8")
    rk.run(rk.puzzle_from_file(model, data), tmp_path / "run")
    model.unlink()
    assert rk.Run(tmp_path / "run").resume().total == 6
    assert (tmp_path / "run" / "puzzle.fzn").exists()
