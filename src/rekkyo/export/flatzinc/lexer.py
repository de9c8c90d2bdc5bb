"""The words of a FlatZinc text, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from rekkyo.errors import BadFile, in_short

MAX_DIGITS = 18

_WORD = re.compile(
    r"""(?P<blank>(?:[ \t\r\n]|%[^\n]*)+)
    | (?P<float>-?[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+))
    | (?P<int>-?(?:0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<text>"(?:[^"\n\\]|\\.)*")
    | (?P<ints>\[[-0-9 \t\r\n]*,[-0-9, \t\r\n]*\])
    | (?P<mark>::|\.\.|[()\[\]{},;:=])""",
    re.VERBOSE,
)


MAX_QUOTED = 80
"""The most characters of a line in a message."""


class Word(NamedTuple):
    """kind: float, int, name, text, mark, ints for an array of numbers, or end after the last word.

    at: the offset in the text.
    """

    kind: str
    text: str
    at: int


class Source:
    """A text, with names of its places for messages.

    name: of the file. is_flattened: of a model, which has other lines, so the line of this text is quoted.
    """

    def __init__(self, text: str, name: str, *, is_flattened: bool = False) -> None:
        self.text = text
        self.name = name
        self.is_flattened = is_flattened

    def fail(self, at: int, problem: str) -> NoReturn:
        """Refuse the text because of a problem at an offset. Raises BadFile."""
        raise BadFile(f"{self.place(at)} {problem}")

    def place(self, at: int) -> str:
        """`file:line:column:` of an offset, or the line itself."""
        line = self.text.count("\n", 0, at) + 1
        start = self.text.rfind("\n", 0, at) + 1
        if self.is_flattened:
            item = in_short(self.text[start:].partition("\n")[0].strip(), MAX_QUOTED)
            return f"{self.name}, flattened, line {line} of its FlatZinc{item and f', `{item}`'}:"
        column = at - start + 1
        return f"{self.name}:{line}:{column}:"

    def words(self) -> Iterator[Word]:
        """All words, and one of kind "end". Raises BadFile."""
        at = 0
        while at < len(self.text):
            match = _WORD.match(self.text, at)
            if match is None or match.lastgroup is None:
                self.fail(
                    at,
                    f"{in_short(repr(self.text[at]))} does not begin a word of FlatZinc; is it a .fzn file?",
                )
            if match.lastgroup != "blank":
                yield Word(match.lastgroup, match.group(), at)
            at = match.end()
        yield Word("end", "the end of the text", at)

    def whole_number(self, word: Word) -> int:
        """The value of a word of kind int."""
        if len(word.text.lstrip("-")) > MAX_DIGITS:
            problem = f"the number {in_short(word.text)} has more than {MAX_DIGITS} digits"
            self.fail(word.at, f"{problem}; rekkyo needs smaller ones")
        return int(word.text, 0) if word.text.lstrip("-")[1:2] in ("x", "o") else int(word.text)
