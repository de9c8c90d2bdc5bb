"""The pieces of a packing in a puzzle file: one drawing, a drawing for each, or all polyforms."""

from __future__ import annotations

from typing import TypeAlias

from rekkyo.catalog.polyforms import named_polyforms
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, Table
from rekkyo.export.puzzle_toml.marks import cells_by_mark, cells_of_one_mark
from rekkyo.model.lattices import Cell, Lattice

Shapes: TypeAlias = dict[str, frozenset[Cell]]
"""The cells of each piece by its name."""

MAX_PIECES = 1 << 12
MAX_ORDER = {2: 7, 3: 5}
"""The most cells of a polyform by the dimension of its lattice: there are too many larger ones."""


def read_shapes(table: Table, lattice: Lattice, *, reflections: bool) -> Shapes:
    """The drawn pieces, then the polyforms. Raises BadFile."""
    shapes = _drawn(table, lattice) if "pieces" in table or "polyforms" not in table else {}
    if "polyforms" in table:
        for name, cells in _polyforms(table, lattice, reflections=reflections).items():
            if name in shapes:
                table.refuse("polyforms", f'the polyform "{name}" has the name of a drawn piece; rename that')
            shapes[name] = cells
    if len(shapes) > MAX_PIECES:
        key = "polyforms" if "polyforms" in table else "pieces"
        table.refuse(key, f"{len(shapes)} pieces are more than the {MAX_PIECES} that are read")
    return shapes


def are_named(table: Table) -> bool:
    """Whether the pieces are a table of drawings, and not one drawing with a letter for each."""
    return isinstance(table.data.get("pieces"), dict)


def _drawn(table: Table, lattice: Lattice) -> Shapes:
    if not are_named(table):
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
        fix = f"use 1 to {MAX_NAME} characters, no space, comma, colon or bar"
        table.refuse(name, f'"{in_short(name)}" cannot name a {what}; {fix}')


def _polyforms(table: Table, lattice: Lattice, *, reflections: bool) -> Shapes:
    """Polyforms by their usual names; if there are several orders, with the order before the name."""
    value = table.data["polyforms"]
    orders = value if type(value) is list else [value]
    most = MAX_ORDER[lattice.dimension]
    if not orders or any(type(order) is not int or not 1 <= order <= most for order in orders):
        known = f"how many cells the pieces have, from 1 to {most}, or a list of such numbers"
        table.refuse_value("polyforms", f'"polyforms" says {known}')
    if len(set(orders)) < len(orders):
        table.refuse_value("polyforms", "a number of cells appears twice; write it once")
    return {
        (name if len(orders) == 1 else f"{order}{name}"): frozenset(cells)
        for order in orders
        for name, cells in named_polyforms(lattice, order, reflections=reflections)
    }
