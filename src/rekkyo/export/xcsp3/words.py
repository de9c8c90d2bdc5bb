"""Texts in XCSP3: variables and arrays by their names, expressions, lists, conditions and tuples.

x[1] y[][2..3] 4 5..7 0x3       a list: entries of arrays, numbers, an interval, three zeros
add(x,mul(2,y[0]))              an expression
(le,5) (in,1..3) (in,{1,4})     conditions
(1,2)(3,*)                      tuples
%0 %1 %...                      arguments of a template
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.domains import Atom, IntSet, Unknown

if TYPE_CHECKING:
    from rekkyo.export.xcsp3.reader import Writer

MAX_DIGITS = 18
MAX_NESTING = 40
"""How deep expressions may be nested; arguments of a template are counted on their own."""

ANY = None
"""The star in a tuple: any value."""

Row: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with its arguments. size: how many operators, numbers and variables it has."""

    name: str
    arguments: tuple[Node, ...]
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(map(size_of, self.arguments)))


Node: TypeAlias = "Atom | IntSet | Call"


@dataclass(frozen=True, slots=True)
class Condition:
    """An operator such as "le" or "in", and its right side."""

    operator: str
    right: Node


@dataclass(frozen=True, slots=True)
class Array:
    """An array of variables.

    sizes: of all dimensions. entries: the last index changes fastest; None for an entry without a domain.
    named: the places of entries that a constraint or the objective names.
    """

    sizes: tuple[int, ...]
    entries: list[Unknown | None]
    named: set[int] = field(default_factory=set)


Names: TypeAlias = "dict[str, Unknown | Array]"


_WORD = re.compile(
    r"\s*([A-Za-z_][A-Za-z0-9_]*(?:\[[0-9.]*\])*|[-+]?[0-9]+(?:\.\.[-+]?[0-9]+|x[0-9]+)?|%(?:\.\.\.|[0-9]+)|[(){},*])",
    re.ASCII,
)
_NUMBER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_INDEX = re.compile(r"\[([0-9]*)(\.\.)?([0-9]*)\]", re.ASCII)
ONE_BY_ONE = {"in": ("or", "eq"), "notin": ("and", "ne")}
"""How `in` and `notin` are read for a set of expressions: the operator that joins comparisons with them all,
and the operator of each comparison."""

PARAMETER = re.compile(r"%([0-9]+)", re.ASCII)


def words_of(text: str, writer: Writer) -> list[str]:
    """The words of a text."""
    words, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            writer.refuse(f"{in_short(repr(text[at : at + 20]))} does not begin a word of XCSP3-core")
        words.append(found[1])
        at = found.end()
    writer.spend(len(words))
    return words


def number_of(word: str, writer: Writer) -> int:
    """The whole number that a word is."""
    if not _NUMBER.fullmatch(word) or len(word.lstrip("+-")) > MAX_DIGITS:
        found = in_short(word) or "nothing"
        writer.refuse(f"{found} stands where a whole number below 10^{MAX_DIGITS} should be")
    return int(word)


def interval_of(word: str, writer: Writer) -> range:
    """The numbers of `4` or `2..7`."""
    low, dots, high = word.partition("..")
    first = number_of(low, writer)
    return range(first, (number_of(high, writer) if dots else first) + 1)


def numbers_in(intervals: Sequence[range], low: int, high: int) -> list[int]:
    """The numbers from low to high that are in one of the intervals, increasing."""
    numbers: list[int] = []
    for interval in sorted(intervals, key=lambda interval: interval.start):
        first = max(interval.start, numbers[-1] + 1 if numbers else low)
        numbers += range(first, min(interval.stop, high + 1))
    return numbers


def indices_of(word: str, sizes: Sequence[int], writer: Writer) -> tuple[list[range], list[bool]]:
    """The indices in `[3][][1..2]`, for each dimension, and whether each is more than one number."""
    ranges, several = [], []
    found = _INDEX.findall(word)
    if len(found) != len(sizes) or "".join(f"[{a}{b}{c}]" for a, b, c in found) != word:
        array = f"an array of dimension {len(sizes)}"
        if not word:
            writer.refuse(f"{array} is named without its indices; write {'[]' * len(sizes)} for all entries")
        writer.refuse(f"{in_short(word)} are not indices of {array}")
    for (low, dots, high), size in zip(found, sizes, strict=True):
        first = number_of(low, writer) if low else 0
        last = number_of(high, writer) if dots else first if low else size - 1
        if not 0 <= first <= last < size:
            writer.refuse(f"{in_short(word)} is beyond an array of {size}")
        ranges.append(range(first, last + 1))
        several.append(bool(dots) or not low)
    return ranges, several


