"""Comparisons that words join: `if A = 1 then B > 2 or not (C < D and D = 3)`, and `A = 1 iff B = 2`.

    condition     if CHOICE then CONDITION; or CHOICE iff CHOICE, which are both true or both false; or CHOICE
    choice        parts with "or" between; each consists of parts with "and" between
    each of them  a comparison, or a condition in brackets; "not" may come before it
Hidden variables are determined by the cells: 1 if a part is true, and else 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, NoReturn

from rekkyo.export.puzzle_toml.document import Table, Word
from rekkyo.export.puzzle_toml.grid.board import JOINING, Board
from rekkyo.export.puzzle_toml.grid.polynomials import MAX_DEPTH, OF_RELATIONS
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, Clause, Linear, Literal, Reified

IF, THEN, IFF, OR, AND, NOT = JOINING
_WRITTEN = "write if 0,0 = 1 then 0,1 = 2 or 0,1 = 3"
_NEGATED = {EQUAL: NOT_EQUAL, NOT_EQUAL: EQUAL}


class _Any(NamedTuple):
    """One of the parts is true, or more of them; not `positive`: none."""

    parts: tuple[_Condition, ...]
    positive: bool = True


class _Same(NamedTuple):
    """Both are true or both are false; not `positive`: one of them is true."""

    one: _Condition
    other: _Condition
    positive: bool = True


_Condition = Linear | _Any | _Same


def is_condition(words: list[Word]) -> bool:
    """Whether comparisons are joined, or in brackets."""
    n_open = 0
    for word in words:
        n_open += (word.text == "(") - (word.text == ")")
        if word.text in JOINING or (n_open > 0 and word.text[0] in OF_RELATIONS):
            return True
    return False


def require(
    board: Board, table: Table, words: list[Word], read: Callable[[list[Word]], list[Linear]]
) -> None:
    """Add the constraints of a line of words. read: a comparison, as sums that all hold. Raises BadFile."""
    reader = _Reader(words, read)
    condition = reader.condition(0)
    if reader.word is not None:
        reader.refuse_next()
    _Adding(board, table).require(condition)


class _Adding(NamedTuple):
    """Adds the constraints of conditions."""

    board: Board
    table: Table

    def require(self, condition: _Condition) -> None:
        if isinstance(condition, Linear):
            self.board.add(self.table, condition)
        elif isinstance(condition, _Any) and not condition.positive:
            for part in condition.parts:
                self.require(_negated(part))
        elif isinstance(condition, _Any):
            self._clause(*map(self._literal, condition.parts))
        else:
            self._require_same(condition)

    def _require_same(self, condition: _Same, *unless: Literal) -> None:
        """Add clauses: a literal is true, or the condition."""
        one, other = self._literal(condition.one), self._literal(condition.other)
        for flipped in (False, True):
            self._clause(*unless, _flip(one, flipped != condition.positive), _flip(other, flipped))

    def _literal(self, condition: _Condition) -> Literal:
        """A literal that is true if and only if the condition is."""
        if isinstance(condition, Linear):
            return self._literal_of_sum(condition)
        truth = self.board.hidden(self.table, range(2))
        if isinstance(condition, _Any):
            literals = tuple(map(self._literal, condition.parts))
            self.board.add(self.table, Reified(Clause(literals), truth))
            return truth, 1, condition.positive
        self._require_same(condition, (truth, 1, False))
        self._require_same(condition._replace(positive=not condition.positive), (truth, 1, True))
        return truth, 1, True

    def _literal_of_sum(self, linear: Linear) -> Literal:
        if linear.coefficients in ((1,), (-1,)) and linear.relation in _NEGATED:
            value = linear.constant * linear.coefficients[0]
            return linear.variables[0], value, linear.relation == EQUAL
        truth = self.board.hidden(self.table, range(2))
        self.board.add(self.table, Reified(linear, truth))
        return truth, 1, True

    def _clause(self, *literals: Literal) -> None:
        self.board.add(self.table, Clause(literals))


def _negated(condition: _Condition) -> _Condition:
    if not isinstance(condition, Linear):
        return condition._replace(positive=not condition.positive)
    if condition.relation != AT_MOST:
        return replace(condition, relation=_NEGATED[condition.relation])
    opposite = tuple(-factor for factor in condition.coefficients)
    return replace(condition, coefficients=opposite, constant=-condition.constant - 1)


def _flip(literal: Literal, flipped: bool) -> Literal:
    return literal[0], literal[1], literal[2] != flipped


class _Reader:
    """Reads from left to right. word: the next one, None at the end."""

    def __init__(self, words: list[Word], read: Callable[[list[Word]], list[Linear]]) -> None:
        self._words, self._read, self._place = words, read, 0

    @property
    def word(self) -> Word | None:
        return self._words[self._place] if self._place < len(self._words) else None

    def _took(self, text: str) -> bool:
        """Whether the next word is this one, which is then read."""
        found = self.word is not None and self.word.text == text
        self._place += found
        return found

    def condition(self, depth: int) -> _Condition:
        """The condition up to a closing bracket, a "then" or the end."""
        if depth > MAX_DEPTH:
            self._words[self._place - 1].refuse(
                f"more than {MAX_DEPTH} conditions in one another; write fewer"
            )
        if self._took(IF):
            before = self._choice(depth)
            if not self._took(THEN):
                self._words[self._place - 1].refuse(f'there is no "{THEN}" after this; {_WRITTEN}')
            return _Any((_negated(before), self.condition(depth + 1)))
        choice = self._choice(depth)
        return _Same(choice, self._choice(depth)) if self._took(IFF) else choice

    def _choice(self, depth: int) -> _Condition:
        parts = [self._all(depth)]
        while self._took(OR):
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else _Any(tuple(parts))

    def _all(self, depth: int) -> _Condition:
        parts = [self._part(depth)]
        while self._took(AND):
            parts.append(self._part(depth))
        return _all_of(parts)

    def _part(self, depth: int) -> _Condition:
        positive = True
        while self._took(NOT):
            positive = not positive
        found = self._in_brackets(depth) or self._comparison()
        return found if positive else _negated(found)

    def _in_brackets(self, depth: int) -> _Condition | None:
        """The condition in the brackets that come next; None if they hold a sum."""
        if not is_condition(self._words[self._place : self._end(self._place)]) or not self._took("("):
            return None
        opening = self._words[self._place - 1]
        found = self.condition(depth + 1)
        if self.word is None:
            opening.refuse('there is no ")" for this "("; add it')
        if not self._took(")"):
            self.refuse_next()
        return found

    def _end(self, start: int) -> int:
        """The place of the bracket that closes the one at a place, or of the last word."""
        n_open = 0
        for place, word in enumerate(self._words[start:], start):
            n_open += (word.text == "(") - (word.text == ")")
            if n_open <= 0:
                return place
        return len(self._words)

    def _comparison(self) -> _Condition:
        start, n_open = self._place, 0
        while self.word is not None and self.word.text not in JOINING:
            n_open += (self.word.text == "(") - (self.word.text == ")")
            if n_open < 0:
                break
            self._place += 1
        if start == self._place:
            self._refuse_nothing()
        return _all_of(list(self._read(self._words[start : self._place])))

    def _refuse_nothing(self) -> NoReturn:
        if self._place:
            word = self._words[self._place - 1]
            word.refuse(f'there is no comparison after "{word.text}"; {_WRITTEN}')
        self._words[0].refuse(f'there is no comparison before "{self._words[0].text}"; {_WRITTEN}')

    def refuse_next(self) -> NoReturn:
        """Refuse what follows a condition."""
        word = self.word or self._words[-1]
        if word.text == ")":
            word.refuse('there is no "(" for this ")"; leave it out')
        word.refuse(
            f'"{word.text}" does not continue the condition before it; {_WRITTEN}, with more brackets'
        )


def _all_of(parts: list[_Condition]) -> _Condition:
    return parts[0] if len(parts) == 1 else _Any(tuple(map(_negated, parts)), positive=False)
