"""Reads puzzles from TOML files. Files are data: nothing in them is evaluated.

    kind = "packing"            one of KINDS; a module for each kind describes its other keys
    title = "..."               any text of one line
    [published]                 counts to compare with: total, unique, source
    [family]                    parameters, for a file of many puzzles: `family.py`

`schema.json` describes the same for editors and other programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rekkyo.errors import BadInput, printable
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.export.puzzle_toml import coloring, cover, figure, graph, packing, queens, tiles, words
from rekkyo.export.puzzle_toml.beside import standing_alone
from rekkyo.export.puzzle_toml.document import NOTHING, Table, read_document
from rekkyo.export.puzzle_toml.family import Family, family_of, member
from rekkyo.export.puzzle_toml.grid import reader as grid
from rekkyo.export.puzzle_toml.symmetry import Declared
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.picture import Picture
from rekkyo.model.puzzle import SYMBOLS, Model, Published, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure
from rekkyo.wording import several

MAX_BYTES = 10 * 1024 * 1024
COMMON_KEYS = ("kind", "title", "published", "family")
COUNTS = ("total", "unique")
PUBLISHED_KEYS = (*COUNTS, "source")
LARGEST_COUNT = 10**60


class Reading(NamedTuple):
    """The result of reading a table. symbols: of its values in the compact form; title: may be empty.

    picture: what a drawing shows beyond the model. symmetry: what the file declares.
    """

    model: Model
    symbols: str = SYMBOLS
    title: str = ""
    picture: Picture | None = None
    symmetry: Declared | None = None


class Kind(NamedTuple):
    """A kind of puzzle file. instead: what to write for some keys that it does not have."""

    keys: tuple[str, ...]
    read: Callable[[Table], Reading]
    instead: Mapping[str, str] = NOTHING


def _model(read: Callable[[Table], Model]) -> Callable[[Table], Reading]:
    return lambda table: Reading(read(table))


def _more(read: Callable[[Table], tuple[Model, str, str, Picture | None]]) -> Callable[[Table], Reading]:
    return lambda table: Reading(*read(table))


def _coloring(table: Table) -> Reading:
    model, symbols, symmetry = coloring.read_coloring(table)
    return Reading(model, symbols, symmetry=symmetry)


def _words(table: Table) -> Reading:
    model, letters = words.read_words(table)
    return Reading(model, picture=letters)


def _grid(table: Table) -> Reading:
    model, symbols, symmetry, picture = grid.read_grid(table)
    return Reading(model, symbols, picture=picture, symmetry=symmetry)


KINDS: Mapping[str, Kind] = {
    "packing": Kind(packing.KEYS, _model(packing.read_packing)),
    "coloring": Kind(coloring.KEYS, _coloring),
    "figure": Kind(figure.KEYS, _more(figure.read_figure)),
    "cover": Kind(cover.KEYS, _model(cover.read_cover)),
    "queens": Kind(queens.KEYS, _model(queens.read_queens)),
    "tiles": Kind(tiles.KEYS, _model(tiles.read_tiles)),
    "words": Kind(words.KEYS, _words),
    "grid": Kind(grid.KEYS, _grid, grid.INSTEAD),
    "graph": Kind(graph.KEYS, _more(graph.read_graph)),
}


_GRIDS = (
    "sudoku killer-sudoku latin-square kakuro kenken futoshiki skyscrapers nonogram takuzu binairo"
    " minesweeper crossword cryptarithm star-battle slitherlink nurikabe heyawake hitori masyu fillomino tapa"
    " hidato numbrix"
)
_FINDS = {find: f'write find = "{find}"' for find in graph.FINDS if find != "colorings"} | graph.INSTEAD
KINDS_INSTEAD = {
    **{words: fix.replace("write", 'write kind = "graph" and', 1) for words, fix in _FINDS.items()},
    **dict.fromkeys(_GRIDS.split(), 'write kind = "grid" and the rules as clauses'),
    "word-search": 'write kind = "words"',
}
"""What to write for objects in graphs and for puzzles on grids, which are all of one kind of files each."""


def _kind_of(table: Table) -> Kind:
    return KINDS[table.choice("kind", list(KINDS), KINDS_INSTEAD)]


def read_toml_file(path: Path, values: Sequence[str] = ()) -> Puzzle:
    """The puzzle in a file of at most MAX_BYTES, with the symmetry that the file declares. Raises BadInput.

    values: of the parameters, if the file is a family.
    """
    return read_toml(decoded(read_bytes(path, MAX_BYTES), str(path)), str(path), path.parent, values)


def remarks_in_toml(path: Path, values: Sequence[str]) -> list[str]:
    """Lines about what may be a mistake in a file of a puzzle. Raises BadInput."""
    text = decoded(read_bytes(path, MAX_BYTES), str(path))
    table, *_ = member(_document(text, str(path), path.parent), values)
    _kind_of(table).read(table)
    return [line for _, line in sorted(table.document.remarks)]


def toml_alone(path: Path, values: Sequence[str]) -> str | None:
    """A self-contained text of the puzzle in a file; None if that is not possible. Raises BadInput."""
    text = decoded(read_bytes(path, MAX_BYTES), str(path))
    table, *_ = member(_document(text, str(path), path.parent), values)
    reading = _kind_of(table).read(table)
    alone = standing_alone(text, table.document)
    if alone is None:
        return None
    try:
        return alone if read_toml(alone, str(path), values=values).model == reading.model else None
    except BadInput:  # braces are parameters in a family, but not in a file of words
        return None


def read_toml_family(path: Path) -> tuple[Family, str, str] | None:
    """The family in a file, its title and the source of its counts; None for a file of one puzzle."""
    table = _document(decoded(read_bytes(path, MAX_BYTES), str(path)), str(path))
    family = family_of(table)
    if family is None:
        return None
    title = table.line_of_text("title", "a family of puzzles")
    return (
        family,
        title.replace("{", "").replace("}", ""),
        table.table("published").line_of_text("source", "the puzzle file"),
    )


def read_toml(text: str, name: str, folder: Path | None = None, values: Sequence[str] = ()) -> Puzzle:
    """The puzzle in a text; `name` is its name, also in messages. Raises BadInput.

    folder: of the files that the text names; without a folder, no files are read.
    values: of the parameters, if the text is a family.
    """
    table, family, values = member(_document(text, name, folder), values)
    if "kind" not in table:
        table.refuse_table(f'"kind" is missing; write kind = "packing", or another of {", ".join(KINDS)}')
    kind = _kind_of(table)
    table.check_keys([*COMMON_KEYS, *kind.keys], kind.instead)
    reading = kind.read(table)
    generators, motions = reading.symmetry or ((), None)
    return Puzzle(
        " ".join([name, *values]),
        reading.model,
        table.line_of_text("title", reading.title or described(reading.model)),
        generators,
        symbols=reading.symbols,
        published=_published(table, family, " ".join(values)),
        motions=motions,
        picture=reading.picture,
    )


def _document(text: str, name: str, folder: Path | None = None) -> Table:
    if len(text) > MAX_BYTES:
        raise BadInput(f"{printable(name)} has {len(text)} characters; at most {MAX_BYTES} are read")
    return read_document(text, printable(name), folder)


def described(model: Model) -> str:
    """A default title."""
    if isinstance(model, Packing):
        return f"{several(len(model.pieces), 'piece')} on a board of {several(len(model.board), 'cell')}"
    if isinstance(model, SumFigure):
        return f"A sum figure of {several(len(model.cells), 'cell')} and {several(len(model.lines), 'line')}"
    if isinstance(model, Queens):
        return several(model.n, "queen")
    if isinstance(model, ExactCover):
        n_items = len(model.primary) + len(model.secondary)
        return f"An exact cover of {several(n_items, 'item')} with {several(len(model.options), 'option')}"
    if isinstance(model, Csp):
        return f"{several(len(model.solution), 'cell')} with {several(len(model.values), 'value')}"
    return "A colouring"


def _published(table: Table, family: Family | None, values: str) -> Published | None:
    if "published" not in table:
        return None
    found = table.table("published")
    found.check_keys(PUBLISHED_KEYS)
    if not any(key in found for key in COUNTS):
        found.refuse_table("[published] has neither total nor unique; give one, or leave the table out")
    if family is None:
        counts = [found.whole(key, 0, LARGEST_COUNT) if key in found else None for key in COUNTS]
    else:
        counts = [_of_members(found, key, family).get(values) for key in COUNTS]
    source = found.line_of_text("source", "the puzzle file")
    return None if counts == [None, None] else Published(counts[0], counts[1], source)


def _of_members(found: Table, key: str, family: Family) -> dict[str, int]:
    """Published counts of a family, by the values of its parameters."""
    if key not in found:
        return {}
    found.value(key, dict, f"the count of each member, such as {key} = {{ 4 = 2 }}")
    counts = found.table(key)
    for values in counts.names():
        problem = family.problem_of(values)
        if problem is not None:
            counts.refuse(values, problem)
    return {values: counts.whole(values, 0, LARGEST_COUNT) for values in counts.names()}
