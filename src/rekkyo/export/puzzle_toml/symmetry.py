"""`symmetry`: the symmetry up to which the solutions of a file are counted, one item or a list of these.

necklace    the cells, in their order, are a ring that may be turned
bracelet    a ring that may be turned, and turned over
board       the rotations and reflections of the board; `rotations`: without the reflections
shifts      the rows and columns of a rectangle are shifted around, as on a torus
rows        all permutations of the rows of a rectangle; `columns`: of its columns
elements    all permutations of the elements of a relation: row k and column k of a square belong to element k
colors      all exchanges of colours; in a grid `values`
(a b c)     a permutation in cycles: a goes to b, b to c, c to a; cells that it does not name stay. Cycles of
            colours or values may follow: (a d)(b c) colors (R G)

Every permutation must keep the rules of the puzzle. Without this key the symmetry is found in the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, NoReturn, TypeAlias

from rekkyo.catalog.motions import all_products, turns_and_mirrors
from rekkyo.catalog.packing_symmetry import maps_of_cells
from rekkyo.errors import fix_for_name, in_short
from rekkyo.export.puzzle_toml.cells import Cells, full_rectangle
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.model.lattices import SQUARE
from rekkyo.model.lattices.lattice import Matrix
from rekkyo.model.puzzle import SHIFT, Motion
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.permutations import after, is_identity

KEY = "symmetry"
RINGS = ("necklace", "bracelet")
BOARDS = ("board", "rotations")
SHIFTS = "shifts"
ROWS, COLUMNS, ELEMENTS = LINES = ("rows", "columns", "elements")
ON_BOARDS = (*BOARDS, SHIFTS, *LINES)
MOST_NAMED = 1 << 20
"""Elements times atoms of a group beyond which only its generators have names."""

_CYCLE = re.compile(r"\(([^()]*)\)")
_CYCLES = r"(?:\s*\([^()]*\))"

Moved: TypeAlias = Callable[[Sequence[int], Mapping[int, int]], AtomPermutation | None]
"""The permutation of atoms by the place of each cell and the image of values; None if it breaks a rule."""

Move: TypeAlias = tuple[str, bool, AtomPermutation]
"""A name, whether it turns, and the permutation."""


class Declared(NamedTuple):
    """The symmetry of a file. generators, motions: as in `Puzzle`."""

    generators: tuple[AtomPermutation, ...]
    motions: tuple[Motion, ...] | None


@dataclass(frozen=True, slots=True)
class Movable:
    """What a symmetry moves. values: by their texts. word: for exchanges of them, colors or values.

    turned: the values that a map of the board makes of others, as it does of lines in squares; None if one of
    them is missing.
    """

    cells: Cells
    values: Mapping[str, int]
    word: str
    moved: Moved
    turned: Callable[[Matrix], Mapping[int, int] | None] = lambda _matrix: {}

    def motions(self) -> Declared:
        """The rotations and reflections of the board that keep the rules, also if they turn values."""

        def permutation(places: Sequence[int], matrix: Matrix) -> AtomPermutation | None:
            images = self.turned(matrix)
            return None if images is None else self.moved(places, images)

        motions = maps_of_cells(SQUARE, list(self.cells.at), permutation)
        return Declared(tuple(motion.permutation for motion in motions), motions)


def read_symmetry(table: Table, movable: Movable) -> Declared | None:
    """The symmetry that a table declares, if any. Raises BadFile."""
    if KEY not in table:
        return None
    is_list = type(table.data[KEY]) is list
    texts = table.words(KEY) if is_list else [table.text(KEY)]
    if not texts:
        table.refuse_value(KEY, f'"{KEY}" names no symmetry; name one, or leave it out')
    items = [_Item(table, movable, text, (number,) * is_list) for number, text in enumerate(texts)]
    found = [item.read() for item in items]
    generators = dict.fromkeys(generator for one in found for generator in one.generators)
    motions: dict[AtomPermutation, Motion] = {}
    for motion in (motion for one in found for motion in one.motions or ()):
        motions.setdefault(motion.permutation, motion)
    # Permutations that move nothing are a symmetry, too: without motions, one would be looked for.
    has_names = not generators or any(one.motions is not None for one in found)
    return Declared(tuple(generators), tuple(motions.values()) if has_names else None)


class _Item:
    """An item of the list. place: its number, if it is one of a list."""

    def __init__(self, table: Table, movable: Movable, text: str, place: tuple[int, ...]) -> None:
        self.table = table
        self.movable = movable
        self.text = text.strip()
        self.place = place
        self.n_cells = len(movable.cells.numbers)

    def read(self) -> Declared:
        """The symmetry of the item. Raises BadFile."""
        if self.text in RINGS:
            return self._ring()
        if self.text in BOARDS:
            return self._board()
        if self.text == SHIFTS:
            return self._shifts()
        if self.text in LINES:
            return self._lines()
        return self._exchanges() if self.text == self.movable.word else self._cycles()

    def _refuse(self, problem: str) -> NoReturn:
        self.table.refuse_value(KEY, f'"{in_short(self.text, 60)}" {problem}', *self.place)

    def _kept(self, places: Sequence[int], images: Mapping[int, int]) -> AtomPermutation:
        permutation = self.movable.moved(places, images)
        if permutation is None:
            self._refuse("does not keep the rules of the puzzle; change the rules, or leave it out")
        return permutation

    def _ring(self) -> Declared:
        n = self.n_cells
        if all(len({square[axis] for square in self.movable.cells.at}) > 1 for axis in (0, 1)):
            self._refuse(f"is a ring of cells in one line; a board has {', '.join(ON_BOARDS)}")
        turn = self._kept([(cell + 1) % n for cell in range(n)], {})
        identity = tuple(range(len(turn)))
        turns_over = self.text == RINGS[1]
        mirror = self._kept(range(n)[::-1], {}) if turns_over else identity
        moves = turns_and_mirrors(identity, turn, mirror, after, n)
        some = islice(moves, None if 2 * n * len(turn) <= MOST_NAMED else 2)
        return _declared([turn, mirror], (move for move in some if move[1] or turns_over))

    def _board(self) -> Declared:
        if not self.movable.cells.at:
            self._refuse(f"needs a board; cells with names have {', '.join(RINGS)} and cycles")

        def permutation(places: Sequence[int], matrix: Matrix) -> AtomPermutation | None:
            if self.text != BOARDS[0] and matrix not in SQUARE.rotations:
                return None
            images = self.movable.turned(matrix)
            if images is None:
                self._refuse(
                    "turns lines or arrows into others that are no values; add these, or leave it out"
                )
            return self._kept(places, images)

        motions = maps_of_cells(SQUARE, list(self.movable.cells.at), permutation)
        return Declared(tuple(motion.permutation for motion in motions), motions)

    def _shifts(self) -> Declared:
        rows, columns = self._extent()
        squares = [divmod(cell, columns) for cell in range(self.n_cells)]
        down = self._kept([(row + 1) % rows * columns + column for row, column in squares], {})
        right = self._kept([row * columns + (column + 1) % columns for row, column in squares], {})
        moves = [down, right]
        if self.n_cells * len(down) <= MOST_NAMED:
            moves = all_products([tuple(range(len(down)))], moves, after)
        return _declared([down, right], ((SHIFT, True, move) for move in moves))

    def _extent(self) -> tuple[int, int]:
        extent = full_rectangle(self.movable.cells.at) if self.movable.cells.at else None
        if extent is None:
            self._refuse("needs a board that is a whole rectangle")
        return extent

    def _lines(self) -> Declared:
        rows, columns = self._extent()
        if self.text == ELEMENTS and rows != columns:
            self._refuse(f"needs a square board; a rectangle has {ROWS} and {COLUMNS}")
        squares = [divmod(cell, columns) for cell in range(self.n_cells)]
        found = []
        for image in _swap_and_turn(range(columns if self.text == COLUMNS else rows)):
            row_of = {} if self.text == COLUMNS else image
            column_of = {} if self.text == ROWS else image
            places = [
                row_of.get(row, row) * columns + column_of.get(column, column) for row, column in squares
            ]
            found.append(self._kept(places, {}))
        return _generated(found)

    def _exchanges(self) -> Declared:
        values = list(self.movable.values.values())
        return _generated(self._kept(range(self.n_cells), image) for image in _swap_and_turn(values))

    def _cycles(self) -> Declared:
        word = self.movable.word
        found = re.fullmatch(rf"({_CYCLES}*)\s*(?:{word}({_CYCLES}+))?", self.text)
        if found is None or not self.text:
            known = (*RINGS, *ON_BOARDS, word)
            fix = fix_for_name(in_short(self.text), list(known))
            self._refuse(f"is not a symmetry, nor cycles of cells such as (a b c); {fix}")
        cells = self._images(found[1], self.movable.cells.by_any_name, "cell")
        values = self._images(found[2] or "", self.movable.values, word[:-1])
        permutation = self._kept([cells.get(cell, cell) for cell in range(self.n_cells)], values)
        if is_identity(permutation):
            self._refuse("moves nothing; leave it out")
        return Declared((permutation,), None)

    def _images(self, text: str, numbers: Mapping[str, int], what: str) -> dict[int, int]:
        """The image of each number that the cycles of a text name."""
        images: dict[int, int] = {}
        for cycle in _CYCLE.findall(text):
            names = cycle.split()
            for name, image in zip(names, (*names[1:], *names[:1]), strict=True):
                for one in (name, image):
                    if one not in numbers:
                        self._refuse(f'names a {what} "{in_short(one)}", which does not exist')
                if numbers[name] in images:
                    self._refuse(f'names the {what} "{in_short(name)}" twice; name it once')
                images[numbers[name]] = numbers[image]
        return images


def _swap_and_turn(numbers: Sequence[int]) -> list[dict[int, int]]:
    """Two permutations that generate all: the first two exchanged, and each to the place of the next one."""
    return [dict(zip(some, (*some[1:], *some[:1]), strict=True)) for some in (numbers[:2], numbers)]


def _generated(generators: Iterable[AtomPermutation]) -> Declared:
    """The symmetry of some permutations without names."""
    return Declared(tuple(dict.fromkeys(one for one in generators if not is_identity(one))), None)


def _declared(generators: Iterable[AtomPermutation], moves: Iterable[Move]) -> Declared:
    """The symmetry that generators make, with the names of moves; of equal ones the first that turns."""
    in_order = sorted(moves, key=lambda move: not move[1])
    motions: dict[AtomPermutation, Motion] = {}
    for name, turns, permutation in in_order:
        if not is_identity(permutation):
            motions.setdefault(permutation, Motion(name, turns, permutation))
    essential = dict.fromkeys(one for one in generators if not is_identity(one))
    return Declared(tuple(essential), tuple(motions.values()))
