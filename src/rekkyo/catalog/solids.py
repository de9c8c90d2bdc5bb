"""Catalog: packings in space: the Soma cube, the Bedlam cube, solid pentominoes in a box.

Symmetry: every rotation that keeps the box; and a reflection as well when it takes the set of pieces to
itself, piece by piece or by exchanging mirror twins. Soma has one pair of twins and Bedlam's twins are
missing: Soma's group has 48 elements and Bedlam's 24. Pentominoes are flat, so each is its own mirror image.
"""

from __future__ import annotations

from rekkyo.catalog.boards import MAX_SIDE, box, packing_puzzle, pieces_once
from rekkyo.catalog.entry import Entry, Parameter
from rekkyo.catalog.polyforms import polyominoes
from rekkyo.catalog.published import published
from rekkyo.model.lattices import CUBE
from rekkyo.model.lattices.drawing import read_drawing
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle

_SOMA = """
VVLLLTTTZZ..AABB..PP ............A.....P.
V.L...T..ZZ..A.B..P. ...............B....
"""
"""Two layers side by side; A and B are mirror twins."""

_BEDLAM = """
eeev Dvvv wwzz fggz
DeBv DeCh Dwgg ffgz
ACBB DCCh fwCh fwxh
AAAB AyyB yyxh yxxx
"""
"""One solution, layer by layer: a letter for each piece."""


def soma() -> Puzzle:
    """The seven Soma pieces in a 3x3x3 cube."""
    model = Packing(CUBE, box(3, 3, 3), pieces_once(read_drawing(CUBE, _SOMA).items()), reflections=False)
    return packing_puzzle("soma", "The Soma cube", model, published("packings", "soma", "-"))


def bedlam() -> Puzzle:
    """Bruce Bedlam's thirteen pieces in a 4x4x4 cube."""
    model = Packing(CUBE, box(4, 4, 4), pieces_once(read_drawing(CUBE, _BEDLAM).items()), reflections=False)
    return packing_puzzle("bedlam", "The Bedlam cube", model, published("packings", "bedlam", "-"))


def solid_pentominoes(a: int, b: int, c: int) -> Puzzle:
    """The twelve pentominoes, one unit thick, in a box. Raises BadModel."""
    solid = [(name, [(0, *cell) for cell in cells]) for name, cells in polyominoes(5)]
    model = Packing(CUBE, box(a, b, c), pieces_once(solid), reflections=False)
    counts = published("packings", "pentominoes-3d", " ".join(map(str, sorted((a, b, c)))))
    title = f"The 12 solid pentominoes in a {a}x{b}x{c} box"
    return packing_puzzle(f"pentominoes-3d {a} {b} {c}", title, model, counts)


ENTRIES = (
    Entry(
        name="soma",
        summary="the seven Soma pieces in a 3x3x3 cube",
        source="Conway and Guy 1961; Berlekamp, Conway and Guy, Winning Ways",
        build=soma,
    ),
    Entry(
        name="bedlam",
        summary="the thirteen Bedlam pieces in a 4x4x4 cube",
        source="B. Bedlam; counts: S. Kurowski, scottkurowski.com/BedlamCube",
        build=bedlam,
    ),
    Entry(
        name="pentominoes-3d",
        summary="the 12 solid pentominoes in a box of 60 cells",
        source="Bouwkamp, Journal of Combinatorial Theory 7 (1969)",
        parameters=tuple(
            Parameter(name, help_text, 1, MAX_SIDE)
            for name, help_text in (
                ("A", "a side of the box"),
                ("B", "another side"),
                ("C", "the third side"),
            )
        ),
        build=solid_pentominoes,
    ),
)
