"""Changes of a figure with sums: its cells and lines."""

from __future__ import annotations

from rekkyo.designer.drawn import figure_lines
from rekkyo.designer.edits.fields import LETTERS, Change, data_of, pair
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.writing import with_value


def cell(text: str, change: Change) -> str:
    """Draw a cell of a figure with the next free name, or remove it with the lines through it."""
    data = data_of(text)
    line, column = pair(change, "at")
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
        kept = [part for part in figure_lines(data) if name not in _cells(part)]
        text = with_value(text, ("lines",), "".join(f"{part}\n" for part in kept))
    return with_value(text, ("cells",), "".join(f"{row.rstrip()}\n" for row in rows))


def line(text: str, change: Change) -> str:
    """Add a line, such as `a b c` or `a < b`, or remove it if it is there.

    Lines of one cell are removed unless they have a sum.
    """
    wanted = change.get("line")
    if not isinstance(wanted, str) or len(wanted) >= 1000 or figure_lines({"lines": wanted}) != [wanted]:
        raise BadInput("a line names its cells")
    lines = figure_lines(data_of(text))
    left = [part for part in lines if part != wanted and ("=" in part or len(_cells(part)) > 1)]
    added = [] if wanted in lines else [wanted]
    return with_value(text, ("lines",), "".join(f"{part}\n" for part in [*left, *added]))


def _cells(part: str) -> list[str]:
    """The names in a line."""
    return part.partition("=")[0].replace("<", " ").split()
