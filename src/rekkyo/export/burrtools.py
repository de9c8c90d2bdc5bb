"""Packings in files of BurrTools: `.xmpuzzle`, XML that may be compressed with gzip.

If a file has several problems, the caller chooses one, from 1. If the shape to be made and every piece are
one cube or prism thick, the packing is flat and pieces may be turned over; else pieces are never replaced by
mirror images.
Cells marked `+` in the shape to be made may stay empty. A greatest number of holes limits how many of them do
so; as in BurrTools, it has no effect if the pieces always have the same number of cells. Otherwise each hole
is a piece of one cell, named `hole`, which is used at most so often.
A mark may be followed by the number of a colour. The pairs of the problem say which colours of pieces fit
those of the shape to be made; colours are characters in the model.
Assemblies are counted, even if the pieces cannot be moved there. Groups of pieces say which pieces need not
come apart; so they are checked, and have no effect.
Refused: variable cells in pieces, and a greatest number of holes if both tetrahedra and parts of octahedra
may stay empty, because no piece of one cell has both shapes.
`burrtools_file.py` reads the XML; `burrtools_grids.py` says which lattice each grid is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from rekkyo.errors import BadInput, in_short, printable
from rekkyo.export.bounded import read_bytes
from rekkyo.export.burrtools_file import MAX_BYTES, Problem, Reader, Shape
from rekkyo.export.burrtools_grids import FLAT, cell_of
from rekkyo.model.cell_colors import CellColors, ColorPairs
from rekkyo.model.lattices import Cell, Lattice
from rekkyo.model.lattices.drawing import Spot
from rekkyo.model.lattices.shapes import orientations
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle
from rekkyo.wording import several

HOLE = "hole"
COLOR_MARKS = "123456789" + ascii_uppercase + ascii_lowercase + "@&"
"""The character in the model for each colour of a file, from 1 to 63."""

MAX_LISTED = 20
"""The most problems that a message lists."""


def read_burrtools_file(path: Path, problem: int | None) -> Puzzle:
    """The puzzle in a file, without any symmetry. problem: which of several, from 1. Raises BadInput."""
    return read_burrtools(read_bytes(path, MAX_BYTES), str(path), problem)


def read_burrtools(content: bytes, name: str, problem: int | None = None) -> Puzzle:
    """The puzzle in the content of a file; `name` names it. Raises BadInput."""
    reader = Reader(content, printable(name))
    model = _packing(reader, _asked_for(reader, problem))
    name = name if problem is None else f"{name}#{problem}"
    pieces, cells = several(len(model.pieces), "piece"), several(len(model.board), "cell")
    title = f"{pieces} on a board of {cells}, from BurrTools"
    return Puzzle(name, model, title)


def _asked_for(file: Reader, number: int | None) -> Problem:
    """The problem with a number from 1; without a number, the only problem."""
    if not file.problems:
        file.refuse_at(1, "the puzzle has no problem, which would name the pieces among its shapes")
    if number is None and len(file.problems) > 1:
        count = f"the puzzle has {len(file.problems)} problems"
        file.refuse_at(file.problems[1].line, f"{count}; name one by {_listed(file)}")
    if number is not None and not 1 <= number <= len(file.problems):
        file.refuse_at(1, f"there is no problem {number}; name one by {_listed(file)}")
    return file.problems[(number or 1) - 1]


def _listed(file: Reader) -> str:
    """The suffix of the file name for each problem."""
    names = [
        f"#{number}" + (f' for "{in_short(problem.name)}"' if problem.name else "")
        for number, problem in enumerate(file.problems[:MAX_LISTED], start=1)
    ]
    return ", ".join(names) + (", ..." if len(file.problems) > MAX_LISTED else "")


def _packing(file: Reader, problem: Problem) -> Packing:
    """The model of a problem."""
    result = _result(file, problem)
    uses = [use for use in problem.uses if use[3] > 0]
    shapes = [_shape_of_piece(file, problem, line, number) for line, number, _, _ in uses]
    board = result.cells | result.optional
    for shape in (*shapes, result):
        color = max(shape.colors.values(), default=0)
        if color > file.n_colors:
            known = f"the file has {several(file.n_colors, 'colour')}"
            file.refuse_at(shape.line, f"a cell has colour {color}, but {known}")
    if not board or not shapes:
        file.refuse_at(problem.line, "the problem has no pieces, or makes a shape without cells")
    lattice = _lattice(file, [board, *(shape.cells for shape in shapes)])

    def at(place: Spot) -> Cell:
        cell = cell_of(lattice, place)
        assert cell is not None, "the reader refuses such places"
        return cell

    def placed(places: Collection[Spot]) -> frozenset[Cell]:
        return frozenset(map(at, places))

    def colors(shape: Shape) -> CellColors:
        return frozenset((at(cell), COLOR_MARKS[color - 1]) for cell, color in shape.colors.items())

    pieces = [
        Piece(shape.name, placed(shape.cells), low, high, colors=colors(shape))
        for shape, (_, _, low, high) in zip(shapes, uses, strict=True)
    ]
    optional = placed(_optional(result, pieces))
    filled = bool(result.cells) or not optional
    most = problem.max_holes
    if most is not None and most < len(optional) and any(piece.low != piece.high for piece in pieces):
        if most > 0:
            if len({orientations(lattice, [cell], reflections=False) for cell in optional}) > 1:
                shapes_of_holes = "both tetrahedra and parts of octahedra may stay empty"
                file.refuse_at(problem.line, f"maxHoles is not read if {shapes_of_holes}; leave it out")
            pieces.append(_hole(pieces, most, optional))
        filled, optional = True, frozenset()
    pairs = _pairs(file, problem, [shape.colors for shape in shapes], result.colors)
    some = optional if filled else frozenset()
    try:
        model = Packing(
            lattice,
            placed(board),
            tuple(pieces),
            lattice.dimension == 2,
            filled,
            optional=some,
            colors=colors(result) if any(piece.colors for piece in pieces) else frozenset(),
            color_pairs=pairs,
        )
        model.row_shape  # noqa: B018 - places the pieces, which raises for a packing that is too large
    except BadInput as problem_found:
        file.refuse_at(problem.line, str(problem_found).removeprefix("packing: "))
    return model


def _result(file: Reader, problem: Problem) -> Shape:
    """The shape to be made."""
    if problem.result is None or not problem.result < len(file.shapes):
        file.refuse_at(problem.result_line or problem.line, "the problem does not say what is to be made")
    return file.shapes[problem.result]


def _shape_of_piece(file: Reader, problem: Problem, line: int, number: int) -> Shape:
    if number >= len(file.shapes):
        known = f"shapes go from 0 to {len(file.shapes) - 1}"
        file.refuse_at(line, f"the problem uses shape {number}, but {known}")
    if number == problem.result:
        file.refuse_at(line, f"shape {number} is a piece and also what is to be made")
    shape = file.shapes[number]
    if shape.optional:
        trouble = f'piece "{shape.name}" has cells marked "+", which only the result may have'
        file.refuse_at(shape.line, trouble)
    if not shape.cells:
        file.refuse_at(shape.line, f'piece "{shape.name}" has no cells')
    return shape


def _lattice(file: Reader, shapes: Collection[Collection[Spot]]) -> Lattice:
    """The lattice of some shapes."""
    is_flat = all(len({layer for layer, _, _ in places}) == 1 for places in shapes)
    return FLAT.get(file.grid, file.grid) if is_flat else file.grid


def _optional(result: Shape, pieces: list[Piece]) -> set[Spot]:
    """The cells of the result that may stay empty; empty if the pieces fill all of it."""
    areas = [len(piece.cells) * piece.low for piece in pieces]
    fixed = all(piece.low == piece.high for piece in pieces)
    is_full = fixed and sum(areas) == len(result.cells) + len(result.optional)
    return set() if is_full else result.optional


def _hole(pieces: list[Piece], most: int, optional: frozenset[Cell]) -> Piece:
    """A piece of one cell for each hole."""
    names = {piece.name for piece in pieces}
    name = next(name for name in (HOLE, *(f"{HOLE}#{n}" for n in range(len(names)))) if name not in names)
    return Piece(name, frozenset([min(optional)]), 0, most, optional)


def _pairs(
    file: Reader, problem: Problem, of_pieces: Collection[Mapping[Spot, int]], of_result: Mapping[Spot, int]
) -> ColorPairs | None:
    """The pairs of colours that fit; None if they are the equal ones."""
    for line, *pair in problem.pairs:
        if max(pair) > file.n_colors:
            known = f"the file has {several(file.n_colors, 'colour')}"
            file.refuse_at(line, f"the pair names colour {max(pair) - 1}, counted from 0, but {known}")
    used = {color for colors in of_pieces for color in colors.values()}
    here = set(of_result.values())
    pairs = {(piece, result) for _, piece, result in problem.pairs if piece in used and result in here}
    if pairs == {(color, color) for color in used & here}:
        return None
    return frozenset((COLOR_MARKS[piece - 1], COLOR_MARKS[result - 1]) for piece, result in pairs)
