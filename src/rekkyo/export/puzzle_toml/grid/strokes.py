"""`[[strokes]]`: the values are lines in their squares, as in Slant and in puzzles of pipes, tracks, loops.

The characters "/" and a backslash join two corners of their square. Those of boxes, such as in ├─┐, join the
middle of their square with middles of its sides, where the next square continues them. Other values have no
lines. On a torus of one row or column, which is a ring, no line passes the long sides.
connected   true: all lines are connected
loops       false: no lines form a loop
clues       a drawing of the corners of the board, with a line and a column more than the board: a digit is
            the number of lines that end there, "." is no clue
times       how often lines pass the border of each region, with regions or cells; see `read_numbers` in
            `times.py` and `regions.py`
pearls      the board again with the pearls of Masyu, see `pearls.py`
Algorithm: lines form no loop if and only if they separate nothing from the outside of the board. So lines
from side to side form none if all corners are connected across sides that no line passes. Lines between
corners with an odd sum of row and column form none if those with an even sum are connected, and vice versa.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, product

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import TIMES, Counted, add_times
from rekkyo.export.puzzle_toml.grid.pearls import add_pearls
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, Groups, read_groups
from rekkyo.export.puzzle_toml.marks import Square, squares
from rekkyo.export.puzzle_toml.times import Times, read_numbers
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.model.csp.constraints import Clause, Connected, Table, Variable
from rekkyo.model.strokes import DIAGONALS, STROKES
from rekkyo.wording import several

CONNECTED, LOOPS, CLUES, PEARLS = "connected", "loops", "clues", "pearls"
STROKE_KEYS = (CONNECTED, LOOPS, CLUES, PEARLS, TIMES, *REGION_KEYS)
EVEN, ODD, NEITHER = 0, 1, 2


def read_strokes(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(STROKE_KEYS)
    drawn = [symbol for symbol in board.values.symbols if symbol in STROKES]
    slanted = [symbol for symbol in drawn if symbol in DIAGONALS]
    if not drawn or 0 < len(slanted) < len(drawn):
        known = "".join(symbol for symbol in STROKES if symbol not in DIAGONALS)
        table.refuse_table(f'the values have no lines of one kind; take "/" and "\\\\", or some of {known}')
    connected, without_loops = table.flag(CONNECTED, False), not table.flag(LOOPS, True)
    if board.cells.torus and (slanted or without_loops):
        table.refuse_table(
            "where opposite edges are joined, loops and lines to corners are not read; leave it out"
        )
    board.shown.strokes = True
    board.turning.update((symbol, board.values.number_of[symbol]) for symbol in drawn)
    if slanted:
        table.refuse_keys((TIMES, *REGION_KEYS), '"{key}": lines to corners pass no border; leave it out')
        table.refuse_keys((PEARLS,), '"{key}" are for lines from side to side; leave them out')
        _Slanted(board, table).add(connected=connected, without_loops=without_loops)
        return
    table.refuse_keys((CLUES,), '"{key}" are for lines that end at corners, "/" and "\\\\"; leave them out')
    lines = _Straight(board, table)
    lines.add(connected=connected, without_loops=without_loops)
    if PEARLS in table:
        add_pearls(board, table, PEARLS)
    if TIMES in table:
        lines.add_borders(read_groups(board, table), read_numbers(table, TIMES))
    else:
        table.refuse_keys(REGION_KEYS, '"{key}" have borders that lines pass; say how often, as times = 2')


class _Straight:
    """Lines from side to side.

    _sides: 1 if a line passes, for each side between two squares, by its place in half squares.
    """

    def __init__(self, board: Board, table: TomlTable) -> None:
        self._board, self._table = board, table
        self._symbol_of = {number: symbol for symbol, number in board.values.number_of.items()}
        self._sides: dict[Square, Variable] = {}
        self._sides_of: list[dict[Square, Variable]] = [{} for _ in board.squares]
        for cell, (row, column) in enumerate(board.squares):
            for down, across in ((0, 1), (1, 0)):
                other = board.cells.on((row + down, column + across))
                if other is not None and other != cell:
                    side = board.hidden(table, range(2))
                    self._sides[2 * row + 1 + down, 2 * column + 1 + across] = side
                    self._sides_of[cell][1 + down, 1 + across] = side
                    self._sides_of[other][1 - down, 1 - across] = side

    def add(self, *, connected: bool, without_loops: bool) -> None:
        for cell, sides in enumerate(self._sides_of):
            self._add_cell(cell, sides)
        if connected and self._sides:
            places = {side: place for place, side in enumerate(self._sides.values())}
            meeting = [p for sides in self._sides_of for p in combinations(sorted(sides.values()), 2)]
            edges = tuple((places[one], places[other]) for one, other in dict.fromkeys(meeting))
            self._board.add(self._table, Connected(tuple(places), edges, (1,)), len(edges))
        if without_loops:
            self._forbid_loops()

    def add_borders(self, groups: Groups, times: Times) -> None:
        """Lines pass the border of each group so often."""
        words = Counted("the border of a region has", "side")
        for group in groups:
            n_inside = Counter(chain.from_iterable(self._sides_of[cell].values() for cell in group))
            border = [side for side, n in n_inside.items() if n == 1]
            add_times(self._board, self._table, border, (1,), times, words)

    def _add_cell(self, cell: Variable, sides: dict[Square, Variable]) -> None:
        """The lines of a square pass the sides that they end at, of which each has another square."""
        ends = {value: STROKES.get(self._symbol_of[value], ()) for value in self._board.domains[cell]}
        inside = [value for value, at in ends.items() if sides.keys() >= set(at)]
        if not self._board.restrict(cell, inside):
            name = ",".join(map(str, self._board.squares[cell]))
            problem = f"each line that cell {name} may have leads off the board; allow it another value"
            self._board.add_never(self._table, problem)
        for end, side in sides.items():
            rows = tuple((value, int(end in ends[value])) for value in inside)
            self._board.add(self._table, Table((cell, side), rows), 2 * len(rows))

    def _forbid_loops(self) -> None:
        """Corners are connected across sides that no line passes, and around missing squares."""
        corners = _Classes()
        links = []
        for row, column in _with_border(self._board.squares):
            if (row, column) not in self._board.cells.at:
                corners.join(*product((2 * row, 2 * row + 2), (2 * column, 2 * column + 2)))
        for (row, column), side in self._sides.items():
            down, across = row % 2 == 0, column % 2 == 0
            links.append(((row - across, column - down), (row + across, column + down), side))
        _connect(self._board, self._table, corners, links, 0)


class _Slanted:
    """Lines from corner to corner.

    _joins: for each cell, EVEN if its line joins corners whose row and column have an even sum, else ODD or
    NEITHER.
    """

    def __init__(self, board: Board, table: TomlTable) -> None:
        self._board, self._table = board, table
        self._joins: list[Variable] = []
        for cell, (row, column) in enumerate(board.squares):
            falling, rising = ((row + column + n) % 2 for n in (0, 1))
            kinds = {board.values.number_of.get("\\"): falling, board.values.number_of.get("/"): rising}
            images = {value: kinds.get(value, NEITHER) for value in board.domains[cell]}
            self._joins.append(board.image(table, cell, images))

    def add(self, *, connected: bool, without_loops: bool) -> None:
        if connected:
            self._table.refuse(
                CONNECTED, "lines between even corners never meet those between odd ones; leave it out"
            )
        if CLUES in self._table:
            self._clues()
        for parity in (EVEN, ODD) if without_loops else ():
            self._forbid_loops(parity)

    def _clues(self) -> None:
        drawing = self._table.drawing(CLUES)
        n_rows, n_columns = self._board.cells.n_lines + 1, self._board.extent[1] + 1
        if [len(line) for line in drawing.lines()] != [n_columns] * n_rows:
            drawing.refuse_whole(f"the board has {n_rows} lines of {n_columns} corners; draw each of them")
        for (row, column), mark in squares(drawing, MAX_CELLS).items():
            around = [(row - down, column - across) for down, across in product((0, 1), repeat=2)]
            cells = [cell for cell in map(self._board.cells.at.get, around) if cell is not None]
            if mark not in "01234":
                drawing.refuse(row, column, f'"{mark}" is not a clue; write 0 to 4, or "{FREE}" for none')
            if int(mark) > len(cells):
                has = f"a corner of {several(len(cells), 'cell')}"
                drawing.refuse(row, column, f"{mark} lines cannot end at {has}; write at most {len(cells)}")
            joins = [self._joins[cell] for cell in cells]
            add_times(self._board, self._table, joins, ((row + column) % 2,), (int(mark),))
            self._board.shown.corners[row, column] = mark

    def _forbid_loops(self, parity: int) -> None:
        """Corners of a parity are connected, by lines and across squares without any, with the outside."""
        corners = _Classes()
        links: list[tuple[Square, Square, Variable]] = []
        for row, column in _with_border(self._board.squares):
            shift = (row + column + parity) % 2
            one, other = (row, column + shift), (row + 1, column + 1 - shift)
            cell = self._board.cells.at.get((row, column))
            if cell is None:
                corners.join(one, other)
            else:
                links.append((one, other, self._joins[cell]))
        _connect(self._board, self._table, corners, links, parity)


def _with_border(board: Sequence[Square]) -> Iterable[Square]:
    """All squares of the least rectangle around the board, and those around it."""
    rows, columns = (range(min(axis) - 1, max(axis) + 2) for axis in zip(*board, strict=True))
    return product(rows, columns)


class _Classes:
    """Classes of corners that nothing separates; the first corner of a class stands for it."""

    def __init__(self) -> None:
        self._of: dict[Square, Square] = {}

    def first(self, corner: Square) -> Square:
        self._of.setdefault(corner, corner)
        while self._of[corner] != corner:
            self._of[corner] = self._of[self._of[corner]]
            corner = self._of[corner]
        return corner

    def join(self, *corners: Square) -> None:
        first = self.first(corners[0])
        for corner in corners[1:]:
            self._of[self.first(corner)] = first

    def all(self) -> list[Square]:
        return [corner for corner in self._of if self.first(corner) == corner]


def _connect(
    board: Board,
    table: TomlTable,
    corners: _Classes,
    links: Iterable[tuple[Square, Square, Variable]],
    there: int,
) -> None:
    """Add constraints: the classes of corners are connected by the links with the value `there` or NEITHER.

    No hidden variables stand for the classes: a search for symmetry would not know which is which.
    """
    ends = [({corners.first(one), corners.first(other)}, link) for one, other, link in links]
    joining = [(classes, link) for classes, link in ends if len(classes) > 1]
    links_of: dict[Square, list[int]] = {corner: [] for corner in corners.all()}
    if len(links_of) == 1:
        return
    for place, (classes, _) in enumerate(joining):
        for corner in classes:
            links_of[corner].append(place)
    for places in dict.fromkeys(map(tuple, links_of.values())):
        some = ((joining[place][1], value, True) for place in places for value in (there, NEITHER))
        board.add(table, Clause(tuple(some)))
    edges = tuple(sorted({pair for places in links_of.values() for pair in combinations(places, 2)}))
    variables = tuple(link for _, link in joining)
    board.add(table, Connected(variables, edges, (there, NEITHER)), len(edges))
