"""The outcome of all shards: the total, and the number of orbits in one of two ways.

For a listing engine the sizes of the orbits give the total. For a counting engine Burnside's lemma gives the
orbits, from the solutions that each symmetry leaves unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.checkpoints import NOWHERE, Checkpoints
from rekkyo.engines.contract import CountingEngine, Pause, Tally
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.search.checks import check_best, check_fixed, check_ledger, disagreement
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.search import Search
from rekkyo.search.threads import crew
from rekkyo.store.finished import Sums
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.products import Product
from rekkyo.symmetry.stabilizers import order_of

PlanT = TypeVar("PlanT")


@dataclass(frozen=True, slots=True)
class Outcome:
    """unique: None where orbits were not counted; `left_out` says why, if they were asked for.

    fixed: solutions that the symmetries other than the identity leave unchanged, in total; None where
    Burnside's lemma was not used.
    """

    total: int
    unique: int | None
    nodes: int
    left_out: str | None = None
    fixed: int | None = None


def outcome(
    search: Search,
    sums: Sums,
    pause: Pause,
    checkpoints: Checkpoints = NOWHERE,
    watch: Watcher | None = None,
) -> Outcome:
    """The outcome from the sums over all shards. Raises CountsDisagree.

    watch: called after the symmetric solutions of a class of conjugates, but only a few times a second.
    """
    check_best(search.question.puzzle.name, search.optimum, sums.found)
    if isinstance(search.engine, CountingEngine):
        return _by_burnside(search, search.engine, sums, pause, checkpoints, watch)
    if search.survey is None:
        return Outcome(sums.found, None, sums.nodes, search.question.left_out)
    check_ledger(search, sums)
    unique = sums.ledger.unique if search.question.reports_orbits else None
    return Outcome(sums.ledger.total, unique, sums.nodes, search.question.left_out)


def fixed_counts(
    engine: CountingEngine[PlanT],
    plan: PlanT,
    group: Group | Product,
    pause: Pause,
    crew: Crew = ALONE,
    checkpoints: Checkpoints = NOWHERE,
) -> Iterator[tuple[NDArray[np.uint32], int, Tally | None]]:
    """For each class of conjugates but the identity: a symmetry, the size, and what it leaves unchanged."""
    for element, n_alike in group.conjugates()[1:]:
        unchanged = engine.count_fixed(plan, tuple(element.tolist()), pause, crew, checkpoints)
        yield element, n_alike, unchanged


def _by_burnside(
    search: Search,
    engine: CountingEngine[object],
    sums: Sums,
    pause: Pause,
    checkpoints: Checkpoints,
    watch: Watcher | None,
) -> Outcome:
    total = engine.finish(search.plan, Tally(sums.found, sums.nodes))
    group = search.question.counted_group
    if group is None:
        return Outcome(total.total, None, total.nodes, search.question.left_out)
    fixed = Tally(0, 0)
    stage = Stage(watch, f"counting the symmetric ones of {total.total:,} solutions")
    stage.add(0)  # the first class may take as long as the total, which is told from now on
    with crew(search.question.workers) as together:
        for element, n_alike, unchanged in fixed_counts(
            engine, search.plan, group, pause, together, checkpoints
        ):
            if unchanged is None:
                reason = f"engine {engine.name} cannot count what a symmetry leaves unchanged here"
                return Outcome(total.total, None, total.nodes, reason)
            check_fixed(search, total, unchanged, order_of(element))
            fixed += Tally(n_alike * unchanged.total, unchanged.nodes)
            stage.add(unchanged.nodes)
    unique, remainder = divmod(total.total + fixed.total, group.order)
    if remainder:
        counts = f"total {total.total} and {fixed.total} symmetric solutions"
        what = f"{counts} do not fit a group of {group.order}"
        raise disagreement(search.question.puzzle.name, what, "Burnside")
    return Outcome(total.total, unique, total.nodes + fixed.nodes, fixed=fixed.total)
