"""Four uint64 words side by side, 256 bits: a set of transversals, one machine register.

A partition of 1 … 25 into rows has at most 229 transversals, so such a set always fits. Numba does not make
vectors of these few words by itself, so the operations are written out as LLVM vector instructions; every one
has a plain Python double that runs when compilation is switched off.

    Quad     word 0    word 1    word 2    word 3        (element i: bit i % 64 of word i // 64)

`load` and `store` take a C-contiguous array of uint64 and an index into its flat words. Compiled they do not
check bounds; the Python doubles do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

N_WORDS = 4

config: Any = numba.config

if TYPE_CHECKING or config.DISABLE_JIT:
    from numpy.typing import NDArray

    Quad = NDArray[np.uint64]
    Index = int | np.uint64

    def load(words: NDArray[np.uint64], start: Index) -> Quad:
        """The four words from flat index `start` on."""
        return _four(words, start).copy()

    def store(words: NDArray[np.uint64], start: Index, quad: Quad) -> None:
        """Write the four words from flat index `start` on."""
        _four(words, start)[:] = quad

    def quad_of(word0: np.uint64, word1: np.uint64, word2: np.uint64, word3: np.uint64) -> Quad:
        """Four words as a quad."""
        return np.array([word0, word1, word2, word3], dtype=np.uint64)

    def both(left: Quad, right: Quad) -> Quad:
        """Bitwise and."""
        return left & right

    def either(left: Quad, right: Quad) -> Quad:
        """Bitwise or."""
        return left | right

    def unlike(left: Quad, right: Quad) -> Quad:
        """Bitwise exclusive or."""
        return left ^ right

    def opposite(quad: Quad) -> Quad:
        """Bitwise not."""
        return ~quad

    def is_empty(quad: Quad) -> bool:
        """Whether no bit is set."""
        return not quad.any()

    def _four(words: NDArray[np.uint64], start: Index) -> NDArray[np.uint64]:
        four = words.reshape(-1)[int(start) : int(start) + N_WORDS]
        assert len(four) == N_WORDS
        return four

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, models, register_model

    VECTOR = ir.VectorType(ir.IntType(64), N_WORDS)
    WORD_BYTES = 8

    class QuadType(types.Type):
        """Numba's type of four words side by side."""

        def __init__(self) -> None:
            super().__init__(name="RekkyoQuad")

    QUAD = QuadType()

    @register_model(QuadType)
    class QuadModel(models.PrimitiveModel):
        """Four words side by side are one LLVM vector value."""

        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, VECTOR)

    def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
        data = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [start]), VECTOR.as_pointer())

    def _check_words(array: Any) -> None:
        if not (isinstance(array, types.Array) and array.dtype == types.uint64 and array.layout == "C"):
            raise TypeError(f"quad: a C-contiguous array of uint64 is needed, not {array}")

    @intrinsic
    def load(typingctx: Any, words: Any, start: Any) -> Any:
        """The four words from flat index `start` on."""
        _check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_address(context, builder, signature.args[0], *args), align=WORD_BYTES)

        return QUAD(words, types.uint64), codegen

    @intrinsic
    def store(typingctx: Any, words: Any, start: Any, quad: Any) -> Any:
        """Write the four words from flat index `start` on."""
        _check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = _address(context, builder, signature.args[0], args[0], args[1])
            builder.store(args[2], address, align=WORD_BYTES)
            return context.get_dummy_value()

        return types.none(words, types.uint64, QUAD), codegen

    @intrinsic
    def quad_of(typingctx: Any, word0: Any, word1: Any, word2: Any, word3: Any) -> Any:
        """Four words as a quad."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            quad = ir.Constant(VECTOR, ir.Undefined)
            for index, word in enumerate(args):
                quad = builder.insert_element(quad, word, ir.Constant(ir.IntType(32), index))
            return quad

        return QUAD(types.uint64, types.uint64, types.uint64, types.uint64), codegen

    def _word_by_word(operation: str, doc: str) -> Any:
        def stub(typingctx: Any, left: Any, right: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, operation)(args[0], args[1])

            return QUAD(QUAD, QUAD), codegen

        stub.__doc__ = doc
        return intrinsic(stub)

    both = _word_by_word("and_", "Bitwise and.")
    either = _word_by_word("or_", "Bitwise or.")
    unlike = _word_by_word("xor", "Bitwise exclusive or.")

    @intrinsic
    def opposite(typingctx: Any, quad: Any) -> Any:
        """Bitwise not."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.not_(args[0])

        return QUAD(QUAD), codegen

    @intrinsic
    def is_empty(typingctx: Any, quad: Any) -> Any:
        """Whether no bit is set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # All 256 bits as one integer: becomes one test instruction where there is one.
            wide = ir.IntType(64 * N_WORDS)
            return builder.icmp_unsigned("==", builder.bitcast(args[0], wide), ir.Constant(wide, 0))

        return types.boolean(QUAD), codegen
