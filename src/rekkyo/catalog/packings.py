"""Catalog: packings in the plane and in space.

Symmetry: the rotations and reflections of the lattice that keep the board; in space every rotation, and a
reflection only when it takes the set of pieces to itself, piece by piece or by exchanging mirror twins. Soma
has one pair of twins and Bedlam's twins are missing: Soma's group has 48 elements and Bedlam's 24.
Pentominoes are flat, so each is its own mirror image.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase

from rekkyo.catalog.boards import (
    MAX_SIDE,
    box,
    centre,
    diamond,
    grid_lines,
    packing_puzzle,
    pieces_once,
    triangles,
    without,
)
from rekkyo.catalog.entry import Entry, Option, Parameter, published, read_pair
from rekkyo.catalog.polyforms import polyforms, polyominoes
from rekkyo.errors import BadInput, fix_for_name
from rekkyo.model.lattices import CUBE, EDGES, SQUARE, TRIANGLE, Cell
from rekkyo.model.lattices.drawing import read_drawing
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Published, Puzzle
from rekkyo.wording import with_article

MAX_ORDER = 8
MAX_AZTEC = 100

_TETRASTICKS = """
+F+F+ +H+H+ +I+I+I+I+ +J+J+ +L+L+L+ +N+N+   +O+ +P+
F F     H             J     L           N   O O P P
+ +   +H+             +J+   +           +N+ +O+ + +P+

+R+   +T+T+ +U+U+ +V+V+ +W+     +   +Y+Y+Y+ +Z+
  R     T   U   U V       W     X     Y       Z
  +R+   +   +   + +       +W+ +X+X+   +       +
  R     T         V         W   X             Z
  +     +         +         +   +             +Z+
