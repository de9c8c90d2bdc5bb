"""The jobs of a worker process, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rekkyo.ask.count import count
from rekkyo.ask.estimate import estimate
from rekkyo.ask.solve import solve
from rekkyo.catalog.queens import queens
from rekkyo.designer.answers import Job, Say, answer, guess
from rekkyo.designer.help import say_clues, say_difficulty, say_fewest, say_what_if
from rekkyo.designer.outputs import export
from rekkyo.export.puzzle_toml.reader import read_toml

FIRST = """kind = "packing"
board = "rectangle 2 3"
pieces = "DD"
times = "any"
"""


def get_ready() -> None:
    """Load or compile everything that the first question needs."""
    puzzle = read_toml(FIRST, "first")
    list(solve(puzzle, limit=1))
    count(puzzle)
    estimate(queens(4))


JOBS: dict[str, Callable[[Job, Say], Any]] = {
    "answer": answer,
    "guess": guess,
    "clues": say_clues,
    "what_if": say_what_if,
    "difficulty": say_difficulty,
    "fewest": say_fewest,
    "export": export,
}
