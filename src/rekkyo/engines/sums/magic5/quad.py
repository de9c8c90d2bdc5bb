"""Four uint64 words side by side, 256 bits: a set of transversals, one machine register.

A partition of 1 … 25 into rows has at most 229 transversals, so such a set always fits. What quads share with
other vectors of words is in `engines/word_vectors.py`.

    Quad     word 0    word 1    word 2    word 3        (element i: bit i % 64 of word i // 64)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rekkyo.bits import Word
from rekkyo.engines.word_vectors import vector_kind
from rekkyo.kernel_switches import IS_COMPILED

N_WORDS = 4

kind = vector_kind("RekkyoQuad", N_WORDS)
load, store, both, either, unlike = kind.load, kind.store, kind.both, kind.either, kind.unlike

if TYPE_CHECKING or not IS_COMPILED:
    from rekkyo.engines.word_vectors import Vector

    Quad = Vector

    def quad_of(word0: Word, word1: Word, word2: Word, word3: Word) -> Quad:
        """Four words as a quad."""
        return np.array([word0, word1, word2, word3], dtype=np.uint64)

    def opposite(quad: Quad) -> Quad:
        """Bitwise not."""
        return ~quad

    def is_empty(quad: Quad) -> bool:
        """Whether no bit is set."""
        return not quad.any()

else:
    from llvmlite import ir
    from numba import types

    from rekkyo.bits import operation

    QUAD, VECTOR = kind.numba_type, kind.llvm_type

    @operation(QUAD, *[types.uint64] * N_WORDS)
    def quad_of(builder: Any, *words: Any) -> Any:
        """Four words as a quad."""
        quad = ir.Constant(VECTOR, ir.Undefined)
        for index, word in enumerate(words):
            quad = builder.insert_element(quad, word, ir.Constant(ir.IntType(32), index))
        return quad

    @operation(QUAD, QUAD)
    def opposite(builder: Any, quad: Any) -> Any:
        """Bitwise not."""
        return builder.not_(quad)

    @operation(types.boolean, QUAD)
    def is_empty(builder: Any, quad: Any) -> Any:
        """Whether no bit is set."""
        # LLVM compiles the comparison of one 256-bit integer to one instruction if the processor has one.
        wide = ir.IntType(64 * N_WORDS)
        return builder.icmp_unsigned("==", builder.bitcast(quad, wide), ir.Constant(wide, 0))
