"""Words of 64 bits side by side, as many as one machine register holds: what all such vectors can do.

Numba does not make vectors of a few words by itself, so the operations are written out as LLVM vector
instructions. They are portable: LLVM splits them up for processors with narrower registers. When compilation
is switched off, plain arrays of uint64 take the place of the vectors, and the same operations run in Python.

`load` and `store` take a C-contiguous array of uint64, of any number of dimensions, and an index into its
flat words. Compiled they do not check bounds; in Python they do.
Left out: what the kernels of one engine need alone (`queens/join/lanes.py`, `sums/magic5/quad.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rekkyo.bits import Words
from rekkyo.kernel_switches import IS_COMPILED

Vector: TypeAlias = Words
Index: TypeAlias = int | np.uint64


@dataclass(frozen=True, slots=True, eq=False)
class VectorKind:
    """The operations on vectors of a fixed number of words, to be called from kernels.

    load(words, start): the words from flat index `start` on. store(words, start, vector): write them there.
    both, either, unlike: bitwise and, or, exclusive or. numba_type, llvm_type: for further operations; None
    where nothing is compiled.
    """

    load: Callable[[Words, Index], Vector]
    store: Callable[[Words, Index, Vector], None]
    both: Callable[[Vector, Vector], Vector]
    either: Callable[[Vector, Vector], Vector]
    unlike: Callable[[Vector, Vector], Vector]
    numba_type: Any = None
    llvm_type: Any = None


if TYPE_CHECKING or not IS_COMPILED:

    def vector_kind(name: str, n_words: int) -> VectorKind:
        """Vectors of `n_words` words, under a name of their own."""

        def load(words: Words, start: Index) -> Vector:
            return at(words, start).copy()

        def store(words: Words, start: Index, vector: Vector) -> None:
            at(words, start)[:] = vector

        def at(words: Words, start: Index) -> Words:
            found = words.reshape(-1)[int(start) : int(start) + n_words]
            assert len(found) == n_words
            return found

        return VectorKind(load, store, np.bitwise_and, np.bitwise_or, np.bitwise_xor)

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, models, register_model

    from rekkyo.bits import operation

    WORD_BYTES = 8

    class VectorType(types.Type):
        """The type of all kinds of vectors. It is one class of this module, because cached code names it."""

        def __init__(self, name: str, n_words: int) -> None:
            super().__init__(name=name)
            self.n_words = n_words

        @property
        def llvm_type(self) -> Any:
            """The type in LLVM."""
            return ir.VectorType(ir.IntType(64), self.n_words)

    @register_model(VectorType)
    class VectorModel(models.PrimitiveModel):
        """The representation of a vector: one LLVM vector."""

        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, fe_type.llvm_type)

    def vector_kind(name: str, n_words: int) -> VectorKind:
        """Vectors of `n_words` words, under a name of their own."""
        numba_type = VectorType(name, n_words)
        llvm_type = numba_type.llvm_type

        @intrinsic
        def load(typingctx: Any, words: Any, start: Any) -> Any:
            check_words(words)

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                place = address(context, builder, signature.args[0], args[0], args[1], llvm_type)
                return builder.load(place, align=WORD_BYTES)

            return numba_type(words, types.uint64), codegen

        @intrinsic
        def store(typingctx: Any, words: Any, start: Any, vector: Any) -> Any:
            check_words(words)

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                place = address(context, builder, signature.args[0], args[0], args[1], llvm_type)
                builder.store(args[2], place, align=WORD_BYTES)
                return context.get_dummy_value()

            return types.none(words, types.uint64, numba_type), codegen

        of_two = operation(numba_type, numba_type, numba_type)
        and_, or_, xor = map(of_two, (ir.IRBuilder.and_, ir.IRBuilder.or_, ir.IRBuilder.xor))
        return VectorKind(load, store, and_, or_, xor, numba_type, llvm_type)

    def address(context: Any, builder: Any, array_type: Any, array: Any, start: Any, llvm_type: Any) -> Any:
        """Where the words from flat index `start` on are."""
        data = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [start]), llvm_type.as_pointer())

    def check_words(array: Any) -> None:
        """Raise TypeError for what is not an array of words."""
        if not (isinstance(array, types.Array) and array.dtype == types.uint64 and array.layout == "C"):
            raise TypeError(f"a C-contiguous array of uint64 is needed, not {array}")
