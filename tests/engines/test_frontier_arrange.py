"""One state stands for all that exchanges map to each other, in one word and in several: against all images."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.bits import Words
from rekkyo.engines.frontier.arrange import arrange_blocks, arrange_by_rules, room_to_arrange
from rekkyo.engines.frontier.plan import exchanged_bits, exchanged_blocks, exchanged_colors
from rekkyo.engines.limbs import to_int
from tests.inner_kernels import from_python

WORD = 64
MOST_IMAGES = 1 << 10
Swaps = list[tuple[int, int]]


def arranged(state: int, blocks: Words, n_words: int, *, by_rules: bool) -> int:
    words = np.array([state >> WORD * word & (1 << WORD) - 1 for word in range(n_words)], dtype=np.uint64)
    parts = np.full(from_python(room_to_arrange)(blocks, n_words), 0xDEAD, dtype=np.uint64)
    from_python(arrange_by_rules if by_rules else arrange_blocks)(words, blocks, parts)
    return to_int(words)


def moved(state: int, onto: dict[int, int]) -> int:
    """The image of a state whose bits move, the others stay."""
    others = sum(1 << bit for bit in range(state.bit_length()) if state >> bit & 1 and bit not in onto)
    return others + sum(1 << image for bit, image in onto.items() if state >> bit & 1)


def renamed(groups: Sequence[Sequence[Sequence[int]]]) -> Iterator[dict[int, int]]:
    """What happens to bits when the things of each group are permuted; a thing is a row of bits."""
    for orders in product(*(permutations(things) for things in groups)):
        yield {
            bit: image
            for things, order in zip(groups, orders, strict=True)
            for thing, other in zip(things, order, strict=True)
            for bit, image in zip(thing, other, strict=True)
        }


SEEDS = st.integers(0, 1 << 32)
"""Integers of Hypothesis have mostly few bits, so that second words were empty."""


@pytest.mark.kernel
@given(n_words=st.integers(1, 3), n_colors=st.integers(2, 4), seed=SEEDS)
def test_colours(n_words: int, n_colors: int, seed: int) -> None:
    rng = random.Random(seed)
    places = [WORD * word + at for word in range(n_words) for at in range(0, WORD - n_colors + 1, n_colors)]
    firsts = rng.sample(places, rng.randint(1, len(places)))
    blocks = exchanged_colors(n_colors, sum(1 << first for first in firsts), n_words)
    colors = [[first + color for first in firsts] for color in range(n_colors)]
    state = rng.getrandbits(WORD * n_words)
    images = {moved(state, onto) for onto in renamed([colors])}
    (found,) = {arranged(image, blocks, n_words, by_rules=True) for image in images}
    assert found in images


@pytest.mark.kernel
@given(
    n_words=st.integers(1, 3),
    sizes=st.lists(st.tuples(st.integers(2, 3), st.integers(1, 4)), min_size=1, max_size=3),
    seed=SEEDS,
)
def test_blocks(n_words: int, sizes: list[tuple[int, int]], seed: int) -> None:
    """sizes: of each class the number of blocks, and of the bits of each."""
    rng = random.Random(seed)
    bits = iter(rng.sample(range(WORD * n_words), WORD * n_words))
    classes = [[[next(bits) for _ in range(size)] for _ in range(n_blocks)] for n_blocks, size in sizes]
    blocks = exchanged_blocks(classes)
    state = rng.getrandbits(WORD * n_words)
    images = {moved(state, onto) for onto in renamed(classes)}
    (found,) = {arranged(image, blocks, n_words, by_rules=False) for image in images}
    assert found in images


@pytest.mark.kernel
@given(n_words=st.integers(1, 3), n_exchanges=st.integers(1, 3), seed=SEEDS)
def test_exchanges_of_bits(n_words: int, n_exchanges: int, seed: int) -> None:
    """Some image of the state, and no exchange gives a lesser one."""
    rng = random.Random(seed)
    exchanges = [swaps(rng, WORD * n_words) for _ in range(n_exchanges)]
    maps = [dict([*some, *((other, one) for one, other in some)]) for some in exchanges]
    state = rng.getrandbits(WORD * n_words)
    found = arranged(state, exchanged_bits(exchanges), n_words, by_rules=True)
    assert min(moved(found, onto) for onto in maps) >= found
    images, new = set[int](), {state}
    while new and len(images) < MOST_IMAGES:
        images |= new
        new = {moved(image, onto) for image in new for onto in maps} - images
    assert found in images or new


def swaps(rng: random.Random, n_bits: int) -> Swaps:
    """Swaps of different bits in any order, many of which are as far apart as others, so that a mask has several."""
    distance = rng.randrange(1, n_bits)
    left = set(range(n_bits))
    found = []
    for _ in range(rng.randint(2, 8)):
        one = rng.choice(sorted(left))
        other = one + distance if rng.random() < 0.7 else rng.choice(sorted(left - {one}))
        if other in left:
            left -= {one, other}
            found.append((min(one, other), max(one, other)))
    return found or [(0, 1)]
