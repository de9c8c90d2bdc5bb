"""A family of puzzles in the catalog, and the parser of its words.

An entry declares its numbers and options for the command line, help texts and error messages. Words are
`NAME NUMBER… --option VALUE…` in any order after the name; an option may also be written `--option=VALUE`.
A word such as `-3` is a number, never an option.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.model.puzzle import Published, Puzzle


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that follows the name, from `least` to `most`."""

    name: str
    help: str
    least: int
    most: int

    def read(self, entry_name: str, word: str) -> int:
        """The value of a word. Raises BadInput."""
        if is_whole_number(word) and self.least <= int(word) <= self.most:
            return int(word)
        raise BadInput(
            f"{entry_name}: {self.name} must be a whole number from {self.least} to {self.most},"
            f' not "{in_short(word)}"'
        )


@dataclass(frozen=True, slots=True)
class Option:
    """`--name VALUE`, repeatable unless `once`, or a switch when `read` is None.

    read_plain: as `read`, for a value that may also name a file, which is not opened then.
    """

    name: str
    help: str
    metavar: str = ""
    read: Callable[[str], Any] | None = None
    read_plain: Callable[[str], Any] | None = None
    once: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A family of puzzles.

    build: called with the numbers in order, and with each option that was given by its keyword: a tuple of
        values, the value of an option that is given once, or True for a switch.
    bare_option: the option whose value may also stand alone after the numbers, such as a sudoku's clues.
    """

    name: str
    summary: str
    source: str
    build: Callable[..., Puzzle]
    parameters: tuple[Parameter, ...] = ()
    options: tuple[Option, ...] = ()
    bare_option: str = ""

    @property
    def usage(self) -> str:
        """Name and numbers, as in `queens N`, and the option that may stand alone."""
        bare = [f"[{option.metavar}]" for option in self.options if option.name == self.bare_option]
        return " ".join([self.name, *(parameter.name for parameter in self.parameters), *bare])

    def puzzle(self, words: Sequence[str], *, opens_files: bool = True) -> Puzzle:
        """The puzzle that the words after the name describe. Raises BadInput."""
        numbers, settings = self._numbers_and_settings(words, opens_files)
        if self.bare_option and len(numbers) == len(self.parameters) + 1:
            self._set(settings, self._option(self.bare_option), numbers.pop(), opens_files)
        if len(numbers) < len(self.parameters):
            missing = self.parameters[len(numbers)]
            raise BadInput(f"{self.name}: {missing.name} is missing ({missing.help}); usage: {self.usage}")
        if len(numbers) > len(self.parameters):
            extra = numbers[len(self.parameters)]
            raise BadInput(f'{self.name}: "{in_short(extra)}" is one word too many; usage: {self.usage}')
        values = [p.read(self.name, word) for p, word in zip(self.parameters, numbers, strict=True)]
        return self.build(*values, **settings)

    def _numbers_and_settings(
        self, words: Sequence[str], opens_files: bool
    ) -> tuple[list[str], dict[str, Any]]:
        numbers: list[str] = []
        settings: dict[str, Any] = {}
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if not word.startswith("--"):
                numbers.append(word)
                continue
            name, has_value, value = word.partition("=")
            option = self._option(name)
            if option.read is None:
                if has_value:
                    raise BadInput(f"{self.name}: {name} is a switch and takes no value")
                settings[_keyword(name)] = True
                continue
            if not has_value:
                if not rest:
                    raise BadInput(f"{self.name}: {name} needs a value: {name} {option.metavar}")
                value = rest.pop(0)
            self._set(settings, option, value, opens_files)
        return numbers, settings

    def _set(self, settings: dict[str, Any], option: Option, word: str, opens_files: bool) -> None:
        read = option.read if opens_files else option.read_plain or option.read
        assert read is not None
        key, value = _keyword(option.name), read(word)
        if not option.once:
            value = (*settings.get(key, ()), value)
        elif key in settings:
            raise BadInput(f"{self.name}: give {option.name} only once")
        settings[key] = value

    def _option(self, name: str) -> Option:
        options = {option.name: option for option in self.options}
        if name not in options:
            raise BadInput(f'{self.name} has no option "{name}"; {fix_for_name(name, list(options))}')
        return options[name]


def read_pair(word: str, what: str = "a cell") -> tuple[int, int]:
    """Numbers written ROW,COLUMN. Raises BadInput."""
    parts = word.split(",")
    if len(parts) == 2 and all(is_whole_number(part) and not part.startswith("-") for part in parts):
        return int(parts[0]), int(parts[1])
    raise BadInput(f'{what} is written ROW,COLUMN, both from 0, such as 0,3; not "{word}"')


def is_whole_number(word: str) -> bool:
    """Whether a word is a plain decimal number. int() would also take "1_0", " 7" and other scripts."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 20


def _keyword(option_name: str) -> str:
    return option_name.removeprefix("--").replace("-", "_")


def published(family: str, puzzle: str, parameter: str) -> Published | None:
    """The published counts of a puzzle of a family, or None; read from the files in `data`."""
    return table(family).get((puzzle, parameter))


@cache
def table(family: str) -> dict[tuple[str, str], Published]:
    """All published counts of a family, by (puzzle, parameter)."""
    text = (files("rekkyo.catalog") / "data" / f"{family}.tsv").read_text(encoding="utf-8")
    return {
        (line["puzzle"], line["parameter"]): Published(
            _number(line["total"]), _number(line["unique"]), line["source"]
        )
        for line in csv.DictReader(text.splitlines(), delimiter="\t")
    }


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)