def flat_places(ranges: Sequence[range], sizes: Sequence[int], writer: Writer) -> list[int]:
    """The places of all entries with these indices."""
    writer.spend(prod(map(len, ranges)))
    places = [0]
    for chosen, size in zip(ranges, sizes, strict=True):
        places = [place * size + index for place in places for index in chosen]
    return places


class Words:
    """Reads one text.

    parameters: the arguments of a template. rest: how many of them come before those of `%...`.
    """

    def __init__(self, text: str, writer: Writer, parameters: Sequence[Node] = (), rest: int = 0) -> None:
        self._words = words_of(text, writer)
        self._at = 0
        self._names, self._writer = writer.names, writer
        self._parameters = parameters
        self._rest = rest

    def expression(self) -> Node:
        """Read the whole text as one expression."""
        node = self._node(0)
        self._end()
        return node

    def items(self) -> list[Node]:
        """Read the whole text as a list."""
        found: list[Node] = []
        while self._at < len(self._words):
            found += self._item()
        return found

    def tuples(self) -> list[list[Node]]:
        """Read the whole text as a list of tuples, or as the rows of an array of two dimensions."""
        if len(self._words) == 1 and self._words[0] != "(":
            return self._matrix(self._words[0])
        found = []
        while self._at < len(self._words):
            self._take("(")
            row = self._item()
            while self._peek() == ",":
                self._at += 1
                row += self._item()
            self._take(")")
            found.append(row)
        return found

    def are_tuples(self) -> bool:
        """Whether the text begins with a tuple, or is an array of several dimensions."""
        name, bracket, indices = self._peek().partition("[")
        array = self._names.get(name)
        if len(self._words) != 1 or not isinstance(array, Array):
            return name == "("
        return sum(indices_of(bracket + indices, array.sizes, self._writer)[1]) > 1

    def condition(self) -> Condition:
        """Read the whole text as a condition."""
        self._take("(")
        operator = self._next()
        self._take(",")
        if self._peek() == "{":
            right: Node = self._set()
        else:
            right = self._node(0)
        self._take(")")
        self._end()
        return Condition(operator, right)

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _next(self) -> str:
        word = self._peek()
        if not word:
            self._writer.refuse("the text ends too early")
        self._at += 1
        return word

    def _take(self, wanted: str) -> None:
        word = self._next()
        if word != wanted:
            self._writer.refuse(f"{in_short(word)} stands where {wanted} should be")

    def _end(self) -> None:
        if self._at < len(self._words):
            self._writer.refuse(f"{in_short(self._peek())} is one word too many")

    def _item(self) -> list[Node]:
        """One entry of a list, which may stand for several."""
        word = self._peek()
        if word == "{":
            return [self._set()]
        if word == "%...":
            self._at += 1
            rest = [*self._parameters[self._rest :]]
            self._writer.spend(sum(map(size_of, rest)))
            return rest
        if "x" in word and word[0] in "-+0123456789":
            self._at += 1
            value, _, times = word.partition("x")
            n_times = number_of(times, self._writer)
            self._writer.spend(n_times)
            return [number_of(value, self._writer)] * n_times
        name, bracket, indices = word.partition("[")
        array = self._names.get(name)
        if bracket and isinstance(array, Array):
            self._at += 1
            ranges, _ = indices_of(bracket + indices, array.sizes, self._writer)
            places = flat_places(ranges, array.sizes, self._writer)
            return [self._entry(array, place, word) for place in places]
        return [self._node(0)]

    def _entry(self, array: Array, place: int, word: str) -> Unknown:
        entry = array.entries[place]
        if entry is None:
            self._writer.refuse(f"{in_short(word)} names an entry without a domain; name those that have one")
        array.named.add(place)
        return entry

    def _matrix(self, word: str) -> list[list[Node]]:
        name, bracket, indices = word.partition("[")
        array = self._names.get(name)
        if not isinstance(array, Array):
            self._writer.refuse(f"{in_short(word)} is not an array of variables, nor tuples in parentheses")
        ranges, several = indices_of(bracket + indices, array.sizes, self._writer)
        if sum(several) != 2:
            self._writer.refuse(f"{in_short(word)} does not have two dimensions")
        places = flat_places(ranges, array.sizes, self._writer)
        width = [len(chosen) for chosen, many in zip(ranges, several, strict=True) if many][1]
        entries: list[Node] = [self._entry(array, place, word) for place in places]
        return [entries[at : at + width] for at in range(0, len(entries), width)]

    def _node(self, depth: int) -> Node:
        word = self._next()
        if self._peek() == "(" and word[0].isalpha():
            return self._call(word, depth)
        if word[0] in "-+0123456789":
            if ".." in word:
                return interval_of(word, self._writer)
            return number_of(word, self._writer)
        if word[0] == "%":
            return self._parameter(word)
        name, bracket, indices = word.partition("[")
        named = self._names.get(name)
        if isinstance(named, Array) and bracket:
            ranges, several = indices_of(bracket + indices, named.sizes, self._writer)
            if not any(several):
                return self._entry(named, flat_places(ranges, named.sizes, self._writer)[0], word)
        if not isinstance(named, Unknown) or bracket:
            self._writer.refuse(f"{in_short(word)} is not a variable, number or operator here")
        return named

    def _parameter(self, word: str) -> Node:
        place = number_of(word[1:], self._writer) if word != "%..." else -1
        if not 0 <= place < len(self._parameters):
            self._writer.refuse(f"there is no argument {in_short(word)} of a template here")
        node = self._parameters[place]
        self._writer.spend(size_of(node))
        return node

    def _call(self, name: str, depth: int) -> Node:
        if depth == MAX_NESTING:
            self._writer.refuse(f"an expression is nested more than {MAX_NESTING} deep")
        self._take("(")
        arguments: list[Node] = []
        while self._peek() != ")":
            if arguments:
                self._take(",")
            arguments.append(self._node(depth + 1))
        self._take(")")
        if name == "set" and all(isinstance(value, int) for value in arguments):
            return frozenset(value for value in arguments if isinstance(value, int))
        if name in ONE_BY_ONE and len(arguments) == 2:
            element, values = arguments
            if isinstance(values, Call) and values.name == "set":
                return self._member(name, element, values.arguments)
        return Call(name, tuple(arguments))

    def _member(self, name: str, element: Node, values: Sequence[Node]) -> Node:
        """Whether the value of an expression is that of one of others (`in`), or of none (`notin`)."""
        self._writer.spend(size_of(element) * len(values))
        joined, compared = ONE_BY_ONE[name]
        parts = tuple(Call(compared, (element, value)) for value in values)
        return parts[0] if len(parts) == 1 else Call(joined, parts)

    def _set(self) -> IntSet:
        self._take("{")
        values: set[int] = set()
        while self._peek() != "}":
            if values:
                self._take(",")
            values.add(number_of(self._next(), self._writer))
        self._take("}")
        return frozenset(values)


