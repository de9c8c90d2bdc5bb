"""The plan of an exact cover: its levels as arrays, and what can be exchanged after each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rekkyo.bits import Words
from rekkyo.engines.covers.frontier.exchanges import Family, declared_families, exchangeable
from rekkyo.engines.covers.frontier.found_exchanges import found_families
from rekkyo.engines.covers.frontier.levels import HANDICAP, ONCE_EACH, Weights, make_levels
from rekkyo.engines.frontier.levels import Levels
from rekkyo.engines.frontier.plan import FrontierPlan, LateExchanges, exchanged_blocks, plan_of
from rekkyo.model.exact_cover import ExactCover

LEAST_NODES, NODES_OF_USE = 1 << 18, 1 << 10
"""Exchanges are looked for after so many nodes of a walk, or so many for each use of an item by an option. To
find them takes about half as long. For dominoes of 20x20 it leaves 6.6 of 10 million nodes."""

MOST_OPTIONS = 1 << 14
"""The options of a cover in which exchanges are looked for; with more, that takes minutes without a pause."""

WORK_OF_NODE = 4
"""The work that the search for symmetries may take, for each node before it."""


def make_plan(
    model: ExactCover, handicap: float = HANDICAP, weights: Weights = ONCE_EACH
) -> FrontierPlan[ExactCover]:
    """The plan of a model; handicap, weights: see `make_levels`."""
    levels = make_levels(model, handicap, weights)
    return plan_of(model, levels) if weights else plan_by_levels(model, levels)


def plan_by_levels(model: ExactCover, levels: Levels) -> FrontierPlan[ExactCover]:
    """The plan of a model with such levels, in which every option covers an item once."""
    if model.exchanges:
        return plan_of(model, levels, exchanged_after(levels, declared_families(model, levels)))
    if len(model.options) > MOST_OPTIONS:
        return plan_of(model, levels)
    least_nodes = max(LEAST_NODES, NODES_OF_USE * len(model.uses) // 2)  # pairs of an item and a colour
    return plan_of(
        model, levels, late=LateExchanges(least_nodes, partial(_found, model, levels, least_nodes))
    )


def exchanged_after(levels: Levels, families: Iterable[Family]) -> list[Words]:
    """The exchanges of blocks after each level."""
    return [exchanged_blocks(classes) for classes in exchangeable(families, levels)]


def _found(model: ExactCover, levels: Levels, n_nodes: int) -> list[Words]:
    return exchanged_after(levels, found_families(model, levels.level_of, WORK_OF_NODE * n_nodes))
