"""`[[arrows]]`: the values are arrows, which point at the next cell, as in Roma and in mazes of arrows.

The arrows are those of `model/strokes.py`. Each points at a cell. Other values are no arrows.
leave       true: an arrow may also point off the board
loops       false: the way along the arrows comes to an end from each cell: no arrows lead around a circle
into        how many arrows point at each cell, see `read_numbers` in `times.py`
regions or cells    only the cells at which so many arrows point, see `regions.py`; by default all
Algorithm: the cells and one point for all ends of ways have one step each from a cell: along its arrow, or to
that point. There is one step less than places, so they form no circle if and only if they are connected.
"""

from __future__ import annotations

from itertools import chain, combinations

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import add_times
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, read_groups
from rekkyo.export.puzzle_toml.times import read_numbers
from rekkyo.model.csp.constraints import Connected, Table, Variable
from rekkyo.model.strokes import ARROWS

LEAVE, LOOPS, INTO = "leave", "loops", "into"
ARROW_KEYS = (LEAVE, LOOPS, INTO, *REGION_KEYS)


def read_arrows(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(ARROW_KEYS)
    arrows = {symbol: number for symbol, number in board.values.number_of.items() if symbol in ARROWS}
    if not arrows:
        table.refuse_table(f"the values have no arrows; take some of {''.join(ARROWS)}")
    if INTO not in table:
        table.refuse_keys(REGION_KEYS, '"{key}" are for "into", the number of arrows; leave it out')
    board.turning.update(arrows)
    steps = _Steps(board, table, arrows)
    if INTO in table:
        times = read_numbers(table, INTO)
        for cell in sorted(set(chain.from_iterable(read_groups(board, table, "board")))):
            name = ",".join(map(str, board.squares[cell]))
            add_times(board, table, steps.into[cell], (1,), times, f"at cell {name} can point", "arrow")
    if not table.flag(LOOPS, True):
        steps.forbid_loops()


class _Steps:
    """Hidden variables: 1 if there is a step from a cell along an arrow.

    into: those to each cell. _of: those from and to each cell. _ends: for the cells where a way can end, 1 if
    it does.
    """

    def __init__(self, board: Board, table: TomlTable, arrows: dict[str, int]) -> None:
        self._board, self._table = board, table
        self.into: list[list[Variable]] = [[] for _ in board.squares]
        self._of: list[list[Variable]] = [[] for _ in board.squares]
        self._ends: list[Variable] = []
        leave = table.flag(LEAVE, False)
        for cell, (row, column) in enumerate(board.squares):
            at = {
                number: board.cells.on((row + ARROWS[symbol][0], column + ARROWS[symbol][1]))
                for symbol, number in arrows.items()
            }
            inside = [value for value in board.domains[cell] if leave or at.get(value, cell) is not None]
            if not board.restrict(cell, inside):
                problem = f"each arrow that cell {row},{column} may have leads off the board"
                table.refuse_unless_member(f"{problem}; allow it another value, or write {LEAVE} = true")
            for value, target in at.items():
                if target is not None and value in board.domains[cell]:
                    step = self._is_one_of(cell, (value,))
                    self.into[target].append(step)
                    for end in {cell, target}:
                        self._of[end].append(step)
            ends = tuple(value for value in board.domains[cell] if at.get(value) is None)
            if ends:
                self._ends.append(self._is_one_of(cell, ends))
                self._of[cell].append(self._ends[-1])

    def _is_one_of(self, cell: Variable, values: tuple[int, ...]) -> Variable:
        """A hidden variable that is 1 if the cell has one of the values."""
        rows = tuple((value, int(value in values)) for value in self._board.domains[cell])
        found = self._board.variable(self._table, tuple(sorted({truth for _, truth in rows})))
        self._board.add(self._table, Table((cell, found), rows), 2 * len(rows))
        return found

    def forbid_loops(self) -> None:
        """Connect all steps at common cells, and those that end a way."""
        end = self._board.variable(self._table, (1,))
        steps = sorted({end, *chain.from_iterable(self._of)})
        place_of = {step: place for place, step in enumerate(steps)}
        meeting = {pair for some in self._of for pair in combinations(sorted(some), 2)}
        meeting.update((min(end, one), max(end, one)) for one in self._ends)
        edges = tuple(sorted((place_of[one], place_of[other]) for one, other in meeting))
        self._board.add(self._table, Connected(tuple(steps), edges, (1,)), len(edges))
