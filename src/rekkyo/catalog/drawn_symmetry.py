"""The rotations and reflections of drawn boards that keep sum figures and tiles.

Figures: the characters of a drawing do not say how far its lines are apart. Cells exactly above each other
are read as squares. Cells shifted by half their distance from line to line are read as hexagons, or as
squares that stand on a corner; the reading with more symmetry is taken.
Tiles: a motion takes a tile to itself, or to a tile with the colours of its image, such as a mirror twin.
Left out on purpose: drawings that are on neither lattice, such as stars with five points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import gcd

from rekkyo.catalog.figures import Move, atoms_of, constraints_after, identity
from rekkyo.catalog.motions import point_motions
from rekkyo.catalog.packing_symmetry import motions_of_cells, move_of_board
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import HEXAGON, SQUARE, Cell, Lattice
from rekkyo.model.lattices.lattice import Matrix, applied
from rekkyo.model.lattices.sides import around
from rekkyo.model.picture import Places
from rekkyo.model.puzzle import Motion
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import SumFigure
from rekkyo.model.tile_board import TileBoard
from rekkyo.symmetry.model_graphs import has_complement


@dataclass(frozen=True, slots=True)
class FigureMotions:
    """The motions of a figure's drawing. complement: one that also complements all numbers, if there is one.

    The products of `complement` and the motions are all that complement the numbers.
    """

    motions: tuple[Motion, ...]
    complement: AtomPermutation | None


def figure_motions(model: SumFigure, drawn: Places) -> FigureMotions | None:
    """The motions of the drawing that keep the figure; None if the drawing is on no lattice."""
    found = [_on_lattice(model, lattice, cells) for lattice, cells in _readings(drawn.of_cells)]
    return max(found, key=lambda one: len(one.motions), default=None)


def _on_lattice(model: SumFigure, lattice: Lattice, cells: Sequence[Cell]) -> FigureMotions:
    before = constraints_after(model, identity(model))

    def permutation(complemented: bool, places: Sequence[int]) -> AtomPermutation | None:
        move = Move(tuple(places), complemented)
        return atoms_of(model, move) if constraints_after(model, move) == before else None

    complement = None
    if has_complement(model):
        moved = motions_of_cells(lattice, cells, partial(permutation, True))
        complement = permutation(True, range(len(cells))) or next(
            (motion.permutation for motion in moved), None
        )
    return FigureMotions(motions_of_cells(lattice, cells, partial(permutation, False)), complement)


def _readings(places: Sequence[tuple[int, int]]) -> Iterator[tuple[Lattice, list[Cell]]]:
    """The lattices that the places of a drawing may be on, and the cells there."""
    top, left = (min(place[axis] for place in places) for axis in (0, 1))
    down = gcd(*(line - top for line, _ in places)) or 1
    cells = [((line - top) // down, column - left) for line, column in places]
    steps = [b[1] - a[1] for a, b in pairwise(sorted(cells)) if a[0] == b[0]]
    across = min(steps) if steps else gcd(*(column for _, column in cells)) or 1
    if all(column % across == 0 for _, column in cells):
        yield SQUARE, [(row, column // across) for row, column in cells]
    halves: list[Cell] = [(row, 2 * column // across) for row, column in cells if 2 * column % across == 0]
    if len(halves) == len(cells) and len({(row + half) % 2 for row, half in halves}) == 1:
        yield SQUARE, halves
        yield HEXAGON, [(row, (half - row) // 2) for row, half in halves]


def tile_motions(model: ExactCover, board: TileBoard) -> tuple[Motion, ...] | None:
    """The motions of a board of tiles that take every placement of a tile to a placement.

    None if two tiles lie the same way.
    """
    lattice, cells = board.lattice, board.cells
    place_of = {cell: place for place, cell in enumerate(cells)}
    number_of = {(laid.cell, laid.colors): number for number, laid in enumerate(board.laid)}
    if len(number_of) < len(board.laid):
        return None

    def permutation(matrix: Matrix) -> AtomPermutation | None:
        move = move_of_board(lattice, frozenset(cells), matrix)
        if move is None:
            return None
        places = [place_of[move[cell]] for cell in cells]
        sources = [_sides_before(lattice, matrix, cell, move[cell]) for cell in cells]
        images = []
        item_of = dict(enumerate(places))
        for laid in board.laid:
            colors = tuple([laid.colors[side] for side in sources[laid.cell]])
            image = number_of.get((places[laid.cell], colors))
            if image is None:
                return None
            tile = len(cells) + board.laid[image].tile
            if item_of.setdefault(len(cells) + laid.tile, tile) != tile:
                return None
            images.append(image)
        are_kept = [model.bounds_of(item) == model.bounds_of(image) for item, image in item_of.items()]
        return tuple(images) if all(are_kept) and len(set(item_of.values())) == len(item_of) else None

    return point_motions(lattice, permutation)


def _sides_before(lattice: Lattice, matrix: Matrix, cell: Cell, moved: Cell) -> list[int]:
    """For each side of the moved cell the side of the cell that goes there."""
    images = [applied(matrix, vector) for vector in around(lattice, cell)]
    return [images.index(vector) for vector in around(lattice, moved)]
