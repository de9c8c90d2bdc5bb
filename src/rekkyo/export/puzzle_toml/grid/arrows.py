"""`[[arrows]]`: the values are arrows, which point at the next cell, as in Roma and in mazes of arrows.

The arrows are those of `model/strokes.py`. Each points at a cell. Other values are no arrows.
leave       true: an arrow may also point off the board
loops       false: the way along the arrows comes to an end from each cell: no arrows lead around a circle
into        how many arrows point at each cell, see `read_numbers` in `times.py`
regions or cells    only the cells at which so many arrows point, see `regions.py`; by default all
"""

from __future__ import annotations

from itertools import chain

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import Counted, add_times
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, read_groups
from rekkyo.export.puzzle_toml.times import read_numbers
from rekkyo.model.csp.constraints import Acyclic, Variable
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
            words = Counted(f"at cell {name} can point", "arrow", INTO)
            add_times(board, table, steps.into[cell], (1,), times, words)
    if not table.flag(LOOPS, True):
        steps.forbid_loops()


class _Steps:
    """The steps along arrows that the cells may have.

    into: for each cell, hidden variables that are 1 if an arrow points at it, if these are counted.
    _links: as in `Acyclic`: (cell, arrow, cell, target) joins a cell with that arrow to its target.
    """

    def __init__(self, board: Board, table: TomlTable, arrows: dict[str, int]) -> None:
        self._board, self._table = board, table
        self.into: list[list[Variable]] = [[] for _ in board.squares]
        self._links: list[tuple[int, int, int, int]] = []
        leave = table.flag(LEAVE, False)
        counted = INTO in table
        for cell, (row, column) in enumerate(board.squares):
            at = {
                number: board.cells.on((row + ARROWS[symbol][0], column + ARROWS[symbol][1]))
                for symbol, number in arrows.items()
            }
            inside = [value for value in board.domains[cell] if leave or at.get(value, cell) is not None]
            if not board.restrict(cell, inside):
                problem = f"each arrow that cell {row},{column} may have leads off the board"
                board.add_never(table, f"{problem}; allow it another value, or write {LEAVE} = true")
            for value, target in at.items():
                if target is not None and value in board.domains[cell]:
                    self._links.append((cell, value, cell, target))
                    if counted:
                        points = {other: int(other == value) for other in board.domains[cell]}
                        self.into[target].append(board.image(table, cell, points))

    def forbid_loops(self) -> None:
        """The steps form no cycle.

        Each cell has one step at most, so that a cycle of links is one of arrows. Without directions fewer
        states differ when they are merged: 184,840 instead of 912,492 for 6x6 arrows, leaving allowed.
        """
        cells = tuple(range(len(self._board.squares)))
        self._board.add(self._table, Acyclic(cells, tuple(self._links)), len(self._links))
