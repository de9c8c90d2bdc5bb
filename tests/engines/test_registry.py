"""The registry: every engine is in the family of its models, and no family is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rekkyo.engines.registry import FAMILIES, AnyEngine, all_engines, engine_named

SCRIPT = """
import sys
import rekkyo as rk
print(rk.count(rk.puzzle("queens 5"), workers=1).total)
print(*sorted({name.split(".")[2] for name in sys.modules if name.startswith("rekkyo.engines.")}))
"""


def types_of(model_type: type | tuple[type, ...]) -> set[type]:
    return set(model_type) if isinstance(model_type, tuple) else {model_type}


def test_a_family_accepts_what_its_engines_accept() -> None:
    for family, types in FAMILIES:
        assert set().union(*(types_of(engine.model_type) for engine in family())) == set(types)


@pytest.mark.parametrize("engine", [*all_engines()], ids=lambda engine: engine.name)
def test_names_are_found(engine: AnyEngine) -> None:
    assert [each for each in all_engines() if each.name == engine.name] == [engine]
    assert engine_named(engine.name) is engine


def test_short_counts_import_few_families() -> None:
    """Importing all of them takes as long as importing Numba."""
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    total, imported = ended.stdout.splitlines()
    assert total == "10"
    assert "queens" in imported.split()
    assert not {"sums", "colorings", "csp", "frontier", "diagram"}.intersection(imported.split())
