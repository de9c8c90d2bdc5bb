"""Places of a pattern of one mark from an equation: `a + b = c`, or `a*b = c`.

Letters stand for cells, which are numbered from 1 in the order of the board. A term is a product of letters,
and a number before them its coefficient, as in `a + c = 2b`. With `mod 7` at the end, both sides have the
same remainder. Solutions with identical sides, such as a = c, b = d in `a + b = c + d`, do not count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import TypeAlias

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table

EQUATION = "equation"
MAX_LETTERS = 6
MAX_TRIED = 1 << 20
_MODULUS = re.compile(r"(.*) mod ([1-9][0-9]{0,3})\s*", re.DOTALL)
_TERM = re.compile(r"\s*([1-9][0-9]?)?\s*([a-z](?:\s*\*\s*[a-z])*)\s*")

_Side: TypeAlias = Counter[tuple[str, ...]]
"""The coefficients of products of letters."""


def places_of_equation(table: Table, n_cells: int) -> Iterator[tuple[int, ...]]:
    """The sets of cells, from 0, that solve the equation of a clause, each once. Raises BadFile."""
    left, right, modulus = _read(table)
    letters = sorted(set().union(*left, *right))
    last = _last(left, right, letters)
    free = [letter for letter in letters if letter != last]
    weight = left[last,] - right[last,]
    numbers = range(1, n_cells + 1)
    that_give = defaultdict(list)  # the last numbers, by what they add
    for number in numbers:
        that_give[_reduced(weight * number, modulus)].append(number)
    most = max(map(len, that_give.values())) if last else 1
    if n_cells ** len(free) * most > MAX_TRIED:
        table.refuse_value(
            EQUATION, f"more than {MAX_TRIED} ways to choose cells; take fewer cells or letters"
        )
    seen = set()
    for chosen in product(numbers, repeat=len(free)):
        at = dict(zip(free, chosen, strict=True))
        rest = _value(right, at) - _value(left, at)
        for number in that_give.get(_reduced(rest, modulus), ()):
            at[last] = number
            place = tuple(sorted({number - 1 for number in at.values()}))
            if place not in seen and _counted(left, at) != _counted(right, at):
                seen.add(place)
                yield place


def _last(left: _Side, right: _Side, letters: list[str]) -> str:
    """The last letter that is in no product; "" if there is none. Its number follows from the others."""
    return max(
        (one for one in letters if all(one not in t or t == (one,) for t in (*left, *right))), default=""
    )


def _reduced(number: int, modulus: int | None) -> int:
    return number if modulus is None else number % modulus


def _value(side: _Side, at: Mapping[str, int]) -> int:
    """The sum of the terms of which all letters are known."""
    return sum(
        times * prod(at[letter] for letter in term) for term, times in side.items() if at.keys() >= set(term)
    )


def _read(table: Table) -> tuple[_Side, _Side, int | None]:
    """The coefficient of each product of letters on both sides, and the modulus."""
    text = table.text(EQUATION)
    found = _MODULUS.fullmatch(text)
    sides = [_side(part) for part in (found[1] if found else text).split("=")]
    if len(sides) != 2 or not all(sides) or len(set().union(*sides[0], *sides[1])) > MAX_LETTERS:
        known = (
            "letters for cells on two sides, such as a + b = c, a + c = 2b, a*b = c or a + b = c mod 7; "
            f"at most {MAX_LETTERS} letters"
        )
        table.refuse_value(EQUATION, f'"{in_short(text)}" is not an equation; write {known}')
    return sides[0], sides[1], int(found[2]) if found else None


def _side(text: str) -> _Side:
    """The terms of a sum with their coefficients; empty if the text is not a sum."""
    found: _Side = Counter()
    for part in text.split("+"):
        term = _TERM.fullmatch(part)
        if term is None:
            return Counter()
        found[tuple(sorted("".join(term[2].split()).split("*")))] += int(term[1] or 1)
    return found


def _counted(side: _Side, at: Mapping[str, int]) -> Counter[tuple[int, ...]]:
    """The coefficient of each product of cells on a side."""
    found: Counter[tuple[int, ...]] = Counter()
    for letters, times in side.items():
        found[tuple(sorted(at[letter] for letter in letters))] += times
    return found
