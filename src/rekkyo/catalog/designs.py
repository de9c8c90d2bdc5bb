"""Catalog: combinatorial designs as exact covers: block designs, Steiner triples, and tournament schedules.

Block designs with repeated blocks are constraints: the numbers of equal blocks, and sums of these. Symmetry:
all renamings of the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TypeAlias

from rekkyo.catalog.colorings import permute_cells
from rekkyo.catalog.entry import Entry, Option, Parameter, published
from rekkyo.errors import BadInput
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.picture import Blocks
from rekkyo.model.puzzle import SYMBOLS, Puzzle
from rekkyo.model.row import AtomPermutation

Sets: TypeAlias = tuple[tuple[int, ...], ...]
"""Sets of points, increasing, each set too."""

MAX_POINTS, MAX_PLAYERS, MAX_STRENGTH = 31, 12, 5
MAX_BLOCKS, MAX_SETS_IN_BLOCKS = 1 << 14, 1 << 20


def block_designs(strength: int, n: int, size: int, times: int, *, repeated: bool = False) -> Puzzle:
    """Blocks of some size, such that any `strength` of n points are together in so many of the blocks.

    Option: a block, in lexicographic order. repeated: whether blocks may be equal; then a row has the
    number of times of each block. Raises BadInput.
    """
    name = f"block-designs {strength} {n} {size} {times}"
    if not strength <= size <= n:
        raise BadInput(f"block-designs: K must be from T to V, here from {strength} to {n}, not {size}")
    n_blocks, n_sets = comb(n, size), comb(size, strength)
    if n_blocks > MAX_BLOCKS or n_blocks * max(n_sets, times * repeated) > MAX_SETS_IN_BLOCKS:
        sizes = f"{n_blocks} possible blocks with {n_sets} sets of {strength} points each"
        most = f"{MAX_BLOCKS} blocks and {MAX_SETS_IN_BLOCKS} sets are possible, or blocks times LAMBDA"
        raise BadInput(f"{name}: {sizes} are too many; at most {most}")
    blocks = [tuple(combinations(block, strength)) for block in combinations(range(n), size)]
    title = f"{strength}-({n},{size},{times}) designs"
    if repeated:
        found = _with_repeated(f"{name} --repeated", n, blocks, title, times)
    else:
        found = _every_set(name, n, blocks, title, times)
    return replace(found, picture=Blocks(n, tuple(combinations(range(n), size))))


def steiner_triples(n: int) -> Puzzle:
    """Triples of n points, such that each pair of points is in one triple.

    Option: a triple, in lexicographic order.
    """
    triples = tuple(combinations(range(n), 3))
    pairs = [tuple(combinations(triple, 2)) for triple in triples]
    found = _every_set(f"steiner-triples {n}", n, pairs, f"Steiner triple systems of {n} points")
    return replace(found, picture=Blocks(n, triples))


def one_factorizations(n: int) -> Puzzle:
    """Schedules of n players, an even number, in n - 1 rounds: each pair of players meets once.

    Option: a round, that is, a perfect matching, in lexicographic order. The rounds have no order.
    """
    if n % 2:
        raise BadInput(f"one-factorizations: N must be even, not {n}; of {n} players one is left over")
    title = f"one-factorizations of the complete graph with {n} vertices"
    return _every_set(f"one-factorizations {n}", n, list(_matchings(tuple(range(n)))), title)


def _matchings(points: tuple[int, ...]) -> Iterator[Sets]:
    """All ways to pair off the points."""
    if not points:
        yield ()
        return
    first, *others = points
    for place, other in enumerate(others):
        for pairs in _matchings((*others[:place], *others[place + 1 :])):
            yield ((first, other), *pairs)


def _every_set(name: str, n: int, options: Sequence[Sets], title: str, times: int = 1) -> Puzzle:
    """Choose options such that each set of n points is in so many. All renamings of points keep the options.

    options: sets of the same size.
    """
    sets = {some: number for number, some in enumerate(combinations(range(n), len(options[0][0])))}
    model = ExactCover(
        primary=tuple(map(_named, sets)),
        options=tuple(tuple((sets[some], 0) for some in option) for option in options),
        bounds=((times, times),) * len(sets) if times > 1 else (),
    )
    generators = tuple(_renamed(options, to) for to in _renamings(n, options))
    return _puzzle(name, model, title, generators)


def _with_repeated(name: str, n: int, blocks: Sequence[Sets], title: str, times: int) -> Puzzle:
    """How often there is each block."""
    problem = Problem()
    points = [sorted({point for some in block for point in some}) for block in blocks]
    numbers = problem.variables(list(map(_named, points)), range(times + 1))
    beside: dict[tuple[int, ...], list[Variable]] = {}
    for block, number in zip(blocks, numbers, strict=True):
        for some in block:
            beside.setdefault(some, []).append(number)
    for some_numbers in beside.values():
        problem.sum(some_numbers, "=", times)
    moves = (_renamed(blocks, to) for to in _renamings(n, blocks))
    generators = tuple(permute_cells(move, times + 1) for move in moves)
    return _puzzle(name, problem.model(), f"{title}, with repeated blocks", generators, "." + SYMBOLS)


def _puzzle(
    name: str,
    model: ExactCover | Csp,
    title: str,
    generators: tuple[AtomPermutation, ...],
    symbols: str = SYMBOLS,
) -> Puzzle:
    counts = published("designs", *name.split(" ", 1))
    return Puzzle(
        name, model, title, generators, published=counts, symbols=symbols, symmetry_was_searched=True
    )


def _named(points: Sequence[int]) -> str:
    return "-".join(str(point + 1) for point in points)


def _renamings(n: int, options: Sequence[Sets]) -> Sequence[Sequence[int]]:
    """Renamings of n points that generate all; none if nothing can move."""
    return ((1, 0, *range(2, n)), (*range(1, n), 0)) if len(options) > 1 else ()


def _renamed(options: Sequence[Sets], to: Sequence[int]) -> AtomPermutation:
    """Where the options go if point p is renamed to[p]."""
    number = {option: place for place, option in enumerate(options)}
    return tuple(
        number[tuple(sorted(tuple(sorted(to[point] for point in some)) for some in option))]
        for option in options
    )


ENTRIES = (
    Entry(
        name="block-designs",
        summary="t-(v,k,lambda) designs: blocks of K of V points, any T points in LAMBDA blocks",
        source="Yates 1936; Colbourn and Dinitz, Handbook of Combinatorial Designs (2007)",
        parameters=(
            Parameter("T", "the size of the sets of points that are counted", 1, MAX_STRENGTH),
            Parameter("V", "the number of points", 1, MAX_POINTS),
            Parameter("K", "the points of a block", 1, MAX_POINTS),
            Parameter("LAMBDA", "in how many blocks each set is", 1, MAX_BLOCKS),
        ),
        options=(Option("--repeated", "blocks may be equal", allows_more=True),),
        build=block_designs,
    ),
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
