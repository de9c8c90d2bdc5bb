"""The changes by name.

A change comes from the page, so everything in it is checked. Each function takes the text and returns the new
one. For undo and redo, the page keeps the texts.
"""

from __future__ import annotations

from collections.abc import Callable

from rekkyo.designer.edits import board, figure, grid, pieces
from rekkyo.designer.edits.fields import Change
from rekkyo.errors import BadInput, in_short

CHANGES: dict[str, Callable[[str, Change], str]] = {
    "new": board.new,
    "set": board.set_value,
    "text": board.replace,
    "paint": board.paint,
    "piece": pieces.piece,
    "times": pieces.times,
    "turn": pieces.turn,
    "place": pieces.place,
    "cage": grid.cage,
    "compare": grid.compare,
    "different": grid.different,
    "cell": figure.cell,
    "line": figure.line,
}


def changed(text: str, change: Change) -> str:
    """The text after one change. Raises BadInput."""
    do = CHANGES.get(str(change.get("do")))
    if do is None:
        raise BadInput(f'there is no change "{in_short(str(change.get("do")))}"')
    return do(text, change)