"""

_DOMINO = Piece("domino", frozenset({(0, 0), (0, 1)}), 0, None)
_UNBALANCED = ("H", "J", "L", "N", "Y")
"""A 5x5 grid has as many edges across as down, so one of these is left out."""

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


def pentominoes(
    width: int, height: int, *, hole: Iterable[Cell] = (), without_centre: bool = False
) -> Puzzle:
    """The twelve pentominoes on a rectangle, each once; they may be turned over.

    hole: cells (row, column) that are not part of the board. without_centre: nor are the one, two or four
    cells in the middle. Raises BadModel.
    """
    holes = frozenset(hole)
    board = without(box(height, width), holes | frozenset(centre(height, width) if without_centre else ()))
    model = Packing(SQUARE, board, pieces_once(polyominoes(5)))
    name = _name(f"pentominoes {width} {height}", holes, without_centre=without_centre)
    title = f"The 12 pentominoes on {with_article(f'{width}x{height}')} board" + _gaps(
        holes, without_centre=without_centre
    )
    family = "pentominoes without centre" if without_centre else "pentominoes"
    counts = None if holes else _of_rectangle(family, width, height)
    return packing_puzzle(name, title, model, counts)


def polyominoes_on_rectangle(
    order: int, width: int, height: int, *, any_number: bool = False, only: Sequence[str] = ()
) -> Puzzle:
    """All free polyominoes of an order on a rectangle, each once; they may be turned over.

    only: the names of the polyominoes that are used, if not all: letters for the orders 3 to 5, numbers from
    1 for the others. any_number: each may be used any number of times. Raises BadInput.
    """
    forms = dict(polyominoes(order))
    for piece in only:
        if piece not in forms:
            raise BadInput(
                f'polyominoes: order {order} has no piece "{piece}"; {fix_for_name(piece, list(forms))}'
            )
    used = [name for name in forms if not only or name in only]
    low, high = (0, None) if any_number else (1, 1)
    pieces = tuple(Piece(name, frozenset(forms[name]), low, high) for name in used)
    name = _name(f"polyominoes {order} {width} {height}", (), any_number=any_number)
    name += "".join(f" --only {piece}" for piece in used) if only else ""
    which = f"polyominoes of order {order}" + (f" ({', '.join(used)})" if only else "")
    times = "any number of times" if any_number else "each once"
    title = f"The {which} on {with_article(f'{width}x{height}')} board, {times}"
    return packing_puzzle(name, title, Packing(SQUARE, box(height, width), pieces))


def dominoes(width: int, height: int) -> Puzzle:
    """A rectangle filled with dominoes. Raises BadModel."""
    model = Packing(SQUARE, box(height, width), (_DOMINO,))
    title = f"Dominoes that fill {with_article(f'{width}x{height}')} board"
    return packing_puzzle(
        f"dominoes {width} {height}", title, model, _of_rectangle("dominoes", width, height)
    )


def aztec_diamond(order: int) -> Puzzle:
    """The Aztec diamond of an order, filled with dominoes."""
    counts = Published(2 ** (order * (order + 1) // 2), None, "Elkies, Kuperberg, Larsen and Propp 1992")
    title = f"Dominoes that fill the Aztec diamond of order {order}"
    return packing_puzzle(
        f"aztec-diamond {order}", title, Packing(SQUARE, diamond(order), (_DOMINO,)), counts
    )


def hexiamonds(a: int, b: int) -> Puzzle:
    """The twelve hexiamonds on an a x b parallelogram; they may be turned over. Raises BadModel."""
    forms = polyforms(TRIANGLE, 6)
    model = Packing(TRIANGLE, triangles(a, b), pieces_once(zip(ascii_uppercase, forms, strict=False)))
    title = f"The 12 hexiamonds on {with_article(f'{a}x{b}')} parallelogram"
    return packing_puzzle(f"hexiamonds {a} {b}", title, model, _of_rectangle("hexiamonds", a, b))


def tetrasticks(*, without: str | None = None, crossing: bool = False) -> Puzzle:
    """Fifteen of the sixteen tetrasticks on the 60 edges of a 5x5 grid; they may be turned over.

    without: which one is left out, one of H, J, L, N, Y; otherwise any of these. crossing: two pieces may
    pass straight through the same point. Raises BadInput.
    """
    if without is not None and without not in _UNBALANCED:
        raise BadInput(f'tetrasticks: leave out one of {", ".join(_UNBALANCED)}, not "{without}"')
    pieces = tuple(
        Piece(name, frozenset(cells), 1 if without or name not in _UNBALANCED else 0)
        for name, cells in read_drawing(EDGES, _TETRASTICKS).items()
        if name != without
    )
    model = Packing(EDGES, grid_lines(5, 5), pieces, crossing=crossing)
    name = _name("tetrasticks", (), crossing=crossing) + (f" --without {without}" if without else "")
    title = f"15 of the 16 tetrasticks on a 5x5 grid, without {without or 'any one'}"
    title += "" if crossing else ", none crossing another"
    counts = None if crossing else published("packings", "tetrasticks", without or "-")
    return packing_puzzle(name, title, model, counts)


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
    title = f"The 12 solid pentominoes in {with_article(f'{a}x{b}x{c}')} box"
    return packing_puzzle(f"pentominoes-3d {a} {b} {c}", title, model, counts)


def _of_rectangle(family: str, width: int, height: int) -> Published | None:
    return published("packings", family, f"{min(width, height)} {max(width, height)}")


def _name(start: str, holes: Iterable[Cell], **switches: bool) -> str:
    parts = [start, *(f"--hole {row},{column}" for row, column in sorted(holes))]
    return " ".join([*parts, *("--" + key.replace("_", "-") for key, on in switches.items() if on)])


def _gaps(holes: Sequence[Cell] | frozenset[Cell], *, without_centre: bool) -> str:
    gaps = ["the centre"] if without_centre else []
    gaps += [f"{len(holes)} cells" if len(holes) > 1 else "1 cell"] if holes else []
    return f" without {' and '.join(gaps)}" if gaps else ""


_TETRASTICKS_ENTRY = Entry(
    name="tetrasticks",
    summary="15 of the 16 tetrasticks on the lines of a 5x5 grid",
    source="Knuth, Dancing Links (2000); Goodger, Polyform Puzzler",
    options=(
        Option("--without", "the tetrastick that is left out: H, J, L, N or Y", "NAME", str, once=True),
        Option("--crossing", "two pieces may pass straight through the same point"),
    ),
    build=tetrasticks,
)
_WIDTH = Parameter("W", "the width of the board", 1, MAX_SIDE)
_HEIGHT = Parameter("H", "the height of the board", 1, MAX_SIDE)

ENTRIES = (
    Entry(
        name="pentominoes",
        summary="the 12 pentominoes on a rectangle of 60 cells, or of more with holes",
        source="Golomb, Polyominoes (2nd ed. 1994); Haselgrove and Haselgrove 1960; Scott 1958",
        parameters=(_WIDTH, _HEIGHT),
        options=(
            Option("--hole", "this cell is not part of the board; repeatable", "ROW,COLUMN", read_pair),
            Option("--without-centre", "the middle of the board (1, 2 or 4 cells) is not part of it"),
        ),
        build=pentominoes,
    ),
    Entry(
        name="polyominoes",
        summary="all polyominoes of an order on a rectangle",
        source="Golomb, Polyominoes (2nd ed. 1994); OEIS A000105",
        parameters=(
            Parameter("ORDER", "the number of cells of each polyomino", 1, MAX_ORDER),
            _WIDTH,
            _HEIGHT,
        ),
        options=(
            Option("--any-number", "each polyomino may be used any number of times, not once"),
            Option("--only", "use this polyomino and no other; repeatable", "NAME", str),
        ),
        build=polyominoes_on_rectangle,
    ),
    Entry(
        name="dominoes",
        summary="a rectangle filled with dominoes",
        source="Kasteleyn 1961; Temperley and Fisher 1961; OEIS A099390",
        parameters=(_WIDTH, _HEIGHT),
        build=dominoes,
    ),
    Entry(
        name="aztec-diamond",
        summary="an Aztec diamond filled with dominoes",
        source="Elkies, Kuperberg, Larsen and Propp, J. Algebraic Combinatorics 1 (1992)",
        parameters=(Parameter("N", "half the number of its rows", 1, MAX_AZTEC),),
        build=aztec_diamond,
    ),
    Entry(
        name="hexiamonds",
        summary="the 12 hexiamonds on a parallelogram of 72 triangles, such as 6 6",
        source="O'Beirne, New Scientist 12 (1961); Goodger, Polyform Puzzler",
        parameters=(
            Parameter("A", "one side of the parallelogram", 1, MAX_SIDE),
            Parameter("B", "its other side", 1, MAX_SIDE),
        ),
        build=hexiamonds,
    ),
    _TETRASTICKS_ENTRY,
    replace(_TETRASTICKS_ENTRY, name="polysticks", summary="the same as tetrasticks"),
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
        parameters=(
            Parameter("A", "a side of the box", 1, MAX_SIDE),
            Parameter("B", "another side", 1, MAX_SIDE),
            Parameter("C", "the third side", 1, MAX_SIDE),
        ),
        build=solid_pentominoes,
    ),
)
