"""A packing as a file of BurrTools. `burrtools.py` reads and describes the format.

A file has colours, and pairs of colours that fit, if cells of the model have colours, or if a piece may lie
on a part of the board only. Such a piece has colours of its own.
Refused are packings on other lattices, with given pieces, with mirror images in space, or with flat pieces
that may not be turned over, because BurrTools has none of these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from rekkyo.errors import BadInput
from rekkyo.export.burrtools_file import FILLED, MAX_COLOR, MAY_BE_EMPTY, NOTHING
from rekkyo.export.burrtools_grids import first_place, grid_of, place_of
from rekkyo.model.cell_colors import NO_COLOR, colored
from rekkyo.model.lattices import Cell, Lattice
from rekkyo.model.lattices.shapes import orientations
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle


class _Colors(NamedTuple):
    """The number of the colour of cells of each piece and of the board, from 1; 0 or no entry for none.

    pairs: a colour of pieces and one of the board that fit.
    """

    n_colors: int
    pieces: list[dict[Cell, int]]
    board: dict[Cell, int]
    pairs: list[tuple[int, int]]


def write_burrtools(puzzle: Puzzle, comment: str = "") -> str:
    """The text of the file. comment: what BurrTools shows. Raises BadInput for what it cannot express."""
    model = puzzle.model
    problem = _problem_of(model)
    if problem is not None:
        raise BadInput(f"{puzzle.name} cannot be written for BurrTools: {problem}")
    assert isinstance(model, Packing)
    optional = model.optional if model.filled else model.board
    colors = _colors(model)
    if colors.n_colors > MAX_COLOR:
        raise BadInput(f"{puzzle.name} cannot be written for BurrTools: it needs {colors.n_colors} colours")
    shapes = [
        _voxel(model.lattice, piece.name, piece.cells, (), own)
        for piece, own in zip(model.pieces, colors.pieces, strict=True)
    ]
    shapes.append(_voxel(model.lattice, "board", model.board, optional, colors.board))
    most = len(model.board)
    uses = "".join(
        f'<shape id="{number}" {_times(piece.low, most if piece.high is None else piece.high)}/>\n'
        for number, piece in enumerate(model.pieces)
    )
    colours = "".join(
        f'<color red="{4 * n}" green="128" blue="{255 - 4 * n}"/>\n' for n in range(colors.n_colors)
    )
    pairs = "".join(f'<pair piece="{piece - 1}" result="{on - 1}"/>\n' for piece, on in colors.pairs)
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2">\n'
        f'<gridType type="{grid_of(model.lattice)}"/>\n'
        f"<colors>\n{colours}</colors>\n<shapes>\n"
        + "".join(shapes)
        + '</shapes>\n<problems>\n<problem state="0">\n<shapes>\n'
        + uses
        + f'</shapes>\n<result id="{len(model.pieces)}"/>\n<bitmap>\n{pairs}</bitmap>\n</problem>\n'
        + f"</problems>\n<comment>{escape(comment)}</comment>\n</puzzle>\n"
    )


def _problem_of(model: object) -> str | None:
    """How BurrTools differs from what the model needs; None if the model can be written."""
    if not isinstance(model, Packing) or grid_of(model.lattice) is None:
        return "it takes pieces of squares, triangles, cubes, balls, prisms and tetrahedra only"
    if model.toroidal:
        return "the edges of its boards are not joined"
    if model.given or model.stride > 1:
        return "its pieces may lie everywhere, and none is given"
    turned, any_way = (
        [orientations(model.lattice, piece.cells, reflections=mirrors) for piece in model.pieces]
        for mirrors in (model.lattice.dimension == 2, model.reflections)
    )
    if turned != any_way:
        return "it turns flat pieces over, and never replaces pieces in space by mirror images"
    return None


def _colors(model: Packing) -> _Colors:
    """A colour for each way to restrict cells of pieces, and for each set of these colours that cells of the
    board take; cells that take all of them need none.
    """
    kinds: dict[tuple[str, frozenset[Cell] | None], int] = {}
    pieces: list[dict[Cell, int]] = []
    for piece in model.pieces:
        pieces.append({})
        for cell, color in colored(piece.cells, piece.colors).items():
            if color != NO_COLOR or piece.only_on is not None:
                pieces[-1][cell] = kinds.setdefault((color, piece.only_on), len(kinds) + 1)
    classes: dict[frozenset[int], int] = {frozenset(kinds.values()): 0}
    board: dict[Cell, int] = {}
    for cell in sorted(model.board):
        fitting = frozenset(
            kind
            for (color, only_on), kind in kinds.items()
            if cell in model.cells_that_fit(color) and (only_on is None or cell in only_on)
        )
        board[cell] = classes.setdefault(fitting, len(classes))
    pairs = sorted((kind, number) for fitting, number in classes.items() for kind in fitting if number)
    return _Colors(max(len(kinds), len(classes) - 1), pieces, board, pairs)


def _voxel(
    lattice: Lattice,
    name: str,
    cells: Collection[Cell],
    optional: Collection[Cell],
    colors: Mapping[Cell, int],
) -> str:
    """A shape; x changes fastest. A flat one has one layer."""
    solid = {place_of(lattice, cell): cell for cell in cells}
    (z0, y0, x0), (z1, y1, x1) = first_place(lattice, solid), map(max, zip(*solid, strict=True))
    marks = []
    for z in range(z0, z1 + 1):
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                cell = solid.get((z, y, x))
                color = colors.get(cell, 0) if cell is not None else 0
                mark = NOTHING if cell is None else MAY_BE_EMPTY if cell in optional else FILLED
                marks.append(mark + (str(color) if color else ""))
    size = f'x="{x1 - x0 + 1}" y="{y1 - y0 + 1}" z="{z1 - z0 + 1}"'
    return f'<voxel {size} type="0" name={quoteattr(name)}>{"".join(marks)}</voxel>\n'


def _times(low: int, high: int) -> str:
    return f'count="{low}"' if low == high else f'min="{low}" max="{high}"'
