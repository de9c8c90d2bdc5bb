"""Symmetries of a packing, as permutations of its placements.

An orthogonal map of the lattice is a symmetry if it takes the board, its colours, and the cells that may stay
empty to themselves, and every placement of a piece to a placement of the same piece, or of another piece of
the same shape, colours and bounds, such as a mirror twin. So a reflection counts when pieces may be turned
over, and also when they may not but each is its own mirror image or has its twin among the pieces, as in the
Soma cube.
On a torus an orthogonal map may also be a symmetry together with a shift, and shifts alone are symmetries.
Exchanges of pieces with the same shape are separate (`exchanges`); copies of one piece need none, because
they are identical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import mod, neg
from typing import NamedTuple, TypeAlias

from rekkyo.catalog.motions import all_products, point_motions
from rekkyo.model.cell_colors import ColoredShape, colored, colored_orientations
from rekkyo.model.lattices.lattice import Cell, Lattice, Matrix, added, applied, product
from rekkyo.model.lattices.shapes import Shape
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import SHIFT, FurtherSymmetry, Motion
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.permutations import after

Move: TypeAlias = dict[Cell, Cell]
"""The image of each cell of the board."""


class Kind(NamedTuple):
    """The properties that equal pieces share.

    low, high: bounds. orientations: of a piece with colours. shapes: the numbers of the shapes of its
    placements, which tell pieces without colours apart.
    """

    low: int
    high: int | None
    orientations: tuple[ColoredShape, ...]
    shapes: frozenset[int]


class _Placements:
    """The placements of a packing, by piece and shape. Shapes, sets of cells, are numbered.

    numbers: that of each placement, by the name of its piece and the number of its shape.
    kinds: the names of the pieces of each kind. Pieces without placements are in no solution, so they forbid
    no map and have no kind.
    """

    def __init__(self, packing: Packing) -> None:
        self._shapes: dict[Shape, int] = {}
        self.numbers: dict[tuple[str, int], int] = {}
        for number, (name, cells) in enumerate(packing.placements()):
            self.numbers[name, self._shapes.setdefault(cells, len(self._shapes))] = number
        shapes_of: dict[str, set[int]] = {piece.name: set() for piece in packing.pieces}
        for name, shape in self.numbers:
            shapes_of[name].add(shape)
        self._lattice = packing.lattice
        self.kinds: dict[Kind, list[str]] = {}
        self._mirrored: dict[Kind, tuple[ColoredShape, ...]] = {}
        given = {name for name, _ in packing.given}
        for piece in packing.pieces:
            if not shapes_of[piece.name] and piece.name not in given:
                continue
            orientations = packing.colored_orientations(piece) if piece.colors else ()
            kind = Kind(piece.low, piece.high, orientations, frozenset(shapes_of[piece.name]))
            self.kinds.setdefault(kind, []).append(piece.name)
            may_turn_over = packing.reflections or not piece.colors
            self._mirrored[kind] = orientations if may_turn_over else _mirrored(packing, piece)

    def exchanged(self, one: str, other: str) -> AtomPermutation:
        """The permutation that exchanges two pieces of a kind."""
        images = {one: other, other: one}
        return tuple(self.numbers[images.get(name, name), shape] for name, shape in self.numbers)

    def moved(self, move: Move) -> list[int] | None:
        """The number of the image of each shape; None if no placement has such an image."""
        images = []
        for cells in self._shapes:
            image = self._shapes.get(tuple(sorted([move[cell] for cell in cells])))
            if image is None:
                return None
            images.append(image)
        return images

    def images_of_pieces(self, matrix: Matrix, moved: list[int]) -> dict[str, str] | None:
        """The piece that takes the place of each piece: itself where possible, or one such as a mirror twin.

        All pieces of a kind are replaced by those of one kind. None if that has fewer or more pieces.
        """
        images: dict[str, str] = {}
        for kind, pieces in self.kinds.items():
            orientations = kind.orientations if matrix in self._lattice.rotations else self._mirrored[kind]
            shapes = frozenset(map(moved.__getitem__, kind.shapes))
            twins = self.kinds.get(Kind(kind.low, kind.high, orientations, shapes), ())
            if len(twins) != len(pieces):
                return None
            images.update(zip(pieces, twins, strict=True))
        return images


def motions(packing: Packing) -> tuple[Motion, ...]:
    """All symmetries of the board but the identity; of the shifts on a torus only generators."""
    tried = _Tried(packing)
    shifts = [Motion(SHIFT, True, permutation) for permutation in tried.shifts()]
    return (*point_motions(packing.lattice, _Maps(tried.by_matrix).permutation), *shifts)


class _Maps:
    """The permutation of each map that is a symmetry, most of them as products of a few.

    Symmetries are a group. So a product of known symmetries is a symmetry, and a product of a refused map and
    a known symmetry is not; placements are compared for neither.
    """

    def __init__(self, permutation_of: Callable[[Matrix], AtomPermutation | None]) -> None:
        self._permutation_of = permutation_of
        self._known: dict[Matrix, AtomPermutation] = {}
        self._refused: set[Matrix] = set()
        self._generators: list[Matrix] = []

    def permutation(self, matrix: Matrix) -> AtomPermutation | None:
        """The permutation by this map; None if it is not a symmetry."""
        if matrix not in self._known and matrix not in self._refused:
            self._try(matrix)
        return self._known.get(matrix)

    def _try(self, matrix: Matrix) -> None:
        permutation = self._permutation_of(matrix)
        if permutation is None:
            self._refused |= {matrix, *(product(matrix, other) for other in self._known)}
            return
        self._known[matrix] = permutation
        self._generators.append(matrix)
        all_products(tuple(self._known), self._generators, self._composed)

    def _composed(self, last: Matrix, first: Matrix) -> Matrix:
        """The product of two known maps, which is known after that."""
        both = product(last, first)
        if both not in self._known:
            self._known[both] = after(self._known[last], self._known[first])
        return both


def essential(moves: Iterable[Motion], n_atoms: int) -> tuple[AtomPermutation, ...]:
    """The permutations that are not products of those before them, and all shifts."""
    found: list[AtomPermutation] = []
    group = [tuple(range(n_atoms))]
    for motion in moves:
        if motion.name == SHIFT:
            found.append(motion.permutation)
        elif motion.permutation not in group:
            found.append(motion.permutation)
            group = all_products(group, found, after)
    return tuple(found)


def exchanges(packing: Packing) -> tuple[AtomPermutation, ...]:
    """Generators that exchange two pieces of a kind wherever they are."""
    placements = _Placements(packing)
    if not placements.numbers:
        return ()
    return tuple(
        placements.exchanged(one, other)
        for alike in placements.kinds.values()
        for one, other in pairwise(alike)
    )


def exchange_symmetry(packing: Packing) -> tuple[FurtherSymmetry, ...]:
    """The exchanges of equal pieces as a further symmetry; none when no two are equal."""
    generators = exchanges(packing)
    meaning = "pieces of the same shape exchanged with each other"
    return (FurtherSymmetry("exchange-pieces", meaning, generators),) if generators else ()


class _Tried:
    """Maps of a packing, and whether they are symmetries.

    All symmetries keep the labels of cells: whether a cell must be covered, its colour, and how many
    placements cover it. So few shifts of most tori are tried. If one is refused, so are its products with
    known ones.
    """

    def __init__(self, packing: Packing) -> None:
        self._packing, self._placements = packing, _Placements(packing)
        # A motion that exchanges colours of the board would leave the pieces on colours that do not fit.
        colors = dict(packing.colors) if any(piece.colors for piece in packing.pieces) else {}
        board, must = sorted(packing.board), packing.must_be_covered
        covering = Counter(cell for _, cells in packing.placements() for cell in cells)
        self._labels = {cell: (cell in must, colors.get(cell), covering[cell]) for cell in board}
        times = Counter(self._labels.values())
        rarest = min(times, key=times.__getitem__)
        self._rarest = [cell for cell, label in self._labels.items() if label == rarest]
        dimension = packing.lattice.dimension
        self._periods = packing.periods or (1,) * dimension
        self._shifts = {(0,) * dimension}

    def by_matrix(self, matrix: Matrix) -> AtomPermutation | None:
        """The permutation of placements by an orthogonal map, or by the first shift after it that fits.

        None if no such map is a symmetry.
        """
        move = self._moved(matrix)
        found = () if move is None else self._symmetries(matrix, move, known=())
        return next((permutation for _, permutation in found), None)

    def _moved(self, matrix: Matrix) -> Move | None:
        """The board by an orthogonal map that takes it, or the torus that it is on, to itself; else None."""
        box, board = self._packing.torus, self._packing.board
        if box is None:
            return move_of_board(self._packing.lattice, board, matrix)
        if tuple(map(abs, applied(matrix, box.sides))) != box.sides:
            return None
        return {cell: applied(matrix, cell) for cell in board}

    def shifts(self) -> list[AtomPermutation]:
        """The permutations by shifts that generate all those that are symmetries; none in the plane."""
        identity, stays = self._packing.lattice.point_group[0], {cell: cell for cell in self._packing.board}
        found: dict[Cell, AtomPermutation] = {}
        for shift, permutation in self._symmetries(identity, stays, known=self._shifts):
            found[shift] = permutation
            self._shifts.update(all_products(self._shifts, list(found), self._both))
        return [images for images in found.values() if images != tuple(range(len(images)))]

    def _symmetries(
        self, matrix: Matrix, move: Move, known: Collection[Cell]
    ) -> Iterator[tuple[Cell, AtomPermutation]]:
        """The unknown shifts that make a move of the board a symmetry, and the permutations of placements."""
        refused: set[Cell] = set()
        for end in self._rarest:
            shift = self._both(end, tuple(map(neg, move[self._rarest[0]])))
            if shift in known or shift in refused:
                continue
            shifted = self._shifted(move, shift)
            permutation = None if shifted is None else self._permutation(matrix, shifted)
            if permutation is None:
                refused.update(self._both(shift, other) for other in self._shifts)
            else:
                yield shift, permutation

    def _both(self, last: Cell, first: Cell) -> Cell:
        """A shift after another one; in the plane, that which shifts nothing."""
        return tuple(map(mod, added(last, first), self._periods))

    def _shifted(self, move: Move, shift: Cell) -> Move | None:
        """A move of the board and then a shift; None if a label changes."""
        shifted = {}
        for cell, label in self._labels.items():
            shifted[cell] = self._packing.wrapped(added(move[cell], shift))
            if self._labels.get(shifted[cell]) != label:
                return None
        return shifted

    def _permutation(self, matrix: Matrix, move: Move) -> AtomPermutation | None:
        """The permutation of placements by a move of the board; None if it is not a symmetry.

        matrix: the orthogonal map of the move, which keeps labels.
        """
        packing, placements = self._packing, self._placements
        moved = placements.moved(move)
        names = None if moved is None else placements.images_of_pieces(matrix, moved)
        if moved is None or names is None:
            return None
        images = [placements.numbers[names[name], moved[shape]] for name, shape in placements.numbers]
        given = {(names[name], frozenset(map(move.__getitem__, cells))) for name, cells in packing.given}
        return (tuple(images) or (0,)) if given == packing.given else None


def move_of_board(lattice: Lattice, board: Collection[Cell], matrix: Matrix) -> Move | None:
    """The map, followed by the translation that brings the board back; None if there is none."""
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
    return maps_of_cells(lattice, cells, lambda places, _matrix: permutation_of(places))


def maps_of_cells(
    lattice: Lattice,
    cells: Sequence[Cell],
    permutation_of: Callable[[Sequence[int], Matrix], AtomPermutation | None],
) -> tuple[Motion, ...]:
    """As `motions_of_cells`, for atoms whose image depends on the map, too: a line in a square is turned."""
    place_of = {cell: place for place, cell in enumerate(cells)}

    def permutation(matrix: Matrix) -> AtomPermutation | None:
        move = move_of_board(lattice, frozenset(cells), matrix)
        return None if move is None else permutation_of([place_of[move[cell]] for cell in cells], matrix)

    return point_motions(lattice, permutation)


def _mirrored(packing: Packing, piece: Piece) -> tuple[ColoredShape, ...]:
    """The orientations of the mirror image of a piece. Every reflection gives the same ones."""
    cells = colored(piece.cells, piece.colors)
    moved = {applied(packing.lattice.reflections[0], cell): color for cell, color in cells.items()}
    return colored_orientations(packing.lattice, moved, reflections=False)
