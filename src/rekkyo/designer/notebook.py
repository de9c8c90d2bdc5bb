"""`rekkyo.design`: the design page in a notebook, with a message if its package is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Puzzle

if TYPE_CHECKING:
    from rekkyo.designer.widget import DesignWidget


def design(puzzle: Puzzle | str | Path = "") -> DesignWidget:
    """The page of `rekkyo design` as a widget of a notebook; its `puzzle` is the current puzzle.

    puzzle: a packing; a .toml file; the text of one; or nothing, to begin with an empty page. A file is not
    changed. Questions wait while a cell runs. Needs the extra package `rekkyo[notebook]`. Raises BadInput.
    """
    try:
        from rekkyo.designer.widget import widget_of
    except ImportError:
        raise BadInput("a design in a notebook needs more: pip install 'rekkyo[notebook]'") from None
    return widget_of(puzzle)
