"""How long merging takes, foreseen from its first levels."""

from __future__ import annotations

from itertools import accumulate
from math import exp, inf

import pytest

import rekkyo as rk
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.frontier.forecast import foreseen_nodes
from rekkyo.engines.frontier.trial import Trial
from rekkyo.model.lower import lower

BELL = [round(exp(0.02 * level * (48 - level))) for level in range(1, 49)]
"""The sizes of 48 levels, with a peak of 100,710 nodes in the middle."""


def test_a_bell_is_foreseen_from_its_beginning() -> None:
    for n_known in range(18, 49):
        assert foreseen_nodes(BELL[:n_known], 48) == pytest.approx(sum(BELL), rel=0.35)


def test_levels_that_rise_longer_are_foreseen_too_low_but_never_below_what_is_known() -> None:
    rising = [2**level for level in range(24)]
    known = list(accumulate(rising))
    foreseen = [foreseen_nodes(rising[: n + 1], 24) for n in range(24)]
    assert all(least <= found for least, found in zip(known, foreseen, strict=True))
    assert foreseen[12] < known[-1] / 100
    assert foreseen[-1] == known[-1]


def test_nothing_is_foreseen_of_few_levels() -> None:
    assert foreseen_nodes([], 48) == inf
    assert foreseen_nodes(BELL[:8], 48) == inf
    assert foreseen_nodes(BELL[:9], 48) < inf
    assert foreseen_nodes([10**9] * 80, 480) == inf
    assert foreseen_nodes([10**9] * 81, 480) < inf
    assert foreseen_nodes([10**18] * 81, 480) == inf, "far beyond all numbers"


@pytest.mark.parametrize("words", ["pentominoes 3 20", "hexiamonds 4 9", "dominoes 12 12"])
def test_packings_are_bells(words: str) -> None:
    """From the level on at which a tenth of the time has passed, within a factor of two."""
    engine, model = CoverFrontier(), lower(rk.puzzle(words).model)
    trial = Trial(engine.plan(model), engine.most_bytes)
    foreseen = []
    while trial.step():
        foreseen.append((trial.moments, trial.moments_foreseen))
    late = [found / trial.moments for moments, found in foreseen if moments >= trial.moments / 10]
    assert 0.5 < min(late) <= max(late) < 2
    assert foreseen[-1] == (trial.moments, pytest.approx(trial.moments))


def test_few_choices_of_a_packing_are_likely_to_fit() -> None:
    engine, model = CoverFrontier(), lower(rk.puzzle("pentominoes 3 20").model)
    trial = Trial(engine.plan(model), engine.most_bytes)
    assert trial.likely_needs == trial.needs
    held = within = 0
    while trial.tally is None:
        likely, most, before = trial.likely_needs, trial.needs, trial.nodes
        trial.step()
        assert trial.nodes - before <= most
        held += trial.nodes - before <= likely
        within += likely <= most / 5
    n_levels = len(engine.plan(model).arrays)
    assert held >= 0.8 * n_levels
    assert within >= 0.8 * n_levels
