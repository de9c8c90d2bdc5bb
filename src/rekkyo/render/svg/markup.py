"""Small parts of SVG as text: numbers, paths, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

CELL = 24.0
"""Units along the side of a square cell."""

Place: TypeAlias = tuple[float, float]
"""x to the right, y down, in units."""


def number(value: float) -> str:
    """A number with at most two decimals, in its shortest form."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(corners: Iterable[Place], *, closed: bool = True) -> str:
    """The path along corners."""
    points = [f"{number(x)} {number(y)}" for x, y in corners]
    return "M" + "L".join(points) + ("Z" if closed else "")


def square(x: float, y: float, side: float = CELL) -> str:
    """The path of a square by its upper left corner."""
    return rectangle(x, y, side, side)


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """The path of a rectangle by its upper left corner."""
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}Z"


def circle(middle: Place, radius: float) -> str:
    """The path of a circle."""
    (x, y), arc = middle, f"a{number(radius)} {number(radius)} 0 1 0"
    return f"M{number(x - radius)} {number(y)}{arc} {number(2 * radius)} 0{arc} -{number(2 * radius)} 0Z"


def grid(rows: int, columns: int, side: float = CELL) -> str:
    """The path of all lines between the cells of a board."""
    across = [f"M0 {number(row * side)}H{number(columns * side)}" for row in range(rows + 1)]
    down = [f"M{number(column * side)} 0V{number(rows * side)}" for column in range(columns + 1)]
    return "".join(across + down)


def drawn_path(d: str, kind: str, **attributes: str) -> str:
    """A path element of a class of `style`; nothing for an empty path."""
    return f'<path class="{kind}" d="{d}"{_written(attributes)}/>' if d else ""


def moved(drawn: str, x: float, y: float) -> str:
    """A drawing, moved to the right and down."""
    return f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>'


def words(text: str, place: Place, size: float, kind: str = "rk-ink", **attributes: str) -> str:
    """Text centred at a place."""
    x, y = place
    return (
        f'<text class="{kind}" x="{number(x)}" y="{number(y + 0.35 * size)}"'
        f' font-size="{number(size)}"{_written(attributes)}>'
        f"{shown(text)}</text>"
    )


def _written(attributes: dict[str, str]) -> str:
    return "".join(f" {name.replace('_', '-')}={quoteattr(value)}" for name, value in attributes.items())


def lozenge(start: Place, end: Place, share: float) -> str:
    """The path of a lozenge along a line, as a target for the pointer; its width is a share of the length."""
    (x1, y1), (x2, y2) = start, end
    across, down = (y2 - y1) * share / 2, (x1 - x2) * share / 2
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return path([start, (x + across, y + down), end, (x - across, y - down)])


def shown(text: str) -> str:
    """Text for use between tags: markup and characters that XML does not allow are escaped."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))


def middle(places: Sequence[Place]) -> Place:
    """The centre of gravity."""
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?[0-9.]+")


def bounds(d: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the corners of a path from this module; arcs are half circles."""
    places: list[Place] = []
    x = y = 0.0
    for command, text in _COMMAND.findall(d):
        numbers = [float(part) for part in _NUMBER.findall(text)]
        if command in "ML":
            x, y = numbers
        elif command in "hH":
            x = numbers[0] + (x if command == "h" else 0)
        elif command in "vV":
            y = numbers[0] + (y if command == "v" else 0)
        elif command == "a":  # radius radius 0 1 0 x y
            places += [(x + numbers[5] / 2, y - numbers[0]), (x + numbers[5] / 2, y + numbers[0])]
            x, y = x + numbers[5], y + numbers[6]
        places.append((x, y))
    across, down = zip(*places, strict=True)
    return min(across), min(down), max(across), max(down)
