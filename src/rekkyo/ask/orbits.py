"""Orbits by their symmetry: the number of solutions for each stabilizer, up to conjugation.

All solutions are searched for, so that their number can be compared with the sum of |G| / |stabilizer| over
the orbits. If the group is too large to list, orbits are counted by the order of the stabilizer alone, and
only one solution of each is searched for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rekkyo.ask.subgroup_names import NO_SYMMETRY, subgroup_names
from rekkyo.engines.contract import Block, Pause, Shard, no_pause
from rekkyo.errors import BadInput, EngineRefuses, GroupTooLarge
from rekkyo.html_tables import table
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.checks import check_best, disagreement
from rekkyo.search.cutting import by_length
from rekkyo.search.fold import Fold, Report, fold, sum_shard
from rekkyo.search.listing import prepare_list
from rekkyo.search.outcome import outcome
from rekkyo.search.progress import Watcher
from rekkyo.search.question import Question, ask, large_relation
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.store.finished import Sums
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.stabilizers import Conjugacy, Subgroup, stabilizers
from rekkyo.wording import several


@dataclass(frozen=True, slots=True)
class OrbitClass:
    """Orbits of solutions with the same symmetry.

    symmetry: its name. stabilizer: its order, the number of symmetries that leave such a solution unchanged.
    orbits: their number. solutions: the number of solutions in them.
    """

    symmetry: str
    stabilizer: int
    orbits: int
    solutions: int


@dataclass(frozen=True, slots=True)
class Orbits:
    """The table of all orbits.

    group: the order of the symmetry group. optimum: the best value of the puzzle's objective, which all
    counted solutions have. elapsed_s: without compiling.
    """

    puzzle: str
    up_to: str
    group: int
    total: int
    unique: int
    classes: tuple[OrbitClass, ...]
    engine: str
    elapsed_s: float
    optimum: int | None = None

    def _repr_html_(self) -> str:
        numbers = f"{several(self.unique, 'orbit')} of {several(self.total, 'solution')}"
        title = f"{numbers} of {self.puzzle}, up to {self.up_to}"
        rows = [(each.symmetry, each.stabilizer, each.orbits, each.solutions) for each in self.classes]
        return table(title, ("symmetry", "order", "orbits", "solutions"), rows)


def orbits(
    puzzle: Puzzle,
    *,
    up_to: str = "symmetry",
    engine: str | None = None,
    workers: int | None = None,
    watch: Watcher | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Orbits:
    """Count the orbits of a puzzle by their symmetry; the parameters are those of `count`.

    Raises BadInput (UnknownEngine, EngineRefuses, …), GroupTooLarge, CountsDisagree.
    """
    asked = partial(
        ask, puzzle, engine=engine, up_to=up_to, lists=True, hands_on_rows=False, workers=workers, sizes=sizes
    )
    try:
        is_large = isinstance(puzzle, Puzzle) and large_relation(puzzle, up_to) is not None
        question = asked(takes_large=is_large, every_solution=True)
    except (EngineRefuses, GroupTooLarge):  # an engine may accept the puzzle with a large group only
        return _by_order(asked(takes_large=True), watch)
    if question.left_out is not None:
        fix = "count the solutions, or name a symmetry"
        raise BadInput(f"{question.left_out}, so its orbits are unknown; {fix}")
    group = question.group
    if group is None:  # a table exists even if the identity is the only symmetry
        group = close(question.model.row_shape, ())
        question = replace(question, group=group)
    assert isinstance(group, Group)
    started = time.perf_counter()
    search = prepare_list(question, by_length, watch)
    parts = fold(search, _count, watch)
    n_found = sum(part[0] for part in parts)
    n_orbits = sum((part[1] for part in parts), Counter[Subgroup]())
    total = sum(count * (group.order // len(subgroup)) for subgroup, count in n_orbits.items())
    if total != n_found:
        what = f"the orbits hold {total} solutions, but {n_found} were found"
        raise disagreement(puzzle.name, what, "orbit ledger")
    check_best(puzzle.name, search.optimum, n_found)
    conjugacy = Conjugacy(group)
    by_class: Counter[Subgroup] = Counter()
    for subgroup, count in n_orbits.items():
        by_class[conjugacy.name(subgroup)] += count
    subgroups = sorted(by_class, key=lambda subgroup: (len(subgroup), sorted(subgroup)))
    names = subgroup_names(puzzle, up_to, group, subgroups)
    sizes_and_counts = [(len(subgroup), by_class[subgroup]) for subgroup in subgroups]
    return _table(search, group.order, names, sizes_and_counts, started)


def _by_order(question: Question, watch: Watcher | None) -> Orbits:
    """The table for a group that is too large to list: by the order of the stabilizer alone.

    Only representatives are searched for, so the total is the sum of the sizes of their orbits.
    """
    assert question.group is not None
    started = time.perf_counter()
    search = prepare(question, by_length, watch)
    sums = Sums(question.group.order)
    sums.add(fold(search, sum_shard, watch))
    outcome(search, sums, no_pause, watch=watch)
    counts = sorted(sums.ledger.n_orbits.items())
    names = [f"order {order}" if order > 1 else NO_SYMMETRY for order, _ in counts]
    return _table(search, question.group.order, names, counts, started)


def _table(
    search: Search, group_order: int, names: Iterable[str], counts: Sequence[tuple[int, int]], started: float
) -> Orbits:
    """The table. counts: for each class the order of its stabilizers, and its orbits."""
    classes = tuple(
        OrbitClass(name, order, n_orbits, n_orbits * (group_order // order))
        for name, (order, n_orbits) in zip(names, counts, strict=True)
    )
    return Orbits(
        search.question.puzzle.name,
        search.question.up_to,
        group_order,
        sum(each.solutions for each in classes),
        sum(each.orbits for each in classes),
        classes,
        search.engine.name,
        time.perf_counter() - started - search.compile_s,
        search.optimum,
    )


def _count(folding: Fold, shard: Shard, pause: Pause, report: Report) -> tuple[int, Counter[Subgroup]]:
    """The number of solutions of a shard, and of orbits by the stabilizer of their representative."""
    n_orbits = Counter[Subgroup]()
    none = frozenset({0})

    def enter(block: Block) -> None:
        assert isinstance(folding.search.group, Group)
        assert block.stabilizers is not None
        n_orbits[none] += int(np.count_nonzero(block.stabilizers == 1))
        n_orbits.update(stabilizers(folding.search.group, block.rows[block.stabilizers > 1]))

    tally = folding.shard(shard, pause, report, enter)
    return tally.total, n_orbits
