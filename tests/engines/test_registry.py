"""The registry: every engine is in the family of its models, and none is imported before it is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rekkyo import engines
from rekkyo.engines.registry import (
    FAMILIES,
    AnyEngine,
    all_engines,
    counting_engine,
    engine_named,
    listing_engine,
    share_search_code,
)
from rekkyo.errors import EngineRefuses
from rekkyo.kernel_cache import _source

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


ENGINES = Path(str(engines.__file__)).parent
KERNEL = re.compile(r"^@\w*kernel", re.MULTILINE)
NO_SEARCH = {"sampling.py", "out.py", "csp/numbering.py", "bisecting.py", "limbs.py", "hashing.py"}
"""Compiled code that no search is pruned by: draws, the writing of rows and of values into them, places in sorted
numbers, sums of long numbers, and first places in hash tables, all of which are right."""

NARROWING = {"csp/narrowed.py"}
"""Modules that leave out values before a search."""

NOT_CALLED = {
    frozenset({"queens-join", "queens-bitmap"}),  # reads which squares are free
    *(
        frozenset({one, other})
        for one in ("cover-diagram", "csp-diagram")
        for other in ("queens-cover", "cover-bitset", "csp-cover")
    ),
    # Both compare a colouring with its images, where only representatives are searched for.
    frozenset({"coloring-masks", "coloring-counters"}),
}
"""Engines that reach kernels of each other by what their modules import, but do not search by them."""


def types_of(model_type: type | tuple[type, ...]) -> set[type]:
    return set(model_type) if isinstance(model_type, tuple) else {model_type}


def test_a_family_accepts_what_its_engines_accept() -> None:
    for family in FAMILIES:
        engines = map(engine_named, family.names)
        assert set().union(*(types_of(engine.model_type) for engine in engines)) == set(family.types)


def kernels_reached(engine: AnyEngine) -> set[str]:
    """The modules with compiled code, or that leave out values, that an engine imports, also indirectly."""
    waiting, seen = [str(sys.modules[type(engine).__module__].__file__)], set[str]()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _source(path)[1]
    ours = [path for path in map(Path, seen) if path.is_relative_to(ENGINES)]
    found = {path.relative_to(ENGINES).as_posix() for path in ours if KERNEL.search(path.read_text("utf-8"))}
    return (found | NARROWING & {path.relative_to(ENGINES).as_posix() for path in ours}) - NO_SEARCH


def test_engines_with_the_same_kernels_are_known_to_share_them() -> None:
    """A recount by such an engine is not independent."""
    kernels = {engine.name: kernels_reached(engine) for engine in all_engines()}
    assert {"covers/bitset/kernel_search.py"} <= kernels["csp-cover"]
    alike = {frozenset(pair) for pair in combinations(kernels, 2) if kernels[pair[0]] & kernels[pair[1]]}
    assert alike - NOT_CALLED == {
        frozenset(pair) for pair in combinations(kernels, 2) if share_search_code(*pair)
    }
    assert alike >= NOT_CALLED


@pytest.mark.parametrize("engine", [*all_engines()], ids=lambda engine: engine.name)
def test_names_are_found(engine: AnyEngine) -> None:
    assert [each for each in all_engines() if each.name == engine.name] == [engine]
    assert engine_named(engine.name) is engine


@pytest.mark.parametrize("choose", [counting_engine, listing_engine])
def test_a_model_that_no_engine_accepts(choose: Callable[[Any], AnyEngine]) -> None:
    reasons = "queens-join counts queens models only; .*; csp-plain searches .* only"
    with pytest.raises(EngineRefuses, match=f"no engine accepts this model: {reasons}"):
        choose(object())


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
