"""Named helpers for uint64 words, usable inside kernels and, without a compiler, in plain Python.

Bit counts and trailing zeros come from LLVM through `@intrinsic`: one machine instruction each.
(`declare_intrinsic('llvm.ctpop')` crashed Numba 0.68; the loops that people write instead are 5 to 20 times
slower.) Every argument and result is uint64: a signed operand silently turns the whole expression into
floating point or negative numbers in Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.kernel_switches import IS_COMPILED

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


def bits_at(places: NDArray[np.int64] | list[int] | slice, n_words: int) -> Words:
    """Words with these bits set, outside of kernels."""
    flags = np.zeros(64 * n_words, dtype=np.bool_)
    flags[places] = True
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


if TYPE_CHECKING or not IS_COMPILED:

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
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def operation(result: Any, *arguments: Any) -> Any:
        """Make what kernels can call, of these types, out of a function of a builder and the arguments."""

        def made(write: Callable[..., Any]) -> Any:
            def stub(typingctx: Any, *given: Any) -> Any:
                def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                    return write(builder, *args)

                return result(*arguments), codegen

            names = ("typingctx", *(f"argument{number}" for number in range(len(arguments))))
            # Numba goes by this; what `*given` says would be one argument, a tuple.
            stub.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in names])
            return intrinsic(stub)

        return made

    @operation(types.uint64, types.uint64)
    def popcount(builder: Any, word: Any) -> Any:
        """How many bits of the word are set."""
        return builder.ctpop(word)

    @operation(types.uint64, types.uint64)
    def lowest_index(builder: Any, word: Any) -> Any:
        """The number of the lowest set bit; 64 for an empty word."""
        return builder.cttz(word, ir.Constant(ir.IntType(1), 0))

    @operation(types.uint64, types.uint64)
    def highest_index(builder: Any, word: Any) -> Any:
        """The number of the highest set bit of a word that is not empty."""
        n_above = builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(word.type, 63), n_above)

    @operation(types.uint64, types.uint64)
    def reversed_bits(builder: Any, word: Any) -> Any:
        """Bit i becomes bit 63 - i."""
        return builder.bitreverse(word)
