"""A puzzle file for many sizes: `[family]` names its parameters, and `{n}` stands for their values.

    [family]
    n = "1..8"                  a range of whole numbers
    month = "jan feb mar"       or words; the number of a word is its place, from 1
    without = ["feb 30"]        values that make no puzzle of the family

A text that is only `{...}` becomes a number, if a number is allowed there. In other texts, and where a word
is required, `{month}` becomes the word, and an expression such as `{2n+1}` (see `expressions.py`) its digits.
Keys and `[published]` are not changed; a published count follows its values: `total = { 8 = 92 }`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from rekkyo.catalog.entry import Option, is_whole_number, split_words
from rekkyo.errors import BadInput, in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, Table
from rekkyo.export.puzzle_toml.expressions import NAME, value_of
from rekkyo.export.puzzle_toml.positions import Path
from rekkyo.wording import several

FAMILY = "family"
WITHOUT = "without"
PUBLISHED = "published"
MAX_PARAMETERS = 4
MAX_PARAMETER_NAME = 20
MAX_WORDS = 1000
LARGEST_SIZE = 10**6
_BRACES = re.compile(r"\{([^{}\n]*)\}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name and its values: whole numbers, or words, which are numbered from 1."""

    name: str
    values: range | tuple[str, ...]

    @property
    def shown(self) -> str:
        """The values, shortened."""
        if isinstance(self.values, range):
            return f"{self.values[0]}..{self.values[-1]}"
        if len(self.values) <= 4:
            return in_short(" ".join(self.values))
        return f"{in_short(' '.join(self.values[:2]))} ... {in_short(self.values[-1])}"

    def number_of(self, word: str) -> int | None:
        """The number of a word, or None. Each value has one spelling: 8, not 08."""
        if isinstance(self.values, range):
            is_plain = is_whole_number(word) and str(int(word)) == word
            return int(word) if is_plain and int(word) in self.values else None
        return self.values.index(word) + 1 if word in self.values else None


