"""Named helpers for uint64 words, usable inside kernels and, without a compiler, in plain Python.

Bit counts and trailing zeros come from LLVM through `@intrinsic`: one machine instruction each.
(`declare_intrinsic('llvm.ctpop')` crashed Numba 0.68; the loops that people write instead are 5 to 20 times
slower.) Every argument and result is uint64: a signed operand silently turns the whole expression into
floating point or negative numbers in Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

Word: TypeAlias = np.uint64
Words: TypeAlias = NDArray[np.uint64]

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)

WORD_BITS = np.uint64(64)
WORD_SHIFT, BIT_MASK = np.uint64(6), np.uint64(63)
"""Bit b of a vector of words is bit b & BIT_MASK of word b >> WORD_SHIFT."""

HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: the high bits of a product with it depend on all bits."""

config: Any = numba.config


def bits_at(places: NDArray[np.int64] | list[int] | slice, n_words: int) -> Words:
    """Words with these bits set, outside of kernels."""
    flags = np.zeros(64 * n_words, dtype=np.bool_)
    flags[places] = True
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


if TYPE_CHECKING or config.DISABLE_JIT:

    def popcount(word: np.uint64) -> np.uint64:
        """How many bits of the word are set."""
        return np.uint64(word.bit_count())

    def lowest_index(word: np.uint64) -> np.uint64:
        """The number of the lowest set bit; 64 for an empty word."""
        return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)

    def highest_index(word: np.uint64) -> np.uint64:
        """The number of the highest set bit of a word that is not empty."""
        return np.uint64(int(word).bit_length() - 1)

    def reversed_bits(word: np.uint64) -> np.uint64:
        """Bit i becomes bit 63 - i."""
        return np.uint64(int(f"{int(word):064b}"[::-1], 2))

else:

    @intrinsic
    def popcount(typingctx: Any, word: Any) -> Any:
        """How many bits of the word are set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def lowest_index(typingctx: Any, word: Any) -> Any:
        """The number of the lowest set bit; 64 for an empty word."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            is_zero_poison = context.get_constant(types.boolean, False)
            return builder.cttz(args[0], is_zero_poison)

        return types.uint64(types.uint64), codegen

    @intrinsic
    def highest_index(typingctx: Any, word: Any) -> Any:
        """The number of the highest set bit of a word that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            is_zero_poison = context.get_constant(types.boolean, False)
            return builder.sub(context.get_constant(types.uint64, 63), builder.ctlz(args[0], is_zero_poison))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def reversed_bits(typingctx: Any, word: Any) -> Any:
        """Bit i becomes bit 63 - i."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitreverse(args[0])

        return types.uint64(types.uint64), codegen
