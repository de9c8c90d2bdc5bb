"""Intervals of means: by their definitions, for skewed values, and for equal values."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, sqrt
from statistics import fmean, stdev, variance
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from rekkyo.ask.interval import Range, RunningMean, student_quantile
from tests import made_once as st


def moments_of(values: Iterable[float]) -> RunningMean:
    moments = RunningMean()
    for value in values:
        moments.add(value)
    return moments


@given(
    st.lists(st.integers(0, 1000), min_size=6, max_size=40),
    st.sampled_from([1.0, 1e150]),
)
def test_intervals_are_those_of_all_values_at_once(values: list[int], unit: float) -> None:
    """They are Student's, corrected for skewness, by the definitions. Cubes of 10^150 are too large for
    floats.
    """
    assume(stdev(values) > 0.01 * fmean(values) > 0)
    n, mean, error = len(values), fmean(values), stdev(values) / sqrt(len(values))
    middle = mean + fmean((value - mean) ** 3 for value in values) / (6 * variance(values) * n)
    half = student_quantile(n - 1) * error
    found = moments_of(value * unit for value in values).interval(100)
    assert found.value / unit == pytest.approx(mean)
    assert found.low / unit == pytest.approx(max(0.0, min(mean, middle - half)), abs=1e-9 * mean)
    assert found.high is not None
    assert found.high / unit == pytest.approx(max(mean, middle + half, mean * exp(half / mean)))


def test_equal_values_have_an_interval_of_what_no_draw_met() -> None:
    assert moments_of([0.0, 0.0]).interval(10) == Range(0.0, 0.0, None)
    assert moments_of([0.1]).interval(1) == Range(0.1, 0.1, 0.1)
    found = moments_of([0.1] * 1000).interval(59)
    assert found.value == 0.1
    assert (found.low, found.high) == (pytest.approx(0.095, rel=0.01), pytest.approx(0.105, rel=0.01))


def test_intervals_of_skewed_draws() -> None:
    """The means are those of the lognormal distribution. Without the logarithm 86 % of the intervals held the
    true one.
    """
    random = np.random.default_rng(1)
    held = sum(
        holds(moments_of(random.lognormal(0, 1, 16).tolist()).interval(1600), exp(0.5)) for _ in range(1500)
    )
    assert held > 0.88 * 1500


def holds(given: Any, truth: float) -> bool:
    assert given.low <= given.value
    return given.low <= truth and (given.high is None or truth <= given.high)


def test_quantiles_of_student() -> None:
    """The values are those of Abramowitz and Stegun, table 26.10."""
    expected = {1: 12.706, 2: 4.303, 4: 2.776, 5: 2.571, 9: 2.262, 15: 2.131, 30: 2.042}
    for freedom, quantile in expected.items():
        assert student_quantile(freedom) == pytest.approx(quantile, rel=0.003)
