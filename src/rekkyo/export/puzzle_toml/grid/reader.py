"""`kind = "grid"`: a value in every cell of a board, with constraints.

board       a name such as rectangle 8 8, or a drawing: "." is a cell, a value's character a cell whose value
            is given, a space or "#" no cell; lines and columns of all other drawings and names are those of
            the board
toroidal    whether opposite edges are joined; for patterns, neighbours, moves and "all diagonals"
names       of the cells, in their order; clauses name a cell so, or by its line and column
regions     a table of drawings of regions, which clauses may name
values      "1..9", a list of numbers, "A..F", or a text with a character for each value
given       the board again, with the values that are known
hidden      the board again, or the name of a drawing of regions: cells with a mark are not part of a solution
maximize    or minimize: only the best fillings count, see `objective.py`
symmetry    up to which solutions are counted, see `symmetry.py`
CLAUSES     tables, any number of each; a module for each clause describes it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rekkyo.catalog import csp_symmetry
from rekkyo.export.puzzle_toml import symmetry
from rekkyo.export.puzzle_toml.cells import TOROIDAL
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.areas import read_area
from rekkyo.export.puzzle_toml.grid.arrows import read_arrows
from rekkyo.export.puzzle_toml.grid.avoid import read_avoid
from rekkyo.export.puzzle_toml.grid.board import NAMES, Board
from rekkyo.export.puzzle_toml.grid.cages import read_cages
from rekkyo.export.puzzle_toml.grid.clues import CLUES, CLUES_INSTEAD, read_lines
from rekkyo.export.puzzle_toml.grid.compare import read_compare
from rekkyo.export.puzzle_toml.grid.counts import read_connected, read_count
from rekkyo.export.puzzle_toml.grid.different import read_different
from rekkyo.export.puzzle_toml.grid.loops import read_loop
from rekkyo.export.puzzle_toml.grid.objective import OBJECTIVE_KEYS, read_objective
from rekkyo.export.puzzle_toml.grid.regions import HIDDEN, REGIONS, read_drawn_regions, read_hidden
from rekkyo.export.puzzle_toml.grid.sight import read_see
from rekkyo.export.puzzle_toml.grid.strokes import read_strokes
from rekkyo.export.puzzle_toml.grid.values import read_values
from rekkyo.export.puzzle_toml.grid.word_lists import read_table
from rekkyo.export.puzzle_toml.symmetry import Declared, Movable, Moved, read_symmetry
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.normal_form import normal_form
from rekkyo.model.picture import Picture
from rekkyo.model.row import AtomPermutation
from rekkyo.model.strokes import turned_values
from rekkyo.symmetry.csp_graph import CspGraph

CLAUSES: Mapping[str, Callable[[Board, Table], None]] = {
    "different": read_different,
    "cage": read_cages,
    "compare": read_compare,
    "lines": read_lines,
    "count": read_count,
    "avoid": read_avoid,
    "table": read_table,
    "connected": read_connected,
    "see": read_see,
    "loop": read_loop,
    "area": read_area,
    "strokes": read_strokes,
    "arrows": read_arrows,
}
INSTEAD = {
    **{clue: f'write [[lines]] with clue = "{clue}"' for clue in CLUES},
    **{word: fix.replace("write clue", "write [[lines]] with clue") for word, fix in CLUES_INSTEAD.items()},
    "sum": 'write [[cage]] with each = "sum 10", or [[compare]] with cells = "0,0 + 0,1 = 10"',
    "product": 'write [[cage]] with each = "product 10", or [[compare]] with cells = "0,0 * 0,1 = 10"',
    "unique": 'write [[different]] with regions = "rows", or another region',
    "distinct": 'write [[different]] with regions = "rows", or another region',
    "killer": 'write [[cage]] with rules such as A = "sum 10, different"',
    "kropki": 'write [[cage]] with cells and each = "difference 1" or "quotient 2"',
    "renban": 'write [[cage]] with each = "consecutive"',
    "arrow": 'write [[compare]] with cells = "0,0 = 0,1 + 0,2"; arrows that are values have [[arrows]]',
    "palindrome": 'write [[cage]] with cells = "0,0 0,1 0,2" and each = "palindrome"',
    **dict.fromkeys(
        ("whisper", "whispers"),
        'write [[compare]] with along = "0,0 0,1 1,1", pattern = "ab" and cells = "abs(a - b) >= 5"',
    ),
    "tapa": 'write [[count]] with value = "#" and "runs"',
    **dict.fromkeys(("masyu", "pearls"), 'write [[strokes]] with connected = true and "pearls"'),
    **dict.fromkeys(
        ("thermo", "thermometer"), 'write [[cage]] with cells = "0,0 0,1 0,2" and each = "increasing"'
    ),
    **dict.fromkeys(("inequality", "greater"), 'write [[compare]] with cells = "0,0 < 0,1"'),
    **dict.fromkeys(
        ("antiknight", "anti-knight", "antiking", "anti-king"),
        'write [[different]] with a "pattern" of two cells',
    ),
}
"""What to write for clauses that other notations have."""

KEYS = (
    *("board", TOROIDAL, NAMES, REGIONS, "values", "given", HIDDEN, symmetry.KEY),
    *OBJECTIVE_KEYS,
    *CLAUSES,
)


def read_grid(table: Table) -> tuple[Csp, str, Declared | None, Picture]:
    """The model of a table, the characters of its values, its symmetry, and the picture. Raises BadFile."""
    values = read_values(table)
    board = Board(table, values)
    read_drawn_regions(board, table)
    read_hidden(board, table)
    for key, read in CLAUSES.items():
        for clause in table.tables(key):
            read(board, clause)
    read_objective(board, table)
    with table.errors_at("board"):
        model = board.model()
    return (
        model,
        values.symbols_of(model.values),
        _symmetry(board, table, model),
        board.shown.picture(board.hidden_cells),
    )


def _symmetry(board: Board, table: Table, model: Csp) -> Declared | None:
    is_asked = symmetry.KEY in table
    if is_asked and board.hidden_cells:
        table.refuse(symmetry.KEY, "with hidden cells the symmetry is found in the rules; leave it out")
    is_large = csp_symmetry.size_of(model) > csp_symmetry.MAX_SIZE
    if is_large and is_asked:
        table.refuse(symmetry.KEY, "the puzzle is too large for a check of its symmetry; leave it out")
    has_motions = bool(board.turning) or (is_large and NAMES not in table)
    if not is_asked and (board.hidden_cells or not has_motions):
        return None
    texts = board.values.symbols or [str(number) for number in board.values.numbers]
    values = dict(zip(texts, board.values.numbers, strict=True))
    moved = _moved_domains(model) if is_large else partial(csp_symmetry.moved, model, CspGraph(model))
    movable = Movable(board.cells, values, "values", moved, partial(turned_values, board.turning))
    if is_large:  # given values may show that there is none
        return None if movable.motions().generators else Declared((), ())
    return read_symmetry(table, movable) if is_asked else movable.motions()


def _moved_domains(model: Csp) -> Moved:
    """As `csp_symmetry.moved`, but only the values that each cell may have are compared."""
    domains, _ = normal_form(model)
    index = {value: number for number, value in enumerate(model.values)}

    def moved(places: Sequence[int], images: Mapping[int, int]) -> AtomPermutation | None:
        if csp_symmetry.moved_literals(model, domains, places, images) is None:
            return None
        return tuple(place * len(index) + index[images.get(x, x)] for place in places for x in model.values)

    return moved
