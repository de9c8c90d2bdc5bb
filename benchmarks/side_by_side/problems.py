"""The puzzles that are put side by side, by kind of model; small enough for the slowest to have a chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import rekkyo as rk
from rekkyo.engines.queens.cover.engine import cover_of
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.queens import Queens


@dataclass(frozen=True, slots=True)
class Problem:
    """A puzzle of the catalog. magic_sum: told to everybody who cannot find it alone; 0 without sums.

    by: what of ours the others are compared with, `rekkyo list` or `rekkyo count`.
    """

    table: str
    words: str
    magic_sum: int = 0
    by: str = "rekkyo list"

    @property
    def puzzle(self) -> rk.Puzzle:
        return rk.puzzle(self.words)


PROBLEMS = (
    Problem("Queens", "queens 8"),
    Problem("Queens", "queens 10"),
    Problem("Exact covers and packings", "langford 8"),
    Problem("Exact covers and packings", "pentominoes 3 20"),
    Problem("Exact covers and packings", "soma"),
    Problem("Sums", "magic-star 6", magic_sum=26),
    Problem("Sums", "magic-square 4", magic_sum=34),
    Problem("Colourings", "hip 5 --any-balance"),
    Problem("Colourings", "van-der-waerden 3 6 20"),
    Problem("Tilings, counted", "dominoes 6 6", by="rekkyo count"),
    Problem("Tilings, counted", "dominoes 8 8", by="rekkyo count"),
)


def problem_of(words: str) -> Problem:
    return next(problem for problem in PROBLEMS if problem.words == words)


def cover(problem: Problem) -> ExactCover:
    """The puzzle as an exact cover."""
    model = problem.puzzle.model
    made = cover_of(model)[0] if isinstance(model, Queens) else lower(model)
    assert isinstance(made, ExactCover)
    return made


def options_of(covered: ExactCover) -> list[list[int]]:
    """The options of each item."""
    found: list[list[int]] = [[] for _ in range(len(covered.primary) + len(covered.secondary))]
    for number, option in enumerate(covered.options):
        assert max(Counter(item for item, _ in option).values()) == 1
        for item, _ in option:
            found[item].append(number)
    return found
