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

Words: TypeAlias = NDArray[np.uint64]

ZERO = np.uint64(0)
ONE = np.uint64(1)

config: Any = numba.config

if TYPE_CHECKING or config.DISABLE_JIT:

    def popcount(word: np.uint64) -> np.uint64:
        """How many bits of the word are set."""
        return np.uint64(int(word).bit_count())

    def lowest_index(word: np.uint64) -> np.uint64:
        """The number of the lowest set bit; 64 for an empty word."""
        return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)

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
