"""XML as a tree of elements, read by expat without entities and within limits.

Errors name a line and a column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias
from xml.parsers import expat

from rekkyo.errors import BadFile, in_short

MAX_ELEMENTS = 1 << 20
MAX_DEPTH = 32

ProblemOfRoot: TypeAlias = Callable[[str, Mapping[str, str]], "str | None"]
"""Why a file is refused whose root has this tag and these attributes, or None."""


@dataclass(slots=True, eq=False)
class Element:
    """An element, its place in the file, and its text, which is empty if it has children."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> list[Element]:
        """The children with one of these tags."""
        return [child for child in self.children if child.tag in tags]

    def inside(self, *path: str) -> list[Element]:
        """The elements at the end of a path of tags, from the children on."""
        found = [self]
        for tag in path:
            found = [child for element in found for child in element.all(tag)]
        return found


def read_xml(content: bytes, name: str, problem_of_root: ProblemOfRoot) -> Element:
    """The root element. name: of the file, in messages. Raises BadFile."""
    return _Reader(name, problem_of_root).root_of(content)


class _Reader:
    """Collects the elements that expat reports."""

    def __init__(self, name: str, problem_of_root: ProblemOfRoot) -> None:
        self._name = name
        self._problem_of_root = problem_of_root
        self._parser = expat.ParserCreate()
        self._open = [Element("", {}, 1, 1)]
        self._texts: list[list[str]] = [[]]
        self._n_elements = 0

    def root_of(self, content: bytes) -> Element:
        parser = self._parser
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(content, True)
        except expat.ExpatError as problem:
            reason = expat.errors.messages.get(problem.code, "unreadable")
            self._refuse_at(problem.lineno, problem.offset + 1, f"this is not XML: {reason}")
        except (ValueError, LookupError):  # an encoding that Python does not know
            self._refuse("this is not XML: its encoding is not known; save it as UTF-8")
        return self._open[0].children[0]

    def _refuse(self, problem: str) -> NoReturn:
        self._refuse_at(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1, problem)

    def _refuse_at(self, line: int, column: int, problem: str) -> NoReturn:
        raise BadFile(f"{self._name}:{line}:{column}: {problem}") from None

    def _refuse_doctype(self, *_: object) -> None:
        self._refuse("a document type is not read, because it could define entities; leave it out")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._n_elements += 1
        if self._n_elements > MAX_ELEMENTS or len(self._open) > MAX_DEPTH:
            self._refuse(f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep")
        problem = self._problem_of_root(tag, attributes) if self._n_elements == 1 else None
        if problem is not None:
            self._refuse(problem)
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        element = Element(tag, attributes, line, column)
        self._open[-1].children.append(element)
        self._open.append(element)
        self._texts.append([])

    def _end(self, _: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop()).strip()
        if element.text and element.children:
            text, tag = in_short(element.text), in_short(element.tag)
            problem = f'"{text}" is beside other elements in <{tag}>; leave it out'
            self._refuse_at(element.line, element.column, problem)

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)


def check_unpacked(where: str, plain: bytes, most_bytes: int, is_whole: bool) -> None:
    """Raise BadFile if a compressed file holds more than is read, or ends too early."""
    if len(plain) > most_bytes:
        raise BadFile(f"{where}: decompressed it has more than {most_bytes} bytes; at most so many are read")
    if not is_whole:
        raise BadFile(f"{where}: the compressed file ends too early; save it again")
