"""Random puzzle files of the kind grid, and what they mean: their clauses by the definitions, nothing of the reader."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.model.puzzle import Puzzle
from tests.fuzz.grid_arrows import ARROWS, arrows
from tests.fuzz.grid_board import Board, Clause, Row, Square
from tests.fuzz.grid_clauses import CLAUSES
from tests.fuzz.grid_strokes import ENDS, SLANTS, strokes
from tests.fuzz.grid_turned import turned
from tests.fuzz.oracle import TooLarge

MOST_FILLINGS = {False: 300, True: 4100}
VALUES = {
    "'01'": ("01", (0, 1)),
    "'-Q'": ("-Q", (0, 1)),
    "[-1, 2]": ("", (-1, 2)),
    "'012'": ("012", (0, 1, 2)),
    "'abc'": ("abc", (0, 1, 2)),
    "'2-a'": ("-a2", (0, 1, 2)),
    "'1..3'": ("123", (1, 2, 3)),
}
"""The text of `values`, their characters by their numbers, and these."""

LINES = (
    "\u2500\u2502\u250c\u2510\u2514\u2518-",
    "\u2514\u250c\u2510\u2518",
    "\u2574\u2576\u2500-",
    "\u252c\u2575-",
    "\u251c\u2524\u2500\u2577\u2575",
    "/\\",
    "/\\-",
    "-\\",
)
"""Characters of values that are lines."""

OF_CLAUSE: dict[Callable[[Board], Clause], str] = {strokes: "".join(ENDS) + SLANTS, arrows: "".join(ARROWS)}
"""The characters that clauses are about."""

POINTED = (
    "\u2192\u2190-",
    "\u2191\u2192\u2193\u2190",
    "\u2191\u2192\u2193\u2190o",
    "\u2193\u2192o",
    "\u2197\u2198\u2199\u2196",
    "\u2198\u2190\u2191",
    "\u2192\u2190\u2576\u2574-",
)
"""Characters of values that are arrows; beside lines, in the last one."""

Move = tuple[tuple[int, ...], dict[int, int]]
"""The place to which each cell goes, and the images of values that do not stay."""

Map = Callable[[int, int], Square]
"""The square to which one goes."""


@dataclass(frozen=True, slots=True)
class GridFile:
    """A file. holds: all its clauses. shown: the cells that are not hidden.

    better: maximize or minimize what is compared, if it says so. moves: generate the symmetry that it declares.
    """

    text: str
    numbers: Row
    n_cells: int
    holds: tuple[Callable[[Row], bool], ...]
    shown: Row
    better: Callable[[Iterable[int]], int] | None
    compared: Callable[[Row], int]
    moves: Sequence[Move]

    def fillings(self) -> set[Row]:
        """The values of the cells that are shown in all solutions."""
        every = product(self.numbers, repeat=self.n_cells)
        found = {row for row in every if all(holds(row) for holds in self.holds)}
        best = self.better(map(self.compared, found)) if self.better and found else None
        return {
            tuple(row[cell] for cell in self.shown) for row in found if best in (None, self.compared(row))
        }

    def orbits(self, rows: set[Row]) -> list[set[Row]]:
        """The rows in orbits of the symmetry that is declared. Nothing is hidden then."""
        left, found = set(rows), list[set[Row]]()
        while left:
            found.append(orbit := {left.pop()})
            newest = list(orbit)
            for row in newest:
                for places, images in self.moves:
                    moved = [0] * len(row)
                    for cell, value in enumerate(row):
                        moved[places[cell]] = images.get(value, value)
                    if tuple(moved) not in orbit:
                        orbit.add(tuple(moved))
                        newest.append(tuple(moved))
            left -= orbit
        return found


def draw_grid(rng: random.Random, is_middle: bool) -> Puzzle:
    """The puzzle of a file. Raises TooLarge for one that the reader refuses, such as three different cells of two values."""
    try:
        return rk.puzzle_from_text(draw_grid_file(rng, is_middle).text)
    except BadFile:
        raise TooLarge from None


def draw_grid_file(rng: random.Random, is_middle: bool) -> GridFile:
    """A rectangle or a torus, with holes, hidden cells or a declared symmetry, one to three clauses, perhaps an objective."""
    drawn, own = rng.random(), CLAUSES
    if drawn < 0.45:
        symbols = rng.choice(LINES if drawn < 0.25 else POINTED)
        values, numbers = f"'{symbols}'", tuple(range(len(symbols)))
        own = [draw for draw in (strokes, arrows) if not set(OF_CLAUSE[draw]).isdisjoint(symbols)]
    else:
        values, (symbols, numbers) = rng.choice(list(VALUES.items()))
    has_points = rng.random() < 0.15
    while True:
        rows, columns = rng.randint(1, 4), rng.randint(1, 5)
        squares = list(product(range(rows), range(columns)))
        if has_points:  # with the edges between them; the other squares are faces
            squares = [(r, c) for r, c in squares if r % 2 == 0 or c % 2 == 0]
        if len(squares) > 1 and len(numbers) ** len(squares) <= MOST_FILLINGS[is_middle]:
            break
    is_torus = not has_points and rng.random() < 0.4
    if not is_torus and not has_points and rng.random() < 0.4:
        squares = _with_holes(rng, squares)
    names = tuple(f"n{number}" for number in range(len(squares))) if rng.random() < 0.3 else ()
    board = Board(rng, (rows, columns), squares, is_torus, symbols, numbers, names)
    clauses = [rng.choice(own)(board)]
    clauses += [rng.choice((*own, *CLAUSES))(board) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    head = f'kind = "grid"\nvalues = {values}\nboard = {board.drawing({})}\n'
    head += "toroidal = true\n" if is_torus else ""
    head += f'names = "{" ".join(names)}"\n' if names else ""
    given: dict[int, int] = {}
    if symbols and rng.random() < 0.2:
        given = {cell: rng.choice(numbers) for cell in rng.choices(range(len(squares)), k=2)}
        marks = {cell: symbols[numbers.index(value)] for cell, value in given.items()}
        head += f"given = {board.drawing(marks)}\n"
    shown, moves = tuple(range(len(squares))), list[Move]()
    if rng.random() < 0.25:
        marked = dict.fromkeys(rng.sample(shown, rng.randint(1, len(shown) - 1)), "x")
        head += f"hidden = {board.drawing(marked)}\n"
        shown = tuple(cell for cell in shown if cell not in marked)
    elif rng.random() < 0.4:
        words = rng.sample(("board", "rotations", *SYMMETRIES), rng.choice((1, 1, 2)))
        head += f"symmetry = {words}\n".replace("'", '"')
        written = "".join(text for text, _ in clauses)
        turning = "".join(symbols for draw, symbols in OF_CLAUSE.items() if f"[[{draw.__name__}]]" in written)
        moves = [move for word in words for move in _moves(board, word, turning)]
    word, better = rng.choice((("maximize", max), ("minimize", min))) if rng.random() < 0.25 else ("", None)
    objective, compared = _compared(board)
    head += f"{word} = {objective}\n" if word else ""
    text = head + "".join(clause for clause, _ in clauses)
    text += "[regions]\n" if board.drawings else ""
    text += "".join(f'"{name}" = {drawing}\n' for name, drawing in board.drawings.items())
    holds = (lambda row: given.items() <= dict(enumerate(row)).items(), *(holds for _, holds in clauses))
    return GridFile(text, numbers, len(squares), holds, shown, better, compared, moves)


def _with_holes(rng: random.Random, squares: list[Square]) -> list[Square]:
    """Without up to three squares, or with all if the board would become smaller."""
    left = sorted(rng.sample(squares, max(2, len(squares) - rng.choice((1, 1, 2, 3)))))
    extents = [[{min(axis), max(axis)} for axis in zip(*some, strict=True)] for some in (left, squares)]
    return left if extents[0] == extents[1] else squares


def _compared(board: Board) -> tuple[str, Callable[[Row], int]]:
    """What an objective compares."""
    cells = board.rng.sample(range(len(board.squares)), min(2, len(board.squares)))
    words = [board.word(cell) for cell in cells]
    chosen, written = board.some()
    kind = board.rng.choice(("sum", "some", "cell", "count"))
    if kind == "count" and board.symbols:
        symbols = written.strip("'")
        return f"'count {symbols}'", lambda row: sum(value in chosen for value in row)
    if kind == "some":
        return f"'sum {' '.join(words)}'", lambda row: sum(row[cell] for cell in cells)
    if kind == "cell":
        return f"'{words[0]}'", lambda row: row[cells[0]]
    return "'sum'", sum


def _moves(board: Board, word: str, turning: str) -> list[Move]:
    """The moves of a symmetry. turning: the characters that turn with the board."""
    if word not in ("board", "rotations"):
        return SYMMETRIES[word](board)
    maps = _board_maps(board, mirrors=word == "board")
    moves = []
    for (places, _), to in zip(_moves_of_squares(board, maps), maps, strict=True):
        images = {}
        for symbol in set(turning).intersection(board.symbols):
            image = turned(symbol, to)
            if image not in board.symbols:
                return []  # the reader refuses this
            images[board.numbers[board.symbols.index(symbol)]] = board.numbers[board.symbols.index(image)]
        moves.append((places, images))
    return moves


def _moves_of_squares(board: Board, maps: Iterable[Map]) -> list[Move]:
    """Those maps that take squares of the board to such squares."""
    images = [[to(*square) for square in board.squares] for to in maps]
    return [
        (tuple(map(list(board.squares).index, image)), {})
        for image in images
        if set(image) == set(board.squares)
    ]


def _board_maps(board: Board, *, mirrors: bool) -> list[Map]:
    """Those that keep the board in its bounding box, which may be turned if it is square."""
    rows, columns = (1 + max(square[axis] for square in board.squares) for axis in (0, 1))
    bottom, right = rows - 1, columns - 1
    turns: list[Map] = [lambda r, c: (bottom - r, right - c)]
    turns += [lambda r, c: (c, bottom - r)] if rows == columns else []
    over: list[Map] = [lambda r, c: (bottom - r, c), lambda r, c: (r, right - c)]
    over += [lambda r, c: (c, r), lambda r, c: (bottom - c, right - r)] if rows == columns else []
    return [to for to in (*turns, *(over if mirrors else ())) if _moves_of_squares(board, [to])]


def _ring(board: Board) -> list[Move]:
    n = len(board.squares)
    return [(tuple((cell + 1) % n for cell in range(n)), {})]


def _bracelet(board: Board) -> list[Move]:
    return [*_ring(board), (tuple(range(len(board.squares)))[::-1], {})]


def _shifts(board: Board) -> list[Move]:
    rows, columns = board.extent
    return _moves_of_squares(board, [lambda r, c: ((r + 1) % rows, c), lambda r, c: (r, (c + 1) % columns)])


def _exchanged(order: Sequence[int], axes: Sequence[int]) -> Callable[[int, int], Square]:
    return lambda r, c: (order[r] if 0 in axes else r, order[c] if 1 in axes else c)


def _lines(axes: Sequence[int]) -> Callable[[Board], list[Move]]:
    def moves(board: Board) -> list[Move]:
        n = board.extent[axes[0]]
        if len(axes) == 2 and n != board.extent[1]:
            return []  # the reader refuses this
        return _moves_of_squares(board, [_exchanged(order, axes) for order in permutations(range(n))])

    return moves


def _value_moves(board: Board) -> list[Move]:
    same = tuple(range(len(board.squares)))
    return [(same, dict(zip(board.numbers, order, strict=True))) for order in permutations(board.numbers)]


SYMMETRIES: dict[str, Callable[[Board], list[Move]]] = {
    "necklace": _ring,
    "bracelet": _bracelet,
    "shifts": _shifts,
    "rows": _lines((0,)),
    "columns": _lines((1,)),
    "elements": _lines((0, 1)),
    "values": _value_moves,
}
