"""Parses the items of a FlatZinc text, and resolves the names in them, which are declared before.

Grammar: MiniZinc Handbook, "Interfacing Solvers to Flattened MiniZinc". Left out: numbers with a point and
variables that are sets, which are refused by name; annotations other than those for output are parsed and
ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NoReturn, TypeVar

from rekkyo.errors import in_short
from rekkyo.export.flatzinc import syntax
from rekkyo.export.flatzinc.domains import IntSet, Value
from rekkyo.export.flatzinc.lexer import MAX_DIGITS, Place, Source, is_word
from rekkyo.export.flatzinc.predicates import PREDICATES, unknown_predicate

PartT = TypeVar("PartT")

MAX_DEPTH = 40
"""The most levels of nested brackets."""

GOALS = ("satisfy", "minimize", "maximize")

DIGITS = tuple("-0123456789")

NO_VALUE = "a text or call in the place of a value; give a number or a name"


class Parser:
    """Parses one text. `_word` is the next unused word, number `_number` of the item that begins at `_start`.

    values: what each declared name stands for, and a number with a point for names of such numbers. The
    caller adds every declaration before it asks for the next item.
    """

    def __init__(self, source: Source, values: Mapping[str, Value | float]) -> None:
        self._source = source
        self._values = values
        self._start = 0
        self._words: list[str] = []
        self._number = 0
        self._word = ""
        self._depth = 0
        self._alike: dict[tuple[str, ...], syntax.Declaration] = {}

    def items(self) -> Iterator[syntax.Item]:
        """All items except declarations of predicates, in order. Raises BadFile."""
        for start, words in self._source.items():
            self._start, self._words, self._number, self._word = start, words, 0, words[0]
            if self._word == "constraint":
                yield self._posted()
            elif self._word == "solve":
                yield self._goal()
            elif self._word != "predicate":
                yield self._known_declaration() or self._declaration()
            else:
                while self._word not in (";", ""):
                    if not is_word(self._next()):
                        self._source.fail((start, self._number - 1), _no_word(words[self._number - 1]))
            self._take(";")

    @property
    def _place(self) -> Place:
        return self._start, self._number

    def _fail(self, problem: str) -> NoReturn:
        self._source.fail(self._place, problem)

    def _next(self) -> str:
        word = self._word
        if word:
            self._number += 1
            self._word = self._words[self._number]
        return word

    def _take(self, text: str) -> None:
        if self._word != text:
            self._refuse(f'"{text}"')
        self._next()

    def _taken(self, text: str) -> bool:
        if self._word == text:
            self._next()
            return True
        return False

    def _take_name(self, wanted: str) -> str:
        if not _is_name(self._word):
            self._refuse(wanted)
        return self._next()

    def _refuse(self, wanted: str) -> NoReturn:
        word = self._word
        if word and not is_word(word):
            self._fail(_no_word(word))
        found = f'"{in_short(word)}"' if word else "the end of the text"
        cut = "" if word else "; the file seems to be cut off"
        self._fail(f"{found} stands where {wanted} should be{cut}")

    def _posted(self) -> syntax.Posted:
        self._next()
        at, predicate = self._place, self._take_name("the name of a predicate")
        if predicate not in PREDICATES:
            self._source.fail(at, unknown_predicate(predicate))
        arguments = self._several("(", ")", self._value)
        if self._word == "::" and not self._defines_one():
            self._annotations()
        return syntax.Posted(at, predicate, arguments)

    def _defines_one(self) -> bool:
        """Skip a last annotation such as `defines_var(x)`, which most constraints have."""
        rest = self._words[self._number :]
        if len(rest) != 7 or rest[2] != "(" or rest[4:] != [")", ";", ""]:
            return False
        if not (_is_name(rest[1]) and _is_name(rest[3])):
            return False
        self._number += 5
        self._word = ";"
        return True

    def _goal(self) -> syntax.Goal:
        at = self._place
        self._next()
        self._annotations()
        if not _is_name(self._word):
            self._refuse(" or ".join(GOALS))
        if self._word not in GOALS:
            self._fail(f'"{in_short(self._word)}" is not a goal; write {", ".join(GOALS)}')
        kind = self._next()
        return syntax.Goal(at, kind, None if kind == "satisfy" else self._value())

    def _known_declaration(self) -> syntax.Declaration | None:
        """A declaration without a value that differs from an earlier one only in its name; else None.

        Most declarations do. Parsing each of them took a quarter of the time for reading.
        """
        words = self._words
        at = words.index(":") + 1 if ":" in words else 0
        known = self._alike.get((*words[:at], *words[at + 1 :]))
        if known is None or len(words) < at + 3 or not _is_name(words[at]):
            return None
        self._number = len(words) - 2
        self._word = words[self._number]
        place = self._start, at
        parts = known.is_variable, known.base, known.domain, known.size, known.annotations, known.value
        return syntax.Declaration(place, words[at], *parts)

    def _declaration(self) -> syntax.Declaration:
        if self._word == "{":
            self._fail("this looks like JSON; have the text form of FlatZinc written")
        size = self._size() if self._taken("array") else None
        is_variable = self._taken("var")
        base, domain = self._type(is_variable)
        self._take(":")
        at, name = self._place, self._take_name("a name")
        annotations = self._annotations()
        if not self._taken("="):
            made = syntax.Declaration(at, name, is_variable, base, domain, size, annotations, None)
            if self._word == ";":
                self._alike[*self._words[: at[1]], *self._words[at[1] + 1 :]] = made
            return made
        value: Value = 0
        if base == "float":
            self._argument()
        else:
            value = self._value()
        return syntax.Declaration(at, name, is_variable, base, domain, size, annotations, value)

    def _size(self) -> int:
        """The size of an array, from 1."""
        start = self._start, self._number - 1
        self._take("[")
        first, size = self._whole_number(), self._to_number()
        if first != 1 or size < 0:
            self._source.fail(start, "arrays of FlatZinc are counted from 1; write array [1..n]")
        self._take("]")
        self._take("of")
        return size

    def _whole_number(self) -> int:
        if not _is_number(self._word) or _is_float(self._word):
            self._refuse("a whole number")
        number = self._converted(self._word)
        self._next()
        return number

    def _converted(self, text: str) -> int:
        """The value of a whole number in this word."""
        if len(text.lstrip("-")) > MAX_DIGITS:
            self._fail(
                f"the number {in_short(text)} has more than {MAX_DIGITS} digits; rekkyo needs smaller ones"
            )
        return int(text, 0) if text.lstrip("-")[1:2] in ("x", "o") else int(text)

    def _to_number(self) -> int:
        self._take("..")
        return self._whole_number()

    def _type(self, is_variable: bool) -> tuple[str, IntSet | None]:
        word = self._word
        if word == "float" and not is_variable:
            return self._next(), None
        if word == "float" or _is_float(word):
            self._fail(syntax.WITH_POINT)
        if word == "set":
            if is_variable:
                fix = "write an array of var bool, or flatten with rekkyo's own library"
                self._fail(f"variables that are sets are not searched; {fix}")
            self._next()
            self._take("of")
            return "set", None if self._taken("int") else self._set()
        if word in ("int", "bool"):
            return self._next(), None
        if not (word == "{" or _is_number(word)):
            self._refuse("a type, such as var 1..9")
        return "int", self._set()

    def _set(self) -> IntSet:
        """A range, or members in braces."""
        if self._word == "{":
            return frozenset(self._several("{", "}", self._whole_number))
        low = self._whole_number()
        return range(low, self._to_number() + 1)

    def _several(self, opening: str, closing: str, one: Callable[[], PartT]) -> tuple[PartT, ...]:
        """Parts between brackets, with commas."""
        at = self._place
        self._take(opening)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._source.fail(at, f"more than {MAX_DEPTH} brackets within each other")
        parts: list[PartT] = []
        while self._word != closing:
            parts.append(one())
            if self._word != ",":
                break
            self._next()
        self._take(closing)
        self._depth -= 1
        return tuple(parts)

    def _value(self) -> Value:
        """A number, a set, an array, or what a name stands for."""
        word = self._word
        if word.startswith("["):
            return self._array()
        known = self._values.get(word)
        if not (known is None or isinstance(known, float) or self._words[self._number + 1][:1] == "["):
            self._next()
            return known
        if _is_name(word):
            return self._named()
        if _is_number(word):
            if _is_float(word):
                self._fail(syntax.WITH_POINT)
            number = self._whole_number()
            return range(number, self._to_number() + 1) if self._word == ".." else number
        if word == "{":
            return self._set()
        if word.startswith('"'):
            self._fail(NO_VALUE)
        return self._refuse("a value")

    def _named(self) -> Value:
        value = self._resolved(self._word, 0)
        self._next()
        if not self._word.startswith("["):
            return value
        index = self._index()
        if not (isinstance(value, tuple) and 1 <= index <= len(value)):
            place = self._start, self._number - 2
            self._source.fail(place, f'"{in_short(self._words[place[1]])}" has no entry {index}')
        return value[index - 1]

    def _index(self) -> int:
        """The number in brackets behind a name."""
        inside = self._word[1:-1].strip()
        if not inside.isdecimal():
            self._refuse("the number of an entry in brackets")
        index = self._converted(inside)
        self._next()
        return index

    def _resolved(self, name: str, further: int) -> Value:
        """What a name stands for. further: where it is in the word."""
        value = self._values.get(name)
        if value is None:
            is_call = self._words[self._number + 1] == "("
            problem = NO_VALUE if is_call else f'"{in_short(name)}" is not declared; declare it before'
            self._source.fail(self._place, problem, further)
        if isinstance(value, float):
            self._source.fail(self._place, syntax.WITH_POINT, further)
        return value

    def _array(self) -> tuple[Value, ...]:
        if self._word == "[":
            found = self._several("[", "]", self._value)
        else:
            found = self._plain_array()
            self._next()
        if tuple in set(map(type, found)):
            self._fail("an array within an array; FlatZinc has arrays of one dimension")
        return found

    def _plain_array(self) -> tuple[Value, ...]:
        """An array of numbers and names, in one step: tables have millions of numbers."""
        inside = self._word[1:-1].rstrip()
        parts = inside.removesuffix(",").split(",") if inside else []
        values = self._values
        if parts and parts[0].strip().startswith(DIGITS) and "_" not in inside:
            with suppress(ValueError):  # names are among them, or numbers that are not decimal
                return self._checked(tuple(map(int, parts)))
        found: list[Value] = []
        at = 1
        for part in parts:
            name = part.strip()
            value = values.get(name)
            if value is None or isinstance(value, float):
                value = self._entry(name, at + part.find(name))
            found.append(value)
            at += len(part) + 1
        return tuple(found)

    def _entry(self, text: str, further: int) -> Value:
        """An entry of an array that is not a declared name."""
        if text.isidentifier():
            return self._resolved(text, further)
        if not _is_number(text) or not is_word(text):
            self._fail(f"{in_short(self._word)} is not an array; write numbers with commas between")
        if _is_float(text):
            self._fail(syntax.WITH_POINT)
        return self._converted(text)

    def _checked(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        if max(map(abs, numbers)) >= 10**MAX_DIGITS:
            self._fail(f"a number in this array has more than {MAX_DIGITS} digits")
        return numbers

    def _annotations(self) -> tuple[syntax.Annotation, ...]:
        if self._word != "::":
            return ()
        found = []
        while self._taken("::"):
            found.append(self._annotation())
        return tuple(found)

    def _annotation(self) -> syntax.Annotation:
        name = self._take_name("an annotation")
        return syntax.Annotation(name, self._several("(", ")", self._argument) if self._word == "(" else ())

    def _argument(self) -> object:
        """An argument of an annotation. Its names are not resolved; a text or plain array is one word."""
        word = self._word
        if _is_name(word):
            found = self._annotation()
            if self._word.startswith("["):
                self._index()
            return found
        if word == "[":
            return self._several("[", "]", self._argument)
        if word.startswith(('"', "[")) or _is_float(word):
            return self._next()
        return self._value()


def _no_word(text: str) -> str:
    """The problem of a character that begins no word."""
    return f"{in_short(repr(text))} does not begin a word of FlatZinc; is it a .fzn file?"


def _is_name(word: str) -> bool:
    """Whether it is a name. Another letter than those of ASCII begins no word, but is found as one."""
    return word.isidentifier() and word.isascii()


def _is_number(word: str) -> bool:
    return word.startswith(DIGITS) and word != "-"


def _is_float(word: str) -> bool:
    return _is_number(word) and ("." in word or ("e" in word.lower() and "x" not in word))
