"""Catalog: combinatorial designs as exact covers: Steiner triple systems, and tournament schedules.

Symmetry: all ways to rename the points. Left out on purpose: designs with repeated blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from rekkyo.catalog.entry import Entry, Parameter, published
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import AtomPermutation

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of points, increasing, each pair too."""

MAX_POINTS, MAX_PLAYERS = 31, 12


def steiner_triples(n: int) -> Puzzle:
    """Triples of n points, such that each pair of points is in one triple.

    Option: a triple, in lexicographic order.
    """
    triples = [tuple(combinations(triple, 2)) for triple in combinations(range(n), 3)]
    return _every_pair_once("steiner-triples", n, triples, f"Steiner triple systems of {n} points")


def one_factorizations(n: int) -> Puzzle:
    """Schedules of n players, an even number, in n - 1 rounds: each pair of players meets once.

    Option: a round, that is, a perfect matching, in lexicographic order. The rounds have no order.
    """
    if n % 2:
        raise BadInput(f"one-factorizations: N must be even, not {n}; of {n} players one is left over")
    title = f"one-factorizations of the complete graph with {n} vertices"
    return _every_pair_once("one-factorizations", n, list(_matchings(tuple(range(n)))), title)


def _matchings(points: tuple[int, ...]) -> Iterator[Pairs]:
    """All ways to pair off the points."""
    if not points:
        yield ()
        return
    first, *others = points
    for place, other in enumerate(others):
        for pairs in _matchings((*others[:place], *others[place + 1 :])):
            yield ((first, other), *pairs)


def _every_pair_once(name: str, n: int, options: Sequence[Pairs], title: str) -> Puzzle:
    """Choose options such that each pair of n points is in one. All renamings of points keep the options."""
    pairs = {pair: number for number, pair in enumerate(combinations(range(n), 2))}
    model = ExactCover(
        primary=tuple(f"{one + 1}-{other + 1}" for one, other in pairs),
        options=tuple(tuple((pairs[pair], 0) for pair in option) for option in options),
    )
    renamings = ((1, 0, *range(2, n)), (*range(1, n), 0)) if len(options) > 1 else ()
    generators = tuple(_renamed(options, to) for to in renamings)
    counts = published("designs", name, str(n))
    return Puzzle(f"{name} {n}", model, title, generators, published=counts, symmetry_was_searched=True)


def _renamed(options: Sequence[Pairs], to: Sequence[int]) -> AtomPermutation:
    """Where the options go if point p is renamed to[p]."""
    number = {option: place for place, option in enumerate(options)}
    return tuple(
        number[tuple(sorted((min(to[one], to[other]), max(to[one], to[other])) for one, other in option))]
        for option in options
    )


ENTRIES = (
    Entry(
        name="steiner-triples",
        summary="triples of N points, each pair of points in one triple",
        source="Kirkman 1847; Mathon, Phelps, Rosa 1983; OEIS A030129",
        parameters=(Parameter("N", "the number of points", 3, MAX_POINTS),),
        build=steiner_triples,
    ),
    Entry(
        name="one-factorizations",
        summary="schedules of N players in N - 1 rounds, each pair of players meets once",
        source="Gelling 1973; Dinitz, Garnick, McKay 1994; OEIS A000438",
        parameters=(Parameter("N", "the number of players, even", 2, MAX_PLAYERS),),
        build=one_factorizations,
    ),
)
