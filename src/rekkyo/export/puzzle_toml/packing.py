"""`kind = "packing"`: a board and pieces, drawn."""

from __future__ import annotations

from typing import Any

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, Table
from rekkyo.export.puzzle_toml.marks import all_cells, cells_by_mark, cells_of_one_mark
from rekkyo.model.lattices import LATTICES, Cell, Lattice
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.packing import Packing, Piece

KEYS = (
    "lattice",
    "board",
    "holes",
    "pieces",
    "times",
    "given",
    "reflections",
    "filled",
    "crossing",
    "stride",
)
ANY = "any"
MAX_PIECES = 1 << 12
MAX_TIMES = 1 << 16


def read_packing(table: Table) -> Packing:
    """The model of a table. Raises BadFile."""
    lattice = LATTICES[table.choice("lattice", list(LATTICES))]
    board = _board(table, lattice)
    shapes = _shapes(table, lattice)
    times = table.table("times")
    for name in times.names():
        if name not in shapes:
            times.refuse(name, f'there is no piece "{in_short(name)}"; pieces are {_listed(list(shapes))}')
    pieces = []
    for name, cells in shapes.items():
        low, high = read_times(times, name) if name in times else (1, 1)
        with table.table("pieces").errors_at(name) if _named(table) else table.errors_at("pieces"):
            pieces.append(Piece(name, cells, low, high))
    given = _given(table, lattice, shapes)
    for name, cells in sorted(given, key=str):
        for cell in sorted(cells - board):
            where = ",".join(map(str, cell))
            table.refuse("given", f'given piece "{name}" has {where}, which is not on the board')
    stride = table.whole("stride", 1) if "stride" in table else 1
    with table.errors_at("given" if given else "board", "board"):
        model = Packing(
            lattice,
            frozenset(board),
            tuple(pieces),
            reflections=table.flag("reflections", True),
            filled=table.flag("filled", True),
            crossing=table.flag("crossing", True),
            stride=stride,
            given=given,
        )
        model.row_shape  # noqa: B018 - places the pieces, which finds what is too large or does not fit
    return model


def _board(table: Table, lattice: Lattice) -> set[Cell]:
    """The cells that are drawn, but for the holes, which are numbered from 1 as the drawing is read."""
    drawn = sorted(all_cells(table.drawing("board"), lattice), key=lambda cell: spot(lattice, cell))
    holes = (
        table.value("holes", list, "a list of numbers of cells, such as [1, 12]") if "holes" in table else []
    )
    for place, hole in enumerate(holes):
        if type(hole) is not int or not 1 <= hole <= len(drawn):
            known = f"the cells are numbered from 1 to {len(drawn)}, row by row"
            table.refuse_value("holes", f"this is no hole; {known}", place)
    if len(set(holes)) == len(drawn):
        table.refuse("holes", "every cell is a hole; leave some cells on the board")
    return set(drawn) - {drawn[hole - 1] for hole in holes}


def _named(table: Table) -> bool:
    """Whether the pieces are a table of drawings, and not one drawing with a letter for each."""
    return isinstance(table.data.get("pieces"), dict)


def _shapes(table: Table, lattice: Lattice) -> dict[str, frozenset[Cell]]:
    if not _named(table):
        table.value(
            "pieces", str, "a table of drawings, [pieces], or one drawing with a letter for each piece"
        )
        drawn = cells_by_mark(table.drawing("pieces"), lattice)
        shapes = {name: frozenset(cells) for name, cells in drawn.items()}
    else:
        pieces = table.table("pieces")
        if len(pieces) > MAX_PIECES:
            table.refuse("pieces", f"{len(pieces)} pieces are more than the {MAX_PIECES} that are read")
        shapes = {}
        for name in pieces.names():
            check_name(pieces, name, "piece")
            drawing = pieces.drawing(name)
            shapes[name] = frozenset(cells_of_one_mark(drawing, lattice, f'piece "{name}"'))
    if not shapes:
        table.refuse("pieces", "there is no piece; draw at least one")
    return shapes


def check_name(table: Table, name: str, what: str) -> None:
    """Refuse a name that cannot be that of an item."""
    if not (1 <= len(name) <= MAX_NAME and name.isprintable() and not any(mark in name for mark in " ,:|")):
        mend = f"use 1 to {MAX_NAME} characters, no space, comma, colon or bar"
        table.refuse(name, f'"{in_short(name)}" cannot name a {what}; {mend}')


def read_times(times: Table, name: str) -> tuple[int, int | None]:
    """How often something is used: 2, "any", [1, 3] or [1, "any"]. Raises BadFile."""
    value: Any = times.data[name]
    if value == ANY and type(value) is str:
        return 0, None
    pair = value if type(value) is list else [value, value]
    ends = [end for end in pair if type(end) is int and 0 <= end <= MAX_TIMES]
    if len(pair) == 2 and len(ends) == 1 and ends[0] is pair[0] and pair[1] == ANY:
        return ends[0], None
    if len(pair) != 2 or len(ends) != 2:
        known = f'2, [1, 3], [1, "any"] or "any" times, with numbers to {MAX_TIMES}'
        times.refuse_value(name, f'"{in_short(name)}" is used {known}')
    low, high = ends
    if low > high or high == 0:
        problem = f'"{in_short(name)}" is used {low} to {high} times'
        times.refuse_value(name, f"{problem}; write the lesser first, the other from 1")
    return low, high


def _given(
    table: Table, lattice: Lattice, shapes: dict[str, frozenset[Cell]]
) -> frozenset[tuple[str, frozenset[Cell]]]:
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
