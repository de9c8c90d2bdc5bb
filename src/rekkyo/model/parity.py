"""A parity test of packings by two colours of cells.

The cells of a square or cubic lattice are coloured as a chessboard, triangles by where they point. In every
position a piece covers the same difference of the two colours, up to its sign. So the signed differences of
all pieces must add up to that of the board (Golomb, Polyominoes, chapter 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rekkyo.model.lattices import CUBE, SQUARE, TRIANGLE, Cell, Lattice

if TYPE_CHECKING:
    from rekkyo.model.packing import Packing

MOST_COPIES = 1 << 10
"""The most pieces, counted with copies, for which the sums are computed."""


def parity_forbids(packing: Packing) -> str | None:
    """Why the colours of the cells forbid every solution, in one sentence; None if they do not.

    Returns None if the number of copies is unknown, if some cells may stay empty, or on a torus of odd sides.
    """
    copies = [piece.low for piece in packing.pieces]
    is_exact = packing.must_be_covered == packing.board and all(p.low == p.high for p in packing.pieces)
    periods = packing.periods or ()
    if any(period % 2 for period in periods):  # there is no chessboard on such a torus
        return None
    if packing.lattice not in (SQUARE, CUBE, TRIANGLE) or not is_exact or sum(copies) > MOST_COPIES:
        return None
    differences = [difference(packing.lattice, piece.cells) for piece in packing.pieces]
    most = sum(n * d for n, d in zip(copies, differences, strict=True))
    sums = 1 << most  # bit most + s: the sum s can be reached
    for n_copies, d in zip(copies, differences, strict=True):
        for _ in range(n_copies if d else 0):
            sums = sums << d | sums >> d
    wanted = difference(packing.lattice, packing.board)
    if wanted <= most and sums >> (most + wanted) & 1:
        return None
    kinds = "up and down" if packing.lattice == TRIANGLE else "black and white"
    return (
        f"the board has {wanted} more cells of one colour than of the other when cells are coloured {kinds},"
        " and the pieces cannot have that difference"
    )


def difference(lattice: Lattice, cells: Iterable[Cell]) -> int:
    """How many more cells have one colour than the other."""
    signs = (1 if (cell[0] % 3 == 1 if lattice == TRIANGLE else sum(cell) % 2) else -1 for cell in cells)
    return abs(sum(signs))
