"""Exact covers as text, in the input format of Knuth's programs DLX1, DLX2, DLX3 and SSXCC.

    | a comment: every line that begins with a bar
    A B 2:3|C | X Y             the items: primary ones, a bar, secondary ones; C is covered 2 to 3 times
    A B X:0 Y:0                 an option on each line; X and Y have colours here
    C X:0

Names hold neither `:` nor `|`; `3|C` means 3:3. An option without a primary item is left out, as those
programs do. Source: D. E. Knuth, the programs DLX1 to DLX3 (2016-20),
https://www-cs-faculty.stanford.edu/~knuth/programs.html, and TAOCP 4B, 7.2.2.1. Differences: there, names
have 1 to 8 characters and colours have one; here, both may be longer and hold any printable characters. They
are read in Unicode's form NFC, so that names which look alike are equal.

Writing replaces names that are longer than 8 characters or hold others by `#` and the number of the item,
with a comment that gives the name, and renumbers all colours if one has more than 8 digits. Reading keeps the
numbers of colours that are all whole numbers from 1; it numbers others as they appear.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn
from unicodedata import is_normalized, normalize

from rekkyo.catalog.entry import is_decimal
from rekkyo.errors import BadModel, in_short, printable
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.model.checks import repeated
from rekkyo.model.exact_cover import MAX_ITEMS, MAX_OPTIONS, MAX_USES, ExactCover, Option

MAX_BYTES = 256 << 20
MAX_NAME = 8
MAX_DIGITS = 9
BAR = "|"
COST = "|$"
"""Before the cost of an option in Knuth's program DLX5."""

Bounds = tuple[int, int]
Items = tuple[tuple[str, ...], tuple[str, ...], tuple[Bounds, ...]]
"""Primary items, secondary items, and one pair of bounds for each primary item, or no bounds."""


class Word(NamedTuple):
    """A word between blanks, with its line and column, both from 1."""

    text: str
    line: int
    column: int


def read_xcc_file(path: Path) -> tuple[ExactCover, int]:
    """The model in a file of at most MAX_BYTES, and how many options were left out. Raises BadInput."""
    reader = _Reader(path.name)
    model = reader.read(decoded(read_bytes(path, MAX_BYTES), str(path)))
    return model, reader.n_left_out


def read_xcc(text: str, name: str) -> ExactCover:
    """The model in a text; `name` is its name in messages. Raises BadInput."""
    return _Reader(name).read(text)


def write_xcc(model: ExactCover) -> str:
    """A text that `read_xcc` reads; see the module docstring for names that do not fit."""
    names = _fitting_names(model)
    n_primary = len(model.primary)
    all_names = model.primary + model.secondary
    renamed = [(new, old) for old, new in zip(all_names, names, strict=True) if old != new]
    color_text = _color_texts(color for option in model.options for _, color in option if color)
    lines = [f"{BAR} {new} is {json.dumps(old)}" for new, old in renamed]
    primary = [bound + name for bound, name in zip(_bound_texts(model), names, strict=False)]
    lines.append(" ".join([*primary, BAR, *names[n_primary:]] if model.secondary else primary))
    lines += [
        " ".join(f"{names[item]}:{color_text(color)}" if color else names[item] for item, color in option)
        for option in model.options
    ]
    return "\n".join(lines) + "\n"


def _bound_texts(model: ExactCover) -> list[str]:
    """The text before the name of each primary item."""
    pairs = model.bounds or [(1, 1)] * len(model.primary)
    texts = ["" if pair == (1, 1) else _bound_text(*pair) for pair in pairs]
    # Explicit bounds without effect are written once, so that reading gives them again.
    return texts if any(texts) or not model.bounds else [_bound_text(1, 1), *texts[1:]]


def _bound_text(low: int, high: int) -> str:
    return f"{high}{BAR}" if low == high else f"{low}:{high}{BAR}"


def _color_texts(colors: Iterable[int]) -> Callable[[int], str]:
    seen = dict.fromkeys(colors)
    if all(0 < color < 10**MAX_NAME for color in seen):
        return str
    return {color: str(number) for number, color in enumerate(seen, start=1)}.__getitem__


def _fitting_names(model: ExactCover) -> list[str]:
    given = model.primary + model.secondary
    taken = {name for name in given if len(name) <= MAX_NAME and _misfit(name) is None}
    names: list[str] = []
    for item, name in enumerate(given):
        fitting = name
        if name not in taken:
            numbers = itertools.count(item, len(given))
            fitting = next(new for number in numbers if (new := f"#{number}") not in taken)
            taken.add(fitting)
        names.append(fitting)
    return names


def _misfit(name: str) -> str | None:
    """The problem of a name, as the end of a sentence; None if it can be read."""
    if not name:
        return "is empty; give it a character or more"
    if ":" in name or BAR in name:
        return 'holds ":" or "|"; leave them out of names'
    if " " in name or not name.isprintable():
        return "holds a character that cannot be printed; leave it out"
    if not is_normalized("NFC", name):
        return "is not in Unicode's form NFC; compose its characters"
    return None


