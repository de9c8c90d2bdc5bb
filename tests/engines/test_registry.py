"""The registry: every engine is in the family of its models."""

from __future__ import annotations

import pytest

from rekkyo.engines.registry import FAMILIES, AnyEngine, all_engines, engine_named


def types_of(model_type: type | tuple[type, ...]) -> set[type]:
    return set(model_type) if isinstance(model_type, tuple) else {model_type}


def test_a_family_accepts_what_its_engines_accept() -> None:
    for family, types in FAMILIES:
        assert set().union(*(types_of(engine.model_type) for engine in family())) == set(types)


@pytest.mark.parametrize("engine", [*all_engines()], ids=lambda engine: engine.name)
def test_names_are_found(engine: AnyEngine) -> None:
    assert [each for each in all_engines() if each.name == engine.name] == [engine]
    assert engine_named(engine.name) is engine
