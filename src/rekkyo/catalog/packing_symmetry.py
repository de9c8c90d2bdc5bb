"""Symmetries of a packing, as permutations of its placements.

Every orthogonal map of the lattice that takes the board, its colours, and the cells that may stay empty to
themselves, and every placement to a placement, is a symmetry: of the same piece, or of another piece of the
same shape, colours and bounds, such as a mirror twin. So a reflection counts when pieces may be turned over,
and also when they may not but each is its own mirror image or has its twin among the pieces, as in the Soma
cube. Where a placement has no image, the map is left out.
Left out on purpose: exchanges of pieces with the same shape, unless requested (`exchanges`); copies of one
piece need none, because they are identical.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from rekkyo.catalog.motions import all_products, point_motions
from rekkyo.model.cell_colors import ColoredShape, colored, colored_orientations
from rekkyo.model.lattices.lattice import Cell, Lattice, Matrix, added, applied
from rekkyo.model.lattices.shapes import Shape
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import FurtherSymmetry, Motion
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.permutations import after

Move: TypeAlias = dict[Cell, Cell]
"""The image of each cell of the board."""

PieceMap: TypeAlias = dict[str, str]
"""The piece that each piece is replaced by."""

PlacementNumbers: TypeAlias = dict[tuple[str, Shape], int]
"""The number of each placement: the name of its piece, its cells."""


def motions(packing: Packing) -> tuple[Motion, ...]:
    """All symmetries of the board but the identity."""
    numbers = _numbers(packing)
    turned = {piece.name: piece.name for piece in packing.pieces}
    mirrored = turned if packing.reflections else _mirror_twins(packing)

    def permutation_of(matrix: Matrix) -> AtomPermutation | None:
        pieces = turned if matrix in packing.lattice.rotations else mirrored
        return None if pieces is None else _permutation(packing, numbers, pieces, matrix)

    return point_motions(packing.lattice, permutation_of)


def essential(moves: Iterable[Motion], n_atoms: int) -> tuple[AtomPermutation, ...]:
    """The permutations that are not products of those before them."""
    found: list[AtomPermutation] = []
    group = [tuple(range(n_atoms))]
    for motion in moves:
        if motion.permutation not in group:
            found.append(motion.permutation)
            group = all_products(group, found, after)
    return tuple(found)


def exchanges(packing: Packing) -> tuple[AtomPermutation, ...]:
    """Generators that exchange two pieces with the same shape and bounds wherever they are."""
    classes: dict[object, list[Piece]] = {}
    for piece in packing.pieces:
        kind = (packing.colored_orientations(piece), piece.low, piece.high, piece.only_on)
        classes.setdefault(kind, []).append(piece)
    if len(classes) == len(packing.pieces):
        return ()
    numbers = _numbers(packing)
    found = []
    for alike in classes.values():
        for one, other in pairwise(alike):
            names = {one.name: other.name, other.name: one.name}
            images = (numbers.get((names.get(name, name), cells)) for name, cells in packing.placements())
            permutation = tuple(image for image in images if image is not None)
            if permutation and len(permutation) == len(numbers):
                found.append(permutation)
    return tuple(found)


def exchange_symmetry(packing: Packing) -> tuple[FurtherSymmetry, ...]:
    """The exchanges of equal pieces as a further symmetry; none when no two are equal."""
    generators = exchanges(packing)
    meaning = "pieces of the same shape exchanged with each other"
    return (FurtherSymmetry("exchange-pieces", meaning, generators),) if generators else ()


def _permutation(
    packing: Packing, numbers: PlacementNumbers, pieces: PieceMap, matrix: Matrix
) -> AtomPermutation | None:
    """The permutation of placements by an orthogonal map; None if the map is not a symmetry."""
    move = move_of_board(packing.lattice, packing.board, matrix)
    must = packing.must_be_covered
    if move is None or {move[cell] for cell in must} != must:
        return None
    # A motion that exchanges colours of the board would leave the pieces on colours that do not fit.
    colors = packing.colors if any(piece.colors for piece in packing.pieces) else frozenset()
    if {(move[cell], color) for cell, color in colors} != colors:
        return None
    images = []
    for name, cells in packing.placements():
        image = numbers.get((pieces[name], tuple(sorted([move[cell] for cell in cells]))))
        if image is None:
            return None
        images.append(image)
    given = {(pieces[name], frozenset(map(move.__getitem__, cells))) for name, cells in packing.given}
    return (tuple(images) or (0,)) if given == packing.given else None


def _numbers(packing: Packing) -> PlacementNumbers:
    return {(name, cells): number for number, (name, cells) in enumerate(packing.placements())}


def move_of_board(lattice: Lattice, board: Collection[Cell], matrix: Matrix) -> Move | None:
    """The map, followed by the translation that brings the board back to where it was, if there is one."""
    images = {cell: applied(matrix, cell) for cell in board}
    back = [now - then for now, then in zip(min(board), min(images.values()), strict=True)]
    if any(part % lattice.step for part in back):
        return None
    move = {cell: added(image, back) for cell, image in images.items()}
    return move if set(move.values()) == set(board) else None


def motions_of_cells(
    lattice: Lattice, cells: Sequence[Cell], permutation_of: Callable[[Sequence[int]], AtomPermutation | None]
) -> tuple[Motion, ...]:
    """The rotations and reflections of some cells, each once.

    permutation_of: of atoms, from the place in the list that each cell goes to; None: not a symmetry.
    """
    place_of = {cell: place for place, cell in enumerate(cells)}

    def permutation(matrix: Matrix) -> AtomPermutation | None:
        move = move_of_board(lattice, frozenset(cells), matrix)
        return None if move is None else permutation_of([place_of[move[cell]] for cell in cells])

    return point_motions(lattice, permutation)


def _mirror_twins(packing: Packing) -> PieceMap | None:
    """Map each piece to itself if its mirror image is one of its rotations, else to a free mirror twin.

    Every reflection takes a piece to the same shape up to a rotation.
    """
    mirror = packing.lattice.reflections[0]
    shapes = {piece: packing.colored_orientations(piece) for piece in packing.pieces}
    images = {piece: _orientations_of_image(packing, piece, mirror) for piece in packing.pieces}
    pieces = {piece.name: piece.name for piece in packing.pieces if shapes[piece] == images[piece]}
    free = [piece for piece in packing.pieces if piece.name not in pieces]
    for piece in tuple(free):
        bounds = (piece.low, piece.high)
        twins = [p for p in free if shapes[p] == images[piece] and (p.low, p.high) == bounds]
        if not twins:
            return None
        pieces[piece.name] = twins[0].name
        free.remove(twins[0])
    return pieces


def _orientations_of_image(packing: Packing, piece: Piece, matrix: Matrix) -> tuple[ColoredShape, ...]:
    cells = colored(piece.cells, piece.colors)
    moved = {applied(matrix, cell): color for cell, color in cells.items()}
    return colored_orientations(packing.lattice, moved, reflections=packing.reflections)
