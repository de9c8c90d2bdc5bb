"""Changes of the board of a packing or grid; a new puzzle, another text, and single values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rekkyo.designer.drawn import lattice_of
from rekkyo.designer.edits.fields import Change, choice, data_of, is_plain, numbers, spots_of, text_at
from rekkyo.designer.edits.grid import painted_grid
from rekkyo.designer.marks import Marks, home, moved, read_marks, shift_of, written
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.writing import with_value
from rekkyo.model.lattices import HEXAGON, LATTICES, TRIANGLE, Lattice
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.lattices.shapes import at_home

MAX_WHOLE = 1 << 18


def new(_text: str, change: Change) -> str:
    """A new puzzle. size: lines and columns, for cubes layers before them; 0 for an empty board."""
    kind = choice(change, "kind", ("packing", "grid", "figure"))
    size = numbers(change, "size", 0, 40)
    if kind == "packing":
        lattice = LATTICES[choice(change, "lattice", tuple(LATTICES))]
        spots = _box(lattice, size) if size and all(size) else {}
        board = written(spots, lattice, least=(1, 1, 1))
        cell = at_home(lattice, [lattice.kinds[0].residue])[0]
        piece = written(home({spot(lattice, cell): "#"}, lattice), lattice)
        head = f'kind = "packing"\ntitle = "A puzzle of my own"\nlattice = "{lattice.name}"\n'
        return f"{head}board = '''\n{board}'''\n\n[pieces]\nA = '''\n{piece}'''\n"
    if kind == "figure":
        return 'kind = "figure"\ntitle = "A figure of my own"\ncells = ""\nlines = ""\n'
    lines, columns = [*size, 9, 9][:2] if size and all(size) else (9, 9)
    board = f"{'.' * columns}\n" * lines
    return (
        f'kind = "grid"\ntitle = "A grid of my own"\nvalues = "1..{max(lines, columns)}"\n'
        f"board = '''\n{board}'''\n\n[[different]]\nregions = [\"rows\", \"columns\"]\n"
    )


def _box(lattice: Lattice, size: list[int]) -> Marks:
    """A board of the given size in lines and columns of characters."""
    layers, lines, columns = (
        ([1, *size] if len(size) == 2 else size)[:3] if len(size) > 1 else (1, size[0], size[0])
    )
    text = "\n".join(" ".join(["#" * columns] * layers) for _ in range(lines))
    if lattice.dimension == 3:
        return read_marks(text, lattice)
    board = "parallelogram" if lattice in (TRIANGLE, HEXAGON) else "rectangle"
    return read_marks(f"{board} {lines} {columns}", lattice)


def replace(_text: str, change: Change) -> str:
    """Another text."""
    found = change.get("text")
    if not isinstance(found, str) or len(found) > MAX_WHOLE:
        raise BadInput(f"a puzzle has at most {MAX_WHOLE} characters here")
    return found


def set_value(text: str, change: Change) -> str:
    """Set the value at a path: a text, a whole number, true or false, or a list of them; null removes it."""
    path = change.get("path")
    is_path = isinstance(path, list) and 0 < len(path) < 5 and all(type(part) in (str, int) for part in path)
    if not is_path or not is_plain(change.get("value")):
        raise BadInput("this value cannot be set")
    assert isinstance(path, list)
    return with_value(text, tuple(path), change.get("value"))


def paint(text: str, change: Change) -> str:
    """Put marks on the board, or on the drawing of what is given; null removes a mark. of: board or given."""
    data = data_of(text)
    key, mark = choice(change, "of", ("board", "given")), change.get("mark")
    if mark is not None and (not isinstance(mark, str) or len(mark) != 1 or not mark.isprintable()):
        raise BadInput("a mark is one character")
    spots = spots_of(change)
    if data.get("kind") == "grid":
        return painted_grid(text, data, key, spots, mark)
    lattice = lattice_of(data)
    drawings = _drawings(data, lattice)
    marks = drawings.setdefault((key,), {})
    for at in spots:
        if mark is None or mark in " .":
            marks.pop(at, None)
        else:
            marks[at] = mark
    shift = shift_of(lattice, [at for found in drawings.values() for at in found])
    for path, found in drawings.items():
        if path == (key,) or shift != (0, 0, 0):
            drawing = written(moved(found, shift), lattice) if found else None
            empty = written({}, lattice, least=(1, 1, 1)) if path == ("board",) else None
            text = with_value(text, path, drawing or empty)
    return text


def _drawings(data: Mapping[str, Any], lattice: Lattice) -> dict[tuple[str, ...], Marks]:
    """All drawings of the board, which are moved together."""
    only_on = data.get("only_on")
    names = only_on if isinstance(only_on, dict) else ()
    paths = [("board",), ("given",), *(("only_on", name) for name in names), ("colors", "board")]
    texts = [(path, text_at(data, *path)) for path in paths]
    return {path: read_marks(text, lattice) for path, text in texts if text is not None}
