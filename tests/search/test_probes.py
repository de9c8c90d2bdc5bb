"""Estimates of how long a search takes, by one worker and by several."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.search.cutting import Into
from rekkyo.search.probes import N_PROBES, Probes
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import crew


def searched(puzzle: rk.Puzzle, n_shards: int) -> Search:
    question = ask(
        puzzle,
        engine=None,
        up_to="none",
        lists=True,
        every_solution=True,
        hands_on_rows=False,
        hashes=False,
        workers=1,
        sizes=Sizes(moment_nodes=8),
    )
    return prepare(question, Into(n_shards))


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("words", ["queens 7", "langford 7", "magic-square 3"])
def test_estimates_do_not_depend_on_the_workers(words: str, workers: int) -> None:
    """Neither of long shards nor of short ones, of which more are searched."""
    search = searched(rk.puzzle(words), 16)
    alone, shared = Probes(search), Probes(search)
    with crew(workers) as together:
        for of_each in (0.5, 2, 8, 32, 512):
            assert shared.least_moments(of_each, together) == alone.least_moments(of_each)
            assert shared.are_over == alone.are_over
            assert len(shared._probes) == len(alone._probes)
    assert len(alone._probes) > N_PROBES
