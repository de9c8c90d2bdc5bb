"""The solutions of a model in MiniZinc, by rekkyo and by Gecode."""

from __future__ import annotations

import subprocess
from pathlib import Path

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.flatzinc.minizinc import flat_from_minizinc
from rekkyo.export.flatzinc.reader import flat_puzzle
from tests.fuzz_minizinc.models import Model, random_model
from tests.torture.guard import ended_after

MOST = 20_000
"""Solutions that are listed."""

SECONDS = 20


def gecode(text: str, path: Path) -> list[str] | None:
    """What Gecode shows of each solution; None when it takes too long or MiniZinc refuses the model."""
    path.write_text(text, "utf-8")
    try:
        done = subprocess.run(
            ["minizinc", "--solver", "gecode", "-a", str(path)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    return [part.strip() for part in done.stdout.split("----------\n")[:-1]]


def rekkyo(path: Path, engine: str) -> tuple[int, int, int | None]:
    """Solutions, different ones among them, and the optimum, by rekkyo."""
    puzzle = flat_puzzle(flat_from_minizinc([path]), "model")
    rows = [tuple(map(int, row)) for row in rk.solve(puzzle, engine=engine)]
    return len(rows), len(set(rows)), rk.count(puzzle, engine=engine, up_to="none").optimum


def compared(seed: int, folder: Path) -> str:
    """equal, or why nothing was compared. Raises AssertionError where the numbers differ."""
    model = random_model(seed)
    path = folder / f"model{seed}.mzn"
    shown = gecode(model.whole(), path)
    if shown is None:
        return "refused by MiniZinc or too long"
    if len(shown) > MOST:
        return "too many solutions"
    if model.objective is not None and shown:
        shown = _all_best(model, path)
    try:
        path.write_text(model.whole(), "utf-8")
        engines = ("csp", "csp-plain") if len(shown) < 200 else ("csp",)
        with ended_after(SECONDS, TimeoutError()):
            found = {engine: rekkyo(path, engine) for engine in engines}
    except TimeoutError:
        return "too long for rekkyo"
    except BadInput as refusal:
        return f"refused by rekkyo: {str(refusal).split(':', 4)[-1].strip()[:60]}"
    for engine, (n, n_different, _) in found.items():
        assert (n, n_different) == (len(shown),) * 2, (
            f"{seed}, {engine}: {n}, Gecode {len(shown)}\n{model.whole()}"
        )
    kind = "no solution" if not shown else "one solution" if len(shown) == 1 else "several solutions"
    return f"equal, {kind}{', optimum' if model.objective is not None else ''}"


def _all_best(model: Model, path: Path) -> list[str]:
    """All solutions with the objective that Gecode ends with."""
    with_objective = Model(model.text, model.goal, model.objective, (*model.shown, "objective"))
    last = gecode(with_objective.whole(), path)
    assert last
    best = last[-1].split()[-1]
    found = gecode(model.whole(f"constraint objective = {best};\n"), path)
    assert found is not None
    return found
