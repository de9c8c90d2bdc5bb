"""Covers of a few dozen options, alone or many at once: counted before any engine is asked for.

Choosing an engine, a plan and shards take more than a hundred times as long as such a search. So a cover of
at most 64 options, each item covered once, is searched right away, by the kernel of `cover-bitset` and with
the same nodes. A search that is not over after some thousand nodes is left to the usual way.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.small import SmallCount, count_small, is_compiled, is_small
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, plain_words
from rekkyo.search.announced import announced
from rekkyo.search.checks import disagreement
from rekkyo.search.question import without_symmetry
from rekkyo.verify import violations

ENGINE = CoverBitset.name

CHECKED_EVERY = 16


class SmallAnswer(NamedTuple):
    """The result of a small search; unique and left_out as in `Outcome`. seconds: without compiling."""

    total: int
    unique: int | None
    nodes: int
    left_out: str | None
    seconds: float


def small_answers(puzzles: Sequence[Puzzle], up_to: str) -> tuple[list[SmallAnswer | None], float]:
    """The answers for those puzzles that are small, and the seconds of compiling.

    Small ones whose orbits are asked for are left to the usual way as well. The first solution of each is
    checked by the definition, and the last one of one in CHECKED_EVERY. Raises BadInput, CountsDisagree.
    """
    small = {index: model for index, puzzle in enumerate(puzzles) if (model := _small_model(puzzle, up_to))}
    answers: list[SmallAnswer | None] = [None] * len(puzzles)
    if not small:
        return answers, 0.0
    started = time.perf_counter()
    if not is_compiled():
        with announced(f"engine {ENGINE}"):
            count_small([])
    compiled = time.perf_counter()
    counts = count_small(list(small.values()))
    seconds = (time.perf_counter() - compiled) / len(small)
    for place, (index, found) in enumerate(zip(small, counts, strict=True)):
        if found is not None:
            _check(puzzles[index], found, 2 if place % CHECKED_EVERY == 0 else 1)
            answers[index] = _answer(puzzles[index], up_to, found, seconds)
    return answers, compiled - started


def _small_model(puzzle: Puzzle, up_to: str) -> ExactCover | None:
    """The model to search; None unless it is small and no group is needed."""
    if puzzle.relations or puzzle.generators_up_to(up_to):
        return None
    model = lower(puzzle.model)
    return model if isinstance(model, ExactCover) and is_small(model) else None


def _answer(puzzle: Puzzle, up_to: str, found: SmallCount, seconds: float) -> SmallAnswer:
    """The answer. If it is known that there is no symmetry, every solution is an orbit."""
    asks_for_total = plain_words(up_to) == "none"
    unique = found.total if puzzle.knows_symmetry and not asks_for_total else None
    left_out = None if puzzle.knows_symmetry or asks_for_total else without_symmetry(puzzle)
    return SmallAnswer(found.total, unique, found.nodes, left_out, seconds)


def _check(puzzle: Puzzle, found: SmallCount, how_many: int) -> None:
    """Check the first solution, or that and the last one, by the definition."""
    samples = found.samples(how_many)
    for row in samples:
        problems = violations(puzzle.model, row)
        if problems:
            what = f"{row} is not a solution ({problems[0]})"
            raise disagreement(puzzle.name, what, "definition", f"engine {ENGINE}, ")
    if len(samples) == 2 and samples[0] == samples[1]:
        raise disagreement(puzzle.name, "a solution came twice", "neighbours", f"engine {ENGINE}, ")
