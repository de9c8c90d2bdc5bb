"""Places of a pattern of one mark from an equation: `a + b = c`.

Letters stand for cells, which are numbered from 1 in the order of the board; a number before a letter is its
coefficient, as in `a + c = 2b`. With `mod 7` at the end, both sides have the same remainder. Solutions with
identical sides, such as a = c, b = d in `a + b = c + d`, do not count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table

EQUATION = "equation"
MAX_LETTERS = 6
MAX_TRIED = 1 << 20
_MODULUS = re.compile(r"(.*) mod ([1-9][0-9]{0,3})\s*", re.DOTALL)
_TERM = re.compile(r"\s*([1-9][0-9]?)?\s*([a-z])\s*")


def places_of_equation(table: Table, n_cells: int) -> Iterator[tuple[int, ...]]:
    """The sets of cells, from 0, that solve the equation of a clause, each once. Raises BadFile."""
    left, right, modulus = _read(table)
    letters = sorted({*left, *right})
    *free, last = letters
    weight = {letter: left[letter] - right[letter] for letter in letters}
    numbers = range(1, n_cells + 1)
    that_give = defaultdict(list)  # the last numbers, by what they add
    for number in numbers:
        that_give[_reduced(weight[last] * number, modulus)].append(number)
    if n_cells ** len(free) * max(map(len, that_give.values())) > MAX_TRIED:
        table.refuse_value(
            EQUATION, f"more than {MAX_TRIED} ways to choose cells; take fewer cells or letters"
        )
    seen = set()
    for chosen in product(numbers, repeat=len(free)):
        rest = -sum(weight[letter] * number for letter, number in zip(free, chosen, strict=True))
        for number in that_give.get(_reduced(rest, modulus), ()):
            at = dict(zip(letters, (*chosen, number), strict=True))
            place = tuple(sorted({number - 1 for number in at.values()}))
            if place not in seen and _counted(left, at) != _counted(right, at):
                seen.add(place)
                yield place


def _reduced(number: int, modulus: int | None) -> int:
    return number if modulus is None else number % modulus


def _read(table: Table) -> tuple[Counter[str], Counter[str], int | None]:
    """The coefficient of each letter on both sides, and the modulus."""
    text = table.text(EQUATION)
    found = _MODULUS.fullmatch(text)
    sides = [_side(part) for part in (found[1] if found else text).split("=")]
    if len(sides) != 2 or not all(sides) or len(set().union(*sides)) > MAX_LETTERS:
        known = (
            "letters for cells on two sides, such as a + b = c, a + c = 2b or a + b = c mod 7; "
            f"at most {MAX_LETTERS} letters"
        )
        table.refuse_value(EQUATION, f'"{in_short(text)}" is not an equation; write {known}')
    return sides[0], sides[1], int(found[2]) if found else None


def _side(text: str) -> Counter[str]:
    """The letters of a sum with their coefficients; empty if the text is not a sum."""
    found: Counter[str] = Counter()
    for part in text.split("+"):
        term = _TERM.fullmatch(part)
        if term is None:
            return Counter()
        found[term[2]] += int(term[1] or 1)
    return found


def _counted(side: Counter[str], at: dict[str, int]) -> Counter[int]:
    """The coefficient of each cell on a side."""
    found: Counter[int] = Counter()
    for letter, times in side.items():
        found[at[letter]] += times
    return found
