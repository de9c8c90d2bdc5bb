"""The pilot of an estimate: a few draws of each level choose the one with the least variance per node.

Deep draws are cheap and mostly find nothing, shallow draws are expensive and vary little. The pilot depends
on the seed and not on the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.registry import listing_engines_for
from rekkyo.engines.sampling import Sampler
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.search.question import Question

PILOT_MOMENTS, BATCH_MOMENTS = 32, 16
LEAST_PILOT_DRAWS = 16
LEAST_HITS = 64
"""The least number of draws with a solution for which the variance of the pilot is used."""

FAR = 16
"""How many times more nodes a search must be expected to have than the draws can cover to be refused at once.
Random dives are right on average, so this is wrong once in 16 times at most."""

LEAST_SHARDS, MAX_SHARDS = 1 << 6, 1 << 20


@dataclass(frozen=True, slots=True)
class Budgets:
    """The limits of an estimate. The tests use other values.

    whole_nodes: a search with no more nodes is done in full. pilot_nodes, pilot_draws: the most nodes and
    draws of the pilot at each level. batch_nodes: the nodes of a batch of draws; there are LEAST_BATCHES or
    more unless fewer draws are requested. shards: the most shards, for an engine without its own sampler.
    whole_moments, pilot_moments, cut_moments: limit whole_nodes, pilot_nodes and shards, see `within`.
    """

    whole_nodes: int = 1 << 20
    pilot_nodes: int = 1 << 20
    pilot_draws: int = 1 << 14
    batch_nodes: int = 1 << 19
    shards: int = MAX_SHARDS
    whole_moments: int = 64
    pilot_moments: int = PILOT_MOMENTS
    cut_moments: int = 16

    def within(self, moment_nodes: int) -> Budgets:
        """Limit the nodes to whole_moments, pilot_moments and BATCH_MOMENTS moments.

        At 10 us for a node, a million nodes would take 10 s. A shard takes several nodes to cut, each from
        the root if states are large: 16,384 shards of a Hidato of 8x8, of 59 nodes in a moment, took 40 s.
        """
        return replace(
            self,
            whole_nodes=min(self.whole_nodes, self.whole_moments * moment_nodes),
            pilot_nodes=min(self.pilot_nodes, self.pilot_moments * moment_nodes),
            batch_nodes=min(self.batch_nodes, BATCH_MOMENTS * moment_nodes),
            shards=min(self.shards, max(LEAST_SHARDS, self.cut_moments * moment_nodes)),
        )


SHORT_S = 1.0
SHORT = Budgets(
    whole_nodes=1 << 16, pilot_nodes=1 << 15, pilot_draws=1 << 10, batch_nodes=1 << 14, shards=1 << 12
)
SHORT_BUDGETS = (SHORT, replace(SHORT, pilot_nodes=4 * SHORT.pilot_nodes))
"""The budgets of estimates of less than SHORT_S: for 0.1 s of draws of pentominoes 6 10, the usual pilot took
3 s. The second is for puzzles for which the pilot of the first finds too few draws; then the usual ones are
tried."""

LONG_S = 5.0
MEDIUM = Budgets(whole_nodes=1 << 18, pilot_nodes=1 << 18, shards=1 << 12)
"""The budgets of estimates of less than LONG_S. For Conway's 5x5x5 puzzle the usual pilot takes 2.5 s, 0.9 of
them to cut 16,384 shards; this one takes 0.7 s."""

WIDE = Budgets(whole_moments=256)
"""Tried first for estimates of LONG_S or more. The 400,000 nodes of a Yajilin of 10x10 are searched in 1.5 s,
and cutting 16,384 shards of it takes 8 s."""

LONG = replace(WIDE, pilot_moments=16 * PILOT_MOMENTS, cut_moments=64)
"""Tried last for estimates of LONG_S or more. A draw of orthogonal squares of order 5 takes two moments."""

BATCH_NODES_PER_S = 1 << 15
"""The most nodes of a batch for each second of an estimate: LEAST_BATCHES of a cover then take a seventh of
it. With half a million nodes in a batch they took 2 to 4 s, and bedlam 7 s where 5 were given."""


def seed_of(*parts: object) -> int:
    """A seed of 64 bits for some draws, never 0."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big") or 1


