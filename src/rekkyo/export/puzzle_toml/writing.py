"""Changes single values of a TOML text, and keeps everything else: comments, order, spelling.

`positions.py` gives the beginnings of keys and values; a change replaces the characters of one value, or adds
or removes lines. The new text is read again: it must differ from the old one only by the change.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.document import read_document
from rekkyo.export.puzzle_toml.positions import Path, Place, places_in, value_end

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def with_value(text: str, path: Path, value: Any) -> str:
    """The text with a value at a path, whose missing tables are added; None removes the value.

    Numbers in a path are indices of lists; the number after the last one adds an element, which must be a
    table. Raises BadInput for texts in a form that cannot be changed here.
    """
    data = read_document(text, "puzzle").data
    wanted = _changed(data, path, value)
    if wanted == data and not isinstance(value, bool):  # true is written in place of 1, which is equal to it
        return text
    made = _Text(text).with_value(path, value, data, wanted)
    try:
        is_right = tomllib.loads(made) == wanted
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise BadInput(f"{'.'.join(map(str, path))} cannot be changed in the drawing; change it in the text")
    return made


def literal(value: Any) -> str:
    """A value as TOML: texts of several lines as drawings."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            is_drawing = "\n" in value and "'''" not in value
            if is_drawing and all(mark.isprintable() or mark == "\n" for mark in value):
                return f"'''\n{value}'''"
            return '"' + "".join(map(_in_quotes, value)) + '"'
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            pairs = (f"{_key(name)} = {literal(inner)}" for name, inner in value.items())
            return "{ " + ", ".join(pairs) + " }" if value else "{}"
    raise BadInput(f"a value of type {type(value).__name__} cannot be written")


def _in_quotes(mark: str) -> str:
    if mark in '"\\':
        return "\\" + mark
    return mark if mark.isprintable() else f"\\U{ord(mark):08X}"


def lines(values: Mapping[str, Any]) -> str:
    """Keys and values as TOML, a line for each."""
    return "".join(f"{_key(name)} = {literal(value)}\n" for name, value in values.items())


def _key(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if _BARE_KEY.fullmatch(name) else '"' + "".join(map(_in_quotes, name)) + '"'  # in one line


def _changed(data: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The data of the new text. Raises BadInput if the path does not exist."""
    if value is None and not _is_there(data, path):
        return data
    whole = copy.deepcopy(data)
    inner: Any = whole
    for part, following in zip(path, [*path[1:], None], strict=True):
        is_last = following is None
        if isinstance(inner, dict) and isinstance(part, str):
            if not is_last:
                inner = inner.setdefault(part, [] if isinstance(following, int) else {})
            elif value is None:
                inner.pop(part)
            else:
                inner[part] = value
        elif isinstance(inner, list) and isinstance(part, int) and 0 <= part <= len(inner):
            inner[part:part] = [{}] * (part == len(inner))
            if not is_last:
                inner = inner[part]
            else:
                inner[part : part + 1] = [] if value is None else [value]
        else:
            raise BadInput(f"there is no {'.'.join(map(str, path))} to be changed")
    is_bare = value is None and isinstance(path[-1], int) and not inner
    return _changed(data, path[:-1], None) if is_bare else whole


def _is_there(data: dict[str, Any], path: Path) -> bool:
    inner: Any = data
    for part in path:
        keys: Any = inner if isinstance(inner, dict) else range(len(inner) if isinstance(inner, list) else 0)
        if part not in keys:
            return False
        inner = inner[part]
    return True


class _Text:
    """A text with the places of its keys."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = places_in(text, "puzzle").spans
        self.line_starts = [0, *(end.end() for end in re.finditer("\n", text))]

    def with_value(self, path: Path, value: Any, data: dict[str, Any], wanted: dict[str, Any]) -> str:
        if path in self.spans and not self._is_header(path):
            span = self.spans[path]
            start = self._offset(span.value)
            end = value_end(self.text, start)
            if value is not None:
                return self.text[:start] + literal(value) + self.text[end:]
            if not isinstance(path[-1], int) and not self._is_inline(path):
                return self._without_lines(self._offset(span.key), end)
            return self._with_parent(path, data, wanted)
        if path in self.spans:
            if isinstance(value, dict):
                start, stop = self._section(path)
                return self.text[:start] + self._table(path, value) + self.text[stop:]
            without = self._without_tables(path, data)
            return without if value is None else with_value(without, path, value)
        # The keys of a table that only dotted keys name are not removed: the caller refuses the same text.
        return self.text if value is None else self._with_new(path, value, data, wanted)

    def _with_new(self, path: Path, value: Any, data: dict[str, Any], wanted: dict[str, Any]) -> str:
        """The text with a new path."""
        parent = path[:-1]
        if isinstance(path[-1], int):
            return self._appended(self._table(path, value))
        pair = lines({str(path[-1]): value})
        if not parent:
            first = self._first_header()
            head = self.text[:first].rstrip()
            return (
                (head + "\n" if head else "")
                + pair
                + ("\n" if first < len(self.text) else "")
                + self.text[first:]
            )
        if parent not in self.spans:
            return self._appended(f"{self._header(parent)}\n{pair}")
        if not self._is_header(parent):
            return self._with_parent(path, data, wanted)
        start, stop = self._section(parent)
        inner = min((header for header in self._headers() if start < header < stop), default=None)
        stop = stop if inner is None else self._after_values(inner)  # before the tables inside this one
        rest = self.text[stop:]
        return self.text[:stop].rstrip() + "\n" + pair + "\n" * (rest[:1] not in ("", "\n")) + rest

    def _with_parent(self, path: Path, data: dict[str, Any], wanted: dict[str, Any]) -> str:
        """Write the whole list or inline table around a value."""
        value: Any = wanted
        for part in path[:-1]:
            value = value.get(part) if isinstance(value, dict) else value[part]
        return self.with_value(path[:-1], value, data, wanted)

    def _appended(self, lines: str) -> str:
        return self.text.rstrip() + "\n\n" + lines

    def _table(self, path: Path, value: dict[str, Any]) -> str:
        return f"{self._header(path)}\n{lines(value)}\n"

    def _header(self, path: Path) -> str:
        names = ".".join(_key(part) for part in path if isinstance(part, str))
        return f"[[{names}]]" if isinstance(path[-1], int) else f"[{names}]"

    def _is_header(self, path: Path) -> bool:
        """Whether a table begins there: its key and value have the same place, unlike in a pair."""
        around = (self.spans.get(path[: n + 1]) for n in range(len(path)))
        return all(span is None or span.key == span.value for span in around)

    def _headers(self) -> list[int]:
        """The offsets of all headers."""
        return [self._offset(span.key) for path, span in self.spans.items() if self._is_header(path)]

    def _is_inline(self, path: Path) -> bool:
        """Whether the key stands in an inline table."""
        return path[:-1] in self.spans and not self._is_header(path[:-1])

    def _section(self, path: Path) -> tuple[int, int]:
        """The range from the header of a table to the next foreign one, without the comments before that."""
        start = self._offset(self.spans[path].key)
        later = (
            self._offset(span.key)
            for other, span in self.spans.items()
            if self._is_header(other) and other[: len(path)] != path
        )
        stop = min((offset for offset in later if offset > start), default=len(self.text))
        return start, self._after_values(stop) if stop < len(self.text) else stop

    def _after_values(self, before: int) -> int:
        """The end of the line of the last header or value before a header. Only comments stand between."""
        spans = {path: span for path, span in self.spans.items() if self._is_header(path[:-1])}
        starts = {self._offset(span.key): path for path, span in spans.items()}
        last = max((start for start in starts if start < before), default=None)
        if last is None:
            return 0
        path = starts[last]
        end = last if self._is_header(path) else value_end(self.text, self._offset(spans[path].value))
        return self.text.find("\n", end) + 1

    def _without_tables(self, path: Path, data: dict[str, Any]) -> str:
        """The text without a table, or without all tables of a list."""
        inner: Any = data
        for part in path:
            inner = inner[part]
        if isinstance(inner, list):
            text = self.text
            for number in reversed(range(len(inner))):
                text = with_value(text, (*path, number), None)
            return text
        start, stop = self._section(path)
        return self.text[:start] + self.text[stop:]

    def _without_lines(self, start: int, end: int) -> str:
        """The text without a key, its value and the comment after it."""
        stop = self.text.find("\n", end)
        begin = self.text.rfind("\n", 0, start) + 1
        return self.text[:begin] + ("" if stop < 0 else self.text[stop + 1 :])

    def _offset(self, place: Place) -> int:
        return self.line_starts[place.line - 1] + place.column - 1

    def _first_header(self) -> int:
        """The beginning of the first table, or of the comment before it."""
        first = min(self._headers(), default=len(self.text))
        lines = self.text[self._after_values(first) : first].splitlines(keepends=True)
        while first < len(self.text) and lines and lines[-1].lstrip().startswith("#"):
            first -= len(lines.pop())
        return first
