"""The ladder for Hip: three techniques, each recursive.

    brute force      checks only complete boards
    cell by cell     checks each square when it is completed
    joining          joins four smaller boards, as in the blog of its source

A row has the colour, 0 or 1, of each cell of the board, row by row, as in `rekkyo.catalog.hip`. All methods
search for balanced boards: both colours are used equally often, except for one cell on odd boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Effort, Found, Method
from rekkyo.wording import several

Corners: TypeAlias = tuple[int, ...]
"""The corners of a square, the lowest cell first."""


@cache
def squares(n: int) -> tuple[Corners, ...]:
    """All squares of the board; one with a box of side s around it leans by 0 to s - 1 cells."""
    return tuple(
        sorted(
            tuple(
                sorted(
                    (top + down) * n + left + across
                    for down, across in ((0, lean), (lean, side), (side, side - lean), (side - lean, 0))
                )
            )
            for side in range(1, n)
            for lean in range(side)
            for top in range(n - side)
            for left in range(n - side)
        )
    )


def has_square(board: Sequence[int], squares: Iterable[Corners]) -> bool:
    """Whether some square has corners of one colour."""
    return any(len({board[corner] for corner in corners}) == 1 for corners in squares)


def brute_force(n: int, found: Found) -> int:
    """Colour every cell in both ways, and check a board only when it is complete.

    That is 2^(n*n) boards: 65,536 for n = 4, and already 33 million for n = 5. The blog's author noted that n
    = 6, with 9 billion balanced boards, is not feasible in this way. The level of recursion is the cell.
    """
    board = [0] * (n * n)

    def color(cell: int) -> int:
        if cell == n * n:
            is_balanced = sum(board) in (n * n // 2, (n * n + 1) // 2)
            if is_balanced and not has_square(board, squares(n)):
                found(tuple(board), 1)
            return 0
        nodes = 0
        for value in (0, 1):
            board[cell] = value
            nodes += 1 + color(cell + 1)
        return nodes

    return color(0)


def cell_by_cell(n: int, found: Found) -> int:
    """Check the squares that a cell completes as soon as it is coloured.

    Every square has a last corner in the order of the cells, and is checked only there. A colour that has
    been used for half of the cells is not used again. For n = 6 that is 0.9 million nodes instead of 9
    billion balanced boards. Left out: looking ahead; a cell without a possible colour is noticed only when it
    is reached.
    """
    board = [0] * (n * n)
    most = (n * n + 1) // 2
    times = [0, 0]

    def color(cell: int) -> int:
        if cell == n * n:
            found(tuple(board), 1)
            return 0
        nodes = 0
        for value in (0, 1):
            board[cell] = value
            if times[value] < most and not has_square(board, ending_at(n)[cell]):
                times[value] += 1
                nodes += 1 + color(cell + 1)
                times[value] -= 1
        return nodes

    return color(0)


@cache
def ending_at(n: int) -> tuple[tuple[Corners, ...], ...]:
    """For each cell the squares of which it is the last corner."""
    return tuple(tuple(corners for corners in squares(n) if corners[3] == cell) for cell in range(n * n))


def part_side(n: int) -> int:
    """The side of the parts. On 6x6 it is 4, so two neighbouring parts share two rows or columns."""
    return min(n, (n + 3) // 2)


def joining(n: int, found: Found) -> Effort:
    """Join four overlapping small boards in the corners of a large board.

    Every part of a solution also has no square of one colour. So the small boards without such a square are
    listed once, and those that agree on shared cells are joined. The result is checked for balance, and for
    the squares that are in none of the four parts: on 6x6 with parts of 4x4, 36 of the 105. The author of the
    blog "knife's my Pick" found the 24 draws in this way, by his account in some tens of minutes.
    Boards are numbers here, with a bit for each cell of colour 1. Left out: checking the remaining squares
    before all four parts are placed. The level of recursion is the corner.
    """
    corners = _corners(n)
    placed = [0] * len(corners)
    n_balanced = n_free = 0

    def place(number: int, board: int) -> None:
        if number == len(corners):
            check(board)
            return
        shared, parts_by_shared = corners[number]
        for part in parts_by_shared.get(board & shared, ()):
            placed[number] += 1
            place(number + 1, board | part)

    def check(board: int) -> None:
        """Check what the parts do not guarantee: balance, and the squares that are in none of them."""
        nonlocal n_balanced, n_free
        if board.bit_count() in (n * n // 2, (n * n + 1) // 2):
            n_balanced += 1
            if not any(board & mask in (0, mask) for mask in crossing_squares(n)):
                n_free += 1
                found(tuple(board >> cell & 1 for cell in range(n * n)), 1)

    place(0, 0)
    side = part_side(n)
    n_shared = 2 * side - n
    story = (
        f"{side}x{side} boards without a square of one colour: {placed[0]}",
        f"upper left and upper right, sharing {several(n_shared, 'column')}: {placed[1]}",
        f"with lower left, sharing {several(n_shared, 'row')} with upper left: {placed[2]}",
        f"with lower right, sharing with both: {placed[3]} boards of {n}x{n}",
        f"of these balanced: {n_balanced}",
        f"squares still to check, of {len(squares(n))}: {len(crossing_squares(n))}",
        f"boards without a square of one colour: {n_free}",
    )
    return Effort(sum(placed), story)


@cache
def crossing_squares(n: int) -> tuple[int, ...]:
    """The squares that are in none of the four parts, as masks."""
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
            if not has_square(board, ending_at(side)[cell]):
                yield from color(cell + 1)

    return tuple(color(0))


@cache
def _corners(n: int) -> tuple[tuple[int, dict[int, list[int]]], ...]:
    """The corners for the parts: upper left, upper right, lower left, lower right.

    For each corner: the cells that it shares with the corners before, as a mask; and the small boards, by the
    colours of the shared cells. The boards are placed on the large board.
    """
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
            corners.append((cells & covered, by_shared))
            covered |= cells
    return tuple(corners)


HIP_METHODS = (
    Method(
        name="brute-force",
        title="Brute force",
        explanation=(
            "Colours every cell in both ways and checks each of the 2^(n*n) boards once it is complete."
            " Nearly all of them had a square of one colour after two rows, and this method never notices."
        ),
        search=brute_force,
        symmetries=row_images,
        practical_up_to=4,
    ),
    Method(
        name="cell-by-cell",
        title="Cell by cell",
        explanation=(
            "Checks the squares that end in a cell as soon as the cell is coloured, and uses no colour more"
            " than half of the time. One failed check spares all the boards that go on from there."
        ),
        search=cell_by_cell,
        symmetries=row_images,
        practical_up_to=7,
    ),
    Method(
        name="joining",
        title="Joining",
        explanation=(
            "Lists the small boards without a square and joins four of them, one in each corner, where they"
            " agree on what they share. Only the squares that lie in none of the four are left to check."
        ),
        search=joining,
        symmetries=row_images,
        practical_up_to=6,
    ),
)


def numbered_board(number: int, row: Sequence[int], transposed: bool) -> str:
    """The running number and the board, `#` for colour 0; it ends with a newline, as all pictures here."""
    n = round(len(row) ** 0.5)
    lines = ("".join("#."[color] for color in row[start : start + n]) for start in range(0, n * n, n))
    return "\n".join([str(number), *lines, ""])