def size_of(node: Node) -> int:
    """How many operators, sets, numbers and variables an expression has."""
    return node.size if isinstance(node, Call) else 1


def rows_of(text: str, writer: Writer) -> tuple[list[Row], list[range]]:
    """The tuples of a table, or the intervals of a table of one column."""
    if not text.startswith("("):
        intervals = [interval_of(word, writer) for word in text.split()]
        writer.spend(len(intervals))
        return [], intervals
    rows: list[Row] = [
        tuple(ANY if word == "*" else number_of(word, writer) for word in words)
        for words in _tuples_of(text, writer)
    ]
    return rows, []


def moves_of(text: str, writer: Writer) -> list[tuple[str, int, str]]:
    """The transitions of an automaton: (state,number,state)."""
    moves = []
    for words in _tuples_of(text, writer):
        if len(words) != 3:
            writer.refuse(f"({in_short(','.join(words))}) is not a transition (state,number,state)")
        moves.append((words[0], number_of(words[1], writer), words[2]))
    return moves


def _tuples_of(text: str, writer: Writer) -> Iterator[list[str]]:
    """The words of each tuple."""
    if not (text.startswith("(") and text.endswith(")")):
        writer.refuse("tuples begin with ( and end with )")
    for part in re.split(r"\)\s*\(", text[1:-1]):
        words = [word.strip() for word in part.split(",")]
        writer.spend(len(words))
        yield words


def names_of_entries(name: str, sizes: Sequence[int]) -> list[str]:
    """The name of each entry of an array, such as x[0][1]."""
    return [name + "".join(f"[{at}]" for at in place) for place in product(*map(range, sizes))]
