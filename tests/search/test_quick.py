"""The search that begins goes on where dives say that the preferred engine has far more nodes."""

from __future__ import annotations

from random import Random

import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search import race
from rekkyo.search.sizes import Sizes

FINE = Sizes(moment_nodes=1000)
"""Short searches seem to be long."""


def irregular(n_items: int, n_options: int) -> rk.Puzzle:
    """Random triples of items, which have no order in which all of them are short."""
    dice = Random(0)
    options = {tuple((item, 0) for item in sorted(dice.sample(range(n_items), 3))) for _ in range(n_options)}
    items = tuple(f"i{number}" for number in range(n_items))
    return rk.Puzzle("irregular", ExactCover(items, (), tuple(sorted(options))), "Triples")


@pytest.fixture(autouse=True)
def unmerged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "can_be_merged", lambda _: False)
    monkeypatch.setattr(CoverFrontier, "accepts", lambda *_: False)


def test_an_irregular_cover_is_searched_by_the_fewest_options() -> None:
    puzzle = irregular(27, 180)
    preferred = registry.counting_engine(puzzle.model, asks_for_total=True)
    assert preferred.name == "cover-masks"
    counted = rk.count(puzzle, up_to="none", workers=1, sizes=FINE)
    assert counted.engine == "cover-bitset"
    assert counted.total == rk.count(puzzle, up_to="none", workers=1, engine="cover-masks").total > 0


def test_short_tiles_are_laid_in_order() -> None:
    puzzle = rk.packing("\n".join(["#" * 9] * 9), "AA\nA.", times={"A": (0, None)})
    counted = rk.count(puzzle, up_to="none", workers=1)
    assert counted.engine == "cover-masks"
    assert counted.total == rk.count(puzzle, up_to="none", workers=1, engine="cover-memo").total
