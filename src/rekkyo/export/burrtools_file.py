"""Files of BurrTools as shapes and problems: `.xmpuzzle`, XML that may be compressed with gzip.

Each cell of a shape is a mark, which the number of a colour may follow; the x coordinate changes fastest.
Groups of pieces are checked here, and have no effect on assemblies (see `burrtools`).
Source of the format: A. Röver's BurrTools, version 2 of its files (burrtools.sourceforge.net).
At most MAX_BYTES are decompressed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, count, product
from string import digits
from typing import NoReturn

from rekkyo.errors import BadFile, in_short
from rekkyo.export.burrtools_grids import GRIDS, PLACES, cell_of
from rekkyo.export.xml_files import Element, check_unpacked, read_xml
from rekkyo.model.lattices import CUBE
from rekkyo.model.lattices.drawing import Spot
from rekkyo.model.packing import MAX_CELLS, MAX_NAME

MAX_BYTES = 10 * 1024 * 1024
MAX_SHAPES = 1 << 12
MAX_MARKS = 1 << 20
"""The most marks of all shapes together, filled or not."""

MAX_COUNT = 1 << 16
GZIP = b"\x1f\x8b"
FILLED, MAY_BE_EMPTY, NOTHING = "#", "+", "_"
MAX_COLOR = 63
NEUTRAL = ("", "0")
MAX_GROUP = 0xFFFF
NO_LIMIT = 0xFFFFFFFF
"""The number of holes that the file means as any number."""

_MARK = re.compile(r"([#+_])([0-9]*)", re.ASCII)


@dataclass(slots=True)
class Shape:
    """A shape of the file by places (z, y, x).

    cells: filled ones; optional: those marked `+`; colors: numbers from 1.
    """

    line: int
    name: str
    cells: set[Spot]
    optional: set[Spot]
    colors: dict[Spot, int]


@dataclass(slots=True)
class Problem:
    """uses: (line, number of the shape, low, high); result: number of the shape to be made.

    pairs: (line, colour of a piece, colour of the result) that fit, from 1. max_holes: None without a bound.
    """

    line: int
    name: str = ""
    uses: list[tuple[int, int, int, int]] = field(default_factory=list)
    result: int | None = None
    result_line: int = 0
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    max_holes: int | None = None


def decompressed(content: bytes, name: str) -> bytes:
    """The XML in the content of a file. Raises BadFile."""
    if not content.startswith(GZIP):
        return content
    unzip = zlib.decompressobj(wbits=31)
    try:
        plain = unzip.decompress(content, MAX_BYTES + 1)
    except zlib.error:
        raise BadFile(
            f"{name}:1:1: the file is compressed, but cannot be decompressed; is it whole?"
        ) from None
    check_unpacked(f"{name}:1:1", plain, MAX_BYTES, unzip.eof)
    return plain


def _in_utf8(plain: bytes) -> bytes:
    """The XML, which BurrTools has also written as Latin-1 without a declaration of it."""
    declaration, _, _ = plain.partition(b"?>")
    if not plain.startswith(b"<") or b"encoding" in declaration:
        return plain
    try:
        plain.decode()
    except UnicodeDecodeError:
        return plain.decode("latin-1").encode()
    return plain


class Reader:
    """The shapes and problems in the content of a file. Raises BadFile."""

    def __init__(self, content: bytes, name: str) -> None:
        self._name = name
        root = read_xml(_in_utf8(decompressed(content, name)), name, _problem_of_root)
        self._n_marks = 0
        self.grid = CUBE
        for element in root.all("gridType"):
            self._read_grid(element)
        self.n_colors = len(root.inside("colors", "color"))
        self.shapes: list[Shape] = []
        for element in root.inside("shapes", "voxel"):
            self.shapes.append(self._shape(element))
        self.problems = [self._problem(element) for element in root.inside("problems", "problem")]

    def refuse_at(self, line: int, problem: str, column: int = 1) -> NoReturn:
        """Raise BadFile for a problem on a line."""
        raise BadFile(f"{self._name}:{line}:{column}: {problem}") from None

    def _refuse(self, element: Element, problem: str) -> NoReturn:
        self.refuse_at(element.line, problem, element.column)

    def _read_grid(self, element: Element) -> None:
        number = element.attributes.get("type", "0")
        if number not in GRIDS:
            self._refuse(
                element, f"a grid of type {in_short(number)} is not read, only types 0 to {len(GRIDS) - 1}"
            )
        self.grid = GRIDS[number]

    def _problem(self, element: Element) -> Problem:
        problem = Problem(element.line, element.attributes.get("name", ""))
        if "maxHoles" in element.attributes:
            most = self._number(element, "maxHoles", 0, NO_LIMIT)
            problem.max_holes = None if most == NO_LIMIT else most
        for use in element.inside("shapes", "shape"):
            self._add_use(problem, use)
        for made in element.all("result"):
            problem.result = self._number(made, "id", 0, 2**32)
            problem.result_line = made.line
        for pair in element.inside("bitmap", "pair"):
            piece, result = (self._number(pair, key, 0, MAX_COLOR - 1) + 1 for key in ("piece", "result"))
            problem.pairs.append((pair.line, piece, result))
        return problem

    def _add_use(self, problem: Problem, use: Element) -> None:
        number = self._number(use, "id", 0, MAX_SHAPES)
        self._check_groups(use)
        if "count" in use.attributes or not use.attributes.keys() & {"min", "max"}:
            low = high = self._number(use, "count", 0, MAX_COUNT, default="1")
        else:
            low = self._number(use, "min", 0, MAX_COUNT)
            high = self._number(use, "max", 0, MAX_COUNT)
        if low > high:
            self._refuse(use, f"a shape is used {low} to {high} times; the lesser number is min")
        if any(number == used for _, used, _, _ in problem.uses):
            self._refuse(use, f"shape {number} is named twice in the problem; name it once, with a count")
        problem.uses.append((use.line, number, low, high))

    def _check_groups(self, use: Element) -> None:
        """One group for all copies is an attribute of a use; else it has an element for each group."""
        is_for_all = self._number(use, "group", 0, MAX_GROUP, default="0") > 0
        groups: set[int] = set()
        for element in use.all("group"):
            group = self._number(element, "group", 0, MAX_GROUP)
            self._number(element, "count", 0, MAX_COUNT)
            if is_for_all or group in groups:
                self._refuse(element, "the groups of a piece contradict each other; name each group once")
            groups.add(group)

    def _number(self, element: Element, key: str, least: int, most: int, default: str = "") -> int:
        text = element.attributes.get(key, default)
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
            known = f"a whole number from {least} to {most}"
            self._refuse(element, f'"{key}" is {known}, not "{in_short(text)}"')
        return int(text)

    def _shape(self, voxel: Element) -> Shape:
        number = len(self.shapes) + 1
        if number > MAX_SHAPES:
            self._refuse(voxel, f"more than the {MAX_SHAPES} shapes that are read")
        marks = "".join(voxel.text.split())
        sides = [self._number(voxel, key, 1, MAX_CELLS) for key in ("z", "y", "x")]
        n_cells = sides[0] * sides[1] * sides[2]
        n_marks = sum(map(marks.count, (FILLED, MAY_BE_EMPTY, NOTHING)))
        odd = _MARK.sub("", marks)
        if odd and odd[0] in digits:
            problem = "a number stands before the first mark; the colour of a cell follows its mark"
            self._refuse(voxel, problem)
        if odd:
            self._refuse(voxel, f'"{in_short(odd[0])}" is none of the marks "#", "+" and "_"')
        if n_cells != n_marks:
            z, y, x = sides
            self._refuse(voxel, f"{x} x {y} x {z} is {n_cells} cells, but {n_marks} are marked")
        self._n_marks += n_cells
        if self._n_marks > MAX_MARKS:
            problem = f"shapes of more than {MAX_MARKS} cells together are not read; make them smaller"
            self._refuse(voxel, problem)
        # The x coordinate changes fastest in the text, and product() changes the last one fastest.
        marked = [
            ((z, y, x), mark, color)
            for (z, y, x), (mark, color) in zip(
                product(*map(range, sides)), _MARK.findall(marks), strict=True
            )
            if mark != NOTHING or color
        ]
        for (z, y, x), _, _ in marked:
            if cell_of(self.grid, (z, y, x)) is None:
                where = f"a cell lies at x = {x}, y = {y}, z = {z}, where the grid has none"
                self._refuse(voxel, f"{where}; {PLACES[self.grid]}")
        return Shape(
            voxel.line,
            self._name_of(voxel.attributes.get("name", ""), number),
            {place for place, mark, _ in marked if mark == FILLED},
            {place for place, mark, _ in marked if mark == MAY_BE_EMPTY},
            {place: self._color(voxel, mark, color) for place, mark, color in marked if color not in NEUTRAL},
        )

    def _color(self, voxel: Element, mark: str, text: str) -> int:
        if mark == NOTHING:
            self._refuse(voxel, f"the colour {in_short(text)} follows the mark of an empty cell")
        if len(text) > 2 or not 1 <= int(text) <= MAX_COLOR:
            self._refuse(voxel, f"a colour is a number from 1 to {MAX_COLOR}, not {in_short(text)}")
        return int(text)

    def _name_of(self, name: str, number: int) -> str:
        """The name of a shape, reduced to a valid name of a piece; S and its number if it has none."""
        fitting = "".join("_" if mark in " ,:|" or not mark.isprintable() else mark for mark in name.strip())
        fitting = fitting[: MAX_NAME - 8] or f"S{number}"
        known = {shape.name for shape in self.shapes}
        names = chain((fitting,), (f"{fitting}#{n}" for n in count(number)))
        return next(name for name in names if name not in known)


def _problem_of_root(tag: str, attributes: Mapping[str, str]) -> str | None:
    if tag != "puzzle":
        return f'the file is "{in_short(tag)}", not a BurrTools puzzle, which begins with <puzzle>'
    version = attributes.get("version", "none")
    if version != "2":
        return f"version {in_short(version)} of the format is not read, only 2; save it with BurrTools"
    return None
