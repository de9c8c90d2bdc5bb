"""Solutions of the digits puzzle in the notation of its source.

A line such as `0=(0,8,1,1) 1=(0,4,0,1) …` gives for each piece the block of its upper left corner (x, y), 0
upright or 1 lying, and how it is turned (see `rekkyo.catalog.digits.Position`). All ways to write a placement
of a symmetric piece are read; the first one is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.catalog.digits import Position, blocks_to_a_unit, cells_of, read_position, ways_to_write, written
from rekkyo.errors import BadInput, BadSolution
from rekkyo.model.lattices.shapes import at_home
from rekkyo.model.packing import Packing
from rekkyo.model.packing_cover import Placement
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row


def has_notation(puzzle: Puzzle) -> bool:
    """Whether solutions of a puzzle can be written in this notation."""
    return puzzle.name.split()[:1] == ["digits"] and isinstance(puzzle.model, Packing)


class DigitsNotation:
    """Writes and reads any number of solutions of one digits puzzle. Raises BadInput for another puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        model = puzzle.model
        if not has_notation(puzzle) or not isinstance(model, Packing):
            raise BadInput(f"{puzzle.name} is not the digits puzzle; only that one has this notation")
        self._name = puzzle.name
        self._model = model
        self._ways = ways_to_write(model)
        self._placements = model.placements()
        self._numbers = {placement: number for number, placement in enumerate(self._placements)}

    def write(self, row: Sequence[int]) -> str:
        """The solution in one line."""
        positions = sorted(self._position(self._placements[number]) for number in row)
        return " ".join(map(written, positions))

    def read(self, text: str) -> Row:
        """The row of a solution. Raises BadSolution."""
        return tuple(sorted(self._number(word) for word in text.split()))

    def _position(self, placement: Placement) -> Position:
        lattice, unit = self._model.lattice, blocks_to_a_unit(self._model)
        y, x = (min(axis) // lattice.step / unit for axis in zip(*placement.cells, strict=True))
        digit = int(placement.piece)
        way = self._ways[digit, at_home(lattice, placement.cells)]
        return Position(digit, x - way.first_x, y - way.first_y, way.lying, way.turned)

    def _number(self, word: str) -> int:
        try:
            position = read_position(word)
            placement = Placement(str(position.digit), cells_of(self._model, position))
        except BadInput as problem:
            raise BadSolution(str(problem)) from None
        if placement not in self._numbers:
            raise BadSolution(f"{written(position)} is not among the placements of {self._name}")
        return self._numbers[placement]
