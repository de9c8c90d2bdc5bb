"""The length of the rows of covers: the least of three bounds, by their definitions."""

from __future__ import annotations

from hypothesis import given

from rekkyo.model.exact_cover import ExactCover
from tests import made_once as st


@st.composite
def covers(draw: st.DrawFn) -> ExactCover:
    """Some primary items without options, secondary items, items of an option in any order, bounds."""
    n_primary, n_secondary = draw(st.integers(1, 6)), draw(st.integers(0, 3))
    options = []
    for _ in range(draw(st.integers(0, 12))):
        items = draw(st.sets(st.integers(0, n_primary + n_secondary - 1), max_size=4))
        items |= {draw(st.integers(0, n_primary - 1))}
        options.append(tuple((item, 0) for item in draw(st.permutations(sorted(items)))))
    bounds = [(1, draw(st.integers(1, 3))) for _ in range(n_primary)] if draw(st.booleans()) else []
    names = [f"i{item}" for item in range(n_primary + n_secondary)]
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), tuple(options), tuple(bounds))


@given(model=covers())
def test_is_the_least_of_three_bounds(model: ExactCover) -> None:
    primary = range(len(model.primary))
    covered = [{item for item, _ in option if item in primary} for option in model.options]
    kept = set(primary)
    for item in primary:  # left out if the others still meet every option
        if all(items & (kept - {item}) for items in covered):
            kept -= {item}
    highs = [model.bounds_of(item)[1] for item in primary]
    by_number = sum(highs) // min(map(len, covered), default=1)
    bounds = by_number, sum(highs[item] for item in kept), len(model.options)
    assert model.row_shape.length == max(1, min(bounds))
