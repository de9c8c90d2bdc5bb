"""A TOML text as tables that check types of values, and raise errors with line and column."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import BadDrawing, BadFile, BadInput, fix_for_name, in_short
from rekkyo.export.puzzle_toml.positions import Path, Place, Places, Span, as_written, places_in

MAX_NAME = 40
MAX_TITLE = 200
LARGEST = 10**12
"""The largest whole number in a file, except published counts."""

_TYPE_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a point or an exponent",
    str: "a text",
    list: "a list",
    dict: "a table",
}
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LINE_END_IN_TEXT = re.compile(r"(Illegal|Found invalid) character '\\n'")
_CURVED_QUOTE = re.compile("[\u2018-\u201f\u00ab\u00bb]")
_WHOLE = Span(Place(1, 1), Place(1, 1), Place(1, 1))
_PREFIXES = ("packing: ", "coloring: ", "sum figure: ", "exact cover: ", "queens: ", "csp: ", "graph: ")


class Document:
    """A text and its places.

    name: of the file, in messages. folder: of the file, if there is one.
    filled: texts in which values replaced parameters (`family.py`), so that the places of their marks differ
        from those in the file. written: numbers that replaced parameters, as the words of the file.
    beside: for each key that named a file, the key and text that replace it (`beside.py`).
    is_member: whether the puzzle is one of a family.
    remarks: places, and lines about them that say what is allowed, but may be a mistake.
    """

    def __init__(self, name: str, places: Places, folder: FilePath | None = None) -> None:
        self.name = name
        self.places = places
        self.folder = folder
        self.filled: set[Path] = set()
        self.written: dict[Path, str] = {}
        self.beside: dict[Path, tuple[str, str]] = {}
        self.is_member = False
        self.remarks: list[tuple[Place, str]] = []

    def refuse(self, path: Path, problem: str, *, value: bool = False) -> NoReturn:
        """Raise BadFile for a key, or for its value."""
        span = self._span(path)
        raise self.refusal(span.value if value else span.key, problem)

    def refusal(self, place: Place, problem: str) -> BadFile:
        """The exception for a place."""
        return BadFile(f"{self.name}:{place}: {problem}")

    def place_of(self, path: Path) -> Place:
        """The place of a key, or of the nearest table around it if its place is not known."""
        return self._span(path).key

    def content_of(self, path: Path) -> Place:
        """The place of the first character of a text."""
        return self._span(path).content

    def _span(self, path: Path) -> Span:
        while path and path not in self.places.spans:
            path = path[:-1]
        return self.places.spans[path] if path else _WHOLE


def read_document(text: str, name: str, folder: FilePath | None = None) -> Table:
    """The outermost table of a text. folder: of files that it names. Raises BadFile."""
    places = places_in(text, name)
    document = Document(name, places, folder)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise _syntax_error(document, text, str(problem)) from None
    except RecursionError:
        raise document.refusal(Place(1, 1), "lists or tables nested too deeply; a puzzle needs few") from None
    except ValueError:  # Python refuses to read a whole number of more than 4300 digits
        raise document.refusal(Place(1, 1), "a number or date in it cannot be read; shorten it") from None
    return Table(document, (), data)


def _syntax_error(document: Document, text: str, problem: str) -> BadFile:
    found = _AT.search(problem)
    if found is None or found[1] is None:
        last = text.rstrip("\n")
        place = Place(last.count("\n") + 1, len(last) - (last.rfind("\n") + 1) + 1)
    else:
        place = Place(int(found[1]), int(found[2]))
    if document.places.twice is not None:
        path, first, second = document.places.twice
        if (second.line, 0) <= (place.line, place.column):
            what = f"{_what(path)} appears twice: lines {first.line} and {second.line}; leave one out"
            return document.refusal(second, what)
    line = text.split("\n")[place.line - 1]
    if _LINE_END_IN_TEXT.match(problem):
        fix = "close the quotes, or begin and end the text with three"
        curved = _CURVED_QUOTE.search(line)
        fix = f"{curved[0]} does not end a text; write straight quotes" if curved else fix
        return document.refusal(place, f"the line ends inside a text in quotes; {fix}")
    mark = line[place.column - 1 : place.column]
    if _CURVED_QUOTE.match(mark):
        return document.refusal(place, f"{mark} is not a quote of TOML; write straight quotes, \" or '")
    said = in_short(problem[: found.start()] if found else problem, 120)
    if mark and not mark.isascii():
        name = unicodedata.name(mark, "a character without a name").lower()
        said = f"{said} at U+{ord(mark):04X}, {name}; leave it out, or write another"
    return document.refusal(place, f"this is not TOML: {said[:1].lower()}{said[1:]}")


NOTHING: Mapping[str, str] = MappingProxyType({})

_ELEMENTS = {"pieces": "piece", "times": "times of", "tiles": "tile", "given": "given", "counts": "count of"}


def _what(path: Path) -> str:
    kind = _ELEMENTS.get(str(path[0])) if len(path) == 2 else None
    name = in_short(".".join(map(str, path)) if kind is None else str(path[-1]))
    return f'{kind} "{name}"' if kind else f'"{name}"'


def _of_no_kind(problem: BadInput) -> str:
    """A message without the name of a kind of puzzle, which may be another than that of the file."""
    said = str(problem)
    for prefix in _PREFIXES:
        said = said.removeprefix(prefix)
    return said


class Table:
    """A table of the document, with checks of types. Every method may raise BadFile."""

    def __init__(self, document: Document, path: Path, data: dict[str, Any]) -> None:
        self.document = document
        self.path = path
        self.data = data

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __len__(self) -> int:
        return len(self.data)

    def names(self) -> list[str]:
        """The keys, in the order of the file."""
        return list(self.data)

    def check_keys(self, known: Sequence[str], instead: Mapping[str, str] = NOTHING) -> None:
        """Refuse unknown keys. instead: of some, the fix."""
        for key in self.data:
            if key not in known:
                parts = [part for part in self.path if isinstance(part, str)]
                where = f" in [{'.'.join(parts)}]" if parts else ""
                fix = instead.get(key) or fix_for_name(in_short(key), list(known))
                self.refuse(key, f'there is no key "{in_short(key)}"{where}; {fix}')

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Raise BadFile at a key."""
        self.document.refuse((*self.path, key), problem)

    def refuse_keys(self, keys: Iterable[str], problem: str) -> None:
        """Refuse the first of these keys that is there. problem: {key} in it stands for the key."""
        for key in keys:
            if key in self.data:
                self.refuse(key, problem.replace("{key}", key))

    def refuse_value(self, key: str | int, problem: str, *more: str | int) -> NoReturn:
        """Raise BadFile at the value of a key, or at an element of it, if the value is a list."""
        self.document.refuse((*self.path, key, *more), problem, value=True)

    def refuse_table(self, problem: str) -> NoReturn:
        """Raise BadFile at the beginning of this table."""
        self.document.refuse(self.path, problem)

    def refuse_unless_member(self, problem: str, key: str | None = None) -> None:
        """Raise BadFile for what cannot hold or has no effect, unless the puzzle is a member of a family."""
        if not self.document.is_member:
            self.document.refuse(self.path if key is None else (*self.path, key), problem)

    def remark_unless_member(self, what: str, key: str) -> None:
        """Note what may be a mistake, unless the puzzle is a member of a family."""
        if not self.document.is_member:
            place = self.document.place_of((*self.path, key))
            self.document.remarks.append((place, str(self.document.refusal(place, what))))

    @contextmanager
    def errors_at(self, *keys: str) -> Iterator[None]:
        """Attach errors without a place to the first existing one of these keys."""
        try:
            yield
        except BadFile:
            raise
        except BadInput as problem:
            key = next((key for key in keys if key in self.data), None)
            path = self.path if key is None else (*self.path, key)
            raise self.document.refusal(self.document.place_of(path), _of_no_kind(problem)) from None

    def value(self, key: str, kind: type, wanted: str = "") -> Any:
        """The value of a key, after a check of its type."""
        if key not in self.data:
            self.refuse_table(f'"{key}" is missing; give {wanted or _TYPE_NAMES[kind]}')
        found = self.in_words(key) if kind is str else self.data[key]
        if type(found) is not kind:
            self._refuse_type(key, wanted or _TYPE_NAMES[kind])
        return found

    def in_words(self, key: str) -> Any:
        """The value of a key where no number is allowed, so that a parameter of a family is its word."""
        return self.document.written.get((*self.path, key), self.data[key])

    def _refuse_type(self, key: str, wanted: str) -> NoReturn:
        is_one = _TYPE_NAMES.get(type(self.data[key]), "a date or time")
        self.refuse_value(key, f'"{in_short(key)}" is {is_one}; write {wanted}')

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return bool(self.value(key, bool)) if key in self.data else default

    def whole(self, key: str, least: int, most: int = LARGEST) -> int:
        """A whole number within bounds."""
        number: int = self.value(key, int)
        if not least <= number <= most:
            self.refuse_value(key, f'"{in_short(key)}" is a whole number from {least} to {most}')
        return number

    def text(self, key: str) -> str:
        """A text of any length."""
        found: str = self.value(key, str, 'a text, in quotes, or between lines of """')
        return found

    def line_of_text(self, key: str, default: str) -> str:
        """A short text that can be shown in one line."""
        if key not in self.data:
            return default
        found = self.text(key)
        if not (0 < len(found) <= MAX_TITLE and found.isprintable()):
            self.refuse_value(key, f'"{key}" has 1 to {MAX_TITLE} printable characters, all in one line')
        return found

    def choice(self, key: str, known: Sequence[str], instead: Mapping[str, str] = NOTHING) -> str:
        """One of some words; the first one if the key is missing. instead: of some other words, the fix."""
        if key not in self.data:
            return known[0]
        found = self.text(key)
        if found not in known:
            fix = instead.get(found) or fix_for_name(in_short(found), list(known))
            self.refuse_value(key, f'"{key}" is "{in_short(found)}", which is not known; {fix}')
        return found

    def table(self, key: str) -> Table:
        """A table; an empty one if the key is missing."""
        if key not in self.data:
            return Table(self.document, (*self.path, key), {})
        path = (*self.path, key)
        heading = ".".join(part for part in path if type(part) is str)  # without numbers of list items
        return Table(self.document, path, self.value(key, dict, f"a table, [{heading}]"))

    def tables(self, key: str) -> list[Table]:
        """A list of tables; empty if the key is missing."""
        if key not in self.data:
            return []
        problem = f'"{key}" has an item that is not a table; write [[{key}]]'
        entries = self._items(key, dict, f"tables, [[{key}]]", problem)
        path = (*self.path, key)
        return [Table(self.document, (*path, number), entry) for number, entry in enumerate(entries)]

    def words(self, key: str) -> list[str]:
        """The words of a text, or a list of them."""
        if type(self.data.get(key, "")) is not list:
            return self.text(key).split() if key in self.data else []
        return list(self._items(key, str, "", f'"{key}" has an item that is not a text'))

    def numbers(self, key: str, most: int) -> tuple[int, ...]:
        """Numbers, increasing: a text such as "1..9" with at most `most`, or a list of any length."""
        found = self.data[key]
        if type(found) is str:
            first, dots, last = found.partition("..")
            if not (dots and is_whole_number(first.strip()) and is_whole_number(last.strip())):
                self.refuse_value(key, f'{key} are written "1..9", or as a list such as [1, 2, 4]')
            low, high = int(first), int(last)
            if low > high:
                self.refuse_value(key, f"from {low} to {high} are no numbers; write the lesser first")
            if not 0 <= high - low < most:
                self.refuse_value(key, f"from {low} to {high} are not 1 to {most} numbers")
            return tuple(range(low, high + 1))
        wanted = 'a text such as "1..9", or a list of whole numbers'
        return tuple(sorted(self._items(key, int, wanted, "this is not a whole number; all numbers are")))

    def _items(self, key: str, kind: type, wanted: str, problem: str) -> list[Any]:
        """The items of a list, all of one type. wanted: the list; problem: with an item of another type."""
        items: list[Any] = self.value(key, list, wanted)
        if kind is str:
            items = [self.document.written.get((*self.path, key, at), item) for at, item in enumerate(items)]
        for number, item in enumerate(items):
            if type(item) is not kind:
                self.refuse_value(key, problem, number)
        return items

    def drawing(self, key: str) -> Drawing:
        """A text that is a drawing. In single quotes of one line, a line break would be two marks."""
        if r"\n" in self.text(key) and "\n" not in self.text(key):
            fix = "use double quotes, or draw the lines between lines of '''"
            self.refuse_value(key, rf"\n is not a line break in single quotes; {fix}")
        return Drawing(self.document, (*self.path, key), self.text(key))


