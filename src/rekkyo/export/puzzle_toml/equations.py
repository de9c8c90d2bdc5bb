"""Places of a pattern of one mark from an equation: `a + b = c`.

Letters stand for cells, which are numbered from 1 in the order of the board. Each side is a sum of terms: a
letter or a product of letters, `a * b`, with a coefficient before it, as in `a + c = 2b`. With `mod 7` at the
end, both sides have the same remainder. Solutions with identical sides, such as a = c, b = d in
`a + b = c + d`, do not count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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

Term: TypeAlias = str
"""The letters that are multiplied, in order."""


def places_of_equation(table: Table, n_cells: int) -> Iterator[tuple[int, ...]]:
    """The sets of cells, from 0, that solve the equation of a clause, each once. Raises BadFile."""
    left, right, modulus = _read(table)
    weight = {term: left[term] - right[term] for term in {*left, *right}}
    last = _apart(list(weight))
    of_last = {term: weight.pop(term) for term in list(weight) if term[0] in last}
    letters = sorted({letter for term in (*left, *right) for letter in term})
    free = [letter for letter in letters if letter not in last]
    numbers = range(1, n_cells + 1)
    too_many = f"more than {MAX_TRIED} ways to choose cells; take fewer cells or letters"
    if n_cells ** len(last) > MAX_TRIED:
        table.refuse_value(EQUATION, too_many)
    that_give = defaultdict(list)  # the numbers of the last letters, by what they add
    for chosen in product(numbers, repeat=len(last)):
        that_give[_reduced(_value(of_last, dict(zip(last, chosen, strict=True))), modulus)].append(chosen)
    if n_cells ** len(free) * max(map(len, that_give.values())) > MAX_TRIED:
        table.refuse_value(EQUATION, too_many)
    seen = set()
    for chosen in product(numbers, repeat=len(free)):
        at = dict(zip(free, chosen, strict=True))
        for others in that_give.get(_reduced(-_value(weight, at), modulus), ()):
            at.update(zip(last, others, strict=True))
            place = tuple(sorted({number - 1 for number in at.values()}))
            if place not in seen and _counted(left, at) != _counted(right, at):
                seen.add(place)
                yield place


def _apart(terms: Sequence[Term]) -> list[str]:
    """Letters that no term multiplies with others: the most of them, up to half of all, else the fewest.

    Of equally many the last ones.
    """
    groups: list[set[str]] = []
    for term in terms:
        meeting = [group for group in groups if not group.isdisjoint(term)]
        groups = [group for group in groups if group not in meeting] + [set(term).union(*meeting)]
    n = sum(map(len, groups))
    some = [group for group in groups if 2 * len(group) <= n]
    best = max(some or groups, key=lambda group: (len(group) if some else -len(group), max(group)))
    return sorted(best)


def _value(weight: Mapping[Term, int], at: Mapping[str, int]) -> int:
    """The sum of the terms."""
    return sum(times * prod(at[letter] for letter in term) for term, times in weight.items())


def _reduced(number: int, modulus: int | None) -> int:
    return number if modulus is None else number % modulus


def _read(table: Table) -> tuple[Counter[Term], Counter[Term], int | None]:
    """The coefficient of each term on both sides, and the modulus."""
    text = table.text(EQUATION)
    found = _MODULUS.fullmatch(text)
    sides = [_side(part) for part in (found[1] if found else text).split("=")]
    if len(sides) != 2 or not all(sides) or len(set("".join(map("".join, sides)))) > MAX_LETTERS:
        known = (
            "small letters for cells on two sides, such as a + b = c, a + c = 2b, a * b = c "
            f"or a + b = c mod 7; at most {MAX_LETTERS} letters"
        )
        table.refuse_value(EQUATION, f'"{in_short(text)}" is not an equation; write {known}')
    return sides[0], sides[1], int(found[2]) if found else None


def _side(text: str) -> Counter[Term]:
    """The terms of a sum with their coefficients; empty if the text is not a sum."""
    found: Counter[Term] = Counter()
    for part in text.split("+"):
        term = _TERM.fullmatch(part)
        if term is None:
            return Counter()
        found["".join(sorted(re.findall("[a-z]", term[2])))] += int(term[1] or 1)
    return found


def _counted(side: Counter[Term], at: Mapping[str, int]) -> Counter[tuple[int, ...]]:
    """The coefficient of each product of cells on a side."""
    found: Counter[tuple[int, ...]] = Counter()
    for term, times in side.items():
        found[tuple(sorted(at[letter] for letter in term))] += times
    return found
