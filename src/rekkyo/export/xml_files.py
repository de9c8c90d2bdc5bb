"""XML read by expat without entities, with errors that name a line and a column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NoReturn
from xml.parsers import expat

from rekkyo.errors import BadFile


class XmlReader(ABC):
    """Calls `start`, `text` and `end` for what expat finds in a file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate()

    def parse(self, content: bytes) -> None:
        """Read the XML. Raises BadFile."""
        parser = self.parser
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text
        try:
            parser.Parse(content, True)
        except expat.ExpatError as problem:
            said = expat.errors.messages.get(problem.code, "unreadable")
            self.refuse_at(problem.lineno, f"this is not XML: {said}", problem.offset + 1)
        except (ValueError, LookupError):  # an encoding that Python does not know
            self.refuse("this is not XML: its encoding is not known; save it as UTF-8")

    def refuse(self, problem: str) -> NoReturn:
        """Raise BadFile for a problem where the parser is."""
        parser = self.parser
        self.refuse_at(parser.CurrentLineNumber, problem, parser.CurrentColumnNumber + 1)

    def refuse_at(self, line: int, problem: str, column: int = 1) -> NoReturn:
        """Raise BadFile for a problem on a line."""
        raise BadFile(f"{self.name}:{line}:{column}: {problem}") from None

    def _refuse_doctype(self, *_: object) -> None:
        self.refuse("a document type is not read, because it could define entities; leave it out")

    @abstractmethod
    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    @abstractmethod
    def text(self, text: str) -> None:
        """Text of the open element, or a part of it."""

    @abstractmethod
    def end(self, tag: str) -> None:
        """An element ends."""


def check_unpacked(where: str, plain: bytes, most_bytes: int, is_whole: bool) -> None:
    """Raise BadFile if a compressed file holds more than is read, or ends too early."""
    if len(plain) > most_bytes:
        raise BadFile(f"{where}: decompressed it has more than {most_bytes} bytes; at most so many are read")
    if not is_whole:
        raise BadFile(f"{where}: the compressed file ends too early; save it again")
