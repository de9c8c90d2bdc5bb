"""The places of keys and values in a TOML text.

`tomllib` reads the text, but does not return places. This scanner implements just enough of TOML 1.0 to find
the beginnings of keys and values. On a text that is not TOML it stops, and `tomllib` gives the error. It
refuses keys of many parts (`tomllib` takes quadratic time, 2.6 s for 8,000 parts) and deep nesting.
Left out on purpose: `tomlkit`, which keeps no line numbers.
"""

from __future__ import annotations

import re
import tomllib
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from rekkyo.errors import BadInput

Path: TypeAlias = tuple[str | int, ...]
"""Keys from the outermost to the innermost; a number counts the elements of a list, from 0."""

MAX_PARTS = 8
"""The most parts of a dotted key."""

MAX_DEPTH = 16
MAX_KEYS = 1 << 17

_BLANK = re.compile(r"[ \t]*")
# Possessive, so that a file of ten million comments needs no backtracking stack.
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'")
_CHARACTER = re.compile(r"(\\[ \t]*\r?\n\s*)|\\u.{4}|\\U.{8}|\\.|\r\n|.", re.DOTALL)
"""What stands for a character of a string in double quotes; or, as a group, a line break that is left out."""
_OTHER = re.compile(r"[^\s,\]}#]+(?: [0-9][^\s,\]}#]*)?")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line and a column, both from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Span:
    """The beginnings of a key and its value. content: the place of the first character of a string."""

    key: Place
    value: Place
    content: Place


@dataclass(slots=True)
class Places:
    """spans: of every key and every element of a list. twice: the first duplicate key.

    escaped: strings with a backslash in double quotes, as they are written, to the end of their quotes.
    """

    spans: dict[Path, Span] = field(default_factory=dict)
    escaped: dict[Path, str] = field(default_factory=dict)
    twice: tuple[Path, Place, Place] | None = None


def as_written(escaped: str, number: int) -> tuple[int, int]:
    """The line and column of a character of a string in double quotes as it is written; all from 0."""
    characters = (found.start() for found in _CHARACTER.finditer(escaped) if found[1] is None)
    before = escaped[: next(islice(characters, number, None), len(escaped))]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


def value_end(text: str, start: int) -> int:
    """The end of a value that begins at an offset of a TOML text."""
    walk = _Walk(text, "")
    walk.at = start
    walk.skip_value((), walk.place(start), 0)
    return walk.at


class _Lost(Exception):
    """The text is not TOML from this place on."""


def places_in(text: str, name: str) -> Places:
    """The places in a text, as far as it is TOML. Raises BadInput for deep nesting."""
    walk = _Walk(text, name)
    with suppress(_Lost):
        walk.document()
    return walk.places


def _decoded(quoted: str) -> str:
    """The text of a string in quotes. Raises _Lost for escapes that TOML does not have."""
    try:
        return str(tomllib.loads(f"text = {quoted}")["text"]) if "\\" in quoted else quoted[1:-1]
    except tomllib.TOMLDecodeError:
        raise _Lost from None


