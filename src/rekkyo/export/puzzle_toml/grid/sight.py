"""`[[see]]`: each cell sees, by the moves of a chess piece, cells with a value.

value               a value, or several
plus                instead of value: a cell with the value v sees v + plus, if that is a value
moves               queen, rook, bishop, king or knight, or one step to the four sides or corners; lines end
                    at the edge and where the board has no cell
itself              whether a cell sees itself; true by default
stop                a value, or several: a line of a queen, rook or bishop ends at the first cell with one of
                    these, which is still seen; a cell that sees itself and has one of them sees nothing else
times               the number of seen cells with the value: 2, [1, 3] for one to three, "odd" and others
                    of `times.py`, or "value", as many as the value of the cell that sees; by default one or
                    more
clues               instead of times: the board again; only cells with a clue see, and the clue is the number:
                    0 to 9, then a to z for 10 and more
from                a value, or several: only cells with these see; by default all
regions or cells    only these cells see, see `regions.py`; by default all
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, product
from typing import NamedTuple

from rekkyo.export.puzzle_toml.document import LARGEST, Table
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import SIDES, STEPS_AROUND, Counted, add_times, read_value
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, read_groups
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.export.puzzle_toml.times import ANY_TIMES, Times, read_numbers, up_to
from rekkyo.model.csp.constraints import Clause, Count, Diagram, Linear, Literal, Variable
from rekkyo.model.puzzle import SYMBOLS
from rekkyo.wording import several

VALUE, PLUS, STOP, TIMES, CLUES = "value", "plus", "stop", "times", "clues"
SEE_KEYS = (VALUE, PLUS, "moves", "itself", STOP, TIMES, CLUES, "from", *REGION_KEYS)


class Moves(NamedTuple):
    """steps: of one move. is_far: whether a move continues in its direction as long as there are cells."""

    steps: tuple[Square, ...]
    is_far: bool


_AROUND, _STRAIGHT = STEPS_AROUND["king"], STEPS_AROUND[SIDES]
_DIAGONAL = tuple(step for step in _AROUND if 0 not in step)
_LEAPS = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
MOVES: Mapping[str, Moves] = {
    "queen": Moves(_AROUND, True),
    "rook": Moves(_STRAIGHT, True),
    "bishop": Moves(_DIAGONAL, True),
    "king": Moves(_AROUND, False),
    "knight": Moves(_LEAPS, False),
    SIDES: Moves(_STRAIGHT, False),
    "corners": Moves(_DIAGONAL, False),
}
NUMBERS = "0" + SYMBOLS
AT_LEAST_ONE, NONE = ANY_TIMES[1:], range(1)


class _Sight(NamedTuple):
    """What cells see. stops: the values at which a line ends; empty if none ends it."""

    board: Board
    table: Table
    moves: Moves
    itself: bool
    stops: tuple[int, ...]

    def seen(self, cell: Variable) -> list[Variable]:
        """The cells that a cell sees if no line is stopped."""
        others = dict.fromkeys(chain.from_iterable(self._lines(cell)))  # on a torus, lines may meet
        return [*([cell] if self.itself else []), *others]

    def add(self, cell: Variable, values: tuple[int, ...], times: Times) -> None:
        """Add constraints: a cell sees so many cells with one of the values."""
        seen = self.seen(cell)
        if self.stops and times[0] <= len(seen):
            self._number(cell, values, up_to(len(seen), times))
        elif seen and times == AT_LEAST_ONE:
            self.board.add(self.table, Clause(_some(seen, values)))
        else:
            name = ",".join(map(str, self.board.squares[cell]))
            add_times(self.board, self.table, seen, values, times, Counted(f"cell {name} sees"))

    def add_if(
        self, cell: Variable, seeing: Iterable[int], values: tuple[int, ...], times: Times | None
    ) -> None:
        """Add constraints: with any of the values `seeing`, a cell sees so many cells with one of `values`.

        times: None for as many as the value of the cell that sees.
        """
        seen = self.seen(cell)
        some = _some(seen, values)
        if self.stops or times != AT_LEAST_ONE:
            number = self._number(cell, values, range(len(seen) + 1))
        for value in seeing:
            if self.stops or times != AT_LEAST_ONE:
                numbers = (value,) if times is None else times
                some = tuple((number, n, True) for n in up_to(len(seen), numbers))
            self.board.add(self.table, Clause(((cell, value, False), *some)))

    def add_none(self, cell: Variable, seeing: Iterable[int], values: tuple[int, ...]) -> None:
        """Add clauses: with any of the values `seeing`, by default always, a cell sees none of `values`.

        They are searched ten times as fast as numbers of cells on lines, which would be 0.
        """
        own = [cell] if self.itself else []
        sights: list[tuple[list[Variable], Variable]] = [([], one) for one in own]
        sights += [
            ([*own, *line[:place]], end) for line in self._lines(cell) for place, end in enumerate(line)
        ]
        for passed, end in sights:
            stopped = [(one, stop, True) for one in passed for stop in self.stops]
            for unless, value in product([[(cell, v, False)] for v in seeing] or [[]], values):
                self.board.add(self.table, Clause((*unless, *stopped, (end, value, False))))

    def _number(self, cell: Variable, values: tuple[int, ...], numbers: Sequence[int]) -> Variable:
        """A hidden variable with one of the numbers: how many cells with one of the values a cell sees."""
        total = self.board.hidden(self.table, numbers)
        if not self.stops:
            self.board.add(self.table, Count(tuple(self.seen(cell)), values, total))
            return total
        parts = [self._number_on(cell, line, values) for line in self._lines(cell)]
        if self.itself:
            parts.append(self.board.hidden(self.table, range(2)))
            self.board.add(self.table, Count((cell,), values, parts[-1]))
        self.board.add(self.table, Linear((*[1] * len(parts), -1), (*parts, total), "=", 0))
        return total

    def _number_on(self, start: Variable, line: list[Variable], values: tuple[int, ...]) -> Variable:
        """A hidden variable: how many cells with one of the values are on a line from a cell, up to its end.

        A node of the diagram is 2n after n such cells, and 2n + 1 if the line has ended after them.
        """
        domains = self.board.domains
        layers = [tuple((0, value, int(self.itself and value in self.stops)) for value in domains[start])]
        for cell in line:
            nodes = sorted({end for _, _, end in layers[-1]})
            edges = product(nodes, domains[cell])
            layers.append(tuple((node, value, self._after(node, value, values)) for node, value in edges))
        nodes = sorted({end for _, _, end in layers[-1]})
        layers.append(tuple((node, node // 2, 0) for node in nodes))
        number = self.board.hidden(self.table, range(len(line) + 1))
        self.board.add(self.table, Diagram((start, *line, number), tuple(layers)), sum(map(len, layers)))
        return number

    def _after(self, node: int, value: int, values: tuple[int, ...]) -> int:
        """The node after a cell with a value; values: those that count."""
        return node if node % 2 else node + 2 * (value in values) + (value in self.stops)

    def _lines(self, cell: Variable) -> Iterator[list[Variable]]:
        """The other cells that a cell sees: those in each direction, the nearest first."""
        row, column = self.board.squares[cell]
        for down, across in self.moves.steps:
            line: list[Variable] = []
            for n in count(1) if self.moves.is_far else [1]:
                following = self.board.cells.on((row + n * down, column + n * across))
                if following is None or following == cell:  # a line around a torus comes back
                    break
                line.append(following)
            if line:
                yield line


def read_see(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(SEE_KEYS)
    seen_from = _seen_from(board, table)
    sight = _sight(board, table)
    for cell, times in _times_of_cells(sight).items():
        for values in dict.fromkeys(seen_from.values()):
            seeing = [value for value in seen_from if value is not None and seen_from[value] == values]
            if sight.stops and times == NONE:
                sight.add_none(cell, seeing, values)
            elif times is None or seeing:
                sight.add_if(cell, seeing, values, times)
            else:
                sight.add(cell, values, times)


def _sight(board: Board, table: Table) -> _Sight:
    if "moves" not in table:
        table.refuse_table(f'"moves" is missing; write moves = "queen", or another of {", ".join(MOVES)}')
    moves = MOVES[table.choice("moves", list(MOVES))]
    if STOP in table and not moves.is_far:
        table.refuse(STOP, '"stop" ends the lines of a queen, rook or bishop; leave it out')
    if STOP in table and board.cells.torus:
        table.refuse(STOP, "where opposite edges are joined, a cell is seen from two sides; leave it out")
    stops = board.values.read(table, STOP) if STOP in table else ()
    return _Sight(board, table, moves, table.flag("itself", True), stops)


def _times_of_cells(sight: _Sight) -> dict[Variable, Times | None]:
    """How many cells with the value each cell sees that sees at all; None: as many as its own value."""
    board, table = sight.board, sight.table
    if CLUES in table:
        table.refuse_keys((TIMES, *REGION_KEYS), '"clues" say which cells see how many; leave "{key}" out')
        return _clues(sight)
    times: Times | None = AT_LEAST_ONE
    if TIMES in table:
        times = None if table.data[TIMES] == VALUE else read_numbers(table, TIMES)
    return dict.fromkeys(sorted(set(chain.from_iterable(read_groups(board, table, "board")))), times)


def _clues(sight: _Sight) -> dict[Variable, Times | None]:
    drawing = sight.table.drawing(CLUES)
    found: dict[Variable, Times | None] = {}
    for cell, mark, square in sight.board.cells.marked(drawing):
        if mark not in NUMBERS:
            drawing.refuse(*square, f'"{mark}" is not a clue; write 0 to 9, a for 10, or "{FREE}"')
        number, most = NUMBERS.index(mark), len(sight.seen(cell))
        if number > most:
            drawing.refuse(*square, f"{several(number, 'cell')}, but this one sees only {most}")
        found[cell] = range(number, number + 1)
        sight.board.shown.label(cell, str(number))
    return found


def _seen_from(board: Board, table: Table) -> dict[int | None, tuple[int, ...]]:
    """The values that a cell sees, by the value of that cell; None: whatever its value."""
    seeing = board.values.read(table, "from") if "from" in table else None
    numbers = board.values.numbers
    if PLUS not in table:
        every = numbers if table.data.get(TIMES) == VALUE else [None]
        return dict.fromkeys(seeing or every, read_value(board, table))
    if VALUE in table:
        table.refuse(PLUS, '"value" and "plus" both say which values are seen; leave one out')
    plus = table.whole(PLUS, -LARGEST, LARGEST)
    found: dict[int | None, tuple[int, ...]] = {}
    for value in seeing or numbers:
        if value + plus in numbers:
            found[value] = (value + plus,)
    if not found:
        seeing_ones = "no value" if seeing is None else 'no value of "from"'
        problem = f"{seeing_ones} plus {plus} is a value; the values are {board.values.written()}"
        table.refuse_unless_member(problem, PLUS)
    return found


def _some(cells: Iterable[Variable], values: Iterable[int]) -> tuple[Literal, ...]:
    """Literals of which one is true if a cell has one of the values."""
    return tuple((cell, value, True) for cell in cells for value in values)
