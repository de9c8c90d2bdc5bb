"""All polyforms of an order on a lattice, and their usual names.

A polyform is a connected set of cells; its order is their number, from 1. Algorithm: add one neighbour to
every form of the next smaller order, and keep one orientation of each.
Source: Golomb, Polyominoes (2nd ed. 1994); counts in OEIS A000105, A000577, A000228, A019988, A038119.
Left out on purpose: Redelmeier's algorithm, which needs no memory, because only small orders are packed.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from rekkyo.model.lattices import SQUARE, Lattice
from rekkyo.model.lattices.drawing import read_drawing
from rekkyo.model.lattices.shapes import Shape, at_home, least_orientation

NamedShape: TypeAlias = tuple[str, Shape]

_LETTERS = {
    3: """
I.L.
I.LL
I...
""",
    4: """
I.L..OO.SS..TTT
I.L..OO..SS..T.
I.LL...........
I..............
""",
    5: """
.FF.I.L..N..PP.TTT.U.U.V...W....X..Y..ZZ.
FF..I.L..N..PP..T..UUU.V...WW..XXX.YY..Z.
.F..I.L..NN.P...T......VVV..WW..X..Y...ZZ
....I.LL..N........................Y.....
....I....................................
""",
}
"""The polyominoes with letters for names, one drawing for each order."""


@cache
def polyforms(lattice: Lattice, order: int, *, reflections: bool = True) -> tuple[Shape, ...]:
    """The polyforms with `order` cells, one of each, in increasing order.

    Mirror images are the same form unless `reflections` is False.
    """
    if order == 1:
        cells = (kind.residue for kind in lattice.kinds)
        return tuple(sorted({least_orientation(lattice, [cell], reflections=reflections) for cell in cells}))
    grown = set()
    for form in polyforms(lattice, order - 1, reflections=reflections):
        around = {near for cell in form for near in lattice.neighbours(cell)}.difference(form)
        # Different cells often make the same translate; its orientations are computed only once.
        for larger in {at_home(lattice, (*form, cell)) for cell in around}:
            grown.add(least_orientation(lattice, larger, reflections=reflections))
    return tuple(sorted(grown))


def named_polyforms(lattice: Lattice, order: int, *, reflections: bool) -> tuple[NamedShape, ...]:
    """The polyforms of an order by their letters, or else numbered from 1.

    If `reflections` is False, a capital letter means the form as drawn, a small letter its mirror image.
    """
    drawn = read_drawing(SQUARE, _LETTERS[order]) if lattice == SQUARE and order in _LETTERS else {}
    letters: dict[Shape, str] = {}
    for name, cells in drawn.items():
        letters[least_orientation(SQUARE, cells, reflections=reflections)] = name
        mirrored = [(row, -column) for row, column in cells]
        letters.setdefault(least_orientation(SQUARE, mirrored, reflections=reflections), name.lower())
    forms = enumerate(polyforms(lattice, order, reflections=reflections), start=1)
    named = [(letters.get(form, str(number)), form) for number, form in forms]
    # 9 comes before 10, and a capital letter before its small one.
    return tuple(sorted(named, key=lambda pair: (len(pair[0]), pair[0].upper(), pair[0])))


def polyominoes(order: int) -> tuple[NamedShape, ...]:
    """The free polyominoes of an order, each once, by their letters or else numbered from 1."""
    return named_polyforms(SQUARE, order, reflections=True)
