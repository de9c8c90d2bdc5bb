"""Eight uint64 words side by side, 512 bits: what the join kernels count with, one machine register.

Numba's loop vectoriser prefers 256-bit registers and cannot compress (store only the chosen words, without
gaps). So the handful of operations that the kernels need are written out as LLVM vector instructions. They
are portable: LLVM splits them up for processors with narrower registers, and every one has a plain Python
double below that runs when compilation is switched off.

    Lanes        word 0    word 1    word 2    …    word 7
                 uint64    uint64    uint64         uint64
    word mask    bit 0     bit 1     bit 2     …    bit 7      (one uint64, the upper 56 bits empty)

`load`, `store` and `store_chosen` take a C-contiguous array of uint64, of any number of dimensions, and an
index into its flat words. Compiled they do not check bounds; the Python doubles do.
Deliberately left out: operators. A kernel names what it does: `both`, `either`, `counted`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

N_WORDS = 8
N_LANES = 64 * N_WORDS

config: Any = numba.config

if TYPE_CHECKING or config.DISABLE_JIT:
    from numpy.typing import NDArray

    Lanes = NDArray[np.uint64]
    Index = int | np.uint64

    def spread(word: np.uint64) -> Lanes:
        """The same word eight times."""
        return np.full(N_WORDS, word, np.uint64)

    def load(words: NDArray[np.uint64], start: Index) -> Lanes:
        """The eight words from flat index `start` on."""
        return _eight(words, start).copy()

    def store(words: NDArray[np.uint64], start: Index, lanes: Lanes) -> None:
        """Write the eight words from flat index `start` on."""
        _eight(words, start)[:] = lanes

    def store_chosen(words: NDArray[np.uint64], start: Index, lanes: Lanes, mask: np.uint64) -> None:
        """Write the words that the mask chooses, without gaps, from flat index `start` on."""
        chosen = lanes[[bool(int(mask) >> word & 1) for word in range(N_WORDS)]]
        target = words.reshape(-1)[int(start) : int(start) + len(chosen)]
        assert len(target) == len(chosen)
        target[:] = chosen

    def empty_words(lanes: Lanes) -> np.uint64:
        """The word mask of the words that are zero."""
        return np.uint64(sum(1 << word for word in range(N_WORDS) if not lanes[word]))

    def both(left: Lanes, right: Lanes) -> Lanes:
        """Bitwise and."""
        return left & right

    def either(left: Lanes, right: Lanes) -> Lanes:
        """Bitwise or."""
        return left | right

    def unlike(left: Lanes, right: Lanes) -> Lanes:
        """Bitwise exclusive or."""
        return left ^ right

    def up(lanes: Lanes, by: np.uint64) -> Lanes:
        """Every word shifted towards the high bits; by < 64."""
        return lanes << by

    def down(lanes: Lanes, by: np.uint64) -> Lanes:
        """Every word shifted towards the low bits; by < 64."""
        return lanes >> by

    def counted(counts: Lanes, lanes: Lanes) -> Lanes:
        """Counts plus the number of set bits, word by word."""
        return counts + np.array([int(word).bit_count() for word in lanes], np.uint64)

    def total(counts: Lanes) -> np.uint64:
        """The sum of the eight words."""
        return np.uint64(sum(int(word) for word in counts))

    def _eight(words: NDArray[np.uint64], start: Index) -> NDArray[np.uint64]:
        eight = words.reshape(-1)[int(start) : int(start) + N_WORDS]
        assert len(eight) == N_WORDS
        return eight

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, models, register_model

    WORD = ir.IntType(64)
    VECTOR = ir.VectorType(WORD, N_WORDS)
    WORD_BYTES = 8

    class LanesType(types.Type):
        """Numba's type of eight words side by side."""

        def __init__(self) -> None:
            super().__init__(name="RekkyoLanes")

    LANES = LanesType()

    @register_model(LanesType)
    class LanesModel(models.PrimitiveModel):
        """Eight words side by side are one LLVM vector value."""

        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, VECTOR)

    def _splat(builder: Any, word: Any) -> Any:
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), N_WORDS), [0] * N_WORDS)
        return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)

    def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
        data = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [start]), VECTOR.as_pointer())

    def _check_words(array: Any) -> None:
        if not (isinstance(array, types.Array) and array.dtype == types.uint64 and array.layout == "C"):
            raise TypeError(f"lanes: a C-contiguous array of uint64 is needed, not {array}")

    @intrinsic
    def spread(typingctx: Any, word: Any) -> Any:
        """The same word eight times."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _splat(builder, args[0])

        return LANES(types.uint64), codegen

    @intrinsic
    def load(typingctx: Any, words: Any, start: Any) -> Any:
        """The eight words from flat index `start` on."""
        _check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_address(context, builder, signature.args[0], *args), align=WORD_BYTES)

        return LANES(words, types.uint64), codegen

    @intrinsic
    def store(typingctx: Any, words: Any, start: Any, lanes: Any) -> Any:
        """Write the eight words from flat index `start` on."""
        _check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = _address(context, builder, signature.args[0], args[0], args[1])
            builder.store(args[2], address, align=WORD_BYTES)
            return context.get_dummy_value()

        return types.none(words, types.uint64, LANES), codegen

    @intrinsic
    def store_chosen(typingctx: Any, words: Any, start: Any, lanes: Any, mask: Any) -> Any:
        """Write the words that the mask chooses, without gaps, from flat index `start` on."""
        _check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = _address(context, builder, signature.args[0], args[0], args[1])
            bits = ir.VectorType(ir.IntType(1), N_WORDS)
            chosen = builder.bitcast(builder.trunc(args[3], ir.IntType(8)), bits)
            kind = ir.FunctionType(ir.VoidType(), [VECTOR, VECTOR.as_pointer(), bits])
            compress = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.compressstore.v8i64")
            builder.call(compress, [args[2], address, chosen])
            return context.get_dummy_value()

        return types.none(words, types.uint64, LANES, types.uint64), codegen

    @intrinsic
    def empty_words(typingctx: Any, lanes: Any) -> Any:
        """The word mask of the words that are zero."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            is_empty = builder.icmp_unsigned("==", args[0], ir.Constant(VECTOR, [0] * N_WORDS))
            return builder.zext(builder.bitcast(is_empty, ir.IntType(8)), WORD)

        return types.uint64(LANES), codegen

    def _word_by_word(operation: str, doc: str) -> Any:
        def stub(typingctx: Any, left: Any, right: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, operation)(args[0], args[1])

            return LANES(LANES, LANES), codegen

        stub.__doc__ = doc
        return intrinsic(stub)

    both = _word_by_word("and_", "Bitwise and.")
    either = _word_by_word("or_", "Bitwise or.")
    unlike = _word_by_word("xor", "Bitwise exclusive or.")

    def _shift(operation: str, doc: str) -> Any:
        def stub(typingctx: Any, lanes: Any, by: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, operation)(args[0], _splat(builder, args[1]))

            return LANES(LANES, types.uint64), codegen

        stub.__doc__ = doc
        return intrinsic(stub)

    up = _shift("shl", "Every word shifted towards the high bits; by < 64.")
    down = _shift("lshr", "Every word shifted towards the low bits; by < 64.")

    @intrinsic
    def counted(typingctx: Any, counts: Any, lanes: Any) -> Any:
        """Counts plus the number of set bits, word by word."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(VECTOR, [VECTOR])
            ctpop = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.v8i64")
            return builder.add(args[0], builder.call(ctpop, [args[1]]))

        return LANES(LANES, LANES), codegen

    @intrinsic
    def total(typingctx: Any, counts: Any) -> Any:
        """The sum of the eight words."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = [builder.extract_element(args[0], ir.Constant(ir.IntType(32), i)) for i in range(N_WORDS)]
            while len(word) > 1:
                word = [builder.add(word[i], word[i + 1]) for i in range(0, len(word), 2)]
            return word[0]

        return types.uint64(LANES), codegen
