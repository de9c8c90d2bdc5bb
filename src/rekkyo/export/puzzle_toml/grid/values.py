"""The values of the cells of a grid: whole numbers, and their characters in drawings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from rekkyo.catalog.entry import is_whole_number
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import problem_of_mark
from rekkyo.model.checks import repeated
from rekkyo.model.puzzle import SYMBOLS
from rekkyo.render.labels import DIGITS

MAX_VALUES = 1024
LARGEST = 10**9
NO_SYMBOLS = " .=:,"
"""Characters that are not values: a space is not a cell, a point is any value, `=` the same value; the others
separate values."""
_LIKE_A_RANGE = re.compile(r"([0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])")


class Values:
    """numbers: of the values, increasing. symbols: a character for each, or empty."""

    def __init__(self, numbers: Sequence[int], symbols: str) -> None:
        self.numbers = tuple(numbers)
        self.symbols = symbols
        self.number_of = dict(zip(symbols, self.numbers, strict=False))

    def written(self) -> str:
        """The values as a list for messages."""
        shown = self.symbols or " ".join(map(str, self.numbers[:20]))
        return in_short(shown, 60)

    def symbols_of(self, numbers: Sequence[int]) -> str:
        """The characters of some of the values in the compact form."""
        symbol_of = dict(zip(self.numbers, self.symbols, strict=False))
        return "".join(symbol_of[number] for number in numbers) if self.symbols else SYMBOLS

    def read(self, table: Table, key: str) -> tuple[int, ...]:
        """The values of a key: a text of their characters, a number, or a list of numbers."""
        found = table.in_words(key) if self.symbols_are_letters else table.data[key]
        if type(found) is str and found:
            return self.of_words(table, key, found)
        listed = found if type(found) is list else [found]
        for place, number in enumerate(listed):
            if type(number) is not int or number not in self.numbers or self.symbols_are_letters:
                table.refuse_value(key, f'"{key}" names values, which are {self.written()}', place)
        if not listed:
            table.refuse_value(key, f'"{key}" names no value; name one of {self.written()}')
        return tuple(sorted(set(listed)))

    def of_word(self, word: str) -> int | None:
        """The value that a word names, by its number or by its character; None if there is none."""
        if self.symbols_are_letters:
            return self.number_of.get(word)
        return int(word) if is_whole_number(word) and int(word) in self.numbers else None

    @property
    def symbols_are_letters(self) -> bool:
        """Whether the file names the values by characters, not by numbers."""
        return bool(self.symbols) and self.symbols != _digits_of(self.numbers)

    def of_words(self, table: Table, key: str, text: str) -> tuple[int, ...]:
        """The values of a text, as a set: each word is a number, characters, or a range of values."""
        found = set[int]()
        for word in text.split() or [text]:
            first, dots, last = word.partition("..")
            ends = (self.of_word(first), self.of_word(last)) if dots else (None, None)
            if ends[0] is not None and ends[1] is not None and ends[0] <= ends[1]:
                found.update(number for number in self.numbers if ends[0] <= number <= ends[1])
                continue
            number = self.of_word(word)
            if number is not None and str(number) == word:  # 02 is the values 0 and 2
                found.add(number)
                continue
            for part in word if self.symbols else [word]:
                if part not in self.number_of:
                    table.refuse_value(key, f'"{in_short(part)}" is none of the values {self.written()}')
                found.add(self.number_of[part])
        return tuple(sorted(found))


def read_values(table: Table) -> Values:
    """The values of a file: "1..9", [1, 2, 4], "A..F", or a text of characters. Raises BadFile."""
    found = table.data.get("values")
    if type(found) is str:
        first, dots, last = found.partition("..")
        if dots and len(first) == len(last) == 1 and not (first + last).isdigit():
            return _characters(table, _between(table, first, last))
        if not dots:
            return _characters(table, found)
    if found is None:
        table.refuse_table('"values" is missing; give them as "1..9", as a list, or as a text of characters')
    if type(found) is list and found and all(type(one) is str and len(one) == 1 for one in found):
        table.refuse_value("values", f'characters are one text; write values = "{in_short("".join(found))}"')
    numbers = table.numbers("values", MAX_VALUES)
    if not 0 < len(numbers) <= MAX_VALUES or max(map(abs, numbers)) > LARGEST:
        table.refuse_value("values", f"{len(numbers)} values; take 1 to {MAX_VALUES}, none beyond {LARGEST}")
    if len(set(numbers)) < len(numbers):
        table.refuse_value("values", "a value appears twice; name it once")
    return Values(numbers, _digits_of(numbers))


def _between(table: Table, first: str, last: str) -> str:
    """All characters from one to another."""
    n_symbols = ord(last) - ord(first) + 1
    if n_symbols <= 0:
        table.refuse_value("values", f'from "{first}" to "{last}" are no characters; write "{last}" first')
    if n_symbols > MAX_VALUES:
        table.refuse_value("values", f'from "{first}" to "{last}" are not 1 to {MAX_VALUES} characters')
    return "".join(map(chr, range(ord(first), ord(last) + 1)))


def _characters(table: Table, symbols: str) -> Values:
    """Digits are the numbers that they show; the other characters have the least numbers that are left."""
    problem = next(filter(None, map(problem_of_mark, symbols)), None)
    if problem is not None:
        table.refuse_value("values", problem)
    if not 0 < len(symbols) <= MAX_VALUES or set(NO_SYMBOLS) & set(symbols):
        rule = f"values are 1 to {MAX_VALUES} different characters, none of them a space or one of"
        table.refuse_value("values", f'{rule} {" ".join(NO_SYMBOLS.strip())}; or numbers, as "1..9"')
    if (twice := repeated(symbols)) is not None:
        table.refuse_value("values", f'"{twice}" appears twice; name each value once')
    if _LIKE_A_RANGE.fullmatch(symbols) and symbols[0] < symbols[-1]:
        meant = f'write "{symbols[0]}..{symbols[-1]}" for all values between, or "-" as the first of three'
        table.refuse_value("values", f'"{symbols}" would be three characters; {meant}')
    shown = {symbol: int(symbol) for symbol in symbols if symbol in DIGITS[:10]}
    left = (number for number in count() if number not in shown.values())
    numbers = [shown[symbol] if symbol in shown else next(left) for symbol in symbols]
    in_order = sorted(zip(numbers, symbols, strict=True))
    return Values([number for number, _ in in_order], "".join(symbol for _, symbol in in_order))


def _digits_of(numbers: Sequence[int]) -> str:
    is_short = numbers[0] >= 0 and numbers[-1] < len(DIGITS)
    return "".join(DIGITS[number] for number in numbers) if is_short else ""
