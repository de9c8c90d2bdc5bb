"""What the tests of both counting engines for covers share: a model by its words, and the total of all shards."""

from __future__ import annotations

from typing import Any

from rekkyo.catalog import index
from rekkyo.engines.contract import CountingEngine, no_pause
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower


def cover(words: str) -> ExactCover:
    model = lower(index.puzzle(words).model)
    assert isinstance(model, ExactCover)
    return model


def total_of(engine: CountingEngine[Any], model: ExactCover) -> int:
    plan = engine.plan(model)
    return sum(engine.count(plan, shard, no_pause).total for shard in engine.split(plan, 5))
