"""Who answers a question, and how: two functions for each, of which the second is timed.

Plain programs in C are compiled when they are asked; they tell their own CPU seconds. What a peer has no
means for, it refuses with `CannotSay`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from masks import numbers_for_masks
from questions import Question, small_covers

import rekkyo as rk
from rekkyo.engines.queens.cover.engine import cover_of
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.queens import Queens

__all__ = ["COMPILES", "PEERS", "SOLVERS", "CannotSay", "missing"]

HERE = Path(__file__).parent
sys.path += [str(HERE.parent / folder) for folder in ("side_by_side", "general")]

import gecode as by_gecode  # noqa: E402
from flattening import for_gecode  # noqa: E402
from problems import Problem  # noqa: E402
from solvers import CannotSay, Work, other, rekkyo_list  # noqa: E402

OURS = "rekkyo"
MODELS = HERE.parent / "general" / "models"


def rekkyo(question: Question) -> Work:
    """The whole of `rekkyo.count` with one worker, every puzzle made anew."""
    if question.how == "words":
        return lambda: None, lambda _: int(rk.count(rk.puzzle("queens 8")).total)
    if question.how == "puzzle":
        return question.make, lambda puzzle: int(rk.count(puzzle, workers=1, up_to="none").total)
    orders = count(1)

    def prepare() -> list[rk.Puzzle]:
        return small_covers(next(orders))

    if question.how == "loop":
        return prepare, lambda puzzles: sum(int(rk.count(puzzle).total) for puzzle in puzzles)
    return prepare, lambda puzzles: sum(int(found.total) for found in rk.counts(puzzles))


def every_row(question: Question) -> Work:
    """Ours without any use of symmetry: the engine meets and writes every solution."""
    if not question.rows:
        raise CannotSay
    return rekkyo_list(Problem("", question.puzzle.name))


def xcover(question: Question) -> Work:
    return _by_package(question, other("cover", "peers").xcover, takes_colors=True)


def exact_cover(question: Question) -> Work:
    return _by_package(question, other("cover", "peers").exact_cover, takes_colors=False)


def _by_package(
    question: Question, ready: Callable[[ExactCover], Callable[[], int]], *, takes_colors: bool
) -> Work:
    if question.n_counts == 1:
        model = _cover(question)
        if model.bounds or (_has_colors(model) and not takes_colors):
            raise CannotSay
        run = ready(model)
        return lambda: None, lambda _: run()

    def prepare() -> list[Callable[[], int]]:
        models = (lower(puzzle.model) for puzzle in small_covers(0))
        return [ready(model) for model in models if isinstance(model, ExactCover)]

    return prepare, lambda runs: sum(run() for run in runs)


def _cover(question: Question) -> ExactCover:
    model = question.puzzle.model
    made = cover_of(model)[0] if isinstance(model, Queens) else lower(model)
    if not isinstance(made, ExactCover):
        raise CannotSay
    return made


def _has_colors(model: ExactCover) -> bool:
    return any(color for option in model.options for _, color in option)


def queens_in_c(question: Question) -> Work:
    """Ten lines of a bitmap, row by row."""
    model = question.puzzle.model
    if not isinstance(model, Queens) or model.given:
        raise CannotSay
    blocked = [
        sum(1 << column for row, column in model.blocked if row == wanted) for wanted in range(model.n)
    ]
    program, folder = _compiled("queens.c")
    command = [str(program), str(model.n), *map(str, blocked)]
    return lambda: None, lambda _: _told(command, folder)


def masks_in_c(question: Question) -> Work:
    """Masks with counters; pieces that are used several times, and items that are left over, are counted."""
    model = lower(question.puzzle.model)
    text = numbers_for_masks(model) if isinstance(model, ExactCover) and question.n_counts == 1 else None
    if text is None:
        raise CannotSay
    program, folder = _compiled("masks.c")
    return lambda: None, lambda _: _told([str(program)], folder, text)


def _compiled(name: str) -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory(prefix="rekkyo-held-out-")
    program = Path(folder.name) / "program"
    command = ["cc", "-O3", "-march=native", "-w", "-o", str(program), str(HERE / name)]
    subprocess.run(command, check=True)
    return program, folder


def _told(command: list[str], folder: tempfile.TemporaryDirectory[str], text: str = "") -> by_gecode.Timed:
    found, seconds = by_gecode.child(command, folder, text)[0].split()
    return by_gecode.Timed(int(found), float(seconds))


def gecode(question: Question) -> Work:
    if question.magic_sum:
        prepare, run = by_gecode.gecode(Problem("", question.puzzle.name, question.magic_sum))
        return prepare, run
    if question.minizinc is None:
        raise CannotSay
    name, n = question.minizinc
    folder = tempfile.TemporaryDirectory(prefix="rekkyo-held-out-")
    model = Path(folder.name) / f"{name}.mzn"
    text = (MODELS / model.name).read_text(encoding="utf-8")
    text = re.sub(r"int: n = \d+;", f"int: n = {n};", text)
    if name == "sudoku":
        text = re.sub(r"\[\|.*?\|\]", _given(question.puzzle), text, flags=re.DOTALL)
    model.write_text(text, encoding="utf-8")
    flat = for_gecode(model, Path(folder.name))
    return lambda: None, lambda _: by_gecode.searched(flat, folder)


def _given(puzzle: rk.Puzzle) -> str:
    """The clues of a sudoku as a table of MiniZinc."""
    clues = puzzle.name.split()[-1].replace(".", "0")
    return "[|" + "|".join(",".join(clues[9 * row : 9 * row + 9]) for row in range(9)) + "|]"


PEERS: dict[str, Callable[[Question], Work]] = {
    "every solution met": every_row,
    "xcover": xcover,
    "exact-cover": exact_cover,
    "bitmap in C": queens_in_c,
    "masks in C": masks_in_c,
    "Gecode": gecode,
}
SOLVERS = {OURS: rekkyo} | PEERS
COMPILES = (OURS, "every solution met", "xcover")


def missing() -> dict[str, str]:
    """The peers that are not on this machine, and what they need."""
    needs = {
        "xcover": (find_spec("xcover"), "the package xcover"),
        "exact-cover": (find_spec("exact_cover"), "the package exact-cover"),
        "bitmap in C": (shutil.which("cc"), "a C compiler, cc"),
        "masks in C": (shutil.which("cc"), "a C compiler, cc"),
        "Gecode": (by_gecode.is_there(), by_gecode.NEEDS),
    }
    return {name: what for name, (found, what) in needs.items() if not found}
