"""`kind = "packing"`: drawings of a board and pieces. Cells of the board marked `?` may stay empty."""

from __future__ import annotations

from rekkyo.catalog.named_boards import problem_of_lone_mark
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.cell_colors import read_colors
from rekkyo.export.puzzle_toml.cells import TOROIDAL
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import all_cells, board_drawing, cells_by_mark
from rekkyo.export.puzzle_toml.pieces import Shapes, are_named, read_shapes
from rekkyo.export.puzzle_toml.times import read_times
from rekkyo.model.cell_colors import CellColors
from rekkyo.model.lattices import LATTICES, Cell, Lattice, cell_name
from rekkyo.model.lattices.drawing import MAY_STAY_EMPTY, spot
from rekkyo.model.packing import Packing, Piece, problem_of_torus

KEYS = (
    "lattice",
    "board",
    "holes",
    "pieces",
    "polyforms",
    "times",
    "only_on",
    "colors",
    "given",
    "reflections",
    "filled",
    "crossing",
    "stride",
    TOROIDAL,
)


def read_packing(table: Table) -> Packing:
    """The model of a table. Raises BadFile."""
    lattice = LATTICES[table.choice("lattice", list(LATTICES))]
    board = _board(table, lattice)
    reflections = table.flag("reflections", True)
    shapes = read_shapes(table, lattice, reflections=reflections)
    colors = read_colors(table, lattice, frozenset(board), shapes)
    pieces = _pieces(table, shapes, _only_on(table, lattice, board, shapes), colors.pieces)
    given = _given(table, lattice, shapes)
    for name, cells in sorted(given, key=str):
        for cell in sorted(cells - board.keys()):
            table.refuse("given", f'given piece "{name}" has {cell_name(cell)}, which is not on the board')
    stride = table.whole("stride", 1) if "stride" in table else 1
    toroidal = table.flag(TOROIDAL, False)
    if toroidal and (problem := problem_of_torus(lattice, stride)):
        table.refuse(TOROIDAL, problem)
    with table.errors_at("given" if given else "board", "board"):
        model = Packing(
            lattice,
            frozenset(board),
            pieces,
            reflections=reflections,
            filled=table.flag("filled", True),
            crossing=table.flag("crossing", True),
            stride=stride,
            given=given,
            optional=frozenset(cell for cell, mark in board.items() if mark == MAY_STAY_EMPTY),
            colors=colors.board,
            color_pairs=colors.pairs,
            toroidal=toroidal,
        )
        model.row_shape  # noqa: B018 - places the pieces, which raises for a packing that is too large or does not fit
    return model


def _pieces(
    table: Table, shapes: Shapes, only_on: dict[str, frozenset[Cell]], colors: dict[str, CellColors]
) -> tuple[Piece, ...]:
    known = _listed(list(shapes))
    times = read_times(table, shapes, lambda name: f'there is no piece "{name}"; pieces are {known}', 0)
    pieces = []
    for name, cells in shapes.items():
        if times[name][1] == 0:  # such as one of the polyforms
            continue
        with table.table("pieces").errors_at(name) if are_named(table) else table.errors_at("pieces"):
            said = (only_on.get(name), colors.get(name, frozenset()))
            pieces.append(Piece(name, cells, *times[name], *said))
    return tuple(pieces)


def _board(table: Table, lattice: Lattice) -> dict[Cell, str]:
    """The marks of all cells except the holes, which are numbered from 1 in the order of the drawing."""
    board = all_cells(board_drawing(table, lattice), lattice)
    drawn = sorted(board, key=lambda cell: spot(lattice, cell))
    holes = (
        table.value("holes", list, "a list of numbers of cells, such as [1, 12]") if "holes" in table else []
    )
    for place, hole in enumerate(holes):
        if type(hole) is not int or not 1 <= hole <= len(drawn):
            known = f"the cells are numbered from 1 to {len(drawn)}, row by row"
            table.refuse_value("holes", f"this is not a hole; {known}", place)
    if len(set(holes)) == len(drawn):
        table.refuse("holes", "every cell is a hole; leave some cells on the board")
    free = {drawn[hole - 1] for hole in holes}
    return {cell: mark for cell, mark in board.items() if cell not in free}


def _only_on(
    table: Table, lattice: Lattice, board: dict[Cell, str], shapes: Shapes
) -> dict[str, frozenset[Cell]]:
    """The cells on which pieces may lie, from a second drawing of the board, or from a list of its marks."""
    said = table.table("only_on")
    found = {}
    for name in said.names():
        if name not in shapes:
            known = _listed(list(shapes))
            said.refuse(name, f'there is no piece "{in_short(name)}"; pieces are {known}')
        if type(said.data[name]) is list:
            found[name] = _cells_marked(said, name, board)
            if not found[name]:
                said.refuse(name, f'piece "{name}" may lie nowhere; name a mark, or leave the piece out here')
        else:
            drawing = said.drawing(name)
            if problem := problem_of_lone_mark(said.text(name), set(board.values())):
                said.refuse(name, problem)
            found[name] = frozenset(all_cells(drawing, lattice))
            for cell in sorted(found[name] - board.keys()):
                said.refuse(name, f'piece "{name}" may lie on {cell_name(cell)}, which is not on the board')
    return found


def _cells_marked(said: Table, name: str, board: dict[Cell, str]) -> frozenset[Cell]:
    """The cells of the board that have one of the listed marks."""
    marks = said.words(name)
    known = sorted(set(board.values()))
    for number, mark in enumerate(marks):
        if mark not in known:
            problem = f'no cell of the board is marked "{in_short(mark)}"; marks are {_listed(known)}'
            said.refuse_value(name, problem, number)
    return frozenset(cell for cell, mark in board.items() if mark in marks)


def _given(table: Table, lattice: Lattice, shapes: Shapes) -> frozenset[tuple[str, frozenset[Cell]]]:
    if "given" not in table:
        return frozenset()
    given = cells_by_mark(table.drawing("given"), lattice)
    for name in given:
        if name not in shapes:
            known = _listed(list(shapes))
            table.refuse("given", f'the given piece "{name}" is not one of the pieces {known}')
    return frozenset((name, frozenset(cells)) for name, cells in given.items())


def _listed(names: list[str]) -> str:
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
