"""The squares that one choice of rows, columns and diagonals gives, as rearrangements of its base square.

Four squares that no turn or reflection takes into each other, each in eight positions. A rearrangement says
for every cell which cell of the base square its number comes from. (The base square, in `kernel_squares`, has
its rows and columns in an order in which its diagonals are diagonals.) Rows and columns that are opposite in
the base are so in each of the four: turning the base over turns them over as well.

A square is written as a rearrangement of its base, all 25 numbers at a time. The rearrangements are constants
of the compiled code: shuffles of one vector of bytes, chosen between without a branch. (A jump to one of 32
shuffles was foreseen wrongly nearly every time: squares took twice as long to write.) LLVM makes the shuffles
for the processor in use; plain Python doubles run when compilation is switched off.

    Square     number 0   number 1   …   number 24   7 bytes that are not read      (the bytes of a quad)
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rekkyo.bits import Word
from rekkyo.engines.sums.magic5.kernel_rows import N_NUMBERS, N
from rekkyo.kernel_switches import IS_COMPILED
from rekkyo.model.sum_figure import Cell

Rearrangement: TypeAlias = tuple[Cell, ...]

ROWS_AND_COLUMNS = tuple(product(range(N), repeat=2))

PLACES = ((0, 1, 2, 3, 4), (0, 3, 2, 1, 4), (1, 0, 2, 4, 3), (1, 4, 2, 0, 3))
"""The four squares: which row and column of the base square comes where."""

UPRIGHT: tuple[Rearrangement, ...] = tuple(
    tuple(N * places[row] + places[column] for row, column in ROWS_AND_COLUMNS) for places in PLACES
)
TRANSPOSED: tuple[Rearrangement, ...] = tuple(
    tuple(N * places[column] + places[row] for row, column in ROWS_AND_COLUMNS) for places in PLACES
)
FLIPPED: Rearrangement = tuple(N * (N - 1 - row) + column for row, column in ROWS_AND_COLUMNS)
MIRRORED: Rearrangement = tuple(N * row + N - 1 - column for row, column in ROWS_AND_COLUMNS)


def _after(first: Rearrangement, then: Rearrangement) -> Rearrangement:
    return tuple(first[cell] for cell in then)


TURNED = (UPRIGHT[0], MIRRORED, FLIPPED, _after(FLIPPED, MIRRORED))
MOVES = (*TURNED, *(_after(turn, TRANSPOSED[0]) for turn in TURNED))
"""The eight turns and reflections, the identity first."""


if TYPE_CHECKING or not IS_COMPILED:
    from numpy.typing import NDArray

    from rekkyo.engines.sums.magic5.quad import Quad

    def turned(base: Quad, is_flipped: Word, is_mirrored: Word) -> Quad:
        """A base square upside down, or with left and right exchanged, or both; 0 for no, 1 for yes."""
        numbers = _numbers(base)
        numbers[:N_NUMBERS] = numbers[list(FLIPPED if is_flipped else UPRIGHT[0])]
        numbers[:N_NUMBERS] = numbers[list(MIRRORED if is_mirrored else UPRIGHT[0])]
        return numbers.view("<u8").astype(np.uint64)

    def write_square(
        base: Quad, square: Word, is_transposed: Word, out: NDArray[np.uint8], row: Word
    ) -> None:
        """Write one of the four squares, or its transpose, into a row. out : uint8[n_rows, 25].

        Compiled, bounds are not checked.
        """
        sources = TRANSPOSED[int(square)] if is_transposed else UPRIGHT[int(square)]
        out[int(row)] = _numbers(base)[list(sources)]

    def _numbers(base: Quad) -> NDArray[np.uint8]:
        return base.astype("<u8").view(np.uint8)

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from rekkyo.bits import operation
    from rekkyo.engines.sums.magic5.quad import QUAD, VECTOR

    BYTE = ir.IntType(8)
    BYTES = ir.VectorType(BYTE, 32)
    HALF = 16
    """Numbers of a store: the first 16, then the last 16."""

    def _shuffled(builder: Any, numbers: Any, sources: Rearrangement) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(sources)), list(sources))
        return builder.shuffle_vector(numbers, ir.Constant(BYTES, ir.Undefined), mask)

    def _either(builder: Any, condition: Any, if_one: Any, if_zero: Any) -> Any:
        """One of two vectors without a branch, which is what LLVM makes of its own select."""
        word = builder.sub(ir.Constant(condition.type, 0), condition)
        words = ir.VectorType(condition.type, if_one.type.count // 8)
        one = builder.insert_element(ir.Constant(words, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), words.count), [0] * words.count)
        spread = builder.shuffle_vector(one, ir.Constant(words, ir.Undefined), zeros)
        mask = builder.bitcast(spread, if_one.type)
        return builder.xor(if_zero, builder.and_(builder.xor(if_zero, if_one), mask))

    @operation(QUAD, QUAD, types.uint64, types.uint64)
    def turned(builder: Any, base: Any, is_flipped: Any, is_mirrored: Any) -> Any:
        """A base square upside down, or with left and right exchanged, or both; 0 for no, 1 for yes."""
        numbers = builder.bitcast(base, BYTES)
        rest = tuple(range(N_NUMBERS, 32))
        for condition, sources in ((is_flipped, FLIPPED), (is_mirrored, MIRRORED)):
            moved = _shuffled(builder, numbers, sources + rest)
            numbers = _either(builder, condition, moved, numbers)
        return builder.bitcast(numbers, VECTOR)

    @intrinsic
    def write_square(typingctx: Any, base: Any, square: Any, is_transposed: Any, out: Any, row: Any) -> Any:
        """Write one of the four squares, or its transpose, into a row."""
        if not (isinstance(out, types.Array) and out.dtype == types.uint8 and out.layout == "C"):
            raise TypeError(f"rearranged: a C-contiguous array of uint8 is needed, not {out}")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            numbers = builder.bitcast(args[0], BYTES)
            data = context.make_array(signature.args[3])(context, builder, args[3]).data
            start = builder.gep(data, [builder.mul(args[4], ir.Constant(args[4].type, N_NUMBERS))])
            later = builder.gep(start, [ir.Constant(args[4].type, N_NUMBERS - HALF)])
            written = builder.append_basic_block("written")
            switch = builder.switch(args[1], written)
            for number, (upright, transposed) in enumerate(zip(UPRIGHT, TRANSPOSED, strict=True)):
                block = builder.append_basic_block(f"square{number}")
                switch.add_case(ir.Constant(args[1].type, number), block)
                with builder.goto_block(block):
                    for part, address in ((slice(HALF), start), (slice(-HALF, None), later)):
                        half = _either(
                            builder,
                            args[2],
                            _shuffled(builder, numbers, transposed[part]),
                            _shuffled(builder, numbers, upright[part]),
                        )
                        builder.store(half, builder.bitcast(address, half.type.as_pointer()), align=1)
                    builder.branch(written)
            builder.position_at_end(written)
            return context.get_dummy_value()

        return types.none(QUAD, types.uint64, types.uint64, out, types.uint64), codegen
