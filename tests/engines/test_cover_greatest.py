"""The greatest colours and times that a cover may have, in every engine for covers."""

from __future__ import annotations

from typing import Any

import pytest

from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.model.exact_cover import MAX_COLOR, MAX_TIMES, ExactCover
from tests import naive_cover
from tests.engines.covers_counted import total_of
from tests.engines.listing_contract import list_all

COLORS = ExactCover(
    ("a", "b", "c"),
    ("s", "t"),
    (
        ((0, 0), (3, MAX_COLOR)),
        ((0, 0), (3, MAX_COLOR - 1), (4, 1)),
        ((1, 0), (3, MAX_COLOR), (4, MAX_COLOR)),
        ((1, 0), (3, 1), (4, 1)),
        ((2, 0), (3, MAX_COLOR - 1), (4, 1)),
        ((2, 0), (4, MAX_COLOR)),
        ((1, 0), (3, MAX_COLOR - 1)),
    ),
)
TIMES = ExactCover(
    ("a", "b", "c"),
    (),
    (((0, 0), (1, 0)), ((0, 0),), ((0, 0), (2, 0)), ((1, 0),), ((1, 0), (2, 0))),
    ((0, MAX_TIMES), (2, MAX_TIMES), (1, MAX_TIMES)),
)
BOTH = ExactCover(COLORS.primary, COLORS.secondary, COLORS.options, ((0, MAX_TIMES), (1, MAX_TIMES), (1, 1)))
HOPELESS = ExactCover(TIMES.primary, (), TIMES.options, ((MAX_TIMES, MAX_TIMES), (1, 1), (1, 1)))

MODELS = {"colors": COLORS, "times": TIMES, "both": BOTH, "hopeless": HOPELESS}
TAKEN = [
    (engine, name)
    for engine in registry.all_engines()
    for name, model in MODELS.items()
    if engine.name.startswith("cover-") and engine.accepts(model)
]


@pytest.mark.kernel
@pytest.mark.parametrize(("engine", "name"), TAKEN, ids=lambda part: getattr(part, "name", part))
def test_every_engine_that_takes_the_greatest_numbers_is_right(engine: Any, name: str) -> None:
    model = MODELS[name]
    expected = naive_cover.solutions(model)
    if isinstance(engine, ListingEngine):
        assert sorted(list_all(engine, model, 3, 10, 100)) == expected
    else:
        assert total_of(engine, model) == len(expected)


def test_which_engines_take_them() -> None:
    any_number = {"cover-bitset", "cover-cells", "cover-frontier", "cover-memo", "cover-diagram"}
    assert {engine.name for engine, name in TAKEN if name == "times"} == any_number
    assert {engine.name for engine, name in TAKEN if name == "colors"} == any_number | {"cover-parts"}
