"""Sums and products in a line of text: `10*0,0 - 0,1`, `(A + B)*(A - B)`, `2*A*A`, and `TWO*TWO`.

    sum       an optional sign, and terms with + or - between; + may be left out
              before names and numbers, but not after a number and before a name: `2 A` is meant as a product
    term      factors with * between
    factor    a word, or a sum in brackets, or `abs` and a sum in brackets

A sum becomes a polynomial: brackets are multiplied out. The caller gives the meaning of a word, and of an
absolute value. Left out on purpose: division, and powers with a sign of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NoReturn

from rekkyo.export.polynomial import MAX_CELLS, MAX_PRODUCTS, Polynomial, is_too_long, product_of
from rekkyo.export.puzzle_toml.document import Word
from rekkyo.export.puzzle_toml.grid.values import LARGEST

OF_RELATIONS = "<>=!\u2260\u2264\u2265"
"""The characters of relations."""

SPLIT = re.compile(rf"[{OF_RELATIONS}]+|[-+*()]|[^\s{OF_RELATIONS}*()+-]+")
"""The words of a line: relations, signs, brackets, and what stands between."""

ABSOLUTE = "abs"
_SIGNS = {"+": 1, "-": -1}
_MAX_FACTOR = LARGEST**2
MAX_DEPTH = 20


def polynomial(
    words: list[Word],
    atom: Callable[[Word], Polynomial],
    absolute: Callable[[Word, Polynomial], Polynomial],
) -> Polynomial:
    """The polynomial on one side of a comparison. Raises BadFile.

    atom: gives the meaning of a word. absolute: gives the absolute value of a sum after the word `abs`.
    """
    if len(words) == 1 and words[0].text not in "()":  # also a sign that is a value: 0,0 = -
        return atom(words[0])
    reader = _Reader(words, atom, absolute)
    found = reader.sum(0)
    if reader.word is not None:
        reader.word.refuse('there is no "(" for this ")"; leave it out')
    return found


class _Reader:
    """Reads from left to right. word: the next one, None at the end."""

    def __init__(
        self,
        words: list[Word],
        atom: Callable[[Word], Polynomial],
        absolute: Callable[[Word, Polynomial], Polynomial],
    ) -> None:
        self._words, self._atom, self._absolute, self._place = words, atom, absolute, 0

    @property
    def word(self) -> Word | None:
        return self._words[self._place] if self._place < len(self._words) else None

    def _next_is(self, texts: str) -> bool:
        return self.word is not None and self.word.text in (*texts,)

    def _taken(self) -> Word:
        self._place += 1
        return self._words[self._place - 1]

    def sum(self, depth: int) -> Polynomial:
        """The sum up to a closing bracket or the end."""
        total: Polynomial = Counter()
        is_first, is_number = True, False
        while is_first or (self.word is not None and not self._next_is(")")):
            sign, place, has_sign = 1, self._place, self._next_is("+-")
            if has_sign:
                sign = _SIGNS[self._taken().text]
            elif not is_first:
                self._refuse_bracket_without_sign()
            term = self._term(depth)
            was_number, is_number = is_number, not any(term)
            if was_number and not is_number and not has_sign:
                self._refuse_no_sign(place)
            for monomial, factor in term.items():
                total[monomial] += sign * factor
            is_first = False
        return total

    def _refuse_bracket_without_sign(self) -> None:
        """`2 (A + B)` would be a sum, as `A B` is one, and is meant as a product."""
        assert self.word is not None
        if self.word.text == "(" or self._words[self._place - 1].text == ")":
            self._refuse_no_sign(self._place)

    def _refuse_no_sign(self, place: int) -> NoReturn:
        word = self._words[place]
        word.refuse(f'there is no sign before "{word.text}"; write * or +')

    def _term(self, depth: int) -> Polynomial:
        found = self._factor(depth)
        while self._next_is("*"):
            sign = self._taken()
            other = self._factor(depth)
            if is_too_long(found, other):
                most = f"{MAX_PRODUCTS} products, or {MAX_CELLS} cells in one"
                sign.refuse(f"more than {most}; multiply less, and take shorter sums in the brackets")
            found = product_of(found, other)
            if any(abs(factor) > _MAX_FACTOR for factor in found.values()):
                sign.refuse(f"a factor beyond {_MAX_FACTOR}; multiply smaller numbers")
        return found

    def _factor(self, depth: int) -> Polynomial:
        before = self._words[self._place - 1] if self._place else self._words[0]
        if self.word is None or self._next_is(")"):
            where = "before" if self.word is not None and not self._place else "after"
            before.refuse(f'there is no cell {where} "{before.text}"; name one, or a number')
        word = self._taken()
        if word.text in _SIGNS and before.text in _SIGNS:
            word.refuse(f'"{word.text}" follows another sign; write one of them')
        if word.text in (*_SIGNS, "*"):
            word.refuse(f'there is no cell before "{word.text}"; name one, or a number')
        if word.text == ABSOLUTE and self._next_is("("):
            return self._absolute(word, self._factor(depth))
        if word.text != "(":
            return self._atom(word)
        if depth == MAX_DEPTH:
            word.refuse(f"more than {MAX_DEPTH} brackets are open; write the sum with fewer")
        found = self.sum(depth + 1)
        if self.word is None:
            word.refuse('there is no ")" for this "("; add it')
        self._taken()
        return found
