"""Line sets: choose the set of numbers of each row, column and diagonal; their order follows.

A magic square is n rows, n columns and two diagonals, each one of the sets of n numbers with the magic sum
(1,394 sets for n = 5). The conditions on these sets do not depend on an order:

    two rows, or two columns, have no number in common
    a row and a column, a diagonal and a row, a diagonal and a column have exactly one
    the diagonals X and Y have one number in common for odd n, none for even n
    from a row along X to a column, from there along Y to a row: doing this twice leads back to the first row

Rows that lead to each other in this way are opposite rows. Any pair may be the outermost, in either order:
one choice of sets gives 4 squares of order 4 or 5 that are different up to rotation and reflection, and one
of order 3. Transposing a square exchanges rows and columns: of the row and the column with the greatest
number, the row must be the greater one, as a number with a bit for each member, so that each square is found
once.

Source: aitch-two, MagicSquare5.py (2014), all squares of order 5 in three hours of Python. The engine
`magic-line-sets` uses the same idea. Left out: further conditions on the sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, permutations, product

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Found, Method
from rekkyo.methods.magic.squares import as_row, magic_sum, square_lines
from rekkyo.model.row import Row

Line = int
"""A set of numbers; number k is bit k."""

LARGEST_COUNTED = 6
"""There are 32,134 sets of order 6; those of order 7 take a minute to count in this way."""


def search(n: int, found: Found) -> int:
    """The level of recursion is the line: the rows, then the columns, then the diagonals."""

    def choose(lines: list[Line]) -> int:
        if len(lines) == 2 * n + 2:
            _report(lines, n, found)
            return 0
        nodes = 0
        for line in fitting_lines(lines, n):
            nodes += 1 + choose([*lines, line])
        return nodes

    return choose([])


@cache
def sets_with_sum(n: int) -> tuple[Line, ...]:
    """All sets of n of the numbers 1 to n^2 that have the magic sum."""
    return tuple(
        sum(1 << number for number in numbers)
        for numbers in combinations(range(1, n * n + 1), n)
        if sum(numbers) == magic_sum(n)
    )


def fitting_lines(lines: Sequence[Line], n: int) -> Iterator[Line]:
    """The lines that may follow these rows, columns and diagonals."""
    rows, columns, diagonals = lines[:n], lines[n : 2 * n], lines[2 * n :]
    if len(lines) < n:
        return _apart_from(rows, sets_with_sum(n), n)
    crossing = (line for line in sets_with_sum(n) if all(_meet_once(line, row) for row in rows))
    if len(lines) < 2 * n:
        fitting = _apart_from(columns, crossing, n)
        return fitting if columns else (line for line in fitting if line <= rows[0])
    across = (line for line in crossing if all(_meet_once(line, column) for column in columns))
    if not diagonals:
        return across
    (falling,) = diagonals
    return (line for line in across if line <= falling and _makes_squares(rows, columns, falling, line))


def _apart_from(taken: Sequence[Line], candidates: Iterator[Line] | Sequence[Line], n: int) -> Iterator[Line]:
    """The candidates with the greatest free number and no taken number."""
    everything = (1 << n * n + 1) - 2
    left = everything & ~sum(taken)
    greatest = 1 << left.bit_length() - 1
    return (line for line in candidates if line & greatest and not line & ~left)


def _meet_once(line: Line, other: Line) -> bool:
    return (line & other).bit_count() == 1


def opposite_rows(rows: Sequence[Line], columns: Sequence[Line], falling: Line, rising: Line) -> list[int]:
    """For each row the row reached along the falling diagonal, the column, and the rising diagonal."""
    through = [next(column for column in columns if column & falling & row) for row in rows]
    return [next(i for i, row in enumerate(rows) if row & rising & column) for column in through]


def _makes_squares(rows: Sequence[Line], columns: Sequence[Line], falling: Line, rising: Line) -> bool:
    if (falling & rising).bit_count() != len(rows) % 2:
        return False
    opposite = opposite_rows(rows, columns, falling, rising)
    return all(opposite[opposite[row]] == row for row in range(len(rows)))


def _report(lines: Sequence[Line], n: int, found: Found) -> None:
    """Report the squares of a choice, each with the weight of all its images."""
    rows, columns, (falling, rising) = lines[:n], lines[n : 2 * n], lines[2 * n :]
    for order in row_orders(opposite_rows(rows, columns, falling, rising)):
        square = list(chain(*_square(rows, columns, falling, order)))
        found(as_row(square), len(set(row_images(square))))


def _square(
    rows: Sequence[Line], columns: Sequence[Line], falling: Line, order: Sequence[int]
) -> list[list[int]]:
    """The square with its rows in that order; the falling diagonal determines the order of the columns."""
    down = [rows[row] for row in order]
    across = [next(column for column in columns if column & falling & row) for row in down]
    return [[(row & column).bit_length() - 1 for column in across] for row in down]


def row_orders(opposite: Sequence[int]) -> Iterator[list[int]]:
    """All orders with opposite rows in opposite places, up to turning the square upside down."""
    pairs = [(row, other) for row, other in enumerate(opposite) if row < other]
    middle = [row for row, other in enumerate(opposite) if row == other]
    for outer_to_inner in permutations(pairs):
        for turned in product((False, True), repeat=len(pairs)):
            if any(turned[outer_to_inner.index(pair)] for pair in pairs[:1]):
                continue  # the order of the first pair is fixed; the others are relative to it
            top = [pair[turn] for pair, turn in zip(outer_to_inner, turned, strict=True)]
            bottom = [pair[not turn] for pair, turn in zip(outer_to_inner, turned, strict=True)]
            yield [*top, *middle, *reversed(bottom)]


def construction(row: Row) -> list[str]:
    """How one choice of sets becomes squares: the two conditions, and the remaining orders."""
    n = round(len(row) ** 0.5)
    square = [value + 1 for value in row]
    lines = [[square[cell] for cell in cells] for cells in square_lines(n)]
    rows, columns, (falling, rising) = (
        [sum(1 << number for number in line) for line in part]
        for part in (lines[:n], lines[n : 2 * n], lines[2 * n :])
    )
    opposite = opposite_rows(rows, columns, falling, rising)
    orders = row_orders(opposite)
    common = [number for number in lines[2 * n] if number in lines[2 * n + 1]]
    pairs = [
        f"{_listed(lines[row])} with {_listed(lines[other])}"
        for row, other in enumerate(opposite)
        if row <= other
    ]
    return [
        "the first choice of sets, of those with the same sum:",
        *(f"    row {_listed(line)}" for line in lines[:n]),
        *(f"    column {_listed(line)}" for line in lines[n : 2 * n]),
        *(f"    diagonal {_listed(line)}" for line in lines[2 * n :]),
        "condition 1: the diagonals have in common "
        + (f"the number {common[0]}, which is the centre" if common else "no number"),
        "condition 2: from a row along one diagonal to a column, from there along the other to a row;",
        "    twice this way leads back. Rows that lead to each other stand opposite:",
        *(f"    {pair}" for pair in pairs),
        "any pair may be the outermost, and stand either way round: so this choice gives",
        *("    " + " / ".join(map(_listed, _square(rows, columns, falling, order))) for order in orders),
    ]


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


METHOD = Method(
    name="line-sets",
    title="Line sets",
    explanation=(
        "Chooses the numbers of all rows, columns and diagonals as sets, each meeting the others in the right"
        " number of places; the order follows, and gives four squares of order 4 or 5 at a time."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=4,
    search_space=lambda n: {"sets": len(sets_with_sum(n)) if n <= LARGEST_COUNTED else None},
    first_found_up_to=5,
    construction=construction,
)
