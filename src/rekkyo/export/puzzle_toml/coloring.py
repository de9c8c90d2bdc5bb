"""`kind = "coloring"`: cells in colours, and patterns that may appear nowhere; each is drawn once.

The cells are the marks of a board, or have names. In a pattern the character of a colour means that colour;
cells marked `=` all have the same colour. `patterns.py` handles `everywhere`, `orientations` and `stretch`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from rekkyo.catalog.own_symmetry import coloring_mover
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml import symmetry
from rekkyo.export.puzzle_toml.cells import PATTERN_KEYS, TOROIDAL, Cells, check_once, full_rectangle
from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.export.puzzle_toml.marks import board_drawing, squares
from rekkyo.export.puzzle_toml.patterns import SAME
from rekkyo.export.puzzle_toml.symmetry import Declared, Movable, read_symmetry
from rekkyo.model.boards import from_zero
from rekkyo.model.checks import repeated
from rekkyo.model.coloring import MAX_CELLS, MAX_COLORS, MAX_SETS, MAX_USES, MIN_COLORS, Coloring, Pattern
from rekkyo.model.lattices import SQUARE

KEYS = ("board", TOROIDAL, "cells", "colors", "avoid", "different", "counts", "given", symmetry.KEY)
AVOID_KEYS = (*PATTERN_KEYS, "cells")
DIFFERENT_KEYS = ("regions", "cells")
EQUALLY = "equally"
_DIGITS = "12345678"


def read_coloring(table: Table) -> tuple[Coloring, str, Declared | None]:
    """The model of a table, the characters of its colours, and its symmetry. Raises BadFile."""
    colors = _colors(table)
    board = squares(board_drawing(table, SQUARE), MAX_CELLS) if "board" in table else None
    if board is not None and "cells" in table:
        table.refuse("cells", '"board" and "cells" both say what the cells are; leave one out')
    cells = Cells(_numbers_of_names(table), {}) if board is None else Cells.on_board(table, board)
    reader = _Reader(table, colors, cells)
    for avoid in table.tables("avoid"):
        reader.avoid(avoid)
    for different in table.tables("different"):
        reader.different(different)
    fixed, n_cells = reader.given(), len(cells.numbers)
    grid = None if board is None else full_rectangle(board)
    with table.errors_at("counts" if "counts" in table else "board", "cells"):
        model = Coloring(
            n_cells,
            len(colors),
            tuple(sorted(reader.sets)),
            tuple(sorted(reader.patterns)),
            _bounds(table, colors, n_cells),
            fixed,
            grid,
            names=tuple(cells.numbers) if board is None else (),
            squares=() if board is None or grid else tuple(from_zero(list(board))),
        )
    numbers = {color: number for number, color in enumerate(colors)}
    movable = Movable(cells, numbers, "colors", coloring_mover(model))
    return model, colors, read_symmetry(table, movable)


def _colors(table: Table) -> str:
    if isinstance(table.data.get("colors"), str):
        colors = table.text("colors")
        is_bad = repeated(colors) or not colors.isprintable() or set(colors) & set(" .=:")
        if is_bad or not MIN_COLORS <= len(colors) <= MAX_COLORS:
            known = f"{MIN_COLORS} to {MAX_COLORS} different characters, one for each colour, or their number"
            table.refuse_value("colors", f'"colors" is {known}; none of them is a space, ".", "=" or ":"')
        return colors
    table.value("colors", int, "their number, or a text with a character for each")
    return _DIGITS[: table.whole("colors", MIN_COLORS, MAX_COLORS)]


def _numbers_of_names(table: Table) -> dict[str, int]:
    if "cells" not in table:
        table.refuse_table('"board" is missing; draw it, or name the cells under "cells"')
    table.refuse_keys((TOROIDAL,), '"{key}" goes with "board"; leave it out')
    numbers = table.drawing("cells").numbered("cell", {}, MAX_CELLS, _problem_of_name)
    if not numbers:
        table.refuse("cells", "there are no cells; name at least one")
    return numbers


def _problem_of_name(name: str) -> str | None:
    if not name.strip("."):
        return f'"{in_short(name)}" names no cell; leave it out'
    is_bad = ":" in name or not name.isprintable()
    return f'"{in_short(name)}" cannot name a cell; leave out ":"' if is_bad else None


def _bounds(table: Table, colors: str, n_cells: int) -> tuple[tuple[int, int], ...]:
    if "counts" not in table:
        return ()
    if isinstance(table.data["counts"], str):
        table.choice("counts", [EQUALLY])
        return ((n_cells // len(colors), -(-n_cells // len(colors))),) * len(colors)
    counts = table.table("counts")
    bounds = dict.fromkeys(colors, (0, n_cells))
    for name in counts.names():
        if name not in bounds:
            counts.refuse(name, f'there is no colour "{in_short(name)}"; colours are {", ".join(colors)}')
        value = counts.data[name]
        pair = value if type(value) is list else [value, value]
        if len(pair) != 2 or any(type(end) is not int or not 0 <= end <= MAX_CELLS for end in pair):
            counts.refuse_value(name, f'"{name}" is a number of cells such as 4, or [3, 5] for 3 to 5')
        if pair[0] > pair[1]:
            counts.refuse_value(
                name, f"{pair[0]} to {pair[1]} cells are an empty range; write the lesser number first"
            )
        bounds[name] = (pair[0], min(pair[1], n_cells) if pair[0] <= n_cells else pair[1])
    return tuple(bounds.values())


class _Reader:
    """Collects sets and patterns."""

    def __init__(self, table: Table, colors: str, cells: Cells) -> None:
        self.table = table
        self.colors = colors
        self.cells = cells
        self.sets: set[tuple[int, ...]] = set()
        self.patterns: set[Pattern] = set()
        self.n_uses = 0

    def avoid(self, avoid: Table) -> None:
        avoid.check_keys(AVOID_KEYS)
        if ("pattern" in avoid) == ("cells" in avoid):
            avoid.refuse_table('[[avoid]] has either "pattern", a drawing, or "cells", lines of names')
        if "cells" in avoid:
            avoid.refuse_keys(PATTERN_KEYS, '"{key}" goes with "pattern"; leave it out')
            self._avoid_cells(avoid, avoid.drawing("cells"))
        else:
            self._avoid_pattern(avoid)

    def _avoid_pattern(self, avoid: Table) -> None:
        if not self.cells.at:
            avoid.refuse("pattern", 'a pattern needs a board; use "cells" with the names of the cells')
        for used in self.cells.patterns(avoid, self.colors, "colour"):
            self._forbid(avoid, "pattern", used)

    def _avoid_cells(self, avoid: Table, drawing: Drawing) -> None:
        for words in drawing.words():
            used = []
            for word in words:
                name, colon, color = word.text.partition(":")
                if colon and (color not in self.colors or len(color) != 1):
                    word.refuse(f'"{in_short(color)}" is not a colour; colours are {", ".join(self.colors)}')
                used.append((self.cells.number(word, name), color if colon else SAME))
            check_once(words, [number for number, _ in used])
            self._forbid(avoid, "cells", used)

    def _forbid(self, table: Table, key: str, used: list[tuple[int, str]]) -> None:
        """Forbid a partial colouring; cells marked `=` all have the same colour."""
        same = [number for number, mark in used if mark == SAME]
        fixed = [(number, self.colors.index(mark)) for number, mark in used if mark != SAME]
        if len(same) == 1:
            table.refuse(key, 'one cell alone is always in one colour; mark two or more with "="')
        if not fixed:
            self.sets.add(tuple(sorted(same)))
        else:
            for color in range(len(self.colors)) if same else range(1):
                self.patterns.add(tuple(sorted([*fixed, *((number, color) for number in same)])))
        self._check_size(table, key, len(used))

    def _check_size(self, table: Table, key: str, n_cells: int) -> None:
        self.n_uses += n_cells
        if len(self.sets) + len(self.patterns) > MAX_SETS or self.n_uses > 2 * MAX_USES:
            most = f"{MAX_SETS} sets or {MAX_USES} cells in them"
            table.refuse(key, f"more than the {most} that rekkyo takes on")

    def different(self, different: Table) -> None:
        different.check_keys(DIFFERENT_KEYS)
        if ("regions" in different) == ("cells" in different):
            either = 'either "regions", a drawing, or "cells", lines of names'
            different.refuse_table(f"[[different]] has {either}")
        key = "regions" if "regions" in different else "cells"
        groups = (
            self._regions(different) if key == "regions" else self.cells.groups(different.drawing("cells"))
        )
        for group in groups:
            if len(group) > len(self.colors):
                problem = f"{len(group)} cells cannot all differ in {len(self.colors)} colours; take fewer"
                different.refuse_unless_member(problem, key)
            self._check_size(different, key, len(group) ** 2)  # before so many pairs are made
            self.sets.update(combinations(sorted(group), 2))
            self._check_size(different, key, 0)

    def _regions(self, different: Table) -> Iterable[list[int]]:
        if not self.cells.at:
            different.refuse("regions", 'regions need a board; use "cells" with the names of the cells')
        return self.cells.regions(different.drawing("regions")).values()

    def given(self) -> Pattern:
        """The cells whose colour is given."""
        if "given" not in self.table:
            return ()
        drawing = self.table.drawing("given")
        fixed: dict[int, int] = {}
        if self.cells.at:
            for number, mark, square in self.cells.marked(drawing):
                if mark not in self.colors:
                    drawing.refuse(*square, f'"{mark}" is not a colour; colours are {", ".join(self.colors)}')
                fixed[number] = self.colors.index(mark)
            return tuple(sorted(fixed.items()))
        for word in (word for words in drawing.words() for word in words):
            name, _, color = word.text.partition(":")
            number = self.cells.number(word, name)
            if color not in self.colors or len(color) != 1:
                word.refuse(f'"{in_short(word.text)}" gives no colour; write it as {name}:{self.colors[0]}')
            if number in fixed:
                word.refuse(f'cell "{in_short(name)}" is given twice; give it once')
            fixed[number] = self.colors.index(color)
        return tuple(sorted(fixed.items()))
