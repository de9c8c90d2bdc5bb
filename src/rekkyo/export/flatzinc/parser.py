"""Parses the items of a FlatZinc text. `reader.py` resolves names later.

Grammar: MiniZinc Handbook, "Interfacing Solvers to Flattened MiniZinc". Left out: numbers with a point and
variables that are sets, which are refused by name; annotations other than those for output are parsed and
ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

from rekkyo.errors import in_short
from rekkyo.export.flatzinc import syntax
from rekkyo.export.flatzinc.lexer import MAX_DIGITS, Source, Word

PartT = TypeVar("PartT")

MAX_DEPTH = 40
"""The most levels of nested brackets."""

MAX_PARTS = 1 << 23
"""The most numbers and other parts in all brackets together."""

GOALS = ("satisfy", "minimize", "maximize")


class Parser:
    """Parses one text. `_word` is the next unused word."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._words = source.words()
        self._word = next(self._words)
        self._depth = 0
        self._n_parts = 0

    def items(self) -> Iterator[syntax.Item]:
        """All items except declarations of predicates, in order. Raises BadFile."""
        if self._is("{"):
            self._source.fail(self._word.at, "this looks like JSON; have the text form of FlatZinc written")
        while self._word.kind != "end":
            if self._is("predicate"):
                while not self._is(";") and self._word.kind != "end":
                    self._next()
            elif self._is("constraint"):
                yield self._posted()
            elif self._is("solve"):
                yield self._goal()
            else:
                yield self._declaration()
            self._take(";")

    def _is(self, text: str) -> bool:
        return self._word.text == text and self._word.kind in ("name", "mark")

    def _next(self) -> Word:
        word, self._word = self._word, next(self._words, self._word)
        return word

    def _take(self, text: str) -> Word:
        if not self._is(text):
            self._refuse(f'"{text}"')
        return self._next()

    def _taken(self, text: str) -> bool:
        if self._is(text):
            self._next()
            return True
        return False

    def _take_kind(self, kind: str, wanted: str) -> Word:
        if self._word.kind != kind:
            self._refuse(wanted)
        return self._next()

    def _refuse(self, wanted: str) -> NoReturn:
        found = self._word.text if self._word.kind == "end" else f'"{in_short(self._word.text)}"'
        cut = "; the file seems to be cut off" if self._word.kind == "end" else ""
        self._source.fail(self._word.at, f"{found} stands where {wanted} should be{cut}")

    def _posted(self) -> syntax.Posted:
        self._next()
        predicate = self._take_kind("name", "the name of a predicate")
        arguments = self._several("(", ")", self._expression)
        self._annotations()
        return syntax.Posted(predicate.at, predicate.text, arguments)

    def _goal(self) -> syntax.Goal:
        at = self._next().at
        self._annotations()
        kind = self._take_kind("name", " or ".join(GOALS))
        if kind.text not in GOALS:
            self._source.fail(kind.at, f'"{in_short(kind.text)}" is not a goal; write {", ".join(GOALS)}')
        return syntax.Goal(at, kind.text, None if kind.text == "satisfy" else self._expression())

    def _declaration(self) -> syntax.Declaration:
        at = self._word.at
        size = None
        if self._taken("array"):
            self._take("[")
            first, size = self._number(), self._to_number()
            if first != 1 or size < 0:
                self._source.fail(at, "arrays of FlatZinc are counted from 1; write array [1..n]")
            self._take("]")
            self._take("of")
        is_variable = self._taken("var")
        base, domain = self._type(is_variable)
        self._take(":")
        name = self._take_kind("name", "a name")
        annotations = self._annotations()
        value = self._expression() if self._taken("=") else None
        return syntax.Declaration(name.at, name.text, is_variable, base, domain, size, annotations, value)

    def _number(self) -> int:
        return self._source.whole_number(self._take_kind("int", "a whole number"))

    def _to_number(self) -> int:
        self._take("..")
        return self._number()

    def _type(self, is_variable: bool) -> tuple[str, syntax.IntSet | None]:
        word = self._word
        if self._is("float") and not is_variable:
            return self._next().text, None
        if word.kind == "float" or word.text == "float":
            self._source.fail(word.at, syntax.WITH_POINT)
        if self._taken("set"):
            self._take("of")
            if is_variable:
                fix = "write an array of var bool, or flatten with rekkyo's own library"
                self._source.fail(word.at, f"variables that are sets are not searched; {fix}")
            if not self._taken("int"):
                self._set()
            return "set", None
        if word.text in ("int", "bool") and word.kind == "name":
            return self._next().text, None
        if not (word.kind == "int" or self._is("{")):
            self._refuse("a type, such as var 1..9")
        return "int", self._set()

    def _set(self) -> syntax.IntSet:
        """A range, or members in braces."""
        if self._is("{"):
            return frozenset(self._several("{", "}", self._number))
        low = self._number()
        return range(low, self._to_number() + 1)

    def _several(self, opening: str, closing: str, one: Callable[[], PartT]) -> tuple[PartT, ...]:
        """Parts between brackets, with commas."""
        at = self._take(opening).at
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._source.fail(at, f"more than {MAX_DEPTH} brackets within each other")
        parts = []
        while not self._is(closing):
            parts.append(one())
            self._count_parts(at, 1)
            if not self._taken(","):
                break
        self._take(closing)
        self._depth -= 1
        return tuple(parts)

    def _count_parts(self, at: int, n_more: int) -> None:
        self._n_parts += n_more
        if self._n_parts > MAX_PARTS:
            self._source.fail(at, f"more than {MAX_PARTS} entries in arrays and arguments; make them smaller")

    def _ints(self) -> tuple[int, ...]:
        """An array of plain numbers in one step, because tables have millions."""
        word = self._next()
        self._count_parts(word.at, word.text.count(",") + 1)
        try:
            numbers = tuple(map(int, word.text[1:-1].rstrip().removesuffix(",").split(",")))
        except ValueError:
            self._source.fail(
                word.at, f"{in_short(word.text)} is not an array; write numbers with commas between"
            )
        if max(map(abs, numbers)) >= 10**MAX_DIGITS:
            self._source.fail(word.at, f"a number in this array has more than {MAX_DIGITS} digits")
        return numbers

    def _expression(self) -> syntax.Expression:
        word = self._word
        if word.kind == "ints":
            return self._ints()
        if word.kind == "int":
            number = self._number()
            return range(number, self._to_number() + 1) if self._is("..") else number
        if word.kind in ("float", "text"):
            self._next()
            return float(word.text) if word.kind == "float" else syntax.Text(word.text[1:-1])
        if self._is("{") or self._is("["):
            return self._set() if self._is("{") else self._several("[", "]", self._expression)
        return self._named()

    def _named(self) -> syntax.Expression:
        word = self._take_kind("name", "a value")
        if word.text in ("true", "false"):
            return word.text == "true"
        if self._is("("):
            return syntax.Call(word.text, self._several("(", ")", self._expression))
        return syntax.Name(word.text, self._index(), word.at)

    def _index(self) -> int | None:
        if not self._taken("["):
            return None
        index = self._number()
        self._take("]")
        return index

    def _annotations(self) -> tuple[syntax.Expression, ...]:
        found = []
        while self._taken("::"):
            found.append(self._expression())
        return tuple(found)
