"""The registry: every engine is in the family of its models, and none is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rekkyo.engines.registry import FAMILIES, AnyEngine, all_engines, engine_named

SCRIPT = """
import sys
import rekkyo as rk
def two_different_numbers():
    problem = rk.Problem()
    problem.all_different(problem.variables("ab", range(3)))
    return problem.puzzle("two different numbers")

print(rk.count(PUZZLE, workers=1).total)
print(*sorted(name for name in sys.modules if name.startswith("rekkyo.engines.")))
"""


def types_of(model_type: type | tuple[type, ...]) -> set[type]:
    return set(model_type) if isinstance(model_type, tuple) else {model_type}


def test_a_family_accepts_what_its_engines_accept() -> None:
    for family in FAMILIES:
        engines = map(engine_named, family.names)
        assert set().union(*(types_of(engine.model_type) for engine in engines)) == set(family.types)


@pytest.mark.parametrize("engine", [*all_engines()], ids=lambda engine: engine.name)
def test_names_are_found(engine: AnyEngine) -> None:
    assert [each for each in all_engines() if each.name == engine.name] == [engine]
    assert engine_named(engine.name) is engine


@pytest.mark.parametrize("engine", [*all_engines()], ids=lambda engine: engine.name)
def test_no_engine_lacks_a_method(engine: AnyEngine) -> None:
    """`Engine` is no `ABC`, so Python makes an engine that lacks one, and the method returns None."""
    own = type(engine)
    assert [name for name in dir(own) if getattr(getattr(own, name), "__isabstractmethod__", False)] == []


@pytest.mark.parametrize(
    ("puzzle", "total", "needed", "others"),
    [
        ("rk.puzzle('queens 5')", "10", "queens.bitmap", ("sums", "colorings", "csp", "frontier", "diagram")),
        (
            "two_different_numbers()",
            "6",
            "csp.propagating",
            ("queens", "sums", "colorings", "csp.frontier", "csp.values"),
        ),
    ],
)
def test_short_counts_import_few_engines(
    puzzle: str, total: str, needed: str, others: tuple[str, ...]
) -> None:
    """Importing all of them takes as long as importing Numba."""
    script = SCRIPT.replace("PUZZLE", puzzle)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found, imported = ended.stdout.splitlines()
    assert found == total
    assert f"rekkyo.engines.{needed}.engine" in imported.split()
    assert not [
        name for name in imported.split() for other in others if name.startswith(f"rekkyo.engines.{other}")
    ]
