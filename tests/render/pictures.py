"""What is drawn, read out of an SVG again: polygons with their areas and colours, circles, lines, words."""

from __future__ import annotations

import re
from math import dist
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
COMMAND = re.compile(r"([MLHVZhva])([^MLHVZhva]*)")
Place = tuple[float, float]


class Shape(NamedTuple):
    """A path with class and colour. loops: its corners; area: all loops together, holes taken away."""

    kind: str
    fill: str
    stroke: str
    loops: tuple[tuple[Place, ...], ...]

    @property
    def area(self) -> float:
        return abs(sum(map(signed_area, self.loops)))

    @property
    def middle(self) -> Place:
        corners = [corner for loop in self.loops for corner in loop]
        return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


class Text(NamedTuple):
    """Words and where they stand. fill: their colour, if they have one of their own."""

    text: str
    place: Place
    fill: str


def shapes(svg: str) -> list[Shape]:
    """All paths, in their order."""
    found = []
    for path in ElementTree.fromstring(svg).iter(f"{SVG}path"):
        loops = tuple(map(tuple, _loops(path.get("d", ""))))
        found.append(Shape(path.get("class", ""), path.get("fill", ""), path.get("stroke", ""), loops))
    return found


def texts(svg: str) -> list[Text]:
    """All words, each where its middle is."""
    found = []
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        size = float(text.get("font-size", "0"))
        place = float(text.get("x", "")), float(text.get("y", "")) - 0.35 * size
        found.append(Text(text.text or "", place, text.get("fill", "")))
    return found


def near(a: Place, b: Place, within: float = 0.02) -> bool:
    return dist(a, b) <= within


def signed_area(loop: tuple[Place, ...]) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)) / 2


def _loops(d: str) -> list[list[Place]]:
    loops: list[list[Place]] = []
    x = y = 0.0
    for command, text in COMMAND.findall(d):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
        if command == "M":
            x, y = numbers
            loops.append([(x, y)])
        elif command == "Z":
            continue
        else:
            if command == "L":
                pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
                loops[-1] += pairs[:-1]
                x, y = pairs[-1]
            elif command in "Hh":
                x = numbers[0] + (x if command == "h" else 0)
            elif command in "Vv":
                y = numbers[0] + (y if command == "v" else 0)
            elif command == "a":
                x, y = x + numbers[-2], y + numbers[-1]
            loops[-1].append((x, y))
    return loops
