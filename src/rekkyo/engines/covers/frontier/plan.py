"""The plan of an exact cover: its levels as arrays, and what can be exchanged after each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import inf

from rekkyo.bits import Words
from rekkyo.engines.contract import Pause
from rekkyo.engines.covers.frontier.exchanges import Family, declared_families, exchangeable
from rekkyo.engines.covers.frontier.found_exchanges import FoundExchanges
from rekkyo.engines.covers.frontier.levels import (
    HANDICAP,
    ONCE_EACH,
    Weights,
    levels_in_all_orders,
    make_levels,
)
from rekkyo.engines.frontier.levels import Levels
from rekkyo.engines.frontier.plan import FrontierPlan, LateExchanges, exchanged_blocks, plan_of
from rekkyo.engines.frontier.trial import Trial
from rekkyo.model.exact_cover import ExactCover

LEAST_NODES, NODES_OF_USE = 1 << 18, 1 << 10
"""Exchanges are looked for after so many nodes of a walk, or so many for each use of an item by an option. To
find them takes about half as long. For dominoes of 20x20 it leaves 6.6 of 10 million nodes."""

MOST_OPTIONS = 1 << 14
"""The options of a cover in which exchanges are looked for; with more, that takes minutes without a pause."""

WORK_OF_NODE = 16
"""The work that the search for symmetries may take, for each node before it. With 4, it is abandoned for what
some symmetries of sudokus leave unchanged, and the states do not fit in 4 GB."""

PARTS_TO_COMPARE, FAR_MORE, LEAST_SAVED = (64, 16, 4), 8, 2
"""Each order is walked for these parts of the nodes so far, unless an earlier part foresees far more nodes
than for another order. An order other than the first one is taken if it saves half of the nodes."""

MOST_BYTES = 1 << 26
"""The most memory of such a walk."""


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
    found = partial(_best_order, model, levels, least_nodes)
    return plan_of(model, levels, late=LateExchanges(least_nodes, least_nodes // PARTS_TO_COMPARE[-1], found))


def exchanged_after(levels: Levels, families: Iterable[Family]) -> list[Words]:
    """The exchanges of blocks after each level."""
    return [exchanged_blocks(classes) for classes in exchangeable(families, levels)]


def _best_order(model: ExactCover, levels: Levels, n_nodes: int, pause: Pause) -> tuple[Levels, list[Words]]:
    """The levels with which a walk goes on after `n_nodes` nodes, and the exchanges after each.

    Exchanges of many blocks can make another order far better, which its width does not tell. So some levels
    are walked in each order. All sudokus, cell by cell, take 16 million nodes with exchanges; King's order
    is narrower by 21 bits, and was not finished after 60 million.
    """
    exchanges = FoundExchanges(model, WORK_OF_NODE * n_nodes)

    def planned(some: Levels) -> FrontierPlan[ExactCover]:
        return plan_of(model, some, exchanged_after(some, exchanges.families(some.level_of)))

    first = planned(levels)
    if not first.exchanges_many:
        return first.levels, list(first.blocks)
    others = (some for some in levels_in_all_orders(model) if some.level_of != levels.level_of)
    best = _least_foreseen([first, *map(planned, others)], n_nodes, pause)
    return best.levels, list(best.blocks)


def _least_foreseen(
    plans: Sequence[FrontierPlan[ExactCover]], n_nodes: int, pause: Pause
) -> FrontierPlan[ExactCover]:
    """The plan with the fewest nodes, as parts of all plans foresee; the first one unless that saves much.

    For all sudokus, 3 % of the nodes foresee 13 times as many in King's order, each of which takes 5 times as
    long. To walk all parts of it took 3.5 s.
    """
    trials = [Trial(plan, MOST_BYTES) for plan in plans]
    foreseen = dict.fromkeys(range(len(plans)), inf)
    for part in PARTS_TO_COMPARE:
        if len(foreseen) == 1:
            break
        foreseen = {number: _foreseen(trials[number], n_nodes // part, pause) for number in foreseen}
        most = FAR_MORE * min(foreseen.values())
        foreseen = {number: nodes for number, nodes in foreseen.items() if nodes <= most}
    least = min((number for number in foreseen if number), key=foreseen.__getitem__, default=0)
    is_kept = foreseen.get(0, inf) <= LEAST_SAVED * foreseen[least]
    return plans[0 if is_kept else least]


def _foreseen(trial: Trial, n_nodes: int, pause: Pause) -> float:
    """The nodes of all levels, foreseen after `n_nodes` nodes; no end if the states do not fit."""
    while trial.nodes < n_nodes and trial.step():
        pause()
    return trial.nodes_foreseen
