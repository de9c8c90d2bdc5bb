"""Builds a `Problem` from FlatZinc, with constants in place of variables, and truth values of statements.

A *statement* is a constraint that can be reified, or True or False if constants decide it. Hidden variables
are added only if their values follow from those of other variables.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import product
from math import prod
from typing import NoReturn, TypeAlias

from rekkyo.export.flatzinc.domains import Atom, Unknown
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, Constraint, Literal, Variable
from rekkyo.model.csp.csp import MAX_CONSTRAINTS, MAX_SPAN, MAX_VARIABLES
from rekkyo.model.csp.problem import Problem

Statement: TypeAlias = c.Linear | c.Table | c.AllDifferent | c.Clause | bool

TRUE, FALSE = 1, 0

MAX_ROWS = 1 << 20
"""The most rows of a table that is made here."""

MAX_ALL_ROWS = 1 << 22
"""The most rows of all these tables."""


class Building:
    """refuse: raises BadFile at the current place in the file."""

    def __init__(self, refuse: Callable[[str], NoReturn]) -> None:
        self.problem = Problem()
        self.refuse = refuse
        self._constants: dict[int, Variable] = {}
        self._arrays: dict[int, tuple[tuple[Atom, ...], tuple[Variable, ...]]] = {}
        self._rows: dict[tuple[int, int], tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]] = {}
        self._literals: dict[tuple[Variable, int], Literal] = {}
        self._truths: dict[Hashable, Atom] = {}
        self._n_constraints = 0
        self._n_rows = 0

    def values(self, atom: Atom) -> Sequence[int]:
        """The possible values of an atom."""
        return (atom,) if isinstance(atom, int) else self.problem.domain(atom.number)

    def fixed(self, atom: Atom) -> int | None:
        """The value of an atom, if only one is possible."""
        values = self.values(atom)
        return values[0] if len(values) == 1 else None

    def variable(self, atom: Atom) -> Variable:
        """A variable that is always equal to the atom."""
        if isinstance(atom, Unknown):
            return atom.number
        if atom not in self._constants:
            if abs(atom) > c.LARGEST:
                self.refuse(f"the number {atom} is not from -{c.LARGEST} to {c.LARGEST}; use smaller ones")
            self._constants[atom] = self.hidden((atom,)).number
        return self._constants[atom]

    def variables(self, atoms: Iterable[Atom]) -> tuple[Variable, ...]:
        """As `variable`, for each of them. Constraints that name one array share one tuple."""
        if type(atoms) is not tuple:
            return tuple(map(self.variable, atoms))
        if id(atoms) not in self._arrays:  # an array that is kept here has an id of its own
            self._arrays[id(atoms)] = atoms, tuple(map(self.variable, atoms))
        return self._arrays[id(atoms)][1]

    def hidden(self, values: Iterable[int]) -> Unknown:
        """A new hidden variable; its value must follow from the others."""
        number = self.problem.hidden(values)
        if number >= MAX_VARIABLES:
            self.refuse(f"this needs more than the {MAX_VARIABLES} variables that rekkyo takes on")
        return Unknown(number)

    def check_span(self, what: str, low: int, high: int) -> None:
        """Refuse values that are too far apart."""
        if high - low >= MAX_SPAN:
            self.refuse(
                f"{what} has values from {low} to {high}; rekkyo takes on values that span at most"
                f" {MAX_SPAN} numbers, so give its variables smaller domains"
            )

    def add(self, constraint: Constraint) -> None:
        """Post a constraint."""
        self._n_constraints += 1
        if self._n_constraints > MAX_CONSTRAINTS:
            self.refuse(f"this needs more than the {MAX_CONSTRAINTS} constraints that rekkyo takes on")
        self.problem.add(constraint)

    def linear(
        self, coefficients: Sequence[int], atoms: Sequence[Atom], relation: str, constant: int
    ) -> Statement:
        """A weighted sum is "=", "!=" or "<=" a constant."""
        weights: dict[Variable, int] = {}
        for coefficient, atom in zip(coefficients, atoms, strict=True):
            value = self.fixed(atom)
            if value is not None:
                constant -= coefficient * value
            else:
                v = self.variable(atom)
                weights[v] = weights.get(v, 0) + coefficient
        weights = {v: weight for v, weight in weights.items() if weight}
        if not weights:
            return {EQUAL: constant == 0, NOT_EQUAL: constant != 0, AT_MOST: constant >= 0}[relation]
        return c.Linear(tuple(weights.values()), tuple(weights), relation, constant)

    def equal(self, one: Atom, other: Atom) -> Statement:
        """Two have the same value."""
        return self.linear((1, -1), (one, other), EQUAL, 0)

    def at_most(self, one: Atom, other: Atom, less_by: int = 0) -> Statement:
        """One plus `less_by` is not greater than the other."""
        return self.linear((1, -1), (one, other), AT_MOST, -less_by)

    def table(self, atoms: Sequence[Atom], rows: Iterable[Sequence[int]]) -> Statement:
        """The values, in order, are one of the rows."""
        return self._table(atoms, tuple(sorted(set(map(tuple, rows)))))

    def table_of_numbers(self, atoms: Sequence[Atom], numbers: tuple[int, ...]) -> Statement:
        """The same, with the rows one after the other. Tables with one array of numbers share their rows."""
        width = len(atoms)
        key = id(numbers), width
        if key not in self._rows:  # while the numbers are kept, no other array gets their id
            rows = {numbers[at : at + width] for at in range(0, len(numbers), width)}
            self._rows[key] = numbers, tuple(sorted(rows))
        return self._table(atoms, self._rows[key][1])

    def _table(self, atoms: Sequence[Atom], kept: tuple[tuple[int, ...], ...]) -> Statement:
        """kept: different rows, sorted."""
        for place, atom in enumerate(atoms):
            values = set(self.values(atom))
            if not values.issuperset([row[place] for row in kept]):  # most tables have no impossible row
                kept = tuple([row for row in kept if row[place] in values])
        return c.Table(self.variables(atoms), kept) if kept else False

    def relation(self, atoms: Sequence[Atom], result: Atom, value: Callable[..., int | None]) -> Statement:
        """The result is a function of some atoms; the function is None if it has no value."""
        different = list(dict.fromkeys(atoms))
        places = [different.index(atom) for atom in atoms]
        domains = [self.values(atom) for atom in different]
        self.check_rows(prod(map(len, domains)))
        valued = ((row, value(*(row[place] for place in places))) for row in product(*domains))
        return self.table((*different, result), [(*row, found) for row, found in valued if found is not None])

    def element(self, index: Atom, array: Sequence[Atom], result: Atom, first: int) -> None:
        """array[index] = result, counted from `first`."""
        place = self.fixed(index)
        entries = [self.fixed(atom) for atom in array]
        if place is not None:
            is_entry = 0 <= place - first < len(array)
            self.state(self.equal(array[place - first], result) if is_entry else False)
        elif None in entries:
            names = self.variable(index), self.variables(array), self.variable(result)
            self.add(c.Element(*names, first))
        else:
            rows = [(first + at, entry) for at, entry in enumerate(entries) if entry is not None]
            self.state(self.table((index, result), rows))

    def automaton(
        self,
        atoms: Sequence[Atom],
        start: Hashable,
        moves: Sequence[tuple[Hashable, int, Hashable]],
        final: Iterable[Hashable],
    ) -> None:
        """The values are a word of an automaton. moves: a state, a value, and the next state."""
        ends = (state for before, _, after in moves for state in (before, after))
        last = list(final)
        if not atoms:
            self.state(start in last)
            return
        number = {state: at for at, state in enumerate(dict.fromkeys([start, *ends, *last]))}
        transitions = tuple(dict.fromkeys((number[a], value, number[b]) for a, value, b in moves))
        accepting = tuple(number[state] for state in last)
        self.add(c.Regular(self.variables(atoms), len(number), transitions, accepting))

    def taken(self, atoms: Sequence[Atom], excepted: Iterable[int] = ()) -> list[Atom]:
        """For each possible value, but for excepted ones, whether some atom has it."""
        values = sorted({value for atom in atoms for value in self.values(atom)}.difference(excepted))
        self.check_rows(len(values) * len(atoms))
        return [self.truth(self.one_of([(atom, value) for atom in atoms])) for value in values]

    def check_rows(self, n_rows: int) -> None:
        """Refuse a table that would be too large."""
        self._n_rows += n_rows
        if n_rows > MAX_ROWS or self._n_rows > MAX_ALL_ROWS:
            most = f"{MAX_ROWS} are the most" if n_rows > MAX_ROWS else f"with others {MAX_ALL_ROWS} are"
            self.refuse(f"this needs a table of {n_rows} rows; {most}, so give its variables smaller domains")

    def clause(self, positive: Iterable[Atom], negative: Iterable[Atom] = ()) -> Statement:
        """One of the first is 1, or one of the others 0."""
        wanted = ((positive, TRUE), (negative, FALSE))
        return self.one_of((atom, value) for atoms, value in wanted for atom in atoms)

    def one_of(self, pairs: Iterable[tuple[Atom, int]]) -> Statement:
        """One of the atoms has the value beside it."""
        literals: list[Literal] = []
        for atom, value in pairs:
            if isinstance(atom, int):
                if atom == value:
                    return True
                continue
            literal = self._literals.get((atom.number, value))
            if literal is None:
                values = self.values(atom)
                if value not in values:
                    continue
                if len(values) == 1:
                    return True
                literal = self._literals[atom.number, value] = atom.number, value, True
            literals.append(literal)
        return c.Clause.of(tuple(literals)) if literals else False

    def state(self, statement: Statement) -> None:
        """It holds."""
        if statement is False:
            self.add(c.Clause(()))
        elif statement is not True:
            self.add(statement)

    def reify(self, statement: Statement, truth: Atom) -> None:
        """The statement holds if and only if the truth value is 1."""
        if isinstance(statement, bool):
            self.state(self.equal(truth, int(statement)))
        elif self.fixed(truth) == TRUE:
            self.state(statement)
        else:
            if isinstance(statement, c.Table):
                self.check_rows(prod(len(self.problem.domain(v)) for v in statement.variables))
            self.add(c.Reified(statement, self.variable(truth)))

    def truth(self, statement: Statement) -> Atom:
        """1 if the statement holds, else 0. Equal statements share one hidden variable."""
        if isinstance(statement, bool):
            return int(statement)
        key = _key(statement)
        if key not in self._truths:
            truth = self.hidden((FALSE, TRUE))
            self.add(c.Reified(statement, truth.number))
            self._truths[key] = truth
        return self._truths[key]

    def imply(self, condition: Atom, statement: Statement) -> None:
        """The statement holds if the condition is 1."""
        if self.fixed(condition) == TRUE:
            self.state(statement)
        elif self.fixed(condition) is None:
            self.state(self.clause((self.truth(statement),), (condition,)))


def _key(statement: c.Linear | c.Table | c.AllDifferent | c.Clause) -> Hashable:
    """The same for sums that differ in the order of their terms, or in all signs of an equation."""
    if not isinstance(statement, c.Linear):
        return statement
    terms = sorted(zip(statement.variables, statement.coefficients, strict=True))
    sign = -1 if statement.relation != AT_MOST and terms and terms[0][1] < 0 else 1
    return statement.relation, sign * statement.constant, *((v, sign * weight) for v, weight in terms)
