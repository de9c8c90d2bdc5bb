"""Compiled parts of memoised branching: keys, the table of what is remembered, and its numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ONE, SCATTER, ZERO, Words
from rekkyo.engines.covers.memo.plan import Cover, Ints
from rekkyo.engines.limbs import Limbs, add_product
from rekkyo.jit import kernel

FREE = np.uint32(0xFFFFFFFF)

BIT_OF_WORD = 63
WORD_OF_BIT = 6
TOP_BIT = np.uint64(63)


@kernel
def write_key(cover: Cover, times: Ints, arena: Ints, path: Words, header: int, depth: int) -> None:
    """Write the key of a component to its place on the path."""
    for word in range(path.shape[1]):
        path[depth, word] = ZERO
    first, n_numbers = arena[header], arena[header + 1]
    if cover.by_items:
        first, n_numbers = arena[header + 2], arena[header + 3]
    for place in range(first, first + n_numbers):
        number = arena[place]
        path[depth, number >> WORD_OF_BIT] |= ONE << np.uint64(number & BIT_OF_WORD)
    if cover.by_items:
        return
    first, n_numbers = arena[header + 2], arena[header + 3]
    for place in range(first, first + n_numbers):
        item = arena[place]
        at = cover.field_at[item]
        if at >= 0:
            size = arena[place + n_numbers]
            at_least = np.uint64(max(0, cover.low[item] - times[item]))
            at_most = np.uint64(min(size, cover.high[item] - times[item]))
            both = at_least << np.uint64(cover.field_width) | at_most
            path[depth, at >> WORD_OF_BIT] |= both << np.uint64(at & BIT_OF_WORD)


@kernel
def place_of(places: NDArray[np.uint32], keys: Words, path: Words, depth: int) -> np.uint64:
    """Where the entry of a key is in the table, or where it belongs."""
    n_words = keys.shape[1]
    last = np.uint64(places.shape[0] - 1)
    mixed = ZERO
    for word in range(n_words):
        mixed = (mixed ^ path[depth, word]) * SCATTER
        mixed ^= mixed >> HALF
    place = mixed & last
    while places[place] != FREE:
        entry = places[place]
        same = True
        for word in range(n_words):
            if keys[entry, word] != path[depth, word]:
                same = False
                break
        if same:
            break
        place = (place + ONE) & last
    return place


@kernel
def enter_all(places: NDArray[np.uint32], keys: Words, n_entries: int) -> None:
    """Fill an empty table."""
    for entry in range(n_entries):
        places[place_of(places, keys, keys, entry)] = np.uint32(entry)


@kernel
def is_zero(numbers: Limbs, index: int) -> bool:
    """Whether a number is zero."""
    union = ZERO
    for limb in range(numbers.shape[1]):
        union |= numbers[index, limb]
    return bool(union == ZERO)


@kernel
def is_long(numbers: Limbs, index: int) -> bool:
    """Whether the highest bit is in use: then a sum might not fit."""
    return bool(numbers[index, numbers.shape[1] - 1] >> TOP_BIT != ZERO)


@kernel
def add_one(sums: Limbs, index: int) -> None:
    """Add one to a number whose highest bit is free."""
    for limb in range(sums.shape[1]):
        sums[index, limb] += ONE
        if sums[index, limb] != ZERO:
            break


@kernel
def multiply(products: Limbs, index: int, numbers: Limbs, other: int, spare: Limbs) -> bool:
    """Multiply one number by another; False, and nothing done, when the product might not fit."""
    if _n_bits(products, index) + _n_bits(numbers, other) > 64 * products.shape[1]:
        return False
    if products.shape[1] == 1:
        products[index, 0] *= numbers[other, 0]
        return True
    for limb in range(spare.shape[1]):
        spare[0, limb] = ZERO
    add_product(spare, 0, products, index, numbers, other)
    for limb in range(spare.shape[1]):
        products[index, limb] = spare[0, limb]
    return True


@kernel
def _n_bits(numbers: Limbs, index: int) -> int:
    for limb in range(numbers.shape[1] - 1, -1, -1):
        word = numbers[index, limb]
        if word != ZERO:
            n_bits = 64 * limb
            while word != ZERO:
                word >>= ONE
                n_bits += 1
            return n_bits
    return 0
