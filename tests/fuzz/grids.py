"""Random puzzle files of the kind grid, and what they mean: their clauses by the definitions, nothing of the reader."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle
from tests.fuzz.oracle import TooLarge

Row = tuple[int, ...]
Square = tuple[int, int]
Clause: TypeAlias = tuple[str, Callable[[Row], bool]]
"""The text of a clause, and whether it holds of the values of all cells."""

MOST_FILLINGS = {False: 300, True: 4100}
VALUES = {'"01"': (0, 1), '"-Q"': (0, 1), "[-1, 2]": (-1, 2), '"012"': (0, 1, 2), '"abc"': (0, 1, 2)}
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
KNIGHT = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
FAR = {"rook": SIDES, "bishop": CORNERS, "queen": SIDES + CORNERS}
NEAR = {"sides": SIDES, "corners": CORNERS, "king": SIDES + CORNERS, "knight": KNIGHT}


@dataclass(frozen=True, slots=True)
class GridFile:
    """A file. holds: all its clauses. better: maximize or minimize the sum of the cells, if it says so."""

    text: str
    numbers: Row
    n_cells: int
    holds: tuple[Callable[[Row], bool], ...]
    better: Callable[[Iterable[int]], int] | None

    def fillings(self) -> set[Row]:
        """The values of the cells in all solutions."""
        every = product(self.numbers, repeat=self.n_cells)
        found = {row for row in every if all(holds(row) for holds in self.holds)}
        best = self.better(map(sum, found)) if self.better and found else None
        return {row for row in found if best in (None, sum(row))}


def draw_grid(rng: random.Random, is_middle: bool) -> Puzzle:
    """The puzzle of a file. Raises TooLarge for one that the reader refuses, such as three different cells of two values."""
    try:
        return rk.puzzle_from_text(draw_grid_file(rng, is_middle).text)
    except BadInput:
        raise TooLarge from None


def draw_grid_file(rng: random.Random, is_middle: bool) -> GridFile:
    """A rectangle or a torus, with holes or a declared symmetry, one to three clauses, perhaps an objective."""
    values, numbers = rng.choice(list(VALUES.items()))
    while True:
        rows, columns = rng.randint(1, 4), rng.randint(1, 5)
        if rows * columns > 1 and len(numbers) ** (rows * columns) <= MOST_FILLINGS[is_middle]:
            break
    is_torus = rng.random() < 0.4
    squares = list(product(range(rows), range(columns)))
    if not is_torus and min(rows, columns) > 1 and rng.random() < 0.4:
        squares.remove(rng.choice(squares[columns:]))
    board = _Board(rng, (rows, columns), squares, is_torus, values, numbers)
    clauses = [rng.choice(CLAUSES)(board) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    word, better = rng.choice((("maximize", max), ("minimize", min))) if rng.random() < 0.2 else ("", None)
    head = (
        f'kind = "grid"\nvalues = {values}\nboard = {board.drawing({})}\ntoroidal = {str(is_torus).lower()}\n'
    )
    head += f'{word} = "sum"\n' if word else ""
    text = head + "".join(clause for clause, _ in clauses)
    return GridFile(text, numbers, len(squares), tuple(holds for _, holds in clauses), better)


@dataclass(frozen=True, slots=True)
class _Board:
    rng: random.Random
    extent: Square
    squares: Sequence[Square]
    is_torus: bool
    values: str
    numbers: Row

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
        if self.values.startswith("["):
            return tuple(chosen), str(chosen)
        symbols = self.values.strip('"')
        return tuple(chosen), '"' + "".join(symbols[self.numbers.index(n)] for n in chosen) + '"'

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


def _see(board: _Board) -> Clause:
    rng, cells = board.rng, range(len(board.squares))
    moves = rng.choice((*FAR, *FAR, *NEAR))
    itself = rng.random() < 0.5
    lines = [
        [board.line(cell, step) for step in FAR[moves]]
        if moves in FAR
        else [[other] for other in board.near(cell, NEAR[moves])]
        for cell in cells
    ]
    text = f'[[see]]\nmoves = "{moves}"\nitself = {str(itself).lower()}\n'
    stops: Row = ()
    if moves in FAR and not board.is_torus and rng.random() < 0.6:
        stops, written = board.some()
        text += f"stop = {written}\n"
    seeing = board.numbers
    if rng.random() < 0.4:
        seeing, written = board.some()
        text += f"from = {written}\n"
    plus, (wanted, written) = rng.choice((None, None, None, 0, 1)), board.some()
    text += f"value = {written}\n" if plus is None else f"plus = {plus}\n"
    seen_at_most = [itself + len({other for line in lines[cell] for other in line}) for cell in cells]
    kind = rng.choice(("times", "value", "clues"))
    clues: dict[int, int] = {}
    allowed: Callable[[int], bool] = bool
    if kind == "times":
        written, allowed = board.times(min(seen_at_most))
        text += f"times = {written}\n"
    elif kind == "value":
        text += 'times = "value"\n'
    else:
        clues = {cell: rng.randint(0, seen_at_most[cell]) for cell in rng.sample(cells, rng.randint(1, 2))}
        text += f"clues = {board.drawing({cell: str(clue) for cell, clue in clues.items()})}\n"

    def seen(row: Row, cell: int) -> list[int]:
        if itself and row[cell] in stops:
            return [cell]
        found = [cell] if itself else []
        for line in lines[cell]:
            for other in line:
                if stops or other not in found:  # around a torus, a cell is seen from two sides
                    found.append(other)
                if row[other] in stops:
                    break
        return found

    def holds_of(row: Row, cell: int) -> bool:
        sought = wanted if plus is None else (row[cell] + plus,)
        if row[cell] not in seeing or (clues and cell not in clues) or not set(sought) & {*board.numbers}:
            return True
        number = sum(row[other] in sought for other in seen(row, cell))
        if kind == "times":
            return allowed(number)
        return number == (row[cell] if kind == "value" else clues[cell])

    return text, lambda row: all(holds_of(row, cell) for cell in cells)


def _count(board: _Board) -> Clause:
    chosen, written = board.some()
    groups: dict[int, list[int]] = {}
    axis = board.rng.randrange(2)
    for cell, square in enumerate(board.squares):
        groups.setdefault(square[axis], []).append(cell)
    times, allowed = board.times(max(map(len, groups.values())))
    text = f'[[count]]\nvalue = {written}\ntimes = {times}\nregions = "{("rows", "columns")[axis]}"\n'
    return text, lambda row: all(
        allowed(sum(row[cell] in chosen for cell in group)) for group in groups.values()
    )


def _around(board: _Board) -> Clause:
    chosen, written = board.some()
    name = board.rng.choice(("sides", "king"))
    cell = board.rng.randrange(len(board.squares))
    near = board.near(cell, NEAR[name])
    number = board.rng.randint(0, len(near))
    clues = board.drawing({cell: str(number)})
    text = f'[[count]]\nvalue = {written}\naround = "{name}"\nclues = {clues}\n'
    return text, lambda row: sum(row[other] in chosen for other in near) == number


def _connected(board: _Board) -> Clause:
    chosen, written = board.some()
    is_for_each = board.rng.random() < 0.5
    groups = [(number,) for number in board.numbers] if is_for_each else [chosen]
    around = board.rng.choice(["sides", "king"])

    def holds(row: Row) -> bool:
        return all(
            len(_areas(board, [cell for cell, value in enumerate(row) if value in group], NEAR[around])) < 2
            for group in groups
        )

    value = "" if is_for_each else f"value = {written}\n"
    return f'[[connected]]\naround = "{around}"\n{value}', holds


def _area(board: _Board) -> Clause:
    low = board.rng.randint(1, 3)
    high = low + board.rng.randint(0, 2)

    def holds(row: Row) -> bool:
        return all(
            low <= len(area) <= high
            for number in board.numbers
            for area in _areas(board, [cell for cell, value in enumerate(row) if value == number])
        )

    return f"[[area]]\nsize = [{low}, {high}]\n", holds


def _clued_area(board: _Board) -> Clause:
    """One or two clues of areas of some values, or, without them, of areas of one value."""
    rng = board.rng
    chosen, written = board.some()
    is_for_each = rng.random() < 0.5
    groups = [(number,) for number in board.numbers] if is_for_each else [chosen]
    times, low, high = rng.choice(
        (("once", 1, 1), ("at most once", 0, 1), ("at least once", 1, 2), ("any", 0, 2))
    )
    n_cells = len(board.squares)
    clues = {cell: rng.randint(1, min(n_cells, 5)) for cell in rng.sample(range(n_cells), rng.randint(1, 2))}
    if rng.random() < 0.3:
        clues[min(clues)] = 0  # of any number

    def holds(row: Row) -> bool:
        areas = [
            area
            for group in groups
            for area in _areas(board, [c for c, value in enumerate(row) if value in group])
        ]
        return all(any(cell in area for area in areas) for cell in clues) and all(
            low <= len(clues.keys() & set(area)) <= high
            and all(clues[cell] in (0, len(area)) for cell in clues.keys() & set(area))
            for area in areas
        )

    value = "" if is_for_each else f"value = {written}\n"
    drawn = board.drawing({cell: str(clue or "?") for cell, clue in clues.items()})
    return f'[[area]]\ntimes = "{times}"\nclues = {drawn}\n{value}', holds


def _areas(board: _Board, cells: Iterable[int], steps: Sequence[Square] = SIDES) -> list[list[int]]:
    """The connected parts of some cells."""
    left, found = set(cells), list[list[int]]()
    while left:
        found.append(area := [left.pop()])
        for cell in area:
            near = left.intersection(board.near(cell, steps))
            left -= near
            area += near
    return found


def _avoid(board: _Board) -> Clause:
    """No two cells a step away have one value, or no three in such a line."""
    down, across, length = board.rng.choice(
        ((0, 1, 2), (1, 0, 2), (0, 2, 2), (1, 1, 2), (0, 1, 3), (1, 0, 3))
    )
    marked = {(n * down, n * across) for n in range(length)}
    lines = [
        "".join(".="[(r, c) in marked] for c in range(max(marked)[1] + 1)) for r in range(max(marked)[0] + 1)
    ]
    places = []
    for row, column in product(range(board.extent[0]), range(board.extent[1])):
        place = [board.on(row + r, column + c) for r, c in marked]
        places += [[cell for cell in place if cell is not None]] if None not in place else []
    text = "[[avoid]]\npattern = '''\n" + "\n".join(lines) + "\n'''\n"
    return text, lambda row: all(len({row[cell] for cell in place}) > 1 for place in places)


CLAUSES: tuple[Callable[[_Board], Clause], ...] = (
    _see,
    _see,
    _count,
    _around,
    _connected,
    _area,
    _clued_area,
    _avoid,
)
