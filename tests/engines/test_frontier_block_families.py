"""Families of blocks, from exchanges of a group: an element of the group exchanges any two blocks of a family."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import chain, combinations

from hypothesis import given

from rekkyo.engines.frontier.block_families import Moves, exchanged_pair, families_of
from tests import made_once as st

Permutation = tuple[int, ...]


def swap(n: int, pairs: Iterable[tuple[int, int]]) -> Permutation:
    image = list(range(n))
    for one, other in pairs:
        image[one], image[other] = other, one
    return tuple(image)


def then(one: Permutation, other: Permutation) -> Permutation:
    return tuple(map(other.__getitem__, one))


def group_of(generators: Iterable[Permutation], n: int) -> set[Permutation]:
    generators = list(generators)
    found, new = set[Permutation](), {tuple(range(n))}
    while new:
        found |= new
        new = {then(one, other) for one in new for other in generators} - found
    return found


def moves_of(element: Permutation) -> Moves:
    return {thing: image for thing, image in enumerate(element) if thing != image}


@st.composite
def exchanges(draw: st.DrawFn) -> list[Permutation]:
    """Some elements of order two of a group that permutes blocks, perhaps two halves of each, and other things."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    n_blocks, size = draw(st.sampled_from([(2, 1), (3, 1), (5, 1), (2, 2), (3, 2), (4, 2), (2, 4), (3, 4)]))
    n = n_blocks * size + 2
    things = rng.sample(range(n), n)
    blocks = [things[size * number : size * (number + 1)] for number in range(n_blocks)]
    generators = [swap(n, zip(one, other, strict=True)) for one, other in combinations(blocks, 2)]
    generators.append(swap(n, [(things[-2], things[-1])]))
    if size > 1 and draw(st.booleans()):
        half = size // 2
        generators += [swap(n, zip(block[:half], block[half:], strict=True)) for block in blocks]
    same = tuple(range(n))
    of_order_two = [one for one in sorted(group_of(generators, n)) if one != same == then(one, one)]
    return rng.sample(of_order_two, min(len(of_order_two), draw(st.integers(1, 12))))


@given(some=exchanges())
def test_blocks_that_the_group_exchanges(some: list[Permutation]) -> None:
    n = len(some[0])
    group = group_of(some, n)
    families = families_of([moves_of(exchange) for exchange in some])
    for family in families:
        assert len({*chain.from_iterable(family)}) == sum(map(len, family))
        swaps = {
            (one, other): swap(n, zip(family[one], family[other], strict=True))
            for one, other in combinations(range(len(family)), 2)
        }
        assert group.issuperset(swaps.values())
        for exchange in some:
            pair = exchanged_pair(moves_of(exchange), family)
            assert [pair] == ([two for two, swapped in swaps.items() if swapped == exchange] or [None])


@given(some=exchanges())
def test_each_exchange_exchanges_two_blocks(some: list[Permutation]) -> None:
    """Perhaps in another way than the others of its family do."""
    all_moves = [moves_of(exchange) for exchange in some]
    families = families_of(all_moves)
    for moves in all_moves:
        pairs = chain.from_iterable(combinations(family, 2) for family in families)
        assert any({*map(moves.get, one)} == {*other} and {*one, *other} == {*moves} for one, other in pairs)


def test_two_mirrors_of_a_square_are_two_families() -> None:
    """Each takes the halves that the other exchanges to themselves."""
    upside_down, back_to_front = {0: 2, 1: 3, 2: 0, 3: 1}, {0: 1, 1: 0, 2: 3, 3: 2}
    assert families_of([upside_down, back_to_front]) == [[(0, 1), (2, 3)], [(0, 2), (1, 3)]]


def test_three_blocks_of_which_two_pairs_are_exchanged() -> None:
    one, other = {0: 5, 1: 3, 2: 4, 3: 1, 4: 2, 5: 0}, {3: 6, 4: 7, 5: 8, 6: 3, 7: 4, 8: 5}
    another_way = {3: 7, 4: 6, 5: 8, 6: 4, 7: 3, 8: 5}
    assert families_of([one, other, another_way]) == [[(3, 4, 5), (1, 2, 0), (6, 7, 8)]]
