"""Three ways to colour cells: all colourings, cell by cell with checks, fewest colours first.

A set of cells that must not have one colour is a forbidden pattern for each colour. For each pattern the
board counts the cells that agree and those that do not; a colour is excluded if it would complete a pattern.
"""

from __future__ import annotations

from rekkyo.methods.walks.walk import FOUND, Move, Moves, Way
from rekkyo.model.coloring import COLOR_SYMBOLS, Cell, Color, Coloring, Pattern


class _Board:
    """The colours so far. agree, differ: for each pattern, how many cells have its colour, or another."""

    def __init__(self, model: Coloring) -> None:
        self.model = model
        self.n_colors = model.n_colors
        self.patterns: list[Pattern] = list(model.patterns) + [
            tuple((cell, color) for cell in cells) for cells in model.sets for color in range(model.n_colors)
        ]
        self.of_cell: list[list[tuple[int, Color]]] = [[] for _ in range(model.n_cells)]
        for number, pattern in enumerate(self.patterns):
            for cell, color in pattern:
                self.of_cell[cell].append((number, color))
        self.agree = [0] * len(self.patterns)
        self.differ = [0] * len(self.patterns)
        self.colors: list[Color | None] = [None] * model.n_cells
        self.times = [0] * model.n_colors
        self.fixed = dict(model.fixed)

    def put(self, cell: Cell, color: Color, by: int = 1) -> None:
        """Colour a cell; by = -1 takes the colour off again."""
        self.colors[cell] = color if by == 1 else None
        self.times[color] += by
        for number, wanted in self.of_cell[cell]:
            if wanted == color:
                self.agree[number] += by
            else:
                self.differ[number] += by

    def possible(self, cell: Cell) -> list[Color]:
        """The colours to try: one if it is given."""
        return [self.fixed[cell]] if cell in self.fixed else list(range(self.n_colors))

    def objection(self, cell: Cell, color: Color) -> Move | None:
        """Why a cell cannot have a colour, or None."""
        if self.model.bounds and self.times[color] >= self.model.bounds[color][1]:
            return Move("clash", self.atom(cell, color), words="is one too many of its colour")
        for number, wanted in self.of_cell[cell]:
            pattern = self.patterns[number]
            if wanted == color and self.agree[number] == len(pattern) - 1 and not self.differ[number]:
                because = tuple(self.atom(*other) for other in pattern if other[0] != cell)
                return Move("clash", self.atom(cell, color), because, "would complete what is forbidden")
        return None

    def atom(self, cell: Cell, color: Color) -> int:
        return cell * self.n_colors + color

    def verdict(self) -> Move:
        """The move for a full board: found or reject."""
        for color, (low, high) in enumerate(self.model.bounds):
            if not low <= self.times[color] <= high:
                how = "few" if self.times[color] < low else "many"
                return Move("reject", words=f"Rejected: too {how} cells have colour {COLOR_SYMBOLS[color]}.")
        for number, pattern in enumerate(self.patterns):
            if self.agree[number] == len(pattern):
                because = tuple(self.atom(*cell) for cell in pattern)
                return Move("reject", because=because, words="Rejected: these cells are forbidden.")
        return FOUND


def _walk(model: Coloring, *, checks: bool = True, fewest_first: bool = False) -> Moves:
    """checks: whether a colour that completes a forbidden pattern is rejected immediately."""
    board = _Board(model)

    def search(n_left: int) -> Moves:
        if n_left == 0:
            yield board.verdict()
            return
        open_cells = (cell for cell, color in enumerate(board.colors) if color is None)
        if fewest_first:
            cell, colors = min(
                ((cell, _allowed(board, cell)) for cell in open_cells),
                key=lambda choice: (len(choice[1]), choice[0]),
            )
            if not colors:
                yield Move("stuck", at=cell)
        else:
            cell = next(open_cells)
            colors = board.possible(cell)
        for color in colors:
            objection = board.objection(cell, color) if checks else None
            if objection is not None:
                yield objection
                continue
            board.put(cell, color)
            if not (yield Move("place", board.atom(cell, color))):
                yield from search(n_left - 1)
            board.put(cell, color, -1)
            yield Move("lift", board.atom(cell, color))

    return search(model.n_cells)


def _allowed(board: _Board, cell: Cell) -> list[Color]:
    return [color for color in board.possible(cell) if board.objection(cell, color) is None]


COLORING_WAYS = (
    Way(
        "brute-force",
        "Brute force",
        "Colours every cell in every way, and checks a board only when it is complete.",
        lambda model: _walk(model, checks=False),
    ),
    Way(
        "cell-by-cell",
        "Cell by cell",
        "Takes the cells in order, and rejects a colour that completes a forbidden pattern.",
        _walk,
    ),
    Way(
        "fewest-colors",
        "Fewest colours first",
        "Always colours the cell with the fewest colours left, and goes back when a cell has none.",
        lambda model: _walk(model, fewest_first=True),
    ),
)
