"""Counting many puzzles in one call, for authors of puzzles."""

from __future__ import annotations

from collections.abc import Iterable

from rekkyo.ask.count import Count, count, small_count
from rekkyo.model.checks import listed
from rekkyo.model.puzzle import Puzzle, check_puzzle, plain_words
from rekkyo.search.question import number_of_workers
from rekkyo.search.small import small_answers

MOST_AT_ONCE = 1 << 12
"""The most puzzles in one call of a kernel, so that Ctrl-C need not wait long."""


def counts(puzzles: Iterable[Puzzle], *, workers: int | None = None, up_to: str = "symmetry") -> list[Count]:
    """Count each puzzle as `count` does, in the same order; ten times as fast for thousands of small ones.

    Covers of at most 64 options are searched together by one thread, and their elapsed_s is the mean; other
    puzzles are searched one after the other. workers, up_to: as in `count`. Raises the errors of `count`.
    """
    puzzles = listed("puzzles are expected, one after the other", puzzles)
    for puzzle in puzzles:
        check_puzzle(puzzle)
    plain_words(up_to)  # each puzzle checks the words
    n_workers = number_of_workers(workers)
    found: list[Count] = []
    for first in range(0, len(puzzles), MOST_AT_ONCE):
        some = puzzles[first : first + MOST_AT_ONCE]
        answers, compile_s = small_answers(some, up_to)
        for puzzle, answer in zip(some, answers, strict=True):
            if answer is None:
                found.append(count(puzzle, workers=workers, up_to=up_to))
            else:
                found.append(small_count(puzzle, answer, up_to, n_workers, compile_s))
                compile_s = 0.0
    return found
