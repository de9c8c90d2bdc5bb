"""Names that are too long for their place: shortened there, and listed in full under the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rekkyo.render.svg.markup import number, words
from rekkyo.render.svg.painting import Markup

LINE = 15.0
SIZE = 10.0
LETTER = 6.3
"""The largest average width of a letter of a legend."""

DOT = 14.0


class Entry(NamedTuple):
    """A line of a legend. fill: the colour of its dot, or empty for no dot."""

    text: str
    fill: str = ""


class Legend(NamedTuple):
    """The text under a drawing, and the size of drawing and legend together."""

    drawn: Markup
    width: float
    height: float


def entries_of(names: Sequence[str], short: Sequence[str]) -> list[Entry]:
    """A line for each name that was shortened."""
    pairs = dict(zip(names, short, strict=True))
    return [Entry(f"{mark} = {name}") for name, mark in pairs.items() if mark != name]


def fitting(size: float, texts: Sequence[str], width: float) -> float:
    """The size of letters, reduced if the longest text would be wider than `width`."""
    return min(size, width / (0.62 * max(map(len, texts), default=1) or 1))


def legend(entries: Sequence[Entry], width: float, top: float) -> Legend:
    """Entries in columns under a drawing of that width that ends at `top`."""
    if not entries:
        return Legend("", width, top)
    has_dots = any(entry.fill for entry in entries)
    step = 12 + DOT * has_dots + LETTER * max(len(entry.text) for entry in entries)
    columns = max(1, min(len(entries), int(width // step)))
    drawn = ""
    for k, entry in enumerate(entries):
        x, y = k % columns * step, top + LINE + k // columns * LINE
        if entry.fill:
            drawn += f'<circle cx="{number(x + 6)}" cy="{number(y)}" r="5" fill="{entry.fill}"/>'
        drawn += words(entry.text, (x + DOT * has_dots, y), SIZE, "rk-ink rk-start")
    height = top + LINE + -(-len(entries) // columns) * LINE
    return Legend(drawn, max(width, columns * step), height)
