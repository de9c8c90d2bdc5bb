"""The elements of an XCSP3 file, read by expat without entities and within limits.

A file whose content is compressed by LZMA is decompressed, up to MAX_BYTES.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from rekkyo.errors import BadFile, in_short, printable
from rekkyo.export.bounded import read_bytes

MAX_BYTES = 64 << 20
MAX_ELEMENTS = 1 << 20
MAX_DEPTH = 32
MAX_LZMA_MEMORY = 256 << 20
COMPRESSED = ".lzma"


@dataclass(slots=True, eq=False)
class Element:
    """An element, its place in the file, and the text directly in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> list[Element]:
        """The children with one of these tags."""
        return [child for child in self.children if child.tag in tags]


def read_tree(path: Path) -> Element:
    """The root element of a file. Raises BadInput."""
    content = read_bytes(path, MAX_BYTES)
    name = printable(str(path))
    if path.suffix.lower() == COMPRESSED:
        content = _decompressed(content, name)
    return _TreeReader(name).read(content)


def _decompressed(content: bytes, name: str) -> bytes:
    unpack = lzma.LZMADecompressor(memlimit=MAX_LZMA_MEMORY)
    try:
        plain = unpack.decompress(content, MAX_BYTES + 1)
    except lzma.LZMAError:
        raise BadFile(f"{name}: the file is no LZMA file; a file that is not compressed is an .xml") from None
    if len(plain) > MAX_BYTES:
        raise BadFile(f"{name}: decompressed it has more than {MAX_BYTES} bytes; at most so many are read")
    if not unpack.eof:
        raise BadFile(f"{name}: the compressed file ends too early; save it again")
    return plain


class _TreeReader:
    """Collects the elements that expat reports."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parser = expat.ParserCreate()
        self._open = [Element("", {}, 1, 1)]
        self._texts: list[list[str]] = [[]]
        self._n_elements = 0

    def read(self, content: bytes) -> Element:
        parser = self._parser
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(content, True)
        except expat.ExpatError as problem:
            said = expat.errors.messages.get(problem.code, "unreadable")
            self._refuse(f"this is not XML: {said}", problem.lineno, problem.offset + 1)
        except (ValueError, LookupError):  # an encoding that Python does not know
            self._refuse("this is not XML: its encoding is not known; save it as UTF-8")
        return self._open[0].children[0]

    def _refuse(self, problem: str, line: int | None = None, column: int | None = None) -> NoReturn:
        line = self._parser.CurrentLineNumber if line is None else line
        column = self._parser.CurrentColumnNumber + 1 if column is None else column
        raise BadFile(f"{self._name}:{line}:{column}: {problem}") from None

    def _refuse_doctype(self, *_: object) -> None:
        self._refuse("a document type is not read, because it could define entities; leave it out")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._n_elements += 1
        if self._n_elements > MAX_ELEMENTS or len(self._open) > MAX_DEPTH:
            self._refuse(f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep")
        if self._n_elements == 1 and tag != "instance":
            other = "; name a puzzle of BurrTools .xmpuzzle" if tag == "puzzle" else ""
            self._refuse(f"the root is <{in_short(tag)}>, where XCSP3 has <instance>{other}")
        parser = self._parser
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self._open[-1].children.append(element)
        self._open.append(element)
        self._texts.append([])

    def _end(self, _: str) -> None:
        self._open.pop().text = "".join(self._texts.pop()).strip()

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)
