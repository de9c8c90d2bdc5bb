"""The shape of a search: how many nodes each depth of its tree has, for engines and for methods.

An engine's tree is seen through `split`: cut into at least k shards, for growing k, it shows its partial
solutions depth by depth, and the depth of a shard is the number of decisions in its prefix. What an engine
decides differs from one to the next: a queen, an option, a colour. Engines that cut unevenly, or not at all,
show what they have. A method of the queens ladder is walked step by step, and the depth is the number of
queens.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.errors import EngineRefuses
from rekkyo.methods.ladder import Method, run_method
from rekkyo.methods.queens.ladder import QUEENS_METHODS
from rekkyo.methods.queens.steps import steps
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.queens import Queens

MAX_SHARDS = 60_000
MAX_STEPS = 1_500_000


@dataclass(frozen=True, slots=True)
class Profile:
    """nodes[d - 1]: how many nodes, or partial solutions, have d decisions. is_whole: none is left out."""

    name: str
    nodes: tuple[int, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Rung:
    """What one method of a ladder took for each size: (size, nodes, seconds)."""

    name: str
    outcomes: tuple[tuple[int, int, float], ...]


def search_profiles(puzzle: Puzzle) -> list[Profile]:
    """For each engine that lists solutions and can be cut, and for the methods of the queens ladder."""
    engines = [engine for engine in registry.ENGINES if isinstance(engine, ListingEngine)]
    found = [profile for engine in engines if (profile := _of_engine(puzzle, engine)) is not None]
    return found + _of_methods(puzzle)


def _of_engine(puzzle: Puzzle, engine: ListingEngine[Any, Any]) -> Profile | None:
    model = lower(puzzle.model)
    if not engine.accepts(model):
        return None
    try:
        plan = engine.plan(model)
    except EngineRefuses:
        return None
    by_depth: dict[int, int] = {}
    n_shards, is_whole = 0, False
    while n_shards < MAX_SHARDS:
        shards = engine.split(plan, n_shards + 1)
        if len(shards) <= n_shards:
            is_whole = True
            break
        n_shards = len(shards)
        for depth, number in Counter(len(shard.prefix) for shard in shards).items():
            by_depth[depth] = max(number, by_depth.get(depth, 0))
    depths = range(1, max(by_depth, default=0) + 1)
    if not depths:
        return None
    return Profile(f"engine {engine.name}", tuple(by_depth.get(depth, 0) for depth in depths), is_whole)


def _of_methods(puzzle: Puzzle) -> list[Profile]:
    model = puzzle.model
    if not isinstance(model, Queens) or model.blocked or model.given or model.toroidal:
        return []
    return [_of_method(name, model.n) for name in dict.fromkeys(method.name for method in QUEENS_METHODS)]


def _of_method(name: str, n: int) -> Profile:
    nodes = [0] * n
    depth = n_steps = 0
    for step in islice(steps(name, n), MAX_STEPS):
        n_steps += 1
        if step.kind == "place":
            nodes[depth] += 1
            depth += 1
        elif step.kind == "lift":
            depth -= 1
    return Profile(f"method {name}", tuple(nodes), n_steps < MAX_STEPS)


def climb(methods: Sequence[Method], largest: int, *, seconds: float = 3.0) -> list[Rung]:
    """Run every method of a ladder for sizes from 1, until a size took more than some seconds."""
    return [Rung(method.title, tuple(_outcomes(method, largest, seconds))) for method in methods]


def _outcomes(method: Method, largest: int, seconds: float) -> list[tuple[int, int, float]]:
    outcomes = []
    for n in range(1, min(largest, method.practical_up_to) + 1):
        started = time.process_time()
        outcome = run_method(method, n)
        took = time.process_time() - started
        assert outcome.nodes is not None
        outcomes.append((n, outcome.nodes, took))
        if took > seconds / 6:  # the next size takes about six times as long
            break
    return outcomes
