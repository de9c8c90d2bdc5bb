"""Packings by the definition, written for the tests: no code of rekkyo, no cleverness."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations, product
from typing import TypeVar

Square = tuple[int, int]
Cell = tuple[int, ...]
Placed = tuple[str, frozenset[Square]]
Piece = tuple[str, frozenset[Square], int, int | None]
"""Name, squares, and how often it is placed at least and at most; None: any number of times."""

PlaceT = TypeVar("PlaceT", Square, "Point")

Fits = Callable[[Square, Square], bool]
"""Whether a cell of a piece may lie on a square of the board."""


def packings(
    board: Collection[Square],
    pieces: Sequence[Piece],
    *,
    reflections: bool = True,
    filled: bool = True,
    given: Iterable[Placed] = (),
    optional: Collection[Square] = (),
    only_on: Mapping[str, Collection[Square]] | None = None,
    fits: Mapping[str, Fits] | None = None,
    torus: Square | None = None,
) -> Iterator[frozenset[Placed]]:
    """Every set of placed pieces.

    optional: squares of a filled board that may stay empty. only_on: the squares of a piece, if not all are.
    fits: whether a cell of a piece may lie on a square, if not all may lie anywhere.
    torus: the sides of a board from 0,0 on whose opposite edges are joined.
    """
    wanted = set(given)
    lying = [
        (name, place)
        for name, cells, _, _ in pieces
        for place in places(
            board if only_on is None else only_on.get(name, board),
            cells,
            reflections=reflections,
            fits=(fits or {}).get(name),
            torus=torus,
        )
    ]
    times = {name: (low, high) for name, _, low, high in pieces}
    for found in fillings(board, lying, times, optional if filled else board):
        if wanted <= found:
            yield found


def fillings(
    board: Collection[PlaceT],
    lying: Iterable[tuple[str, frozenset[PlaceT]]],
    times: Mapping[str, tuple[int, int | None]],
    optional: Collection[PlaceT],
) -> Iterator[frozenset[tuple[str, frozenset[PlaceT]]]]:
    """Every set of placed pieces, each used so many times, that leaves only optional places empty.

    lying: all places of all pieces. Place after place is the least one of a piece, or is left empty.
    """
    squares = sorted(board)
    beginning_at: dict[PlaceT, list[tuple[str, frozenset[PlaceT]]]] = {square: [] for square in squares}
    for name, cells in lying:
        beginning_at[min(cells)].append((name, cells))

    def place(
        number: int, covered: frozenset[PlaceT], placed: tuple[tuple[str, frozenset[PlaceT]], ...]
    ) -> Iterator[frozenset[tuple[str, frozenset[PlaceT]]]]:
        if number == len(squares):
            if all(used(name, placed) >= low for name, (low, _) in times.items()):
                yield frozenset(placed)
            return
        square = squares[number]
        if square in covered or square in optional:
            yield from place(number + 1, covered, placed)
        if square not in covered:
            for piece in beginning_at[square]:
                high = times[piece[0]][1]
                if not piece[1] & covered and (high is None or used(piece[0], placed) < high):
                    yield from place(number + 1, covered | piece[1], (*placed, piece))

    def used(name: str, placed: tuple[tuple[str, frozenset[PlaceT]], ...]) -> int:
        return sum(name == other for other, _ in placed)

    return place(0, frozenset(), ())


def drawn(text: str) -> list[Square]:
    """The squares of a drawing: every mark but a point."""
    return [(r, c) for r, line in enumerate(text.split()) for c, mark in enumerate(line) if mark != "."]


def places(
    board: Collection[Square],
    cells: Iterable[Square],
    *,
    reflections: bool,
    fits: Fits | None = None,
    torus: Square | None = None,
) -> set[frozenset[Square]]:
    """Every set of squares of the board on which a piece can lie, turned and perhaps turned over."""
    return {
        frozenset(there for _, there in way)
        for way in ways_to_lie(board, cells, reflections=reflections, torus=torus)
        if fits is None or all(fits(cell, there) for cell, there in way)
    }


def fitting(
    of_piece: Mapping[Square, str], of_board: Mapping[Square, str], pairs: Collection[tuple[str, str]] | None
) -> Fits:
    """Whether a cell of a piece may lie on a square: one has no colour, or the colours are a pair, or equal."""

    def fits(cell: Square, there: Square) -> bool:
        if cell not in of_piece or there not in of_board:
            return True
        colors = of_piece[cell], of_board[there]
        return colors[0] == colors[1] if pairs is None else colors in pairs

    return fits


def ways_to_lie(
    board: Collection[Square], cells: Iterable[Square], *, reflections: bool, torus: Square | None = None
) -> set[frozenset[tuple[Square, Square]]]:
    """Every way to lay a piece on the board: each of its cells with the square under it."""
    squares = set(board)
    found = set()
    piece = list(cells)
    turned = list(piece)
    for half in range(8 if reflections else 4):
        turned = [(c, -r) for r, c in turned]
        if half == 4:
            turned = [(r, -c) for r, c in turned]
        first_row, first_column = turned[0]
        for row, column in product(range(torus[0]), range(torus[1])) if torus else squares:
            there = [(r - first_row + row, c - first_column + column) for r, c in turned]
            if torus:
                there = [(r % torus[0], c % torus[1]) for r, c in there]
            if squares.issuperset(there) and len(set(there)) == len(there):
                found.add(frozenset(zip(piece, there, strict=True)))
    return found


Point = tuple[int, int, int]


def balls(text: str) -> list[Point]:
    """The balls of a drawing, in axes in which their lattice is that of the points with an even sum.

    Each layer lies half a row and half a column further than the one before.
    """
    return [
        (row - column, row + column + layer, layer)
        for row, line in enumerate(text.strip("\n").split("\n"))
        for layer, marks in enumerate(line.split())
        for column, mark in enumerate(marks)
        if mark != "."
    ]


def places_in_space(
    board: Collection[Point], cells: Iterable[Point], *, reflections: bool
) -> set[frozenset[Point]]:
    """Every set of points of the board on which a solid piece can lie: axes exchanged and turned around."""
    points, found = set(board), set()
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        if (-1) ** inversions * signs[0] * signs[1] * signs[2] < 0 and not reflections:
            continue
        turned = [tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True)) for cell in cells]
        for target in points:
            move = [there - here for there, here in zip(target, turned[0], strict=True)]
            place = frozenset((x + move[0], y + move[1], z + move[2]) for x, y, z in turned)
            if place <= points:
                found.add(place)
    return found


def places_of_balls(
    board: Collection[Point], cells: Sequence[Point], *, reflections: bool
) -> set[frozenset[Point]]:
    """The same for balls: those in one plane can be turned over, too, which is a turn of space."""
    x0, y0, z0 = cells[0]
    steps = [(x - x0, y - y0, z - z0) for x, y, z in cells]
    volumes = (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in product(steps, repeat=3)
    )
    return places_in_space(board, cells, reflections=reflections or not any(volumes))


def count_fillings(board: Collection[Cell], pieces: Sequence[tuple[Collection[frozenset[Cell]], int]]) -> int:
    """Ways to cover a board with pieces, each so many times; a piece is all the places where it can lie.

    The first free cell is covered in every way; what is left free, and how often, is counted once.
    """
    beginning_at: dict[Cell, list[tuple[int, frozenset[Cell]]]] = {}
    for number, (piece_places, _) in enumerate(pieces):
        for place in piece_places:
            beginning_at.setdefault(min(place), []).append((number, place))

    @cache
    def ways(free: frozenset[Cell], left: tuple[int, ...]) -> int:
        if not free:
            return int(not any(left))
        total = 0
        for number, place in beginning_at.get(min(free), []):
            if left[number] and place <= free:
                total += ways(free - place, (*left[:number], left[number] - 1, *left[number + 1 :]))
        return total

    return ways(frozenset(board), tuple(times for _, times in pieces))


def assemblies(needed: Collection[Cell], pieces: Sequence[Collection[frozenset[Cell]]]) -> int:
    """Ways to lay each piece once so that all needed cells are covered; a piece is all the places where it can lie."""
    free = set(needed)
    left = dict(enumerate(pieces))
    taken: set[Cell] = set()

    def lay() -> int:
        if not left:
            return not free
        first = min(free, default=None)
        found = 0
        for number, places in list(left.items()):
            for place in places:
                if (first is None or first in place) and taken.isdisjoint(place):
                    del left[number]
                    taken.update(place)
                    free.difference_update(place)
                    found += lay()
                    free.update(place & set(needed))
                    taken.difference_update(place)
                    left[number] = places
            if first is None:
                break  # the pieces that are left are laid in order
        return found

    return lay()