class _Walk:
    """The scanner. at: its offset."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0
        self.places = Places()
        self.line_starts = array("L", [0])
        self.line_starts.extend(end.end() for end in re.finditer("\n", text))
        self.n_tables: dict[Path, int] = {}
        self.headers: dict[Path, Place] = {}

    def place(self, offset: int) -> Place:
        line = bisect_right(self.line_starts, offset)
        return Place(line, offset - self.line_starts[line - 1] + 1)

    def document(self) -> None:
        table: Path = ()
        while True:
            self._skip(_BLANK_LINES)
            if self.at == len(self.text):
                return
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table, 0)
            self._expect(_REST_OF_LINE)

    def _header(self) -> Path:
        start = self.at
        brackets = "[[" if self.text.startswith("[[", start) else "["
        self.at += len(brackets)
        path = self._inside_tables(self._key())
        if not self.text.startswith("]" * len(brackets), self.at):
            raise _Lost
        self.at += len(brackets)
        place = self.place(start)
        if len(brackets) == 2:
            number = self.n_tables[path] = self.n_tables.get(path, -1) + 1
            self.places.spans.setdefault(path, Span(place, place, place))
            path = (*path, number)
        elif path in self.headers:
            self._note_twice(path, self.headers[path], place)
        self.headers.setdefault(path, place)
        self._note(path, Span(place, place, place), may_repeat=True)
        return path

    def _inside_tables(self, key: Path) -> Path:
        """Resolve a key of a header: it means the last table of each list of tables in its path."""
        path: Path = ()
        for part in key[:-1]:
            path = (*path, part)
            if path in self.n_tables:
                path = (*path, self.n_tables[path])
        return (*path, key[-1])

    def _pair(self, table: Path, depth: int) -> None:
        start = self.at
        key = self._key()
        if not self.text.startswith("=", self.at):
            raise _Lost
        self.at += 1
        self._skip(_BLANK)
        self.skip_value((*table, *key), self.place(start), depth)

    def _key(self) -> Path:
        start = self.at
        parts: list[str] = []
        while True:
            self._skip(_BLANK)
            bare = _BARE_KEY.match(self.text, self.at)
            quoted = None if bare else _STRING.match(self.text, self.at)
            found = bare or quoted
            if found is None:
                raise _Lost
            parts.append(found[0] if bare else _decoded(found[0]))
            if len(parts) > MAX_PARTS:
                self._refuse(start, f"a key of more than {MAX_PARTS} parts; leave out some dots")
            self.at = found.end()
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1

    def skip_value(self, path: Path, key: Place, depth: int) -> None:
        start = self.at
        if depth > MAX_DEPTH:
            self._refuse(start, f"lists or tables nested more than {MAX_DEPTH} deep; a puzzle needs fewer")
        opening = self.text[start : start + 1]
        content = start
        if opening in ('"', "'"):
            content = self._string(opening)
            if opening == '"' and "\\" in (written := self.text[content : self.at]):
                self.places.escaped[path] = written
        elif opening not in ("[", "{"):
            self._expect(_OTHER)
        self._note(path, Span(key, self.place(start), self.place(content)))
        if opening == "[":
            self._list(path, depth)
        elif opening == "{":
            self._inline_table(path, depth)

    def _string(self, quote: str) -> int:
        """Skip a string; returns the offset of its content."""
        start = self.at
        fence = quote * 3
        if not self.text.startswith(fence, start):
            self._expect(_STRING)
            return start + 1
        content = start + 3
        if self.text.startswith("\r\n", content):
            content += 2
        elif self.text.startswith("\n", content):
            content += 1
        end = start + 3
        while True:
            end = self.text.find(fence, end)
            if end < 0:
                raise _Lost
            if quote == "'" or not self._is_escaped(end):
                break
            end += 1
        # Up to two quotation marks may precede the closing fence.
        while end < start + 3 or (self.text[end + 3 : end + 4] == quote):
            end += 1
        self.at = end + 3
        return content

    def _is_escaped(self, offset: int) -> bool:
        n_before = 0
        while self.text[offset - 1 - n_before] == "\\":
            n_before += 1
        return n_before % 2 == 1

    def _list(self, path: Path, depth: int) -> None:
        self.at += 1
        for number in self._elements("]"):
            self.skip_value((*path, number), self.place(self.at), depth + 1)

    def _inline_table(self, path: Path, depth: int) -> None:
        self.at += 1
        for _ in self._elements("}"):
            self._pair(path, depth + 1)

    def _elements(self, closing: str) -> Iterator[int]:
        """Yield before each element, and skip the bracket at the end."""
        number = 0
        while True:
            self._skip(_BLANK_LINES)
            if self.text.startswith(closing, self.at):
                self.at += 1
                return
            before = self.at
            yield number
            number += 1
            self._skip(_BLANK_LINES)
            if self.text.startswith(",", self.at):
                self.at += 1
            elif not self.text.startswith(closing, self.at) or self.at == before:
                raise _Lost

    def _note(self, path: Path, span: Span, *, may_repeat: bool = False) -> None:
        spans = self.places.spans
        if path in spans and not may_repeat:
            self._note_twice(path, spans[path].key, span.key)
        spans.setdefault(path, span)
        if len(spans) > MAX_KEYS:
            where = f"{self.name}:{span.key}"
            raise BadInput(f"{where}: more than the {MAX_KEYS} keys and values that are read; leave some out")

    def _note_twice(self, path: Path, first: Place, second: Place) -> None:
        if self.places.twice is None:
            self.places.twice = (path, first, second)

    def _refuse(self, offset: int, problem: str) -> None:
        raise BadInput(f"{self.name}:{self.place(offset)}: {problem}")

    def _skip(self, blank: re.Pattern[str]) -> None:
        found = blank.match(self.text, self.at)
        if found is not None:
            self.at = found.end()

    def _expect(self, wanted: re.Pattern[str]) -> None:
        found = wanted.match(self.text, self.at)
        if found is None:
            raise _Lost
        self.at = found.end()
