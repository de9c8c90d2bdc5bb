"""MiniZinc with Gecode: the models as MiniZinc text, and the search by Gecode's FlatZinc interpreter.

MiniZinc is not a package of PyPI: Debian's `minizinc` brings it with Gecode and `fzn-gecode`. `minizinc -c`
makes FlatZinc of a model beforehand; `fzn-gecode -a` searches, which is what `minizinc -a --solver gecode`
calls, without the second process that rewrites every solution.

What was tried (MiniZinc 2.6.4, Gecode 6.2.0). `first_fail` against `dom_w_deg`: a third less time on
magic-star 6, a quarter more on magic-square 4, the same on queens 10. `-c-d 1`, copying at each node, took
half the time of the default on pentominoes 3 20, and 15 to 25 % less elsewhere. Consistency by domains: fewer
nodes, up to four times slower on sums. Printing the solutions took most of the time of hip 5.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from problems import Problem, cover, options_of

from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure

NAME = "MiniZinc + Gecode"
NEEDS = "MiniZinc with Gecode, which pip cannot install (Debian: apt-get install minizinc)"
SHORT_LIST = 20
NATIVE = """predicate all_different_int(array[int] of var int: x);
predicate all_different_offset(array[int] of int: o, array[int] of var int: x);
"""
"""Gecode's own. The library of this MiniZinc would write them as one inequality for each pair."""


class Timed(NamedTuple):
    """A count found by another process, with the CPU seconds of its search."""

    count: int
    cpu_s: float


def is_there() -> bool:
    return bool(shutil.which("minizinc") and shutil.which("fzn-gecode"))


def versions() -> list[str]:
    """Such as `MiniZinc 2.6.4`, `Gecode 6.2.0`."""
    if not is_there():
        return []
    told = subprocess.run(["minizinc", "--version"], capture_output=True, text=True, check=True).stdout
    solvers = subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True, check=True).stdout
    return [
        "MiniZinc " + re.findall(r"version ([\d.]+\d)", told)[0],
        *re.findall(r"Gecode [\d.]+\d", solvers),
    ]


def gecode(problem: Problem) -> tuple[Callable[[], Path], Callable[[Path], Timed]]:
    """FlatZinc is made once, before the clock starts."""
    folder = tempfile.TemporaryDirectory(prefix="rekkyo-minizinc-")
    model, flat = Path(folder.name) / "model.mzn", Path(folder.name) / "model.fzn"
    model.write_text(text_of(problem), encoding="utf-8")
    command = ["minizinc", "-c", "--solver", "gecode", "--no-output-ozn", "-o", str(flat), str(model)]
    subprocess.run(command, capture_output=True, check=True)

    def prepare() -> Path:
        return flat

    return prepare, lambda made: searched(made, folder)


def searched(flat: Path, folder: tempfile.TemporaryDirectory[str]) -> Timed:
    """All solutions of FlatZinc."""
    said, used_s = child(["fzn-gecode", "-a", "-s", "-c-d", "1", str(flat)], folder)
    told = dict(re.findall(r"mzn-stat: (\w+)=(\S+)", said))
    # Gecode's own clock is the wall's, the process has its start in it: neither is less than the search
    return Timed(int(told["solutions"]), min(float(told["solveTime"]), used_s))


def child(command: list[str], folder: tempfile.TemporaryDirectory[str], text: str = "") -> tuple[str, float]:
    """What a program says, and its CPU seconds; over the limit this process ends as every solver does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        folder.cleanup()
        os.kill(os.getpid(), signal.SIGKILL)
    assert done.returncode == 0, done.stderr
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def text_of(problem: Problem) -> str:
    """Nothing is printed for a solution: Gecode counts assignments of the variables in its `search`."""
    model = problem.puzzle.model
    if isinstance(model, SumFigure):
        lines = sums(model, problem.magic_sum)
    elif isinstance(model, Coloring):
        lines = coloring(model)
    elif isinstance(model, Queens):
        lines = queens(model)
    else:
        lines = covers(cover(problem))
    return NATIVE + "\n".join([*lines, "output [];", ""])


def queens(model: Queens) -> list[str]:
    names = [f"x{row}" for row in range(model.n)]
    offsets = ([sign * row for row in range(model.n)] for sign in (-1, 0, 1))
    return [
        *(f"var 0..{model.n - 1}: {name};" for name in names),
        *(f"constraint all_different_offset({shift}, {listed(names)});" for shift in offsets),
        solve("int_search", names),
    ]


def sums(model: SumFigure, magic_sum: int) -> list[str]:
    names = [f"x{cell}" for cell in range(len(model.cells))]
    totals = (" + ".join(names[cell] for cell in line.cells) for line in model.lines)
    return [
        *(f"var {{{', '.join(map(str, model.numbers))}}}: {name};" for name in names),
        f"constraint all_different_int({listed(names)});",
        *(f"constraint {total} = {magic_sum};" for total in totals),
        solve("int_search", names),
    ]


def coloring(model: Coloring) -> list[str]:
    """Two colours: a Boolean for each cell, clauses."""
    names = [f"x{cell}" for cell in range(model.n_cells)]
    clauses = [[(cell, color) for cell in cells] for cells in model.sets for color in (0, 1)]
    clauses += [list(pattern) for pattern in model.patterns]
    written = (
        " \\/ ".join(f"not {names[cell]}" if color else names[cell] for cell, color in clause)
        for clause in clauses
    )
    return [
        *(f"var bool: {name};" for name in names),
        *(f"constraint {clause};" for clause in written),
        solve("bool_search", names),
    ]


def covers(covered: ExactCover) -> list[str]:
    """A Boolean for each option. Where an item has many, the one that it takes is a number, to search by.

    pentominoes 3 20 takes 1.6 s with these numbers, more than 12 without; dominoes 6 6 0.026 s and 0.016.
    """
    by_item = options_of(covered)
    n_primary = len(covered.primary)
    chosen = [f"b{option}" for option in range(len(covered.options))]
    lines = [f"var bool: {name};" for name in chosen]
    for item, options in enumerate(by_item):
        relation = "=" if item < n_primary else "<="
        lines.append(f"constraint sum({listed([chosen[option] for option in options])}) {relation} 1;")
    if max(map(len, by_item)) <= SHORT_LIST:
        return [*lines, solve("bool_search", chosen, "indomain_max")]
    taken = [f"x{item}" for item in range(n_primary)]
    for name, options in zip(taken, by_item, strict=False):
        lines.append(f"var {{{', '.join(map(str, options))}}}: {name};")
        lines += [f"constraint {chosen[option]} <-> ({name} = {option});" for option in options]
    return [*lines, solve("int_search", taken)]


def listed(names: list[str]) -> str:
    return "[" + ", ".join(names) + "]"


def solve(search: str, names: list[str], value: str = "indomain_min") -> str:
    return f"solve :: {search}({listed(names)}, first_fail, {value}, complete) satisfy;"
