"""The words of a FlatZinc text, an item at a time.

All words of an item are found in one call of a regular expression. An array of numbers and names is one word:
most words of a text are in such arrays. Where a word is in the text is computed for messages only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NoReturn, TypeAlias

from rekkyo.errors import BadFile, in_short

MAX_DIGITS = 18

_TEXT = r'"(?:[^"\n\\]|\\.)*"'

_ITEM = re.compile(rf'(?>[^;"%]+|{_TEXT}|%[^\n]*|")*;?')

_GOOD_WORD = (
    r"[A-Za-z_][A-Za-z0-9_]*"
    r"|\[[-A-Za-z0-9_, \t\r\n]*\]"
    r"|::|\.\.|[()\[\]{},;:=]"
    r"|-?(?:0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)?)"
    rf"|{_TEXT}"
)
_BLANK = r"(?>(?:[ \t\r\n]+|%[^\n]*)*)"
_WORD = re.compile(rf"{_BLANK}({_GOOD_WORD}|[\s\S]|\Z)")
_IS_GOOD = re.compile(_GOOD_WORD)

MAX_QUOTED = 80
"""The most characters of a line in a message."""

MAX_PARTS = 1 << 23
"""The most commas: about as many as there are numbers and other parts in all brackets together."""

Place: TypeAlias = tuple[int, int]
"""Where an item begins, and the number of a word in it."""


class Source:
    """A text, with names of its places for messages.

    name: of the file. is_flattened: the text was made from a model, whose lines are others; so messages quote
    the line of the text.
    """

    def __init__(self, text: str, name: str, *, is_flattened: bool = False) -> None:
        self.text = text
        self.name = name
        self.is_flattened = is_flattened

    def fail(self, at: Place, problem: str, further: int = 0) -> NoReturn:
        """Refuse the text because of a problem `further` characters after the beginning of a word."""
        raise BadFile(f"{self._named(self._offset(at) + further)} {problem}")

    def _offset(self, at: Place) -> int:
        """Where a word begins in the text."""
        start, number = at
        return next(islice(_WORD.finditer(self.text, start), number, None)).start(1)

    def _named(self, at: int) -> str:
        """`file:line:column:` of an offset, or the line itself."""
        line = self.text.count("\n", 0, at) + 1
        start = self.text.rfind("\n", 0, at) + 1
        if self.is_flattened:
            item = in_short(self.text[start:].partition("\n")[0].strip(), MAX_QUOTED)
            return f"{self.name}, flattened, line {line} of its FlatZinc{item and f', `{item}`'}:"
        column = at - start + 1
        return f"{self.name}:{line}:{column}:"

    def items(self) -> Iterator[tuple[int, list[str]]]:
        """Where each item begins, and its words. The last word is empty, and ends the item."""
        at, n_parts, text = 0, 0, self.text
        while at < len(text):
            stop = _ITEM.match(text, at).end()  # type: ignore[union-attr]  # it matches every text
            n_parts += text.count(",", at, stop)
            if n_parts >= MAX_PARTS:
                problem = f"more than {MAX_PARTS} entries in arrays and arguments; make them smaller"
                self.fail((at, 0), problem)
            words = _WORD.findall(text, at, stop)
            if words[0]:
                yield at, words
            at = stop


def is_word(text: str) -> bool:
    """Whether a text is a word of FlatZinc, and not a character that begins no word."""
    return _IS_GOOD.fullmatch(text) is not None