def budgets_for(seconds: float, draws: int | None) -> tuple[Budgets, ...]:
    """The budgets to try one after the other, until one is enough to choose a level."""
    if draws is not None:
        return WIDE, LONG
    if seconds >= LONG_S:
        found = (WIDE, LONG)
    else:
        found = (*((MEDIUM,) if seconds >= SHORT_S else SHORT_BUDGETS), Budgets())
    most = max(SHORT.batch_nodes, int(seconds * BATCH_NODES_PER_S))
    return tuple(replace(each, batch_nodes=min(each.batch_nodes, most)) for each in found)


@dataclass(frozen=True, slots=True)
class Pilot:
    """A few draws at each level. They depend on the seed, and not on the clock."""

    sampler: Sampler
    seed: int
    budgets: Budgets

    @property
    def levels(self) -> list[int]:
        """Those of the sampler for which the budget has enough shards."""
        return [level for level in self.sampler.levels if self.sampler.n_shards(level) <= self.budgets.shards]

    @property
    def most_nodes(self) -> int:
        """The nodes of a search of which the smallest parts, of equal sizes, can just be drawn."""
        return self.sampler.n_shards(self.levels[0]) * (self.budgets.pilot_nodes // LEAST_PILOT_DRAWS)

    def best_level(self) -> tuple[int, int, float] | None:
        """The level to draw at, the draws of a batch, and the approximate number of nodes of the search.

        None if even the cheapest draws exceed the budget.
        """
        best: tuple[tuple[bool, float], int, float, float] | None = None
        sampler, budgets = self.sampler, self.budgets
        n_draws = max(LEAST_PILOT_DRAWS, min(budgets.pilot_draws, budgets.pilot_nodes // sampler.draw_cost))
        for level in self.levels:
            draws = sampler.draw(level, seed_of(self.seed, "pilot", level), n_draws, budgets.pilot_nodes)
            n_made = len(draws.solutions)
            if n_made < LEAST_PILOT_DRAWS:
                break
            cost = draws.tried / n_made + sampler.draw_cost
            n_hits = int((draws.solutions > 0).sum())
            if n_hits < LEAST_HITS:
                rank = (True, -n_hits / (n_made * cost))  # take the level with the most hits per cost
            else:
                rank = (False, float(draws.solutions.var() / draws.solutions.mean() ** 2) * cost)
            if best is None or rank <= best[0]:
                best = rank, level, cost, float(draws.nodes.mean())
            if sampler.is_whole(level):
                break
        if best is None:
            return None
        _, level, cost, n_nodes = best
        return level, max(1, int(budgets.batch_nodes / cost)), n_nodes


def choose_level(pilots: Sequence[Pilot], engine_name: str, fixes: Sequence[str]) -> tuple[int, int, float]:
    """See `Pilot.best_level`, for the first pilot that is enough. Raises EngineRefuses if none is."""
    for pilot in pilots:
        best = pilot.best_level()
        if best is not None:
            return best
    raise _refused(pilots, engine_name, fixes)


def check_shards(pilots: Sequence[Pilot], expected: float, engine_name: str, fixes: Sequence[str]) -> None:
    """Raise EngineRefuses if the shards of a search with so many nodes are far too large for all pilots.

    That took 5 to 15 s: to cut 16,384 shards of a Chocona of 8x8, and to search some for a million nodes.
    """
    if expected > FAR * max(pilot.most_nodes for pilot in pilots):
        raise _refused(pilots, engine_name, fixes)


def _refused(pilots: Sequence[Pilot], engine_name: str, fixes: Sequence[str]) -> EngineRefuses:
    return EngineRefuses(
        f"engine {engine_name} cannot be sampled here: {LEAST_PILOT_DRAWS} draws take more than"
        f" {pilots[-1].budgets.pilot_nodes:,} nodes; {', or '.join(fixes)}"
    )


def advice(question: Question, budgets: Sequence[Budgets]) -> list[str]:
    """Advice if no draw ends within the budgets. Draws of an engine's own sampler end quickly."""
    if isinstance(question.model, Coloring) and not (question.model.patterns or question.model.sets):
        return ["no pattern is forbidden, so count it, which takes no search"]
    samplers = [
        engine.name
        for engine in listing_engines_for(question.model)
        if type(engine).sampler is not ListingEngine.sampler and engine is not question.engine
    ]
    fixes = [f"choose another engine with --engine {' or '.join(samplers)}"] if samplers else []
    if replace(budgets[-1], batch_nodes=LONG.batch_nodes) == Budgets():
        fixes.append(f"give --seconds {LONG_S:.0f} or more")
    return fixes or ["estimate a smaller puzzle of this kind, give more of its values, or try to count it"]
