"""Orbits by their symmetry: the number of solutions for each stabilizer, up to conjugation.

All solutions are searched for, so that their number can be compared with the sum of |G| / |stabilizer| over
the orbits.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from rekkyo.ask.subgroup_names import subgroup_names
from rekkyo.engines.contract import Block, Pause, Shard
from rekkyo.errors import BadInput
from rekkyo.html_tables import table
from rekkyo.model.puzzle import Puzzle, plain_words
from rekkyo.search.checks import check_best, disagreement
from rekkyo.search.cutting import by_length
from rekkyo.search.fold import Fold, Report, fold
from rekkyo.search.listing import prepare_list
from rekkyo.search.progress import Watcher
from rekkyo.search.question import ask
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.symmetry.group import close
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
    question = ask(
        puzzle,
        engine=engine,
        up_to=up_to,
        lists=True,
        every_solution=True,
        hands_on_rows=False,
        workers=workers,
        sizes=sizes,
    )
    if question.left_out is not None:
        fix = "count the solutions, or name a symmetry"
        raise BadInput(f"{question.left_out}, so its orbits are unknown; {fix}")
    if question.group is None:  # a table exists even if the identity is the only symmetry
        question = replace(question, group=close(question.model.row_shape, ()))
    group = question.group
    assert group is not None
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
    classes = [
        OrbitClass(
            name, len(subgroup), by_class[subgroup], by_class[subgroup] * (group.order // len(subgroup))
        )
        for name, subgroup in zip(names, subgroups, strict=True)
    ]
    return Orbits(
        puzzle.name,
        plain_words(up_to),
        group.order,
        total,
        sum(by_class.values()),
        tuple(classes),
        search.engine.name,
        time.perf_counter() - started - search.compile_s,
        search.optimum,
    )


def _count(folding: Fold, shard: Shard, pause: Pause, report: Report) -> tuple[int, Counter[Subgroup]]:
    """The number of solutions of a shard, and of orbits by the stabilizer of their representative."""
    n_orbits = Counter[Subgroup]()
    none = frozenset({0})

    def enter(block: Block) -> None:
        assert folding.search.group is not None
        assert block.stabilizers is not None
        n_orbits[none] += int(np.count_nonzero(block.stabilizers == 1))
        n_orbits.update(stabilizers(folding.search.group, block.rows[block.stabilizers > 1]))

    tally = folding.shard(shard, pause, report, enter)
    return tally.total, n_orbits
