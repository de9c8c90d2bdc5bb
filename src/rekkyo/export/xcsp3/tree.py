"""The elements of an XCSP3 file, read by expat without entities and within limits.

A file whose content is compressed by LZMA is decompressed, up to MAX_BYTES.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass, field
from pathlib import Path

from rekkyo.errors import BadFile, in_short, printable
from rekkyo.export.bounded import read_bytes
from rekkyo.export.xml_files import XmlReader, check_unpacked

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
    return _TreeReader(name).tree(content)


def _decompressed(content: bytes, name: str) -> bytes:
    unpack = lzma.LZMADecompressor(memlimit=MAX_LZMA_MEMORY)
    try:
        plain = unpack.decompress(content, MAX_BYTES + 1)
    except lzma.LZMAError:
        raise BadFile(f"{name}: the file is no LZMA file; a file that is not compressed is an .xml") from None
    check_unpacked(name, plain, MAX_BYTES, unpack.eof)
    return plain


class _TreeReader(XmlReader):
    """Collects the elements that expat reports."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._open = [Element("", {}, 1, 1)]
        self._texts: list[list[str]] = [[]]
        self._n_elements = 0

    def tree(self, content: bytes) -> Element:
        """The root element. Raises BadFile."""
        self.parse(content)
        return self._open[0].children[0]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._n_elements += 1
        if self._n_elements > MAX_ELEMENTS or len(self._open) > MAX_DEPTH:
            self.refuse(f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep")
        if self._n_elements == 1 and tag != "instance":
            other = "; name a puzzle of BurrTools .xmpuzzle" if tag == "puzzle" else ""
            self.refuse(f"the root is <{in_short(tag)}>, where XCSP3 has <instance>{other}")
        parser = self.parser
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self._open[-1].children.append(element)
        self._open.append(element)
        self._texts.append([])

    def end(self, _: str) -> None:
        self._open.pop().text = "".join(self._texts.pop()).strip()

    def text(self, text: str) -> None:
        self._texts[-1].append(text)
