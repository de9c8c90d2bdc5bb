"""A count by a search that seemed short: merging is tried again beside it, and both give the same answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import rekkyo as rk
from rekkyo.ask import count as counting
from rekkyo.search import race
from rekkyo.search.cutting import whole_if_long
from rekkyo.search.overdue import racing_if_overdue
from rekkyo.search.progress import Progress
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Moments, Sizes
from tests.engines.csp_counted import grid

AT_ONCE = Sizes(moment_nodes=1, overdue_moments=1, slice_nodes=100)


@pytest.fixture
def nothing_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search seems short, so that none is raced before it is begun."""
    monkeypatch.setattr(counting, "probes_if_long", lambda *_: None)
    monkeypatch.setattr(counting._Counting, "_merged_at_once", lambda _, search: search)


@pytest.mark.usefixtures("nothing_foreseen")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("up_to", "unique"), [("symmetry", 253_756_139_602_144_993), ("none", None)])
def test_a_count_that_would_take_years_is_merged(up_to: str, unique: int | None, workers: int) -> None:
    found = rk.count(grid(10).independent_sets(), up_to=up_to, workers=workers)
    assert found.total == 2_030_049_051_145_980_050  # OEIS A006506
    assert (found.unique, found.engine) == (unique, "csp-frontier")


@pytest.mark.usefixtures("nothing_foreseen")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["symmetry", "none"])
@pytest.mark.parametrize(
    "name",
    ["dominoes 6 6", "hip 4 --any-balance", "sum-free 20", "magic-star 6", "queens 8", "latin-square 4"],
)
def test_who_counts_makes_no_difference(name: str, up_to: str, workers: int) -> None:
    puzzle = rk.puzzle(name)
    found = rk.count(puzzle, up_to=up_to, workers=workers, sizes=AT_ONCE)
    listed = rk.count(puzzle, up_to=up_to, workers=1, digest=True)
    assert (found.total, found.unique) == (listed.total, listed.unique)


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[Moments]:
    """The lengths of the search at which merging was tried, never with success."""
    seen: list[Moments] = []

    def tried(search: Search, taken: Moments, _: object) -> Search:
        seen.append(taken)
        return replace(search, raced=taken)

    monkeypatch.setattr(race, "raced_again", tried)
    return seen


def test_merging_is_tried_whenever_a_search_is_four_times_as_long(tries: list[Moments]) -> None:
    search = replace(prepare(ask(rk.puzzle("langford 7")), whole_if_long), raced=10.0)
    seen: list[Progress] = []
    watch = racing_if_overdue(search, seen.append)
    moment = search.uncut.moment_nodes
    looks = [Progress(0, n * moment, 0, 1, 0.0, None) for n in (1, 39, 63, 64, 65, 255, 256, 2000, 2001)]
    for look in (*looks, Progress(0, 9000 * moment, 1, 1, 0.0, None)):  # the last one, after the last shard
        watch(look)
    assert tries == [64, 256, 2000]
    assert len(seen) == len(looks) + 1


def test_a_search_against_which_merging_had_long_is_not_overdue_soon(tries: list[Moments]) -> None:
    search = replace(prepare(ask(rk.puzzle("langford 7")), whole_if_long), raced=1e9)
    watch = racing_if_overdue(search, lambda _: None)
    watch(Progress(0, 10**9 * search.uncut.moment_nodes, 0, 1, 0.0, None))
    assert tries == []


@pytest.mark.parametrize(
    "asked",
    [
        lambda puzzle: rk.count(puzzle, engine="coloring-masks", sizes=AT_ONCE),
        lambda puzzle: rk.count(puzzle, digest=True, sizes=AT_ONCE),
        lambda puzzle: rk.count(puzzle, limit=50_000, sizes=AT_ONCE),
        lambda puzzle: rk.orbits(puzzle, sizes=AT_ONCE),
    ],
)
def test_merging_is_not_tried_where_it_cannot_answer(
    asked: Callable[[rk.Puzzle], object], tries: list[Moments]
) -> None:
    asked(grid(4).independent_sets())
    assert tries == []
