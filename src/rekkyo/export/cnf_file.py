"""Formulas in conjunctive normal form from files in DIMACS form, as problems of constraints.

    c a comment, as any line whose first word begins with c, unless it has a form below
    p cnf 4 2            four variables, two clauses
    c p show 1 2 3 0     projected counting: models that agree on these variables are one
    1 -2 0               x1 or not x2; a clause may go on over several lines, up to its 0
    2 3 -4 0

Variables that no clause names are free; a count multiplies by their values (`rekkyo.model.csp.free`). Lines
`c p show` add up, may stand anywhere, and may name none; `c ind 1 2 3 0` is an older form of them. A line `%`
ends the formula, as in the files of SATLIB. Source: DIMACS, "Satisfiability: Suggested Format" (1993); Model
Counting Competition 2021, "Data Format". Left out on purpose: weights, which are refused, because the count
would not be the one that the file asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from rekkyo.catalog.entry import is_decimal
from rekkyo.errors import BadFile, in_short, printable
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.export.cnf import MAX_USES, Literal
from rekkyo.model.csp.constraints import Clause
from rekkyo.model.csp.csp import MAX_CONSTRAINTS, MAX_VARIABLES, Csp
from rekkyo.model.csp.problem import HIDDEN
from rekkyo.model.puzzle import Puzzle

MAX_BYTES = 64 << 20
MAX_DIGITS = 9
SHOW, SHOW_BEFORE = ["c", "p", "show"], ["c", "ind"]
WEIGHT = ["c", "p", "weight"]
TYPE = ["c", "t"]
WEIGHTED = (["wmc"], ["pwmc"], ["wpmc"])
"""The types of the competition that have weights; `mc` and `pmc` have none."""


def read_cnf_file(path: Path) -> Puzzle:
    """The models of the formula in a file of at most MAX_BYTES. Raises BadInput."""
    model = read_cnf(decoded(read_bytes(path, MAX_BYTES), str(path)), path.name)
    return Puzzle(str(path), model, model.size_in_words)


def read_cnf(text: str, name: str) -> Csp:
    """The models of the formula in a text; `name` is its name in messages. Raises BadInput."""
    reader = _Reader(printable(name))
    for line in text.split("\n"):
        words = line.split()
        if words == ["%"]:
            break
        reader.read(words)
    return reader.model()


class _Reader:
    """Collects clauses and shown variables. `_line`: the number of the last line that was read."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 0
        self._n_variables: int | None = None
        self._n_clauses = 0
        self._n_literals = 0
        self._clauses: list[tuple[Literal, ...]] = []
        self._clause: list[Literal] = []
        self._clause_line = 0
        self._shown: dict[int, int] | None = None

    def read(self, words: Sequence[str]) -> None:
        """Read the words of the next line."""
        self._line += 1
        match words[:1]:
            case ["p"]:
                self._header(words)
            case [word] if word.startswith("c"):
                self._comment(words)
            case [_]:
                self._literals(words)

    def model(self) -> Csp:
        """The model of all lines. Raises BadFile if something is missing."""
        if self._n_variables is None:
            self._fail('there is no line "p cnf VARIABLES CLAUSES"; write one before the clauses')
        if self._clause:
            self._line = self._clause_line
            self._fail("this clause has no 0 at its end; write it, or the file is cut off")
        if len(self._clauses) != self._n_clauses:
            fix = "correct that line, or the file is cut off"
            self._fail(
                f'"p cnf" speaks of {self._n_clauses} clauses, and there are {len(self._clauses)}; {fix}'
            )
        for variable, line in (self._shown or {}).items():
            if variable > self._n_variables:
                self._line = line
                self._fail(f"there is no variable {variable}; they go from 1 to {self._n_variables}")
        return _model_of(self._n_variables, self._clauses, self._shown)

    def _fail(self, problem: str) -> NoReturn:
        raise BadFile(f"{self._name}:{self._line}: {problem}")

    def _header(self, words: Sequence[str]) -> None:
        if self._n_variables is not None:
            self._fail('there is a line "p cnf" before; leave one out')
        if words[1:2] == ["wcnf"]:
            self._fail('weights ("p wcnf") are not counted; write "p cnf" and clauses without weights')
        if words[1:2] != ["cnf"] or len(words) != 4:
            self._fail('the line is not "p cnf VARIABLES CLAUSES"; write that')
        self._n_variables = self._size(words[2], MAX_VARIABLES - 1, "variables")
        self._n_clauses = self._size(words[3], MAX_CONSTRAINTS, "clauses")

    def _size(self, word: str, most: int, what: str) -> int:
        number = self._number(word)
        if number < 0:
            self._fail(f"a formula cannot have {number} {what}; write how many it has")
        if number > most:
            self._fail(f"{number} {what} are more than the {most} that rekkyo takes on")
        return number

    def _comment(self, words: Sequence[str]) -> None:
        if words[:3] == SHOW:
            self._show(words[3:])
        elif words[:2] == SHOW_BEFORE and all(map(is_decimal, words[2:])):
            self._show(words[2:])
        elif words[:3] == WEIGHT or (words[:2] == TYPE and words[2:] in WEIGHTED):
            self._fail("weights are not counted; without this line, models are counted and not weighed")
        elif _is_like_show(words):
            self._fail("this comment names shown variables, but none are read from it; write c p show 1 2 0")

    def _show(self, words: Sequence[str]) -> None:
        *variables, end = map(self._number, words or ["1"])
        if end != 0 or not all(variable > 0 for variable in variables):
            self._fail("shown variables are numbers from 1, and 0 at the end of the line; write them so")
        if self._shown is None:
            self._shown = {}
        self._shown.update(dict.fromkeys(variables, self._line))

    def _literals(self, words: Sequence[str]) -> None:
        most = self._n_variables
        if most is None:
            self._fail('a clause before the line "p cnf VARIABLES CLAUSES"; write that line first')
        for word in words:
            literal = self._number(word)
            if abs(literal) > most:
                self._fail(f"there is no variable {abs(literal)}; they go from 1 to {most}")
            if literal:
                self._clause_line = self._clause_line if self._clause else self._line
                self._clause.append(literal)
            else:
                self._end_clause()

    def _end_clause(self) -> None:
        if len(self._clauses) == self._n_clauses:
            self._fail(f'there are more than the {self._n_clauses} clauses of "p cnf"; correct that line')
        self._n_literals += len(self._clause)
        if self._n_literals > MAX_USES:
            self._fail(f"more than the {MAX_USES} literals that rekkyo takes on; make the formula smaller")
        self._clauses.append(tuple(dict.fromkeys(self._clause)))
        self._clause = []

    def _number(self, word: str) -> int:
        if not is_decimal(word):
            self._fail(f'"{in_short(word)}" is not a whole number; write variables, and 0 after each clause')
        if len(word) > MAX_DIGITS:
            self._fail(f"{in_short(word)} has more than {MAX_DIGITS} digits; make it smaller")
        return int(word)


