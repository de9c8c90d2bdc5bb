"""Joining: four small boards in the corners, overlapping, make one large board.

Every part of a solution is free of squares itself. So list the small boards without a square once, and put
them together: upper left any of them; upper right and lower left those that agree with it on what they share;
lower right those that agree with both. What is left is checked for balance, and for the squares that lie in
none of the four parts: on 6x6 with parts of 4x4, 36 of the 105. This is the way in which the author of the
blog "knife's my Pick" found the 24 draws, by his account in some tens of minutes.

Boards are numbers here, with a bit for each cell of colour 1. Left out: looking at the remaining squares
before all four parts are in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rekkyo.methods.grid import row_images
from rekkyo.methods.hip.board import squares
from rekkyo.methods.hip.cell_by_cell import completes_no_square
from rekkyo.methods.ladder import Found, Method, Told


@dataclass(slots=True)
class Steps:
    """How many boards there were at each step: parts, pairs of upper parts, threes, fours, balanced, free."""

    parts: int = 0
    pairs: int = 0
    threes: int = 0
    fours: int = 0
    balanced: int = 0
    free: int = 0


def part_side(n: int) -> int:
    """The side of the parts: on 6x6 it is 4, so that two of them share two lines."""
    return min(n, (n + 3) // 2)


def search(n: int, found: Found) -> Told:
    """Place the four corners in order; the level of recursion is the corner."""
    corners = _corners(n)
    placed = [0] * len(corners)

    def place(number: int, board: int) -> None:
        for part in corners[number].partners(board):
            placed[number] += 1
            if number + 1 < len(corners):
                place(number + 1, board | part)
            else:
                _check(n, board | part, steps, found)

    steps = Steps()
    place(0, 0)
    steps.parts, steps.pairs, steps.threes, steps.fours = placed
    return Told(sum(placed), _story(n, steps))


def _story(n: int, steps: Steps) -> tuple[str, ...]:
    """What was left at each step, line by line."""
    side = part_side(n)
    shared = 2 * side - n
    return (
        f"{side}x{side} boards without a square of one colour: {steps.parts}",
        f"upper left and upper right, sharing {shared} columns: {steps.pairs}",
        f"with lower left, sharing {shared} rows with upper left: {steps.threes}",
        f"with lower right, sharing with both: {steps.fours} boards of {n}x{n}",
        f"of these balanced: {steps.balanced}",
        f"squares still to check, of {len(squares(n))}: {len(crossing_squares(n))}",
        f"boards without a square of one colour: {steps.free}",
    )


def _check(n: int, board: int, steps: Steps, found: Found) -> None:
    """What the parts do not settle: balance, and the squares that lie in none of them."""
    if board.bit_count() not in (n * n // 2, (n * n + 1) // 2):
        return
    steps.balanced += 1
    for mask in crossing_squares(n):
        if board & mask in (0, mask):
            return
    steps.free += 1
    found(tuple(board >> cell & 1 for cell in range(n * n)), 1)


@cache
def crossing_squares(n: int) -> tuple[int, ...]:
    """The squares that lie in none of the four parts, as masks."""
    side = part_side(n)
    inside = {
        tuple((corner // side + top) * n + corner % side + left for corner in corners)
        for corners in squares(side)
        for top in (0, n - side)
        for left in (0, n - side)
    }
    return tuple(sum(1 << cell for cell in corners) for corners in squares(n) if corners not in inside)


@cache
def small_boards(side: int) -> tuple[int, ...]:
    """All boards of that side without a square of one colour, in any balance."""
    board = [0] * (side * side)

    def color(cell: int) -> Iterator[int]:
        if cell == side * side:
            yield sum(value << place for place, value in enumerate(board))
            return
        for value in (0, 1):
            board[cell] = value
            if completes_no_square(board, side, cell):
                yield from color(cell + 1)

    return tuple(color(0))


@dataclass(frozen=True, slots=True)
class Corner:
    """A place for a part. shared: the cells that it has in common with the corners before, as a mask.

    by_shared: the parts, as they lie on the large board, by the colours of these cells.
    """

    shared: int
    by_shared: dict[int, list[int]]

    def partners(self, board: int) -> list[int]:
        """The parts that agree with a board on which the corners before are in place."""
        return self.by_shared.get(board & self.shared, [])


@cache
def _corners(n: int) -> tuple[Corner, ...]:
    """Upper left, upper right, lower left, lower right."""
    side = part_side(n)
    covered = 0
    corners = []
    for top in (0, n - side):
        for left in (0, n - side):
            places = [(top + cell // side) * n + left + cell % side for cell in range(side * side)]
            cells = sum(1 << place for place in places)
            by_shared: dict[int, list[int]] = {}
            for part in small_boards(side):
                placed = sum((part >> cell & 1) << place for cell, place in enumerate(places))
                by_shared.setdefault(placed & covered, []).append(placed)
            corners.append(Corner(cells & covered, by_shared))
            covered |= cells
    return tuple(corners)


METHOD = Method(
    name="joining",
    form="recursive",
    title="Joining",
    explanation=(
        "Lists the small boards without a square and joins four of them, one in each corner, where they agree"
        " on what they share. Only the squares that lie in none of the four are left to check."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=6,
)
