"""The board of a random puzzle file of the kind grid, and its values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

Row = tuple[int, ...]
Square = tuple[int, int]
Clause: TypeAlias = tuple[str, Callable[[Row], bool]]
"""The text of a clause, and whether it holds of the values of all cells."""

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
KNIGHT = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
FAR = {"rook": SIDES, "bishop": CORNERS, "queen": SIDES + CORNERS}
NEAR = {"sides": SIDES, "corners": CORNERS, "king": SIDES + CORNERS, "knight": KNIGHT}


@dataclass(frozen=True, slots=True)
class Board:
    """symbols: the characters of the values, by their numbers; "" if they are numbers in a list.

    names: of the cells, if the file gives them some. drawings: those in `[regions]`, by name.
    """

    rng: random.Random
    extent: Square
    squares: Sequence[Square]
    is_torus: bool
    symbols: str
    numbers: Row
    names: tuple[str, ...]
    drawings: dict[str, str] = field(default_factory=dict)

    def on(self, row: int, column: int) -> int | None:
        """The number of the cell on a square."""
        square = (row % self.extent[0], column % self.extent[1]) if self.is_torus else (row, column)
        return self.squares.index(square) if square in self.squares else None

    def line(self, cell: int, step: Square) -> list[int]:
        """The cells in a direction, up to the edge or around the torus."""
        (row, column), found = self.squares[cell], list[int]()
        while (here := self.on(row + step[0], column + step[1])) not in (None, cell):
            found.append(here)  # type: ignore[arg-type]
            row, column = row + step[0], column + step[1]
        return found

    def near(self, cell: int, steps: Iterable[Square]) -> list[int]:
        """The other cells one step away, each once."""
        return list(dict.fromkeys(line[0] for step in steps if (line := self.line(cell, step))))

    def drawing(self, marks: dict[int, str]) -> str:
        lines = []
        for row in range(self.extent[0]):
            cells = [
                self.squares.index((row, c)) if (row, c) in self.squares else -1
                for c in range(self.extent[1])
            ]
            lines.append("".join("#" if cell < 0 else marks.get(cell, ".") for cell in cells))
        return "'''\n" + "\n".join(lines) + "\n'''"

    def some(self) -> tuple[Row, str]:
        """Some values, but not all, and their text."""
        chosen = sorted(self.rng.sample(self.numbers, self.rng.randint(1, len(self.numbers) - 1)))
        if not self.symbols:
            return tuple(chosen), str(chosen)
        return tuple(chosen), "'" + "".join(self.symbols[self.numbers.index(n)] for n in chosen) + "'"

    def word(self, cell: int) -> str:
        """What a clause calls a cell."""
        if self.names and self.rng.random() < 0.7:
            return self.names[cell]
        return "{},{}".format(*self.squares[cell])

    def times(self, most: int) -> tuple[str, Callable[[int], bool]]:
        """The text of `times`, and which numbers of cells it allows."""
        a, b, c = sorted(self.rng.randint(0, most + 1) for _ in range(3))
        return self.rng.choice(
            (
                ('"odd"', lambda n: n % 2 == 1),
                ('"even"', lambda n: n % 2 == 0),
                (f'"{a} {c}"', lambda n: n in (a, c)),
                (f'"{a}..{b}, {c}"', lambda n: a <= n <= b or n == c),
                (f"[{a}, {b}]", lambda n: a <= n <= b),
                ('"at least once"', lambda n: n > 0),
            )
        )


def areas(board: Board, cells: Iterable[int], steps: Sequence[Square] = SIDES) -> list[list[int]]:
    """The connected parts of some cells."""
    left, found = set(cells), list[list[int]]()
    while left:
        found.append(area := [left.pop()])
        for cell in area:
            near = left.intersection(board.near(cell, steps))
            left -= near
            area += near
    return found


def groups(board: Board) -> tuple[list[list[int]], str]:
    """Some groups of cells, and the line of a clause that names them."""
    rng, cells = board.rng, range(len(board.squares))
    runs = _runs(board)
    kind = rng.choice(("rows", "columns", "board", "drawn", "drawn", "cells", *(["runs"] if runs else [])))
    if kind == "runs":
        return runs, 'regions = "runs"\n'
    if kind == "cells":
        found = [sorted(rng.sample(cells, rng.randint(1, len(cells)))) for _ in range(rng.choice((1, 2)))]
        lines = "\n".join(" ".join(map(board.word, group)) for group in found)
        return found, f"cells = '''\n{lines}\n'''\n"
    if kind == "drawn":
        marks = {cell: rng.choice("XYZ.") for cell in cells} | {rng.choice(cells): "X"}
        by_mark = {mark: [cell for cell in cells if marks[cell] == mark] for mark in "XYZ"}
        drawing, name = board.drawing(marks), f"rooms {len(board.drawings)}"
        if rng.random() < 0.4:
            board.drawings[name], drawing = drawing, f'"{name}"'
        return [group for group in by_mark.values() if group], f"regions = {drawing}\n"
    axis = ("rows", "columns", "board").index(kind)
    lines_of_cells: dict[int, list[int]] = {}
    for cell, square in enumerate(board.squares):
        lines_of_cells.setdefault((*square, 0)[axis], []).append(cell)
    return list(lines_of_cells.values()), f'regions = "{kind}"\n'


def _runs(board: Board) -> list[list[int]]:
    """The longest runs of two or more cells that follow each other, across and then down."""
    found = []
    for down, across in ((0, 1), (1, 0)):
        for row, column in board.squares:
            run = [(row, column)]
            while (after := (run[-1][0] + down, run[-1][1] + across)) in board.squares:
                run.append(after)
            if len(run) > 1 and (row - down, column - across) not in board.squares:
                found.append([board.squares.index(square) for square in run])
    return found
