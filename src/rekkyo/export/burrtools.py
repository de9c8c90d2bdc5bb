"""Packings in files of BurrTools: `.xmpuzzle`, XML that may be compressed with gzip.

The reader accepts cubic puzzles (grid type 0); if a file has several problems, the caller chooses one, from
1. If the shape to be made and every piece are one unit thick, the packing is flat and pieces may be turned
over; else it is on the cubic lattice, and pieces are never replaced by mirror images. Cells marked `+` in the
shape to be made may stay empty. Assemblies are counted, even if the pieces cannot be moved there.
Refused: other grids, cells with colours, wildcard cells in pieces; in the chosen problem also groups of
pieces and a greatest number of holes.
Source of the format: A. Röver's BurrTools, version 2 of its files (burrtools.sourceforge.net).
`expat` reads the XML without any entities, and at most MAX_BYTES of it are decompressed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from rekkyo.errors import BadFile, BadInput, in_short, printable
from rekkyo.export.bounded import read_bytes
from rekkyo.model.lattices import CUBE, SQUARE, Cell
from rekkyo.model.packing import MAX_CELLS, MAX_NAME, Packing, Piece
from rekkyo.model.puzzle import Puzzle
from rekkyo.wording import several

MAX_BYTES = 10 * 1024 * 1024
MAX_SHAPES = 1 << 12
MAX_MARKS = 1 << 20
"""The most marks of all shapes together, filled or not."""

MAX_ELEMENTS = 1 << 18
MAX_DEPTH = 32
MAX_COUNT = 1 << 16
MAX_LISTED = 20
"""The most problems that a message lists."""

GZIP = b"\x1f\x8b"
GRIDS = {"1": "triangular prisms", "2": "spheres", "3": "rhombic tetrahedra", "4": "tetrahedra and octahedra"}
FILLED, MAY_BE_EMPTY, NOTHING = "#", "+", "_"
SKIPPED = frozenset({"solutions", "bitmap", "comment"})
"""Elements that are skipped, with any content, because they do not affect the puzzle."""


@dataclass(slots=True)
class _Shape:
    """A shape of the file. cells: filled ones; optional: those marked `+`."""

    line: int
    name: str
    cells: set[Cell]
    optional: set[Cell]


@dataclass(slots=True)
class _Problem:
    """uses: (line, number of the shape, low, high); result: number of the shape to be made.

    trouble: a part that cannot be read, and its line, if any.
    """

    line: int
    name: str = ""
    uses: list[tuple[int, int, int, int]] = field(default_factory=list)
    result: int | None = None
    result_line: int = 0
    trouble: BadFile | None = None


def read_burrtools_file(path: Path, problem: int | None = None) -> Puzzle:
    """The puzzle in a file, without any symmetry. problem: which of several, from 1. Raises BadInput."""
    return read_burrtools(read_bytes(path, MAX_BYTES), str(path), problem)


def read_burrtools(content: bytes, name: str, problem: int | None = None) -> Puzzle:
    """The puzzle in the content of a file; `name` names it. Raises BadInput."""
    reader = _Reader(printable(name))
    reader.read(_decompressed(content, printable(name)))
    model = reader.packing(problem)
    name = name if problem is None else f"{name}#{problem}"
    pieces, cells = several(len(model.pieces), "piece"), several(len(model.board), "cell")
    title = f"{pieces} on a board of {cells}, from BurrTools"
    return Puzzle(name, model, title)


def _decompressed(content: bytes, name: str) -> bytes:
    if not content.startswith(GZIP):
        return content
    unzip = zlib.decompressobj(wbits=31)
    try:
        plain = unzip.decompress(content, MAX_BYTES + 1)
    except zlib.error:
        raise BadFile(
            f"{name}:1:1: the file is compressed, but cannot be decompressed; is it whole?"
        ) from None
    if len(plain) > MAX_BYTES:
        raise BadFile(
            f"{name}:1:1: decompressed it has more than {MAX_BYTES} bytes; at most so many are read"
        )
    if not unzip.eof:
        raise BadFile(f"{name}:1:1: the compressed file ends too early; save it again")
    return plain


class _Reader:
    """Collects the shapes and problems that expat reports."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate()
        self.open: list[str] = []
        self.n_elements = 0
        self.n_marks = 0
        self.shapes: list[_Shape] = []
        self.problems: list[_Problem] = []
        self.voxel: dict[str, str] = {}
        self.voxel_text: list[str] = []

    def read(self, content: bytes) -> None:
        parser = self.parser
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(content, True)
        except expat.ExpatError as problem:
            said = expat.errors.messages.get(problem.code, "")
            self._refuse_at(problem.lineno, f"this is not XML: {said or 'unreadable'}", problem.offset + 1)
        except (ValueError, LookupError):  # an encoding that Python does not know
            self._refuse("this is not XML: its encoding is not known; save it as UTF-8")
        if not self.n_elements:
            self._refuse_at(1, "the file holds no puzzle")

    def _refuse_at(self, line: int, problem: str, column: int = 1) -> NoReturn:
        raise BadFile(f"{self.name}:{line}:{column}: {problem}") from None

    def _refuse(self, problem: str) -> NoReturn:
        parser = self.parser
        self._refuse_at(parser.CurrentLineNumber, problem, parser.CurrentColumnNumber + 1)

    def _mark(self, problem: str) -> None:
        """Store a part of the current problem that cannot be read: the problem is refused only if it is
        chosen.
        """
        try:
            self._refuse(problem)
        except BadFile as trouble:
            self.problems[-1].trouble = self.problems[-1].trouble or trouble

    def _refuse_doctype(self, *_: object) -> None:
        self._refuse("a document type is not read, because it could define entities; leave it out")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.n_elements += 1
        if self.n_elements > MAX_ELEMENTS or len(self.open) >= MAX_DEPTH:
            self._refuse(f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep")
        path = (*self.open, tag)
        self.open.append(tag)
        if SKIPPED.intersection(self.open):
            return
        if len(path) == 1:
            self._check_root(tag, attributes)
        elif path == ("puzzle", "gridType"):
            self._check_grid(attributes)
        elif path == ("puzzle", "shapes", "voxel"):
            self.voxel, self.voxel_text = attributes, []
        elif path == ("puzzle", "problems", "problem"):
            self._open_problem(attributes)
        elif self.problems and (path[-2:] == ("shape", "group") or "group" in attributes):
            self._mark("groups of pieces are not read; take them out of the puzzle in BurrTools")
        elif path == ("puzzle", "problems", "problem", "shapes", "shape"):
            self._use(attributes)
        elif path == ("puzzle", "problems", "problem", "result"):
            problem = self.problems[-1]
            problem.result = self._number(attributes, "id", 0, 2**32)
            problem.result_line = self.parser.CurrentLineNumber

    def _check_root(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "puzzle":
            self._refuse(f'the file is "{in_short(tag)}", not a BurrTools puzzle, which begins with <puzzle>')
        version = attributes.get("version", "none")
        if version != "2":
            problem = f"version {in_short(version)} of the format is not read, only 2"
            self._refuse(f"{problem}; save it with BurrTools")

    def _check_grid(self, attributes: dict[str, str]) -> None:
        grid = attributes.get("type", "0")
        if grid != "0":
            what = GRIDS.get(grid, f"type {in_short(grid)}")
            self._refuse(f"a grid of {what} is not read, only cubes (type 0)")

    def _open_problem(self, attributes: dict[str, str]) -> None:
        self.problems.append(_Problem(self.parser.CurrentLineNumber, attributes.get("name", "")))
        if "maxHoles" in attributes:
            self._mark("a greatest number of holes is not read; take it out of the problem in BurrTools")

    def _use(self, attributes: dict[str, str]) -> None:
        number = self._number(attributes, "id", 0, MAX_SHAPES)
        if "count" in attributes:
            low = high = self._number(attributes, "count", 0, MAX_COUNT)
        else:
            low = self._number(attributes, "min", 0, MAX_COUNT)
            high = self._number(attributes, "max", 0, MAX_COUNT)
        if low > high:
            self._refuse(f"a shape is used {low} to {high} times; the lesser number is min")
        if any(number == used for _, used, _, _ in self.problems[-1].uses):
            self._refuse(f"shape {number} is named twice in the problem; name it once, with a count")
        self.problems[-1].uses.append((self.parser.CurrentLineNumber, number, low, high))

    def _number(self, attributes: dict[str, str], key: str, least: int, most: int) -> int:
        text = attributes.get(key, "")
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
            self._refuse(f'"{key}" is a whole number from {least} to {most}, not "{in_short(text)}"')
        return int(text)

    def _text(self, text: str) -> None:
        if self.open[-1:] == ["voxel"]:
            self.voxel_text.append(text)

    def _end(self, tag: str) -> None:
        path = tuple(self.open)
        self.open.pop()
        if path == ("puzzle", "shapes", "voxel"):
            if len(self.shapes) == MAX_SHAPES:
                self._refuse(f"more than the {MAX_SHAPES} shapes that are read")
            self.shapes.append(self._shape("".join("".join(self.voxel_text).split())))

    def _shape(self, marks: str) -> _Shape:
        sides = [self._number(self.voxel, key, 1, MAX_CELLS) for key in ("z", "y", "x")]
        n_marks = sides[0] * sides[1] * sides[2]
        odd = next((mark for mark in marks if mark not in (FILLED, MAY_BE_EMPTY, NOTHING)), None)
        if odd is not None:
            if odd.isascii() and odd.isdigit():
                self._refuse("colours of cells are not read; take them out of the puzzle in BurrTools")
            self._refuse(f'"{in_short(odd)}" is none of the marks "#", "+" and "_"')
        if n_marks != len(marks):
            z, y, x = sides
            self._refuse(f"{x} x {y} x {z} is {n_marks} cells, but {len(marks)} are marked")
        self.n_marks += n_marks
        if self.n_marks > MAX_MARKS:
            self._refuse(f"shapes of more than {MAX_MARKS} cells together are not read; make them smaller")
        # The x coordinate changes fastest in the text, and product() changes the last one fastest.
        places = product(*map(range, sides))
        marked = [(place, mark) for place, mark in zip(places, marks, strict=True) if mark != NOTHING]
        number = len(self.shapes) + 1
        return _Shape(
            self.parser.CurrentLineNumber,
            self._name(self.voxel.get("name", ""), number),
            {place for place, mark in marked if mark == FILLED},
            {place for place, mark in marked if mark == MAY_BE_EMPTY},
        )

    def _name(self, name: str, number: int) -> str:
        """The name of a shape, reduced to a valid name of a piece; S and its number if it has none."""
        fitting = "".join("_" if mark in " ,:|" or not mark.isprintable() else mark for mark in name.strip())
        fitting = fitting[: MAX_NAME - 8] or f"S{number}"
        return fitting if all(fitting != shape.name for shape in self.shapes) else f"{fitting}#{number}"

    def _asked_for(self, number: int | None) -> _Problem:
        """The problem with a number from 1; without a number, the only problem."""
        if not self.problems:
            self._refuse_at(1, "the puzzle has no problem, which would name the pieces among its shapes")
        if number is None and len(self.problems) > 1:
            count = f"the puzzle has {len(self.problems)} problems"
            self._refuse_at(self.problems[1].line, f"{count}; name one by {self._listed()}")
        if number is not None and not 1 <= number <= len(self.problems):
            self._refuse_at(1, f"there is no problem {number}; name one by {self._listed()}")
        problem = self.problems[(number or 1) - 1]
        if problem.trouble is not None:
            raise problem.trouble
        return problem

    def _listed(self) -> str:
        """The suffix of the file name for each problem."""
        names = [
            f"#{number}" + (f' for "{in_short(problem.name)}"' if problem.name else "")
            for number, problem in enumerate(self.problems[:MAX_LISTED], start=1)
        ]
        return ", ".join(names) + (", ..." if len(self.problems) > MAX_LISTED else "")

    def packing(self, number: int | None) -> Packing:
        """The model of a problem that was read, by its number from 1."""
        problem = self._asked_for(number)
        if problem.result is None or not problem.result < len(self.shapes):
            line = problem.result_line or problem.line
            self._refuse_at(line, "the problem does not say what is to be made")
        result = self.shapes[problem.result]
        pieces = [self._piece(problem, *use) for use in problem.uses if use[3] > 0]
        optional = _optional(result, pieces)
        filled = bool(result.cells) or not optional
        board = frozenset(result.cells | result.optional)
        if not board or not pieces:
            self._refuse_at(problem.line, "the problem has no pieces, or makes a shape without cells")
        flat = all(len({cell[0] for cell in cells}) == 1 for cells in (board, *(p.cells for p in pieces)))
        if flat:
            board, optional = (frozenset(cell[1:] for cell in cells) for cells in (board, optional))
            pieces = [Piece(p.name, frozenset(c[1:] for c in p.cells), p.low, p.high) for p in pieces]
        try:
            lattice, some = (SQUARE if flat else CUBE), (optional if filled else frozenset())
            model = Packing(lattice, board, tuple(pieces), flat, filled, optional=some)
            model.row_shape  # noqa: B018 - places the pieces, which raises for a packing that is too large
        except BadInput as problem_found:
            self._refuse_at(problem.line, str(problem_found).removeprefix("packing: "))
        return model

    def _piece(self, problem: _Problem, line: int, number: int, low: int, high: int) -> Piece:
        if number >= len(self.shapes):
            known = f"shapes go from 0 to {len(self.shapes) - 1}"
            self._refuse_at(line, f"the problem uses shape {number}, but {known}")
        if number == problem.result:
            self._refuse_at(line, f"shape {number} is a piece and also what is to be made")
        shape = self.shapes[number]
        if shape.optional:
            trouble = f'piece "{shape.name}" has cells marked "+", which only the result may have'
            self._refuse_at(shape.line, trouble)
        if not shape.cells:
            self._refuse_at(shape.line, f'piece "{shape.name}" has no cells')
        return Piece(shape.name, frozenset(shape.cells), low, high)


def _optional(result: _Shape, pieces: list[Piece]) -> frozenset[Cell]:
    """The cells of the result that may stay empty; empty if the pieces fill all of it."""
    areas = [len(piece.cells) * piece.low for piece in pieces]
    fixed = all(piece.low == piece.high for piece in pieces)
    is_full = fixed and sum(areas) == len(result.cells) + len(result.optional)
    return frozenset() if is_full else frozenset(result.optional)
