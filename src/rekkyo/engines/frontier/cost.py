"""How long a level takes, from the states before it and the nodes that were tried at it.

A choice that clashes with a state costs least, one that the rules reject a lookup. A result is merged; before
that it may be arranged, or have labels renumbered. The numbers were fitted to 25 covers and problems of
constraints on one core of an AMD EPYC (Zen 4), whose walks take 0.2 to 1.1 times as long. A node takes 8 ns
where most are rejected, and 650 ns for Latin squares with exchanges.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.engines.frontier.flat import blocks_at, rules_of
from rekkyo.engines.frontier.levels import DEAD
from rekkyo.engines.frontier.plan import FrontierPlan

NS_OF_CHOICE, NS_OF_NODE, NS_OF_RESULT = 1.2, 8.0, 20.0
NS_OF_WORD, NS_OF_LABELS, NS_OF_EXCHANGE = 20.0, 50.0, 20.0
"""What a result takes in addition: for each further word, for labels or mates or ways, and for each row of
exchanges."""

NODE_NS = NS_OF_CHOICE + NS_OF_NODE + NS_OF_RESULT
"""A node that leads to a result of one word."""

MOMENT_NS = 5e6
"""A moment, see `Engine.moment_nodes`."""

MANY_CHOICES = 8
"""With fewer choices it makes little difference how many of them the rules permit."""


def moments_of_level(plan: FrontierPlan[Any], level: int, n_states: int, nodes: float) -> float:
    """About how many moments a level takes. n_states: before it. nodes: choices that do not clash."""
    of_level = plan.levels.levels[level]
    rules, n_choices = of_level.rules, len(of_level.choices)
    results = n_states + nodes
    if rules is not None:
        results = min(nodes, n_states * _most_results(plan, level))
    ns_of_result = NS_OF_RESULT + NS_OF_WORD * (plan.levels.n_words - 1)
    if rules is not None and (rules.joins or rules.loops or rules.ways):
        ns_of_result += NS_OF_LABELS
    ns_of_result += NS_OF_EXCHANGE * len(blocks_at(plan.flat, level))
    ns = n_states * (1 + n_choices) * NS_OF_CHOICE + nodes * NS_OF_NODE + results * ns_of_result
    return ns / MOMENT_NS


def _most_results(plan: FrontierPlan[Any], level: int) -> int:
    """The most results of a state at a level with rules: one, if earlier variables determine the value."""
    n_choices, flat = len(plan.levels.levels[level].choices), plan.flat
    most = n_choices
    if n_choices >= MANY_CHOICES and flat.rules is not None:
        rules = rules_of(flat.rules, flat.heads[level], flat.heads[level + 1])
        for *_, place, n_numbers in rules.machines.tolist():
            after = rules.table[place : place + n_choices * n_numbers].reshape(n_choices, n_numbers)
            most = min(most, int(np.count_nonzero(after != DEAD, axis=0).max()))
    return most
