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

    read_plain: as `read`, for a value that may also name a file, which is not opened then. allows_more:
    whether a puzzle without solutions may have some with this switch, so that a message names it.
    """

    name: str
    help: str
    metavar: str = ""
    read: Callable[[str], Any] | None = None
    read_plain: Callable[[str], Any] | None = None
    once: bool = False
    allows_more: bool = False

    def setting(self, words: Sequence[str], opens_files: bool) -> Any:
        """What the builder is told when these words follow the option. Raises BadInput."""
        read = self.read if opens_files else self.read_plain or self.read
        if read is None:
            return True
        return read(words[0]) if self.once else tuple(map(read, words))


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

    def fixes(self, words: Sequence[str]) -> list[str]:
        """What may be added to the words of a puzzle that has no solution."""
        more = (option for option in self.options if option.allows_more and option.name not in words)
        return [f"with {option.name}, {option.help}" for option in more]

    def puzzle(self, words: Sequence[str], *, opens_files: bool = True) -> Puzzle:
        """The puzzle that the words after the name describe. Raises BadInput."""
        numbers, given = split_words(self.name, self.options, words)
        if self.bare_option not in ("", *given) and len(numbers) == len(self.parameters) + 1:
            given[self.bare_option] = [numbers.pop()]
        if len(numbers) < len(self.parameters):
            missing = self.parameters[len(numbers)]
            raise BadInput(f"{self.name}: {missing.name} is missing ({missing.help}); usage: {self.usage}")
        if len(numbers) > len(self.parameters):
            extra = numbers[len(self.parameters)]
            raise BadInput(f'{self.name}: "{in_short(extra)}" is one word too many; usage: {self.usage}')
        settings = {
            option.name.removeprefix("--").replace("-", "_"): option.setting(given[option.name], opens_files)
            for option in self.options
            if option.name in given
        }
        values = [p.read(self.name, word) for p, word in zip(self.parameters, numbers, strict=True)]
        return self.build(*values, **settings)


def split_words(
    name: str, options: Sequence[Option], words: Sequence[str]
) -> tuple[list[str], dict[str, list[str]]]:
    """The words that stand alone, and those that follow each option that is given. Raises BadInput."""
    known = {option.name: option for option in options}
    alone: list[str] = []
    given: dict[str, list[str]] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            alone.append(word)
            continue
        option, has_value, value = word.partition("=")
        if option not in known:
            fix = fix_for_name(option, list(known))
            raise BadInput(f'{name} has no option "{in_short(option)}"; {fix}')
        if option in given and known[option].once:
            raise BadInput(f"{name}: {option} is given twice; give it once")
        values = given.setdefault(option, [])
        if known[option].read is not None:
            following = value if has_value else next(rest, None)
            if following is None:
                raise BadInput(f"{name}: {option} needs a value: {option} {known[option].metavar}")
            values.append(following)
        elif has_value:
            raise BadInput(f"{name}: {option} is a switch and takes no value")
    return alone, given


def read_pair(word: str, what: str = "a cell") -> tuple[int, int]:
    """Numbers written ROW,COLUMN. Raises BadInput."""
    parts = word.split(",")
    if len(parts) == 2 and all(is_whole_number(part) and not part.startswith("-") for part in parts):
        return int(parts[0]), int(parts[1])
    raise BadInput(f'{what} is written ROW,COLUMN, both from 0, such as 0,3; not "{in_short(word)}"')


def is_whole_number(word: str) -> bool:
    """Whether a word is a plain decimal number. int() would also take "1_0", " 7" and other scripts."""
    return is_decimal(word) and len(word.removeprefix("-")) <= 20


def is_decimal(word: str) -> bool:
    """As `is_whole_number`, with any number of digits."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit()


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