def _is_like_show(words: Sequence[str]) -> bool:
    """Whether a comment is "show" in another spelling, as in `c P SHOW 1 0`, with numbers up to 0."""
    numbers = [*takewhile(is_decimal, reversed(words))]
    return "show" in " ".join(words[: -len(numbers)]).lower() and numbers[:1] == ["0"]


def _model_of(n_variables: int, clauses: list[tuple[Literal, ...]], shown: dict[int, int] | None) -> Csp:
    """Models as solutions. If no variable is shown, the only position is a constant."""
    solution = tuple(range(n_variables)) if shown is None else tuple(sorted(v - 1 for v in shown))
    names = [f"x{v}" for v in range(1, n_variables + 1)]
    domains: list[tuple[int, ...]] = [(0, 1)] * n_variables
    if not solution:
        solution = (n_variables,)
        names.append(f"{HIDDEN}constant")
        domains.append((0,))
    constraints = tuple(_clauses_of(clauses))
    return Csp(tuple(names), tuple(domains), constraints, solution)


def _clauses_of(clauses: list[tuple[Literal, ...]]) -> Iterator[Clause]:
    """Clauses as constraints, without those that always hold."""
    for clause in clauses:
        if {*clause}.isdisjoint(-literal for literal in clause):
            yield Clause.of(tuple((abs(literal) - 1, 1, literal > 0) for literal in clause))
