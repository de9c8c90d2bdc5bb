"""Files of BurrTools as shapes and problems: `.xmpuzzle`, XML that may be compressed with gzip.

Each cell of a shape is a mark, which the number of a colour may follow; the x coordinate changes fastest.
Groups of pieces are checked here, and have no effect on assemblies (see `burrtools`).
Source of the format: A. Röver's BurrTools, version 2 of its files (burrtools.sourceforge.net).
At most MAX_BYTES are decompressed.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from itertools import product
from string import digits

from rekkyo.errors import BadFile, in_short
from rekkyo.export.xml_files import XmlReader, check_unpacked
from rekkyo.model.lattices import Cell
from rekkyo.model.packing import MAX_CELLS, MAX_NAME

MAX_BYTES = 10 * 1024 * 1024
MAX_SHAPES = 1 << 12
MAX_MARKS = 1 << 20
"""The most marks of all shapes together, filled or not."""

MAX_ELEMENTS = 1 << 18
MAX_DEPTH = 32
MAX_COUNT = 1 << 16
GZIP = b"\x1f\x8b"
CUBES, SPHERES = "0", "2"
GRIDS = {"1": "triangular prisms", "3": "rhombic tetrahedra", "4": "tetrahedra and octahedra"}
FILLED, MAY_BE_EMPTY, NOTHING = "#", "+", "_"
MAX_COLOR = 63
NEUTRAL = ("", "0")
MAX_GROUP = 0xFFFF
ALL_COPIES = -1
"""In the place of the groups that a piece may be in: one was given for all copies."""

NO_LIMIT = 0xFFFFFFFF
"""The number of holes that the file means as any number."""

_MARK = re.compile(r"([#+_])([0-9]*)", re.ASCII)
SKIPPED = frozenset({"solutions", "comment", "assembler"})
"""Elements that are skipped, with any content, because they do not affect the puzzle."""


@dataclass(slots=True)
class Shape:
    """A shape of the file. cells: filled ones; optional: those marked `+`; colors: numbers from 1."""

    line: int
    name: str
    cells: set[Cell]
    optional: set[Cell]
    colors: dict[Cell, int]


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


class Reader(XmlReader):
    """Collects the shapes and problems that expat reports."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.open: list[str] = []
        self.n_elements = 0
        self.n_marks = 0
        self.n_colors = 0
        self.grid = CUBES
        self.groups: set[int] = set()
        self.shapes: list[Shape] = []
        self.problems: list[Problem] = []
        self.voxel: dict[str, str] = {}
        self.voxel_text: list[str] = []

    def read(self, content: bytes) -> None:
        """Read the XML. Raises BadFile."""
        self.parse(content)
        if not self.n_elements:
            self.refuse_at(1, "the file holds no puzzle")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Read the attributes of an element that affects the puzzle."""
        self.n_elements += 1
        if self.n_elements > MAX_ELEMENTS or len(self.open) >= MAX_DEPTH:
            self.refuse(f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep")
        path = (*self.open, tag)
        self.open.append(tag)
        if SKIPPED.intersection(self.open):
            return
        if len(path) == 1:
            self._check_root(tag, attributes)
        elif path == ("puzzle", "gridType"):
            self._check_grid(attributes)
        elif path == ("puzzle", "colors", "color"):
            self.n_colors += 1
        elif path == ("puzzle", "shapes", "voxel"):
            self.voxel, self.voxel_text = attributes, []
        elif path == ("puzzle", "problems", "problem"):
            self._open_problem(attributes)
        elif path == ("puzzle", "problems", "problem", "shapes", "shape"):
            self._use(attributes)
        elif path == ("puzzle", "problems", "problem", "shapes", "shape", "group"):
            self._check_group(attributes)
        elif path == ("puzzle", "problems", "problem", "bitmap", "pair"):
            self._add_pair(attributes)
        elif path == ("puzzle", "problems", "problem", "result"):
            problem = self.problems[-1]
            problem.result = self._number(attributes, "id", 0, 2**32)
            problem.result_line = self.parser.CurrentLineNumber

    def _check_root(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "puzzle":
            self.refuse(f'the file is "{in_short(tag)}", not a BurrTools puzzle, which begins with <puzzle>')
        version = attributes.get("version", "none")
        if version != "2":
            problem = f"version {in_short(version)} of the format is not read, only 2"
            self.refuse(f"{problem}; save it with BurrTools")

    def _check_grid(self, attributes: dict[str, str]) -> None:
        self.grid = attributes.get("type", CUBES)
        if self.grid not in (CUBES, SPHERES):
            what = GRIDS.get(self.grid, f"type {in_short(self.grid)}")
            self.refuse(f"a grid of {what} is not read, only cubes (type 0) and spheres (type 2)")

    def _open_problem(self, attributes: dict[str, str]) -> None:
        self.problems.append(Problem(self.parser.CurrentLineNumber, attributes.get("name", "")))
        if "maxHoles" in attributes:
            most = self._number(attributes, "maxHoles", 0, NO_LIMIT)
            self.problems[-1].max_holes = None if most == NO_LIMIT else most

    def _add_pair(self, attributes: dict[str, str]) -> None:
        piece, result = (self._number(attributes, key, 0, MAX_COLOR - 1) + 1 for key in ("piece", "result"))
        self.problems[-1].pairs.append((self.parser.CurrentLineNumber, piece, result))

    def _check_group(self, attributes: dict[str, str]) -> None:
        group = self._number(attributes, "group", 0, MAX_GROUP)
        self._number(attributes, "count", 0, MAX_COUNT)
        if group in self.groups or ALL_COPIES in self.groups:
            self.refuse("the groups of a piece contradict each other; name each group once")
        self.groups.add(group)

    def _use(self, attributes: dict[str, str]) -> None:
        number = self._number(attributes, "id", 0, MAX_SHAPES)
        # One group for all copies, or none, is said here; else an element for each group follows.
        group = self._number(attributes, "group", 0, MAX_GROUP) if "group" in attributes else 0
        self.groups = {ALL_COPIES} if group else set()
        if "count" in attributes or not attributes.keys() & {"min", "max"}:
            low = high = self._number({"count": "1"} | attributes, "count", 0, MAX_COUNT)
        else:
            low = self._number(attributes, "min", 0, MAX_COUNT)
            high = self._number(attributes, "max", 0, MAX_COUNT)
        if low > high:
            self.refuse(f"a shape is used {low} to {high} times; the lesser number is min")
        if any(number == used for _, used, _, _ in self.problems[-1].uses):
            self.refuse(f"shape {number} is named twice in the problem; name it once, with a count")
        self.problems[-1].uses.append((self.parser.CurrentLineNumber, number, low, high))

    def _number(self, attributes: dict[str, str], key: str, least: int, most: int) -> int:
        text = attributes.get(key, "")
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
            self.refuse(f'"{key}" is a whole number from {least} to {most}, not "{in_short(text)}"')
        return int(text)

    def text(self, text: str) -> None:
        """Keep the marks of a shape."""
        if self.open[-1:] == ["voxel"]:
            self.voxel_text.append(text)

    def end(self, tag: str) -> None:
        """Read the marks of a whole shape."""
        path = tuple(self.open)
        self.open.pop()
        if path == ("puzzle", "shapes", "voxel"):
            if len(self.shapes) == MAX_SHAPES:
                self.refuse(f"more than the {MAX_SHAPES} shapes that are read")
            self.shapes.append(self._shape("".join("".join(self.voxel_text).split())))

    def _shape(self, marks: str) -> Shape:
        sides = [self._number(self.voxel, key, 1, MAX_CELLS) for key in ("z", "y", "x")]
        n_cells = sides[0] * sides[1] * sides[2]
        n_marks = sum(map(marks.count, (FILLED, MAY_BE_EMPTY, NOTHING)))
        odd = _MARK.sub("", marks)
        if odd and odd[0] in digits:
            self.refuse("a number stands before the first mark; the colour of a cell follows its mark")
        if odd:
            self.refuse(f'"{in_short(odd[0])}" is none of the marks "#", "+" and "_"')
        if n_cells != n_marks:
            z, y, x = sides
            self.refuse(f"{x} x {y} x {z} is {n_cells} cells, but {n_marks} are marked")
        self.n_marks += n_cells
        if self.n_marks > MAX_MARKS:
            self.refuse(f"shapes of more than {MAX_MARKS} cells together are not read; make them smaller")
        # The x coordinate changes fastest in the text, and product() changes the last one fastest.
        marked = [
            (place, mark, color)
            for place, (mark, color) in zip(product(*map(range, sides)), _MARK.findall(marks), strict=True)
            if mark != NOTHING or color
        ]
        if self.grid == SPHERES and any(sum(place) % 2 for place, _, _ in marked):
            self.refuse("a sphere lies where x + y + z is odd; spheres lie where the sum is even")
        number = len(self.shapes) + 1
        return Shape(
            self.parser.CurrentLineNumber,
            self._name(self.voxel.get("name", ""), number),
            {place for place, mark, _ in marked if mark == FILLED},
            {place for place, mark, _ in marked if mark == MAY_BE_EMPTY},
            {place: self._color(mark, color) for place, mark, color in marked if color not in NEUTRAL},
        )

    def _color(self, mark: str, text: str) -> int:
        if mark == NOTHING:
            self.refuse(f"the colour {in_short(text)} follows the mark of an empty cell")
        if len(text) > 2 or not 1 <= int(text) <= MAX_COLOR:
            self.refuse(f"a colour is a number from 1 to {MAX_COLOR}, not {in_short(text)}")
        return int(text)

    def _name(self, name: str, number: int) -> str:
        """The name of a shape, reduced to a valid name of a piece; S and its number if it has none."""
        fitting = "".join("_" if mark in " ,:|" or not mark.isprintable() else mark for mark in name.strip())
        fitting = fitting[: MAX_NAME - 8] or f"S{number}"
        return fitting if all(fitting != shape.name for shape in self.shapes) else f"{fitting}#{number}"
