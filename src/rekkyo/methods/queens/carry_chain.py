"""Carry chain: place the queens of the border first, once for each symmetry class, then fill the inner rows.

The *border* is the two outermost rows and columns on all four sides. Each of these lines holds one queen; the
queens on them are a *placement*. Symmetries take placements to placements, and the solutions around one to
those around its image. So it is enough to take the least placement of each orbit, and to count every solution
around it with the size of the orbit as its weight: 8, 4 or 2. If a placement equals its own half turn and a
solution around it does not, both the solution and its half turn are found, each with weight 4.

The outer four lines come first, with the bounds of symmetry elimination: no queen on them may be nearer to an
end of its line than the queen in the first row is to the left corner. A placement within the bounds is
compared with its eight images once, instead of every solution around it.

The inner rows are filled with bit masks. The next free square is found by a *carry*: adding 1 to the blocked
squares of a row carries through the blocked squares at the low end of the mask and stops at the first free
one, or at bit n, outside the board. In hardware this addition uses the carry chain of a chip. Up to n = 4 the
border is the whole board: the first stage does everything, by the same rules.

The method does not save nodes: a search that begins with the border has a larger tree than a search row by
row, which costs most of the factor 8 (n = 14: 15.0 million nodes, mirror 13.7 million). But the placements
are many independent searches of about the same size, each with the known weight 8, 4 or 2, and can be
distributed over thousands of circuits. The solutions for n = 27 were counted in this way.

Sources: T. B. Preußer, B. Nägel and R. G. Spallek, "Putting Queens in Carry Chains" (2009); T. B. Preußer and
M. R. Engelhardt, "Putting Queens in Carry Chains, No. 27", J. Signal Processing Systems 88 (2017).
Left out: the circuits, and comparing placements with their images before they are complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from rekkyo.methods.ladder import Found, both_forms
from rekkyo.methods.queens.bitmap import Mask, all_columns, column_of
from rekkyo.methods.queens.symmetry import Squares, as_row, eight_images, row_images
from rekkyo.model.queens import Square
from rekkyo.model.row import Row


class Position(NamedTuple):
    """Queens that do not attack each other, and the taken lines; rows may be filled in any order.

    Bit r of `rows` is row r, bit c of `columns` is column c, bit row + column of `rising` and bit
    column - row + n - 1 of `falling` are the diagonals. Unlike those of the bitmap, these masks are not
    shifted: the diagonals of a row are a window of n bits.
    """

    n: int
    queens: tuple[Square, ...] = ()
    rows: int = 0
    columns: Mask = 0
    rising: int = 0
    falling: int = 0

    def blocked_in(self, row: int) -> Mask:
        """The columns in which a queen of another row attacks this row."""
        attacked = self.columns | self.rising >> row | self.falling >> self.n - 1 - row
        return attacked & all_columns(self.n)

    def is_free(self, row: int, column: int) -> bool:
        """Whether a queen may be placed on the square."""
        row_is_taken = self.rows >> row & 1
        return not (row_is_taken or self.blocked_in(row) >> column & 1)

    def with_queen(self, row: int, column: int) -> Position:
        """The position after one more queen."""
        return Position(
            self.n,
            (*self.queens, (row, column)),
            self.rows | 1 << row,
            self.columns | 1 << column,
            self.rising | 1 << row + column,
            self.falling | 1 << column - row + self.n - 1,
        )

    def open_rows(self) -> list[int]:
        """The rows without a queen, from the top."""
        return [row for row in range(self.n) if not self.rows >> row & 1]

    def as_row(self) -> Row:
        """The solution row, once a queen stands in every row."""
        return as_row(tuple(sorted(self.queens)))


Fill: TypeAlias = Callable[[Position, Callable[[Row], None]], int]
"""Completes a position in every way, calls back with each solution, returns the nodes."""


def search_recursively(n: int, found: Found) -> int:
    """Both stages by recursion."""
    lines = border_lines(n)

    def place(position: Position) -> int:
        squares = next_squares(position, lines)
        if squares is None:
            return _fill_if_least(position, found, fill_recursively)
        return sum(1 + place(position.with_queen(row, column)) for row, column in squares)

    return place(Position(n))


def search_iteratively(n: int, found: Found) -> int:
    """Both stages in a loop; the stack of the first has the positions that remain to be extended."""
    lines = border_lines(n)
    stack = [Position(n)]
    nodes = 0
    while stack:
        position = stack.pop()
        squares = next_squares(position, lines)
        if squares is None:
            nodes += _fill_if_least(position, found, fill_iteratively)
        else:
            nodes += len(squares)
            stack += [position.with_queen(row, column) for row, column in reversed(squares)]
    return nodes


def border_lines(n: int) -> list[Squares]:
    """The lines of the border, the outer four first; on small boards a line may harmlessly occur twice."""
    pairs = [(0, n - 1), (1, n - 2)] if n > 2 else [(0, n - 1)]
    lines: list[Squares] = []
    for pair in pairs:
        lines += [tuple((row, column) for column in range(n)) for row in pair]
        lines += [tuple((row, column) for row in range(n)) for column in pair]
    return lines


def next_squares(position: Position, lines: Sequence[Squares]) -> Squares | None:
    """The squares for a queen in the first line without one; None if every line has its queen.

    Each placement is reached in one way only, because the next line depends only on the position.
    """
    queens = set(position.queens)
    for number, line in enumerate(lines):
        if queens.isdisjoint(line):
            within_bounds = line[_bounds(number, position)]
            return tuple(square for square in within_bounds if position.is_free(*square))
    return None


def _bounds(line_number: int, position: Position) -> slice:
    """The part of the line with which no other reading of the border has a lesser first queen."""
    n = position.n
    if line_number == 0:
        return slice(0, (n + 1) // 2)
    if line_number < 4:
        _, first = position.queens[0]
        return slice(first, n - first)
    return slice(0, n)


def orbit_size_if_least(placement: Position) -> int:
    """The size of the orbit of a placement that is the least in it; 0 for any other."""
    squares = tuple(sorted(placement.queens))
    images = eight_images(squares, placement.n)
    return 0 if min(images) < squares else len(set(images))


def _fill_if_least(placement: Position, found: Found, fill: Fill) -> int:
    """The second stage; no nodes for a placement that is not the least of its orbit."""
    orbit_size = orbit_size_if_least(placement)
    return fill(placement, lambda row: found(row, orbit_size)) if orbit_size else 0


def fill_recursively(placement: Position, solved: Callable[[Row], None]) -> int:
    """Fill the rows without a queen from the top."""
    open_rows = placement.open_rows()
    off_board = 1 << placement.n

    def place(position: Position, depth: int) -> int:
        if depth == len(open_rows):
            solved(position.as_row())
            return 0
        nodes = 0
        row = open_rows[depth]
        blocked = position.blocked_in(row)
        while (queen := lowest_free(blocked)) != off_board:
            blocked |= queen
            nodes += 1 + place(position.with_queen(row, column_of(queen)), depth + 1)
        return nodes

    return place(placement, 0)


def fill_iteratively(placement: Position, solved: Callable[[Row], None]) -> int:
    """As `fill_recursively`, in one loop; the stack has positions with blocked squares of the next row."""
    open_rows = placement.open_rows()
    if not open_rows:
        solved(placement.as_row())
        return 0
    off_board = 1 << placement.n
    stack = [(placement, placement.blocked_in(open_rows[0]))]
    nodes = 0
    while stack:
        position, blocked = stack.pop()
        queen = lowest_free(blocked)
        if queen == off_board:
            continue
        stack.append((position, blocked | queen))
        nodes += 1
        longer = position.with_queen(open_rows[len(stack) - 1], column_of(queen))
        if len(stack) == len(open_rows):
            solved(longer.as_row())
        else:
            stack.append((longer, longer.blocked_in(open_rows[len(stack)])))
    return nodes


def lowest_free(blocked: Mask) -> Mask:
    """The lowest bit that is not blocked: where the carry of blocked + 1 stops."""
    return (blocked + 1) & ~blocked


METHODS = both_forms(
    name="carry-chain",
    title="Carry chain",
    explanation=(
        "Places the queens on the two outermost lines of all four sides first and keeps one placement of each"
        " orbit, counted 2, 4 or 8 times. The rows between are filled with bit masks, where adding 1 to the"
        " blocked squares lets a carry run to the next free one."
    ),
    searches=(search_recursively, search_iteratively),
    symmetries=row_images,
    practical_up_to=14,
)
