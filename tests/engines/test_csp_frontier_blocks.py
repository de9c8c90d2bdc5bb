"""Blocks of bits of things that are exchanged, such as columns: groups of permutations, published counts."""

from __future__ import annotations

import random
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rekkyo.engines.csp.frontier.blocks import classes_of
from rekkyo.engines.csp.frontier.families import Swaps, Things
from rekkyo.model.csp.constraints import AllDifferent, GlobalCardinality
from rekkyo.model.csp.csp import Csp
from rekkyo.symmetry.chain import Element, complete_chain, order_of
from tests import naive_csp
from tests.engines.csp_counted import alike_of, planned, total_of


def columns_in_rows(n_rows: int, n_columns: int, n_values: int, *more: AllDifferent) -> Csp:
    """No value comes twice in a row or in a column."""
    rows = [tuple(range(row * n_columns, (row + 1) * n_columns)) for row in range(n_rows)]
    lines = [AllDifferent(line) for line in (*rows, *zip(*rows, strict=True))]
    n = n_rows * n_columns
    return Csp(tuple(map(str, range(n))), (tuple(range(n_values)),) * n, (*lines, *more))


@pytest.mark.kernel
@pytest.mark.parametrize(("n", "count"), [(3, 12), (4, 576), (5, 161_280), (6, 812_851_200)])
def test_published_latin_squares(n: int, count: int) -> None:
    """OEIS A002860. Rows, columns and values are exchanged, in the blocks of one state."""
    squares = columns_in_rows(n, n, n)
    alike = alike_of(squares)
    assert alike.colors == tuple(range(n))
    assert total_of(planned(squares, range(n * n), alike)) == count


@pytest.mark.kernel
@settings(max_examples=30)
@given(
    shape=st.sampled_from([(2, 3, 4), (3, 3, 3), (3, 3, 4), (2, 4, 4)]),
    boxes=st.lists(st.sets(st.integers(0, 5), min_size=2, max_size=3), max_size=1),
    least=st.none() | st.integers(0, 3),
    seed=st.integers(0, 1 << 32),
)
def test_lines_and_boxes_in_any_order(
    shape: tuple[int, int, int], boxes: list[set[int]], least: int | None, seed: int
) -> None:
    model = columns_in_rows(*shape, *(AllDifferent(tuple(sorted(box))) for box in boxes))
    if least is not None:
        once = GlobalCardinality(tuple(range(4)), ((least, 1, 1),))
        model = Csp(model.names, model.domains, (*model.constraints, once))
    in_order = random.Random(seed).sample(range(len(model.names)), len(model.names))
    assert total_of(planned(model, in_order, alike_of(model))) == len(naive_csp.solutions(model))


N_BITS = 24


@st.composite
def exchanges_of_things(draw: st.DrawFn) -> list[tuple[Swaps, Things | None]]:
    """Of any two of some things, of which each has some bits, and so have any two of them, and of other bits."""
    bits = iter(draw(st.permutations(range(N_BITS))))
    found: list[tuple[Swaps, Things | None]] = []
    for first, most in ((0, 4), (4, 3))[: draw(st.integers(1, 2))]:
        things = range(first, first + draw(st.integers(2, most)))
        of_one = [{thing: next(bits) for thing in things} for _ in range(draw(st.integers(0, 2)))]
        of_two = [{frozenset(two): next(bits) for two in combinations(things, 2)}] * draw(st.integers(0, 1))
        for one, other in combinations(things, 2):
            renamed = {one: other, other: one}
            swaps = [(some[one], some[other]) for some in of_one]
            for some in of_two:
                images = ((bit, some[frozenset(renamed.get(t, t) for t in two)]) for two, bit in some.items())
                swaps += [(bit, image) for bit, image in images if bit < image]
            if swaps:
                found.append((sorted(map(_ascending, swaps)), (one, other)))
    for _ in range(draw(st.integers(0, 2))):
        some = draw(st.lists(st.integers(0, N_BITS - 1), min_size=2, max_size=4, unique=True))
        found.append(([_ascending((a, b)) for a, b in zip(some[::2], some[1::2], strict=False)], None))
    return found


def _ascending(two: tuple[int, int]) -> tuple[int, int]:
    return min(two), max(two)


def as_permutation(swaps: Swaps) -> Element:
    moved = {**dict(swaps), **{other: one for one, other in swaps}}
    return np.array([moved.get(bit, bit) for bit in range(N_BITS)], dtype=np.uint32)


def order(generators: list[Element]) -> int:
    chain_of_all = complete_chain(generators, 1 << 24)
    assert chain_of_all is not None
    return order_of(chain_of_all)


@settings(max_examples=60)
@given(exchanges=exchanges_of_things())
def test_any_two_blocks_of_a_class_are_exchanged_by_some_exchanges(
    exchanges: list[tuple[Swaps, Things | None]],
) -> None:
    given_ones = [as_permutation(swaps) for swaps, _ in exchanges]
    for blocks in classes_of(exchanges):
        assert len(blocks) > 1
        assert len({*chain.from_iterable(blocks)}) == len(blocks) * len(blocks[0])
        for one, other in combinations(blocks, 2):
            exchange = as_permutation(list(zip(one, other, strict=True)))
            assert order([*given_ones, exchange]) == order(given_ones)
