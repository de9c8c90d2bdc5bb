"""Orbits by their symmetry: how many solutions have which stabilizer, up to conjugation.

Every solution is seen, not only representatives: so the number of solutions found, and the sum of
|G| / |stabilizer| over the orbits, are two ways to the same number, and they are compared.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

from rekkyo.ask.subgroup_names import subgroup_names
from rekkyo.engines.contract import Shard
from rekkyo.errors import CountsDisagree
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, plain_words
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import Search, check_puzzle, compile_seconds, listing_engine, prepare
from rekkyo.search.threads import StopSign, carry_out, number_of_workers
from rekkyo.symmetry.stabilizers import Conjugacy, Subgroup, stabilizers


@dataclass(frozen=True, slots=True)
class OrbitClass:
    """Orbits of solutions with the same symmetry.

    symmetry: its name. stabilizer: its order, the number of symmetries that leave such a solution unchanged.
    orbits: how many there are. solutions: how many these hold.
    """

    symmetry: str
    stabilizer: int
    orbits: int
    solutions: int


@dataclass(frozen=True, slots=True)
class Orbits:
    """The table of all orbits. group: the order of the symmetry group. elapsed_s leaves compiling out."""

    puzzle: str
    up_to: str
    group: int
    total: int
    unique: int
    classes: tuple[OrbitClass, ...]
    engine: str
    elapsed_s: float


def orbits(
    puzzle: Puzzle,
    *,
    up_to: str = "symmetry",
    engine: str | None = None,
    workers: int | None = None,
    watch: Watcher | None = None,
) -> Orbits:
    """Count the orbits of a puzzle by their symmetry; the parameters are those of `count`.

    Raises BadInput (UnknownEngine, EngineRefuses, …), GroupTooLarge, CountsDisagree.
    """
    check_puzzle(puzzle)
    n_workers = number_of_workers(workers)
    generators = puzzle.generators_up_to(up_to) or ()
    chosen = listing_engine(puzzle, engine)
    chosen.check(lower(puzzle.model))
    compile_seconds(puzzle, chosen, generators)
    started = time.perf_counter()
    search = prepare(puzzle, chosen, generators, every_solution=True)
    assert search.survey is not None
    group = search.survey.group
    n_found, n_orbits = _count(search, n_workers, watch)
    total = sum(count * (group.order // len(subgroup)) for subgroup, count in n_orbits.items())
    if total != n_found:
        raise CountsDisagree(
            f"{puzzle.name}: the orbits hold {total} solutions, but {n_found} were found; please report this"
        )
    conjugacy = Conjugacy(group)
    by_class: Counter[Subgroup] = Counter()
    for subgroup, count in n_orbits.items():
        by_class[conjugacy.name(subgroup)] += count
    subgroups = sorted(by_class, key=lambda subgroup: (len(subgroup), sorted(subgroup)))
    names = subgroup_names(puzzle, up_to, group, subgroups)
    return Orbits(
        puzzle.name,
        plain_words(up_to),
        group.order,
        total,
        sum(by_class.values()),
        tuple(
            OrbitClass(
                name,
                len(subgroup),
                by_class[subgroup],
                by_class[subgroup] * (group.order // len(subgroup)),
            )
            for name, subgroup in zip(names, subgroups, strict=True)
        ),
        chosen.name,
        time.perf_counter() - started,
    )


def _count(search: Search, workers: int, watch: Watcher | None) -> tuple[int, Counter[Subgroup]]:
    """The number of solutions, and of orbits by the stabilizer of their representative."""
    survey = search.survey
    assert survey is not None
    meter = Meter(len(search.shards), workers)
    none = frozenset({0})

    def work(shard: Shard, stop: StopSign) -> tuple[int, Counter[Subgroup]]:
        meter.add(0, shard.nodes)
        n_found, n_orbits = 0, Counter[Subgroup]()
        for block in search.blocks(shard, stop):
            rows = block.rows
            meter.add(len(rows), block.nodes)
            n_found += len(rows)
            orders = survey.stabilizer_orders(rows)
            n_orbits[none] += int(np.count_nonzero(orders == 1))
            n_orbits.update(stabilizers(survey.group, rows[orders > 1]))
        return n_found, n_orbits

    parts = carry_out(search.shards, work, workers, meter, watch)
    n_orbits = sum((part[1] for part in parts), Counter[Subgroup]())
    return sum(part[0] for part in parts), n_orbits
