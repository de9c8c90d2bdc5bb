"""Colours in a terminal, by rich; none in a pipe, in a file, or with NO_COLOR."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rekkyo.export.text import Writer
    from rekkyo.model.puzzle import Puzzle

Style: TypeAlias = Callable[[str, str], str]
"""Makes a text on a background such as "#D55E00"."""

MOST_COLUMNS = 200


def columns() -> int:
    """The width of text for people, in columns."""
    return min(MOST_COLUMNS, shutil.get_terminal_size((80, 24)).columns)


def style_of_stdout() -> Style | None:
    """The style for colours on standard output; None if it shows no colours."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return None
    from rich.color import ColorSystem
    from rich.console import Console
    from rich.style import Style as RichStyle

    from rekkyo.render.svg.style import ink_on

    names = {
        "standard": ColorSystem.STANDARD,
        "256": ColorSystem.EIGHT_BIT,
        "truecolor": ColorSystem.TRUECOLOR,
        "windows": ColorSystem.WINDOWS,
    }
    found = names.get(Console().color_system or "")
    if found is None:
        return None

    def style(text: str, fill: str) -> str:
        ink = "#000000" if ink_on(fill) == "#000" else "#ffffff"
        return RichStyle(color=ink, bgcolor=fill).render(text, color_system=found)

    return style


def writer_for_people(format_name: str, puzzle: Puzzle) -> Writer:
    """The writer of a format; boards have colours if standard output shows them."""
    from rekkyo.export.text import writer
    from rekkyo.render.marks import colored_board

    style = style_of_stdout() if format_name == "board" else None
    if style is None:
        return writer(format_name, puzzle)
    return lambda rows: "".join(f"{colored_board(puzzle, row, style)}\n\n" for row in rows.tolist()).encode()
