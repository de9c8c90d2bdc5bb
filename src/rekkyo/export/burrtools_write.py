"""A packing of cubes or squares as a file of BurrTools. `burrtools.py` reads and describes the format.

Refused: other lattices, given pieces, pieces that may lie on a part of the board only, mirror images in
space, and flat pieces that may not be turned over, because BurrTools has none of these.
"""

from __future__ import annotations

from collections.abc import Collection
from xml.sax.saxutils import quoteattr

from rekkyo.errors import BadInput
from rekkyo.export.burrtools import FILLED, MAY_BE_EMPTY, NOTHING
from rekkyo.model.lattices import CUBE, SQUARE, Cell
from rekkyo.model.lattices.shapes import orientations
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle


def write_burrtools(puzzle: Puzzle) -> str:
    """The text of the file. Raises BadInput for puzzles that BurrTools cannot express."""
    model = puzzle.model
    problem = _problem_of(model)
    if problem is not None:
        raise BadInput(f"{puzzle.name} cannot be written for BurrTools: {problem}")
    assert isinstance(model, Packing)
    optional = model.optional if model.filled else model.board
    shapes = [_voxel(piece.name, piece.cells) for piece in model.pieces]
    shapes.append(_voxel("board", model.board, optional))
    most = len(model.board)
    uses = "".join(
        f'<shape id="{number}" {_times(piece.low, most if piece.high is None else piece.high)}/>\n'
        for number, piece in enumerate(model.pieces)
    )
    return (
        '<?xml version="1.0"?>\n<puzzle version="2">\n<gridType type="0"/>\n<colors/>\n<shapes>\n'
        + "".join(shapes)
        + '</shapes>\n<problems>\n<problem state="0">\n<shapes>\n'
        + uses
        + f'</shapes>\n<result id="{len(model.pieces)}"/>\n<bitmap/>\n</problem>\n</problems>\n'
        + "<comment/>\n</puzzle>\n"
    )


def _problem_of(model: object) -> str | None:
    if not isinstance(model, Packing) or model.lattice not in (SQUARE, CUBE):
        return "it takes pieces of squares or cubes only"
    if model.given or model.stride > 1 or any(piece.only_on is not None for piece in model.pieces):
        return "its pieces may lie everywhere, and none is given"
    turned, any_way = (
        [orientations(model.lattice, piece.cells, reflections=mirrors) for piece in model.pieces]
        for mirrors in (model.lattice == SQUARE, model.reflections)
    )
    if turned != any_way:
        return "it turns flat pieces over, and never replaces pieces in space by mirror images"
    return None


def _voxel(name: str, cells: Collection[Cell], optional: Collection[Cell] = ()) -> str:
    """A shape; x changes fastest. A flat one has one layer."""
    solid = {((0, *cell) if len(cell) == 2 else cell): cell for cell in cells}
    (z0, z1), (y0, y1), (x0, x1) = ((min(axis), max(axis)) for axis in zip(*solid, strict=True))
    marks = "".join(
        NOTHING if (z, y, x) not in solid else MAY_BE_EMPTY if solid[z, y, x] in optional else FILLED
        for z in range(z0, z1 + 1)
        for y in range(y0, y1 + 1)
        for x in range(x0, x1 + 1)
    )
    size = f'x="{x1 - x0 + 1}" y="{y1 - y0 + 1}" z="{z1 - z0 + 1}"'
    return f'<voxel {size} type="0" name={quoteattr(name)}>{marks}</voxel>\n'


def _times(low: int, high: int) -> str:
    return f'count="{low}"' if low == high else f'min="{low}" max="{high}"'
