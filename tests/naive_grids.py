"""Puzzles in files of BurrTools by the definition, for grids in space: no code of rekkyo, no cleverness.

Points are middles of cells on a scale where they are whole numbers: of prisms (x, y, z) in half sides, sixths of
sides times the root of 3, and heights; of cut cubes from the middle of the first; of tetrahedra and octahedra
from the middle of an octahedron, where cubes have side 6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import NamedTuple
from xml.etree import ElementTree

from tests import naive_packing

Point = tuple[int, int, int]
Turn = Callable[[Point], Point]
Way = frozenset[tuple[Point, Point]]
"""Each cell of a piece with the place where it lies."""


def point_of(grid: str, x: int, y: int, z: int) -> Point:
    if grid == "1":
        return x + 1, 3 * y + 1 + (x + y) % 2, z
    return (x - 2, y - 2, z - 2) if grid == "3" else (2 * x - 5, 2 * y + 1, 2 * z + 1)


def is_move(grid: str, dx: int, dy: int, dz: int) -> bool:
    """Whether all cells, moved so far, are cells."""
    if grid == "1":
        return dy % 3 == 0 and (dx + dy // 3) % 2 == 0
    if grid == "3":
        return dx % 5 == dy % 5 == dz % 5 == 0
    return dx % 6 == dy % 6 == dz % 6 == 0 and (dx + dy + dz) % 12 == 0


def turns(grid: str) -> Iterator[tuple[Turn, bool]]:
    """All turns about a point that take cells to cells, and mirrors of them; whether each is a real turn."""
    if grid == "1":
        for sixths, over, mirrored in product(range(6), (False, True), (False, True)):

            def turned(point: Point, sixths: int = sixths, over: bool = over, m: bool = mirrored) -> Point:
                x, y, z = point
                for _ in range(sixths):
                    x, y = (x - y) // 2, (3 * x + y) // 2
                return x, -y if over else y, -z if over != m else z

            yield turned, not mirrored
        return
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):

        def of_cube(point: Point, axes: Sequence[int] = axes, signs: Sequence[int] = signs) -> Point:
            x, y, z = (sign * point[axis] for axis, sign in zip(axes, signs, strict=True))
            return x, y, z

        inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        yield of_cube, (-1) ** inversions * signs[0] * signs[1] * signs[2] > 0


def moves_to(grid: str, cells: Collection[Point], board: Collection[Point]) -> Iterator[Turn]:
    """All moves of cells to places on a board."""
    first = min(cells)
    for there in board:
        dx, dy, dz = (b - a for a, b in zip(first, there, strict=True))
        if is_move(grid, dx, dy, dz):

            def moved(point: Point, by: Point = (dx, dy, dz)) -> Point:
                return point[0] + by[0], point[1] + by[1], point[2] + by[2]

            if all(moved(cell) in board for cell in cells):
                yield moved


class Piece(NamedTuple):
    colors: Mapping[Point, str]
    low: int
    high: int


@dataclass
class Task:
    """One problem of a file. board: each place with its colour or ""; claimed: assemblies, as BurrTools saved them."""

    grid: str
    claimed: int
    board: Mapping[Point, str]
    optional: Collection[Point]
    pieces: Mapping[str, Piece]
    pairs: Collection[tuple[str, str]]
    most: int | None
    lying: dict[str, set[frozenset[Point]]] = field(default_factory=dict)

    def assemblies(self) -> set[frozenset[naive_packing.Placed]]:
        """All assemblies."""
        self.lying = {name: self._places(piece.colors) for name, piece in self.pieces.items()}
        found = naive_packing.fillings(
            self.board,
            [(name, place) for name, places in self.lying.items() for place in places],
            {name: (piece.low, piece.high) for name, piece in self.pieces.items()},
            self.optional,
        )
        least = 0 if self.most is None else len(self.board) - self.most
        return {one for one in found if sum(len(place) for _, place in one) >= least}

    def different(self, assemblies: set[frozenset[naive_packing.Placed]]) -> int:
        """How many are different when the board is turned, and mirrored if each piece has a mirror image."""
        moves = [
            move for turn, is_turn in turns(self.grid) for move in self._symmetries(turn, is_turn=is_turn)
        ]
        left, n_different = set(assemblies), 0
        while left:
            one = left.pop()
            n_different += 1
            left -= {
                frozenset((names[name], frozenset(map(move, place))) for name, place in one)
                for move, names in moves
            }
        return n_different

    def _places(self, piece: Mapping[Point, str]) -> set[frozenset[Point]]:
        found = set()
        for turn, is_turn in turns(self.grid):
            turned = {turn(cell): color for cell, color in piece.items()}
            for move in moves_to(self.grid, turned, self.board) if is_turn else ():
                there = {move(cell): color for cell, color in turned.items()}
                if all(self._fits(color, self.board[place]) for place, color in there.items()):
                    found.add(frozenset(there))
        return found

    def _fits(self, color: str, of_board: str) -> bool:
        return not color or not of_board or (color, of_board) in self.pairs

    def _symmetries(self, turn: Turn, *, is_turn: bool) -> Iterator[tuple[Turn, dict[str, str]]]:
        """The turn, moved back to the board, and the piece that each piece becomes."""
        turned = {turn(cell): cell for cell in self.board}
        for move in moves_to(self.grid, turned, self.board):
            there = {move(cell): before for cell, before in turned.items()}
            same = all(
                self.board[now] == self.board[before] and (now in self.optional) == (before in self.optional)
                for now, before in there.items()
            )
            names: dict[str, str] = {}
            for name, places in self.lying.items() if same else ():
                image = {frozenset(move(turn(cell)) for cell in place) for place in places}
                bounds = self.pieces[name][1:]
                twins = [n for n in self.lying if self.lying[n] == image and self.pieces[n][1:] == bounds]
                if twins:
                    names[name] = name if is_turn else twins[0]
            if same and len(names) == len(self.lying):
                yield lambda cell, move=move: move(turn(cell)), names


def tasks(text: str) -> Iterator[Task]:
    """The problems of a file."""
    root = ElementTree.fromstring(text)
    grid = root.find("gridType").attrib["type"]
    shapes = [_shape(grid, voxel) for voxel in root.iter("voxel")]
    for problem in root.iter("problem"):
        uses = [use.attrib for use in problem.find("shapes")]
        colors, optional = shapes[int(problem.find("result").attrib["id"])]
        pieces = {
            use["id"]: Piece(
                shapes[int(use["id"])][0],
                int(use.get("count", use.get("min", 0))),
                int(use.get("count", use.get("max", 0))),
            )
            for use in uses
        }
        pairs = {
            (str(int(p.attrib["piece"]) + 1), str(int(p.attrib["result"]) + 1)) for p in problem.iter("pair")
        }
        most = problem.attrib.get("maxHoles")
        yield Task(
            grid,
            int(problem.attrib["assemblies"]),
            colors,
            optional,
            pieces,
            pairs,
            int(most) if most else None,
        )


def _shape(grid: str, voxel: ElementTree.Element) -> tuple[dict[Point, str], set[Point]]:
    """Colours of cells, and those that may stay empty."""
    n_columns, n_rows = int(voxel.attrib["x"]), int(voxel.attrib["y"])
    colors, optional = {}, set()
    for number, (mark, color) in enumerate(re.findall(r"([#+_])(\d*)", voxel.text or "")):
        rest, x = divmod(number, n_columns)
        z, y = divmod(rest, n_rows)
        if mark != "_":
            colors[point_of(grid, x, y, z)] = color
        if mark == "+":
            optional.add(point_of(grid, x, y, z))
    return colors, optional
