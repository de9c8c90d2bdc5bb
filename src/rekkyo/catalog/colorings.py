"""Catalog: colourings without a pattern that large enough structures cannot avoid.

The patterns are progressions (van der Waerden), sums (Schur), complete graphs (Ramsey), and the corners of
rectangles whose sides are parallel to the grid. A set of numbers is a colouring too, with one unconstrained
colour: sum-free sets, and sets without three numbers in progression. Squares of any position (Hip) are in
`hip.py`. The symmetry is that of the numbers, points or lines; if the colours are interchangeable, `--up-to
exchange-colours` adds their exchanges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb

from rekkyo.catalog.entry import Entry, Parameter, published
from rekkyo.model.checks import check_size
from rekkyo.model.coloring import COLOR_SYMBOLS, MAX_COLORS, MAX_SETS, MIN_COLORS, Coloring, Pattern
from rekkyo.model.puzzle import FurtherSymmetry, Motion, Published, Puzzle
from rekkyo.model.row import AtomPermutation
from rekkyo.wording import several

MAX_LENGTH = 500
MAX_SUM = 1000
MAX_POINTS = 80
MAX_CLIQUE = 12
MAX_LINES = 40

FAMILY = "colorings"


def coloring_puzzle(
    name: str,
    title: str,
    model: Coloring,
    symmetry: tuple[AtomPermutation, ...] = (),
    colors: tuple[AtomPermutation, ...] = (),
    published: Published | None = None,
    motions: tuple[Motion, ...] | None = None,
) -> Puzzle:
    """The puzzle of a colouring.

    colors: generators of the exchanges of colours that keep the model, if there are any.
    """
    further = FurtherSymmetry("exchange-colours", "colours exchanged with each other", colors)
    return Puzzle(
        name, model, title, symmetry, COLOR_SYMBOLS, published, (further,) if colors else (), motions
    )


def permute_cells(move: Sequence[int], n_colors: int) -> AtomPermutation:
    """Cell p goes to cell move[p] and keeps its colour."""
    return tuple(cell * n_colors + color for cell in move for color in range(n_colors))


def exchanges(n_cells: int, n_colors: int) -> tuple[AtomPermutation, ...]:
    """Two permutations of the colours that generate all of them, or one if there are two colours."""
    return tuple(
        tuple(cell * n_colors + color for cell in range(n_cells) for color in recolored)
        for recolored in _swap_and_turn(n_colors)[: n_colors - 1]
    )


def rectangle_free(width: int, height: int, colors: int) -> Puzzle:
    """A grid of points; no rectangle along rows and columns has corners of one colour. Raises BadModel."""
    check_size("rectangle-free", comb(width, 2) * comb(height, 2), "sets", MAX_SETS)
    corners = tuple(
        (top * width + left, top * width + right, bottom * width + left, bottom * width + right)
        for top, bottom in combinations(range(height), 2)
        for left, right in combinations(range(width), 2)
    )
    model = Coloring(width * height, colors, corners, grid=(height, width))
    cells = [divmod(cell, width) for cell in range(width * height)]
    moves = [[row * width + move[column] for row, column in cells] for move in _swap_and_turn(width)]
    moves += [[move[row] * width + column for row, column in cells] for move in _swap_and_turn(height)]
    if width == height:
        moves.append([column * width + row for row, column in cells])
    return coloring_puzzle(
        f"rectangle-free {width} {height} {colors}",
        f"{width}x{height} points in {several(colors, 'colour')}, no rectangle with corners of one colour",
        model,
        tuple(permute_cells(move, colors) for move in moves),
        exchanges(model.n_cells, colors),
        published(FAMILY, "rectangle-free", f"{min(width, height)} {max(width, height)} {colors}"),
    )


def van_der_waerden(k: int, l: int, n: int) -> Puzzle:  # noqa: E741 - as it is written in the literature
    """1 … n in two colours: no k terms in progression of the first, no l of the second."""
    first, second = (list(_progressions(length, n)) for length in (k, l))
    return coloring_puzzle(
        f"van-der-waerden {k} {l} {n}",
        f"1 to {n} in two colours, no {k} terms in progression of the first, no {l} of the second",
        _two_colored(n, first, second, alike=k == l),
        (permute_cells(range(n)[::-1], 2),),
        exchanges(n, 2) if k == l else (),
        published(FAMILY, "van-der-waerden", f"{min(k, l)} {max(k, l)} {n}"),
    )


def schur(colors: int, n: int) -> Puzzle:
    """1 … n coloured so that x + y = z never has one colour; x may be y."""
    return coloring_puzzle(
        f"schur {colors} {n}",
        f"1 to {n} in {several(colors, 'colour')}, no x + y = z of one colour",
        Coloring(n, colors, tuple(_sums(n))),
        (),
        exchanges(n, colors),
        published(FAMILY, "schur", f"{colors} {n}"),
    )


def sum_free(n: int) -> Puzzle:
    """Sets of numbers from 1 to n without x + y = z; x may be y. Colour 0: in the set."""
    return coloring_puzzle(
        f"sum-free {n}",
        f"Sum-free sets of numbers from 1 to {n}",
        Coloring(n, 2, patterns=_in_color(0, _sums(n))),
        published=published(FAMILY, "sum-free", str(n)),
    )


def progression_free(n: int) -> Puzzle:
    """Sets of numbers from 1 to n without three in progression. Colour 0: in the set."""
    return coloring_puzzle(
        f"progression-free {n}",
        f"Sets of numbers from 1 to {n} without three in progression",
        Coloring(n, 2, patterns=_in_color(0, _progressions(3, n))),
        (permute_cells(range(n)[::-1], 2),),
        published=published(FAMILY, "progression-free", str(n)),
    )


def ramsey(s: int, t: int, n: int) -> Puzzle:
    """The lines between n points in two colours: no s points joined in the first, no t in the second.

    Lines are numbered by their higher point, then by their lower one. Raises BadModel.
    """
    check_size("ramsey", comb(n, s) + comb(n, t), "sets", MAX_SETS)
    lines = [(low, high) for high in range(n) for low in range(high)]
    number = {line: index for index, (a, b) in enumerate(lines) for line in ((a, b), (b, a))}
    first, second = (
        [tuple(number[line] for line in combinations(points, 2)) for points in combinations(range(n), size)]
        for size in (s, t)
    )
    moves = [[number[move[low], move[high]] for low, high in lines] for move in _swap_and_turn(n)]
    return coloring_puzzle(
        f"ramsey {s} {t} {n}",
        f"Lines between {n} points in two colours, no {s} points joined in the first, no {t} in the second",
        _two_colored(len(lines), first, second, alike=s == t),
        tuple(permute_cells(move, 2) for move in moves),
        exchanges(len(lines), 2) if s == t else (),
        published(FAMILY, "ramsey", f"{min(s, t)} {max(s, t)} {n}"),
    )


def _two_colored(
    n_cells: int, first: list[tuple[int, ...]], second: list[tuple[int, ...]], *, alike: bool
) -> Coloring:
    """A colouring: no set of the first list has the first colour only, and none of the second the second.

    alike: both lists are the same. They are stated once then, for sets of two cells or more.
    """
    if alike and all(len(cells) > 1 for cells in first):
        return Coloring(n_cells, 2, tuple(first))
    return Coloring(n_cells, 2, patterns=_in_color(0, first) + _in_color(1, second))


def _in_color(color: int, sets: Iterable[tuple[int, ...]]) -> tuple[Pattern, ...]:
    return tuple(tuple((cell, color) for cell in cells) for cells in sets)


def _progressions(length: int, n: int) -> Iterator[tuple[int, ...]]:
    """All progressions of this length in 1 … n, as cells: cell x is the number x + 1."""
    for step in range(1, (n - 1) // (length - 1) + 1):
        for start in range(n - (length - 1) * step):
            yield tuple(range(start, start + (length - 1) * step + 1, step))


def _sums(n: int) -> Iterator[tuple[int, ...]]:
    """All x + y = z in 1 … n, as cells: cell x is the number x + 1. For x = y there are two cells."""
    for z in range(2, n + 1):
        for x in range(1, z // 2 + 1):
            yield tuple(sorted({x - 1, z - x - 1, z - 1}))


def _swap_and_turn(n: int) -> list[list[int]]:
    """Two permutations that generate all permutations of n elements."""
    return [[1, 0, *range(2, n)], [*range(1, n), 0]] if n > 1 else []


ENTRIES = (
    Entry(
        name="rectangle-free",
        summary="a grid coloured without a rectangle whose corners have one colour",
        source="Fenner, Gasarch, Glover, Purewal, Rectangle free coloring of grids; OEIS A200045, A252780",
        parameters=(
            Parameter("W", "points in a row", 1, MAX_LINES),
            Parameter("H", "rows", 1, MAX_LINES),
            Parameter("K", "how many colours", MIN_COLORS, MAX_COLORS),
        ),
        build=rectangle_free,
    ),
    Entry(
        name="van-der-waerden",
        summary="1 to N in two colours, no K terms in progression of the first, no L of the second",
        source="van der Waerden 1927; Chvátal 1970; OEIS A378195, A378196",
        parameters=(
            Parameter("K", "terms of a progression in the first colour", 2, MAX_LENGTH),
            Parameter("L", "terms of a progression in the second colour", 2, MAX_LENGTH),
            Parameter("N", "the largest number", 1, MAX_LENGTH),
        ),
        build=van_der_waerden,
    ),
    Entry(
        name="schur",
        summary="1 to N in K colours, no x + y = z of one colour",
        source="I. Schur 1916; Baumert and Golomb 1965; OEIS A045652",
        parameters=(
            Parameter("K", "how many colours", MIN_COLORS, MAX_COLORS),
            Parameter("N", "the largest number", 1, MAX_SUM),
        ),
        build=schur,
    ),
    Entry(
        name="sum-free",
        summary="sets of numbers from 1 to N without x + y = z",
        source="OEIS A007865",
        parameters=(Parameter("N", "the largest number", 1, MAX_SUM),),
        build=sum_free,
    ),
    Entry(
        name="progression-free",
        summary="sets of numbers from 1 to N without three in progression",
        source="Erdős and Turán 1936; Salem and Spencer 1942; OEIS A051013",
        parameters=(Parameter("N", "the largest number", 1, MAX_LENGTH),),
        build=progression_free,
    ),
    Entry(
        name="ramsey",
        summary="lines between N points in two colours, no S points joined in the first, no T in the second",
        source="B. D. McKay, combinatorial data: Ramsey graphs; Radziszowski, Small Ramsey numbers",
        parameters=(
            Parameter("S", "points not to be joined in the first colour", 2, MAX_CLIQUE),
            Parameter("T", "points not to be joined in the second colour", 2, MAX_CLIQUE),
            Parameter("N", "the number of points", 2, MAX_POINTS),
        ),
        build=ramsey,
    ),
)
