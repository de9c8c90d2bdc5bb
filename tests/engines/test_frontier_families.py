"""Things that exchanges exchange, such as columns, and the bits that belong to them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from rekkyo.engines.csp.frontier.families import Things, things_of, with_sides
from rekkyo.engines.frontier.arrange import arrange_by_rules
from rekkyo.engines.frontier.plan import Swapped, exchanged_bits
from rekkyo.engines.frontier.streams import EVERY_BIT
from tests.inner_kernels import from_python

Cell = tuple[int, int]
Moves = Mapping[Any, Any]

PAIRS_OF_FIVE = list(combinations(range(5), 2))
"""Bit k: the k-th edge of a graph."""


def exchange(places: Iterable[Any], rename: Any) -> Moves:
    return {place: rename(place) for place in places if rename(place) != place}


def columns(n_rows: int, n_columns: int) -> dict[Things, Moves]:
    cells = list(product(range(n_rows), range(n_columns)))

    def exchanged(one: int, other: int) -> Moves:
        names = {one: other, other: one}
        return exchange(cells, lambda cell: (cell[0], names.get(cell[1], cell[1])))

    return {(one, other): exchanged(one, other) for one, other in combinations(range(n_columns), 2)}


def flipped(moves: Moves) -> Moves:
    return {place[::-1]: image[::-1] for place, image in moves.items()}


def product_of(one: Moves, other: Moves) -> Moves:
    places = one.keys() | other.keys()
    return exchange(places, lambda place: other.get(one.get(place, place), one.get(place, place)))


class TestThings:
    @pytest.mark.parametrize("seed", range(6))
    def test_columns(self, seed: int) -> None:
        """In any order of their exchanges."""
        in_order = list(columns(2, 5).items())
        family = dict(random.Random(seed).sample(in_order, len(in_order)))
        found = things_of(list(family.values()))
        assert {thing for things in found for thing in things or ()} == {*range(5)}
        # Two exchanges have a thing in common where they have a column in common.
        for (one, wanted), (other, also) in combinations(zip(found, family, strict=True), 2):
            assert one is not None
            assert other is not None
            assert len({*one} & {*other}) == len({*wanted} & {*also})

    @pytest.mark.parametrize("is_first", [False, True])
    def test_rows_and_columns_have_things_of_their_own(self, is_first: bool) -> None:
        """is_first: whether an exchange of two columns and of two rows at once is looked at before the others."""
        of_columns = list(columns(4, 3).values())
        of_rows = [flipped(moves) for moves in columns(3, 4).values()]
        both = product_of(of_columns[0], of_rows[0])
        families = [*of_columns, *of_rows]
        found = things_of([both, *families] if is_first else [*families, both])
        assert found.pop(0 if is_first else -1) is None
        things = [{thing for some in part for thing in some or ()} for part in (found[:3], found[3:])]
        assert [len(some) for some in things] == [3, 4]
        assert not things[0] & things[1]

    @pytest.mark.parametrize("left_out", range(6))
    def test_a_family_has_all_exchanges(self, left_out: int) -> None:
        """Else some of four columns are a family only if they are three of which any two are exchanged."""
        family = list(columns(2, 4).values())
        del family[left_out]
        assert sum(things is not None for things in things_of(family)) in (0, 3)

    def test_two_things_are_no_family(self) -> None:
        assert things_of(list(columns(3, 2).values())) == [None]
        assert things_of([]) == []


def swaps_of(moves: Moves, bit_of: Mapping[Any, int]) -> list[tuple[int, int]]:
    pairs = ((bit_of[place], bit_of[image]) for place, image in moves.items())
    return sorted(pair for pair in pairs if pair[0] < pair[1])


class TestSides:
    def test_bits_of_columns(self) -> None:
        """A column has its own bits, without those of numbers."""
        family = columns(2, 3)
        bit_of = {cell: number for number, cell in enumerate(product(range(2), range(3)))}
        things = things_of(list(family.values()))
        swaps = [swaps_of(moves, bit_of) for moves in family.values()]
        for alone in (EVERY_BIT, 0b111, 0):
            found = with_sides(list(zip(swaps, things, strict=True)), alone)
            assert [some.swaps for some in found] == swaps
            for (one, other), swapped in zip(family, found, strict=True):
                sides = [(1 << column | 1 << 3 + column) & alone for column in (one, other)]
                assert sorted(sides) == sorted((swapped.one, swapped.other))

    def test_edges_of_a_graph(self) -> None:
        """An edge belongs to both of its vertices, and is not of the side of one of them."""
        for (one, other), swapped in zip(PAIRS_OF_FIVE, vertices(5), strict=True):
            sides = []
            for vertex, without in ((one, other), (other, one)):
                edges = (e for e, ends in enumerate(PAIRS_OF_FIVE) if vertex in ends and without not in ends)
                sides.append(sum(1 << edge for edge in edges))
            assert sorted(sides) == sorted((swapped.one, swapped.other))

    def test_not_after_a_level_at_which_some_cannot_be_exchanged(self) -> None:
        assert any(some.one for some in vertices(5))
        assert not any(some.one for some in vertices(5, lambda swapped: swapped[1:]))

    def test_an_exchange_of_several_things_is_left_out(self) -> None:
        def with_two(swapped: list[Any]) -> list[Any]:
            double = product_of(dict(both(swapped[0][0])), dict(both(swapped[-1][0])))
            return [*swapped, (swaps_of(double, {bit: bit for bit in range(10)}), None)]

        assert vertices(5, with_two) == vertices(5)

    def test_none_if_an_exchange_changes_the_numbers(self) -> None:
        """It takes a bit of two vertices to one that belongs to two others."""
        found = vertices(5, lambda swapped: [*swapped, ([(0, 9)], None)])
        assert [some.one for some in found] == [0] * 11

    def test_most_images_of_a_graph_become_one(self) -> None:
        """34 graphs with five vertices (OEIS A000088); 1,024 with named ones."""
        blocks, parts = exchanged_bits(vertices(5)), np.zeros(1, dtype=np.uint64)
        classes: dict[int, set[int]] = {}
        for edges in range(1 << 10):
            word = np.array([edges], dtype=np.uint64)
            from_python(arrange_by_rules)(word, blocks, parts)
            classes.setdefault(least_image(edges), set()).add(int(word[0]))
            assert least_image(int(word[0])) == least_image(edges)
        assert len(classes) == 34
        assert sum(map(len, classes.values())) == 34


def both(swaps: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [pair for one, other in swaps for pair in ((one, other), (other, one))]


def vertices(n: int, changed: Any = list) -> list[Swapped]:
    """The exchanges of any two vertices of a graph. changed: what else is exchanged, or what is not."""
    edges = list(combinations(range(n), 2))
    bit_of = {edge: number for number, edge in enumerate(edges)}
    moves = []
    for one, other in edges:
        names = {one: other, other: one}
        moves.append(exchange(edges, lambda edge: tuple(sorted(names.get(v, v) for v in edge))))  # noqa: B023
    swaps = [swaps_of(some, bit_of) for some in moves]
    return with_sides(changed(list(zip(swaps, things_of(moves), strict=True))), EVERY_BIT)


ORDERS = [
    [PAIRS_OF_FIVE.index(tuple(sorted((order[a], order[b])))) for a, b in PAIRS_OF_FIVE]  # type: ignore[arg-type]
    for order in permutations(range(5))
]


def least_image(edges: int) -> int:
    here = [edge for edge in range(10) if edges >> edge & 1]
    return min(sum(1 << order[edge] for edge in here) for order in ORDERS)