@dataclass(frozen=True, slots=True)
class Family:
    """The parameters of a file, in order. name: of the file. without: values, joined by spaces."""

    name: str
    parameters: tuple[Parameter, ...]
    without: frozenset[str] = frozenset()

    @property
    def usage(self) -> str:
        """The file and its parameters."""
        return " ".join([self.name, *(parameter.name.upper() for parameter in self.parameters)])

    @property
    def options(self) -> tuple[Option, ...]:
        """The parameters as options."""
        return tuple(Option(f"--{one.name}", "", one.shown, str, once=True) for one in self.parameters)

    def values_of(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words in the order of the parameters; some may be given by name, as in `--n 4`.

        The values themselves are not checked here. Raises BadInput.
        """
        others, named = split_words(self.name, self.options, words)
        if named and len(named) + len(others) < len(self.parameters):
            raise BadInput(f"{self.name} is a family of puzzles; {self._fix()}")
        if not named:
            return tuple(others)
        in_order = [named[one.name][0] if one.name in named else others.pop(0) for one in self.options]
        return (*in_order, *others)

    def numbers_of(self, words: Sequence[str]) -> dict[str, int]:
        """The numbers of the words, for each parameter. Raises BadInput."""
        n_parameters = len(self.parameters)
        if len(words) < n_parameters:
            raise BadInput(f"{self.name} is a family of puzzles; {self._fix()}")
        if len(words) > n_parameters:
            extra = in_short(words[n_parameters])
            raise BadInput(f'"{extra}" is one word too many after the file {self.name}; {self._fix()}')
        numbers = {}
        for parameter, word in zip(self.parameters, words, strict=True):
            number = parameter.number_of(word)
            if number is None:
                known = f"{parameter.name} is one of {parameter.shown}"
                raise BadInput(f'{self.name}: {known}, not "{in_short(word)}"')
            numbers[parameter.name] = number
        if " ".join(words) in self.without:
            left_out = f'"{in_short(" ".join(words))}" is left out of this family'
            raise BadInput(f"{self.name}: {left_out}; {self._fix()}")
        return numbers

    def problem_of(self, words: str) -> str | None:
        """Why words are not values of this family, or None."""
        n_values, n_parameters = len(words.split(" ")), len(self.parameters)
        if n_values != n_parameters:
            names = " and ".join(parameter.name for parameter in self.parameters)
            has = f"has {several(n_values, 'value')}, but the family has {several(n_parameters, 'parameter')}"
            return f'"{in_short(words)}" {has}; write {names}, as in "{self._first()}"'
        try:
            self.numbers_of(words.split(" "))
        except BadInput as problem:
            return str(problem).removeprefix(f"{self.name}: ")
        return None

    def _fix(self) -> str:
        what = " and ".join(f"{parameter.name} ({parameter.shown})" for parameter in self.parameters)
        return f"give {what} after its name, such as: {self.name} {self._first()}"

    def _first(self) -> str:
        """The values of the first member."""
        enough = len(self.without) + 1  # so many members are not all left out
        every = product(*(map(str, parameter.values[:enough]) for parameter in self.parameters))
        return in_short(next(" ".join(words) for words in every if " ".join(words) not in self.without))


def family_of(table: Table) -> Family | None:
    """The family in a file, or None. Raises BadFile."""
    if FAMILY not in table:
        return None
    found = table.table(FAMILY)
    names = [name for name in found.names() if name != WITHOUT]
    if not names:
        table.refuse(FAMILY, '[family] names no parameter; write a line such as n = "1..8"')
    if len(names) > MAX_PARAMETERS:
        table.refuse(FAMILY, f"{len(names)} parameters are more than the {MAX_PARAMETERS} that are read")
    family = Family(table.document.name, tuple(_parameter(found, name) for name in names))
    return replace(family, without=_without(found, family))


def member(table: Table, words: Sequence[str]) -> tuple[Table, Family | None, tuple[str, ...]]:
    """The table with the words instead of the parameters, the family, and the words in its order.

    A file that is not a family accepts no words and is not changed. Raises BadInput.
    """
    family = family_of(table)
    if family is None:
        if words:
            raise BadInput(
                f'"{in_short(words[0])}" is one word too many after the file {table.document.name}'
            )
        return table, None, ()
    values = family.values_of(words)
    filling = _Filling(table, family.numbers_of(values), values)
    table.document.is_member = True
    data = {key: filling.of(value, (key,)) for key, value in table.data.items()}
    return Table(table.document, (), data), family, values


def _parameter(found: Table, name: str) -> Parameter:
    if NAME.fullmatch(name) is None or len(name) > MAX_PARAMETER_NAME:
        known = f'1 to {MAX_PARAMETER_NAME} small letters, digits and "_", a letter first'
        found.refuse(name, f'"{in_short(name)}" cannot name a parameter; use {known}')
    first, dots, last = found.text(name).partition("..")
    if not dots:
        return Parameter(name, _words(found, name))
    ends = first.strip(), last.strip()
    if not all(map(is_whole_number, ends)) or not 0 <= int(ends[0]) <= int(ends[1]) <= LARGEST_SIZE:
        known = f"a range such as 1..8, from 0 to {LARGEST_SIZE}, the lesser number first"
        found.refuse_value(name, f'"{in_short(name)}" is {known}')
    return Parameter(name, range(int(ends[0]), int(ends[1]) + 1))


def _words(found: Table, name: str) -> tuple[str, ...]:
    words = tuple(found.words(name))
    is_short = all(len(word) <= MAX_NAME and word.isprintable() for word in words)
    if not (0 < len(words) <= MAX_WORDS and is_short and len(set(words)) == len(words)):
        known = f'a range such as 1..8, or 1 to {MAX_WORDS} different words such as "jan feb mar"'
        found.refuse_value(name, f'"{in_short(name)}" is {known}')
    return words


def _without(found: Table, family: Family) -> frozenset[str]:
    if WITHOUT not in found:
        return frozenset()
    listed = found.value(WITHOUT, list, 'a list of values, such as ["feb 30", "feb 31"]')
    for number, values in enumerate(listed):
        problem = family.problem_of(values) if type(values) is str else "it is not a text"
        if problem is not None:
            found.refuse_value(WITHOUT, problem, number)
    if len(set(listed)) == prod(len(parameter.values) for parameter in family.parameters):
        found.refuse(WITHOUT, "no member of the family is left; leave out fewer")
    return frozenset(listed)


class _Filling:
    """Replaces parameters by values. numbers, words: both in the order of the parameters."""

    def __init__(self, table: Table, numbers: dict[str, int], words: tuple[str, ...]) -> None:
        self.document = table.document
        self.numbers = numbers
        self.words = dict(zip(numbers, words, strict=True))

    def of(self, value: Any, path: Path) -> Any:
        """A value of the file, with parameters replaced."""
        if path in ((FAMILY,), (PUBLISHED,)):
            return value
        if type(value) is dict:
            return {key: self.of(entry, (*path, key)) for key, entry in value.items()}
        if type(value) is list:
            return [self.of(entry, (*path, number)) for number, entry in enumerate(value)]
        return self._text(value, path) if type(value) is str else value

    def _text(self, text: str, path: Path) -> str | int:
        try:
            alone = _BRACES.fullmatch(text)
            if alone:
                self.document.filled.add(path)
                self.document.written[path] = self._written(alone[1])
                return value_of(alone[1], self.numbers)
            filled = _BRACES.sub(lambda found: self._written(found[1]), text)
        except BadInput as problem:
            self.document.refuse(path, str(problem), value=True)
        if filled != text:
            self.document.filled.add(path)
        return filled

    def _written(self, expression: str) -> str:
        name = expression.strip()
        return self.words[name] if name in self.words else str(value_of(expression, self.numbers))
