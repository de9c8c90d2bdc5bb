"""What the page does to a puzzle: strokes and clicks as changes of the TOML text.

A change is what the page sent, so everything in it is checked. Each function takes the text and gives the new
one; undo and redo are the texts before and after, which the page keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from rekkyo.design.drawn import grid_marks, lattice_of
from rekkyo.design.marks import MAX_ACROSS, Marks, home, moved, read_marks, shift_of, written
from rekkyo.errors import BadInput, in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, read_document
from rekkyo.export.puzzle_toml.pieces import read_shapes
from rekkyo.export.puzzle_toml.times import REST
from rekkyo.export.puzzle_toml.writing import with_value
from rekkyo.model.lattices import LATTICES, Lattice
from rekkyo.model.lattices.drawing import Spot, spot
from rekkyo.model.lattices.lattice import applied
from rekkyo.model.lattices.shapes import at_home

Change = Mapping[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MAX_SPOTS = 1 << 12
MAX_TEXT = 1 << 16
MAX_WHOLE = 1 << 18


def changed(text: str, change: Change) -> str:
    """The text after one change. Raises BadInput."""
    do = CHANGES.get(str(change.get("do")))
    if do is None:
        raise BadInput(f'there is no change "{in_short(str(change.get("do")))}"')
    return do(text, change)


def _new(_text: str, change: Change) -> str:
    """A puzzle to begin with. size: lines and columns, for cubes layers before them; 0 for an empty board."""
    kind = _choice(change, "kind", ("packing", "grid", "figure"))
    size = _numbers(change, "size", 0, 40)
    if kind == "packing":
        lattice = LATTICES[_choice(change, "lattice", tuple(LATTICES))]
        spots = _box(lattice, size) if size and all(size) else {}
        board = written(spots, lattice, least=(1, 1, 1))
        piece = written(home(_first_cell(lattice), lattice), lattice)
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
    """A board of so many lines and columns of characters."""
    layers, lines, columns = (
        ([1, *size] if len(size) == 2 else size)[:3] if len(size) > 1 else (1, size[0], size[0])
    )
    text = "\n".join(" ".join(["#" * columns] * layers) for _ in range(lines))
    if lattice.dimension == 3:
        return read_marks(text, lattice)
    step = {"triangle": (1, 2), "hexagon": (1, 2)}.get(lattice.name)
    if step:
        return read_marks(f"parallelogram {lines} {columns}", lattice)
    return read_marks(f"rectangle {lines} {columns}", lattice)


def _first_cell(lattice: Lattice) -> Marks:
    return {spot(lattice, at_home(lattice, [lattice.kinds[0].residue])[0]): "#"}


def _replace(_text: str, change: Change) -> str:
    """Another text."""
    found = change.get("text")
    if not isinstance(found, str) or len(found) > MAX_WHOLE:
        raise BadInput(f"a puzzle has at most {MAX_WHOLE} characters here")
    return found


def _set(text: str, change: Change) -> str:
    """A value at a path: texts, whole numbers, true and false, lists of them; null takes it away."""
    path = change.get("path")
    is_path = isinstance(path, list) and 0 < len(path) < 5 and all(type(part) in (str, int) for part in path)
    if not is_path or not _is_plain(change.get("value")):
        raise BadInput("this value cannot be set")
    assert isinstance(path, list)
    return with_value(text, tuple(path), change.get("value"))


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= 64 and all(type(part) in (str, int) for part in value)
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    return value is None or (type(value) in (bool, int) and abs(value) < 1 << 53)


def _paint(text: str, change: Change) -> str:
    """Marks on the board, or on what is drawn on it again; null takes a mark away. of: board or given."""
    data = _data(text)
    key, mark = _choice(change, "of", ("board", "given")), change.get("mark")
    if mark is not None and (not isinstance(mark, str) or len(mark) != 1 or not mark.isprintable()):
        raise BadInput("a mark is one character")
    spots = _spots(change)
    if data.get("kind") == "grid":
        return _painted_grid(text, data, key, spots, mark)
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


def _drawings(data: Mapping[str, Any], lattice: Lattice) -> dict[tuple[str | int, ...], Marks]:
    """All drawings that lie on the board: they move together."""
    found: dict[tuple[str | int, ...], Marks] = {}
    for key in ("board", "given"):
        if isinstance(data.get(key), str):
            found[key,] = read_marks(data[key], lattice)
    only_on = data.get("only_on")
    for name, value in only_on.items() if isinstance(only_on, dict) else ():
        if isinstance(value, str):
            found["only_on", name] = read_marks(value, lattice)
    return found


def _painted_grid(text: str, data: Mapping[str, Any], key: str, spots: list[Spot], mark: str | None) -> str:
    """A grid: a point is a cell, and its drawings all have its lines."""
    blank = " " if "#" in str(data.get("values")) else "#"
    marks = grid_marks(str(data.get("board", "")), data.get("values"))
    if " " in str(data.get("given", "")).strip():
        raise BadInput("what is given is written as words, a line for each row; change it in the text")
    if key == "given" and isinstance(data.get("given"), str):
        given = {at: found for at, found in grid_marks(str(data["given"])).items() if found != "."}
        given |= dict.fromkeys(spots, mark or ".")
        return with_value(text, ("given",), _grid_text({at: given.get(at, ".") for at in marks}, blank))
    if any(min(at) < 0 for at in spots):
        raise BadInput("a grid grows to the right and below; its first line and column stay where they are")
    n_lines = 1 + max((line for _, line, _ in marks), default=-1)
    for at in spots:
        if mark is None:
            marks.pop(at, None)
        else:
            marks[at] = mark
    if not marks:
        raise BadInput("a grid has at least one cell")
    text = with_value(text, ("board",), _grid_text(marks, blank))
    if n_lines != (lines := 1 + max(line for _, line, _ in marks)):
        for number, clause in enumerate(data.get("cage", [])):
            regions = clause.get("regions") if isinstance(clause, dict) else None
            if isinstance(regions, str) and "\n" in regions:
                drawn = (regions.strip("\n").split("\n") + ["."] * lines)[:lines]
                text = with_value(text, ("cage", number, "regions"), "".join(f"{line}\n" for line in drawn))
    return text


def _grid_text(marks: Marks, blank: str = "#") -> str:
    """The drawing. blank: stands where there is no cell."""
    n_lines, n_columns = (1 + max(axis) for axis in list(zip(*marks, strict=True))[1:])
    if max(n_lines, n_columns) > MAX_ACROSS:
        raise BadInput(f"a board to paint on has at most {MAX_ACROSS} lines and columns")
    rows = (
        "".join(marks.get((0, line, column), blank) for column in range(n_columns)) for line in range(n_lines)
    )
    return "".join(f"{row.rstrip(blank) or blank}\n" for row in rows)


def _piece(text: str, change: Change) -> str:
    """A piece painted: its cells are the spots. A new one gets the next letter; without cells it goes."""
    data = _data(text)
    lattice = lattice_of(data)
    text, shapes = _named_pieces(text, lattice)
    name = change.get("name")
    if name is None:
        name = next((letter for letter in LETTERS if letter not in shapes), f"P{len(shapes)}")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        raise BadInput("this is no name of a piece")
    marks: Marks = dict.fromkeys(_spots(change), name if len(name) == 1 else "#")
    marks = home(marks, lattice)
    if not marks:
        for path in (("times", name), ("only_on", name), ("pieces", name)):
            text = with_value(text, path, None)
        return _without_given(text, lattice, name)
    return with_value(text, ("pieces", name), written(marks, lattice))


def _without_given(text: str, lattice: Lattice, name: str) -> str:
    given = _data(text).get("given")
    if not isinstance(given, str) or len(name) != 1:
        return text
    left = {at: mark for at, mark in read_marks(given, lattice).items() if mark != name}
    return with_value(text, ("given",), written(left, lattice) if left else None)


def _times(text: str, change: Change) -> str:
    """How often a piece is used, beside what is said of all others."""
    name, value = change.get("name"), change.get("value")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not _is_plain(value):
        raise BadInput("this is no number of times")
    said = _data(text).get("times", {})
    if isinstance(said, dict):
        return with_value(text, ("times", name), value)
    return with_value(text, ("times",), {REST: said, name: 1 if value is None else value})


def _turn(text: str, change: Change) -> str:
    """A piece turned by the next rotation of its lattice, or turned over. how: turn or flip."""
    lattice = lattice_of(_data(text))
    text, shapes = _named_pieces(text, lattice)
    name = _choice(change, "name", tuple(shapes))
    how = _choice(change, "how", ("turn", "flip"))
    matrices = lattice.rotations if how == "turn" else lattice.reflections
    number = change.get("number", 1)
    if type(number) is not int or not 0 <= number < 1 << 16:
        raise BadInput("a turn has a number")
    matrix = matrices[number % len(matrices)]
    cells = at_home(lattice, (applied(matrix, cell) for cell in shapes[name]))
    marks: Marks = {spot(lattice, cell): name if len(name) == 1 else "#" for cell in cells}
    return with_value(text, ("pieces", name), written(home(marks, lattice), lattice))


def _named_pieces(text: str, lattice: Lattice) -> tuple[str, dict[str, Any]]:
    """The text with a drawing for each piece, and the cells of each."""
    table = read_document(text, "puzzle.toml")
    if isinstance(table.data.get("pieces"), dict) and "polyforms" not in table.data:
        shapes: dict[str, Any] = {}
        for name in table.data["pieces"]:
            with suppress(BadInput):
                alone = type(table)(table.document, (), {"pieces": {name: table.data["pieces"][name]}})
                shapes |= read_shapes(alone, lattice, reflections=True)
        return text, shapes
    if "pieces" not in table.data and "polyforms" not in table.data:
        return text, {}
    shapes = read_shapes(table, lattice, reflections=table.flag("reflections", True))
    for key in ("pieces", "polyforms"):
        text = with_value(text, (key,), None)
    for name, cells in shapes.items():
        marks: Marks = {spot(lattice, cell): name if len(name) == 1 else "#" for cell in cells}
        text = with_value(text, ("pieces", name), written(home(marks, lattice), lattice))
    return text, shapes


def _cage(text: str, change: Change) -> str:
    """A cage of a grid: cells and a rule such as "sum 12"; without a rule the cages of these cells go."""
    data = _data(text)
    spots, rule = _spots(change), change.get("rule")
    board = grid_marks(str(data.get("board", "")), data.get("values"))
    cages = data.get("cage", [])
    number = next((k for k, clause in enumerate(cages) if "\n" in str(clause.get("regions", ""))), len(cages))
    clause = cages[number] if number < len(cages) else {}
    marks = {at: mark for at, mark in grid_marks(str(clause.get("regions", ""))).items() if mark != "."}
    taken = {marks[at] for at in spots if at in marks}
    marks = {at: mark for at, mark in marks.items() if mark not in taken and at in board}
    for name in taken:
        text = with_value(text, ("cage", number, name), None)
    words = str(clause.get("clues", "")).split()
    if words and taken:
        pairs = zip(words[::2], words[1::2], strict=False)
        left = [f"{name} {clue}" for name, clue in pairs if name not in taken]
        text = with_value(text, ("cage", number, "clues"), " ".join(left) or None)
    if rule is not None:
        if (
            not isinstance(rule, str)
            or not 0 < len(rule) < 60
            or any(at not in board for at in spots)
            or not spots
        ):
            raise BadInput("a cage has cells of the board and a rule, such as sum 12")
        free = (letter for letter in LETTERS if letter not in marks.values())
        new_name = next(free, "")
        if not new_name:
            raise BadInput(f"more than {len(LETTERS)} cages; write the others in the text")
        marks |= dict.fromkeys(spots, new_name)
    if not marks:
        return with_value(text, ("cage", number), None)
    drawing = _grid_text({at: marks.get(at, ".") for at in board})
    if rule is None:
        return with_value(text, ("cage", number, "regions"), drawing)
    text = with_value(text, ("cage", number, "regions"), drawing)
    return with_value(text, ("cage", number, new_name), rule)


def _compare(text: str, change: Change) -> str:
    """An order of cells of a grid, such as `0,0 < 0,1`; said again it goes."""
    wanted = change.get("line")
    if not isinstance(wanted, str) or not 0 < len(wanted) < 200 or not wanted.isprintable():
        raise BadInput("an order is one line, such as 0,0 < 0,1")
    clauses = _data(text).get("compare", [])
    lines = str(clauses[0].get("cells", "")).split("\n") if clauses else []
    known = [line.strip() for line in lines if line.strip()]
    left = [line for line in known if line != wanted] if wanted in known else [*known, wanted]
    if not left:
        return with_value(text, ("compare", 0), None)
    return with_value(text, ("compare", 0, "cells"), "".join(f"{line}\n" for line in left))


def _different(text: str, change: Change) -> str:
    """A named region whose cells differ, such as rows or boxes 3x3; said again it goes."""
    name = change.get("name")
    if not isinstance(name, str) or not 0 < len(name) < 40:
        raise BadInput("this is no name of regions")
    clauses = _data(text).get("different", [])
    found: Any = clauses[0].get("regions", []) if clauses else []
    names = list(found) if isinstance(found, list) else [found]
    names = [known for known in names if known != name] if name in names else [*names, name]
    if not names and clauses:
        return with_value(text, ("different", 0), None)
    return with_value(text, ("different", 0, "regions"), names)


def _cell(text: str, change: Change) -> str:
    """A cell of a figure is drawn with the next free name, or taken away with the lines through it."""
    data = _data(text)
    line, column = _pair(change, "at")
    if max(line, column) > MAX_ACROSS:
        raise BadInput("a figure has not so many cells")
    rows = [row.rstrip("\r") for row in str(data.get("cells", "")).strip("\n").split("\n")]
    rows += [""] * (line + 1 - len(rows))
    names = {name for row in rows for name in row.split()}
    row = rows[line].ljust(column + 1)
    if row[column] == " ":
        name = next((letter for letter in LETTERS[26:] + LETTERS[:26] if letter not in names), None)
        if name is None:
            raise BadInput("no letter is left for another cell; draw the others in the text")
        rows[line] = row[:column] + name + row[column + 1 :]
    else:
        start = row.rfind(" ", 0, column) + 1
        name = row[start:].split()[0]
        rows[line] = row[:start] + " " * len(name) + row[start + len(name) :]
        kept = [part for part in _lines(data) if name not in part.replace("<", " ").replace("=", " ").split()]
        text = with_value(text, ("lines",), "".join(f"{part}\n" for part in kept))
    return with_value(text, ("cells",), "".join(f"{row.rstrip()}\n" for row in rows))


def _line(text: str, change: Change) -> str:
    """A line of a figure, such as `a b c` or `a < b`; said again it goes. A line of one cell gives way."""
    wanted = change.get("line")
    if not isinstance(wanted, str) or not 0 < len(wanted) < 1000 or "\n" in wanted or ";" in wanted:
        raise BadInput("a line names its cells")
    lines = _lines(_data(text))
    left = [part for part in lines if part != wanted and len(part.split()) > 1]
    added = [] if wanted in lines else [wanted]
    return with_value(text, ("lines",), "".join(f"{part}\n" for part in [*left, *added]))


def _lines(data: Mapping[str, Any]) -> list[str]:
    return [
        part.strip() for part in str(data.get("lines", "")).replace(";", "\n").split("\n") if part.strip()
    ]


def _data(text: str) -> dict[str, Any]:
    data = read_document(text, "puzzle.toml").data
    if "family" in data:
        raise BadInput("a family of puzzles is changed in the text")
    for key in ("cage", "compare", "different"):
        if not all(isinstance(clause, dict) for clause in data.get(key) or []):
            raise BadInput(f"[[{key}]] is changed in the text")
    return data


def _choice(change: Change, key: str, known: tuple[str, ...]) -> str:
    found = change.get(key)
    if not isinstance(found, str) or found not in known:
        raise BadInput(f"{key} is one of {', '.join(known[:12])}")
    return found


def _numbers(change: Change, key: str, least: int, most: int) -> list[int]:
    found = change.get(key, [])
    if (
        not isinstance(found, list)
        or len(found) > 3
        or not all(type(n) is int and least <= n <= most for n in found)
    ):
        raise BadInput(f"{key} is up to three whole numbers from {least} to {most}")
    return found


def _pair(change: Change, key: str) -> tuple[int, int]:
    found = _numbers(change, key, 0, MAX_ACROSS)
    if len(found) != 2:
        raise BadInput(f"{key} is a line and a column")
    return found[0], found[1]


def _spots(change: Change) -> list[Spot]:
    found = change.get("spots", [])
    if not isinstance(found, list) or len(found) > MAX_SPOTS:
        raise BadInput(f"at most {MAX_SPOTS} cells are changed at once")
    for at in found:
        is_spot = (
            isinstance(at, list) and len(at) == 3 and all(type(n) is int and abs(n) <= MAX_ACROSS for n in at)
        )
        if not is_spot:
            raise BadInput("a cell is a layer, a line and a column")
    return [(at[0], at[1], at[2]) for at in found]


CHANGES: dict[str, Callable[[str, Change], str]] = {
    "new": _new,
    "set": _set,
    "text": _replace,
    "paint": _paint,
    "piece": _piece,
    "times": _times,
    "turn": _turn,
    "cage": _cage,
    "compare": _compare,
    "different": _different,
    "cell": _cell,
    "line": _line,
}