class _Reader:
    """Reads one text. numbers: the number of each name; n_left_out: options without a primary item."""

    def __init__(self, name: str) -> None:
        self.name = printable(name)
        self.places: dict[str, Word] = {}
        self.numbers: dict[str, int] = {}
        self.n_primary = 0
        self.n_left_out = 0

    def read(self, text: str) -> ExactCover:
        lines = self._lines(normalize("NFC", text))
        primary, secondary, bounds = self._read_items(next(lines, []))
        self.numbers = {name: number for number, name in enumerate(primary + secondary)}
        self.n_primary = len(primary)
        colored = self._read_options(lines)
        names, number_of = _color_numbers(color for option in colored for _, color in option if color)
        options: list[Option] = [
            tuple((item, number_of(color) if color else 0) for item, color in option) for option in colored
        ]
        return ExactCover(primary, secondary, tuple(options), bounds, color_names=names)

    def _fail(self, word: Word, problem: str) -> NoReturn:
        raise BadModel(f"{self.name}, line {word.line}, column {word.column}: {problem}")

    def _lines(self, text: str) -> Iterator[list[Word]]:
        """The words of each line that is neither empty nor a comment."""
        for number, line in enumerate(text.split("\n"), start=1):
            words = list(self._words(line.removesuffix("\r"), number))
            if words and not words[0].text.startswith(BAR):
                yield words

    def _words(self, line: str, number: int) -> Iterator[Word]:
        column = 1
        for text in line.replace("\t", " ").split(" "):
            word = Word(text, number, column)
            if not text.isprintable():
                odd = next(place for place, character in enumerate(text) if not character.isprintable())
                what = f"the character U+{ord(text[odd]):04X} cannot be printed"
                self._fail(word._replace(column=column + odd), f"{what}; is this a text file?")
            if text:
                yield word
            column += len(text) + 1

    def _read_items(self, words: list[Word]) -> Items:
        if not words:
            raise BadModel(
                f"{self.name}: there are no items; name them in the first line, blanks between them"
            )
        bars = [word for word in words if word.text == BAR]
        if len(bars) > 1:
            self._fail(bars[1], f'a second "|" (the first is in column {bars[0].column}); use one, or none')
        end = words.index(bars[0]) if bars else len(words)
        if len(words) > MAX_ITEMS + 1:
            self._fail(words[MAX_ITEMS], f"more items than the {MAX_ITEMS} that rekkyo takes on")
        pairs = [self._read_bounded(word) for word in words[:end]]
        bounds = tuple(pair or (1, 1) for _, pair in pairs) if any(pair for _, pair in pairs) else ()
        secondary = tuple(self._read_secondary(word) for word in words[end + 1 :])
        return tuple(name for name, _ in pairs), secondary, bounds

    def _read_bounded(self, word: Word) -> tuple[str, Bounds | None]:
        bounds, bar, name = word.text.rpartition(BAR)
        self._declare(word, name)
        return name, self._read_bounds(word, bounds) if bar else None

    def _read_secondary(self, word: Word) -> str:
        if BAR in word.text:
            self._fail(word, f'"{in_short(word.text)}" is secondary; only primary items have bounds')
        self._declare(word, word.text)
        return word.text

    def _declare(self, word: Word, name: str) -> None:
        problem = _misfit(name)
        if problem is not None:
            what = f'item "{in_short(name)}"' if name else f'the item after "{in_short(word.text)}"'
            self._fail(word, f"{what} {problem}")
        if name in self.places:
            first = self.places[name]
            self._fail(word, f'item "{name}" is named already in column {first.column}; name it once')
        self.places[name] = word

    def _read_bounds(self, word: Word, text: str) -> Bounds:
        low, colon, high = text.partition(":")
        large = next((bound for bound in (low, high) if is_decimal(bound) and len(bound) > MAX_DIGITS), None)
        if large is not None:
            self._fail(word, f"bound {in_short(large)} has more than {MAX_DIGITS} digits; make it smaller")
        if not (_is_count(low) and (_is_count(high) or not colon)):
            self._fail(word, f'"{in_short(text)}" are not bounds; write low:high|name or high|name')
        pair = (int(low), int(high if colon else low))
        if pair[0] > pair[1] or pair[1] < 1:
            self._fail(word, f"bounds {pair[0]}:{pair[1]} allow nothing; need low <= high and high from 1")
        return pair

    def _read_options(self, lines: Iterable[list[Word]]) -> list[list[tuple[int, str]]]:
        options: list[list[tuple[int, str]]] = []
        n_uses = 0
        for words in lines:
            n_uses += len(words)
            if len(options) == MAX_OPTIONS or n_uses > MAX_USES:
                most = f"{MAX_OPTIONS} options or {MAX_USES} uses"
                self._fail(words[0], f"more than the {most} that rekkyo takes on")
            option = self._read_option(words)
            if min(item for item, _ in option) < self.n_primary:
                options.append(option)
            else:
                self.n_left_out += 1
        return options

    def _read_option(self, words: list[Word]) -> list[tuple[int, str]]:
        option = [self._read_use(word) for word in words]
        items = [item for item, _ in option]
        if (twice := repeated(items)) is not None:
            first = items.index(twice)
            again = words[items.index(twice, first + 1)]
            problem = f'"{in_short(again.text)}" names an item again (column {words[first].column})'
            self._fail(again, f"{problem}; name it once")
        return option

    def _read_use(self, word: Word) -> tuple[int, str]:
        if COST in word.text:
            self._fail(word, f'"{in_short(word.text)}" has a cost, and costs are not read; leave it out')
        name, colon, color = word.text.partition(":")
        if name not in self.numbers:
            self._fail(word, f'there is no item "{in_short(name)}"; name it in the line of items')
        item = self.numbers[name]
        if colon and item < self.n_primary:
            problem = f'"{in_short(word.text)}" gives a primary item a colour'
            self._fail(word, f"{problem}; only secondary items have one")
        if colon and _misfit(color) is not None:
            self._fail(word, f'colour "{in_short(color)}" {_misfit(color)}')
        return item, color


def _color_numbers(colors: Iterable[str]) -> tuple[tuple[str, ...], Callable[[str], int]]:
    """The names of the colours, unless they are numbers, and the number of each."""
    seen = dict.fromkeys(colors)
    if all(_is_count(color) and not color.startswith("0") for color in seen):
        return (), int
    return tuple(seen), {color: number for number, color in enumerate(seen, start=1)}.__getitem__


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
