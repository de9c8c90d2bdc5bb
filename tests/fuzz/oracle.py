"""What a model's solutions and orbits are, by brute force alone: `tests/naive*.py` import no search of ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import islice

from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.row import Layout
from rekkyo.model.sum_figure import SumFigure
from tests import naive, naive_coloring, naive_cover, naive_csp, naive_orbits, naive_packing, naive_sums

Row = tuple[int, ...]

MOST_ROWS = 30_000
MOST_SUBSETS = 1 << 14
MOST_GROUP = 1500


class TooLarge(Exception):
    """Brute force would take too long; take a smaller model."""


@singledispatch
def solutions(model: Model) -> list[Row]:
    """All solutions, in no particular order. Raises TooLarge."""
    raise NotImplementedError(type(model))


@solutions.register
def _queens(model: Queens) -> list[Row]:
    return naive.queens_solutions(model.n, model.blocked, model.given, model.toroidal)


@solutions.register
def _cover(model: ExactCover) -> list[Row]:
    if all(pair == (1, 1) for pair in model.bounds):
        return naive_cover.algorithm_x(model)
    if 1 << len(model.options) > MOST_SUBSETS:
        raise TooLarge
    return naive_cover.solutions(model)


def packings_of(model: Packing) -> Iterator[frozenset[naive_packing.Placed]]:
    """All packings of squares, by the definition."""
    return naive_packing.packings(
        model.board,
        [(piece.name, piece.cells, piece.low, piece.high) for piece in model.pieces],
        reflections=model.reflections,
        filled=model.filled,
        given=model.given,
        optional=model.optional,
        only_on={piece.name: piece.only_on for piece in model.pieces if piece.only_on is not None},
        fits={
            piece.name: naive_packing.fitting(dict(piece.colors), dict(model.colors), model.color_pairs)
            for piece in model.pieces
        },
        torus=None if model.torus is None else (model.torus.sides[0], model.torus.sides[1]),
    )


@solutions.register
def _packing(model: Packing) -> list[Row]:
    """Brute force knows squares; which number a placed piece has, the model says."""
    numbers = {(name, frozenset(cells)): number for number, (name, cells) in enumerate(model.placements())}
    sets = list(islice(packings_of(model), MOST_ROWS + 1))
    if len(sets) > MOST_ROWS:
        raise TooLarge
    length, filler = model.row_shape.length, model.row_shape.n_values
    rows = (sorted(numbers[placed] for placed in chosen) for chosen in sets)
    return [(*row, *[filler] * (length - len(row))) for row in rows]


@solutions.register
def _coloring(model: Coloring) -> list[Row]:
    return naive_coloring.solutions(model)


@solutions.register
def _figure(model: SumFigure) -> list[Row]:
    return naive_sums.figure_solutions(
        len(model.cells),
        model.numbers,
        [(line.cells, line.sum) for line in model.lines],
        model.orders,
        model.given,
    )


@solutions.register
def _csp(model: Csp) -> list[Row]:
    return naive_csp.solutions(model)


@dataclass(frozen=True, slots=True)
class Orbits:
    """The orbits of all solutions. order: of the group. stabilizers: of each representative, by its row."""

    order: int
    stabilizers: dict[Row, int]


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What all ways must say about a puzzle."""

    puzzle: Puzzle
    rows: frozenset[Row]
    _orbits: dict[str, Orbits] = field(default_factory=dict)

    @staticmethod
    def about(puzzle: Puzzle) -> Truth:
        """By brute force. Raises TooLarge, also for a symmetry group with too many elements."""
        rows = solutions(puzzle.model)
        if len(rows) > MOST_ROWS:
            raise TooLarge
        assert len(set(rows)) == len(rows)
        return Truth(puzzle, frozenset(rows))

    def orbits(self, up_to: str) -> Orbits:
        """The orbits under the symmetry that words ask for; each row alone for "none". Raises TooLarge."""
        if up_to not in self._orbits:
            self._orbits[up_to] = self._find_orbits(up_to)
        return self._orbits[up_to]

    def wanted(self, up_to: str) -> frozenset[Row]:
        """The rows that a list up to a symmetry holds: the least of each orbit."""
        return self.rows if up_to == "none" else frozenset(self.orbits(up_to).stabilizers)

    def _find_orbits(self, up_to: str) -> Orbits:
        generators = self.puzzle.generators_up_to(up_to) or ()
        shape = self.puzzle.model.row_shape
        order = naive_orbits.group_order(generators, shape.n_atoms, MOST_GROUP)
        if order is None:
            raise TooLarge
        by_option = shape.layout is Layout.BY_OPTION
        found = naive_orbits.orbits(self.rows, generators, shape.n_values, by_option=by_option)
        for orbit in found:
            assert orbit <= self.rows, f"the symmetry takes the solution {min(orbit)} to what is none"
        return Orbits(order, {min(orbit): order // len(orbit) for orbit in found})