class Drawing:
    """A text of marks with their places in the file."""

    def __init__(self, document: Document, path: Path, text: str) -> None:
        self.document = document
        self.path = path
        self.text = text

    def refuse(self, line: int, column: int, problem: str) -> NoReturn:
        """Raise BadFile at a mark; line and column count from 0, without the empty lines at the beginning."""
        if self.path in self.document.filled:
            where = f"in line {line + 1}, column {column + 1}, when the values are filled in"
            self.document.refuse(self.path, f"{problem} ({where})", value=True)
        line += len(self.text) - len(self.text.lstrip("\n"))
        escaped = self.document.places.escaped.get(self.path)
        if escaped is not None:
            before = self.text.split("\n")[:line]
            line, column = as_written(escaped, len(before) + sum(map(len, before)) + column)
        start = self.document.content_of(self.path)
        column += start.column if line == 0 else 1
        raise self.document.refusal(Place(start.line + line, column), problem)

    def refuse_whole(self, problem: str) -> NoReturn:
        """Raise BadFile at the key of the drawing."""
        self.document.refuse(self.path, problem)

    def lines(self) -> list[str]:
        """The lines from the first to the last that is not empty."""
        return [line.rstrip("\r") for line in self.text.strip("\n").split("\n")]

    def words(self) -> Iterator[list[Word]]:
        """The words of each line that is not empty."""
        for number, line in enumerate(self.lines()):
            found = [Word(self, number, word.start(), word[0]) for word in re.finditer(r"\S+", line)]
            if found:
                yield found

    def numbered(
        self,
        what: str,
        numbers: dict[str, int],
        most: int,
        problem_of: Callable[[str], str | None],
        instead: str = "name it once",
    ) -> dict[str, int]:
        """The words as names, numbered after those in `numbers`.

        what: their kind, such as "cell". instead: what to do about a name that appears twice.
        """
        for word in (word for words in self.words() for word in words):
            name = word.text
            if name in numbers:
                word.refuse(f'{what} "{in_short(name)}" is named twice; {instead}')
            if len(numbers) == most:
                word.refuse(f"more than the {most} {what}s that are allowed")
            problem = problem_of(name)
            if problem:
                word.refuse(problem)
            numbers[name] = len(numbers)
        return numbers

    @contextmanager
    def errors_here(self) -> Iterator[None]:
        """Attach the places in the file to errors of marks."""
        try:
            yield
        except BadDrawing as problem:
            self.refuse(problem.line, problem.column, problem.without_place)
        except BadFile:
            raise
        except BadInput as problem:
            self.refuse_whole(_of_no_kind(problem))


class Word(NamedTuple):
    """A word of a drawing, with its line and column, both from 0."""

    drawing: Drawing
    line: int
    column: int
    text: str

    def refuse(self, problem: str) -> NoReturn:
        """Raise BadFile at the word."""
        self.drawing.refuse(self.line, self.column, problem)
