"""One state stands for all that exchanges map to each other, in one word and in several: against all images."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rekkyo.bits import Words
from rekkyo.engines.frontier.arrange import arrange_blocks, arrange_by_rules, room_to_arrange
from rekkyo.engines.frontier.arrange_all import arrange_all_blocks
from rekkyo.engines.frontier.plan import (
    Names,
    Renamed,
    Swapped,
    exchanged_bits,
    exchanged_blocks,
    exchanged_colors,
    exchanged_names,
)
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
@example(n_words=1, sizes=[(2, 3), (2, 4)], seed=1)
def test_blocks(n_words: int, sizes: list[tuple[int, int]], seed: int) -> None:
    """sizes: of each class the number of blocks, and of the bits of each."""
    rng = random.Random(seed)
    bits = iter(rng.sample(range(WORD * n_words), WORD * n_words))
    classes = [[[next(bits) for _ in range(size)] for _ in range(n_blocks)] for n_blocks, size in sizes]
    blocks = exchanged_blocks(classes)
    state = rng.getrandbits(WORD * n_words)
    images = {moved(state, onto) for onto in renamed(classes)}
    (found,) = {arranged(image, blocks, n_words, by_rules=True) for image in images}
    assert found in images


@pytest.mark.kernel
@given(
    n_blocks=st.integers(2, 3),
    pieces=st.lists(st.tuples(st.integers(0, 200), st.sets(st.integers(0, 63), min_size=1)), max_size=3),
    seed=SEEDS,
)
def test_blocks_with_bits_at_equal_distances(
    n_blocks: int, pieces: list[tuple[int, set[int]]], seed: int
) -> None:
    """pieces: of each the first place in the first block, and the distances of its bits from it."""
    blocks = [
        [WORD * 5 * block + first + distance for first, some in pieces for distance in some]
        for block in range(n_blocks)
    ]
    assume(0 < len(blocks[0]) <= WORD and len(set(blocks[0])) == len(blocks[0]))
    state = random.Random(seed).getrandbits(WORD * 15)
    images = {moved(state, onto) for onto in renamed([blocks])}
    (found,) = {arranged(image, exchanged_blocks([blocks]), 15, by_rules=False) for image in images}
    assert found in images


def pieces_of(classes: list[list[list[int]]]) -> list[list[tuple[int, int, int]]]:
    """The pieces of each row: shift in a part, place, mask."""
    rows = exchanged_blocks(classes).tolist()
    return [
        [(place >> 32, place & 0xFFFFFFFF, mask) for place, mask in zip(row[1::2], row[2::2], strict=True)]
        for row in rows
    ]


def test_bits_that_are_moved_at_once() -> None:
    """Neighbours; bits as far apart in all blocks; in two words; where a part has no room for all at once."""
    assert pieces_of([[[3, 4, 5], [70, 71, 72]]]) == [[(0, 3, 0b111)], [(0, 70, 0b111)]]
    assert pieces_of([[[2, 0, 4], [3, 1, 5]]]) == [[(0, 0, 0b10101)], [(0, 1, 0b10101)]]
    assert pieces_of([[[63, 64], [65, 66]]]) == [[(0, 63, 1), (1, 64, 1)], [(0, 65, 1), (1, 66, 1)]]
    wide = [[0, 63, 64, 127], [128, 191, 192, 255]]
    first = [(0, 0, 1 | 1 << 63), (1, 64, 1), (2, 127, 1)]
    assert pieces_of([wide]) == [first, [(0, 128, 1 | 1 << 63), (1, 192, 1), (2, 255, 1)]]
    assert pieces_of([[[0], [1]], [[2, 9], [3, 8]]])[0] == [(0, 0, 1), (0, 0, 0)]


def test_large_classes_come_first_and_blocks_in_the_order_of_their_bits() -> None:
    rows = exchanged_blocks([[[9], [8]], [[5], [3], [4]]]).tolist()
    assert [(row[0], row[1]) for row in rows] == [(0, 3), (0, 4), (0, 5), (1, 8), (1, 9)]


def test_almost_all_images_become_one() -> None:
    """All matrices of 4x4, 317 up to the order of their rows and columns (A002724): a few have two forms.

    Sorted by their bits alone, the rows and columns would leave 753 forms.
    """
    rows = [[4 * row + column for column in range(4)] for row in range(4)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    states = np.arange(1 << 16, dtype=np.uint64)
    least = states.copy()
    for of_rows, of_columns in product(permutations(rows), permutations(range(4))):
        image = np.zeros_like(states)
        for at, to in zip(range(16), (row[column] for row in of_rows for column in of_columns), strict=True):
            image |= (states >> np.uint64(at) & np.uint64(1)) << np.uint64(to)
        np.minimum(least, image, out=least)
    forms = states.copy()
    arrange_all_blocks(forms, exchanged_blocks([rows, columns]))
    assert np.array_equal(least[forms], least)
    assert len(np.unique(least)) == 317
    assert len(np.unique(forms)) <= 325


@pytest.mark.kernel
@given(n_words=st.integers(1, 3), n_exchanges=st.integers(1, 3), seed=SEEDS)
def test_exchanges_of_bits(n_words: int, n_exchanges: int, seed: int) -> None:
    """Some image of the state, and no exchange gives a lesser one."""
    rng = random.Random(seed)
    exchanges = [swaps(rng, WORD * n_words) for _ in range(n_exchanges)]
    maps = [dict([*some, *((other, one) for one, other in some)]) for some in exchanges]
    state = rng.getrandbits(WORD * n_words)
    found = arranged(state, exchanged_bits([*map(Swapped, exchanges)]), n_words, by_rules=True)
    assert min(moved(found, onto) for onto in maps) >= found
    images = images_of(state, maps)
    assert found in images or len(images) >= MOST_IMAGES


@pytest.mark.kernel
@given(n_words=st.integers(1, 3), seed=SEEDS)
def test_sides(n_words: int, seed: int) -> None:
    """The state that has fewer bits of one side than of the other, or the lesser one."""
    rng = random.Random(seed)
    exchange = swaps(rng, WORD * n_words)
    onto = dict([*exchange, *((other, one) for one, other in exchange)])
    side = {rng.choice(pair) for pair in exchange if rng.random() < 0.7}
    one, other = (sum(1 << bit for bit in some) for some in (side, map(onto.__getitem__, side)))
    state = rng.getrandbits(WORD * n_words)
    found = arranged(state, exchanged_bits([Swapped(exchange, one, other)]), n_words, by_rules=True)
    images = state, moved(state, onto)
    assert found == min(
        images, key=lambda image: ((image & one).bit_count() - (image & other).bit_count(), image)
    )


def test_swaps_come_by_their_highest_bits() -> None:
    """The kernel looks at no further ones once it knows the highest bit that changes."""
    rows = exchanged_bits([Swapped([(0, 1), (2, 5), (3, 64), (4, 63), (6, 9), (60, 61)])]).tolist()
    assert [(word, shift, mask) for *_, word, shift, mask in rows[2:]] == [
        (1, 0, 1),
        (0, 63, 1),
        (0, 1, 1 | 1 << 60),
        (0, 5, 0b10001),
    ]


@pytest.mark.parametrize("highest", [63, 127, 64, 128])
def test_sides_have_a_row_for_each_word_of_a_state(highest: int) -> None:
    """Else the kernel read behind states with a side up to their last bit."""
    rows = exchanged_bits([Swapped([(5, highest)], 1 << 5, 1 << highest)])
    assert max(rows[1:, 1].tolist()) == highest // WORD


@dataclass(frozen=True, slots=True)
class Joints:
    """Mates and labels of numbered joints, and the first bit of each that lives."""

    width: int
    are_mates: bool
    shifts: dict[int, int]
    n_joints: int

    @classmethod
    def drawn(cls, rng: random.Random, slots: Iterator[int], *, are_mates: bool) -> Joints:
        n_joints = rng.randint(2, 7)
        living = sorted(rng.sample(range(n_joints), rng.randint(2, n_joints)))
        return cls(n_joints.bit_length(), are_mates, {joint: next(slots) for joint in living}, n_joints)

    def numbers(self, rng: random.Random) -> dict[int, int | None]:
        """For each joint the other end of its path, itself without edges, None with two; or a component or None."""
        if not self.are_mates:
            return {joint: rng.choice([None, *range(4)]) for joint in self.shifts}
        found: dict[int, int | None] = {joint: rng.choice([None, joint]) for joint in self.shifts}
        ends = rng.sample(sorted(self.shifts), len(self.shifts) // 2 * 2)
        for one, other in zip(ends[::2], ends[1::2], strict=True):
            if rng.random() < 0.7:
                found |= {one: other, other: one}
        return found

    def written(self, numbers: dict[int, int | None]) -> int:
        """The bits: a mate as what differs from the joint's own number; labels in order of appearance from 1."""
        full, labels = (1 << self.width) - 1, dict[int | None, int]({None: 0})
        bits = 0
        for joint in sorted(self.shifts):
            number = numbers[joint]
            if self.are_mates:
                bits |= (joint ^ (full if number is None else number)) << self.shifts[joint]
            else:
                bits |= labels.setdefault(number, len(labels)) << self.shifts[joint]
        return bits

    def names(self) -> Names:
        return Names(self.width, self.are_mates, tuple(map(self.shifts.get, range(self.n_joints))))

    def exchange(self, rng: random.Random) -> dict[int, int]:
        """Some pairs of living joints, and the others left where they are."""
        onto = {joint: joint for joint in range(self.n_joints)}
        ends = rng.sample(sorted(self.shifts), 2 * rng.randint(1, len(self.shifts) // 2))
        for one, other in zip(ends[::2], ends[1::2], strict=True):
            onto |= {one: other, other: one}
        return onto

    def moved(self, numbers: dict[int, int | None], onto: dict[int, int]) -> dict[int, int | None]:
        """A path between two joints goes to one between their images, and a component keeps its name."""
        return {
            onto[joint]: number if number is None or not self.are_mates else onto[number]
            for joint, number in numbers.items()
        }

    def swaps(self, onto: dict[int, int]) -> Swaps:
        places = [(self.shifts[joint], self.shifts[onto[joint]]) for joint in self.shifts]
        return [(one + at, other + at) for one, other in places if one < other for at in range(self.width)]


@pytest.mark.kernel
@given(
    n_words=st.integers(1, 6),
    n_exchanges=st.integers(1, 3),
    kinds=st.sampled_from([[0], [1], [0, 1], [1, 0, 1]]),
    seed=SEEDS,
)
def test_exchanges_of_joints(n_words: int, n_exchanges: int, kinds: list[int], seed: int) -> None:
    """Some image of the state, and no exchange gives a lesser one, where numbers are renamed."""
    rng = random.Random(seed)
    places = [WORD * word + at for word in range(n_words) for at in range(1, WORD, 3)]
    slots = iter(rng.sample(places, len(places)))
    groups = [Joints.drawn(rng, slots, are_mates=bool(kind)) for kind in kinds]
    exchanges = [[group.exchange(rng) for group in groups] for _ in range(n_exchanges)]
    renamed = [
        Renamed(
            [pair for group, onto in zip(groups, each, strict=True) for pair in group.swaps(onto)],
            [[*onto.values()] for onto in each],
        )
        for each in exchanges
    ]
    blocks = exchanged_names([group.names() for group in groups], renamed)
    numbers = [group.numbers(rng) for group in groups]

    def written(numbers: Sequence[dict[int, int | None]]) -> int:
        return sum(group.written(some) for group, some in zip(groups, numbers, strict=True))

    def images(numbers: Sequence[dict[int, int | None]]) -> list[list[dict[int, int | None]]]:
        return [
            [group.moved(some, onto) for group, some, onto in zip(groups, numbers, each, strict=True)]
            for each in exchanges
        ]

    reached = {written(numbers): numbers}
    for state in (todo := list(reached)):
        for image in images(reached[state]):
            if written(image) not in reached and len(reached) < MOST_IMAGES:
                reached[written(image)] = image
                todo.append(written(image))
    assume(len(reached) < MOST_IMAGES)
    found = arranged(written(numbers), blocks, n_words, by_rules=True)
    assert found in reached
    assert min(map(by_words, map(written, images(reached[found])))) >= by_words(found)


def by_words(state: int) -> list[int]:
    """States with renamed joints are in lexicographic order of their words."""
    return [state >> WORD * word & (1 << WORD) - 1 for word in range(6)]


def images_of(state: int, maps: Sequence[dict[int, int]]) -> set[int]:
    """What exchanges make of a state; MOST_IMAGES or more of them if there are so many."""
    images, new = set[int](), {state}
    while new and len(images) < MOST_IMAGES:
        images |= new
        new = {moved(image, onto) for image in new for onto in maps} - images
    return images | new


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
