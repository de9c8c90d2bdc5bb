"""Compiled: replaces all states of a part by canonical ones, see `arrange.py`; states have one word.

The image of a state by an exchange is put together from the images of its bytes, which are in a table:

    state    byte 2 | byte 1 | byte 0
    image    images[exchange, 2, byte 2] | images[exchange, 1, byte 1] | images[exchange, 0, byte 0]

For the 12 pairs of columns of 24x24 cells a state takes 6 ns so, and 25 with a look at one pair after the
other, which is better for a few states.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, WORD_BITS, ZERO, Words, popcount
from rekkyo.engines.frontier.arrange import MASK, arrange_blocks
from rekkyo.jit import allocating_inner_kernel, allocating_kernel

BYTE_BITS, BYTES = np.uint64(8), 256


@allocating_kernel
def arrange_all_blocks(states: Words, blocks: Words) -> None:
    """As `arrange_blocks`. states : uint64[n], in and out."""
    state, scratch = np.empty(1, dtype=np.uint64), np.empty(2 * blocks.shape[0], dtype=np.uint64)
    for index in range(states.shape[0]):
        state[0] = states[index]
        arrange_blocks(state, blocks, scratch)
        states[index] = state[0]


@allocating_kernel
def arrange_all_by_exchanges(states: Words, blocks: Words) -> None:
    """As `arrange_by_rules` for exchanges, see there.

    states : uint64[n], in and out. blocks : the number of exchanges, and their swaps below.
    """
    n_exchanges = int(np.int64(blocks[0, 1]))
    sides, every = _sides(blocks[1:], n_exchanges), ZERO
    for row in range(1, blocks.shape[0]):
        every |= blocks[row, MASK] << blocks[row, 4]  # the higher bits of each swap
    for index in range(states.shape[0]):
        every |= states[index]
    images = _images_of_bytes(_images_of_bits(blocks[1:], n_exchanges), _n_bytes(every))
    n_bytes, last = images.shape[1], np.uint64(BYTES - 1)
    for index in range(states.shape[0]):
        state, n_failed, exchange = states[index], 0, 0
        while n_failed < n_exchanges:
            image = ZERO
            for byte in range(n_bytes):
                image |= images[exchange, byte, state >> np.uint64(byte) * BYTE_BITS & last]
            n_one, n_other = popcount(state & sides[exchange, 0]), popcount(state & sides[exchange, 1])
            n_failed += 1
            if n_one > n_other or (n_one == n_other and image < state):
                state, n_failed = image, 0
            exchange = exchange + 1 if exchange + 1 < n_exchanges else 0
        states[index] = state


@allocating_inner_kernel
def _sides(swaps: Words, n_exchanges: int) -> Words:
    """The bits of the two sides of each exchange: uint64[n_exchanges, 2]."""
    sides, exchange = np.empty((n_exchanges, 2), dtype=np.uint64), 0
    for row in range(swaps.shape[0]):
        if swaps[row, MASK] == ZERO:
            sides[exchange, 0], sides[exchange, 1] = swaps[row, 2], swaps[row, 3]
            exchange += 1
    return sides


@allocating_inner_kernel
def _images_of_bits(swaps: Words, n_exchanges: int) -> Words:
    """For each exchange the image of each bit: uint64[n_exchanges, WORD_BITS]."""
    images, exchange = np.empty((n_exchanges, np.int64(WORD_BITS)), dtype=np.uint64), 0
    for number in range(n_exchanges):
        for bit in range(images.shape[1]):
            images[number, bit] = ONE << np.uint64(bit)
    for swap in range(swaps.shape[0]):
        if swap > 0 and swaps[swap, 0] != swaps[swap - 1, 0]:
            exchange += 1
        for bit in range(images.shape[1]):
            if swaps[swap, MASK] >> np.uint64(bit) & ONE != ZERO:
                one, other = bit + np.int64(swaps[swap, 2]), bit + np.int64(swaps[swap, 4])
                images[exchange, one] = ONE << np.uint64(other)
                images[exchange, other] = ONE << np.uint64(one)
    return images


@allocating_inner_kernel
def _images_of_bytes(of_bits: Words, n_bytes: int) -> NDArray[np.uint64]:
    """For each exchange and each of the lowest bytes the image of each value of the byte."""
    images = np.zeros((of_bits.shape[0], n_bytes, BYTES), dtype=np.uint64)
    for exchange in range(images.shape[0]):
        for byte in range(n_bytes):
            for bit in range(np.int64(BYTE_BITS)):
                image, step = of_bits[exchange, byte * np.int64(BYTE_BITS) + bit], 1 << bit
                for value in range(step):
                    images[exchange, byte, step + value] = images[exchange, byte, value] | image
    return images


@allocating_inner_kernel
def _n_bytes(every: np.uint64) -> int:
    """The bytes up to the highest one that is not 0."""
    n_bytes = 0
    while every != ZERO:
        every >>= BYTE_BITS
        n_bytes += 1
    return n_bytes
