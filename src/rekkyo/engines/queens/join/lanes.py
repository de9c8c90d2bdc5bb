"""Vectors of eight uint64 words, 512 bits or one machine register, for the join kernels.

Numba's loop vectoriser prefers 256-bit registers and cannot compress (store only the chosen words, without
gaps). Operations that other vectors of words have, too, are in `engines/word_vectors.py`. `store_chosen`
takes the same array and index as `store`, and checks them in the same way.

    Lanes        word 0    word 1    word 2    …    word 7
                 uint64    uint64    uint64         uint64
    word mask    bit 0     bit 1     bit 2     …    bit 7      (one uint64, the upper 56 bits empty)

Left out on purpose: operators. Kernels call named functions, such as `both`, `either` and `counted`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rekkyo.bits import Word, Words
from rekkyo.engines.word_vectors import vector_kind
from rekkyo.kernel_switches import IS_COMPILED

N_WORDS = 8
N_LANES = 64 * N_WORDS
"""A lane is a bit of a vector. The join keeps one bit of a key in each lane."""

kind = vector_kind("RekkyoLanes", N_WORDS)
load, store, both, either, unlike = kind.load, kind.store, kind.both, kind.either, kind.unlike

if TYPE_CHECKING or not IS_COMPILED:
    from rekkyo.engines.word_vectors import Index
    from rekkyo.engines.word_vectors import Vector as Lanes

    def spread(word: Word) -> Lanes:
        """The same word eight times."""
        return np.full(N_WORDS, word, np.uint64)

    def store_chosen(words: Words, start: Index, lanes: Lanes, mask: Word) -> None:
        """Write the words that the mask chooses, without gaps, from flat index `start` on."""
        chosen = lanes[[bool(int(mask) >> word & 1) for word in range(N_WORDS)]]
        target = words.reshape(-1)[int(start) : int(start) + len(chosen)]
        assert len(target) == len(chosen)
        target[:] = chosen

    def empty_words(lanes: Lanes) -> Word:
        """The word mask of the words that are zero."""
        return np.uint64(sum(1 << word for word in range(N_WORDS) if not lanes[word]))

    def up(lanes: Lanes, by: Word) -> Lanes:
        """Every word shifted towards the high bits; by < 64."""
        return lanes << by

    def down(lanes: Lanes, by: Word) -> Lanes:
        """Every word shifted towards the low bits; by < 64."""
        return lanes >> by

    def counted(counts: Lanes, lanes: Lanes) -> Lanes:
        """Counts plus the number of set bits, word by word."""
        return counts + np.array([int(word).bit_count() for word in lanes], np.uint64)

    def total(counts: Lanes) -> Word:
        """The sum of the eight words."""
        return np.uint64(sum(int(word) for word in counts))

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from rekkyo.bits import operation
    from rekkyo.engines.word_vectors import address, check_words
    from rekkyo.kernel_levels import has_avx512

    WORD = ir.IntType(64)
    LANES, VECTOR = kind.numba_type, kind.llvm_type
    BITS = ir.VectorType(ir.IntType(1), N_WORDS)

    def _splat(builder: Any, word: Any) -> Any:
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), N_WORDS), [0] * N_WORDS)
        return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)

    def _called(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
        """The result of an LLVM intrinsic."""
        form = ir.FunctionType(result, [argument.type for argument in arguments])
        return builder.call(cgutils.get_or_insert_function(builder.module, form, name), arguments)

    @operation(LANES, types.uint64)
    def spread(builder: Any, word: Any) -> Any:
        """The same word eight times."""
        return _splat(builder, word)

    def _compressed_in_memory(builder: Any, lanes: Any, place: Any, mask: Any) -> None:
        """Without AVX-512: a branch for each word, which takes 0.87 of the time of the other way."""
        chosen = builder.bitcast(mask, BITS)
        _called(builder, "llvm.masked.compressstore.v8i64", ir.VoidType(), lanes, place, chosen)

    def _compressed_in_register(builder: Any, lanes: Any, place: Any, mask: Any) -> None:
        """The chosen words are moved to the front and stored under another mask.

        Zen 4 takes some hundred cycles to compress into memory: queens 17 took 1.6 instead of 0.4 s.
        """
        nothing, alignment = ir.Constant(VECTOR, [0] * N_WORDS), ir.Constant(ir.IntType(32), 8)
        chosen = builder.bitcast(mask, BITS)
        at_front = _called(builder, "llvm.experimental.vector.compress.v8i64", VECTOR, lanes, chosen, nothing)
        # The lowest n bits, of 8 at most.
        others = builder.shl(ir.Constant(WORD, -1), builder.zext(builder.ctpop(mask), WORD))
        first = builder.bitcast(builder.trunc(builder.not_(others), mask.type), BITS)
        _called(builder, "llvm.masked.store.v8i64.p0", ir.VoidType(), at_front, place, alignment, first)

    stored = _compressed_in_register if has_avx512() else _compressed_in_memory

    @intrinsic
    def store_chosen(typingctx: Any, words: Any, start: Any, lanes: Any, mask: Any) -> Any:
        """Write the words that the mask chooses, without gaps, from flat index `start` on."""
        check_words(words)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = address(context, builder, signature.args[0], args[0], args[1], VECTOR)
            stored(builder, args[2], place, builder.trunc(args[3], ir.IntType(8)))
            return context.get_dummy_value()

        return types.none(words, types.uint64, LANES, types.uint64), codegen

    @operation(types.uint64, LANES)
    def empty_words(builder: Any, lanes: Any) -> Any:
        """The word mask of the words that are zero."""
        is_empty = builder.icmp_unsigned("==", lanes, ir.Constant(VECTOR, [0] * N_WORDS))
        return builder.zext(builder.bitcast(is_empty, ir.IntType(8)), WORD)

    @operation(LANES, LANES, types.uint64)
    def up(builder: Any, lanes: Any, by: Any) -> Any:
        """Every word shifted towards the high bits; by < 64."""
        return builder.shl(lanes, _splat(builder, by))

    @operation(LANES, LANES, types.uint64)
    def down(builder: Any, lanes: Any, by: Any) -> Any:
        """Every word shifted towards the low bits; by < 64."""
        return builder.lshr(lanes, _splat(builder, by))

    @operation(LANES, LANES, LANES)
    def counted(builder: Any, counts: Any, lanes: Any) -> Any:
        """Counts plus the number of set bits, word by word."""
        return builder.add(counts, _called(builder, "llvm.ctpop.v8i64", VECTOR, lanes))

    @operation(types.uint64, LANES)
    def total(builder: Any, counts: Any) -> Any:
        """The sum of the eight words."""
        word = [builder.extract_element(counts, ir.Constant(ir.IntType(32), i)) for i in range(N_WORDS)]
        while len(word) > 1:
            word = [builder.add(word[i], word[i + 1]) for i in range(0, len(word), 2)]
        return word[0]
