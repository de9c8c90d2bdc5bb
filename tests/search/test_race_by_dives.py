"""Random dives in a race of merging against a search, and what is left of a search that is probed."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

import rekkyo as rk
from rekkyo.engines.crew import ALONE
from rekkyo.model.puzzle import Puzzle
from rekkyo.search import cutting, merging, race
from rekkyo.search.cutting import Into, Uncut, whole_if_long
from rekkyo.search.probes import Probes
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from tests.engines.csp_counted import grid


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_a_search_that_dives_find_to_be_endless_is_merged_before_it_is_cut(
    up_to: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short search has too few shards and moments to show that it is long."""
    cuts: list[object] = []
    monkeypatch.setattr(cutting, "_few", lambda *how: cuts.append(how))
    puzzle, sizes = grid(7).cycles(hamiltonian=False), Sizes(shards_if_short=1, short_moments=1)
    found = rk.count(puzzle, up_to=up_to, workers=workers, sizes=sizes)
    assert (found.engine, found.total, cuts) == ("csp-frontier", 487150371, [])  # OEIS A140517
    assert found.unique == rk.count(puzzle, up_to=up_to, engine="csp-frontier").unique


@pytest.mark.parametrize("moments", [0, merging.LEAST_MOMENTS / 2, merging.LEAST_MOMENTS])
def test_dives_follow_a_first_try_of_a_search_that_may_be_long(
    moments: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dive takes as long as a first try of merging, and after 0 moments the length of the search is
    unknown.
    """
    dived: list[object] = []
    monkeypatch.setattr(Uncut, "estimated_moments", property(lambda uncut: dived.append(uncut) or 1e6))
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: True)
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", merging.LEAST_IF_LOADED)
    for sizes, is_merged_first in ((DEFAULT_SIZES, True), (Sizes(shards_if_short=1), False)):
        question = ask(grid(6).colorings(3), up_to="none", hands_on_rows=False, workers=1, sizes=sizes)
        search = prepare(question, whole_if_long)
        assert search.is_left_whole
        begun = replace(search.begun, expected=moments)
        merged = race.merged_at_once(replace(search, begun=begun), None)
        may_be_long = not 0 < moments < merging.LEAST_MOMENTS
        assert bool(dived) == (may_be_long and not is_merged_first)
        assert (merged.tally is not None) == (may_be_long or is_merged_first)


@pytest.mark.parametrize(("factor", "bounds"), [(1, [1]), (3, [1, 3])])
def test_what_dives_find_may_be_too_high(
    factor: int, bounds: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small part of the estimate is a lower bound, if it is greater than the sure one."""
    estimated = factor * race.OVERESTIMATED
    monkeypatch.setattr(Uncut, "estimated_moments", estimated)
    sizes = Sizes(shards_if_short=1)
    asked = ask(grid(6).colorings(3), up_to="none", hands_on_rows=False, workers=1, sizes=sizes)
    assert list(race._least_moments(prepare(asked, whole_if_long))) == bounds


def probed_search(puzzle: Puzzle, *, up_to: str = "none", workers: int = 1) -> Search:
    """A search in eight shards, whose probes stop after two moments of some thousand nodes."""
    sizes = Sizes(moment_nodes=1 << 10)
    asked = ask(puzzle, up_to=up_to, hands_on_rows=False, workers=workers, sizes=sizes)
    return prepare(asked, Into(8, may_be_short=True))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_merging_goes_on_after_the_last_round_if_dives_find_the_search_to_be_endless(
    up_to: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Probes that do not end foresee some moments for each shard, and merging takes longer."""
    monkeypatch.setattr(race, "N_ROUNDS", 1)
    monkeypatch.setattr(race, "ROUND_OF_DIVES", 0)
    search = probed_search(grid(8).colorings(3), up_to=up_to, workers=workers)
    probes = Probes(search)
    merged = race.merged_if_faster(search, probes, None)
    assert probes.least_moments(0) < merging.LEAST_IF_KEPT
    assert merged.tally is not None
    assert merged.tally.total == 3 * 13574876544396  # OEIS A068253
    assert (merged.group is None) == (up_to == "none")


@pytest.mark.parametrize("estimated", [0.0, race.OVERESTIMATED * 64.0, inf])
def test_the_search_goes_on_if_dives_find_it_to_be_short(
    estimated: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merging begins against no less than 512 moments, if it has to be compiled."""
    monkeypatch.setattr(race, "N_ROUNDS", 1)
    monkeypatch.setattr(race, "ROUND_OF_DIVES", 0)
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", merging.LEAST_MOMENTS)
    monkeypatch.setattr(merging, "LEAST_IF_LOADED", merging.LEAST_MOMENTS)
    monkeypatch.setattr(Uncut, "estimated_moments", estimated)
    search = probed_search(grid(8).colorings(3))
    merged = race.merged_if_faster(search, Probes(search), None)
    assert (merged.tally is not None) == (estimated == inf)


@pytest.mark.parametrize(("more", "n_rounds"), [(0, 5), (1, 2)])
def test_no_round_follows_dives_that_expect_more_than_probes_can_show(
    more: int, n_rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each shard takes at least as many moments as it was searched."""
    search = probed_search(grid(8).colorings(3))
    n_shards = len(search.shards)
    by_dives = race.LAST_MOMENTS * n_shards + more
    monkeypatch.setattr(Uncut, "estimated_moments", by_dives * race.OVERESTIMATED)
    monkeypatch.setattr(Probes, "are_over", False)
    monkeypatch.setattr(Probes, "least_moments", lambda _, of_each, __: n_shards * of_each)
    bounds = list(race._growing_bounds(search, Probes(search), ALONE))
    assert bounds == [n_shards * of_each for of_each in (2, 8, 32, 128, 512)[:n_rounds]] + [by_dives] * more


def test_merging_competes_with_what_is_left_of_a_search() -> None:
    """Shards that probes have searched are not searched again."""
    search = probed_search(grid(4).colorings(3))
    probes = Probes(search)
    (left,) = race._growing_bounds(search, probes, ALONE)
    kept = probes.kept_in(search)
    nodes = sum(max(1, block.nodes) for blocks in kept.known.values() for block in blocks)
    assert nodes > 0
    assert left == probes.least_moments(0) - nodes / search.uncut.moment_nodes


def test_no_dive_follows_probes_that_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Uncut, "estimated_moments", None)
    search = probed_search(grid(4).colorings(3))
    bounds = list(race._growing_bounds(search, Probes(search), ALONE))
    assert len(bounds) == 1
    assert bounds[0] < 8
