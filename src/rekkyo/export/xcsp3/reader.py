"""Puzzles in XCSP3-core: constraints over variables of whole numbers.

A solution has all declared variables, in the order of the file, under their names there, such as `x[0][1]`.
Entries of an array are left out if nothing names them and something names other entries of it: programs that
write XCSP3 declare arrays as a whole, and use a triangle of them. With an objective, only the best solutions
count. No part of a file is evaluated as code.
Source: Boussemart, Lecoutre, Audemard and Piette, XCSP3-core specifications, www.xcsp.org. CPMpy also reads
XCSP3, by pycsp3; it is not used, because pycsp3 changes `sys.argv` and operators of the process when it is
imported, and several constraints are read with other meanings, which changes counts.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from rekkyo.errors import BadFile, BadInput, in_short, meant_by, printable
from rekkyo.export.bounded import read_bytes
from rekkyo.export.flatzinc.building import Building
from rekkyo.export.xcsp3.constraints import CONSTRAINTS, number_of_values, weighted_sum
from rekkyo.export.xcsp3.expressions import Expressions
from rekkyo.export.xcsp3.given import WITHOUT_EFFECT, Given, n_parameters
from rekkyo.export.xcsp3.variables import declare
from rekkyo.export.xcsp3.words import Array, Call, Names, Node, Row, Words, moves_of, number_of, rows_of
from rekkyo.export.xml_files import Element, check_unpacked, read_xml
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle

MAX_BYTES = 64 << 20
"""The most bytes of a file, before and after it is decompressed."""

MAX_LZMA_MEMORY = 256 << 20
COMPRESSED = ".lzma"

MAX_ENTRIES = 1 << 23
"""The most words of all constraints together, each template counted as often as it is used."""

FRAMEWORKS = ("CSP", "COP")
SECTIONS = ("variables", "constraints", "objectives", "annotations")


def read_xcsp3_file(path: Path) -> Puzzle:
    """The puzzle in a file, which may be compressed by LZMA. Raises BadInput."""
    content, shown = read_bytes(path, MAX_BYTES), printable(str(path))
    if path.suffix.lower() == COMPRESSED:
        content = _decompressed(content, shown)
    writer = Writer(printable(path.name), read_xml(content, shown, _problem_of_root))
    model = writer.model()
    n_left_out = len(writer.solution) - len(model.solution)
    left_out = f" (entries of arrays left out: {n_left_out})" if n_left_out else ""
    return Puzzle(str(path), model, model.size_in_words + left_out)


def _decompressed(content: bytes, name: str) -> bytes:
    unpack = lzma.LZMADecompressor(memlimit=MAX_LZMA_MEMORY)
    try:
        plain = unpack.decompress(content, MAX_BYTES + 1)
    except lzma.LZMAError as problem:
        if "limit" in str(problem):  # of memory, for which the module has no error of its own
            most = f"more than {MAX_LZMA_MEMORY >> 20} MiB of memory"
            raise BadFile(f"{name}: unpacking it takes {most}; compress it by xz -9 or less") from None
        raise BadFile(f"{name}: this is not an LZMA file; a file that is not compressed is an .xml") from None
    check_unpacked(name, plain, MAX_BYTES, unpack.eof)
    return plain


def _problem_of_root(tag: str, _attributes: Mapping[str, str]) -> str | None:
    if tag == "instance":
        return None
    other = "; name a puzzle of BurrTools .xmpuzzle" if tag == "puzzle" else ""
    return f"the root is <{in_short(tag)}>, where XCSP3 has <instance>{other}"


class Writer:
    """Adds the parts of an instance to a model. at: the element that is being read.

    solution: the numbers of the declared variables."""

    def __init__(self, name: str, root: Element) -> None:
        self.names: Names = {}
        self.solution: list[int] = []
        self.building = Building(self.refuse)
        self.expressions = Expressions(self.building)
        self._name = name
        self._root = self.at = root
        self._n_entries = 0
        self._by_id = _elements_with_id(root)
        self._rows: dict[str, tuple[list[Row], list[range]]] = {}
        self._moves: dict[str, list[tuple[str, int, str]]] = {}

    def refuse(self, problem: str) -> NoReturn:
        """Raise BadFile for the element that is being read."""
        where = f"{self._name}:{self.at.line}:{self.at.column}"
        raise BadFile(f"{where}: <{in_short(self.at.tag)}>: {problem}") from None

    def spend(self, n_entries: int) -> None:
        """Count entries of constraints, and refuse too many."""
        self._n_entries += n_entries
        if self._n_entries > MAX_ENTRIES:
            self.refuse(f"constraints have more than the {MAX_ENTRIES} entries that rekkyo takes on")

    def target_of(self, element: Element) -> Element:
        """The element itself, or that which its attribute `as` names."""
        if "as" not in element.attributes:
            return element
        if element.text.strip() or element.children:
            self.refuse('an element with the attribute "as" has no content of its own; leave one of them out')
        target = self._by_id.get(element.attributes["as"])
        if target is None or "as" in target.attributes:
            self.refuse(f'as="{in_short(element.attributes["as"])}" names no element with its own content')
        return target

    def text_of(self, element: Element) -> str:
        """The text of an element, or of that which it names."""
        return self.target_of(element).text

    def rows_of(self, text: str) -> tuple[list[Row], list[range]]:
        """As `words.rows_of`; a text of a template is read once."""
        if text not in self._rows:
            self._rows[text] = rows_of(text, self)
        return self._rows[text]

    def moves_of(self, text: str) -> list[tuple[str, int, str]]:
        """As `words.moves_of`; a text of a template is read once."""
        if text not in self._moves:
            self._moves[text] = moves_of(text, self)
        return self._moves[text]

    def model(self) -> Csp:
        """The model of the instance. Raises BadInput."""
        try:
            self._read()
            self.at = self._root
            if not self.solution:
                self.refuse("there are no variables")
            return self._without_unused(self.building.problem.model(self.solution, self._grid()))
        except BadFile:
            raise
        except BadInput as problem:
            self.refuse(str(problem))

    def _without_unused(self, model: Csp) -> Csp:
        """The model without the entries that nothing names, of arrays of which something names others."""
        unused = {
            entry.number
            for array in self.names.values()
            if isinstance(array, Array) and array.named
            for place, entry in enumerate(array.entries)
            if entry is not None and place not in array.named
        }
        if not unused:
            return model
        domains = tuple(d[:1] if v in unused else d for v, d in enumerate(model.domains))
        shown = tuple(v for v in model.solution if v not in unused)
        return replace(model, domains=domains, solution=shown, grid=None)

    def _read(self) -> None:
        root = self._root
        if root.attributes.get("format", "").strip() != "XCSP3":
            self.refuse('this is not XCSP3: its root has no format="XCSP3"')
        if root.attributes.get("type", "CSP").strip() not in FRAMEWORKS:
            self.refuse(
                f"the type is {in_short(root.attributes['type'])}; {' and '.join(FRAMEWORKS)} are searched"
            )
        for child in root.children:
            self.at = child
            if child.tag not in SECTIONS:
                self.refuse("there is no such part of an instance")
        for section in root.all("variables"):
            for child in section.children:
                self.at = child
                declare(self, child)
        for section in root.all("constraints"):
            self._constraints(section)
        goals = [goal for section in root.all("objectives") for goal in section.children]
        for goal in goals:
            self.at = goal
            if len(goals) > 1:
                self.refuse("there are several objectives; only one is searched")
            self._set_objective(goal)

    def _constraints(self, section: Element) -> None:
        for child in section.children:
            self.at = child
            if child.tag == "block":
                self._check_attributes(child, ())
                self._constraints(child)
            elif child.tag == "group":
                self._group(child)
            elif child.tag == "slide":
                self._slide(child)
            else:
                self._constraint(child, ())

    def _constraint(self, element: Element, parameters: Sequence[Node]) -> None:
        self.at = element
        write = CONSTRAINTS.get(element.tag)
        if write is None:
            meant = meant_by(in_short(element.tag), list(CONSTRAINTS))
            self.refuse(meant or "there is no such constraint in XCSP3-core, or it is not read")
        given = Given(self, element, parameters)
        self.spend(1 + len(parameters))
        write(given)
        given.check_used()

    def _group(self, group: Element) -> None:
        self._check_attributes(group, ())
        template, *rest = group.children or [group]
        if template.tag not in CONSTRAINTS or any(part.tag != "args" for part in rest):
            self.refuse("a group has one constraint and then <args>")
        for part in rest:
            self.at = part
            self._constraint(template, self._nodes(self.text_of(part)))

    def _slide(self, slide: Element) -> None:
        self._check_attributes(slide, ("circular",))
        *lists, template = slide.children or [slide]
        if not lists or template.tag not in CONSTRAINTS or any(part.tag != "list" for part in lists):
            self.refuse("a slide has lists and then one constraint")
        is_circular = Given(self, slide).is_true("circular", "false")
        collected = [n_parameters(self, template)] if len(lists) == 1 else [1] * len(lists)
        windows = []
        for part, default in zip(lists, collected, strict=True):
            self._check_attributes(part, ("offset", "collect"))
            collect, offset = (
                number_of(part.attributes.get(name, str(usual)).strip(), self)
                for name, usual in (("collect", default), ("offset", 1))
            )
            windows.append(self._windows(self._nodes(self.text_of(part)), collect, offset, is_circular))
        n_windows = min(map(len, windows))
        if is_circular and len(set(map(len, windows))) > 1:
            self.refuse("the lists of a circular slide must have as many windows as each other")
        for at in range(n_windows):
            self.at = slide
            self._constraint(template, [node for found in windows for node in found[at]])

    def _windows(
        self, nodes: Sequence[Node], collect: int, offset: int, is_circular: bool
    ) -> list[list[Node]]:
        """The arguments that are taken from a list, for each position of the window."""
        if not 1 <= collect <= len(nodes) or offset < 1:
            self.refuse(f"a window of {collect}, moved by {offset}, does not fit into {len(nodes)} entries")
        starts = range(0, len(nodes) if is_circular else len(nodes) - collect + 1, offset)
        self.spend(len(starts) * collect)
        return [[nodes[(start + at) % len(nodes)] for at in range(collect)] for start in starts]

    def _nodes(self, text: str) -> list[Node]:
        return Words(text, self).items()

    def _check_attributes(self, element: Element, known: Sequence[str]) -> None:
        for name in element.attributes:
            if name not in WITHOUT_EFFECT and name not in known:
                self.refuse(f"the attribute {in_short(name)} is not read here")

    def _set_objective(self, goal: Element) -> None:
        if goal.tag not in ("minimize", "maximize"):
            self.refuse("an objective is <minimize> or <maximize>")
        given, expressions = Given(self, goal), self.expressions
        kind = given.attribute("type", "expression")
        if kind == "expression":
            terms = expressions.checked_sum(given.words("list").expression())
        elif kind == "sum":
            terms = weighted_sum(given)
        elif kind == "nValues":
            terms = number_of_values(given)
        elif kind in ("minimum", "maximum", "product"):
            name = {"minimum": "min", "maximum": "max", "product": "mul"}[kind]
            nodes = tuple(given.list_nodes())
            terms = expressions.checked_sum(Call(name, nodes) if len(nodes) > 1 else nodes[0])
        else:
            self.refuse(f"there is no objective of type {in_short(kind)} here")
        given.check_used()
        objective = self.building.variable(expressions.atom_of_sum(terms))
        problem = self.building.problem
        (problem.minimize if goal.tag == "minimize" else problem.maximize)(objective)

    def _grid(self) -> tuple[int, int] | None:
        """The shape of the board, if there is only one array, and it has two dimensions."""
        declared = list(self.names.values())
        if len(declared) != 1 or not isinstance(declared[0], Array) or len(declared[0].sizes) != 2:
            return None
        rows, columns = declared[0].sizes
        return (rows, columns) if rows * columns == len(self.solution) else None


def _elements_with_id(root: Element) -> dict[str, Element]:
    found: dict[str, Element] = {}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if "id" in element.attributes:
            found.setdefault(element.attributes["id"], element)
        waiting += element.children
    return found
