"""The shape of a search: the number of nodes at each depth of its tree, for engines and for methods.

The nodes of a method (`rekkyo.methods.walks`) are counted in a short walk and estimated for a long one, of a
deep tree only those of the first depths. An engine does not report the depth of a node. Its whole tree is
counted if that is quick; the first depths come from `split`, for cuts whose shards all have the same number
of decisions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.sampling import ShardSampler
from rekkyo.errors import EngineRefuses
from rekkyo.methods.ladder import Method, run_method
from rekkyo.methods.walks import Way, nodes_by_depth, ways_for
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.wording import several

MAX_SHARDS = 2_000
ALL_CUTS, MAX_CUTS = 10, 24
"""The number of cuts with one shard more each; later cuts have half as many more."""

WHOLE_NODES = 1 << 20
"""The most nodes of an engine's search that is counted."""

MAX_MOVES = 200_000
"""The most moves of a walk that is counted."""

MAX_ESTIMATING = 1 << 20
"""The moves after which an estimate goes no deeper: some seconds, or half a minute for empty sudokus."""

MAX_DEPTH = 400
LIMIT_S = 3.0

WITHOUT_TREE = ("cover-diagram", "csp-diagram")
"""The engines that build a diagram before they list, which takes long and is not a tree."""


class Profile(NamedTuple):
    """nodes[d - 1]: the number of nodes, or partial solutions, with d decisions. summary: of the whole
    tree.
    """

    name: str
    nodes: tuple[float, ...]
    summary: str


class Rung(NamedTuple):
    """The cost of one method of a ladder for each size: (size, nodes, seconds)."""

    name: str
    outcomes: tuple[tuple[int, int, float], ...]


def search_profiles(puzzle: Puzzle) -> list[Profile]:
    """A profile for each engine that lists solutions and shows some depth of its tree, and for each
    method.
    """
    model = lower(puzzle.model)
    listing = registry.listing_engines_for(model)
    engines = [engine for engine in listing if engine.name not in WITHOUT_TREE]
    found = [_of_engine(model, engine) for engine in engines]
    if model.row_shape.length <= MAX_DEPTH:
        found += [_of_way(way, model) for way in ways_for(model)]
    return [profile for profile in found if profile is not None]


def _of_engine(model: Model, engine: ListingEngine[Any, Any]) -> Profile | None:
    try:
        plan = engine.plan(model)
    except EngineRefuses:
        return None
    depths = _even_cuts(engine, plan)
    if not depths:
        return None
    draws = ShardSampler(engine, plan, model.row_shape).draw(1, 1, 1, WHOLE_NODES)
    n_nodes = several(int(draws.nodes[0]), "node") if len(draws.nodes) else f"more than {WHOLE_NODES:,} nodes"
    last = max(depths)
    nodes = tuple(float(depths.get(depth, 0)) for depth in range(1, last + 1))
    return Profile(f"engine {engine.name}", nodes, f"{n_nodes}; seen to depth {last}")


def _even_cuts(engine: ListingEngine[Any, Any], plan: Any) -> dict[int, int]:
    """The number of partial solutions at each depth at which some cut is even."""
    depths: dict[int, int] = {}
    n_shards = 0
    for cut in range(MAX_CUTS):
        shards = engine.split(plan, n_shards + 1 if cut < ALL_CUTS else n_shards * 3 // 2 + 1)
        if len(shards) <= n_shards or len(shards) > MAX_SHARDS:
            break
        n_shards = len(shards)
        lengths = {len(shard.prefix) for shard in shards}
        if len(lengths) == 1 and (depth := lengths.pop()):
            depths[depth] = n_shards
    return depths


def _of_way(way: Way, model: Model) -> Profile:
    depths = nodes_by_depth(lambda: way.walk(model), model.row_shape.length, MAX_MOVES, MAX_ESTIMATING)
    total = sum(depths.nodes)
    if depths.is_exact:
        summary = several(int(total), "node")
    elif depths.is_whole:
        summary = f"about {_rounded(total)} nodes, estimated"
    else:
        summary = f"estimated to depth {len(depths.nodes)}"
    return Profile(f"method {way.name}", depths.nodes, summary)


def _rounded(value: float) -> str:
    """The value with two significant digits."""
    return f"{float(f'{value:.1e}'):,.0f}" if value < 1e12 else f"{value:.1e}"


def climb(methods: Sequence[Method], largest: int) -> list[Rung]:
    """Run every method of a ladder for sizes from 1, as long as a size should take less than LIMIT_S."""
    return [Rung(method.title, tuple(_outcomes(method, largest))) for method in methods]


def _outcomes(method: Method, largest: int) -> list[tuple[int, int, float]]:
    outcomes = []
    for n in range(1, min(largest, method.practical_up_to) + 1):
        started = time.process_time()
        outcome = run_method(method, n)
        took = time.process_time() - started
        assert outcome.nodes is not None
        outcomes.append((n, outcome.nodes, took))
        if took > LIMIT_S / 6:  # the next size takes about six times as long
            break
    return outcomes
